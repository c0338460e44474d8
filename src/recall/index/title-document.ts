// The title of a conversation as something to be found: a document at position 0, where no entry is. It follows a rename, and goes
// with its conversation. Only titles of conversations whose text is kept for good: what hides or loses its text is not found by a name.
import type { Database } from 'better-sqlite3-multiple-ciphers';
import type { Conversation } from '../../model/conversation.ts';
import { isExcluded } from '../conversation-marks.ts';
import { tokenizeText } from '../tokens/tokenize-text.ts';
import type { ConversationRow } from './conversation-catalogue.ts';
import { DocumentTable, type RemovalHook } from './document-table.ts';
import { statement } from './statements.ts';

export const titlePlace = 0;

/** The title by which it is found; undefined where it is not. */
export function searchableTitle(conversation: Conversation): string | undefined {
  const { title, policy, lastSeq } = conversation;
  const isFound = policy.kind === 'full' && lastSeq > 0 && !isExcluded(conversation) && title?.trim();
  return isFound ? title : undefined;
}

/** Call inside a write transaction, with the row as it is now and the title it had before. */
export function putTitle(
  database: Database,
  row: ConversationRow,
  conversation: Conversation,
  before: string | null | undefined,
  removed?: RemovalHook,
): void {
  const title = searchableTitle(conversation);
  const { activeAt: at } = conversation;
  const place = statement<[number], { id: number }>(database, 'SELECT id FROM documents WHERE conversation = ? AND seq = 0');
  const known = place.get(row.id);
  if (title !== undefined && known && before === row.title) {
    statement(database, 'UPDATE documents SET at = ? WHERE id = ?').run(at, known.id);
    return;
  }
  const table = new DocumentTable(database);
  if (known) table.removeTitle(row.id, removed);
  if (title === undefined) return;
  table.add(row.id, [{ seq: titlePlace, at, kind: 'title', role: 'title', tokens: tokenizeText(title), expiresAt: null }]);
}
