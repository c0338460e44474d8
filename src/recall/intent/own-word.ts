// Whether a text surely is more than a request to go on, told at a glance: it holds a word such requests are not made of. The patterns
// that read a request are many and take long to get ready; most texts need none of them. False says nothing: the patterns decide.
import { findRight } from './fix-typos.ts';
import { classifyWord, elsewhere } from './intent-words.ts';
import { timePatterns } from './time-expression.ts';
import { englishRequests } from './triggers.ts';

/** Well within what the patterns look at, also where mistyped words get longer. */
const headLength = 200;

/** Plain English words of some length that stand by themselves. */
const plainWord = /(?<!\S)[A-Za-z]{4,}(?=[\s,;:!?])/g;

/** A question in Chinese characters, and the characters of which one is in every request, with its usual mistypings. */
const chinese = /^[\u4e00-\u9fef\d\s,.?!，。？！、]+$/;
const requesting = /[继续続継接街着往捡回恢开開到哪什啥剩没未待然下断停进任事活工话話对会讨内问那的作件]/;

export function holdsOwnWord(text: string): boolean {
  if (text.length <= headLength && chinese.test(text)) return !requesting.test(text);
  const head = text.slice(0, headLength).normalize('NFKC').slice(0, headLength);
  // A word that was cut off at the end is not looked at.
  const words = (text.length <= headLength ? `${head}\n` : head).match(plainWord) ?? [];
  return words.some((word) => isOwn(word.toLowerCase()));
}

function isOwn(word: string): boolean {
  // "continue fixing" is told from "continue" by nobody.
  if (word.endsWith('ing') || classifyWord(word) !== undefined || findRight(word) !== undefined) return false;
  taken ??= findTaken();
  return !taken.words.has(word) && !taken.beginnings.some((beginning) => word.startsWith(beginning));
}

interface Taken {
  words: ReadonlySet<string>;
  /** Of words with endings that may be missing: "jan" for January. */
  beginnings: readonly string[];
}

let taken: Taken | undefined;

/** All words that the patterns may take out of a text. */
function findTaken(): Taken {
  const words = new Set<string>();
  const beginnings = new Set<string>();
  for (const { source } of [...englishRequests, ...timePatterns, elsewhere]) {
    const literal = source.replace(/\\p\{[^}]*\}|\\[a-z]/gi, ' ');
    for (const { 1: word = '', 2: more } of literal.toLowerCase().matchAll(/([a-z]+)([?([]?)/g)) {
      if (more === '') words.add(word);
      // The letter before a question mark may be missing.
      else if (word.length > 1) beginnings.add(more === '?' ? word.slice(0, -1) : word);
    }
  }
  return { words, beginnings: [...beginnings] };
}
