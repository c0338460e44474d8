// A conversation that somebody else writes: the error names the writer, this says what can be done about it.
import { isContinuoError } from '../../model/error.ts';
import { isConversationId } from '../../model/id.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { giveCure } from '../next-step.ts';
import { shortenId } from '../output/short-ids.ts';

export async function hintLocked<Result>(
  { text }: Context,
  store: ConversationStore,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isContinuoError(error, 'conversation-locked')) throw error;
    const id = String(error.details.id);
    throw giveCure(error, text.chat.locked(isConversationId(id) ? await shortenId(store, id) : id));
  }
}
