// Every access to the database goes through here: begin, take in what others did, work, commit. Waiting for another process's
// lock happens without blocking the event loop. After a failure nothing of the work remains, neither on disk nor in our mirrors.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Statement } from 'better-sqlite3-multiple-ciphers';
import { toStoreError } from '../../io-fault.ts';

export interface Mirror {
  /** Called at the start of every transaction. */
  refresh(): void;
  /** Called after a rollback. */
  reset(): void;
}

export class Transactor {
  readonly #database: Database;
  readonly #path: string;
  readonly #lockTimeout: number;
  readonly #mirror: Mirror;
  readonly #beginRead: Statement;
  readonly #beginWrite: Statement;
  readonly #commit: Statement;

  constructor(database: Database, path: string, lockTimeout: number, mirror: Mirror) {
    this.#database = database;
    this.#path = path;
    this.#lockTimeout = lockTimeout;
    this.#mirror = mirror;
    this.#beginRead = database.prepare('BEGIN');
    this.#beginWrite = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
  }

  /** Runs the work on one consistent view. */
  read<T>(work: () => T): Promise<T> {
    return this.#run(this.#beginRead, work);
  }

  /** Runs the work as the only writer; durable when it resolves. */
  write<T>(work: () => T): Promise<T> {
    return this.#run(this.#beginWrite, work);
  }

  /** Runs a statement that cannot be inside a transaction, waiting for its lock like the others. */
  alone<T>(work: () => T): Promise<T> {
    return this.#retry(work);
  }

  #run<T>(begin: Statement, work: () => T): Promise<T> {
    return this.#retry(() => {
      begin.run();
      try {
        this.#mirror.refresh();
        const result = work();
        this.#commit.run();
        return result;
      } catch (error) {
        if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
        this.#mirror.reset();
        throw error;
      }
    });
  }

  /** The usual case, a free lock, takes no detour through the event loop. */
  #retry<T>(attempt: () => T): Promise<T> {
    try {
      return Promise.resolve(attempt());
    } catch (error) {
      return isBusy(error) ? this.#keepTrying(attempt) : Promise.reject(toStoreError(error, this.#path));
    }
  }

  async #keepTrying<T>(attempt: () => T): Promise<T> {
    const start = performance.now();
    for (;;) {
      await sleep(1 + Math.random() * 9);
      try {
        return attempt();
      } catch (error) {
        const waited = performance.now() - start;
        if (!isBusy(error) || waited > this.#lockTimeout) throw toStoreError(error, this.#path, Math.round(waited));
      }
    }
  }
}

function isBusy(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && (code.startsWith('SQLITE_BUSY') || code === 'SQLITE_LOCKED');
}
