// The newest conversations of a store, as many as are looked at for the projects there are.
import type { Conversation } from '../model/conversation.ts';
import type { ConversationPage, ListQuery } from '../model/list-query.ts';

const pageSize = 1000;
export const mostLookedAt = 5000;

/** Page by page; `isAll` says whether there are no more. */
export async function listNewest(
  store: { list(query: ListQuery): Promise<ConversationPage> },
  most = mostLookedAt,
): Promise<{ conversations: Conversation[]; isAll: boolean }> {
  const conversations: Conversation[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list({ limit: pageSize, ...(cursor !== undefined && { cursor }) });
    conversations.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined && conversations.length < most);
  return { conversations, isAll: cursor === undefined };
}
