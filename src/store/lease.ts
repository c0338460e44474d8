// The holder's side of a lease: keeps it alive with a heartbeat and tells when it is lost.
import type { Clock } from '../base/clock.ts';
import { ContinuoError } from '../model/error.ts';
import type { ConversationId } from '../model/id.ts';
import type { LeaseHolder } from '../model/lease.ts';
import type { StoreDriver } from '../model/ports/store-driver.ts';

export interface LeaseOptions {
  /** A name people recognise. */
  owner?: string;
  /** How long the lease outlives its last heartbeat. Default 30 s. */
  ttl?: number;
  /** How long to wait for a present holder to let go. Default 0: refuse at once. */
  wait?: number;
  signal?: AbortSignal;
}

export class Lease {
  readonly holder: LeaseHolder;
  readonly #driver: StoreDriver;
  readonly #lost = new AbortController();
  readonly #onRelease: () => void;
  readonly #heartbeat: NodeJS.Timeout;
  #released = false;

  constructor(driver: StoreDriver, holder: LeaseHolder, ttl: number, clock: Clock, onRelease: () => void) {
    this.#driver = driver;
    this.holder = holder;
    this.#onRelease = onRelease;
    this.#heartbeat = setInterval(() => void this.#renew(clock() + ttl), Math.max(10, ttl / 3));
    this.#heartbeat.unref();
  }

  get conversationId(): ConversationId {
    return this.holder.conversationId;
  }

  /** Aborted when somebody else took over: stop writing. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** The proof for an append; throws `lease-lost` after a loss. */
  get token(): string {
    if (this.#lost.signal.aborted) throw new ContinuoError('lease-lost', { id: this.conversationId });
    return this.holder.token;
  }

  async release(): Promise<void> {
    if (this.#released) return;
    this.#released = true;
    clearInterval(this.#heartbeat);
    this.#onRelease();
    await this.#driver.releaseLease(this.conversationId, this.holder.token);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
  }

  async #renew(expiresAt: number): Promise<void> {
    // A fault of the medium is no loss: the next heartbeat tries again while the lease still runs.
    const held = await this.#driver.renewLease(this.conversationId, this.holder.token, expiresAt).catch(() => true);
    if (held || this.#released) return;
    clearInterval(this.#heartbeat);
    this.#lost.abort(new ContinuoError('lease-lost', { id: this.conversationId }));
  }
}
