// Lists in order of activity. The catalogue gives the order and what it can narrow; words (title, project, tags …) are in the files
// only, so their heads are read until the page is full.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Conversation } from '../../../model/conversation.ts';
import { isContinuoError } from '../../../model/error.ts';
import type { DriverListQuery } from '../../../model/ports/store-driver.ts';
import { byActivity, selectConversations } from '../../list-filter.ts';
import type { CatalogueRow } from './catalogue.ts';
import type { LogPaths } from './log-path.ts';
import type { Shelf } from './reconcile.ts';

const rowsAtOnce = 200;

export async function listConversations(query: DriverListQuery, shelf: Shelf & { paths: LogPaths }): Promise<Conversation[]> {
  const path = query.key === undefined ? undefined : shelf.paths.forKey(query.key);
  const found: Conversation[] = [];
  let after = query.after;
  for (;;) {
    const rows = shelf.catalogue.page(query, path, after, rowsAtOnce);
    for (const row of rows) {
      const conversation = readConversation(row, shelf);
      if (conversation) found.push(...selectConversations([conversation], query));
      if (found.length >= query.limit) return structuredClone(found.sort(byActivity));
    }
    const last = rows.at(-1);
    if (!last || rows.length < rowsAtOnce) return structuredClone(found.sort(byActivity));
    after = { activeAt: last.activeAt, id: last.id };
    await nextTurn();
  }
}

/** Undefined where the file is gone or cannot be read: `verify` tells about those, and a list must not fail for one of them. */
export function readConversation({ path, id }: CatalogueRow, { logs }: Shelf): Conversation | undefined {
  try {
    const conversation = logs.head(path)?.conversation;
    return conversation?.id === id ? conversation : undefined;
  } catch (error) {
    if (isContinuoError(error, 'store-damaged') || isContinuoError(error, 'unsafe-path')) return undefined;
    throw error;
  }
}
