// An embedder that is opened when it is first needed, and once: models are large and servers are far. A failure is not remembered, so
// that a server which comes back is found again.
import type { Embedder } from '../../model/ports/embedder.ts';

/** An embedder, or how to open one. */
export type EmbedderSource = Embedder | (() => Promise<Embedder>);

export class EmbedderSlot {
  readonly #source: EmbedderSource;
  #opening: Promise<Embedder> | undefined;

  constructor(source: EmbedderSource) {
    this.#source = source;
  }

  get(): Promise<Embedder> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #open(): Promise<Embedder> {
    return typeof this.#source === 'function' ? this.#source() : this.#source;
  }
}
