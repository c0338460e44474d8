// Makes sure that no byte of what was taken out remains in the index's files. FTS5 only marks documents of a contentless table as
// gone, and drops their tokens when it merges the segments that hold them. So all segments are merged, in small steps; pages that
// become free are overwritten (secure_delete), the conversations are written anew, and the write-ahead log is emptied.
// Costs about as much as writing the index once; done when something was purged, excluded or has expired, and after a crash again.
import type { Database } from 'better-sqlite3-multiple-ciphers';
import type { IndexDatabase } from './index-database.ts';
import { getState, putState } from './index-state.ts';
import { conversationsIndex, conversationsTable } from './schema.ts';

/** Pages of the index a step writes; one step takes a few milliseconds. */
const pagesAtOnce = 64;
/** Up to here the file is written anew as a whole, which also drops the free pages. */
const smallFile = 4 * 1024 * 1024;

/** False where another process still reads what was there before: to be called again later. */
export async function scrubIndex(index: IndexDatabase, breathe: () => Promise<void>): Promise<boolean> {
  if (getState(index.database, 'scrub') === 0) return true;
  // A negative number makes every segment part of one merge.
  let isMerging = await index.write((database) => mergeStep(database, -pagesAtOnce));
  while (isMerging) {
    await breathe();
    isMerging = await index.write((database) => mergeStep(database, pagesAtOnce));
  }
  await index.write(rebuildConversations);
  await breathe();
  const { database } = index;
  try {
    if (bytesOf(database) <= smallFile) database.exec('VACUUM');
    if (!emptyLog(database)) return false;
  } catch (error) {
    if (String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) return false;
    throw error;
  }
  await index.write((written) => putState(written, 'scrub', 0));
  return emptyLog(database);
}

/** FTS5 tells by the number of changed rows whether there was anything to merge. */
function mergeStep(database: Database, pages: number): boolean {
  const changes = database.prepare<[], number>('SELECT total_changes()').pluck();
  const before = changes.get() as number;
  database.prepare("INSERT INTO lexical (lexical, rank) VALUES ('merge', ?)").run(pages);
  return (changes.get() as number) - before >= 2;
}

/** Its rows change size, so copies of them may lie about between others. */
function rebuildConversations(database: Database): void {
  database.exec(conversationsTable('conversations_copy'));
  database.exec('INSERT INTO conversations_copy SELECT * FROM conversations');
  database.exec('DROP TABLE conversations');
  database.exec('ALTER TABLE conversations_copy RENAME TO conversations');
  database.exec(conversationsIndex);
}

function emptyLog(database: Database): boolean {
  const [result] = database.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }];
  return result.busy === 0;
}

function bytesOf(database: Database): number {
  const pages = database.pragma('page_count', { simple: true }) as number;
  return pages * (database.pragma('page_size', { simple: true }) as number);
}
