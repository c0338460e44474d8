// Statements that are run again and again, prepared once for each connection.
import type { Database, Statement } from 'better-sqlite3-multiple-ciphers';

const prepared = new WeakMap<Database, Map<string, Statement>>();

export function statement<Values extends unknown[], Row = unknown>(database: Database, sql: string): Statement<Values, Row> {
  let known = prepared.get(database);
  if (!known) {
    known = new Map();
    prepared.set(database, known);
  }
  let found = known.get(sql);
  if (!found) {
    found = database.prepare(sql);
    known.set(sql, found);
  }
  return found as Statement<Values, Row>;
}
