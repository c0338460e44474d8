// One append-only file of lines per conversation, readable with any text tool (unless sealed), and safe between processes.
// The files are the truth; the coordination file only orders turns and speeds up finding.
import { makePrivateFolder } from '../../../base/private-files.ts';
import type { Conversation, ConversationPatch } from '../../../model/conversation.ts';
import { ContinuoError, isContinuoError } from '../../../model/error.ts';
import type { ConversationId } from '../../../model/id.ts';
import type { LeaseHolder } from '../../../model/lease.ts';
import type { Sealer } from '../../../model/ports/sealer.ts';
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
import { findGaps } from '../../entry-gaps.ts';
import { toStoreError } from '../../io-fault.ts';
import { appendBatch } from './append.ts';
import { Catalogue } from './catalogue.ts';
import { deleteLog, insertLog, updateLog } from './conversation-writer.ts';
import { Coordination, type Turn } from './coordination.ts';
import { copyLogs } from './copy-logs.ts';
import { DraftFiles } from './draft-files.ts';
import { readRange } from './entry-reader.ts';
import { countExpired, expireEntries } from './expiry.ts';
import { Follower } from './follower.ts';
import type { Head } from './head.ts';
import { acquireLease, dropLease, findLease, releaseLease, renewLease } from './leases.ts';
import { createLineCodec } from './line-codec.ts';
import { listConversations } from './list.ts';
import { LogFinder } from './log-finder.ts';
import { checkFolder, keyedFolder, LogPaths, makeParents, unkeyedFolder } from './log-path.ts';
import { Syncer } from './log-writer.ts';
import { OpenLogs } from './open-logs.ts';
import { reconcile, reconcileAfterOpen } from './reconcile.ts';
import { measureStore } from './stats.ts';
import { verifyStore } from './verify.ts';

export interface JsonlDriverOptions {
  /** Where the files are kept; made where it is missing. */
  folder: string;
  /** Seals every line and hides keys from file names. */
  sealer?: Sealer;
  /** How long to wait for other processes, in milliseconds, before `store-busy`. Default 30000. */
  lockTimeout?: number;
}

export class JsonlDriver implements StoreDriver {
  readonly name = 'jsonl';
  readonly supports = { durable: true, shared: true, backup: true, coldCompression: false };
  onProblem?: ((problem: Problem) => void) | undefined;
  readonly #room: Room;
  readonly #follower: Follower;
  #isOpen = false;

  constructor(options: JsonlDriverOptions) {
    this.#room = furnish(options);
    this.#follower = new Follower(this.#room.coordination, this.#room.catalogue, () => this.#refresh());
  }

