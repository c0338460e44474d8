// Writes a session's snapshot beside the turn, never in its way: one write at a time, the newest state only, and writes take at most a
// small part of the time, so that a long session costs a turn no more than a short one. The log has everything meanwhile.
import type { SaveOutcome } from '../snapshot/storage-service.ts';

export interface SnapshotSaverOptions {
  save(): Promise<SaveOutcome & { messages: number }>;
  onSaved(saved: SaveOutcome & { messages: number }): void;
  onFailed(error: unknown): void;
}

/** After a write the next one waits so many times as long as it took. */
const restFactor = 20;

export class SnapshotSaver {
  readonly #options: SnapshotSaverOptions;
  #isWanted = false;
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #restUntil = 0;

  constructor(options: SnapshotSaverOptions) {
    this.#options = options;
  }

  /** Something changed that shall be saved soon. Returns at once. */
  request(): void {
    this.#isWanted = true;
    if (this.#writing || this.#timer) return;
    this.#timer = setTimeout(() => this.#begin(), Math.max(0, this.#restUntil - performance.now()));
  }

  /** Resolves when everything that was asked for is written, or could not be. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#writing !== undefined) await this.#writing;
    if (!this.#isWanted) return;
    this.#begin();
    await this.flush();
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isWanted = false;
    this.#writing = this.#write();
  }

  async #write(): Promise<void> {
    const began = performance.now();
    try {
      this.#options.onSaved(await this.#options.save());
    } catch (error) {
      this.#options.onFailed(error);
    }
    this.#restUntil = performance.now() + (performance.now() - began) * restFactor;
    this.#writing = undefined;
    if (this.#isWanted) this.request();
  }
}
