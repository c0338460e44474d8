// The conversations' own data. Their counters lag behind the log by what is in the tail, which is laid over every row that is read.
import type { Database, Statement } from 'better-sqlite3-multiple-ciphers';
import type { Conversation, ConversationPatch } from '../../../model/conversation.ts';
import { ContinuoError } from '../../../model/error.ts';
import type { ConversationId } from '../../../model/id.ts';
import type { DriverListQuery, DriverStats } from '../../../model/ports/store-driver.ts';
import { applyPatch } from '../../conversation-patch.ts';
import { byActivity, matchesActivity } from '../../list-filter.ts';
import type { LogTail } from './log-tail.ts';
import { type ConversationRow, conversationChecksum, toConversation, toRow } from './rows.ts';

const columns =
  'id, key, title, project, team, agent, tags, pinned, policy, meta, created_at, active_at, last_seq, origin, origin_seq, trashed_at, checksum';
const columnNames = columns.split(', ');

export class ConversationTable {
  readonly #database: Database;
  readonly #tail: LogTail;
  readonly #path: string;
  readonly #byId: Statement<[string], ConversationRow>;
  readonly #byKey: Statement<[string], ConversationRow>;
  readonly #insert: Statement;
  readonly #update: Statement;
  readonly #listStatements = new Map<string, Statement<unknown[], ConversationRow>>();

  constructor(database: Database, tail: LogTail, path: string) {
    this.#database = database;
    this.#tail = tail;
    this.#path = path;
    this.#byId = database.prepare('SELECT * FROM conversations WHERE id = ?');
    this.#byKey = database.prepare('SELECT * FROM conversations WHERE key = ?');
    const places = columnNames.map((column) => `@${column}`).join(', ');
    this.#insert = database.prepare(`INSERT INTO conversations (${columns}) VALUES (${places})`);
    const settable = columnNames.filter((column) => !['id', 'active_at', 'last_seq'].includes(column));
    const assignments = settable.map((column) => `${column} = @${column}`).join(', ');
    this.#update = database.prepare(`UPDATE conversations SET ${assignments} WHERE id = @id`);
  }

  findRow(id: ConversationId): ConversationRow | undefined {
    return this.#check(this.#byId.get(id));
  }

  find(id: ConversationId): Conversation | undefined {
    return this.#present(this.findRow(id));
  }

  findByKey(key: string): Conversation | undefined {
    return this.#present(this.#check(this.#byKey.get(key)));
  }

  findIdsByPrefix(prefix: string, limit: number): ConversationId[] {
    const after = `${prefix}\u{10ffff}`;
    return this.#database
      .prepare<[string, string, number], ConversationId>(
        'SELECT id FROM conversations WHERE id >= ? AND id < ? ORDER BY id LIMIT ?',
      )
      .pluck()
      .all(prefix, after, limit);
  }

