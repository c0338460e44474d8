// The `settled` mark says how far the log is indexed. It carries no checksum: a wrong one would hide entries or show them twice. So it
// is held against the rows beside it whenever the file is opened, and set again from the index where it does not fit.
import type { Database } from 'better-sqlite3-multiple-ciphers';
import type { Problem } from '../../../model/ports/store-driver.ts';
import { erasedKind } from './rows.ts';

/** How many neighbours are looked at to find one that was not erased. */
const nearby = 64;

interface Neighbour {
  kind: number;
  isIndexed: number;
}

export function mendSettledMark(database: Database, path: string): Problem | undefined {
  const look = () => isTrue(database, readMark(database));
  if (database.transaction(look).deferred()) return undefined;
  return database
    .transaction(() => {
      // Another process may have settled in between.
      if (look()) return undefined;
      database.exec("INSERT OR REPLACE INTO state SELECT 'settled', coalesce(max(entry), 0) FROM positions");
      const detail = 'the mark that says how far the log is indexed was wrong; it was set again from the index';
      return { code: 'damaged-record', file: path, detail } satisfies Problem;
    })
    .immediate();
}

function readMark(database: Database): unknown {
  return database.prepare("SELECT value FROM state WHERE name = 'settled'").pluck().get();
}

/** The last row up to the mark is in the index, and the first after it is not. */
function isTrue(database: Database, mark: unknown): boolean {
  if (typeof mark !== 'number' || !Number.isInteger(mark) || mark < 0) return false;
  const neighbours = (condition: string) =>
    database
      .prepare<[number, number], Neighbour>(
        `SELECT e.kind, EXISTS (SELECT 1 FROM positions p WHERE p.conversation = e.conversation AND p.seq = e.seq) AS isIndexed
         FROM entries e WHERE ${condition} LIMIT ?`,
      )
      .all(mark, nearby)
      .find(({ kind }) => kind !== erasedKind);
  const last = neighbours('e.number <= ? ORDER BY e.number DESC');
  const next = neighbours('e.number > ? ORDER BY e.number');
  return last?.isIndexed !== 0 && next?.isIndexed !== 1;
}
