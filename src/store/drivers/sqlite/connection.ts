// Opens the database file: private, no symbolic links, the right key, durable settings, the newest schema.
import { closeSync, constants, existsSync, lstatSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';
import { privateFileMode } from '../../../base/private-files.ts';
import { ContinuoError } from '../../../model/error.ts';
import { toStoreError } from '../../io-fault.ts';
import { migrate } from './migrate.ts';

/** How long SQLite itself waits for a lock, blocking this thread; beyond that we wait without blocking. */
const blockingWait = 20;

export function openDatabase(path: string, key: Uint8Array | undefined): Database.Database {
  let database: Database.Database | undefined;
  try {
    refuseLinks(path);
    createPrivately(path);
    database = new Database(path, { timeout: 30_000 });
    if (key) unlockDatabase(database, key);
    readFirstPage(database, path, key !== undefined);
    database.pragma('journal_mode = WAL');
    // The package lowers this to NORMAL for WAL, which may lose acknowledged commits in a power cut.
    database.pragma('synchronous = FULL');
    database.pragma('secure_delete = ON');
    database.pragma('journal_size_limit = 16777216');
    database.pragma('cache_size = -16384');
    migrate(database, path);
    database.pragma(`busy_timeout = ${blockingWait}`);
    return database;
  } catch (error) {
    database?.close();
    throw toStoreError(error, path);
  }
}

export function unlockDatabase(database: Database.Database, key: Uint8Array): void {
  database.pragma("cipher = 'aegis'");
  database.pragma(`key = "raw:${Buffer.from(key).toString('hex')}"`);
  // SQLite's temporary files (of VACUUM, of large sorts) are not encrypted: they must not touch a disk.
  database.pragma('temp_store = MEMORY');
}

/** A wrong key and a damaged file look alike to SQLite: only the caller's intention tells which it is. */
function readFirstPage(database: Database.Database, path: string, keyed: boolean): void {
  try {
    database.pragma('schema_version');
  } catch (error) {
    if ((error as { code?: string }).code !== 'SQLITE_NOTADB') throw error;
    if (keyed) throw new ContinuoError('wrong-key', { path }, { cause: error });
    throw new ContinuoError('store-damaged', { path, reason: 'it is not a database, or it is encrypted' }, { cause: error });
  }
}

/**
 * SQLite would create the file readable by others; its companions (-wal, -shm) take over the mode of this file. Opened here only
 * where it is new: closing a file drops every lock this process holds on it.
 */
function createPrivately(path: string): void {
  if (existsSync(path)) return;
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, privateFileMode));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function refuseLinks(path: string): void {
  for (const file of [dirname(path), path, `${path}-wal`, `${path}-shm`]) {
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found?.isSymbolicLink()) throw new ContinuoError('unsafe-path', { path: file, reason: 'it is a symbolic link' });
  }
}
