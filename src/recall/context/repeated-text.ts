// Tells whether a text says again what was said already: the same words, a part of them, or mostly the same stretch. An answer in the
// words of its question is no repetition where it holds a word that was not asked.
import { wordKeys } from '../topics/text-words.ts';

const shingleLength = 8;
const tooMuchShared = 0.7;
/** With more words of its own than this a text says something else. */
const fewNewWords = 0.1;
/** Of a longer text only the whole is looked for. */
const maxShingled = 4000;

export class RepeatedText {
  readonly #texts: string[] = [];
  readonly #shingles: Set<string>[] = [];

  constructor(texts: Iterable<string> = []) {
    for (const text of texts) this.add(text);
  }

  add(text: string): void {
    const plain = fold(text);
    if (plain === '') return;
    this.#texts.push(plain);
    this.#shingles.push(shinglesOf(plain));
  }

  has(text: string): boolean {
    const plain = fold(text);
    if (plain === '' || this.#texts.some((known) => known.includes(plain))) return true;
    const shingles = shinglesOf(plain);
    if (shingles.size === 0) return false;
    const words = [...new Set([...wordKeys(text), ...(text.match(/\p{N}+/gu) ?? [])].map(fold))];
    return this.#shingles.some((known, i) => {
      if (shareOf(shingles, known) < tooMuchShared) return false;
      const isNew = (word: string) => !this.#texts[i]?.includes(word);
      return words.filter(isNew).length <= words.length * fewNewWords;
    });
  }
}

function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{P}\p{S}\s]+/gu, '');
}

function shinglesOf(text: string): Set<string> {
  const shingles = new Set<string>();
  if (text.length > maxShingled) return shingles;
  for (let i = 0; i + shingleLength <= text.length; i++) shingles.add(text.slice(i, i + shingleLength));
  return shingles;
}

function shareOf(shingles: ReadonlySet<string>, known: ReadonlySet<string>): number {
  let shared = 0;
  for (const shingle of shingles) if (known.has(shingle)) shared += 1;
  return shared / shingles.size;
}
