// How processes that share the folder take turns: a small SQLite file whose write lock is the store's write lock. The kernel holds
// that lock, so it vanishes with a dead process. The file also keeps leases and the catalogue, a derivative of the conversations'
// files. It holds nothing that was said, and losing it loses leases only.
import { chmodSync, closeSync, constants, existsSync, lstatSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3-multiple-ciphers';
import { privateFileMode } from '../../../base/private-files.ts';
import { ContinuoError } from '../../../model/error.ts';
import { toStoreError } from '../../io-fault.ts';
import { type Connection, prepare } from './statements.ts';

export interface Turn {
  /** For changes; they become visible to others with the commit. */
  connection: Connection;
  /** Makes the changes visible and ends the turn; done by itself where the work does not ask for it earlier. */
  commit(): void;
}

export const coordinationFile = 'coordination.db';
const schemaVersion = 1;
const pageKey = Buffer.from('continuo: authentic, not secret.').toString('hex');
const attemptsAtOnce = 20;
/** How often, in milliseconds, to make sure that the file is still the one everybody uses. */
const replacementInterval = 50;

const schema = `
  create table conversation (
    id text primary key,
    path text not null unique,
    active_at integer not null,
    last_seq integer not null,
    entries integer not null,
    trashed integer not null,
    pinned integer not null,
    forked_from text,
    next_expires_at integer,
    size integer not null,
    rewrites integer not null,
    appended integer not null
  );
  create index conversation_activity on conversation (active_at desc, id desc);
  create index conversation_appended on conversation (appended);
  create index conversation_fork on conversation (forked_from) where forked_from is not null;
  create index conversation_expiry on conversation (next_expires_at) where next_expires_at is not null;
  create table lease (
    conversation_id text primary key,
    token text not null,
    owner text not null,
    pid integer not null,
    host text not null,
    acquired_at integer not null,
    expires_at integer not null
  );
  create table state (name text primary key, value text not null);
`;

export class Coordination {
  readonly path: string;
  readonly #lockTimeout: number;
  #writer: Connection | undefined;
  #reader: Connection | undefined;
  #isOpen = false;
  #inode = 0n;
  #queue: Promise<unknown> = Promise.resolve();
  #lookedAt = Number.NEGATIVE_INFINITY;
  #othersWroteAt = Number.NEGATIVE_INFINITY;
  #dataVersion: unknown;

  constructor(folder: string, lockTimeout: number) {
    this.path = join(folder, coordinationFile);
    this.#lockTimeout = lockTimeout;
  }

  async open(): Promise<void> {
    this.#isOpen = true;
    try {
      await this.#connect();
    } catch (error) {
      this.#disconnect();
      const coded = toStoreError(error, this.path);
      if (coded.code !== 'store-damaged') throw coded;
      await this.replace();
    }
  }

  /** Throws the file away and begins a new one: what it said can be found out again. */
  replace(): Promise<void> {
    return this.#enqueue(async () => {
      this.#disconnect();
      for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(this.path + suffix, { force: true });
      await this.#connect();
    });
  }

  /** Whether the fault is damage of this file. */
  isDamage(error: unknown): boolean {
    if (error instanceof ContinuoError) return error.code === 'store-damaged' && error.details.path === this.path;
    return toStoreError(error, this.path).code === 'store-damaged';
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    await this.#queue;
    this.#disconnect();
  }

  /** What is committed, by whomever. */
  get reader(): Connection {
    if (!this.#reader) throw new ContinuoError('store-closed');
    return this.#reader;
  }

  /** Connects anew where somebody threw the file away; true where that was so. Looks at intervals only, so it may be asked often. */
  async refresh(): Promise<boolean> {
    const now = performance.now();
    if (!this.#isOpen || (this.#writer && now - this.#lookedAt < replacementInterval)) return false;
    this.#lookedAt = now;
    // Not connected at all: an earlier attempt failed, for want of handles or space, and what was missing then may be there now.
    if (this.#writer && statSync(this.path, { bigint: true, throwIfNoEntry: false })?.ino === this.#inode) return false;
    await this.#enqueue(async () => {
      this.#disconnect();
      await this.#connect();
    });
    return true;
  }

  /** Runs the work while no other process, and no other turn of this one, may write. */
  locked<Result>(work: (turn: Turn) => Promise<Result> | Result): Promise<Result> {
    return this.#enqueue(() => this.#takeTurn(work));
  }

  #enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  async #takeTurn<Result>(work: (turn: Turn) => Promise<Result> | Result): Promise<Result> {
    const connection = await this.#begin();
    let isOver = false;
    const commit = () => {
      prepare(connection, 'commit').run();
      isOver = true;
    };
    try {
      const result = await work({ connection, commit });
      if (!isOver) commit();
      return result;
    } finally {
      if (connection.inTransaction) connection.exec('rollback');
    }
  }

  async #begin(): Promise<Connection> {
    const started = performance.now();
    // Where others write too, the one who just had the lock lets them go first: retrying is a lottery, and it would always win.
    if (started - this.#othersWroteAt < 50) await sleep(1);
    for (let attempt = 1; ; attempt++) {
      const connection = this.#writer;
      if (!connection) throw new ContinuoError('store-closed');
      try {
        prepare(connection, 'begin immediate').run();
        this.#noticeOthers(connection);
        return connection;
      } catch (error) {
        const waited = performance.now() - started;
        if (!isBusy(error) || waited > this.#lockTimeout) throw toStoreError(error, this.path, Math.round(waited));
        this.#othersWroteAt = performance.now();
        // A turn is mostly over within a millisecond; only then is it worth going to sleep for longer.
        if (attempt <= attemptsAtOnce) await nextTurn();
        else await sleep(1 + Math.random() * Math.min(attempt - attemptsAtOnce, 8));
      }
    }
  }

  #noticeOthers(connection: Connection): void {
    const version = prepare(connection, 'pragma data_version').pluck().get();
    if (this.#dataVersion !== undefined && version !== this.#dataVersion) this.#othersWroteAt = performance.now();
    this.#dataVersion = version;
  }

  async #connect(): Promise<void> {
    const started = performance.now();
    for (;;) {
      try {
        this.#prepareFile();
        this.#writer = connect(this.path, 0);
        prepareSchema(this.#writer);
        this.#reader = connect(this.path, 1000);
        this.#inode = statSync(this.path, { bigint: true }).ino;
        this.#dataVersion = undefined;
        return;
      } catch (error) {
        this.#disconnect();
        if (!existsSync(dirname(this.path)))
          throw new ContinuoError('store-moved', { path: dirname(this.path) }, { cause: error });
        const waited = performance.now() - started;
        const isPassing = isBusy(error) || (error as NodeJS.ErrnoException).code === 'ENOENT';
        if (!isPassing || waited > this.#lockTimeout) throw toStoreError(error, this.path, Math.round(waited));
        await sleep(1 + Math.random() * 10);
      }
    }
  }

  /** SQLite would make the file for everybody to read; its companions take over the mode of this one. */
  #prepareFile(): void {
    const status = lstatSync(this.path, { throwIfNoEntry: false });
    if (status?.isSymbolicLink()) throw new ContinuoError('unsafe-path', { path: this.path, reason: 'it is a symbolic link' });
    if (status && process.platform !== 'win32' && (status.mode & 0o077) !== 0) chmodSync(this.path, privateFileMode);
    if (status) return;
    try {
      // Opened only where it is new: closing a file drops every lock this process holds on it.
      closeSync(openSync(this.path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, privateFileMode));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }

  #disconnect(): void {
    const connections = [this.#reader, this.#writer];
    this.#reader = undefined;
    this.#writer = undefined;
    for (const connection of connections) connection?.close();
  }
}

function connect(path: string, timeout: number): Connection {
  const connection = new Database(path, { timeout });
  try {
    // Not to hide anything, the key is known: every page is authenticated, so that a changed byte is found instead of believed.
    connection.pragma("cipher = 'aegis'");
    connection.pragma(`key = "raw:${pageKey}"`);
    connection.pragma('page_size = 1024');
    connection.pragma('journal_mode = wal');
    // A power cut may lose the last commits, never the file; what they said is found again in the conversations' files.
    connection.pragma('synchronous = normal');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function prepareSchema(connection: Connection): void {
  const version = () => connection.pragma('user_version', { simple: true });
  if (version() === schemaVersion) return;
  connection.exec('begin immediate');
  try {
    if (version() !== schemaVersion) {
      // A derivative of another version is not migrated but made again.
      for (const table of ['conversation', 'lease', 'state']) connection.exec(`drop table if exists ${table}`);
      connection.exec(schema);
      connection.pragma(`user_version = ${schemaVersion}`);
    }
    connection.exec('commit');
  } finally {
    if (connection.inTransaction) connection.exec('rollback');
  }
}

function isBusy(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && code.startsWith('SQLITE_BUSY');
}
