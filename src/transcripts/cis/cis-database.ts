// The rows of a CIS database, page by page. SQLite takes any type in any column: what a row holds is looked at by whoever reads it.
import { type Fields, wordIn } from '../fields.ts';
import { type ForeignDatabase, openForeignDatabase } from '../foreign-database.ts';
import { looseMomentIn } from '../loose-moment.ts';

export interface CisConversation {
  id: string;
  createdAt: number | undefined;
  /** The folder of the project. */
  cwd: string | undefined;
  row: Fields;
}

const pageSize = 200;

export class CisDatabase {
  readonly #foreign: ForeignDatabase;

  private constructor(foreign: ForeignDatabase) {
    this.#foreign = foreign;
  }

  static async open(path: string): Promise<CisDatabase> {
    return new CisDatabase(await openForeignDatabase(path));
  }

  async close(): Promise<void> {
    await this.#foreign.close();
  }

  /** Every conversation, with what tells whether it has changed. */
  *conversations(): Generator<{ id: string; size: number; modifiedAt: number }> {
    const statement = this.#foreign.database.prepare(`
      SELECT rowid AS place, id, updated_at, created_at, length(CAST(coalesce(summary, '') AS BLOB)) + length(CAST(coalesce(topics, '') AS BLOB)) AS more,
        (SELECT count(*) FROM conversation_messages WHERE conversation_id = c.id) AS messages,
        (SELECT coalesce(sum(length(CAST(content AS BLOB))), 0) FROM conversation_messages WHERE conversation_id = c.id) AS bytes
      FROM conversations c WHERE typeof(id) = 'text' AND rowid > ? ORDER BY rowid LIMIT ${pageSize}`);
    for (let after: unknown = -Number.MAX_SAFE_INTEGER; ; ) {
      const rows = statement.all(after) as Fields[];
      for (const row of rows) {
        const size = Number(row.messages) + Number(row.bytes) + Number(row.more);
        const modifiedAt = looseMomentIn(row, 'updated_at', 'created_at') ?? 0;
        yield { id: String(row.id), size, modifiedAt };
      }
      if (rows.length < pageSize) return;
      after = rows.at(-1)?.place;
    }
  }

  conversation(id: string): CisConversation | undefined {
    const row = this.#foreign.database
      .prepare('SELECT id, session_id, project_path, summary, topics, created_at, updated_at FROM conversations WHERE id = ?')
      .get(id) as Fields | undefined;
    return row && { id, createdAt: looseMomentIn(row, 'created_at'), cwd: wordIn(row, 'project_path'), row };
  }

  /** The messages in the order they were said; where the text is above the limit, without it. */
  *messages(id: string, mostBytes: number): Generator<Fields[]> {
    const statement = this.#foreign.database.prepare(`
      SELECT id, role, timestamp, rowid AS place, length(CAST(content AS BLOB)) AS bytes,
        CASE WHEN length(CAST(content AS BLOB)) <= ? THEN content END AS content
      FROM conversation_messages WHERE conversation_id = ? ORDER BY timestamp, rowid LIMIT ${pageSize} OFFSET ?`);
    for (let offset = 0; ; offset += pageSize) {
      const rows = statement.all(mostBytes, id, offset) as Fields[];
      if (rows.length > 0) yield rows;
      if (rows.length < pageSize) return;
    }
  }
}
