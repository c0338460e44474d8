// All session files of a home at one look: how many, how large, and what is wrong with some. Reads heads and ends, not messages.
import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ContinuoError } from '../model/error.ts';
import type { Sealer } from '../model/ports/sealer.ts';
import { toFileError } from './file-fault.ts';
import { readSessionSummary } from './session-file.ts';
import { listSessionFiles, type SessionFile } from './session-files.ts';

export interface SessionCensus {
  teams: number;
  sessions: number;
  /** Of everything that holds words of sessions. */
  bytes: number;
  /** Session files that cannot be read, and why. */
  unreadable: { path: string; error: ContinuoError }[];
  /** Damaged files that a save has moved out of its way. */
  setAside: string[];
  /** Readable without a key, although there is one. */
  plain: string[];
  /** Files that others than their owner may use. */
  loose: string[];
}

export async function countSessions(home: string, sealer: Sealer | undefined): Promise<SessionCensus> {
  const census: SessionCensus = { teams: 0, sessions: 0, bytes: 0, unreadable: [], setAside: [], plain: [], loose: [] };
  const teams = new Set<string>();
  for (const file of await listSessionFiles(home)) {
    const status = await lstat(file.path).catch(() => undefined);
    if (!status) continue;
    census.bytes += status.size;
    if (process.platform !== 'win32' && status.isFile() && (status.mode & 0o077) !== 0) census.loose.push(file.path);
    if (file.kind === 'damaged') census.setAside.push(file.path);
    if (file.kind === 'session' && (await countSession(file, sealer, census))) teams.add(dirname(file.path));
  }
  return { ...census, teams: teams.size };
}

async function countSession({ path }: SessionFile, sealer: Sealer | undefined, census: SessionCensus): Promise<boolean> {
  try {
    const { summary } = await readSessionSummary(path, sealer);
    census.sessions += 1;
    if (sealer && !summary.sealed) census.plain.push(path);
    return true;
  } catch (error) {
    census.unreadable.push({ path, error: toFileError(error, path) });
    return false;
  }
}
