// One bit a coordinate: a vector is turned by a fixed rotation that spreads it evenly, and only signs are kept. A question keeps its
// numbers: what a differing sign costs is how much the question cares about that coordinate, which ranks far better than counting
// differing bits. The rotation is part of the stored format: changing it means re-encoding.

/** The most that the scan can add up in 16 bits. */
export const mostDimensions = 4096;

/** Fewer bits than this say too little, and a rotation into more of them costs nothing. */
const leastBits = 256;
const rounds = 4;
/** Four costs must fit into a byte. */
const highestCost = 63;

export class SignCode {
  readonly dimension: number;
  /** Bits a vector, a multiple of 64. */
  readonly bits: number;
  readonly #flips: readonly Float32Array[];
  readonly #turned: Float32Array;
  /** The same memory: a number's sign is its highest bit. */
  readonly #signs: Int32Array;
  /** The rotation works on windows of this size, the largest power of two that fits. */
  readonly #window: number;

  constructor(dimension: number) {
    this.dimension = dimension;
    this.bits = Math.max(leastBits, Math.ceil(dimension / 64) * 64);
    this.#window = 2 ** Math.floor(Math.log2(this.bits));
    this.#turned = new Float32Array(this.bits);
    this.#signs = new Int32Array(this.#turned.buffer);
    this.#flips = buildFlips(this.bits, this.#window);
  }

  get rowBytes(): number {
    return this.bits / 8;
  }

  /** Writes the signs into row `row` of a segment: blocks of 16 rows, whose bytes stand side by side. */
  writeRow(segment: Uint8Array, row: number, vector: Float32Array): void {
    this.#turn(vector);
    const signs = this.#signs;
    for (let i = 0, at = this.#rowStart(row); i < signs.length; i += 8, at += 16) {
      let negative = 0;
      for (let bit = 0; bit < 8; bit++) negative |= ((signs[i + bit] as number) >>> 31) << bit;
      segment[at] = ~negative;
    }
  }

  eraseRow(segment: Uint8Array, row: number): void {
    for (let i = 0, at = this.#rowStart(row); i < this.rowBytes; i++, at += 16) segment[at] = 0;
  }

  /** For each half byte of a row the cost of its 16 values: what the question loses by the signs that differ. */
  buildCosts(query: Float32Array): Uint8Array {
    const turned = this.#turn(query);
    let widest = 0;
    for (let i = 0; i < turned.length; i += 4) {
      let sum = 0;
      for (let bit = 0; bit < 4; bit++) sum += Math.abs(turned[i + bit] as number);
      widest = Math.max(widest, sum);
    }
    const scale = widest === 0 ? 0 : highestCost / widest;
    const costs = new Uint8Array(turned.length * 4);
    for (let i = 0; i < costs.length; i++) {
      let cost = 0;
      for (let bit = 0; bit < 4; bit++) {
        const value = turned[(i >> 4) * 4 + bit] as number;
        if (((i >> bit) & 1) !== (value < 0 ? 0 : 1)) cost += Math.abs(value);
      }
      costs[i] = Math.round(cost * scale);
    }
    return costs;
  }

  #rowStart(row: number): number {
    return (row >> 4) * 16 * this.rowBytes + (row & 15);
  }

  /** Valid until the next call. */
  #turn(vector: Float32Array): Float32Array {
    const turned = this.#turned;
    turned.fill(0);
    turned.set(vector);
    for (let round = 0; round < rounds; round++) {
      const flips = this.#flips[round] as Float32Array;
      for (let i = 0; i < turned.length; i++) turned[i] = (turned[i] as number) * (flips[i] as number);
      mix(turned, windowStart(round, turned.length, this.#window), this.#window);
    }
    return turned;
  }
}

/** The Walsh-Hadamard transform of a window: every coordinate gets a share of every other. Two steps at a time while there are two. */
function mix(values: Float32Array, from: number, size: number): void {
  const to = from + size;
  let step = 1;
  for (; step * 4 <= size; step *= 4) {
    for (let start = from; start < to; start += 4 * step) {
      for (let i = start; i < start + step; i++) {
        const a = values[i] as number;
        const b = values[i + step] as number;
        const c = values[i + 2 * step] as number;
        const d = values[i + 3 * step] as number;
        values[i] = a + b + (c + d);
        values[i + step] = a - b + (c - d);
        values[i + 2 * step] = a + b - (c + d);
        values[i + 3 * step] = a - b - (c - d);
      }
    }
  }
  if (step === size) return;
  for (let i = from; i < from + step; i++) {
    const a = values[i] as number;
    const b = values[i + step] as number;
    values[i] = a + b;
    values[i + step] = a - b;
  }
}

/** Signs that look random and are the same everywhere; in a round's window with the scale that keeps lengths as they are. */
function buildFlips(size: number, window: number): Float32Array[] {
  let state = 0x9e3779b9;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state;
  };
  return Array.from({ length: rounds }, (_, round) => {
    const from = windowStart(round, size, window);
    return Float32Array.from({ length: size }, (_, i) => {
      const scale = i >= from && i < from + window ? 1 / Math.sqrt(window) : 1;
      return next() < 0 ? -scale : scale;
    });
  });
}

/** The first and the last coordinates take turns, so that all of them meet. */
function windowStart(round: number, size: number, window: number): number {
  return round % 2 === 0 ? 0 : size - window;
}
