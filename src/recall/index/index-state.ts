// Named numbers in the index: counters, the lease of whoever indexes, and what is left to do.
import type { Database } from 'better-sqlite3-multiple-ciphers';
import { statement } from './statements.ts';

export type StateName =
  | 'next-document'
  | 'next-conversation'
  | 'documents'
  /** Those of the documents that are titles. */
  | 'titles'
  | 'tokens'
  | 'scrub'
  | 'reconciled-at'
  | 'lease-until'
  | 'lease-pid'
  | 'lease-token';

export function getState(database: Database, name: StateName): number {
  return statement<[string], { value: number }>(database, 'SELECT value FROM state WHERE name = ?').get(name)?.value ?? 0;
}

export function putState(database: Database, name: StateName, value: number): void {
  statement(database, 'UPDATE state SET value = ? WHERE name = ?').run(value, name);
}

export function addState(database: Database, name: StateName, change: number): void {
  if (change !== 0) statement(database, 'UPDATE state SET value = value + ? WHERE name = ?').run(change, name);
}
