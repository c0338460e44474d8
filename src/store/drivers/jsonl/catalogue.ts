// What the coordination file knows about each conversation's file: where it is and how it is ordered, never what was said. Written
// in the same turn as the file itself; wherever the two disagree, the file is right.
import type { ConversationId } from '../../../model/id.ts';
import type { DriverListQuery } from '../../../model/ports/store-driver.ts';
import type { Coordination } from './coordination.ts';
import type { Head } from './head.ts';
import type { LogPath } from './log-path.ts';
import { type Connection, prepare, type Statement } from './statements.ts';

export interface CatalogueRow {
  id: ConversationId;
  path: LogPath;
  lastSeq: number;
  size: number;
  rewrites: number;
}

const columns = 'id, path, last_seq as lastSeq, size, rewrites';

export class Catalogue {
  readonly #coordination: Coordination;

  constructor(coordination: Coordination) {
    this.#coordination = coordination;
  }

  /** What is committed; with a turn's connection, also what that turn has changed. */
  findById(id: ConversationId, connection: Connection = this.#coordination.reader): CatalogueRow | undefined {
    return prepare(connection, `select ${columns} from conversation where id = ?`).get(id) as CatalogueRow | undefined;
  }

  findByPath(path: LogPath): CatalogueRow | undefined {
    return this.#read(`select ${columns} from conversation where path = ?`).get(path) as CatalogueRow | undefined;
  }

  findIds(prefix: string, limit: number): ConversationId[] {
    const sql = 'select id from conversation where id >= ? and id < ? order by id limit ?';
    return this.#read(sql).pluck().all(prefix, `${prefix}\uffff`, limit) as ConversationId[];
  }

  all(): CatalogueRow[] {
    return this.#read(`select ${columns} from conversation`).all() as CatalogueRow[];
  }

  entryCount(): number {
    return this.#read('select total(entries) from conversation').pluck().get() as number;
  }

  /** Conversations with text that expires at or before the moment. */
  expiring(now: number): CatalogueRow[] {
    return this.#read(`select ${columns} from conversation where next_expires_at <= ?`).all(now) as CatalogueRow[];
  }

  /** In list order, narrowed by what the catalogue knows of the query, from just after the given place. */
  page(
    query: DriverListQuery,
    path: LogPath | undefined,
    after: DriverListQuery['after'],
    limit: number,
  ): (CatalogueRow & Place)[] {
    const conditions: string[] = [];
    const values: (string | number)[] = [];
    const narrow = (condition: string, ...given: (string | number)[]) => {
      conditions.push(condition);
      values.push(...given);
    };
    if (query.trash !== 'include') narrow('trashed = ?', query.trash === 'only' ? 1 : 0);
    if (query.pinned !== undefined) narrow('pinned = ?', query.pinned ? 1 : 0);
    if (query.since !== undefined) narrow('active_at >= ?', query.since);
    if (query.before !== undefined) narrow('active_at < ?', query.before);
    if (query.forkedFrom !== undefined) narrow('forked_from = ?', query.forkedFrom);
    if (path !== undefined) narrow('path = ?', path);
    if (after) narrow('(active_at, id) < (?, ?)', after.activeAt, after.id);
    const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
    const sql = `select ${columns}, active_at as activeAt from conversation ${where} order by active_at desc, id desc limit ?`;
    return this.#read(sql).all(...values, limit) as (CatalogueRow & Place)[];
  }

  /** The number of the newest append. */
  lastAppend(): number {
    return (this.#read('select max(appended) from conversation').pluck().get() as number | null) ?? 0;
  }

  appendedSince(last: number): { id: ConversationId; lastSeq: number; appended: number }[] {
    const sql = 'select id, last_seq as lastSeq, appended from conversation where appended > ? order by appended';
    return this.#read(sql).all(last) as { id: ConversationId; lastSeq: number; appended: number }[];
  }

  /** Takes down the head of a file, within the present turn. */
  put(connection: Connection, path: LogPath, head: Head): void {
    const { conversation } = head;
    const { id, trashedAt, pinned, forkedFrom } = conversation;
    const fixed = [trashedAt === undefined ? 0 : 1, pinned ? 1 : 0, forkedFrom?.id ?? null];
    prepare(connection, putSql).run(id, path, ...fixed, ...growing(head));
  }

  /** Takes down that the file of a conversation grew by entries: followers learn of it. */
  putAppend(connection: Connection, path: LogPath, head: Head): void {
    const grow = () => prepare(connection, growSql).run(...growing(head), Date.now() * 1000, head.conversation.id).changes === 1;
    if (grow()) return;
    this.put(connection, path, head);
    grow();
  }

  remove(connection: Connection, path: LogPath): void {
    prepare(connection, 'delete from conversation where path = ?').run(path);
  }

  getState(name: string): string | undefined {
    return this.#read('select value from state where name = ?').pluck().get(name) as string | undefined;
  }

  putState(connection: Connection, name: string, value: string): void {
    prepare(connection, 'replace into state values (?, ?)').run(name, value);
  }

  #read(sql: string): Statement {
    return prepare(this.#coordination.reader, sql);
  }
}

interface Place {
  activeAt: number;
}

function growing({ conversation, base, removed, rewrites, nextExpiresAt, version }: Head): (number | null)[] {
  const { activeAt, lastSeq } = conversation;
  return [activeAt, lastSeq, Math.max(0, lastSeq - base - removed), nextExpiresAt, version.size, rewrites];
}

const putSql = `
  insert into conversation
    (id, path, trashed, pinned, forked_from, active_at, last_seq, entries, next_expires_at, size, rewrites, appended)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
  on conflict (id) do update set
    path = excluded.path, trashed = excluded.trashed, pinned = excluded.pinned, forked_from = excluded.forked_from,
    active_at = excluded.active_at, last_seq = excluded.last_seq, entries = excluded.entries,
    next_expires_at = excluded.next_expires_at, size = excluded.size, rewrites = excluded.rewrites
`;

/**
 * Names only what an append changes: every index on a named column is written. Numbers of appends begin with the clock, so that
 * those of a new coordination file are above those of one that was lost.
 */
const growSql = `
  update conversation set active_at = ?, last_seq = ?, entries = ?, next_expires_at = ?, size = ?, rewrites = ?,
    appended = max(?, 1 + (select max(appended) from conversation))
  where id = ?
`;
