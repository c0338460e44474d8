// Cutting a stretch of a file into lines, from either end, a chunk at a time: the whole is never in memory. Offsets are in bytes.
import { readSync } from 'node:fs';

export interface RawLine {
  /** Where it begins. */
  start: number;
  /** Where the next line begins. */
  end: number;
  /** Without the line's end. Empty where the line is longer than any that is ever written. */
  bytes: Buffer;
  /** False for the last line of a file that ends without a line's end. */
  terminated: boolean;
}

/** No line may be longer: it could not be a JavaScript string any more. */
export const maxLineBytes = 256 * 1024 * 1024;

const newline = 10;
const smallestChunk = 16 * 1024;
const largestChunk = 1024 * 1024;

/** The lines from `from`, the beginning of a line, up to `to`. */
export function* linesForward(fd: number, from: number, to: number): Generator<RawLine> {
  const pieces = new Pieces();
  let start = from;
  let position = from;
  for (let chunkSize = smallestChunk; position < to; chunkSize = Math.min(chunkSize * 2, largestChunk)) {
    const chunk = readAt(fd, position, Math.min(chunkSize, to - position));
    // Shorter than it was: a write that failed was taken back meanwhile.
    if (chunk.length === 0) break;
    let used = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, used)) {
      pieces.push(chunk.subarray(used, at));
      used = at + 1;
      yield { start, end: position + used, bytes: pieces.take(), terminated: true };
      start = position + used;
    }
    pieces.push(chunk.subarray(used));
    position += chunk.length;
  }
  if (position > start) yield { start, end: position, bytes: pieces.take(), terminated: false };
}

/** The lines between `from`, the beginning of a line, and `to`, last line first. */
export function* linesBackward(fd: number, from: number, to: number): Generator<RawLine> {
  const pieces = new Pieces();
  let lineEnd = to;
  let terminated = false;
  let position = to;
  for (let chunkSize = smallestChunk; position > from; chunkSize = Math.min(chunkSize * 2, largestChunk)) {
    const length = Math.min(chunkSize, position - from);
    const chunk = readAt(fd, position - length, length);
    if (chunk.length < length) return;
    position -= length;
    let rest = length;
    for (let at = chunk.lastIndexOf(newline); at >= 0; at = rest === 0 ? -1 : chunk.lastIndexOf(newline, rest - 1)) {
      pieces.unshift(chunk.subarray(at + 1, rest));
      rest = at;
      const start = position + at + 1;
      // The stretch ends with a line's end: there is no line after it.
      if (start < lineEnd) yield { start, end: lineEnd, bytes: pieces.take(), terminated };
      lineEnd = start;
      terminated = true;
    }
    pieces.unshift(chunk.subarray(0, rest));
  }
  if (lineEnd > from) yield { start: from, end: lineEnd, bytes: pieces.take(), terminated };
}

/** As many bytes as there are, up to `length`. */
export function readAt(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(fd, buffer, filled, length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}

/** A line that may be spread over several chunks. */
class Pieces {
  #pieces: Buffer[] = [];
  #length = 0;

  push(piece: Buffer): void {
    if (this.#grow(piece)) this.#pieces.push(piece);
  }

  unshift(piece: Buffer): void {
    if (this.#grow(piece)) this.#pieces.unshift(piece);
  }

  take(): Buffer {
    const bytes = this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#length = 0;
    return bytes;
  }

  #grow(piece: Buffer): boolean {
    this.#length += piece.length;
    if (this.#length > maxLineBytes) this.#pieces = [];
    return piece.length > 0 && this.#length <= maxLineBytes;
  }
}
