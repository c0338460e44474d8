// Opens the database file: private, no symbolic links, the right key, durable settings, the newest schema.
import { dirname } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';
import { ContinuoError } from '../../../model/error.ts';
import { toStoreError } from '../../io-fault.ts';
import { createPrivately, refuseLinks, unlockDatabase } from './database-file.ts';
import { migrate } from './migrate.ts';

/** How long SQLite itself waits for a lock, blocking this thread; beyond that we wait without blocking. */
const blockingWait = 20;

export function openDatabase(path: string, key: Uint8Array | undefined): Database.Database {
  let database: Database.Database | undefined;
  try {
    refuseLinks(path, dirname(path));
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
