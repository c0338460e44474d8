// How far the index has come, counted against the store's list.
import { statSync } from 'node:fs';
import type { Database } from 'better-sqlite3-multiple-ciphers';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { isExcluded } from '../conversation-marks.ts';
import { findConversation } from './conversation-catalogue.ts';
import { getState } from './index-state.ts';

export interface IndexStatus {
  documents: number;
  conversations: number;
  /** Entries of the log that were not gone through yet, and the conversations they are in. */
  behind: { entries: number; conversations: number };
  /** When the list of conversations was last gone through as a whole; 0 for never. */
  reconciledAt: number;
  bytes: number;
}

/** Costs a walk over the store's list. */
export async function readIndexStatus(store: ConversationStore, database: Database, path: string): Promise<IndexStatus> {
  const behind = { entries: 0, conversations: 0 };
  let cursor: string | undefined;
  do {
    const page = await store.list({ trash: 'include', limit: 500, ...(cursor !== undefined && { cursor }) });
    for (const conversation of page.items) {
      if (isExcluded(conversation)) continue;
      const { id, lastSeq, forkedFrom } = conversation;
      const missing = lastSeq - (findConversation(database, id)?.watermark ?? forkedFrom?.seq ?? 0);
      if (missing > 0) behind.conversations += 1;
      behind.entries += Math.max(0, missing);
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  const conversations = database.prepare<[], number>('SELECT count(*) FROM conversations').pluck().get() ?? 0;
  return {
    documents: getState(database, 'documents') - getState(database, 'titles'),
    conversations,
    behind,
    reconciledAt: getState(database, 'reconciled-at'),
    bytes: indexBytes(path),
  };
}

export function indexBytes(path: string): number {
  return sizeOf(path) + sizeOf(`${path}-wal`);
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
