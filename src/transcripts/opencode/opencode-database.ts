// The three tables of opencode's database that hold what was said, and no others. Columns may be missing or of any type; values above the
// limit are told by their size and never loaded. Each question is answered at once: no read stays open while others wait to write.
import type { Database, Statement } from 'better-sqlite3-multiple-ciphers';
import { ContinuoError } from '../../model/error.ts';
import { toStoreError } from '../../store/io-fault.ts';
import type { Fields } from '../fields.ts';
import { type ForeignDatabase, type OpenForeignOptions, openForeignDatabase } from '../foreign-database.ts';
import type { SkippedNote } from '../transcript-format.ts';

export interface SessionRow {
  id: string;
  title: string | undefined;
  /** Rows that belong to it, and when the last of them was changed. */
  rows: number;
  updatedAt: number;
}

export interface SessionFacts {
  parent: string | undefined;
  directory: string | undefined;
  version: string | undefined;
  createdAt: unknown;
}

export interface MessagePlace {
  at: number;
  id: string;
}

/** JSON as it stands there; undefined where it is above the limit, null where it is no text. */
export type StoredJson = { id: string; json: string | null | undefined };

const needed: Readonly<Record<string, readonly string[]>> = {
  session: ['id', 'directory', 'time_created', 'time_updated'],
  message: ['id', 'session_id', 'time_created', 'time_updated', 'data'],
  part: ['id', 'message_id', 'session_id', 'time_updated', 'data'],
};
const pageSize = 200;
const smallBytes = 64 * 1024;
const longestId = 500;
const mostCandidates = 20;
const mostCandidateBytes = 1024 * 1024;

const settledMilliseconds = 60 * 60 * 1000;

/** Whether nothing has happened for so long that an answer without an end will hardly get one. */
export function isSettled(updatedAt: number): boolean {
  return Date.now() - updatedAt > settledMilliseconds;
}

export class OpencodeDatabase {
  readonly #path: string;
  readonly #foreign: ForeignDatabase;
  readonly #database: Database;
  readonly #sessionColumns: ReadonlySet<string>;
  readonly #statements = new Map<string, Statement>();

  private constructor(path: string, foreign: ForeignDatabase, sessionColumns: ReadonlySet<string>) {
    this.#path = path;
    this.#foreign = foreign;
    this.#database = foreign.database;
    this.#sessionColumns = sessionColumns;
  }

  /** Throws where it cannot be read, or has no such tables: a coded error either way. */
  static async open(path: string, options?: OpenForeignOptions): Promise<OpencodeDatabase> {
    const foreign = await openForeignDatabase(path, options);
    try {
      const columns = Object.entries(needed).map(([table, names]) => checkColumns(foreign.database, table, names, path));
      return new OpencodeDatabase(path, foreign, columns[0] as Set<string>);
    } catch (error) {
      await foreign.close();
      throw toStoreError(error, path);
    }
  }

  async close(): Promise<void> {
    await this.#foreign.close();
  }

