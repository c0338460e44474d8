// Appending to the log and reading a conversation back from it. An append adds rows at the end of one table and nothing else:
// what it must know (last position, trash, lease) is mirrored in memory and trusted until another connection commits.
import type { Database, Statement } from 'better-sqlite3-multiple-ciphers';
import { ContinuoError } from '../../../model/error.ts';
import type { ConversationId } from '../../../model/id.ts';
import { type LeaseHolder, lockedBy } from '../../../model/lease.ts';
import type {
  AppendOutcome,
  AppendRequest,
  DraftRecord,
  EntryRange,
  EntryRecord,
  Problem,
} from '../../../model/ports/store-driver.ts';
import { findGaps } from '../../entry-gaps.ts';
import type { BlockReader } from './cold-blocks.ts';
import type { ConversationTable } from './conversation-table.ts';
import type { DraftTable } from './draft-table.ts';
import type { LeaseTable } from './lease-table.ts';
import type { LogTail } from './log-tail.ts';
import { type EntryRow, entryChecksum, entryColumns, kindCodes, toRecord } from './rows.ts';

const threadsKept = 10_000;

/** What an append must know about a conversation. */
interface Thread {
  number: number;
  lastSeq: number;
  trashed: boolean;
  removed: number;
  firstSeq: number;
  lease: LeaseHolder | undefined;
}

export class EntryLog {
  readonly #tail: LogTail;
  readonly #conversations: ConversationTable;
  readonly #leases: LeaseTable;
  readonly #drafts: DraftTable;
  readonly #blocks: BlockReader;
  readonly #report: (problem: Problem) => void;
  readonly #insert: Statement;
  readonly #insertIfNewest: Statement;
  readonly #forward: Statement<[number, number, number, number], EntryRow>;
  readonly #backward: Statement<[number, number, number, number], EntryRow>;
  readonly #byNumber: Statement<[number, number], EntryRow>;
  readonly #newest: Statement<[number], number>;
  readonly #threads = new Map<ConversationId, Thread>();
  /** About how much drafts added to the write-ahead log since somebody set this back. */
  draftBytes = 0;

