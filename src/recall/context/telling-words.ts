// Whether a conversation is about what was asked. "How long should I boil an egg" and "how long will it take" share words, but not a
// subject: enough of the words of substance must stand somewhere in the conversation, not all of them in one message.
import { buildTerms, countTerm, toSearchText } from '../scan-recall-terms.ts';
import { normalizeText } from '../tokens/normal-text.ts';
import { weakWords } from '../tokens/weak-words.ts';
import { wordKeys } from '../topics/text-words.ts';

/** One of two, two of five. */
const leastShare = 0.4;
/** So many are enough, however long the question is. */
const enough = 3;
const maxQuestion = 2000;

/** The words of a question that say what it is about. */
export function tellingWords(question: string): string[] {
  return [...new Set(wordKeys(question.slice(0, maxQuestion)))].filter((word) => !weakWords.has(word) && !/^[a-z]$/.test(word));
}

/** A question without a word of substance is not judged. */
export function isAbout(words: readonly string[], texts: Iterable<string>): boolean {
  const wanted = words.length === 0 ? 0 : Math.min(enough, Math.ceil(words.length * leastShare));
  const left = new Set(words);
  for (const text of texts) {
    if (words.length - left.size >= wanted) break;
    const plain = normalizeText(text).toLowerCase();
    const search = toSearchText(text);
    for (const word of left) if (holds(plain, search, word)) left.delete(word);
  }
  return words.length - left.size >= wanted;
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

function holds(text: string, searchText: string, word: string): boolean {
  if (unspaced.test(word)) return text.includes(word);
  return buildTerms(word).some((term) => countTerm(searchText, term) > 0);
}
