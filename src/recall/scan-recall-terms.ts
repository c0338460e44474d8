// What counts in a question, and how often it stands in a text that was never indexed: by the same tokens the index is made of.
import { buildQuery, type QueryTerm } from './tokens/build-query.ts';
import { holdsParticle, isStopWord, unspacedStopWords } from './tokens/stop-words.ts';
import { tokenizeText } from './tokens/tokenize-text.ts';

/** The terms of a question, each once. None where it holds nothing but stop words. */
export function buildTerms(question: string): QueryTerm[] {
  return buildQuery(question.replace(unspacedStopWords, ' ')).terms.filter((term) => term.isRequired || isTelling(term));
}

/** Phrases say again what their words say, unless somebody put them in quotes. A lone particle says nothing: 的; 目的 does. */
function isTelling({ kind, text, tokens }: QueryTerm): boolean {
  if (kind === 'word' || kind === 'part') return !tokens.every(isStopWord);
  return kind === 'pair' || (kind === 'character' && !holdsParticle(text));
}

/** The tokens of a text, ready for counting; once for all terms. */
export function toSearchText(text: string): string {
  return ` ${tokenizeText(text)}`;
}

const maxCount = 8;

/** How often the term stands in the text, up to a handful. */
export function countTerm(searchText: string, { tokens, isPrefix }: QueryTerm): number {
  const wanted = ` ${tokens.join(' ')}${isPrefix ? '' : ' '}`;
  let count = 0;
  for (let at = searchText.indexOf(wanted); at >= 0 && count < maxCount; at = searchText.indexOf(wanted, at + 1)) count += 1;
  return count;
}
