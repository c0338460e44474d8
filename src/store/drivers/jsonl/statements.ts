// Prepared statements, kept per connection: preparing costs more than most of them take to run.
import type Database from 'better-sqlite3-multiple-ciphers';

export type Connection = Database.Database;
export type Statement = Database.Statement<unknown[]>;

const known = new WeakMap<Connection, Map<string, Statement>>();

export function prepare(connection: Connection, sql: string): Statement {
  let statements = known.get(connection);
  if (!statements) {
    statements = new Map();
    known.set(connection, statements);
  }
  let statement = statements.get(sql);
  if (!statement) {
    statement = connection.prepare<unknown[]>(sql);
    statements.set(sql, statement);
  }
  return statement;
}
