// Ends one call: when it is cancelled, or when it has taken too long. Progress buys time, but not for ever.
import { onAbort } from './abort-listener.ts';

const mostPatience = 10;
const longestTimer = 2_147_483_647;

export class CallDeadline {
  /** Why the call was ended; undefined while it was not. */
  ending: 'cancelled' | 'timeout' | undefined;
  readonly #controller = new AbortController();
  readonly #milliseconds: number;
  readonly #startedAt = performance.now();
  #stopListening: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number, outer: AbortSignal | undefined) {
    this.#milliseconds = milliseconds;
    this.#stopListening = onAbort(outer, () => this.#stop('cancelled'));
    this.extend();
  }

  /** A signal of this call's own: the outer one lives longer, and nothing of this call may hang on to it. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** What was allowed, for the message. */
  get seconds(): number {
    return this.#milliseconds / 1000;
  }

  extend(): void {
    if (this.ending) return;
    const left = this.#startedAt + this.#milliseconds * mostPatience - performance.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#stop('timeout'), Math.max(0, Math.min(this.#milliseconds, left, longestTimer)));
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#stopListening?.();
  }

  #stop(ending: 'cancelled' | 'timeout'): void {
    if (this.ending) return;
    this.ending = ending;
    this.end();
    this.#controller.abort(ending === 'timeout' ? 'it took too long' : 'it was cancelled');
  }
}
