// How people name a conversation: the beginning of its id, its key, or "latest".
import type { Conversation } from '../model/conversation.ts';
import { ContinuoError, isContinuoError } from '../model/error.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import { listWithoutSubAgents } from './transcripts/sub-agents.ts';

export async function findConversation(store: ConversationStore, reference: string): Promise<Conversation> {
  try {
    return await store.resolve(reference);
  } catch (error) {
    if (reference !== 'latest' || !isContinuoError(error, 'conversation-not-found')) throw error;
    const [newest] = (await listWithoutSubAgents((query) => store.list(query), { limit: 1 })).items;
    if (newest) return newest;
    throw new ContinuoError('conversation-not-found', { id: reference });
  }
}

/** All of them, each once, before anything is done to one: a slip in the last name must not leave the work half done. */
export async function findConversations(store: ConversationStore, references: readonly string[]): Promise<Conversation[]> {
  const found = new Map<string, Conversation>();
  for (const reference of references) {
    const conversation = await findConversation(store, reference);
    found.set(conversation.id, conversation);
  }
  return [...found.values()];
}
