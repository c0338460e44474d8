// One process indexes at a time, so that work is not done twice. Only a courtesy: that no entry is indexed twice is kept by the
// watermarks, also where two processes believe to hold the lease.
import { randomInt } from 'node:crypto';
import type { Database } from 'better-sqlite3-multiple-ciphers';
import { getState, putState } from './index-state.ts';

const leaseMilliseconds = 10_000;

export class IndexLease {
  readonly #token = randomInt(1, 2 ** 47);

  /** Call inside a write transaction. False where a living process holds it. */
  acquire(database: Database, now: number): boolean {
    const holder = getState(database, 'lease-token');
    const isFree = holder === 0 || holder === this.#token;
    if (!isFree && getState(database, 'lease-until') > now && isAlive(getState(database, 'lease-pid'))) return false;
    putState(database, 'lease-token', this.#token);
    putState(database, 'lease-pid', process.pid);
    putState(database, 'lease-until', now + leaseMilliseconds);
    return true;
  }

  /** Call inside a write transaction. */
  renew(database: Database, now: number): void {
    if (getState(database, 'lease-token') === this.#token) putState(database, 'lease-until', now + leaseMilliseconds);
  }

  /** Call inside a write transaction. */
  release(database: Database): void {
    if (getState(database, 'lease-token') === this.#token) putState(database, 'lease-token', 0);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
