// Whose sessions the files of a folder are that anything may lie in: what is in a file tells, and where nothing can be recognised in it, its
// name and place do. So a damaged session is nobody's business only where not even its name is a session's.
import { basename, dirname, join } from 'node:path';
import { detectFormat, transcriptFormats } from './formats.ts';
import { type FolderItem, readHead, walkFiles } from './session-folder.ts';
import type { SkippedNote, TranscriptFormat } from './transcript-format.ts';

export interface SortedFiles {
  owners: ReadonlyMap<string, TranscriptFormat>;
  /** Folders that could not be looked into. */
  notes: SkippedNote[];
}

/** Files with other endings are no sessions, unless one is named itself. */
const sessionEnding = /\.(?:jsonl?|jsonl\.zst|db|sqlite3?|zip)$/i;

export async function sortFiles(
  root: string,
  { signal, depth }: { signal?: AbortSignal | undefined; depth?: number | undefined } = {},
): Promise<SortedFiles> {
  const owners = new Map<string, TranscriptFormat>();
  const unknown: FolderItem[] = [];
  const names = new Set<string>();
  const notes: SkippedNote[] = [];
  for await (const item of walkFiles(root, { signal, depth })) {
    if (item.type === 'skipped') {
      if (item.reason === 'broken') notes.push(item);
      continue;
    }
    if (isNeighbour(item.name)) names.add(item.path);
    if (!sessionEnding.test(item.name)) continue;
    const head = await readHead(item.path).catch(() => undefined);
    const format = head && detectFormat({ path: item.path, head });
    if (format) owners.set(item.path, format);
    else unknown.push(item);
  }
  const neighbours = [...owners].filter(([path, { layout }]) => layout?.name?.test(basename(path)));
  const known = new Set(neighbours.map(([path, { name }]) => `${name} ${dirname(path)}`));
  const isProven = (format: TranscriptFormat, folder: string) =>
    known.has(`${format.name} ${folder}`) || names.has(join(folder, format.layout?.beside ?? '.'));
  for (const { path, name } of unknown) {
    const format =
      formatOfPlace(path) ?? transcriptFormats.find((each) => each.layout?.name?.test(name) && isProven(each, dirname(path)));
    if (format) owners.set(path, format);
  }
  return { owners, notes };
}

/** Whose session a file is: by what is in it, by its place, or by its name beside other sessions. Throws where it cannot be opened. */
export async function findOwner(path: string): Promise<TranscriptFormat | undefined> {
  const format = detectFormat({ path, head: await readHead(path) });
  return format ?? formatOfPlace(path) ?? (await sortFiles(dirname(path), { depth: 0 })).owners.get(path);
}

/** Whose a file is by name and place alone. */
function formatOfPlace(path: string): TranscriptFormat | undefined {
  const place = path.replaceAll('\\', '/');
  return transcriptFormats.find(({ layout }) => layout?.place?.test(place));
}

function isNeighbour(name: string): boolean {
  return transcriptFormats.some(({ layout }) => layout?.beside === name);
}
