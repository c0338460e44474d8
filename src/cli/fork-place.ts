// Where a conversation is forked, as people say it: a position, or an entry's id.
import type { Conversation } from '../model/conversation.ts';
import { ContinuoError } from '../model/error.ts';
import { parseEntryId } from '../model/id.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import type { Context } from './context.ts';
import { findConversation } from './find-conversation.ts';
import { readCount } from './option-values.ts';

export interface ForkPlace {
  origin: Conversation;
  at?: number;
}

/** An entry's id alone says where to fork; with a conversation beside it, it must be one of that conversation's entries. */
export async function findForkPlace(
  context: Pick<Context, 'text'>,
  store: ConversationStore,
  reference: string,
  at: string | undefined,
): Promise<ForkPlace> {
  if (at === undefined && reference.startsWith('ent_')) {
    const { conversationId, seq } = parseEntryId(reference);
    return { origin: await store.get(conversationId), at: seq };
  }
  const origin = await findConversation(store, reference);
  if (at === undefined) return { origin };
  if (!at.startsWith('ent_')) return { origin, at: readCount(context, '--at', at) };
  const { seq } = parseEntryId(at);
  const [entry] = (await store.read(origin.id, { after: seq - 1, before: seq + 1 })).items;
  if (entry?.id !== at) throw new ContinuoError('entry-not-found', { id: origin.id, entry: at });
  return { origin, at: seq };
}
