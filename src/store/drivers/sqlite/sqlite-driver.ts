// The default driver: one SQLite database in write-ahead mode. Many processes may use it at once; an acknowledged append is on disk.
import { chmod, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from 'better-sqlite3-multiple-ciphers';
import { makePrivateFolder, privateFileMode } from '../../../base/private-files.ts';
import type { Conversation, ConversationPatch } from '../../../model/conversation.ts';
import { ContinuoError } from '../../../model/error.ts';
import type { ConversationId } from '../../../model/id.ts';
import type { LeaseHolder } from '../../../model/lease.ts';
import type {
  AppendNotice,
  AppendOutcome,
  AppendRequest,
  CompressResult,
  DraftRecord,
  DriverListQuery,
  DriverStats,
  EntryRange,
  EntryRecord,
  ExpireResult,
  LeaseRequest,
  Problem,
  Progress,
  StoreDriver,
  VerifyReport,
} from '../../../model/ports/store-driver.ts';
import { toStoreError } from '../../io-fault.ts';
import { BlockReader, BlockWriter } from './cold-blocks.ts';
import { openDatabase } from './connection.ts';
import { ConversationTable } from './conversation-table.ts';
import { copyDatabase } from './copy-database.ts';
import { DraftTable } from './draft-table.ts';
import { EntryLog } from './entry-log.ts';
import { Eraser } from './eraser.ts';
import { LeaseTable } from './lease-table.ts';
import { LogTail } from './log-tail.ts';
import { mendSettledMark } from './settled-mark.ts';
import { Transactor } from './transactor.ts';
import { verifyDatabase } from './verify.ts';
import { compareWal, measureWal } from './wal-check.ts';

const databaseName = 'log.db';
const followInterval = 100;
/** Below this size the file is compacted right after a purge; above, when the user compresses. */
const compactBelow = 32 * 1024 * 1024;
/** Drafts are put many times a second: after so much of them the write-ahead log is written back, so that it can begin anew. */
const draftBytesInLog = 512 * 1024;

export interface SqliteDriverOptions {
  folder: string;
  /** 32 bytes; encrypts every page. */
  key?: Uint8Array;
  /** How long to wait for other processes' locks before `store-busy`. */
  lockTimeout?: number;
}

/** Everything that exists while the database is open. */
interface Parts {
  database: Database;
  tail: LogTail;
  conversations: ConversationTable;
  leases: LeaseTable;
  drafts: DraftTable;
  blocks: BlockReader;
  log: EntryLog;
  eraser: Eraser;
  transactor: Transactor;
}

export class SqliteDriver implements StoreDriver {
  readonly name = 'sqlite';
  readonly supports = { durable: true, shared: true, backup: true, coldCompression: true };
  onProblem?: ((problem: Problem) => void) | undefined;
  readonly #folder: string;
  readonly #path: string;
  readonly #key: Uint8Array | undefined;
  readonly #lockTimeout: number;
  readonly #listeners = new Set<(notice: AppendNotice) => void>();
  #poll: NodeJS.Timeout | undefined;
  #parts: Parts | undefined;
  #problemsAtOpen: Problem[] = [];

  constructor(options: SqliteDriverOptions) {
    this.#folder = options.folder;
    this.#path = join(options.folder, databaseName);
    this.#key = options.key;
    this.#lockTimeout = options.lockTimeout ?? 30_000;
  }

  async open(): Promise<void> {
    try {
      await makePrivateFolder(this.#folder);
      const wal = measureWal(this.#path);
      const database = openDatabase(this.#path, this.#key);
      this.#parts = this.#assemble(database);
      const alone = (look: () => Problem | undefined) => this.#whileNobodyWrites(look);
      const problems = [compareWal(database, this.#path, wal, alone), mendSettledMark(database, this.#path)];
      this.#problemsAtOpen = problems.filter((problem) => problem !== undefined);
    } catch (error) {
      throw toStoreError(error, this.#path);
    }
    for (const problem of this.#problemsAtOpen) this.onProblem?.(problem);
    await this.#read(() => undefined);
  }

  async close(): Promise<void> {
    clearInterval(this.#poll);
    this.#listeners.clear();
    this.#parts?.database.close();
    this.#parts = undefined;
  }

  insertConversation(conversation: Conversation): Promise<void> {
    return this.#write(({ conversations }) => conversations.insert(conversation));
  }

  findConversation(id: ConversationId): Promise<Conversation | undefined> {
    return this.#read(({ conversations }) => conversations.find(id));
  }

  findByKey(key: string): Promise<Conversation | undefined> {
    return this.#read(({ conversations }) => conversations.findByKey(key));
  }

  findIdsByPrefix(prefix: string, limit: number): Promise<ConversationId[]> {
    return this.#read(({ conversations }) => conversations.findIdsByPrefix(prefix, limit));
  }

  updateConversation(id: ConversationId, patch: ConversationPatch): Promise<Conversation | undefined> {
    return this.#change(({ conversations, log }) => {
      log.forget();
      return conversations.update(id, patch);
    });
  }

  listConversations(query: DriverListQuery): Promise<Conversation[]> {
    return this.#read(({ conversations }) => conversations.list(query));
  }

  async deleteConversation(id: ConversationId): Promise<boolean> {
    const deleted = await this.#change(({ tail, log, conversations, eraser, blocks }) => {
      const row = conversations.findRow(id);
      if (!row) return false;
      tail.settle();
      log.forget();
      blocks.forget();
      eraser.eraseConversation(row);
      return true;
    });
    if (deleted) await this.#scrub();
    return deleted;
  }

  async append(batch: readonly AppendRequest[]): Promise<AppendOutcome[]> {
    const alone = batch.length === 1 ? this.#open().log.appendAlone(batch[0] as AppendRequest) : undefined;
    const outcomes = alone ? [alone] : await this.#appendTogether(batch);
    if (this.#listeners.size > 0) this.#announce(batch, outcomes);
    if (this.#open().log.draftBytes > draftBytesInLog) this.#writeLogBack();
    return outcomes;
  }

  findDraft(id: ConversationId): Promise<DraftRecord | undefined> {
    return this.#read(({ log }) => log.findDraft(id));
  }

  async scrubDrafts(): Promise<void> {
    await this.#change(({ eraser }) => eraser.scrubDrafts());
    await this.#truncateWal();
  }

  #appendTogether(batch: readonly AppendRequest[]): Promise<AppendOutcome[]> {
    return this.#write(({ tail, log }) => {
      const outcomes = batch.map((request) => log.append(request));
      if (tail.isLong) tail.settle();
      return outcomes;
    });
  }

  readEntries(id: ConversationId, range: EntryRange): Promise<EntryRecord[]> {
    return this.#read(({ log }) => log.read(id, range));
  }

  async expireEntries(now: number): Promise<ExpireResult> {
    const result = await this.#change(({ tail, log, eraser }) => {
      tail.settle();
      log.forget();
      return eraser.expire(now);
    });
    if (result.withheld + result.removed > 0) await this.#truncateWal();
    return result;
  }

  countExpired(now: number): Promise<number> {
    return this.#read(({ eraser }) => eraser.countDue(now));
  }

  acquireLease(request: LeaseRequest): Promise<LeaseHolder> {
    return this.#change(({ leases, log }) => {
      log.forget();
      return leases.acquire(request);
    });
  }

  renewLease(id: ConversationId, token: string, expiresAt: number): Promise<boolean> {
    return this.#change(({ leases, log }) => {
      log.forget();
      return leases.renew(id, token, expiresAt);
    });
  }

  releaseLease(id: ConversationId, token: string): Promise<void> {
    return this.#change(({ leases, log }) => {
      log.forget();
      leases.release(id, token);
    });
  }

  findLease(id: ConversationId): Promise<LeaseHolder | undefined> {
    return this.#read(({ leases }) => leases.find(id));
  }

  follow(listener: (notice: AppendNotice) => void): () => void {
    this.#listeners.add(listener);
    this.#poll ??= setInterval(() => void this.#read(() => undefined).catch(() => undefined), followInterval).unref();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      clearInterval(this.#poll);
      this.#poll = undefined;
    };
  }

  async stats(): Promise<DriverStats> {
    const counts = await this.#read(({ conversations }) => conversations.stats());
    let bytesOnDisk = 0;
    for (const suffix of ['', '-wal']) {
      bytesOnDisk += await stat(this.#path + suffix).then(
        (file) => file.size,
        () => 0,
      );
    }
    return { ...counts, bytesOnDisk };
  }

  async verify(progress?: Progress): Promise<VerifyReport> {
    await this.#change(({ tail, log }) => {
      log.forget();
      tail.settle();
    });
    const report = await verifyDatabase({ ...this.#open(), path: this.#path }, (work) => this.#read(work), progress);
    report.problems.unshift(...this.#problemsAtOpen);
    return report;
  }

  async backup(folder: string, progress?: Progress): Promise<void> {
    this.#open();
    const target = join(folder, databaseName);
    try {
      // The copy must never be readable by others, not even while it is being written.
      await (await open(target, 'wx', privateFileMode)).close();
      await copyDatabase(this.#path, target, this.#key, progress);
      await chmod(target, privateFileMode);
      await syncFile(target);
    } catch (error) {
      throw toStoreError(error, target);
    }
  }

  async retire(work: () => Promise<void>): Promise<void> {
    this.#open();
    // A connection of its own holds the write lock, so that this one can go on reading.
    const guard = openDatabase(this.#path, this.#key);
    try {
      await new Transactor(guard, this.#path, this.#lockTimeout, { refresh() {}, reset() {} }).alone(() =>
        guard.exec('BEGIN IMMEDIATE'),
      );
      await work();
      // Without its log the database refuses every later append and draft, also from processes that have it open.
      guard.exec('DROP TABLE entries; DROP TABLE drafts; COMMIT');
    } catch (error) {
      throw toStoreError(error, this.#path);
    } finally {
      guard.close();
    }
  }

  async compressCold(before: number, progress?: Progress): Promise<CompressResult> {
    const total: CompressResult = { entries: 0, bytesBefore: 0, bytesAfter: 0 };
    const writer = new BlockWriter(this.#open().database);
    const candidates = await this.#change(({ tail, log, eraser }) => {
      log.forget();
      tail.settle();
      eraser.dropErased();
      return writer.candidates(before);
    });
    for (const [done, conversation] of candidates.entries()) {
      const packed = await this.#change(() => writer.pack(conversation, before));
      total.entries += packed.entries;
      total.bytesBefore += packed.bytesBefore;
      total.bytesAfter += packed.bytesAfter;
      progress?.(done + 1, candidates.length);
    }
    await this.#compact();
    return total;
  }

  #assemble(database: Database): Parts {
    database.function('fold', { deterministic: true }, (text: unknown) => (typeof text === 'string' ? text.toLowerCase() : null));
    const tail = new LogTail(database);
    const conversations = new ConversationTable(database, tail, this.#path);
    const leases = new LeaseTable(database);
    const blocks = new BlockReader(database);
    const drafts = new DraftTable(database);
    const report = (problem: Problem) => this.onProblem?.(problem);
    const log = new EntryLog(database, { tail, conversations, leases, drafts, blocks, report });
    const mirror = {
      refresh: () => {
        const news = tail.refresh();
        if (!news) return;
        log.forget();
        blocks.forget();
        if (news.length > 0 && this.#listeners.size > 0) this.#announceRows(database, news);
      },
      reset: () => {
        tail.reset();
        log.forget();
      },
    };
    const transactor = new Transactor(database, this.#path, this.#lockTimeout, mirror);
    const eraser = new Eraser(database, drafts);
    return { database, tail, conversations, leases, drafts, blocks, log, eraser, transactor };
  }

  #read<T>(work: (parts: Parts) => T): Promise<T> {
    const parts = this.#parts;
    if (!parts) return Promise.reject(new ContinuoError('store-closed'));
    return parts.transactor.read(() => work(parts));
  }

  /** Whatever is more than an addition to the log: appends of others must look again. */
  #change<T>(work: (parts: Parts) => T): Promise<T> {
    return this.#write((parts) => {
      const result = work(parts);
      parts.tail.beginEpoch();
      return result;
    });
  }

  #write<T>(work: (parts: Parts) => T): Promise<T> {
    const parts = this.#parts;
    if (!parts) return Promise.reject(new ContinuoError('store-closed'));
    return parts.transactor.write(() => work(parts));
  }

  #open(): Parts {
    if (!this.#parts) throw new ContinuoError('store-closed');
    return this.#parts;
  }

  /** A connection of its own holds the write lock, so that the one in use stays free for what cannot run in a transaction. */
  #whileNobodyWrites<T>(work: () => T): T {
    const guard = openDatabase(this.#path, this.#key);
    try {
      guard.pragma(`busy_timeout = ${this.#lockTimeout}`);
      guard.exec('BEGIN IMMEDIATE');
      return work();
    } finally {
      guard.close();
    }
  }

  /** Removes the traces of erased text outside the rows themselves. */
  async #scrub(): Promise<void> {
    const { size } = await stat(this.#path);
    if (size < compactBelow) {
      await this.#change(({ eraser }) => eraser.dropErased());
      await this.#compact();
    } else {
      await this.#truncateWal();
    }
  }

  async #compact(): Promise<void> {
    const { database, transactor } = this.#open();
    await transactor.alone(() => database.exec('VACUUM'));
    await this.#truncateWal();
  }

  /** As far as readers allow; whatever it cannot do now, SQLite does later. */
  #writeLogBack(): void {
    const { database, log } = this.#open();
    log.draftBytes = 0;
    try {
      database.pragma('wal_checkpoint(PASSIVE)');
    } catch {
      // What was acknowledged is in the log already: a fault here loses nothing, and the next commit meets it again.
    }
  }

  /** Old pages stay in the write-ahead log until it is cut; readers of other processes may hold that up for a moment. */
  async #truncateWal(): Promise<void> {
    const start = performance.now();
    for (;;) {
      const [state] = this.#open().database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
      if (state?.busy === 0) return;
      const waited = performance.now() - start;
      if (waited > this.#lockTimeout) throw new ContinuoError('store-busy', { path: this.#path, waited: Math.round(waited) });
      await sleep(5 + Math.random() * 20);
    }
  }

  #announce(batch: readonly AppendRequest[], outcomes: readonly AppendOutcome[]): void {
    for (const [i, { conversationId, entries }] of batch.entries()) {
      const outcome = outcomes[i];
      if (!outcome || 'error' in outcome || entries.length === 0) continue;
      for (const listener of this.#listeners) listener({ conversationId, lastSeq: outcome.firstSeq + entries.length - 1 });
    }
  }

  #announceRows(database: Database, rows: readonly { conversation: number; seq: number }[]): void {
    const newest = new Map(rows.map((row) => [row.conversation, row.seq]));
    const idOf = database.prepare<[number], ConversationId>('SELECT id FROM conversations WHERE number = ?').pluck();
    for (const [number, lastSeq] of newest) {
      const conversationId = idOf.get(number);
      if (!conversationId) continue;
      for (const listener of this.#listeners) listener({ conversationId, lastSeq });
    }
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
