// A review of the agent's change: a conversation of its own, that knows nothing but the task, the change and what checks said, and
// may read but not change. A review that cannot be held is a verdict as well: the work is there, and nobody has looked at it.

import type { NewConversation } from '../model/conversation.ts';
import { isContinuoError } from '../model/error.ts';
import type { Session } from '../runtime/session.ts';
import { createBuiltinTools } from '../tools/builtin/builtin-tools.ts';
import type { ChangeSet } from './diff/diff-manager.ts';
import { describeImpact } from './impact/impact-report.ts';
import { askForReview, reviewInstructions } from './instructions.ts';
import type { CodeAgentManagers } from './managers.ts';
import { type ReviewVerdict, readVerdict } from './review/review-verdict.ts';
import { chooseTools } from './tool-groups.ts';
import type { Checks } from './work-loop.ts';

export interface ReviewRequest {
  session: Session;
  managers: CodeAgentManagers;
  root: string;
  task: string;
  title: string;
  changes: ChangeSet;
  checks: Checks;
  /** Data of the reviewer's conversation. */
  conversation: NewConversation | undefined;
  signal: AbortSignal;
}

const promptTokens = { change: 12_000, impact: 1500 };

/** Throws only where it is called off. */
export async function reviewChange(request: ReviewRequest): Promise<ReviewVerdict> {
  try {
    return await holdReview(request);
  } catch (error) {
    if (request.signal.aborted || !isContinuoError(error) || error.code === 'session-closed') throw error;
    return { outcome: 'failed', text: error.message };
  }
}

async function holdReview(request: ReviewRequest): Promise<ReviewVerdict> {
  const { session, managers, root, task, title, changes, checks, conversation, signal } = request;
  const { diffManager, impactManager } = managers;
  const paths = changes.files.map(({ path }) => path);
  const impact = describeImpact(await impactManager.impactOf(paths, { signal }), promptTokens.impact);
  const change = diffManager.describe(changes, { tokens: promptTokens.change });
  const reviewer = await session.open({
    create: { ...conversation, title: `Review: ${title}`, agent: 'continuo-review' },
    instructions: reviewInstructions,
    tools: chooseTools('read-only', createBuiltinTools({ root })),
  });
  try {
    return readVerdict((await reviewer.message(askForReview(task, change, impact, checks.text), { signal })).text);
  } finally {
    await reviewer.close();
  }
}
