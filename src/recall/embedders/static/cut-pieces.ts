// How a text becomes the pieces the model has vectors for; training/distil/pieces.py is its twin and must cut every text alike. Runs of
// letters and digits are looked up whole and in lower case; unknown ones are parted at digits and camelCase humps, and what is still
// unknown is cut into the longest known beginnings, as CJK text and symbols are. What the model does not know is left out.
import type { StaticModel } from './model-file.ts';

export type PieceModel = Pick<StaticModel, 'hashes' | 'rowsOfHashes' | 'seed' | 'folds'>;

/** Rows of the model, in the order of the text. A list of this many is full; what follows is left out. */
export const mostPieces = 20_000;

const longestCjk = 8;
const longestSymbol = 3;
const longestSegment = 24;
/** From this length on a word that falls apart into single characters is no word. */
const shortestCode = 6;

const letter = 1;
const digit = 2;
const cjk = 3;
const symbol = 4;
const kinds = characterKinds();

const ascii = /^[\0-\x7f]*$/;

export class PieceCutter {
  readonly #model: PieceModel;
  readonly #mask: number;
  readonly #firstHash: number;
  /** The text as it is read, folded; and the same in lower case. */
  #units = new Uint16Array(4096);
  #small = new Uint16Array(4096);
  readonly #pieces = new Uint16Array(mostPieces);
  #count = 0;

  constructor(model: PieceModel) {
    this.#model = model;
    this.#mask = model.hashes.length - 1;
    this.#firstHash = fnvOffset ^ model.seed;
  }

  /** Valid until the next call. */
  cut(text: string): Uint16Array {
    const length = this.#read(ascii.test(text) ? text : text.normalize('NFKC'));
    this.#count = 0;
    const units = this.#units;
    let at = 0;
    while (at < length) {
      const kind = kinds[units[at] as number] as number;
      if (kind === 0) {
        at++;
        continue;
      }
      const end = this.#endOfRun(at, length, kind);
      if (kind <= digit) this.#cutWord(at, end);
      else this.#cutGreedily(at, end, kind === cjk ? longestCjk : longestSymbol);
      at = end;
    }
    return this.#pieces.subarray(0, this.#count);
  }

  #read(text: string): number {
    const { folds } = this.#model;
    const length = text.length;
    if (length > this.#units.length) {
      this.#units = new Uint16Array(length * 2);
      this.#small = new Uint16Array(length * 2);
    }
    const units = this.#units;
    const small = this.#small;
    for (let i = 0; i < length; i++) {
      const unit = folds[text.charCodeAt(i)] as number;
      units[i] = unit;
      small[i] = unit >= 65 && unit <= 90 ? unit | 32 : unit;
    }
    return length;
  }

  /** Letters and digits make one run. */
  #endOfRun(start: number, length: number, kind: number): number {
    const units = this.#units;
    let end = start + 1;
    if (kind <= digit) while (end < length && isWordUnit(units[end] as number)) end++;
    else while (end < length && kinds[units[end] as number] === kind) end++;
    return end;
  }

  #cutWord(start: number, end: number): void {
    if (this.#addIfKnown(start, end)) return;
    const units = this.#units;
    const before = this.#count;
    let at = start;
    while (at < end) {
      const segmentEnd = endOfHump(units, at, end);
      if (!this.#addIfKnown(at, segmentEnd) && segmentEnd - at <= longestSegment)
        this.#cutGreedily(at, segmentEnd, longestSegment);
      at = segmentEnd;
    }
    // A hash or a key: its letters mean nothing, and those of any other one look alike.
    if (end - start >= shortestCode && (this.#count - before) * 2 > end - start) this.#count = before;
  }

  #addIfKnown(start: number, end: number): boolean {
    const small = this.#small;
    let hash = this.#firstHash;
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ (small[i] as number), hashFactor);
    const row = this.#find(hash);
    if (row < 0) return false;
    this.#add(row);
    return true;
  }

  #cutGreedily(start: number, end: number, longest: number): void {
    const small = this.#small;
    let at = start;
    while (at < end) {
      let hash = this.#firstHash;
      let found = -1;
      let foundEnd = at + 1;
      const last = Math.min(end, at + longest);
      for (let i = at; i < last; i++) {
        hash = Math.imul(hash ^ (small[i] as number), hashFactor);
        const row = this.#find(hash);
        if (row < 0) continue;
        found = row;
        foundEnd = i + 1;
      }
      if (found >= 0) this.#add(found);
      at = foundEnd;
    }
  }

  #find(unmixed: number): number {
    const { hashes, rowsOfHashes } = this.#model;
    const hash = (unmixed ^ (unmixed >>> 15)) >>> 0 || 1;
    let slot = hash & this.#mask;
    for (;;) {
      const there = hashes[slot] as number;
      if (there === hash) return rowsOfHashes[slot] as number;
      if (there === 0) return -1;
      slot = (slot + 1) & this.#mask;
    }
  }

  #add(row: number): void {
    if (this.#count < mostPieces) this.#pieces[this.#count++] = row;
  }
}

// FNV-1a.
const fnvOffset = 0x811c9dc5 | 0;
const hashFactor = 0x01000193;

/** parseHTTPResponse2 is parse, HTTP, Response, 2. */
function endOfHump(units: Uint16Array, start: number, end: number): number {
  let at = start;
  if (isDigit(units[at] as number)) {
    while (at < end && isDigit(units[at] as number)) at++;
    return at;
  }
  while (at < end && isUpper(units[at] as number)) at++;
  const capitals = at - start;
  if (at < end && isLower(units[at] as number)) {
    // The last of several capitals begins the next hump.
    if (capitals > 1) return at - 1;
    while (at < end && isLower(units[at] as number)) at++;
  }
  return at;
}

function isWordUnit(unit: number): boolean {
  const kind = kinds[unit] as number;
  return kind === letter || kind === digit;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function isUpper(unit: number): boolean {
  return unit >= 65 && unit <= 90;
}

function isLower(unit: number): boolean {
  return unit >= 97 && unit <= 122;
}

/** Ranges of their own instead of Unicode's properties, which grow from one version of Node to the next. */
function characterKinds(): Uint8Array {
  const table = new Uint8Array(0x10000);
  table.fill(symbol, 0x21, 0x7f);
  table.fill(digit, 0x30, 0x3a);
  table.fill(letter, 0x41, 0x5b);
  table.fill(letter, 0x61, 0x7b);
  table[0x3005] = cjk;
  for (const [first, last] of [
    [0x3040, 0x30ff],
    [0x31f0, 0x31ff],
    [0x3400, 0x4dbf],
    [0x4e00, 0x9fff],
    [0xac00, 0xd7a3],
  ] as const) {
    table.fill(cjk, first, last + 1);
  }
  return table;
}
