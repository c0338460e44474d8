// Brings what words found and what meaning found into one order. Both are measured against the best of their kind, and that against
// what a perfect one would have; a weighted sum is taken, and age and project add a little. Pure; every part is kept, so that it can
// be explained.
import type { ConversationId } from '../../model/id.ts';
import type { RecallReason, RecallRole } from '../../model/ports/recall.ts';
import { type RecallWeights, recallWeights, strongLikeness } from './weights.ts';

export interface Candidate {
  document: number;
  /** The conversation it is shown in, and the one it was said in. */
  conversationId: ConversationId;
  holderId: ConversationId;
  seq: number;
  at: number;
  role: RecallRole;
  project: string | undefined;
  /** Present where its words were found. */
  lexical?: { score: number; coverage: number; terms: string[]; around: string[] };
  /** Present where its meaning was compared: 0 to 1. */
  likeness?: number;
}

export interface Ranked {
  candidate: Candidate;
  why: RecallReason;
}

export interface FuseOptions {
  now: number;
  hereProject?: string | undefined;
  /** Whether meaning was asked at all. */
  hasSemantic: boolean;
  weights?: RecallWeights;
}

/** Best first; of equals the newest. */
export function fuse(candidates: readonly Candidate[], options: FuseOptions): Ranked[] {
  const { weights = recallWeights, hasSemantic } = options;
  const lexical = createLexicalMeasure(candidates);
  const semantic = createSemanticMeasure(candidates);
  const lexicalWeight = hasSemantic ? weights.lexical : weights.lexical + weights.semantic;
  const ranked = candidates.map((candidate): Ranked => {
    const words = candidate.lexical && lexicalWeight * lexical(candidate.lexical.score);
    const meaning = candidate.likeness === undefined ? undefined : weights.semantic * semantic(candidate.likeness);
    const role = ((words ?? 0) + (meaning ?? 0)) * (weights.roles[candidate.role] - 1);
    const isHere = options.hereProject !== undefined && candidate.project === options.hereProject;
    const parts = {
      ...(words !== undefined && { lexical: round(words) }),
      ...(meaning !== undefined && { semantic: round(meaning) }),
      recency: round(weights.recency * 0.5 ** (Math.max(0, options.now - candidate.at) / weights.recencyHalfLife)),
      project: isHere ? weights.sameProject : 0,
      role: round(role),
    };
    const { recency, project } = parts;
    const total = round((parts.lexical ?? 0) + (parts.semantic ?? 0) + recency + project + parts.role);
    const likeness = candidate.likeness === undefined ? {} : { likeness: round(candidate.likeness) };
    return { candidate, why: { ...parts, ...likeness, total, terms: candidate.lexical?.terms ?? [] } };
  });
  return ranked.sort(
    (a, b) => b.why.total - a.why.total || b.candidate.at - a.candidate.at || b.candidate.document - a.candidate.document,
  );
}

/** The best gets as much as it holds of the question, the others their share of that. */
function createLexicalMeasure(candidates: readonly Candidate[]): (score: number) => number {
  let best: Candidate['lexical'];
  for (const { lexical } of candidates) if (lexical && lexical.score > (best?.score ?? 0)) best = lexical;
  return (score) => (best ? (score / best.score) * best.coverage : 0);
}

function createSemanticMeasure(candidates: readonly Candidate[]): (likeness: number) => number {
  const best = Math.max(strongLikeness, ...candidates.map(({ likeness }) => likeness ?? 0));
  return (likeness) => likeness / best;
}

/** Parts that are shown add up to the total that is shown, and equal texts are equal whatever order they were added up in. */
function round(value: number): number {
  // Adding 0 makes -0 a plain 0.
  return Math.round(value * 1e6) / 1e6 + 0;
}
