// The numbers that decide about the order and about what is near enough, in one place. docs/recall.md explains them; a test compares.
import type { RecallRole } from '../../model/ports/recall.ts';

export interface RecallWeights {
  /** The share of words and of meaning in how well a passage answers. Where only one of them is asked, it counts as both. */
  lexical: number;
  semantic: number;
  /** What something said this moment gains; half of it is left after the half-life. */
  recency: number;
  recencyHalfLife: number;
  /** What being said in the project of who asks gains. */
  sameProject: number;
  /** By what words and meaning count, for who said it. */
  roles: Readonly<Record<RecallRole, number>>;
  /** What every further hit adds to its conversation: this share of its own score, less with each. */
  furtherHit: number;
}

const day = 24 * 60 * 60 * 1000;

export const recallWeights: RecallWeights = {
  lexical: 0.5,
  semantic: 0.5,
  recency: 0.06,
  recencyHalfLife: 14 * day,
  sameProject: 0.06,
  roles: { user: 1, assistant: 1, summary: 0.9, title: 0.8, tool: 0.6 },
  furtherHit: 0.1,
};

export interface RecallThresholds {
  /** The share of what was asked for, by weight, that a passage must hold. */
  coverage: number;
  /** The same where it holds a single word of a question of several. */
  coverageOfOne: number;
  /** How like the question it must be: 0 for texts that have nothing in common, 1 for equal ones (see similarity-scale.ts). */
  likeness: number;
  /** What reaches this share of both is near enough, too. */
  together: number;
}

export const recallThresholds: RecallThresholds = { coverage: 0.25, coverageOfOne: 0.4, likeness: 0.4, together: 0.7 };

/** The same for who looks through a list (`reach: 'wide'`). */
export const wideThresholds: RecallThresholds = { coverage: 0.2, coverageOfOne: 0.3, likeness: 0.3, together: 0.5 };

/** From this likeness on the best passage counts in full. */
export const strongLikeness = 0.7;

/** How many candidates each way of searching brings: at least, for each hit that is wanted, and at most. */
export const candidatesWanted = 100;
export const candidatesPerHit = 5;
export const candidatesMost = 2000;

/** Characters of a question that are embedded: longer ones say at their beginning what they are about. */
export const longestQuestion = 2000;

/** Characters of a passage. */
export const passageLength = 400;
