// A folder of sessions while it is changed: private, no link, and nobody else's for the time of the change.
import { lstat, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makePrivate, makePrivateFolder } from '../base/private-files.ts';
import { ContinuoError } from '../model/error.ts';
import { toFileError } from './file-fault.ts';
import { acquireSaveLock, isAlive, type SaveLock } from './save-lock.ts';

export async function withLock<T>(folder: string, action: (lock: SaveLock) => Promise<T>): Promise<T> {
  try {
    await makePrivateFolder(folder);
    await refuseLink(folder);
    for (const path of [dirname(folder), folder]) await makePrivate(path);
    const lock = await acquireSaveLock(folder);
    try {
      return await action(lock);
    } finally {
      await lock.release();
    }
  } catch (error) {
    throw toFileError(error, folder);
  }
}

export async function refuseLink(folder: string): Promise<void> {
  if ((await lstat(folder)).isSymbolicLink()) {
    throw new ContinuoError('unsafe-path', { path: folder, reason: 'it is a symbolic link' });
  }
}

/** What a killed process left half written. Nobody else writes here while the lock is held, unless it was lost. */
export async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, pid] = /\.json\.(\d+)\.\w+\.tmp$/.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(folder, name), { force: true });
  }
}
