// A list cursor names a place in the order (activity, id), so that pages neither skip nor repeat what stays in place.
import { ContinuoError } from '../model/error.ts';
import { type ConversationId, isConversationId } from '../model/id.ts';

export interface ListPlace {
  activeAt: number;
  id: ConversationId;
}

export function formatListCursor(place: ListPlace): string {
  return `${place.activeAt.toString(36)}.${place.id}`;
}

export function parseListCursor(cursor: string): ListPlace {
  const [time = '', id = ''] = cursor.split('.');
  const activeAt = Number.parseInt(time, 36);
  if (!Number.isSafeInteger(activeAt) || !isConversationId(id)) throw new ContinuoError('invalid-cursor', { cursor });
  return { activeAt, id };
}
