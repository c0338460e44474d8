// The last of what somebody said, bounded, for error messages.

const mostCharacters = 4_000;
const shownCharacters = 500;

export class TextTail {
  #text = '';

  push(text: string): void {
    this.#text = (this.#text + text.slice(-mostCharacters)).slice(-mostCharacters);
  }

  /** On one line and without control characters. */
  get text(): string {
    const line = cleanText(this.#text);
    return line.length > shownCharacters ? `…${line.slice(-shownCharacters)}` : line;
  }
}

/** Text of a stranger on one line: no control characters (terminals obey them), no invisible marks that turn its direction. */
export function cleanText(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/ {2,}/g, ' ')
    .trim();
}
