// What must still be done when the program is interrupted: close the store, remove a temporary folder. Last in, first out.

export class Cleanups {
  readonly #steps = new Set<() => Promise<void>>();

  /** Remembers a step; the returned function forgets it again. */
  add(step: () => Promise<void>): () => void {
    this.#steps.add(step);
    return () => void this.#steps.delete(step);
  }

  /** Runs every step, also after one of them failed. */
  async run(): Promise<void> {
    for (const step of [...this.#steps].reverse()) {
      this.#steps.delete(step);
      await step().catch(() => undefined);
    }
  }
}