  constructor(
    database: Database,
    parts: {
      tail: LogTail;
      conversations: ConversationTable;
      leases: LeaseTable;
      drafts: DraftTable;
      blocks: BlockReader;
      report: (problem: Problem) => void;
    },
  ) {
    this.#tail = parts.tail;
    this.#conversations = parts.conversations;
    this.#leases = parts.leases;
    this.#drafts = parts.drafts;
    this.#blocks = parts.blocks;
    this.#report = parts.report;
    const into = 'INSERT INTO entries (number, conversation, seq, at, kind, header, text, data, expires_at, checksum)';
    this.#insert = database.prepare(`${into} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    this.#insertIfNewest = database.prepare(
      `${into} SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ? WHERE (SELECT value FROM state WHERE name = 'epoch') = ?`,
    );
    const window = `SELECT p.seq, ${entryColumns} FROM positions p LEFT JOIN entries e ON e.number = p.entry
       WHERE p.conversation = ? AND p.seq > ? AND p.seq < ? ORDER BY p.seq`;
    this.#forward = database.prepare<[number, number, number, number], EntryRow>(`${window} LIMIT ?`).raw();
    this.#backward = database.prepare<[number, number, number, number], EntryRow>(`${window} DESC LIMIT ?`).raw();
    this.#byNumber = database
      .prepare<[number, number], EntryRow>(`SELECT ?, ${entryColumns} FROM entries e WHERE number = ?`)
      .raw();
    this.#newest = database
      .prepare<[number], number>('SELECT coalesce(max(seq), 0) FROM positions WHERE conversation = ?')
      .pluck();
  }

  /** Forgets what is known about conversations: another connection committed, or something but an append happened. */
  forget(): void {
    this.#threads.clear();
  }

  append(request: AppendRequest): AppendOutcome {
    const { conversationId: id, entries } = request;
    const thread = this.#threadOf(id);
    if (!thread) return { error: new ContinuoError('conversation-not-found', { id }) };
    const refusal = refuse(thread, request);
    if (refusal) return { error: refusal };
    const firstSeq = thread.lastSeq + 1;
    for (const { at, kind: kindName, header, text, data, expiresAt } of entries) {
      const seq = thread.lastSeq + 1;
      const kind = kindCodes[kindName];
      const checksum = entryChecksum({ conversation: thread.number, seq, at, kind }, header, text, data);
      const number = this.#tail.nextNumber;
      this.#insert.run(number, thread.number, seq, at, kind, header, text, data, expiresAt, checksum);
      this.#passOn(thread, number, seq, at);
    }
    if (request.draft) this.draftBytes += this.#drafts.put(thread.number, { after: thread.lastSeq, ...request.draft });
    else if (request.draft === null) this.#drafts.delete(thread.number);
    return { firstSeq };
  }

  /**
   * One entry in one statement, without a transaction around it: a third of the work. It takes effect only if this view is still the
   * newest, because another append would have taken the number and any other change would have begun an epoch. Undefined where that
   * is not so, or anything else speaks against it; then the long way finds out.
   */
  appendAlone(request: AppendRequest): AppendOutcome | undefined {
    const thread = this.#threads.get(request.conversationId);
    const [entry, ...more] = request.entries;
    if (!thread || !entry || more.length > 0 || request.draft !== undefined || this.#tail.isLong || refuse(thread, request))
      return undefined;
    const { at, header, text, data, expiresAt } = entry;
    const seq = thread.lastSeq + 1;
    const kind = kindCodes[entry.kind];
    const checksum = entryChecksum({ conversation: thread.number, seq, at, kind }, header, text, data);
    const { nextNumber: number, epoch } = this.#tail;
    try {
      const { changes } = this.#insertIfNewest.run(
        number,
        thread.number,
        seq,
        at,
        kind,
        header,
        text,
        data,
        expiresAt,
        checksum,
        epoch,
      );
      if (changes === 0) return undefined;
    } catch {
      return undefined;
    }
    this.#passOn(thread, number, seq, at);
    return { firstSeq: seq };
  }

  #passOn(thread: Thread, number: number, seq: number, at: number): void {
    thread.lastSeq = seq;
    this.#tail.add({ number, conversation: thread.number, seq, at });
  }

  read(id: ConversationId, range: EntryRange): EntryRecord[] {
    const thread = this.#threadOf(id);
    if (!thread) return [];
    const records: EntryRecord[] = [];
    const unpack = (block: number, seq: number) => this.#blocks.find(block, seq);
    const isForward = range.order === 'forward';
    let window = range;
    for (;;) {
      const rows = isForward ? this.#readForward(thread, window) : this.#readBackward(thread, window);
      let { after, before } = window;
      for (const row of rows) {
        const [seq] = row;
        // A damaged index may lead to an entry twice, or to one that was not asked for.
        if (seq <= after || seq >= before) continue;
        const record = toRecord(thread.number, row, unpack);
        if (!record) continue;
        records.push(record);
        if (isForward) after = seq;
        else before = seq;
      }
      // A damaged row took somebody's place: the page is filled up behind it.
      const last = rows.at(-1);
      const limit = range.limit - records.length;
      if (!last || limit <= 0 || rows.length < window.limit) break;
      const next = isForward ? { ...window, after: Math.max(after, last[0]) } : { ...window, before: Math.min(before, last[0]) };
      if (next.after === window.after && next.before === window.before) break;
      window = { ...next, limit };
    }
    const own = { first: thread.firstSeq, last: thread.lastSeq, removed: thread.removed };
    for (const problem of findGaps(records, range, own)) this.#report({ ...problem, conversationId: id });
    return records;
  }

  findDraft(id: ConversationId): DraftRecord | undefined {
    const thread = this.#threadOf(id);
    const draft = thread && this.#drafts.find(thread.number);
    if (draft !== 'damaged') return draft;
    this.#report({ code: 'damaged-record', conversationId: id, detail: 'its draft does not match its checksum' });
    return undefined;
  }

  #readForward(thread: Thread, range: EntryRange): EntryRow[] {
    const settled = this.#forward.all(thread.number, range.after, range.before, range.limit);
    return settled.concat(this.#readTail(thread, range.after, range.before).slice(0, range.limit - settled.length));
  }

  #readBackward(thread: Thread, range: EntryRange): EntryRow[] {
    const newest = Math.min(range.before - 1, thread.lastSeq);
    const tail = this.#readTail(thread, Math.max(range.after, newest - range.limit), range.before).reverse();
    const rest = range.limit - tail.length;
    if (rest <= 0) return tail.slice(0, range.limit);
    const settled = this.#backward.all(thread.number, range.after, range.before, rest);
    return tail.concat(settled);
  }

  #readTail(thread: Thread, after: number, before: number): EntryRow[] {
    const tail = this.#tail.threads.get(thread.number);
    if (!tail) return [];
    const from = Math.max(0, after + 1 - tail.firstSeq);
    const to = Math.max(0, before - tail.firstSeq);
    return tail.numbers.slice(from, to).map((number, i) => {
      const seq = tail.firstSeq + from + i;
      return this.#byNumber.get(seq, number) ?? missingRow(seq);
    });
  }

  #threadOf(id: ConversationId): Thread | undefined {
    const known = this.#threads.get(id);
    if (known) return known;
    const row = this.#conversations.findRow(id);
    if (!row) return undefined;
    const tail = this.#tail.threads.get(row.number);
    const thread: Thread = {
      number: row.number,
      // A damaged counter must not give out a position for the second time.
      lastSeq: tail ? tail.firstSeq + tail.numbers.length - 1 : Math.max(row.last_seq, this.#newest.get(row.number) as number),
      trashed: row.trashed_at !== null,
      removed: row.removed,
      firstSeq: (row.origin_seq ?? 0) + 1,
      lease: this.#leases.find(id),
    };
    if (this.#threads.size >= threadsKept) this.#threads.clear();
    this.#threads.set(id, thread);
    return thread;
  }
}

/** Why the append may not be; undefined where it may. */
function refuse(thread: Thread, { conversationId: id, expectedSeq, leaseToken, now }: AppendRequest): ContinuoError | undefined {
  const { lease, lastSeq, trashed } = thread;
  if (trashed) return new ContinuoError('conversation-trashed', { id });
  if (lease && lease.expiresAt > now && lease.token !== leaseToken) return lockedBy(lease);
  if (expectedSeq === undefined || expectedSeq === lastSeq) return undefined;
  return new ContinuoError('seq-conflict', { id, expected: expectedSeq, actual: lastSeq });
}

/** Stands for a row that the log does not hold. */
function missingRow(seq: number): EntryRow {
  return [seq, null, null, null, null, null, null, null, null] as unknown as EntryRow;
}
