// Text for a prompt that never grows over its limit. Names of files are data: they are written so that none breaks out of its line.
import { estimateTokens } from '../../base/token-estimate.ts';

/** Takes lines as long as there is room. */
export class BoundedText {
  #limit: number;
  readonly #lines: string[] = [];
  tokens = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get lines(): number {
    return this.#lines.length;
  }

  add(line: string): boolean {
    // The line break costs as well, and every estimate is rounded up.
    const cost = estimateTokens(`${line}\n`);
    if (this.tokens + cost > this.#limit) return false;
    this.tokens += cost;
    this.#lines.push(line);
    return true;
  }

  /** More room from now on. */
  grow(tokens: number): this {
    this.#limit += tokens;
    return this;
  }

  toString(): string {
    return this.#lines.join('\n');
  }
}

export function quotePath(path: string): string {
  return /[\p{Cc}\p{Zl}\p{Zp}`"]/u.test(path) ? JSON.stringify(path) : path;
}