  insert(conversation: Conversation): void {
    if (this.#byId.get(conversation.id)) throw new ContinuoError('conversation-exists', { id: conversation.id });
    const holder = conversation.key === undefined ? undefined : this.#byKey.get(conversation.key);
    if (holder) throw new ContinuoError('key-taken', { key: conversation.key, holder: holder.id });
    const row = toRow(conversation);
    const { lastInsertRowid } = this.#insert.run({ ...row, checksum: conversationChecksum(row) });
    this.#putTags(Number(lastInsertRowid), conversation.tags);
  }

  update(id: ConversationId, patch: ConversationPatch): Conversation | undefined {
    const row = this.findRow(id);
    if (!row) return undefined;
    const changed = applyPatch(toConversation(row), patch);
    const changedRow = toRow(changed);
    this.#update.run({ ...changedRow, checksum: conversationChecksum(changedRow) });
    if (changedRow.tags !== row.tags) this.#putTags(row.number, changed.tags);
    return this.find(id);
  }

  /** Conversations in the tail are more active than their rows say: they are merged in with their true activity. */
  list(query: DriverListQuery): Conversation[] {
    // Each of the two has an index in the order of the list; together they have none.
    if (query.trash === 'include') {
      const all = [...this.list({ ...query, trash: 'exclude' }), ...this.list({ ...query, trash: 'only' })];
      return all.sort(byActivity).slice(0, query.limit);
    }
    const fresh = [...this.#tail.threads.keys()];
    const settled = this.#select(query, `number NOT IN (SELECT value FROM json_each(?))`, fresh, true);
    if (fresh.length === 0) return settled;
    const recent = this.#select(query, 'number IN (SELECT value FROM json_each(?))', fresh, false);
    const merged = [...settled, ...recent.filter((conversation) => matchesActivity(conversation, query))];
    return merged.sort(byActivity).slice(0, query.limit);
  }

  stats(): Omit<DriverStats, 'bytesOnDisk'> {
    const totals = this.#database
      .prepare<[], { conversations: number; trashed: number; pinned: number; entries: number }>(
        `SELECT count(*) AS conversations, count(trashed_at) AS trashed, coalesce(sum(pinned), 0) AS pinned,
           coalesce(sum(last_seq - coalesce(origin_seq, 0) - removed), 0) AS entries FROM conversations`,
      )
      .get() as Omit<DriverStats, 'bytesOnDisk' | 'byAgent' | 'byProject'>;
    let waiting = 0;
    for (const thread of this.#tail.threads.values()) waiting += thread.numbers.length;
    return { ...totals, entries: totals.entries + waiting, byAgent: this.#countBy('agent'), byProject: this.#countBy('project') };
  }

  *all(): Iterable<ConversationRow> {
    for (const row of this.#database.prepare<[], ConversationRow>('SELECT * FROM conversations ORDER BY number').all()) {
      yield this.#overlay(row);
    }
  }

  isIntact(row: ConversationRow): boolean {
    return conversationChecksum(row) === row.checksum;
  }

  #select(query: DriverListQuery, membership: string, numbers: number[], byRow: boolean): Conversation[] {
    const { sql, values } = buildListSql(query, membership, byRow);
    let statement = this.#listStatements.get(sql);
    if (!statement) {
      statement = this.#database.prepare<unknown[], ConversationRow>(sql);
      this.#listStatements.set(sql, statement);
    }
    return statement.all(JSON.stringify(numbers), ...values).map((row) => this.#present(this.#check(row)) as Conversation);
  }

  #present(row: ConversationRow | undefined): Conversation | undefined {
    return row && toConversation(this.#overlay(row));
  }

  #overlay(row: ConversationRow): ConversationRow {
    const thread = this.#tail.threads.get(row.number);
    if (!thread) return row;
    const last_seq = thread.firstSeq + thread.numbers.length - 1;
    return { ...row, last_seq, active_at: Math.max(row.active_at, thread.activeAt) };
  }

  #check(row: ConversationRow | undefined): ConversationRow | undefined {
    if (row && !this.isIntact(row)) {
      throw new ContinuoError('store-damaged', { path: this.#path, reason: `the record of conversation ${row.id} is damaged` });
    }
    return row;
  }

  #putTags(conversation: number, tags: readonly string[]): void {
    this.#database.prepare('DELETE FROM tags WHERE conversation = ?').run(conversation);
    const insert = this.#database.prepare('INSERT INTO tags (tag, conversation) VALUES (?, ?)');
    for (const tag of tags) insert.run(tag, conversation);
  }

  #countBy(column: 'agent' | 'project'): { name: string; conversations: number }[] {
    return this.#database
      .prepare<[], { name: string; conversations: number }>(
        `SELECT ${column} AS name, count(*) AS conversations FROM conversations WHERE ${column} IS NOT NULL
         GROUP BY ${column} ORDER BY conversations DESC, name`,
      )
      .all();
  }
}

/** Filters as SQL. With `byRow` the activity columns of the row count; otherwise the caller knows better and filters by itself. */
function buildListSql(query: DriverListQuery, membership: string, byRow: boolean): { sql: string; values: unknown[] } {
  const where = [membership];
  const values: unknown[] = [];
  const add = (condition: string, ...bound: unknown[]) => {
    where.push(condition);
    values.push(...bound);
  };
  const trash = query.trash ?? 'exclude';
  if (trash === 'exclude') add('trashed_at IS NULL');
  if (trash === 'only') add('trashed_at IS NOT NULL');
  if (query.project !== undefined) add('project = ?', query.project);
  if (query.key !== undefined) add('key = ?', query.key);
  if (query.team !== undefined) add('team = ?', query.team);
  if (query.agent !== undefined) add('agent = ?', query.agent);
  if (query.pinned !== undefined) add(query.pinned ? 'pinned = 1' : 'pinned = 0');
  if (query.tag !== undefined) add('number IN (SELECT conversation FROM tags WHERE tag = ?)', query.tag);
  if (query.title !== undefined) add('instr(fold(title), ?) > 0', query.title.toLowerCase());
  if (query.forkedFrom !== undefined) add('origin = ?', query.forkedFrom);
  if (byRow) {
    if (query.since !== undefined) add('active_at >= ?', query.since);
    if (query.before !== undefined) add('active_at < ?', query.before);
    if (query.after !== undefined) add('(active_at, id) < (?, ?)', query.after.activeAt, query.after.id);
  }
  const order = byRow ? 'ORDER BY active_at DESC, id DESC LIMIT ?' : '';
  if (byRow) values.push(query.limit);
  return { sql: `SELECT * FROM conversations WHERE ${where.join(' AND ')} ${order}`, values };
}
