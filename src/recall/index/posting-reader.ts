// The statements that read the lexical index. Newest first means highest document id: ids grow in the order of indexing, which is
// the order of time but for conversations that were imported or indexed late.
import type { Database, Statement } from 'better-sqlite3-multiple-ciphers';

interface Statements {
  newest: Statement<[string, number], number>;
  newestBefore: Statement<[string, number, number], number>;
  ranked: Statement<[string], [number, number]>;
}

const prepared = new WeakMap<Database, Statements>();

export class PostingReader {
  readonly #statements: Statements;

  constructor(database: Database) {
    let statements = prepared.get(database);
    if (!statements) {
      statements = prepareAll(database);
      prepared.set(database, statements);
    }
    this.#statements = statements;
  }

  /** Documents that match, newest first. */
  newest(match: string, limit: number): number[] {
    return this.#statements.newest.all(match, limit);
  }

  newestBefore(match: string, before: number, limit: number): number[] {
    return this.#statements.newestBefore.all(match, before, limit);
  }

  /** Every document that matches, with its bm25: lower is better. */
  ranked(match: string): [number, number][] {
    return this.#statements.ranked.all(match);
  }

  /** How many documents hold a term of which only the newest rows are known: as many as if it were spread evenly. */
  estimate(rows: readonly number[], total: number): number {
    const [first = 0] = rows;
    const last = rows.at(-1) ?? 0;
    const span = Math.max(1, first - last);
    return Math.min(total, Math.max(rows.length, Math.round((rows.length * total) / span)));
  }
}

function prepareAll(database: Database): Statements {
  return {
    newest: database
      .prepare<[string, number], number>('SELECT rowid FROM lexical WHERE lexical MATCH ? ORDER BY rowid DESC LIMIT ?')
      .pluck(),
    newestBefore: database
      .prepare<[string, number, number], number>(
        // FTS5 takes no notice of a bound that is not an integer, and numbers come as floating point.
        'SELECT rowid FROM lexical WHERE lexical MATCH ? AND rowid < CAST(? AS INTEGER) ORDER BY rowid DESC LIMIT ?',
      )
      .pluck(),
    ranked: database.prepare<[string], [number, number]>('SELECT rowid, bm25(lexical) FROM lexical WHERE lexical MATCH ?').raw(),
  };
}
