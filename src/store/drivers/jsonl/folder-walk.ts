// Every file below the store's two folders, with what it is. Links are named, never followed.
import { type Dirent, readdirSync } from 'node:fs';
import { absolutePath, keyedFolder, type LogPath, unkeyedFolder } from './log-path.ts';

export interface FoundFile {
  path: LogPath;
  /** A conversation's file, an unfinished rewrite of one, a folder, a link, or something that does not belong here. */
  kind: 'log' | 'rewrite' | 'folder' | 'link' | 'other';
}

/** What a rewrite is called until it takes the place of the file. */
export const rewriteSuffix = '.rewrite';

export function* walkFolders(folder: string): Generator<FoundFile> {
  for (const top of [unkeyedFolder, keyedFolder]) yield* walk(folder, top);
}

function* walk(folder: string, path: LogPath): Generator<FoundFile> {
  let entries: Dirent[];
  try {
    entries = readdirSync(absolutePath(folder, path), { withFileTypes: true });
  } catch (error) {
    // Removed while we were walking.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  for (const entry of entries) {
    const inner = `${path}/${entry.name}`;
    const kind = kindOf(entry);
    yield { path: inner, kind };
    if (kind === 'folder') yield* walk(folder, inner);
  }
}

function kindOf(entry: Dirent): FoundFile['kind'] {
  if (entry.isSymbolicLink()) return 'link';
  if (entry.isDirectory()) return 'folder';
  if (!entry.isFile()) return 'other';
  if (entry.name.endsWith('.jsonl')) return 'log';
  return entry.name.endsWith(`.jsonl${rewriteSuffix}`) ? 'rewrite' : 'other';
}
