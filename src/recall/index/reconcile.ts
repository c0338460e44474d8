// Brings what the index knows of conversations in line with the store, and says which of them have entries to index. Costs one walk
// over the store's list (a few microseconds a conversation) and one over the index's; only what differs is written.
import type { Conversation } from '../../model/conversation.ts';
import type { ConversationId } from '../../model/id.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { isExcluded } from '../conversation-marks.ts';
import {
  type ConversationRow,
  factsOf,
  findConversation,
  isUnchanged,
  listConversations,
  putConversation,
  putWatermark,
  removeConversation,
  type SharedStretch,
} from './conversation-catalogue.ts';
import { DocumentTable, type RemovalHook } from './document-table.ts';
import type { IndexDatabase } from './index-database.ts';
import { putState } from './index-state.ts';
import { putTitle } from './title-document.ts';

/** A conversation with entries after its watermark. */
export interface Behind {
  conversation: Conversation;
  watermark: number;
}

export interface ReconcileOptions {
  store: ConversationStore;
  index: IndexDatabase;
  removed?: RemovalHook | undefined;
  /** How many conversations are listed at once. */
  listed: number;
  /** Lets others have their turn, and throws where the work is not wanted any more. */
  breathe(): Promise<void>;
}

/**
 * Every conversation, or with `recent` only the newest until a page of them brings no news: enough for what was said since, but not
 * for what was renamed, trashed or purged.
 */
export async function reconcileAll(options: ReconcileOptions, scope: 'all' | 'recent', now: number): Promise<Behind[]> {
  const { store, index } = options;
  const known = scope === 'all' ? new Map<string, ConversationRow>() : undefined;
  if (known) for (const row of listConversations(index.database)) known.set(row.conversation_id, row);
  const seen = new Set<ConversationId>();
  const behind: Behind[] = [];
  let cursor: string | undefined;
  do {
    await options.breathe();
    const page = await store.list({
      trash: 'include',
      limit: scope === 'all' ? options.listed : 50,
      ...(cursor !== undefined && { cursor }),
    });
    const changed: Conversation[] = [];
    for (const conversation of page.items) {
      if (seen.has(conversation.id)) continue;
      seen.add(conversation.id);
      const row = known ? known.get(conversation.id) : findConversation(index.database, conversation.id);
      if (!row || !isUnchanged(row, factsOf(conversation)) || wentBack(row, conversation)) changed.push(conversation);
      const watermark = row && !wentBack(row, conversation) ? row.watermark : (conversation.forkedFrom?.seq ?? 0);
      if (conversation.lastSeq > watermark && !isExcluded(conversation)) behind.push({ conversation, watermark });
    }
    await putChanged(options, changed);
    cursor = page.nextCursor;
    if (scope === 'recent' && changed.length === 0) break;
  } while (cursor !== undefined);
  if (known) {
    const missing = [...known.values()].filter((row) => !seen.has(row.conversation_id));
    for (const row of missing) await reconcileOne(options, row.conversation_id);
    await index.write((database) => putState(database, 'reconciled-at', now));
  }
  // Oldest first: ids of documents grow with time, and a search for a common word looks at the newest.
  return behind.reverse();
}

/** One conversation that somebody changed; undefined where it has nothing to index. */
export async function reconcileOne(options: ReconcileOptions, id: ConversationId): Promise<Behind | undefined> {
  const { store, index } = options;
  const conversation = await store.find(id);
  const row = findConversation(index.database, id);
  if (!conversation) {
    if (row) await index.write((database) => purge(database, row, options.removed));
    return undefined;
  }
  if (!row || !isUnchanged(row, factsOf(conversation)) || wentBack(row, conversation)) await putChanged(options, [conversation]);
  if (isExcluded(conversation)) return undefined;
  const watermark = findConversation(index.database, id)?.watermark ?? 0;
  return conversation.lastSeq > watermark ? { conversation, watermark } : undefined;
}

async function putChanged(options: ReconcileOptions, changed: readonly Conversation[]): Promise<void> {
  for (let from = 0; from < changed.length; from += options.listed) {
    const some = changed.slice(from, from + options.listed);
    const shared = await Promise.all(some.map((conversation) => findShared(options.store, conversation)));
    await options.index.write((database) => {
      for (const [i, conversation] of some.entries()) {
        const before = findConversation(database, conversation.id)?.title;
        putConversation(database, factsOf(conversation), shared[i] ?? []);
        const row = findConversation(database, conversation.id) as ConversationRow;
        if (isExcluded(conversation) || wentBack(row, conversation)) {
          new DocumentTable(database).removeConversation(row.id, options.removed);
          putWatermark(database, row.id, row.origin_seq ?? 0);
        }
        putTitle(database, row, conversation, before, options.removed);
      }
    });
    await options.breathe();
  }
}

/** A store that was brought back from a backup: what is indexed beyond its end may have been something else. */
function wentBack(row: ConversationRow, conversation: Conversation): boolean {
  return row.watermark > conversation.lastSeq;
}

function purge(database: Parameters<RemovalHook>[0], row: ConversationRow, removed: RemovalHook | undefined): void {
  new DocumentTable(database).removeConversation(row.id, removed);
  removeConversation(database, row);
}

/** The stretches of other conversations that a fork holds, too. */
async function findShared(store: ConversationStore, fork: Conversation): Promise<SharedStretch[]> {
  const stretches: SharedStretch[] = [];
  let upTo = fork.forkedFrom?.seq ?? 0;
  let id = fork.forkedFrom?.id;
  while (id !== undefined && upTo > 0) {
    const origin: Conversation | undefined = await store.find(id);
    const after = origin?.forkedFrom?.seq ?? 0;
    if (upTo > after) stretches.push({ holder: id, after, upTo });
    upTo = Math.min(upTo, after);
    id = origin?.forkedFrom?.id;
  }
  return stretches;
}