  sessions(): SessionRow[] {
    const title = this.#optional('title');
    const moment = (column: string) => `max(CASE WHEN typeof(${column}) = 'integer' THEN ${column} END)`;
    const rows = this.#all(
      `SELECT s.id AS id, ${title} AS title, s.time_updated AS updated,
         m.rows AS messages, m.updated AS messageUpdated, p.rows AS parts, p.updated AS partUpdated
       FROM session s
       LEFT JOIN (SELECT session_id, count(*) AS rows, ${moment('time_updated')} AS updated FROM message GROUP BY session_id) m
         ON m.session_id = s.id
       LEFT JOIN (SELECT session_id, count(*) AS rows, ${moment('time_updated')} AS updated FROM part GROUP BY session_id) p
         ON p.session_id = s.id
       WHERE typeof(s.id) = 'text' AND octet_length(s.id) BETWEEN 1 AND ?
       ORDER BY s.id`,
      longestId,
    );
    return rows.map(({ id, title, updated, messages, messageUpdated, parts, partUpdated }) => ({
      id: id as string,
      title: typeof title === 'string' ? title : undefined,
      rows: (typeof messages === 'number' ? messages : 0) + (typeof parts === 'number' ? parts : 0),
      updatedAt: Math.max(
        0,
        ...[updated, messageUpdated, partUpdated].filter((moment) => Number.isSafeInteger(moment) as boolean).map(Number),
      ),
    }));
  }

  /** What this reader knows nothing of: newer versions may keep what was said there. */
  oddities(): SkippedNote[] {
    const notes: SkippedNote[] = [];
    if (
      this.#all("SELECT 1 FROM session WHERE typeof(id) <> 'text' OR octet_length(id) NOT BETWEEN 1 AND ? LIMIT 1", longestId)
        .length > 0
    )
      notes.push({ type: 'skipped', reason: 'broken', what: 'session without id' });
    const isThere = this.#all("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'session_message'").length > 0;
    if (isThere && this.#all('SELECT 1 FROM session_message LIMIT 1').length > 0)
      notes.push({ type: 'skipped', reason: 'unknown', what: 'session_message' });
    return notes;
  }

  facts(session: string): SessionFacts | undefined {
    const [row] = this.#all(
      `SELECT directory, ${this.#optional('parent_id')} AS parent, ${this.#optional('version')} AS version, time_created AS created
       FROM session s WHERE id = ?`,
      session,
    );
    if (!row) return undefined;
    const text = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : undefined);
    return { parent: text(row.parent), directory: text(row.directory), version: text(row.version), createdAt: row.created };
  }

  /** Parts of the parent that name the session: one of them is the call it was started by. */
  partsNaming(parent: string, session: string): string[] {
    const rows = this.#all(
      `SELECT data FROM part WHERE session_id = ? AND octet_length(data) < ? AND instr(data, ?) > 0 ORDER BY id LIMIT ?`,
      parent,
      mostCandidateBytes,
      session,
      mostCandidates,
    );
    return rows.flatMap(({ data }) => (typeof data === 'string' ? [data] : []));
  }

  hasMessage(session: string, { at, id }: MessagePlace): boolean {
    return this.#all('SELECT 1 FROM message WHERE session_id = ? AND id = ? AND time_created = ?', session, id, at).length > 0;
  }

  /** The messages from a moment on, as they were said. */
  *messages(session: string, from: number, mostBytes: number): Generator<MessagePlace & { json: StoredJson['json'] }> {
    let last: MessagePlace = { at: from, id: '' };
    for (;;) {
      const page = this.#all(
        `SELECT id, time_created AS at, ${small} FROM message
         WHERE session_id = ? AND (time_created, id) > (?, ?) AND ${usable}
         ORDER BY time_created, id LIMIT ?`,
        session,
        last.at,
        last.id,
        pageSize,
      );
      for (const row of page) {
        last = { at: row.at as number, id: row.id as string };
        yield { ...last, json: this.#readJson('message', row, mostBytes) };
      }
      if (page.length === 0) return;
    }
  }

  /** The newest messages first. */
  *latestMessages(session: string, mostBytes: number): Generator<MessagePlace & { json: StoredJson['json'] }> {
    for (let offset = 0; ; offset += 1) {
      const [row] = this.#all(
        `SELECT id, time_created AS at, ${small} FROM message WHERE session_id = ? AND ${usable}
         ORDER BY time_created DESC, id DESC LIMIT 1 OFFSET ?`,
        session,
        offset,
      );
      if (!row) return;
      yield { at: row.at as number, id: row.id as string, json: this.#readJson('message', row, mostBytes) };
    }
  }

  /** How many messages cannot be told apart or put in order. */
  unusableMessages(session: string): number {
    const [row] = this.#all(`SELECT count(*) AS count FROM message WHERE session_id = ? AND NOT (${usable})`, session);
    return Number(row?.count ?? 0);
  }

  *parts(message: string, mostBytes: number): Generator<StoredJson> {
    let last = '';
    for (;;) {
      const page = this.#all(
        `SELECT id, ${small} FROM part
         WHERE message_id = ? AND id > ? AND typeof(id) = 'text' AND octet_length(id) <= ${longestId}
         ORDER BY id LIMIT ?`,
        message,
        last,
        pageSize,
      );
      for (const row of page) {
        last = row.id as string;
        yield { id: last, json: this.#readJson('part', row, mostBytes) };
      }
      if (page.length === 0) return;
    }
  }

  /** Short ones come with their page, long ones one at a time. */
  #readJson(table: 'message' | 'part', { id, type, bytes, data }: Fields, mostBytes: number): StoredJson['json'] {
    if (type !== 'text') return null;
    if (Number(bytes) > mostBytes) return undefined;
    if (typeof data === 'string') return data;
    const [row] = this.#all(`SELECT data FROM ${table} WHERE id = ? AND octet_length(data) <= ?`, id, mostBytes);
    return typeof row?.data === 'string' ? row.data : undefined;
  }

  #optional(column: string): string {
    return this.#sessionColumns.has(column) ? `s.${column}` : 'NULL';
  }

  #all(sql: string, ...values: unknown[]): Fields[] {
    try {
      const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
      this.#statements.set(sql, statement);
      return statement.all(...values) as Fields[];
    } catch (error) {
      throw toStoreError(error, this.#path);
    }
  }
}

/** Negative moments are older than computers: `from` may be 0 to mean the beginning. */
const usable = `typeof(id) = 'text' AND octet_length(id) BETWEEN 1 AND ${longestId} AND typeof(time_created) = 'integer' AND time_created >= 0`;
const small = `typeof(data) AS type, octet_length(data) AS bytes, CASE WHEN octet_length(data) <= ${smallBytes} THEN data END AS data`;

function checkColumns(database: Database, table: string, names: readonly string[], path: string): Set<string> {
  const rows = database.prepare('SELECT name FROM pragma_table_info(?)').all(table) as { name: string }[];
  const found = new Set(rows.map(({ name }) => name));
  if (names.every((name) => found.has(name))) return found;
  throw new ContinuoError('io-failed', { path, reason: 'its tables are not those of a known version of opencode' });
}
