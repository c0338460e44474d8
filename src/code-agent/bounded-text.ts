// Text for a prompt that never grows over its limit. Names of files are data: they are written so that none breaks out of its line.
import { estimateTokens } from '../base/token-estimate.ts';

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

  /** How many of the lines there was room for, within a part of it. */
  addWhile(lines: readonly string[], tokens: number): number {
    const most = this.tokens + tokens;
    const refused = lines.findIndex((line) => this.tokens + estimateTokens(line) > most || !this.add(line));
    return refused < 0 ? lines.length : refused;
  }

  /** As many whole lines of a text as there is room for; true where all of it, or a good part, went in. */
  addCut(text: string): boolean {
    if (this.add(text)) return true;
    const lines = text.split('\n');
    let [kept, cost] = [0, reserve];
    while (kept < lines.length && this.tokens + cost < this.#limit) cost += estimateTokens(`${lines[kept++]}\n`);
    if (kept - 1 < fewestLines) return false;
    return this.add(`${lines.slice(0, kept - 1).join('\n')}\n… ${lines.length - kept + 1} more line(s)`);
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

/** For the words that say what was left out. */
const reserve = 24;
const fewestLines = 6;

export function quotePath(path: string): string {
  return /[\p{Cc}\p{Zl}\p{Zp}`"]/u.test(path) ? JSON.stringify(path) : path;
}