  async open(): Promise<void> {
    if (this.#isOpen) return;
    const { folder, coordination, drafts } = this.#room;
    try {
      await makePrivateFolder(folder);
      checkFolder(folder);
      drafts.hasFolder();
      for (const top of [unkeyedFolder, keyedFolder]) makeParents(folder, `${top}/`);
      await coordination.open();
      this.#isOpen = true;
      await this.#run(() => reconcileAfterOpen(this.#room));
    } catch (error) {
      this.#isOpen = false;
      await coordination.close();
      throw toStoreError(error, folder);
    }
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#follower.stop();
    await this.#room.coordination.close();
    this.#room.logs.close();
  }

  insertConversation(conversation: Conversation): Promise<void> {
    return this.#write((turn) => insertLog(conversation, turn, this.#room));
  }

  findConversation(id: ConversationId): Promise<Conversation | undefined> {
    return this.#run(async () => structuredClone((await this.#room.finder.find(id))?.head.conversation));
  }

  findByKey(key: string): Promise<Conversation | undefined> {
    const { logs, paths } = this.#room;
    return this.#run(() => structuredClone(logs.head(paths.forKey(key))?.conversation));
  }

  findIdsByPrefix(prefix: string, limit: number): Promise<ConversationId[]> {
    return this.#run(() => this.#room.catalogue.findIds(prefix, limit));
  }

  updateConversation(id: ConversationId, patch: ConversationPatch): Promise<Conversation | undefined> {
    return this.#write(async (turn) => structuredClone(await updateLog(id, patch, turn, this.#room)), [id]);
  }

  listConversations(query: DriverListQuery): Promise<Conversation[]> {
    return this.#run(() => listConversations(query, this.#room));
  }

  deleteConversation(id: ConversationId): Promise<boolean> {
    const remove = (turn: Turn) => {
      dropLease(turn.connection, id);
      return deleteLog(id, turn, this.#room);
    };
    return this.#write(remove, [id]);
  }

  async append(batch: readonly AppendRequest[]): Promise<AppendOutcome[]> {
    const ids = batch.map((request) => request.conversationId);
    const work = (turn: Turn) => appendBatch(batch, turn, this.#room);
    const { outcomes, notices, endedDrafts } = await this.#write(work, ids);
    queueMicrotask(() => this.#follower.tell(notices));
    if (endedDrafts.size > 0) await this.#removeEnded(endedDrafts);
    return outcomes;
  }

  /** The entries are durable, and that is what counts: a draft that cannot be removed is told from them by whoever finds it. */
  async #removeEnded(seen: ReadonlyMap<ConversationId, number>): Promise<void> {
    await this.#write(() => this.#room.drafts.removeSeen(seen)).catch(() => undefined);
  }

  findDraft(id: ConversationId): Promise<DraftRecord | undefined> {
    const { drafts, finder } = this.#room;
    return this.#run(async () => {
      if (!(await finder.find(id))) return undefined;
      let found = drafts.find(id);
      // Somebody may be writing both of its files, one after the other, while they are read.
      if (found === 'unreadable') found = await this.#room.coordination.locked(() => drafts.find(id));
      return found === 'unreadable' ? undefined : found?.draft;
    });
  }

  /** Files that were removed leave nothing behind. */
  async scrubDrafts(): Promise<void> {}

  readEntries(id: ConversationId, range: EntryRange): Promise<EntryRecord[]> {
    const { finder, logs, codec } = this.#room;
    return this.#run(async () => {
      const found = finder.findKnown(id) ?? (await finder.find(id));
      if (!found) return [];
      const records = readRange(logs.reader(found.path, found.head), found.head, range, codec);
      this.#reportGaps(id, records, range, found.head);
      return records;
    });
  }

  expireEntries(now: number): Promise<ExpireResult> {
    return this.#run(() => expireEntries(now, this.#room));
  }

  countExpired(now: number): Promise<number> {
    return this.#run(() => countExpired(now, this.#room));
  }

  acquireLease(request: LeaseRequest): Promise<LeaseHolder> {
    return this.#write(({ connection }) => acquireLease(connection, request));
  }

  renewLease(id: ConversationId, token: string, expiresAt: number): Promise<boolean> {
    return this.#write(({ connection }) => renewLease(connection, id, token, expiresAt));
  }

  releaseLease(id: ConversationId, token: string): Promise<void> {
    return this.#write(({ connection }) => releaseLease(connection, id, token));
  }

  findLease(id: ConversationId): Promise<LeaseHolder | undefined> {
    return this.#run(() => findLease(this.#room.coordination.reader, id));
  }

  follow(listener: (notice: AppendNotice) => void): () => void {
    if (!this.#isOpen) throw new ContinuoError('store-closed');
    return this.#follower.follow(listener);
  }

  stats(): Promise<DriverStats> {
    return this.#run(() => measureStore(this.#room));
  }

  verify(progress?: Progress): Promise<VerifyReport> {
    return this.#run(() => verifyStore(this.#room, progress));
  }

  backup(folder: string, progress?: Progress): Promise<void> {
    return this.#run(() => copyLogs(this.#room, folder, progress));
  }

  /** Whoever wants to write later takes a turn first, and finds that the coordination file is gone with its folder. */
  retire(work: () => Promise<void>): Promise<void> {
    return this.#run(() => this.#room.coordination.locked(work));
  }

  async compressCold(): Promise<CompressResult> {
    throw new ContinuoError('not-supported', { driver: this.name, what: 'compress old text' });
  }

  #reportGaps(id: ConversationId, records: readonly EntryRecord[], range: EntryRange, head: Head): void {
    if (!this.onProblem) return;
    const own = { first: head.base + 1, last: head.conversation.lastSeq, removed: head.removed };
    for (const problem of findGaps(records, range, own)) this.onProblem({ ...problem, conversationId: id });
  }

  /** Runs the work in a turn of its own. Conversations it names are looked for beforehand: that may need a turn itself. */
  #write<Result>(work: (turn: Turn) => Promise<Result> | Result, ids: readonly ConversationId[] = []): Promise<Result> {
    return this.#run(async () => {
      for (const id of new Set(ids)) await this.#lookFor(id);
      return this.#room.coordination.locked(work);
    });
  }

  async #lookFor(id: ConversationId): Promise<void> {
    try {
      await this.#room.finder.prepare(id);
    } catch (error) {
      // The work itself decides what damage means for it.
      if (!isContinuoError(error, 'store-damaged') && !isContinuoError(error, 'unsafe-path')) throw error;
    }
  }

  /** Where the coordination file was thrown away, what it said is found out again. */
  async #refresh(): Promise<void> {
    if (await this.#room.coordination.refresh()) await reconcile(this.#room, 'names');
  }

  /** Every fault leaves here coded. Damage of the coordination file is mended on the way: it can be made again from the files. */
  async #run<Result>(work: () => Promise<Result> | Result): Promise<Result> {
    if (!this.#isOpen) throw new ContinuoError('store-closed');
    const { folder, coordination } = this.#room;
    try {
      await this.#refresh();
      return await work();
    } catch (error) {
      if (!coordination.isDamage(error)) throw toStoreError(error, faultPath(error) ?? folder);
    }
    try {
      await coordination.replace();
      await reconcile(this.#room, 'names');
      return await work();
    } catch (error) {
      throw toStoreError(error, faultPath(error) ?? folder);
    }
  }
}

export type Room = ReturnType<typeof furnish>;

function furnish({ folder, sealer, lockTimeout = 30_000 }: JsonlDriverOptions) {
  const codec = createLineCodec(sealer);
  const paths = new LogPaths(sealer);
  const coordination = new Coordination(folder, lockTimeout);
  const catalogue = new Catalogue(coordination);
  const logs = new OpenLogs({ folder, paths, codec, acknowledged: (path) => catalogue.findByPath(path) });
  const syncer = new Syncer();
  const drafts = new DraftFiles({ folder, codec, syncer });
  const shelf = { folder, paths, codec, coordination, catalogue, logs, syncer, drafts };
  const finder = new LogFinder(shelf);
  return { ...shelf, finder, locate: (id: ConversationId) => finder.findKnown(id) };
}

function faultPath(error: unknown): string | undefined {
  const path = (error as NodeJS.ErrnoException).path;
  return typeof path === 'string' ? path : undefined;
}
