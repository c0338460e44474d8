// Holds calls back: so many at a time, so many a minute. One queue, first come, first served; who waits may give up at any moment.
// The rate is a token bucket that holds ten seconds' worth, so that a quiet minute does not buy a flood.
import type { Clock } from '../../base/clock.ts';
import { ContinuoError } from '../../model/error.ts';
import { onAbort } from './abort-listener.ts';

export interface CallLimit {
  /** Calls at a time. */
  concurrent: number;
  perMinute: number;
  /** Calls that may start at once after a pause; ten seconds' worth where absent. */
  burst?: number;
  /** Calls that may wait. */
  queue?: number;
}

export type WhenLimited = 'wait' | 'fail';

/** Fires once after the given milliseconds unless it is called off. */
export type SetTimer = (milliseconds: number, fire: () => void) => () => void;

interface Waiter {
  grant: () => void;
  refuse: (error: ContinuoError) => void;
}

const defaultQueue = 256;

export class CallLimits {
  readonly #limit: Required<CallLimit>;
  readonly #clock: Clock;
  readonly #setTimer: SetTimer;
  readonly #waiting: Waiter[] = [];
  #running = 0;
  #tokens: number;
  #filledAt: number;
  #cancelTimer: (() => void) | undefined;
  #closed: ContinuoError | undefined;

  constructor(limit: CallLimit, options: { clock?: Clock; setTimer?: SetTimer } = {}) {
    const { concurrent, perMinute, queue = defaultQueue, burst = Math.max(1, Math.ceil(perMinute / 6)) } = limit;
    this.#limit = { concurrent: atLeastOne(concurrent), perMinute: Math.max(perMinute, 0.001), queue, burst: atLeastOne(burst) };
    this.#clock = options.clock ?? (() => performance.now());
    this.#setTimer = options.setTimer ?? startTimer;
    this.#tokens = this.#limit.burst;
    this.#filledAt = this.#clock();
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Resolves when the call may start, with the function that ends it; calling that twice is harmless.
   * Throws `mcp-limit` where it may not start and may not wait, `cancelled` when aborted.
   */
  async acquire(whenLimited: WhenLimited, signal?: AbortSignal): Promise<() => void> {
    if (signal?.aborted) throw new ContinuoError('cancelled');
    if (this.#closed) throw this.#closed;
    if (this.#waiting.length > 0 || !this.#hasRoom()) {
      if (whenLimited === 'fail') throw this.#refusal();
      if (this.#waiting.length >= this.#limit.queue) {
        throw new ContinuoError('mcp-limit', { reason: `${this.#limit.queue} calls are waiting already` });
      }
      await this.#wait(signal);
    } else {
      this.#take();
    }
    return this.#release();
  }

  /** Turns everybody away, now and later. Calls that run are left alone. */
  close(error: ContinuoError): void {
    this.#closed ??= error;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    for (const waiter of this.#waiting.splice(0)) waiter.refuse(this.#closed);
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        grant: () => {
          stopListening();
          resolve();
        },
        refuse: (error) => {
          stopListening();
          reject(error);
        },
      };
      const stopListening = onAbort(signal, () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        waiter.refuse(new ContinuoError('cancelled'));
        this.#serve();
      });
      this.#waiting.push(waiter);
      this.#serve();
    });
  }

  #serve(): void {
    while (this.#waiting.length > 0 && this.#hasRoom()) {
      this.#take();
      this.#waiting.shift()?.grant();
    }
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#waiting.length === 0 || this.#running >= this.#limit.concurrent) return;
    this.#cancelTimer = this.#setTimer(this.#millisecondsToToken(), () => {
      this.#cancelTimer = undefined;
      this.#serve();
    });
  }

  #hasRoom(): boolean {
    this.#refill();
    return this.#running < this.#limit.concurrent && this.#tokens >= 1;
  }

  #take(): void {
    this.#running += 1;
    this.#tokens -= 1;
  }

  #release(): () => void {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#running -= 1;
      this.#serve();
    };
  }

  /** A clock that steps back adds nothing and takes nothing away. */
  #refill(): void {
    const now = this.#clock();
    const gained = (Math.max(0, now - this.#filledAt) * this.#limit.perMinute) / 60_000;
    this.#tokens = Math.min(this.#limit.burst, this.#tokens + gained);
    this.#filledAt = now;
  }

  #millisecondsToToken(): number {
    // One more than computed: a timer that fires a little early would find the bucket almost full.
    return Math.min(Math.ceil(((1 - this.#tokens) * 60_000) / this.#limit.perMinute) + 1, 2_147_483_647);
  }

  #refusal(): ContinuoError {
    if (this.#running >= this.#limit.concurrent) {
      return new ContinuoError('mcp-limit', { reason: `at most ${this.#limit.concurrent} may run at a time` });
    }
    return new ContinuoError('mcp-limit', { reason: `at most ${this.#limit.perMinute} may be made a minute` });
  }
}

function atLeastOne(value: number): number {
  return Math.max(1, Math.floor(value));
}

function startTimer(milliseconds: number, fire: () => void): () => void {
  const timer = setTimeout(fire, milliseconds);
  return () => clearTimeout(timer);
}
