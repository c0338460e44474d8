// A piece of an earlier conversation with where it comes from.
import type { ConversationId, EntryId } from '../../model/id.ts';

export interface QuotedPassage {
  conversationId: ConversationId;
  title?: string;
  projectName?: string;
  at: number;
  /** Who said it; `summary` and `open-work` are drawn from what was said. */
  who: 'user' | 'assistant' | 'tool' | 'summary' | 'open-work';
  text: string;
  /** An answer that was cut off in the middle. */
  isInterrupted?: true;
  entryId?: EntryId;
}
