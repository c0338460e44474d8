// What the index knows of conversations: the fields searches filter by, who shares whose entries, and how far each is indexed.
import type { Database } from 'better-sqlite3-multiple-ciphers';
import type { Conversation } from '../../model/conversation.ts';
import type { ConversationId } from '../../model/id.ts';
import { isExcluded, labelsOf, parentKeyOf } from '../conversation-marks.ts';
import { toProjectKey } from '../visibility.ts';
import { addState, getState, putState } from './index-state.ts';
import { keepings } from './schema.ts';
import { statement } from './statements.ts';

export interface ConversationRow {
  id: number;
  conversation_id: ConversationId;
  title: string | null;
  project: string | null;
  agent: string | null;
  /** A JSON array of strings: tags and topics. */
  tags: string;
  trashed: number;
  excluded: number;
  active_at: number;
  last_seq: number;
  origin: ConversationId | null;
  origin_seq: number | null;
  key: string | null;
  /** The key of the conversation whose sub-agent it is. */
  parent: string | null;
  /** Whether it keeps its text, a place in `keepings`. */
  keeps: number;
  /** Everything up to this position is indexed, or is nothing to index. */
  watermark: number;
}

/** Positions `after < seq <= upTo` of the holder's entries belong to the fork, too. */
export interface SharedStretch {
  holder: ConversationId;
  after: number;
  upTo: number;
}

type Facts = Omit<ConversationRow, 'id' | 'watermark'>;

export function factsOf(conversation: Conversation): Facts {
  const { id, key, title, project, agent, policy, trashedAt, activeAt, lastSeq, forkedFrom } = conversation;
  const isHidden = isExcluded(conversation);
  return {
    conversation_id: id,
    title: isHidden ? null : (title ?? null),
    // So that a path is the same project with its mark and without.
    project: toProjectKey(project) ?? null,
    agent: agent ?? null,
    tags: JSON.stringify(isHidden ? [] : labelsOf(conversation)),
    trashed: trashedAt === undefined ? 0 : 1,
    excluded: isHidden ? 1 : 0,
    active_at: activeAt,
    last_seq: lastSeq,
    origin: forkedFrom?.id ?? null,
    origin_seq: forkedFrom?.seq ?? null,
    key: isHidden ? null : (key ?? null),
    parent: isHidden ? null : (parentKeyOf(conversation) ?? null),
    keeps: keepings.indexOf(policy.kind === 'full' ? 'for-good' : policy.kind === 'ttl' ? 'for-a-time' : 'never'),
  };
}

export function isUnchanged(row: ConversationRow, facts: Facts): boolean {
  return (Object.keys(facts) as (keyof Facts)[]).every((name) => row[name] === facts[name]);
}

export function findConversation(database: Database, id: ConversationId): ConversationRow | undefined {
  return statement<[string], ConversationRow>(database, 'SELECT * FROM conversations WHERE conversation_id = ?').get(id);
}

/** The conversations themselves, by id or by key, and the sub-agents they sent out, also those of sub-agents. */
export function listWithSubAgents(database: Database, ids: readonly ConversationId[], keys: readonly string[]): ConversationId[] {
  if (ids.length === 0 && keys.length === 0) return [];
  const sql = `WITH RECURSIVE
    named (key) AS (SELECT value FROM json_each(@keys)),
    own (conversation_id, key) AS (
      SELECT conversation_id, key FROM conversations WHERE conversation_id IN (SELECT value FROM json_each(@ids))
      UNION SELECT conversation_id, key FROM conversations WHERE key IN (SELECT key FROM named)
      UNION SELECT conversation_id, key FROM conversations WHERE parent IN (SELECT key FROM named)
      UNION SELECT child.conversation_id, child.key FROM own JOIN conversations child ON child.parent = own.key)
    SELECT conversation_id FROM own`;
  const known = statement<[{ ids: string; keys: string }], ConversationId>(database, sql)
    .pluck()
    .all({ ids: JSON.stringify(ids), keys: JSON.stringify(keys) });
  // What is not indexed yet is left out by its name.
  return [...new Set([...ids, ...known])];
}

export function* listConversations(database: Database): Generator<ConversationRow> {
  yield* database.prepare<[], ConversationRow>('SELECT * FROM conversations').iterate();
}

/** Call inside a write transaction. A new conversation's own entries start after what it shares. */
export function putConversation(database: Database, facts: Facts, shared: readonly SharedStretch[]): void {
  const known = findConversation(database, facts.conversation_id);
  if (known) {
    statement(
      database,
      `UPDATE conversations SET title = @title, project = @project, agent = @agent, tags = @tags, trashed = @trashed,
           excluded = @excluded, active_at = @active_at, last_seq = @last_seq, key = @key, parent = @parent,
           keeps = @keeps WHERE id = @id`,
    ).run({ ...facts, id: known.id });
    return;
  }
  const id = getState(database, 'next-conversation');
  addState(database, 'next-conversation', 1);
  statement(
    database,
    `INSERT INTO conversations VALUES (@id, @conversation_id, @title, @project, @agent, @tags, @trashed, @excluded, @active_at,
         @last_seq, @origin, @origin_seq, @key, @parent, @keeps, @watermark)`,
  ).run({ ...facts, id, watermark: facts.origin_seq ?? 0 });
  const share = statement(database, 'INSERT OR REPLACE INTO sharing (holder, after, up_to, fork) VALUES (?, ?, ?, ?)');
  for (const { holder, after, upTo } of shared) share.run(holder, after, upTo, facts.conversation_id);
}

/** Call inside a write transaction, after its documents are gone. */
export function removeConversation(database: Database, row: ConversationRow): void {
  database.prepare('DELETE FROM conversations WHERE id = ?').run(row.id);
  database.prepare('DELETE FROM sharing WHERE fork = ? OR holder = ?').run(row.conversation_id, row.conversation_id);
  putState(database, 'scrub', 1);
}

export function putWatermark(database: Database, id: number, watermark: number): void {
  statement(database, 'UPDATE conversations SET watermark = ? WHERE id = ?').run(watermark, id);
}
