// The tables of index.db. There are no migrations: a file of an older version is thrown away and made anew from the log. One of a newer
// version belongs to a newer program, which would do the same with ours: it is left alone.
import type { Database } from 'better-sqlite3-multiple-ciphers';
import { ContinuoError } from '../../model/error.ts';

/** Raised with every change of the tables, of the tokens, or of what is indexed. */
export const indexVersion = 6;

/** The one table that holds words people chose, besides `lexical`; written anew when some of them must go. */
export function conversationsTable(name: string): string {
  return `CREATE TABLE ${name} (
    id INTEGER PRIMARY KEY,
    conversation_id TEXT NOT NULL UNIQUE,
    title TEXT,
    project TEXT,
    agent TEXT,
    tags TEXT NOT NULL,
    trashed INTEGER NOT NULL,
    excluded INTEGER NOT NULL,
    active_at INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    origin TEXT,
    origin_seq INTEGER,
    key TEXT,
    parent TEXT,
    keeps INTEGER NOT NULL,
    watermark INTEGER NOT NULL
  );`;
}

/** The second one is nearly always empty: whether something is left to index is asked before every search. The last two find sub-agents. */
export const conversationsIndex = `CREATE INDEX conversations_by_project ON conversations (project);
  CREATE INDEX conversations_behind ON conversations (id) WHERE last_seq > watermark AND excluded = 0;
  CREATE INDEX conversations_by_key ON conversations (key) WHERE key IS NOT NULL;
  CREATE INDEX conversations_by_parent ON conversations (parent) WHERE parent IS NOT NULL;`;

/**
 * `documents` has one row for every indexed entry, and one at position 0 for the title; ids are never used twice. `lexical` holds no text, only which tokens stand where;
 * the last token of each document names its conversation, so that a search in one conversation meets no others. `sharing` says which
 * forks share which stretch of a conversation's entries.
 */
const tables = `
  CREATE TABLE state (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  ${conversationsTable('conversations')}
  ${conversationsIndex}
  CREATE TABLE sharing (holder TEXT NOT NULL, after INTEGER NOT NULL, up_to INTEGER NOT NULL, fork TEXT NOT NULL,
    PRIMARY KEY (holder, fork)) WITHOUT ROWID;
  CREATE INDEX sharing_by_fork ON sharing (fork);
  CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    conversation INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    role INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    length INTEGER NOT NULL,
    expires_at INTEGER
  );
  CREATE UNIQUE INDEX documents_by_place ON documents (conversation, seq);
  CREATE INDEX documents_by_expiry ON documents (expires_at) WHERE expires_at IS NOT NULL;
  CREATE VIRTUAL TABLE lexical USING fts5(tokens, content='', contentless_delete=1, tokenize='ascii');
  INSERT INTO lexical (lexical, rank) VALUES ('hashsize', 4194304), ('automerge', 8);
  INSERT INTO state VALUES ('next-document', 1), ('next-conversation', 1), ('documents', 0), ('titles', 0), ('tokens', 0), ('scrub', 0), ('reconciled-at', 0),
    ('lease-until', 0), ('lease-pid', 0), ('lease-token', 0);
  PRAGMA user_version = ${indexVersion};
`;

/** Makes the tables where the file is new; false where it is of an older version. Fails where it is of a newer one. */
export function prepareSchema(database: Database): boolean {
  if (isOfThisVersion(database)) return true;
  const isBlank = () => database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
  if (!isBlank()) return isOfThisVersion(database);
  database.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have been faster.
    if (isBlank()) database.exec(tables);
    database.exec('COMMIT');
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
  return isOfThisVersion(database);
}

/** False where it is older, or of none yet. */
export function isOfThisVersion(database: Database): boolean {
  const found = database.pragma('user_version', { simple: true }) as number;
  if (found > indexVersion) throw new ContinuoError('index-newer', { path: database.name, found, known: indexVersion });
  return found === indexVersion;
}

/** Whether a conversation keeps its text: a number of these in `keeps`. */
export const keepings = ['never', 'for-a-time', 'for-good'] as const;

export const roles = ['user', 'assistant', 'tool', 'summary', 'title'] as const;
/** Who said it: tool calls and their results count as the tool's. */
export type DocumentRole = (typeof roles)[number];

export const kinds = ['message', 'tool-call', 'tool-result', 'summary', 'title'] as const;
export type DocumentKind = (typeof kinds)[number];
