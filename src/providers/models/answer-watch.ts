// Watches one answer arrive. Silence is counted only while somebody waits for the next piece, so that a slow reader is never taken
// for a silent server; keep-alive pings of the server count as a sign of life.
import { BrokenAnswer } from './broken-answer.ts';

/** Milliseconds. */
export interface IdleLimits {
  /** From the request to the first byte of the answer; 120,000 unless given. */
  firstByte?: number;
  /** From one piece to the next; 120,000 unless given. */
  betweenChunks?: number;
}

const defaultLimit = 120_000;
/** A process that was held up itself first reads what has come meanwhile. */
const grace = 20;
/** More than any model says; a server that goes on for ever must not fill the memory. */
const maxBytes = 64 * 1024 * 1024;

/** How far a request has come. */
export type Phase = 'building' | 'sending' | 'reading';

export class AnswerWatch {
  phase: Phase = 'building';
  /** Why the answer was given up from here. */
  fault: BrokenAnswer | undefined;
  readonly #controller = new AbortController();
  readonly #limits: Required<IdleLimits>;
  #spoke = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: IdleLimits = {}) {
    this.#limits = { firstByte: limits.firstByte ?? defaultLimit, betweenChunks: limits.betweenChunks ?? defaultLimit };
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Closes the connection. */
  abort(): void {
    this.pause();
    this.#controller.abort();
  }

  start(): void {
    this.pause();
    const limit = this.#spoke ? this.#limits.betweenChunks : this.#limits.firstByte;
    this.#timer = setTimeout(() => {
      const fault = new BrokenAnswer(`nothing came for ${limit / 1000} seconds`, { retryable: true });
      this.#timer = setTimeout(() => this.#giveUp(fault), grace);
    }, limit);
  }

  pause(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /**
   * The given fetch, with its answers watched. An answer that is no stream of events is refused, and no redirection is followed: it
   * would hand the key to another address.
   */
  fetch(base: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      this.phase = 'sending';
      // As bytes: fetch would look through a long text several times before it sends the first of it.
      const body = typeof init?.body === 'string' ? Buffer.from(init.body) : init?.body;
      const response = await base(input, { ...init, ...(body !== undefined && { body }), redirect: 'manual' });
      if (!response.ok || response.body === null) return response;
      this.phase = 'reading';
      const type = response.headers.get('content-type') ?? '';
      if (/\b(?:html|json|xml)\b/i.test(type)) {
        this.#giveUp(new BrokenAnswer(`it is ${type.split(';')[0]}, not a stream of events`, { retryable: false }));
      }
      let bytes = 0;
      const sign = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          this.#spoke = true;
          bytes += chunk.length;
          if (bytes > maxBytes) this.#giveUp(new BrokenAnswer('it has no end', { retryable: false }));
          if (this.#timer !== undefined) this.start();
          controller.enqueue(chunk);
        },
      });
      return new Response(response.body.pipeThrough(sign), { status: response.status, headers: response.headers });
    };
  }

  #giveUp(fault: BrokenAnswer): void {
    this.fault ??= fault;
    this.abort();
  }
}
