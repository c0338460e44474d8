// What an export is made from.
import type { Conversation } from '../../model/conversation.ts';
import type { Entry } from '../../model/entry.ts';
import type { Messages } from '../messages/messages.ts';

export interface ExportSource {
  conversation: Conversation;
  /** What people recognise it by. */
  name: string;
  entries: AsyncIterable<Entry>;
  exportedAt: number;
  text: Messages;
}
