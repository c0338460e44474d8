// Brings a database to the newest schema, one transaction a step, with a journal of what was done. A database that a newer
// Continuo wrote is refused before anything in it is touched.
import type { Database } from 'better-sqlite3-multiple-ciphers';
import { ContinuoError } from '../../../model/error.ts';
import * as log from './migrations/0001-log.ts';
import * as drafts from './migrations/0002-drafts.ts';

export interface Migration {
  name: string;
  sql: string;
}

export const migrations: readonly Migration[] = [log, drafts];

export function migrate(database: Database, path: string, steps: readonly Migration[] = migrations): void {
  const found = schemaVersion(database);
  if (found < 0) throw new ContinuoError('store-damaged', { path, reason: `it says that its format is ${found}` });
  if (found > steps.length) throw new ContinuoError('store-newer', { path, found, known: steps.length });
  for (let number = found + 1; number <= steps.length; number++) applyStep(database, number, steps[number - 1] as Migration);
}

export function schemaVersion(database: Database): number {
  return database.pragma('user_version', { simple: true }) as number;
}

function applyStep(database: Database, number: number, step: Migration): void {
  database
    .transaction(() => {
      // Another process may have done this step while we waited for the lock.
      if (schemaVersion(database) >= number) return;
      database.exec(
        'CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL)',
      );
      database.exec(step.sql);
      database.prepare("INSERT INTO migrations VALUES (?, ?, datetime('now'))").run(number, step.name);
      database.pragma(`user_version = ${number}`);
    })
    .immediate();
}
