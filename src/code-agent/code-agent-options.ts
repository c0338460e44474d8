// What a code agent is given, and what it tells while it works.
import type { NewConversation } from '../model/conversation.ts';
import type { Recall } from '../model/ports/recall.ts';
import type { TextModel } from '../model/ports/text-model.ts';
import type { SessionApprovalsOptions } from '../runtime/approvals/session-approvals.ts';
import type { RuntimeEvent } from '../runtime/runtime-event.ts';
import type { SessionRestorableOptions } from '../snapshot/session-restorable.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import type { CommandRunner } from '../tools/builtin/run-command.ts';
import type { WorkState } from './code-agent-state.ts';
import type { ReviewVerdict } from './review/review-verdict.ts';
import type { Checks } from './work-loop.ts';

export interface CodeAgentOptions extends Omit<SessionRestorableOptions, 'directory' | 'platform' | 'modelName'> {
  store: ConversationStore;
  model: TextModel;
  /** The project's folder, absolute and with links resolved. */
  rootDir: string;
  /** The person named the folder: then a saved session works there, whatever folder it was saved in. */
  isRootNamed?: boolean;
  /** What git and the project's programs find in their environment. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Runs commands, in bounds; without it nothing is run and nothing is checked. */
  commands?: CommandRunner;
  recall?: Recall;
  approvals?: SessionApprovalsOptions;
  /** Data of the conversation where a new one is begun: its project, its tags. */
  conversation?: NewConversation;
  toolGroup?: string;
  modelGroup?: string;
  disableReview?: boolean;
  reviewMaxIterations?: number;
  nonInteractive?: boolean;
  /** The model a saved session names; undefined where it cannot be had: then the present one goes on. */
  findModel?: (name: string) => Promise<TextModel | undefined>;
}

export type CodeAgentEvent =
  | ({ type: 'phase' } & WorkState)
  | { type: 'checks'; checks: Checks }
  | { type: 'check-output'; text: string }
  | { type: 'review'; verdict: ReviewVerdict }
  | { type: 'runtime'; event: RuntimeEvent };

export interface RunOptions {
  signal?: AbortSignal;
}
