// What every database file of a home has in common, the log's and those beside it: readable by its owner alone, never behind a symbolic
// link, and encrypted with the key of the store. Loads no SQLite.
import { closeSync, constants, existsSync, lstatSync, openSync } from 'node:fs';
import type { Database } from 'better-sqlite3-multiple-ciphers';
import { privateFileMode } from '../../../base/private-files.ts';
import { ContinuoError } from '../../../model/error.ts';

/**
 * SQLite would create the file readable by others; its companions (-wal, -shm) take over the mode of this file. Opened here only
 * where it is new: closing a file drops every lock this process holds on it.
 */
export function createPrivately(path: string): void {
  if (existsSync(path)) return;
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, privateFileMode));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Neither the file nor its companions may be links; `more`: what else may not be. */
export function refuseLinks(path: string, ...more: string[]): void {
  for (const file of [...more, path, `${path}-wal`, `${path}-shm`]) {
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found?.isSymbolicLink()) throw new ContinuoError('unsafe-path', { path: file, reason: 'it is a symbolic link' });
  }
}

export function unlockDatabase(database: Database, key: Uint8Array): void {
  database.pragma("cipher = 'aegis'");
  database.pragma(`key = "raw:${Buffer.from(key).toString('hex')}"`);
  // SQLite's temporary files (of VACUUM, of large sorts) are not encrypted: they must not touch a disk.
  database.pragma('temp_store = MEMORY');
}
