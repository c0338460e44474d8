// The saved sessions of a working directory: those in `.continuo`, and those that an older program left in `.jarvis`, which are only
// read. What is of another kind is passed over; what cannot be read is listed with the reason.
import { lstat, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type ContinuoError, isContinuoError } from '../model/error.ts';
import { isMissing, toFileError } from './file-fault.ts';
import { refuseLink } from './locked-folder.ts';
import type { SavedSessionKind } from './saved-session-format.ts';
import { isSavedSessionName } from './saved-session-name.ts';
import { readSavedHead } from './saved-session-reader.ts';

export interface SavedSession {
  path: string;
  /** Stays the same however often the session is saved; the file's name without its ending where the file has none. */
  id: string;
  /** ISO 8601. */
  savedAt: string;
  bytes: number;
  /** Undefined where that would take reading a very large file. */
  messages: number | undefined;
  /** The first words of the human. */
  task: string | undefined;
  branch: string | undefined;
  /** Undefined where the file cannot be read. */
  version: string | undefined;
  /** Left by an older program: read, never written. */
  isLegacy: boolean;
  problem: ContinuoError | undefined;
}

export const sessionFolderName = '.continuo';
const legacyFolderName = '.jarvis';
/** Files that are read at the same time. */
const readers = 16;

/** Newest first. Throws where the folder itself cannot be read. */
export async function listSavedSessions(directory: string, kind: SavedSessionKind): Promise<SavedSession[]> {
  const paths = [
    ...(await listPaths(join(directory, sessionFolderName))).map((path) => ({ path, isLegacy: false })),
    ...(await listPaths(join(directory, legacyFolderName))).map((path) => ({ path, isLegacy: true })),
  ];
  const found: SavedSession[] = [];
  const read = async () => {
    for (let next = paths.pop(); next; next = paths.pop()) {
      const session = await describeFile(next.path, kind, next.isLegacy);
      if (session) found.push(session);
    }
  };
  await Promise.all(Array.from({ length: readers }, read));
  return found.sort(newestFirst);
}

/** Undefined where it is of another kind, or gone since the folder was read. */
export async function describeFile(path: string, kind: SavedSessionKind, isLegacy: boolean): Promise<SavedSession | undefined> {
  try {
    const { head, found, bytes } = await readSavedHead(path, kind);
    const { savedAt, summary, id = stemOf(path) } = head;
    const { messages, task, branch } = summary ?? {};
    return { path, id, savedAt, bytes, messages, task, branch, version: found, isLegacy, problem: undefined };
  } catch (error) {
    if (isContinuoError(error, 'saved-session-of-another-kind')) return undefined;
    const status = await lstat(path).catch(() => undefined);
    if (!status) return undefined;
    const unknown = { messages: undefined, task: undefined, branch: undefined, version: undefined };
    const problem = toFileError(error, path);
    return { path, id: stemOf(path), savedAt: status.mtime.toISOString(), bytes: status.size, ...unknown, isLegacy, problem };
  }
}

function stemOf(path: string): string {
  return basename(path, '.json');
}

async function listPaths(folder: string): Promise<string[]> {
  try {
    await refuseLink(folder);
    return (await readdir(folder)).filter(isSavedSessionName).map((name) => join(folder, name));
  } catch (error) {
    if (isMissing(error)) return [];
    throw toFileError(error, folder);
  }
}

function newestFirst(left: SavedSession, right: SavedSession): number {
  return Date.parse(right.savedAt) - Date.parse(left.savedAt) || (left.path < right.path ? 1 : -1);
}
