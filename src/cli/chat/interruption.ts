// Whether the last turn of a conversation was cut off by the death of its process, and what is left of its answer.
import type { ConversationId } from '../../model/id.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';

const lookedAt = 20;

/** The sentence about it; undefined where the last turn came to its end. To be called after the conversation was opened. */
export async function describeInterruption(
  { text }: Context,
  store: ConversationStore,
  id: ConversationId,
): Promise<string | undefined> {
  const entries = await store.tail(id, lookedAt);
  const last = entries.findLast((entry) => entry.kind === 'event' && /^turn-(start|end)$/.test(entry.name));
  if (last?.kind !== 'event' || last.name !== 'turn-end' || last.code !== 'interrupted') return undefined;
  const isSaid = entries.some(
    (entry) => entry.kind === 'message' && entry.role === 'assistant' && entry.interrupted && entry.turnId === last.turnId,
  );
  return isSaid ? text.chat.interrupted : text.chat.interruptedUnsaid;
}
