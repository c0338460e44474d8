// Named numbers in the index: counters, the lease of whoever indexes, and what is left to do.
import type { Database } from 'better-sqlite3-multiple-ciphers';

export type StateName =
  | 'next-document'
  | 'next-conversation'
  | 'documents'
  | 'tokens'
  | 'scrub'
  | 'reconciled-at'
  | 'lease-until'
  | 'lease-pid'
  | 'lease-token';

export function getState(database: Database, name: StateName): number {
  return database.prepare<[string], number>('SELECT value FROM state WHERE name = ?').pluck().get(name) ?? 0;
}

export function putState(database: Database, name: StateName, value: number): void {
  database.prepare('UPDATE state SET value = ? WHERE name = ?').run(value, name);
}

export function addState(database: Database, name: StateName, change: number): void {
  if (change !== 0) database.prepare('UPDATE state SET value = value + ? WHERE name = ?').run(change, name);
}
