// What the beginning of a JSON document says, also where it ends in the middle: fields and elements as far as they stand there. For telling
// formats apart and for documents that were cut off.
import type { Fields } from './fields.ts';
import { isFields } from './fields.ts';

/** Deeper than anything a format is told by. */
const mostLevels = 32;

/** The first value in the text; undefined where there is none. */
export function parseBeginning(text: string): unknown {
  return new Beginning(text).value(0);
}

/** The fields of the document, or of the first object in it where it is a list. */
export function fieldsAtBeginning(head: Buffer): { fields: Fields; isList: boolean } | undefined {
  const value = parseBeginning(head.toString('utf8'));
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return isFields(first) ? { fields: first, isList: Array.isArray(value) } : undefined;
}

class Beginning {
  readonly #text: string;
  #at = 0;
  /** The text ended, or is no JSON from here on. */
  #isOver = false;

  constructor(text: string) {
    this.#text = text;
    if (text.charCodeAt(0) === 0xfeff) this.#at = 1;
  }

  value(level: number): unknown {
    this.#match(blanks);
    const first = this.#text[this.#at];
    if (level > mostLevels || first === undefined) return this.#stop();
    if (first === '{') return this.#object(level);
    if (first === '[') return this.#list(level);
    const word = this.#match(first === '"' ? string : scalar);
    return word === undefined ? this.#stop() : this.#parse(word);
  }

  #object(level: number): Fields {
    const fields: Record<string, unknown> = {};
    this.#at += 1;
    while (!this.#isOver && !this.#takes('}')) {
      const name = this.#match(string);
      if (name === undefined || !this.#takes(':')) {
        this.#stop();
        break;
      }
      const value = this.value(level + 1);
      const key = this.#parse(name);
      if (value !== undefined && typeof key === 'string' && key !== '__proto__') fields[key] = value;
      if (this.#isOver || this.#takes('}')) break;
      if (!this.#takes(',')) this.#stop();
    }
    return fields;
  }

  #list(level: number): unknown[] {
    const list: unknown[] = [];
    this.#at += 1;
    while (!this.#isOver && !this.#takes(']')) {
      const value = this.value(level + 1);
      if (value !== undefined) list.push(value);
      if (this.#isOver || this.#takes(']')) break;
      if (!this.#takes(',')) this.#stop();
    }
    return list;
  }

  #takes(sign: string): boolean {
    this.#match(blanks);
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    this.#match(blanks);
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #parse(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      return this.#stop();
    }
  }

  #stop(): undefined {
    this.#isOver = true;
    return undefined;
  }
}

const blanks = /[ \t\r\n]*/y;
const string = /"[^"\\]*(?:\\.[^"\\]*)*"/sy;
const scalar = /(?:-?\d[\d.eE+-]*|true|false|null)(?=[\s,\]}])/y;
