// Taking text away so that no byte of it stays in the file. Rows of the log are overwritten where they stand, with values of the
// same size: SQLite then changes the bytes in place, and never shuffles neighbouring rows around, which would leave copies of
// them behind. Overwritten rows are dropped when the file is next compacted.
import type { Database, Statement } from 'better-sqlite3-multiple-ciphers';
import type { ExpireResult } from '../../../model/ports/store-driver.ts';
import type { StoragePolicy } from '../../../model/storage-policy.ts';
import type { DraftTable } from './draft-table.ts';
import { type ConversationRow, entryChecksum, erasedKind, withheldMark } from './rows.ts';

interface DueRow {
  number: number;
  conversation: number;
  seq: number;
  at: number;
  kind: number;
  header: string;
  policy: string;
}

export class Eraser {
  readonly #database: Database;
  readonly #drafts: DraftTable;
  readonly #blank: Statement<[number]>;
  readonly #withhold: Statement<[number, number]>;

  constructor(database: Database, drafts: DraftTable) {
    this.#database = database;
    this.#drafts = drafts;
    this.#blank = database.prepare(
      `UPDATE entries SET kind = ${erasedKind}, header = ${filler('header')}, text = ${filler('text')}, data = ${filler('data')},
         expires_at = iif(expires_at IS NULL, NULL, ${withheldMark}) WHERE number = ?`,
    );
    this.#withhold = database.prepare(
      `UPDATE entries SET text = ${filler('text')}, data = ${filler('data')}, expires_at = ${withheldMark}, checksum = ?
       WHERE number = ?`,
    );
  }

  /** Call with a settled tail. */
  eraseConversation(row: ConversationRow): void {
    const numbers = this.#database
      .prepare<[number], number>('SELECT entry FROM positions WHERE conversation = ?')
      .pluck()
      .all(row.number);
    for (const number of numbers) this.#blank.run(number);
    this.#run('UPDATE blocks SET bytes = zeroblob(length(bytes)) WHERE conversation = ?', row.number);
    this.#run('DELETE FROM positions WHERE conversation = ?', row.number);
    this.#run('DELETE FROM tags WHERE conversation = ?', row.number);
    this.#run('DELETE FROM leases WHERE conversation = ?', row.id);
    this.#run('DELETE FROM conversations WHERE number = ?', row.number);
    // These tables are small and their rows change size, so copies may lie about between them: write them anew.
    rebuildTable(this.#database, 'conversations');
    rebuildTable(this.#database, 'tags');
    this.#drafts.delete(row.number);
    this.scrubDrafts();
  }

  /** What drafts left behind when they grew, moved and went: their pages are written anew. */
  scrubDrafts(): void {
    rebuildTable(this.#database, 'drafts');
  }

  countDue(now: number): number {
    const sql = `SELECT count(*) FROM entries WHERE expires_at <= ? AND kind <> ${erasedKind}`;
    return (this.#database.prepare<[number], number>(sql).pluck().get(now) as number) + this.#dueDrafts(now).length;
  }

  /** Call with a settled tail. */
  expire(now: number): ExpireResult {
    const due = this.#database
      .prepare<[number], DueRow>(
        `SELECT e.number, e.conversation, e.seq, e.at, e.kind, e.header, c.policy FROM entries e JOIN conversations c ON c.number = e.conversation
         WHERE e.expires_at <= ? AND e.kind <> ${erasedKind}`,
      )
      .all(now);
    const result: ExpireResult = { withheld: 0, removed: 0 };
    for (const { number, conversation, seq, at, kind, header, policy } of due) {
      if (deletes(JSON.parse(policy) as StoragePolicy)) {
        this.#blank.run(number);
        this.#run('DELETE FROM positions WHERE conversation = ? AND seq = ?', conversation, seq);
        this.#run('UPDATE conversations SET removed = removed + 1 WHERE number = ?', conversation);
        result.removed += 1;
      } else {
        this.#withhold.run(entryChecksum({ conversation, seq, at, kind }, header, null, null), number);
        result.withheld += 1;
      }
    }
    for (const conversation of this.#dueDrafts(now)) {
      this.#drafts.delete(conversation);
      result.removed += 1;
    }
    if (result.withheld + result.removed > 0) this.scrubDrafts();
    return result;
  }

  /** Drops what was overwritten. The caller compacts the file afterwards. */
  dropErased(): number {
    this.#run('DELETE FROM blocks WHERE conversation NOT IN (SELECT number FROM conversations)');
    return this.#run(`DELETE FROM entries WHERE kind = ${erasedKind}`);
  }

  /** One that cannot be read is due, too: nothing would ever tell that its time has come. */
  #dueDrafts(now: number): number[] {
    const due: number[] = [];
    for (const { conversation, draft } of this.#drafts.all()) {
      if (draft ? draft.expiresAt !== null && draft.expiresAt <= now : this.#expires(conversation)) due.push(conversation);
    }
    return due;
  }

  #expires(conversation: number): boolean {
    const policy = this.#database
      .prepare<[number], string>('SELECT policy FROM conversations WHERE number = ?')
      .pluck()
      .get(conversation);
    return policy === undefined || (JSON.parse(policy) as StoragePolicy).kind === 'ttl';
  }

  #run(sql: string, ...values: unknown[]): number {
    return this.#database.prepare(sql).run(...values).changes;
  }
}

/** A text of as many bytes as the value has; nothing where there is none. The same size and type, so that the row keeps its layout. */
function filler(column: string): string {
  const bytes = `length(CAST(${column} AS BLOB))`;
  return `iif(${column} IS NULL, NULL, hex(zeroblob(${bytes} / 2)) || substr('0', 1, ${bytes} % 2))`;
}

function deletes(policy: StoragePolicy): boolean {
  return policy.kind === 'ttl' && policy.afterwards === 'delete';
}

/** Writes a table anew and drops the old pages, which secure_delete overwrites with zeros. */
function rebuildTable(database: Database, table: string): void {
  const schema = database
    .prepare<[string], { type: string; name: string; sql: string | null }>(
      'SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = ?',
    )
    .all(table);
  const create = schema.find((item) => item.type === 'table')?.sql as string;
  const copy = `${table}_copy`;
  database.exec(create.replace(new RegExp(`^CREATE TABLE "?${table}"?`), `CREATE TABLE ${copy}`));
  database.exec(`INSERT INTO ${copy} SELECT * FROM ${table}`);
  database.exec(`DROP TABLE ${table}`);
  database.exec(`ALTER TABLE ${copy} RENAME TO ${table}`);
  for (const item of schema) if (item.type === 'index' && item.sql !== null) database.exec(item.sql);
}
