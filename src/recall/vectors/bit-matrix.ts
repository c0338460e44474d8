// The sign bits of all documents in memory, segment by segment, and the first stage of a search: the documents whose bits cost the
// question least. Memory is laid out as: costs of the question, histogram of distances, rows collected, then for each segment its bits, the mask of
// rows that count and their distances.
import { type BitScanner, createBitScanner } from './bit-scanner.ts';
import type { SegmentFilter } from './document-filter.ts';
import { bitmapBytes, countBits, hasBit, segmentRows } from './segment.ts';
import { mostDimensions } from './sign-code.ts';

const costBytes = mostDimensions * 4;
const histogramBytes = 65_536 * 4;
const rowsStart = costBytes + histogramBytes;
const headBytes = rowsStart + segmentRows * 2;

interface Slot {
  segment: number;
  start: number;
  present: Uint8Array;
  /** How many rows are present. */
  count: number;
  /** How many rows the running search allows. */
  allowed: number;
}

export class BitMatrix {
  #scanner: BitScanner;
  /** Getting WebAssembly ready takes longer than one plain scan of few rows: it is done for the second one, or for many rows. */
  #mayImprove: boolean;
  readonly #blockBytes: number;
  readonly #segmentBytes: number;
  readonly #slots = new Map<number, Slot>();
  readonly #free: number[] = [];
  #end = headBytes;
  #isUsed = false;

  constructor(rowBytes: number, kind?: BitScanner['kind']) {
    this.#scanner = createBitScanner(kind ?? 'plain');
    this.#mayImprove = kind === undefined;
    this.#blockBytes = rowBytes * 16;
    this.#segmentBytes = segmentRows * rowBytes;
    this.#scanner.grow(headBytes);
  }

  get kind(): BitScanner['kind'] {
    return this.#scanner.kind;
  }

  /** Bytes held. */
  get memory(): number {
    return this.#scanner.buffer.byteLength + this.#slots.size * bitmapBytes;
  }

  /** Makes room for so many segments at once, which is cheaper than one by one. */
  reserve(segments: number): void {
    if (segments > 1) this.#improve();
    this.#scanner.grow(this.#end + segments * this.#slotBytes);
  }

  put(segment: number, present: Uint8Array, bits: Uint8Array): void {
    const start = this.#slots.get(segment)?.start ?? this.#free.pop() ?? this.#allocate();
    this.#slots.set(segment, { segment, start, present: new Uint8Array(present), count: countBits(present), allowed: 0 });
    this.#bytes(start, this.#segmentBytes).set(bits);
  }

  /** Forgets a segment, and overwrites what it held. */
  drop(segment: number): void {
    const slot = this.#slots.get(segment);
    if (!slot) return;
    this.#bytes(slot.start, this.#segmentBytes).fill(0);
    this.#free.push(slot.start);
    this.#slots.delete(segment);
  }

  /** The documents that cost least, at most so many, in no order; all that are allowed where these are not more. */
  findNearest(costs: Uint8Array, count: number, filter?: SegmentFilter): number[] {
    if (this.#isUsed) this.#improve();
    const slots = this.#mask(filter);
    let allowed = 0;
    for (const slot of slots) allowed += slot.allowed;
    if (allowed <= count) return slots.flatMap((slot) => this.#documents(slot));
    this.#bytes(0, costBytes).set(costs);
    this.#bytes(costBytes, histogramBytes).fill(0);
    if (slots.length > 1) this.#improve();
    for (const slot of slots) this.#scan(slot);
    this.#isUsed = true;
    const { limit, below } = this.#limitFor(count);
    return this.#collect(slots, limit, count - below);
  }

  #improve(): void {
    if (!this.#mayImprove) return;
    this.#mayImprove = false;
    const better = createBitScanner('simd');
    better.grow(this.#scanner.buffer.byteLength);
    new Uint8Array(better.buffer).set(new Uint8Array(this.#scanner.buffer));
    this.#scanner = better;
  }

  get #slotBytes(): number {
    return this.#segmentBytes + bitmapBytes + segmentRows * 2;
  }

  #allocate(): number {
    const start = this.#end;
    this.#end += this.#slotBytes;
    this.#scanner.grow(this.#end);
    return start;
  }

  #bytes(start: number, length: number): Uint8Array {
    return new Uint8Array(this.#scanner.buffer, start, length);
  }

  #mask(filter: SegmentFilter | undefined): Slot[] {
    const counted: Slot[] = [];
    for (const slot of this.#slots.values()) {
      const mask = this.#bytes(slot.start + this.#segmentBytes, bitmapBytes);
      if (filter) filter(slot.segment, slot.present, mask);
      else mask.set(slot.present);
      slot.allowed = filter ? countBits(mask) : slot.count;
      if (slot.allowed > 0) counted.push(slot);
    }
    return counted;
  }

  #scan({ start }: Slot): void {
    const mask = start + this.#segmentBytes;
    this.#scanner.scan({
      bits: start,
      blockBytes: this.#blockBytes,
      table: 0,
      mask,
      maskEnd: mask + bitmapBytes,
      distances: mask + bitmapBytes,
      histogram: costBytes,
    });
  }

  /** The smallest distance that `count` documents do not exceed, and how many lie below it. */
  #limitFor(count: number): { limit: number; below: number } {
    const histogram = new Uint32Array(this.#scanner.buffer, costBytes, histogramBytes / 4);
    let below = 0;
    for (let limit = 0; ; limit++) {
      const here = histogram[limit] as number;
      if (below + here >= count) return { limit, below };
      below += here;
    }
  }

  /** All below the limit, and of those at it as many as there is room for. */
  #collect(slots: readonly Slot[], limit: number, room: number): number[] {
    const documents: number[] = [];
    let left = room;
    for (const { segment, start } of slots) {
      const from = start + this.#segmentBytes + bitmapBytes;
      const count = this.#scanner.collect(from, from + segmentRows * 2, limit, rowsStart);
      const rows = new Uint16Array(this.#scanner.buffer, rowsStart, count);
      const distances = new Uint16Array(this.#scanner.buffer, from, segmentRows);
      for (const row of rows) {
        if (distances[row] === limit && left-- <= 0) continue;
        documents.push(segment * segmentRows + row);
      }
    }
    return documents;
  }

  #documents({ segment, start }: Slot): number[] {
    const mask = this.#bytes(start + this.#segmentBytes, bitmapBytes);
    const documents: number[] = [];
    for (let byte = 0; byte < mask.length; byte++) {
      // Mostly few of many are allowed.
      if (mask[byte] === 0) continue;
      for (let row = byte * 8; row < byte * 8 + 8; row++) if (hasBit(mask, row)) documents.push(segment * segmentRows + row);
    }
    return documents;
  }
}
