// Hands out leases: one writer per conversation, waiting or refusing while somebody else holds it, replacing the dead.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import { ContinuoError } from '../model/error.ts';
import type { ConversationId } from '../model/id.ts';
import { type LeaseHolder, lockedBy } from '../model/lease.ts';
import type { StoreDriver } from '../model/ports/store-driver.ts';
import { Lease, type LeaseOptions } from './lease.ts';

const defaultTtl = 30_000;
const retryInterval = 100;

export class LeaseDesk {
  readonly #driver: StoreDriver;
  readonly #clock: Clock;
  readonly #held = new Map<ConversationId, Lease>();

  constructor(driver: StoreDriver, clock: Clock) {
    this.#driver = driver;
    this.#clock = clock;
  }

  /** The proof this process holds for the conversation, if it has taken a lease. */
  tokenFor(id: ConversationId): string | undefined {
    return this.#held.get(id)?.token;
  }

  async acquire(id: ConversationId, options: LeaseOptions): Promise<Lease> {
    const ttl = options.ttl ?? defaultTtl;
    if (!(ttl > 0))
      throw new ContinuoError('invalid-input', { what: 'lease', reason: 'its ttl must be more than 0 milliseconds' });
    const deadline = performance.now() + (options.wait ?? 0);
    const token = randomUUID();
    let replaces: string | undefined;
    for (;;) {
      options.signal?.throwIfAborted();
      const now = this.#clock();
      const wanted: LeaseHolder = {
        conversationId: id,
        token,
        owner: options.owner ?? `process ${process.pid}`,
        pid: process.pid,
        host: hostname(),
        acquiredAt: now,
        expiresAt: now + ttl,
      };
      const holder = await this.#driver.acquireLease({ ...wanted, now, ...(replaces !== undefined && { replaces }) });
      if (holder.token === token) return this.#register(wanted, ttl);
      if (replaces !== holder.token && isDead(holder)) {
        replaces = holder.token;
        continue;
      }
      if (performance.now() >= deadline) throw lockedBy(holder);
      await sleep(Math.min(retryInterval, Math.max(1, deadline - performance.now())), undefined, withSignal(options.signal));
    }
  }

  async releaseAll(): Promise<void> {
    await Promise.allSettled([...this.#held.values()].map((lease) => lease.release()));
  }

  #register(holder: LeaseHolder, ttl: number): Lease {
    const id = holder.conversationId;
    const lease = new Lease(this.#driver, holder, ttl, this.#clock, () => {
      if (this.#held.get(id) === lease) this.#held.delete(id);
    });
    this.#held.set(id, lease);
    return lease;
  }
}

/** Whether the holder ran on this machine and its process is gone: no need to wait for the lease to expire. */
function isDead(holder: LeaseHolder): boolean {
  if (holder.host !== hostname()) return false;
  try {
    process.kill(holder.pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function withSignal(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal ? { signal } : {};
}
