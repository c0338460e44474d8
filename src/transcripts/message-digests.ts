// Ids for messages that have none: made from what they say, so that they stay the same where others before them are taken away. What is said
// twice is told apart by counting.
import { hash } from 'node:crypto';
import { jsonText } from './fields.ts';

const idLength = 24;

export class MessageDigests {
  readonly #seedLine: string;
  readonly #counts = new Map<string, number>();

  /** The seed keeps sessions apart that say the same. */
  constructor(seed: string) {
    this.#seedLine = lineOf(seed);
  }

  next(message: unknown): string {
    const id = digestText(this.#seedLine + lineOf(message));
    const count = (this.#counts.get(id) ?? 0) + 1;
    this.#counts.set(id, count);
    return count === 1 ? id : `${id}~${count}`;
  }
}

export function digestOf(...parts: readonly unknown[]): string {
  return digestText(parts.map(lineOf).join(''));
}

function lineOf(part: unknown): string {
  return `${jsonText(part, Number.MAX_SAFE_INTEGER)}\n`;
}

function digestText(text: string): string {
  return hash('sha256', text, 'hex').slice(0, idLength);
}
