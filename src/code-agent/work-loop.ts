// How a task is worked on: the model works, the change is formatted and checked, a reviewer looks at it with fresh eyes, and what they
// find goes back to the model, each a bounded number of times. Where it stands is kept outside, so that it can be taken up anywhere.

import type { WorkState } from './code-agent-state.ts';
import type { ChangeSet } from './diff/diff-manager.ts';
import { goOnWords, tellFailedChecks, tellFindings } from './instructions.ts';
import type { ReviewVerdict } from './review/review-verdict.ts';
import type { CheckReport } from './validation/describe-validation.ts';

/** More rounds with the same failing check have never helped. */
export const maxCheckRounds = 3;

export interface Checks {
  /** `unproven`: nothing could be found or run, or not all of it. */
  outcome: 'passed' | 'failed' | 'unproven';
  /** What was run and what it said; for the model and for people. */
  text: string;
  /** Files a formatter altered. */
  formatted: readonly string[];
  /** What the text tells, for whoever tells it otherwise. */
  reports: readonly CheckReport[];
}

export interface WorkParts {
  /** Where the work stands; saved by whoever owns it. */
  state: WorkState;
  reviewMaxIterations: number;
  /** One turn of the model; resolves with the answer. */
  say(words: string): Promise<string>;
  /** What the agent itself changed since it began. */
  findChanges(): Promise<ChangeSet>;
  check(changes: ChangeSet): Promise<Checks>;
  review(changes: ChangeSet, checks: Checks): Promise<ReviewVerdict>;
  /** Where the work stands has changed. */
  enter(phase: WorkState['phase']): Promise<void>;
}

export interface WorkReport {
  /**
   * `checks-failed`: the project's checks still fail. `review-open`: the last review asked for changes that nobody looked at again.
   * `review-failed`: the review could not be held; going on holds it again. `unchanged`: no file was changed, which is what a
   * question comes to.
   */
  outcome: 'done' | 'unchanged' | 'checks-failed' | 'review-open' | 'review-failed';
  /** The model's last answer; empty where it said nothing this time. */
  text: string;
  changes: ChangeSet;
  checks?: Checks;
  /** In the order they were made, in this run. */
  reviews: ReviewVerdict[];
}

/** With words of a person it begins anew; without, it goes on where the work stands. */
export async function runWork(parts: WorkParts, words: string | undefined): Promise<WorkReport> {
  const { state } = parts;
  // What was accepted is not looked at again only because somebody asks how it stands.
  let isReviewed = words === undefined && state.phase === 'done' && state.verdict !== 'changes' && state.reviews > 0;
  const reviews: ReviewVerdict[] = [];
  let text = '';
  const work = async (said: string) => {
    isReviewed = false;
    await parts.enter('working');
    text = await parts.say(said);
  };
  if (words !== undefined) {
    state.checks = 0;
    state.reviews = 0;
    delete state.verdict;
    await work(words);
  } else if (state.phase === 'working') await work(goOnWords);
  for (;;) {
    await parts.enter('checking');
    const changes = await parts.findChanges();
    const end = async (outcome: WorkReport['outcome'], checks?: Checks): Promise<WorkReport> => {
      await parts.enter('done');
      return { outcome, text, changes, reviews, ...(checks && { checks }) };
    };
    if (changes.files.length === 0) return end('unchanged');
    const checks = await parts.check(changes);
    if (checks.outcome === 'failed') {
      if (state.checks >= maxCheckRounds) return end('checks-failed', checks);
      state.checks += 1;
      await work(tellFailedChecks(checks.text));
      continue;
    }
    if (isReviewed || state.reviews >= parts.reviewMaxIterations)
      return end(state.verdict === 'changes' ? 'review-open' : 'done', checks);
    await parts.enter('reviewing');
    // A formatter may have altered what the reviewer is to see.
    const reviewed = checks.formatted.length > 0 ? await parts.findChanges() : changes;
    const verdict = await parts.review(reviewed, checks);
    reviews.push(verdict);
    // Where the work stands stays as it is: whoever goes on finds a review to hold.
    if (verdict.outcome === 'failed') return { outcome: 'review-failed', text, changes, reviews, checks };
    state.reviews += 1;
    state.verdict = verdict.outcome;
    if (verdict.outcome !== 'changes') return end('done', checks);
    await work(tellFindings(verdict.text));
  }
}
