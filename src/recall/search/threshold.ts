// What is near enough to be shown. Nothing is better than something that has nothing to do with the question: a question of nothing
// but stop words is not searched for, and a passage must hold enough of what was asked, or mean nearly the same.
import { asksToGoOn } from '../intent/continue-intent.ts';
import { buildQuery, type LexicalQuery, type QueryTerm } from '../tokens/build-query.ts';
import { holdsParticle, isStopWord, unspacedStopWords } from '../tokens/stop-words.ts';
import type { Candidate } from './fuse.ts';
import { type RecallThresholds, recallThresholds } from './weights.ts';

export function isNearEnough(
  { lexical, likeness = 0 }: Candidate,
  { terms }: LexicalQuery,
  thresholds: RecallThresholds = recallThresholds,
): boolean {
  const isOne = lexical !== undefined && countWords(terms) >= severalWords && holdsOneWord([...lexical.terms, ...lexical.around]);
  const byWords = (lexical?.coverage ?? 0) / (isOne ? thresholds.coverageOfOne : thresholds.coverage);
  const byMeaning = likeness / thresholds.likeness;
  if (byWords >= 1 || byMeaning >= 1) return true;
  return Math.min(byWords, byMeaning) >= thresholds.together;
}

/** From so many words on a single one of them may be there by chance. */
const severalWords = 3;

function countWords(terms: readonly QueryTerm[]): number {
  return terms.filter(({ kind }) => kind === 'word').length;
}

/** Pairs of characters tell more than a word does: they are not counted. */
function holdsOneWord([only, ...others]: readonly string[]): boolean {
  return only !== undefined && others.length === 0 && isSpaced.test(only);
}

const isSpaced = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+$/u;

/**
 * Whether there is anything to look for: "the", 为什么 and "hello, please go on" say nothing; a quotation always does. A single word
 * like 任务 is searched for as any other: whoever types no more than that means the word.
 */
export function saysSomething(text: string, { terms }: LexicalQuery): boolean {
  if (terms.some(({ isRequired }) => isRequired)) return true;
  const left = buildQuery(text.replace(unspacedStopWords, ' ')).terms;
  return !left.every(isStop) && !asksToGoOn(text);
}

function isStop({ kind, text, tokens }: QueryTerm): boolean {
  return kind === 'word' || kind === 'part' ? tokens.every(isStopWord) : holdsParticle(text);
}
