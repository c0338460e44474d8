// What a turn has in its hands, put together by the conversation: it reads and writes through these and nothing else.
import type { NewEntry } from '../../model/entry.ts';
import type { ConversationId } from '../../model/id.ts';
import type { TextModel } from '../../model/ports/text-model.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { ApprovalRequest } from '../approvals/approvals.ts';
import type { HistoryStore } from '../history/history-store.ts';
import type { EventBody } from '../runtime-event.ts';

export interface TurnContext {
  conversationId: ConversationId;
  turnId: string;
  model: TextModel;
  instructions?: string;
  tools: ToolRegistry;
  history: HistoryStore;
  signal: AbortSignal;
  /** A turn that has not settled after so many calls of the model is stopped. */
  maxSteps: number;
  emit(body: EventBody): void | Promise<void>;
  /** Makes entries durable, then shows them to the model. */
  record(entries: readonly NewEntry[], options?: { endsDraft?: boolean }): Promise<void>;
  recordDraft(text: string): Promise<void>;
  /** Takes what was said during the turn into it; tells whether there was anything. */
  drainInput(): Promise<boolean>;
  /** True once nothing waits, and from then on what is said starts a turn of its own. */
  endInput(): boolean;
  /** Whether a person or a rule lets the call happen. */
  approve(request: ApprovalRequest): Promise<boolean>;
  countToolCall(tool: string, failed: boolean): void;
}
