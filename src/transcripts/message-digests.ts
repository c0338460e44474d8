// Ids for messages that have none: made from what they say, so that they stay the same where others before them are taken away. What is said
// twice is told apart by counting.
import { hash } from 'node:crypto';
import { jsonText } from './fields.ts';

const idLength = 24;

export class MessageDigests {
  readonly #seed: string;
  readonly #counts = new Map<string, number>();

  /** The seed keeps sessions apart that say the same. */
  constructor(seed: string) {
    this.#seed = seed;
  }

  next(message: unknown): string {
    const id = digestOf(this.#seed, message);
    const count = (this.#counts.get(id) ?? 0) + 1;
    this.#counts.set(id, count);
    return count === 1 ? id : `${id}~${count}`;
  }
}

export function digestOf(...parts: readonly unknown[]): string {
  const text = parts.map((part) => `${jsonText(part, Number.MAX_SAFE_INTEGER)}\n`).join('');
  return hash('sha256', text, 'hex').slice(0, idLength);
}
