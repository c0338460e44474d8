// Looks at everything: SQLite's own structure, every conversation's record, every position, every entry's checksum.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from 'better-sqlite3-multiple-ciphers';
import type { ConversationId } from '../../../model/id.ts';
import type { EntryRecord, Problem, Progress, VerifyReport } from '../../../model/ports/store-driver.ts';
import type { BlockReader } from './cold-blocks.ts';
import type { ConversationTable } from './conversation-table.ts';
import type { DraftTable } from './draft-table.ts';
import { type ConversationRow, type EntryRow, entryColumns, toRecord } from './rows.ts';

const rowsPerStep = 1000;
const problemsNamed = 1000;

interface Parts {
  database: Database;
  path: string;
  conversations: ConversationTable;
  drafts: DraftTable;
  blocks: BlockReader;
}

/** The tail must be settled. Yields to the event loop between steps; `read` gives each step a consistent view. */
export async function verifyDatabase(
  parts: Parts,
  read: <T>(work: () => T) => Promise<T>,
  progress?: Progress,
): Promise<VerifyReport> {
  const problems: Problem[] = await read(() => checkStructure(parts));
  const rows = await read(() => [...parts.conversations.all()]);
  const total = rows.reduce((sum, row) => sum + row.last_seq - (row.origin_seq ?? 0) - row.removed, 0);
  let entries = 0;
  for (const row of rows) {
    if (!parts.conversations.isIntact(row)) {
      problems.push({ code: 'damaged-record', conversationId: row.id as ConversationId, detail: 'its own record is damaged' });
    }
    for (let after = 0; ; ) {
      const step = await read(() => checkStretch(parts, row, after));
      problems.push(...step.problems.slice(0, Math.max(0, problemsNamed - problems.length)));
      entries += step.entries;
      after = step.last;
      progress?.(Math.min(entries, total), total);
      if (step.done) break;
      await nextTurn();
    }
  }
  problems.push(...(await read(() => checkDrafts(parts))));
  return { conversations: rows.length, entries, problems };
}

function checkStructure({ database, path }: Parts): Problem[] {
  const findings = database.pragma('integrity_check(100)') as { integrity_check: string }[];
  return findings
    .filter((finding) => finding.integrity_check !== 'ok')
    .map((finding) => ({ code: 'file-damaged', file: path, detail: finding.integrity_check }));
}

function checkDrafts({ drafts, database }: Parts): Problem[] {
  const idOf = database.prepare<[number], ConversationId>('SELECT id FROM conversations WHERE number = ?').pluck();
  const problems: Problem[] = [];
  for (const { conversation, draft } of drafts.all()) {
    const conversationId = idOf.get(conversation);
    if (draft && conversationId) continue;
    const about = conversationId ? { conversationId } : {};
    problems.push({ code: 'damaged-record', ...about, detail: 'a draft does not match its checksum' });
  }
  return problems;
}

interface Step {
  entries: number;
  last: number;
  done: boolean;
  problems: Problem[];
}

function checkStretch({ database, blocks }: Parts, row: ConversationRow, after: number): Step {
  const id = row.id as ConversationId;
  const problems: Problem[] = [];
  const found = database
    .prepare<[number, number, number], EntryRow>(
      `SELECT p.seq, ${entryColumns} FROM positions p LEFT JOIN entries e ON e.number = p.entry
       WHERE p.conversation = ? AND p.seq > ? ORDER BY p.seq LIMIT ?`,
    )
    .raw()
    .all(row.number, after, rowsPerStep);
  for (const entry of found) {
    if (isReadable(toRecord(row.number, entry, (block, seq) => blocks.find(block, seq)))) continue;
    problems.push({ code: 'damaged-record', conversationId: id, detail: `entry ${entry[0]} does not match its checksum` });
  }
  const last = found.at(-1)?.[0] ?? after;
  const done = found.length < rowsPerStep;
  if (done) problems.push(...checkCount(database, row, id));
  return { entries: found.length, last, done, problems };
}

/** Counters and positions move together, in one commit: both are read here, as others may have written since the last step. */
function checkCount(database: Database, { number }: ConversationRow, id: ConversationId): Problem[] {
  const found = database
    .prepare<[number], { expected: number; lastSeq: number; held: number; newest: number }>(
      `SELECT last_seq - coalesce(origin_seq, 0) - removed AS expected, last_seq AS lastSeq,
         (SELECT count(*) FROM positions WHERE conversation = number) AS held,
         (SELECT coalesce(max(seq), 0) FROM positions WHERE conversation = number) AS newest
       FROM conversations WHERE number = ?`,
    )
    .get(number);
  // Purged while the others were being looked at.
  if (!found) return [];
  const { expected, lastSeq, held, newest } = found;
  if (held < expected) {
    return [{ code: 'missing-entries', conversationId: id, detail: `${expected - held} of ${expected} entries are missing` }];
  }
  if (held === expected && newest <= lastSeq) return [];
  return [{ code: 'count-mismatch', conversationId: id, detail: `it counts ${expected} entries and holds ${held}` }];
}

function isReadable(record: EntryRecord | undefined): boolean {
  if (!record) return false;
  try {
    JSON.parse(record.header);
    if (record.data !== null) JSON.parse(record.data);
    return true;
  } catch {
    return false;
  }
}
