// Keeps the beginning and the end of an output and counts what is between them. Characters are never cut: a piece that ends inside
// of one waits for the rest, and what is left out is left out between characters.
import { StringDecoder } from 'node:string_decoder';

export class OutputBuffer {
  readonly #headRoom: number;
  readonly #tailRoom: number;
  readonly #head: Buffer[] = [];
  readonly #decoder = new StringDecoder('utf8');
  #tail: Buffer[] = [];
  #headBytes = 0;
  #tailBytes = 0;
  #total = 0;

  /** `room` is how many bytes are kept. */
  constructor(room: number) {
    this.#headRoom = Math.ceil(room / 2);
    this.#tailRoom = room - this.#headRoom;
  }

  /** How many bytes there were. */
  get total(): number {
    return this.#total;
  }

  /** Whether something had to be left out. */
  get truncated(): boolean {
    return this.#total > this.#headRoom + this.#tailRoom;
  }

  /** Takes a piece, and returns what can be shown of it now. */
  add(piece: Buffer): string {
    this.#total += piece.length;
    const toHead = piece.subarray(0, this.#headRoom - this.#headBytes);
    if (toHead.length > 0) this.#head.push(toHead);
    this.#headBytes += toHead.length;
    const toTail = piece.subarray(toHead.length);
    if (toTail.length > 0) this.#tail.push(toTail);
    this.#tailBytes += toTail.length;
    // Twice the room before it is cut down: each byte is then copied at most once more.
    if (this.#tailBytes > 2 * this.#tailRoom + 65_536) this.#cutTail();
    return this.#decoder.write(piece);
  }

  /** What of a last, unfinished character remains to be shown. */
  end(): string {
    return this.#decoder.end();
  }

  /** The whole output, or its two ends with a line between them that says how much is missing. */
  text(): string {
    if (!this.truncated) return Buffer.concat([...this.#head, ...this.#tail]).toString('utf8');
    this.#cutTail();
    const head = withoutCutEnd(Buffer.concat(this.#head));
    const tail = withoutCutBeginning(Buffer.concat(this.#tail));
    const missing = this.#total - head.length - tail.length;
    return `${head.toString('utf8')}\n… ${missing} bytes left out …\n${tail.toString('utf8')}`;
  }

  #cutTail(): void {
    const all = Buffer.concat(this.#tail);
    const kept = Buffer.from(all.subarray(Math.max(0, all.length - this.#tailRoom)));
    this.#tail = [kept];
    this.#tailBytes = kept.length;
  }
}

function withoutCutEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (isContinuation(byte)) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

function withoutCutBeginning(bytes: Buffer): Buffer {
  let begin = 0;
  while (begin < Math.min(3, bytes.length) && isContinuation(bytes[begin] as number)) begin++;
  return bytes.subarray(begin);
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
