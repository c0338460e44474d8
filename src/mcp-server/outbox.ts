// What goes out, one write at a time: a client that does not read is waited for once, however many answers there are. Invariant: what was
// given first is written first, and nothing after it was closed.

/** Characters that are written at once. */
const writtenAtOnce = 64 * 1024;
/** Answers beyond this are not made before some were taken. */
const mostWaiting = 1024 * 1024;

export interface OutboxOptions {
  /** Resolves when there is room for more. */
  write: (text: string) => Promise<void>;
  /** Some of what was waiting is written. */
  onRoom: () => void;
  onError: (error: unknown) => void;
}

interface Waiting {
  line: string;
  settle: () => void;
}

export class Outbox {
  readonly #options: OutboxOptions;
  #waiting: Waiting[] = [];
  /** Given away, but there is no room yet for more. */
  #written: Waiting[] = [];
  #length = 0;
  #isWriting = false;
  #isClosed = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  get isFull(): boolean {
    return this.#length > mostWaiting;
  }

  /** Resolves when the line is written, or never will be. */
  send(line: string): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    return new Promise((settle) => {
      this.#waiting.push({ line, settle });
      this.#length += line.length;
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  /** What waits is dropped; what is being written is not waited for. */
  close(): void {
    this.#isClosed = true;
    for (const { settle } of [...this.#written, ...this.#waiting]) settle();
    this.#waiting = [];
    this.#written = [];
    this.#length = 0;
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    try {
      while (this.#waiting.length > 0) {
        this.#written = this.#takeSome();
        await this.#options.write(this.#written.map(({ line }) => line).join(''));
        for (const { settle } of this.#written) settle();
        this.#written = [];
        this.#options.onRoom();
      }
    } catch (error) {
      this.#options.onError(error);
      this.close();
    } finally {
      this.#isWriting = false;
    }
  }

  #takeSome(): Waiting[] {
    let length = 0;
    let count = 0;
    for (const { line } of this.#waiting) {
      if (count > 0 && length + line.length > writtenAtOnce) break;
      length += line.length;
      count += 1;
    }
    this.#length -= length;
    return this.#waiting.splice(0, count);
  }
}
