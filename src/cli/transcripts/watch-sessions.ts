// Keeps importing while agents write: what changed is found by size and time, imported, indexed, and told in one line a session.
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  formatImportKey,
  type ImportedSession,
  type TranscriptFormat,
  type TranscriptSource,
} from '../../transcripts/transcripts.ts';
import type { Context } from '../context.ts';
import { findName, namelessWords } from '../conversation-view.ts';
import { formatMoment } from '../output/moment.ts';
import { plainLine } from '../output/plain-text.ts';
import { shortenId } from '../output/short-ids.ts';
import { FolderWatch } from './folder-watch.ts';
import { type FoundSessions, findSessions, type SearchOptions } from './found-sessions.ts';
import { type ImportRunOptions, runImport } from './import-run.ts';
import { renderProblems } from './import-view.ts';
import type { SessionPlace } from './session-places.ts';

export interface WatchOptions extends ImportRunOptions, SearchOptions {
  signal: AbortSignal;
  /** What was imported just now. */
  known: readonly FoundSessions[];
  /** Called after each import. */
  follow(): Promise<void>;
}

type Grown = ImportedSession & { format: TranscriptFormat };

/** Ends when the signal does. */
export async function watchSessions(context: Context, places: readonly SessionPlace[], options: WatchOptions): Promise<void> {
  const { signal, known, follow } = options;
  const seen = new Map<string, string>();
  const leftAlone = new Set<string>();
  for (const each of known) remember(seen, each);
  const folders = new Map<SessionPlace, string>();
  for (const place of places) folders.set(place, await folderOf(place.path));
  const look = async (changed: ReadonlySet<string>) => {
    const found: FoundSessions[] = [];
    for (const place of places) {
      if (!changed.has(folders.get(place) as string)) continue;
      const all = await findSessions(place, options);
      const sources = all.sources.filter((source) => seen.get(nameOf(all.format, source)) !== stateOf(source));
      // What is left out was told at the beginning.
      if (sources.length > 0) found.push({ ...all, sources, notes: [] });
    }
    if (found.length === 0) return;
    const grown: Grown[] = [];
    const report = await runImport(context, found, { ...options, onSession: (done) => void grown.push(done) });
    for (const each of found) remember(seen, each);
    await follow();
    for (const each of grown) await tell(context, options, each);
    tellPurged(context, grown, leftAlone);
    context.output.note(...renderProblems(context, report));
  };
  const watching = new FolderWatch([...new Set(folders.values())], { onChange: look });
  const ended = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  watching.start();
  try {
    await Promise.race([ended, watching.failed]);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await watching.close();
  }
}

async function tell(context: Context, { store }: WatchOptions, { format, source, outcome, entries }: Grown): Promise<void> {
  // A new branch without words of its own has nothing to tell yet.
  if ((outcome !== 'created' && outcome !== 'grown') || entries === 0) return;
  const conversation = await store.find(formatImportKey(format.name, source.id));
  if (!conversation) return;
  const { output, text, style, now } = context;
  const { id } = conversation;
  const [short, name] = [await shortenId(store, id), await findName(store, conversation)];
  output.result({ agent: format.name, session: source.id, path: source.path, conversation: id, outcome, entries }, () => {
    const words = plainLine(name ?? namelessWords(text, conversation)).slice(0, longestName);
    return text.import.grew(style.dim(formatMoment(now())), format.label, style.cyan(short), words, entries);
  });
}

/** Once a session: it may go on growing for hours. */
function tellPurged({ output, text, style }: Context, grown: readonly Grown[], leftAlone: Set<string>): void {
  const purged = grown.filter(({ outcome }) => outcome === 'purged').map(({ format, source }) => nameOf(format, source));
  const fresh = purged.filter((name) => !leftAlone.has(name));
  for (const name of fresh) leftAlone.add(name);
  if (fresh.length > 0) output.note(style.dim(text.import.others(text.import.purged(fresh.length))));
}

const longestName = 60;

function remember(seen: Map<string, string>, { format, sources }: FoundSessions): void {
  for (const source of sources) seen.set(nameOf(format, source), stateOf(source));
}

function nameOf(format: TranscriptFormat, { id, path }: TranscriptSource): string {
  return `${format.name} ${id} ${path}`;
}

function stateOf({ size, modifiedAt, title }: TranscriptSource): string {
  return `${size} ${modifiedAt} ${title}`;
}

/** A single file is watched by way of its folder: agents write a file anew in place of the old one. */
async function folderOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? dirname(path) : path;
}
