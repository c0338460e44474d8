// Owns the file index.db beside the log: private, encrypted where the log is, and expendable. A file of an older version, a damaged
// one or one that the key does not open is deleted and made anew, and the caller is told; the log is never touched, nor is a file of a
// newer version.
import { rmSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Options } from 'better-sqlite3-multiple-ciphers';
import { ContinuoError, isContinuoError } from '../../model/error.ts';
import { createPrivately, refuseLinks, unlockDatabase } from '../../store/drivers/sqlite/database-file.ts';
import { toStoreError } from '../../store/io-fault.ts';
import { isOfThisVersion, prepareSchema } from './schema.ts';

/** Why an index was thrown away. It fills again from the log. */
export interface IndexNotice {
  path: string;
  why: 'other-version' | 'damaged' | 'wrong-key' | 'asked';
}

export interface OpenIndexOptions {
  /** Usually `<home>/index.db`. */
  path: string;
  /** The raw key of the store, where it is encrypted. */
  key?: Uint8Array;
  onNotice?: (notice: IndexNotice) => void;
}

/** How long SQLite itself waits for a lock, blocking this thread; beyond that we wait without blocking. */
const blockingWait = 20;
const lockTimeout = 10_000;
/** What {@link inodeOf} never says. */
const none = -2;

type OpenDatabase = (path: string, options: Options) => Database;

export class IndexDatabase {
  readonly path: string;
  readonly #options: OpenIndexOptions;
  readonly #create: OpenDatabase;
  #database: Database;
  #inode: number;
  #closed = false;

  private constructor(options: OpenIndexOptions, create: OpenDatabase, database: Database) {
    this.path = options.path;
    this.#options = options;
    this.#create = create;
    this.#database = database;
    this.#inode = inodeOf(options.path);
  }

  static async open(options: OpenIndexOptions): Promise<IndexDatabase> {
    const { default: Sqlite } = await import('better-sqlite3-multiple-ciphers');
    const create: OpenDatabase = (path, settings) => new Sqlite(path, settings);
    return new IndexDatabase(options, create, openOrReplace(options, create));
  }

  /** The connection; statements are to be prepared anew after {@link renew}. */
  get database(): Database {
    if (this.#closed) throw new ContinuoError('store-closed');
    // What was at the path could not be opened last time.
    if (!this.#database.open) this.renew();
    return this.#database;
  }

  /** The connection to the file that is at the path now. Whoever searches asks for it each time. */
  current(): Database {
    if (!this.isCurrent) this.renew();
    return this.database;
  }

  get isOpen(): boolean {
    return !this.#closed;
  }

  /** Whether the file at the path is still the one that is open here: another process may have replaced it. */
  get isCurrent(): boolean {
    return inodeOf(this.path) === this.#inode;
  }

  /** Opens the file at the path again; with a reason a new one, unless another process has replaced it already. */
  renew(why?: IndexNotice['why']): void {
    if (this.#closed) throw new ContinuoError('store-closed');
    const mayDelete = why !== undefined && this.isCurrent;
    this.#database.close();
    // Until another one is open, none is current: the system may give the number of a closed one to the next.
    this.#inode = none;
    if (mayDelete) discard(this.#options, why);
    this.#database = openOrReplace(this.#options, this.#create);
    this.#inode = inodeOf(this.path);
  }

  /** Runs the work as the only writer and commits; waits for the lock without blocking the event loop. */
  async write<T>(work: (database: Database) => T): Promise<T> {
    const start = performance.now();
    for (;;) {
      try {
        return this.#transact(work);
      } catch (error) {
        const waited = performance.now() - start;
        if (!isBusy(error) || waited > lockTimeout) throw toStoreError(error, this.path, Math.round(waited));
      }
      await sleep(2 + Math.random() * 10);
    }
  }

  #transact<T>(work: (database: Database) => T): T {
    const { database } = this;
    database.exec('BEGIN IMMEDIATE');
    try {
      const result = work(database);
      database.exec('COMMIT');
      return result;
    } catch (error) {
      if (database.inTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#database.close();
  }
}

/** Whether an error says that the index at the path is broken, so that only a new one helps. The log's own damage is not ours. */
export function isIndexDamage(error: unknown, path: string): boolean {
  if (error instanceof ContinuoError) {
    return (error.code === 'store-damaged' || error.code === 'store-moved') && error.details.path === path;
  }
  return isBroken(error);
}

function isBroken(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^SQLITE_(CORRUPT|NOTADB)/.test(code);
}

function openOrReplace(options: OpenIndexOptions, create: OpenDatabase): Database {
  let why: IndexNotice['why'] | undefined;
  // Twice before anything is deleted: another process may be replacing it in this very moment.
  for (let attempt = 0; attempt < 2; attempt++) {
    const opened = tryOpen(options, create);
    if (typeof opened !== 'string') return opened;
    why = opened;
  }
  discard(options, why as IndexNotice['why']);
  const opened = tryOpen(options, create);
  if (typeof opened !== 'string') return opened;
  throw new ContinuoError('io-failed', { path: options.path, reason: 'the index cannot be made anew' });
}

function tryOpen({ path, key }: OpenIndexOptions, create: OpenDatabase): Database | IndexNotice['why'] {
  let database: Database | undefined;
  try {
    refuseLinks(path);
    createPrivately(path);
    database = create(path, { timeout: lockTimeout });
    if (key) unlockDatabase(database, key);
    // Before anything is changed: a newer one stays as it is, to the byte.
    isOfThisVersion(database);
    database.pragma('journal_mode = WAL');
    // A power cut may cost the last documents; the watermark goes with them, and they are read from the log again.
    database.pragma('synchronous = NORMAL');
    database.pragma('secure_delete = ON');
    database.pragma('journal_size_limit = 16777216');
    database.pragma('cache_size = -32768');
    database.pragma('temp_store = MEMORY');
    const isKnown = prepareSchema(database);
    database.pragma(`busy_timeout = ${blockingWait}`);
    if (isKnown) return database;
    database.close();
    return 'other-version';
  } catch (error) {
    database?.close();
    if (isContinuoError(error, 'index-newer')) throw error;
    if (!isBroken(error)) throw toStoreError(error, path);
    return (error as { code?: string }).code === 'SQLITE_NOTADB' && key ? 'wrong-key' : 'damaged';
  }
}

function discard({ path, onNotice }: OpenIndexOptions, why: IndexNotice['why']): void {
  deleteIndex(path);
  onNotice?.({ path, why });
}

/** Deletes the files of an index. Always safe: it fills again from the log. Processes that have it open notice. */
export function deleteIndex(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]) rmSync(file, { force: true });
}

function inodeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? -1;
}

function isBusy(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && (code.startsWith('SQLITE_BUSY') || code === 'SQLITE_LOCKED');
}
