// Gathers tokens as units in one buffer: a string of many small additions would cost several times as much.
import { characterLength } from './character-class.ts';

const space = 0x20;
const smallA = 0x61;
const smallZ = 0x7a;
const longestSimple = 40;
const keptLength = 1 << 18;
let spare: Uint16Array<ArrayBuffer> | undefined;

export class TokenWriter {
  #units: Uint16Array<ArrayBuffer>;
  #length = 0;

  constructor(expected: number) {
    const wanted = Math.max(1024, expected * 3);
    this.#units = spare && spare.length >= wanted ? spare : new Uint16Array(Math.max(wanted, 1 << 14));
    spare = undefined;
  }

  /** Tokens that are separated already. */
  writeText(tokens: string): void {
    if (tokens.length === 0) return;
    const units = this.#reserve(tokens.length + 1);
    let length = this.#length;
    for (let i = 0; i < tokens.length; i++) units[length++] = tokens.charCodeAt(i);
    units[length++] = space;
    this.#length = length;
  }

  /** A word that is its own token, taken over as it stands; false, and nothing written, where it must be looked at. */
  writeSimpleWord(text: string, start: number, end: number): boolean {
    if (end - start > longestSimple || mayHaveEnding(text.charCodeAt(end - 1))) return false;
    const units = this.#reserve(end - start + 1);
    let length = this.#length;
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code < smallA || code > smallZ) return false;
      units[length++] = code;
    }
    units[length++] = space;
    this.#length = length;
    return true;
  }

  /** `AB BC C`: each pair of the run, and its last character alone. */
  writePairs(text: string, start: number, end: number): void {
    const units = this.#reserve((end - start) * 4 + 2);
    let length = this.#length;
    for (let at = start; at < end; ) {
      const step = characterLength(text, at);
      const next = at + step < end ? characterLength(text, at + step) : 0;
      for (let i = 0; i < step + next; i++) units[length++] = text.charCodeAt(at + i);
      units[length++] = space;
      at += step;
    }
    this.#length = length;
  }

  /** Ends the writing. */
  toString(): string {
    const bytes = Buffer.from(this.#units.buffer, 0, this.#length * 2);
    if (this.#units.length <= keptLength) spare = this.#units;
    return bytes.toString('utf16le');
  }

  #reserve(more: number): Uint16Array<ArrayBuffer> {
    if (this.#length + more > this.#units.length) {
      const larger = new Uint16Array(Math.max(this.#units.length * 2, this.#length + more));
      larger.set(this.#units);
      this.#units = larger;
    }
    return this.#units;
  }
}

/** The last letters of the endings that stems go without: s, d, g, e. */
function mayHaveEnding(code: number): boolean {
  return code === 0x73 || code === 0x64 || code === 0x67 || code === 0x65;
}
