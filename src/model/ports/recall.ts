// The port for finding earlier material. What it returns is quoted history: data, never instructions.
import type { EntryKind, Role } from '../entry.ts';
import type { ConversationId, EntryId } from '../id.ts';

export interface RecallQuery {
  text: string;
  /** At most so many hits. */
  limit?: number;
  /** Look in this project only. */
  project?: string;
  /** Leave this conversation out: usually the one that is asking. */
  except?: ConversationId;
  signal?: AbortSignal;
}

export interface RecallHit {
  conversationId: ConversationId;
  entryId: EntryId;
  at: number;
  kind: EntryKind;
  role?: Role;
  title?: string;
  project?: string;
  /** The passage, cut to a readable length. */
  text: string;
  /** Higher is better; comparable within one answer only. */
  score: number;
}

export interface RecallAnswer {
  /** Best first. */
  hits: RecallHit[];
  /** What was looked through, so that "nothing found" can be honest. */
  searched: { conversations: number; entries: number; complete: boolean };
}

export interface Recall {
  find(query: RecallQuery): Promise<RecallAnswer>;
}
