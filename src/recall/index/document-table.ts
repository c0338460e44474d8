// Adding documents to the index and taking them out again. Every function is to be called inside a write transaction, so that
// documents, counters and watermarks change together or not at all.
import type { Database } from 'better-sqlite3-multiple-ciphers';
import { addState, getState, putState } from './index-state.ts';
import { type DocumentKind, type DocumentRole, kinds, roles } from './schema.ts';
import { statement } from './statements.ts';

export interface NewDocument {
  seq: number;
  at: number;
  kind: DocumentKind;
  role: DocumentRole;
  /** As `tokenizeText` makes them. */
  tokens: string;
  expiresAt: number | null;
}

/** Told about documents that go, inside the transaction that takes them out: other tables may hold something for them. */
export type RemovalHook = (database: Database, documents: readonly number[]) => void;

/** How a conversation is named among the tokens: by a character that no token of a text holds. */
export function placeToken(conversation: number): string {
  return `\ue000${conversation}`;
}

export class DocumentTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  add(conversation: number, documents: readonly NewDocument[]): void {
    if (documents.length === 0) return;
    const database = this.#database;
    const insert = statement(database, 'INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    const insertTokens = statement(database, 'INSERT INTO lexical (rowid, tokens) VALUES (?, ?)');
    const place = placeToken(conversation);
    let id = getState(database, 'next-document');
    let length = 0;
    for (const { seq, at, kind, role, tokens, expiresAt } of documents) {
      const count = countTokens(tokens);
      insert.run(id, conversation, seq, at, roles.indexOf(role), kinds.indexOf(kind), count, expiresAt);
      insertTokens.run(id, tokens + place);
      id += 1;
      length += count;
    }
    putState(database, 'next-document', id);
    addState(database, 'documents', documents.length);
    addState(database, 'titles', documents.filter(({ kind }) => kind === 'title').length);
    addState(database, 'tokens', length);
  }

  removeConversation(conversation: number, removed?: RemovalHook): number {
    return this.#remove('conversation = ?', conversation, removed);
  }

  /** When another one takes its place, or none. What is left of its tokens goes with the next merge or purge. */
  removeTitle(conversation: number, removed?: RemovalHook): number {
    return this.#remove('seq = 0 AND conversation = ?', conversation, removed, false);
  }

  /** Those whose time to live is over. */
  removeExpired(now: number, removed?: RemovalHook): number {
    return this.#remove('expires_at <= ?', now, removed);
  }

  countExpired(now: number): number {
    const sql = 'SELECT count(*) FROM documents WHERE expires_at <= ?';
    return this.#database.prepare<[number], number>(sql).pluck().get(now) ?? 0;
  }

  #remove(condition: string, value: number, removed: RemovalHook | undefined, isForGood = true): number {
    const database = this.#database;
    const rows = database
      .prepare<[number], { id: number; seq: number; length: number }>(`SELECT id, seq, length FROM documents WHERE ${condition}`)
      .all(value);
    if (rows.length === 0) return 0;
    removed?.(
      database,
      rows.map((row) => row.id),
    );
    const forget = database.prepare('DELETE FROM lexical WHERE rowid = ?');
    for (const { id } of rows) forget.run(id);
    database.prepare(`DELETE FROM documents WHERE ${condition}`).run(value);
    addState(database, 'documents', -rows.length);
    addState(database, 'titles', -rows.filter(({ seq }) => seq === 0).length);
    addState(database, 'tokens', -rows.reduce((sum, row) => sum + row.length, 0));
    // Their tokens are only marked as gone: see scrub.ts.
    if (isForGood) putState(database, 'scrub', 1);
    return rows.length;
  }
}

function countTokens(tokens: string): number {
  let count = 0;
  for (let at = tokens.indexOf(' '); at >= 0; at = tokens.indexOf(' ', at + 1)) count += 1;
  return count;
}
