// The folder a conversion of the store works in, named after the store it makes: `sessions-of-<id>` for `store-<id>`. It says who works
// there, so that whoever finds it can tell a conversion at work from one that was killed.
import { readFile, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { makePrivateFolder, writeFileAtomically } from '../base/private-files.ts';
import { isAlive } from './save-lock.ts';

export const stagedPrefix = 'sessions-of-';
export const workerName = '.worker.json';
/** Longer than any conversion: numbers of processes are given again. */
const oldAge = 24 * 60 * 60 * 1000;
/** Between making the folder and saying who works there nothing happens, unless the process dies. */
const namelessAge = 60 * 1000;

/** For a store folder `store-<id>`. */
export function stagedSessions(home: string, storeFolder: string): string {
  return join(home, storeFolder.replace(/^store-/, stagedPrefix));
}

export async function openConversionFolder(path: string): Promise<void> {
  await makePrivateFolder(path);
  await writeFileAtomically(join(path, workerName), JSON.stringify({ pid: process.pid, host: hostname() }));
}

/** Whether whoever worked here is gone for sure. */
export async function isAbandoned(path: string): Promise<boolean> {
  let age = oldAge;
  try {
    const { pid, host } = JSON.parse(await readFile(join(path, workerName), 'utf8')) as { pid: number; host: string };
    if (host === hostname() && !isAlive(pid)) return true;
  } catch {
    // Killed before it could say who it is, or the folder goes at this moment.
    age = namelessAge;
  }
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
  return Date.now() - mtimeMs > age;
}
