// Scores what matched: rarer terms weigh more, a long text less, the newest wins a tie, and what shares too little with the question
// is left out.
import type { EntryKind } from '../model/entry.ts';
import type { ConversationId, EntryId } from '../model/id.ts';
import type { QueryTerm } from './tokens/build-query.ts';

export interface Candidate {
  id: EntryId;
  foundIn: ConversationId;
  at: number;
  seq: number;
  kind: EntryKind;
  length: number;
  /** How often each term stands in it, by the terms' order. */
  counts: number[];
  /** What was answered to it, where it is a question or a request. */
  answer?: EntryId;
  /** A question that nobody answered: it tells what was asked and nothing else. */
  isUnanswered?: boolean;
}

export interface Ranked {
  candidate: Candidate;
  score: number;
}

/** The share of the question's weight that must be found. */
const leastShare = 0.25;
/** A long question is not asked to be found as a whole: only its heaviest terms count in the share. */
const termsInShare = 8;
/** What a tool printed says less than what somebody said. */
const kindWeights: Partial<Record<EntryKind, number>> = { 'tool-result': 0.5, summary: 0.9 };

const unansweredWeight = 0.4;

export function rankCandidates(candidates: readonly Candidate[], terms: readonly QueryTerm[], entries: number): Ranked[] {
  const weights = terms.map((term, i) => {
    const holding = candidates.reduce((count, { counts }) => count + ((counts[i] ?? 0) > 0 ? 1 : 0), 0);
    const weight = term.weight * (1 + Math.log((entries + 1) / (holding + 1)));
    // Of the pairs across two words none is ever found: they must not outweigh those that are words.
    return holding > 0 || term.kind !== 'pair' ? weight : term.isAcross ? 0 : weight / 2;
  });
  const whole = [...weights]
    .sort((a, b) => b - a)
    .slice(0, termsInShare)
    .reduce((sum, weight) => sum + weight, 0);
  const ranked: Ranked[] = [];
  for (const candidate of candidates) {
    let score = 0;
    let found = 0;
    for (const [i, count] of candidate.counts.entries()) {
      if (count === 0) continue;
      const weight = weights[i] as number;
      found += weight;
      score += (weight * count) / (count + 0.5 + Math.min(candidate.length / 1600, 2));
    }
    const share = Math.min(1, found / Math.max(whole, Number.MIN_VALUE));
    if (share < leastShare) continue;
    const worth = (kindWeights[candidate.kind] ?? 1) * (candidate.isUnanswered ? unansweredWeight : 1);
    ranked.push({ candidate, score: round(score * (0.5 + share / 2) * worth) });
  }
  return ranked.sort((a, b) => b.score - a.score || b.candidate.at - a.candidate.at || b.candidate.seq - a.candidate.seq);
}

/** So that equal texts are equal whatever order their terms were added up in. */
function round(score: number): number {
  return Math.round(score * 1e6) / 1e6;
}
