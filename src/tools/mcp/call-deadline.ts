// Ends one call: when it is cancelled, or when it has taken too long. Progress buys time, but not for ever.

const mostPatience = 10;
const longestTimer = 2_147_483_647;

export class CallDeadline {
  /** Why the call was ended; undefined while it was not. */
  ending: 'cancelled' | 'timeout' | undefined;
  readonly #controller = new AbortController();
  readonly #milliseconds: number;
  readonly #outer: AbortSignal | undefined;
  readonly #startedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number, outer: AbortSignal | undefined) {
    this.#milliseconds = milliseconds;
    this.#outer = outer;
    if (outer?.aborted) this.#cancel();
    else outer?.addEventListener('abort', this.#cancel);
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
    this.#outer?.removeEventListener('abort', this.#cancel);
  }

  readonly #cancel = () => this.#stop('cancelled');

  #stop(ending: 'cancelled' | 'timeout'): void {
    if (this.ending) return;
    this.ending = ending;
    this.end();
    this.#controller.abort(ending === 'timeout' ? 'it took too long' : 'it was cancelled');
  }
}
