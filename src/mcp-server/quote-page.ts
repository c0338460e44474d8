// A page of a conversation as text: who said what and when, behind the fence all quoted history stands behind.
import { quoteHistory } from '../recall/context/quote-history.ts';
import type { ConversationPage } from './conversation-page.ts';
import type { Call } from './server-tool.ts';
import type { ShownConversation } from './shown-conversation.ts';

export function quotePage({ outlook }: Call, { id, title, projectName }: ShownConversation, page: ConversationPage): string {
  if (page.entries.length === 0) return 'There is nothing more to read in this conversation.';
  const passages = page.entries.map(({ entry, who, text, isPartial }) => ({
    conversationId: id,
    ...(title !== undefined && { title }),
    ...(projectName !== undefined && { projectName }),
    who,
    at: entry.at,
    text: isPartial ? `${text} […]` : text,
    entryId: entry.id,
    ...(entry.kind === 'message' && entry.interrupted && { isInterrupted: true as const }),
  }));
  const { text } = quoteHistory(passages, {
    tokenBudget: Number.POSITIVE_INFINITY,
    longestPassage: Number.POSITIVE_INFINITY,
    keepsRepeated: true,
    offsetMinutes: outlook.offsetMinutes,
  });
  return text;
}
