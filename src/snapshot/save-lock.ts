// One writer at a time in a folder of sessions, across processes. The lock is a file that names its holder; a holder that was killed
// is noticed and its lock is taken away. Readers never need it, because files are replaced whole.
import { randomBytes } from 'node:crypto';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { privateFileMode } from '../base/private-files.ts';
import { ContinuoError } from '../model/error.ts';
import { isMissing } from './file-fault.ts';

export interface SaveLock {
  /** Whether it is still ours; a holder that slept too long may have lost it. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/** Throws `store-busy` where another process keeps it for longer than the patience. */
export async function acquireSaveLock(folder: string, patience = defaultPatience): Promise<SaveLock> {
  const path = join(folder, lockName);
  const own = JSON.stringify({ pid: process.pid, host: hostname(), mark: randomBytes(9).toString('base64url') });
  const began = performance.now();
  for (let pause = 2; !(await takeFile(path, own)); pause = Math.min(pause * 2, 50)) {
    await takeAwayFromDead(path);
    const waited = Math.round(performance.now() - began);
    if (waited > patience) throw new ContinuoError('store-busy', { path: folder, waited });
    await sleep(pause + Math.random() * pause);
  }
  const isHeld = async () => (await readOrNothing(path)) === own;
  return {
    isHeld,
    release: async () => {
      if (await isHeld()) await rm(path, { force: true });
    },
  };
}

export const lockName = '.lock';
const defaultPatience = 15_000;
/** A lock is held for the time of one write. Older ones were left by a machine that went down, or by one we cannot ask. */
const oldAge = 60_000;
/** Between making the file and writing the name into it nothing happens, unless the process dies. */
const namelessAge = 2_000;

async function takeFile(path: string, content: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', privateFileMode);
    try {
      await file.writeFile(content);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Under a lock of its own, or two who judged the same lock could take away a third one's. */
async function takeAwayFromDead(path: string): Promise<void> {
  if (!(await isLeftBehind(path))) return;
  const guard = `${path}-guard`;
  if (!(await takeFile(guard, String(process.pid)))) {
    const isOver = (await ageOf(guard)) > (isAlive(Number(await readOrNothing(guard)) || process.pid) ? oldAge : namelessAge);
    if (isOver) await rm(guard, { force: true });
    return;
  }
  try {
    if (await isLeftBehind(path)) await rm(path, { force: true });
  } finally {
    await rm(guard, { force: true });
  }
}

async function isLeftBehind(path: string): Promise<boolean> {
  const age = await ageOf(path);
  if (age > oldAge) return true;
  const holder = parseHolder(await readOrNothing(path));
  if (holder === undefined) return age > namelessAge;
  return holder.host === hostname() && !isAlive(holder.pid);
}

function parseHolder(text: string | undefined): { pid: number; host: string } | undefined {
  try {
    const { pid, host } = JSON.parse(text ?? '') as { pid?: unknown; host?: unknown };
    return typeof pid === 'number' && pid > 0 && typeof host === 'string' ? { pid, host } : undefined;
  } catch {
    return undefined;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** In milliseconds; none where it is gone. */
async function ageOf(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
}

async function readOrNothing(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}
