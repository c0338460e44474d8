// Every file that holds something of a session, whatever its state: the session itself, what was set aside as damaged, and what a
// killed process left half written. For whoever must find all of them, or take all of them away.
import { lstat, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../base/private-files.ts';
import type { Sealer } from '../model/ports/sealer.ts';
import { isMissing, toFileError } from './file-fault.ts';
import { decodeId, type SessionFileKind, sessionFileKind } from './file-name.ts';
import { withLock } from './locked-folder.ts';
import { readSessionSummary } from './session-file.ts';

export interface SessionFile {
  path: string;
  /** By the folder's name; undefined where it is that of no team. */
  teamId: string | undefined;
  /** By the file's name; undefined where it is that of no session. */
  sessionId: string | undefined;
  kind: SessionFileKind;
}

/** A conversation of the store, and the session it may be the log of. */
export interface LoggedSession {
  conversationId: string;
  teamId?: string | undefined;
  sessionId?: string | undefined;
}

export function sessionsFolder(home: string): string {
  return join(home, 'sessions');
}

/** Sorted by path. Folders that are links are not followed. */
export async function listSessionFiles(home: string): Promise<SessionFile[]> {
  const files: SessionFile[] = [];
  for (const folder of await readFolder(sessionsFolder(home))) {
    if (!folder.isDirectory()) continue;
    const path = join(sessionsFolder(home), folder.name);
    const teamId = decodeId(folder.name);
    for (const { name } of await readFolder(path)) {
      const found = sessionFileKind(name);
      if (found) files.push({ path: join(path, name), teamId, sessionId: decodeId(found.session), kind: found.kind });
    }
  }
  return files.sort((left, right) => (left.path < right.path ? -1 : 1));
}

/**
 * The files of these sessions. A file that says whose log it stands for is believed, because keys are released and teams renamed;
 * what cannot be read, or says nothing, belongs to the session it is named after.
 */
export async function findFilesOf(
  home: string,
  sealer: Sealer | undefined,
  logged: readonly LoggedSession[],
): Promise<SessionFile[]> {
  const conversations = new Set(logged.map(({ conversationId }) => conversationId));
  const named = new Set(
    logged.flatMap(({ teamId, sessionId }) => (sessionId === undefined ? [] : [nameOf({ teamId, sessionId })])),
  );
  const files = await listSessionFiles(home);
  const found = new Set<SessionFile>();
  const others = new Set<string>();
  for (const file of files) {
    if (file.kind !== 'session') continue;
    const log = await readLog(file.path, sealer);
    if (log === undefined ? named.has(nameOf(file)) : conversations.has(log)) found.add(file);
    else if (log !== undefined) others.add(placeOf(file));
  }
  const places = new Set([...found].map(placeOf));
  for (const file of files) {
    if (file.kind === 'session') continue;
    if (places.has(placeOf(file)) || (named.has(nameOf(file)) && !others.has(placeOf(file)))) found.add(file);
  }
  return files.filter((file) => found.has(file));
}

/** Takes the files away for good; durable when it resolves. */
export async function eraseFiles(files: readonly Pick<SessionFile, 'path'>[]): Promise<void> {
  for (const folder of new Set(files.map(({ path }) => dirname(path)))) {
    await withLock(folder, async () => {
      for (const { path } of files) if (dirname(path) === folder) await rm(path, { force: true });
      await syncFolder(folder);
    });
  }
}

async function readFolder(path: string) {
  try {
    if ((await lstat(path)).isSymbolicLink()) return [];
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw toFileError(error, path);
  }
}

/** The conversation a file stands for; undefined where it cannot be read or says none. */
async function readLog(path: string, sealer: Sealer | undefined): Promise<string | undefined> {
  const read = await readSessionSummary(path, sealer).catch(() => undefined);
  return read?.summary.metadata.log?.conversationId;
}

function nameOf({ teamId, sessionId }: Pick<SessionFile, 'teamId' | 'sessionId'>): string {
  return JSON.stringify([teamId ?? null, sessionId ?? null]);
}

function placeOf({ path, sessionId }: SessionFile): string {
  return JSON.stringify([dirname(path), sessionId ?? null]);
}
