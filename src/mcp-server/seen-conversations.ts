// The conversations that may be seen, newest first, in pages. A cursor names the last one that was shown: nothing of those that were
// passed over is in it.
import type { ListQuery } from '../model/list-query.ts';
import { formatListCursor, parseListCursor } from '../store/list-cursor.ts';
import { type Call, Refusal } from './server-tool.ts';
import { findSeen, type Seen } from './shown-conversation.ts';

export interface SeenQuery {
  fields?: readonly string[] | undefined;
  agent?: string | undefined;
  since?: number | undefined;
  cursor?: string | undefined;
  limit: number;
}

export interface SeenPage {
  items: Seen[];
  next?: string;
}

const readAtOnce = 100;

export async function listSeen(call: Call, { fields, agent, since, cursor, limit }: SeenQuery): Promise<SeenPage> {
  const { outlook, own, signal } = call;
  const filters = { ...(agent !== undefined && { agent }), ...(since !== undefined && { since }), limit: readAtOnce };
  const readPage = (query: ListQuery & { limit: number }) => (fields ? outlook.listOf(fields, query) : outlook.store.list(query));
  const items: SeenPage['items'] = [];
  let place = cursor === undefined ? undefined : checkCursor(cursor);
  do {
    signal.throwIfAborted();
    const page = await readPage({ ...filters, ...(place !== undefined && { cursor: place }) });
    for (const conversation of page.items) {
      const seen = (await own.has(conversation)) ? undefined : await findSeen(call, conversation);
      if (!seen) continue;
      const last = items.at(-1);
      // One more than asked for was found: there is a next page.
      if (items.length === limit && last) return { items, next: formatListCursor(last.conversation) };
      items.push(seen);
    }
    place = page.nextCursor;
  } while (place !== undefined);
  return { items };
}

function checkCursor(cursor: string): string {
  try {
    parseListCursor(cursor);
    return cursor;
  } catch {
    throw new Refusal('The cursor is not valid. Start again without a cursor.');
  }
}
