// The conversation of a session: found by a key made from the session's id, so that the same session goes on with it after a crash.
// A session that moves to another project gets another conversation: what is said in one project never lands in the other.
import type { Conversation, NewConversation } from '../../model/conversation.ts';
import { ContinuoError } from '../../model/error.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';

export async function openSessionConversation(
  store: ConversationStore,
  sessionId: string,
  wanted: Omit<NewConversation, 'key'>,
): Promise<Conversation> {
  for (let count = 1; ; count++) {
    const key = formatSessionKey(sessionId, count);
    const found = await store.find(key);
    if (!found) return store.create({ ...wanted, key, meta: { ...wanted.meta, sessionId } });
    if (found.project !== wanted.project) continue;
    if (found.trashedAt !== undefined) throw new ContinuoError('conversation-trashed', { id: found.id });
    return found;
  }
}

/** The session's conversation that was active last. */
export async function findSessionConversation(store: ConversationStore, sessionId: string): Promise<Conversation | undefined> {
  let newest: Conversation | undefined;
  for (let count = 1; ; count++) {
    const found = await store.find(formatSessionKey(sessionId, count));
    if (!found) return newest;
    if (found.trashedAt === undefined && (!newest || found.activeAt >= newest.activeAt)) newest = found;
  }
}

function formatSessionKey(sessionId: string, count: number): string {
  return count === 1 ? `session:${sessionId}` : `session-${count}:${sessionId}`;
}
