// Lines out of bytes that come in any pieces. A line that is too long costs no memory beyond the limit: it is skipped and told once.

export interface LineListener {
  line: (text: string) => void;
  tooLong: () => void;
}

const newline = 0x0a;

export class LineReader {
  readonly #longest: number;
  readonly #listener: LineListener;
  #pieces: Uint8Array[] = [];
  #length = 0;
  #isSkipping = false;

  constructor(longest: number, listener: LineListener) {
    this.#longest = longest;
    this.#listener = listener;
  }

  take(bytes: Uint8Array): void {
    let start = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      this.#add(bytes.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    this.#add(bytes.subarray(start));
  }

  end(): void {
    if (this.#length > 0 || this.#isSkipping) this.#finish();
  }

  #add(piece: Uint8Array): void {
    if (this.#isSkipping || piece.length === 0) return;
    this.#length += piece.length;
    if (this.#length <= this.#longest) this.#pieces.push(piece);
    else {
      this.#isSkipping = true;
      this.#clear();
    }
  }

  #finish(): void {
    const wasSkipped = this.#isSkipping;
    const text = Buffer.concat(this.#pieces).toString('utf8');
    this.#isSkipping = false;
    this.#clear();
    if (wasSkipped) this.#listener.tooLong();
    else this.#listener.line(text);
  }

  #clear(): void {
    this.#pieces = [];
    this.#length = 0;
  }
}
