// Cuts a stream of bytes into lines. Chunks of an unfinished line are kept as they are and joined once, so that a message of many
// megabytes costs no more than its size; a line over the limit is refused as soon as that is certain.

export class LineReader {
  readonly #most: number;
  readonly #onLine: (line: string) => void;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(most: number, onLine: (line: string) => void) {
    this.#most = most;
    this.#onLine = onLine;
  }

  /** False where a line is longer than allowed; nothing is read after that. */
  push(chunk: Buffer): boolean {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(10, start);
      const part = chunk.subarray(start, end === -1 ? undefined : end);
      this.#size += part.length;
      if (this.#size > this.#most) {
        this.#parts = [];
        return false;
      }
      if (part.length > 0) this.#parts.push(part);
      if (end === -1) return true;
      const line = Buffer.concat(this.#parts).toString().trim();
      this.#parts = [];
      this.#size = 0;
      start = end + 1;
      if (line !== '') this.#onLine(line);
    }
  }
}
