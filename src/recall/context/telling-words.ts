// Whether what two texts have in common tells anything. "How long should I boil an egg" and "how long will it take" share a word, but
// not a subject. What was found by its meaning needs no word in common.
import type { RecallHit } from '../../model/ports/recall.ts';
import { buildTerms, countTerm, toSearchText } from '../scan-recall-terms.ts';
import { stopWords, weakWords } from '../topics/stop-words.ts';

/** At least one hit shares a word of substance with the question, or was found by its meaning. */
export function sharesSubject(question: string, hits: readonly RecallHit[]): boolean {
  // A question of nothing but weak words is about them.
  if (!buildTerms(question).some(({ text }) => isTelling(text))) return true;
  return hits.some((hit) => isByMeaning(hit) || sharedTerms(question, hit).some(isTelling));
}

function sharedTerms(question: string, { why, text }: RecallHit): string[] {
  if (why && why.terms.length > 0) return why.terms;
  const search = toSearchText(text);
  return buildTerms(question)
    .filter((term) => countTerm(search, term).count > 0)
    .map((term) => term.text);
}

function isTelling(term: string): boolean {
  const word = term.toLowerCase();
  return !weakWords.has(word) && !stopWords.has(word);
}

function isByMeaning({ why }: RecallHit): boolean {
  return why?.semantic !== undefined && why.semantic > (why.lexical ?? 0);
}
