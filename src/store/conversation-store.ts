// The wide store: everything a caller can ask of stored conversations, over a narrow driver. It owns validation, policy,
// redaction, encoding, forks, cursors and leases, so that every driver gives exactly the same guarantees.
// Invariant: `append` resolves after its entries are durable, and entries of one conversation keep the order of the calls.
import * as z from 'zod';
import { type Clock, systemClock } from '../base/clock.ts';
import { GroupCommit } from '../base/group-commit.ts';
import type { JsonObject } from '../base/json.ts';
import { type Conversation, type ConversationPatch, type NewConversation, newConversationSchema } from '../model/conversation.ts';
import type { Draft, Entry, NewEntry } from '../model/entry.ts';
import { ContinuoError } from '../model/error.ts';
import { type ConversationId, createConversationId, isConversationId, parseEntryId } from '../model/id.ts';
import type { LeaseHolder } from '../model/lease.ts';
import { type ConversationPage, type ListQuery, listQuerySchema } from '../model/list-query.ts';
import type {
  AppendNotice,
  AppendOutcome,
  AppendRequest,
  CompressResult,
  DriverListQuery,
  DriverStats,
  EncodedEntry,
  Problem,
  Progress,
  StoreDriver,
  VerifyReport,
} from '../model/ports/store-driver.ts';
import { type BackupManifest, type HomeLayout, writeBackup } from './backup.ts';
import { ConversationFacts } from './conversation-facts.ts';
import { decodeDraft, decodeEntry, stampEntry } from './entry-codec.ts';
import { Gate, validate } from './gate.ts';
import type { Lease, LeaseOptions } from './lease.ts';
import { LeaseDesk } from './lease-desk.ts';
import { type PlacedRecord, readLineage, stretchOf } from './lineage.ts';
import { formatListCursor, parseListCursor } from './list-cursor.ts';
import { createRedactor, type Redactor } from './redaction/redactor.ts';
import { planSweep, type SweepPlan } from './sweep.ts';
import { type WatchOptions, watchAppends, watchEntries } from './watcher.ts';

const defaultListLimit = 50;
const defaultReadLimit = 100;
const maxReadLimit = 10_000;
const pageOfWholeRead = 1000;
const defaultTrashGrace = 30 * 24 * 60 * 60 * 1000;

export interface StoreOptions {
  driver: StoreDriver;
  clock?: Clock;
  /** Masks secrets on the way in; `false` stores text as it comes. */
  redactor?: Redactor | false;
  /** How long a trashed conversation is kept before `sweep` may purge it. Default 30 days. */
  trashGrace?: number;
  /** Told about damage that is met while reading. What is undamaged is returned all the same. */
  onProblem?: (problem: Problem) => void;
  /**
   * Called before and after conversations are removed for good: whoever keeps their words in files beside the store takes those away.
   * What it throws before keeps the conversations in the trash; afterwards it finds what was written meanwhile.
   */
  onPurge?: (doomed: readonly Conversation[]) => Promise<void>;
  /** The record of what was purged, for {@link ConversationStore.wasPurged}; without it nothing is known of that. */
  wasPurged?: (name: string) => Promise<boolean>;
  /** How the home around the driver's data is laid out, for backups. */
  layout?: HomeLayout;
}

export interface AppendOptions {
  /** Refuse with `seq-conflict` unless this is the conversation's last position. */
  expectedSeq?: number;
  /** The conversation's draft goes, in the same commit where the driver can: this is what it was the beginning of. */
  endsDraft?: boolean;
}

export interface ForkOptions extends Pick<NewConversation, 'title' | 'key' | 'meta' | 'createdAt'> {
  /** The last position it shares. */
  at?: number | undefined;
}

export interface AppendResult {
  /** The entries as stored; under policy `none` the headers of events and nothing else. */
  entries: Entry[];
  /** How many secrets were masked. */
  masked: number;
}

const readOptionsSchema = z.strictObject({
  /** From the oldest on (default) or from the newest back. */
  order: z.enum(['forward', 'backward']).optional(),
  /** Only entries after this position. */
  after: z.int().optional(),
  /** Only entries before this position. */
  before: z.int().optional(),
  /** At most so many; default 100. */
  limit: z.int().min(1).max(maxReadLimit).optional(),
});

const assignmentSchema = newConversationSchema.pick({ project: true, agent: true, team: true });

/** Where a conversation belongs. `null` clears a field. */
export type Assignment = { [Field in keyof z.infer<typeof assignmentSchema>]?: string | null };

export type ReadOptions = z.infer<typeof readOptionsSchema>;

export interface EntryPage {
  items: Entry[];
  /** Options for the next page in the same direction; absent when this page was the last. */
  next?: ReadOptions;
}

export interface SweepResult {
  purged: ConversationId[];
  withheld: number;
  removed: number;
}

export class ConversationStore {
  readonly #driver: StoreDriver;
  readonly #clock: Clock;
  readonly #gate: Gate;
  readonly #leases: LeaseDesk;
  readonly #trashGrace: number;
  readonly #layout: HomeLayout;
  readonly #onPurge: NonNullable<StoreOptions['onPurge']>;
  readonly #wasPurged: NonNullable<StoreOptions['wasPurged']>;
  readonly #commits: GroupCommit<AppendRequest, AppendOutcome>;
  readonly #facts: ConversationFacts;
  readonly #closing = new AbortController();
  #appending = 0;
  #lastAppended: (() => void) | undefined;

  private constructor(options: StoreOptions) {
    this.#driver = options.driver;
    this.#facts = new ConversationFacts(options.driver);
    this.#clock = options.clock ?? systemClock;
    this.#gate = new Gate(options.redactor === false ? undefined : (options.redactor ?? createRedactor()));
    this.#leases = new LeaseDesk(options.driver, this.#clock);
    this.#trashGrace = options.trashGrace ?? defaultTrashGrace;
    this.#layout = options.layout ?? { dataFolder: 'store', companionFiles: [] };
    this.#onPurge = options.onPurge ?? (async () => undefined);
    this.#wasPurged = options.wasPurged ?? (async () => false);
    this.#commits = new GroupCommit((batch) => this.#driver.append(batch));
  }

  static async open(options: StoreOptions): Promise<ConversationStore> {
    options.driver.onProblem = options.onProblem;
    await options.driver.open();
    return new ConversationStore(options);
  }

  /** Waits for appends that were called before it, gives back leases, ends watchers and closes the driver. Safe to call twice. */
  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    if (this.#appending > 0) await new Promise<void>((resolve) => (this.#lastAppended = resolve));
    await this.#leases.releaseAll();
    await this.#driver.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  get driverName(): string {
    return this.#driver.name;
  }

  async create(input: NewConversation = {}): Promise<Conversation> {
    this.#assertOpen();
    const { createdAt, ...given } = this.#gate.admitConversation(input);
    const now = this.#clock();
    const conversation: Conversation = {
      id: createConversationId(now),
      ...withoutUndefined(given),
      tags: unique(given.tags ?? []),
      pinned: given.pinned ?? false,
      policy: given.policy ?? { kind: 'full' },
      meta: given.meta ?? {},
      createdAt: createdAt ?? now,
      activeAt: createdAt ?? now,
      lastSeq: 0,
    };
    await this.#driver.insertConversation(conversation);
    return conversation;
  }

  /** By id or by key; undefined where there is none. */
  async find(idOrKey: string): Promise<Conversation | undefined> {
    this.#assertOpen();
    return isConversationId(idOrKey) ? this.#driver.findConversation(idOrKey) : this.#driver.findByKey(idOrKey);
  }

  /** By id or by key; `conversation-not-found` where there is none. */
  async get(idOrKey: string): Promise<Conversation> {
    const conversation = await this.find(idOrKey);
    if (!conversation) throw new ContinuoError('conversation-not-found', { id: idOrKey });
    return conversation;
  }

  /** The one conversation whose id begins with the given text (`cnv_` may be left out), or whose key it is. */
  async resolve(idPrefixOrKey: string): Promise<Conversation> {
    const exact = await this.find(idPrefixOrKey);
    if (exact) return exact;
    const prefix = idPrefixOrKey.startsWith('cnv_') ? idPrefixOrKey : `cnv_${idPrefixOrKey.toLowerCase()}`;
    const ids = prefix.length > 'cnv_'.length ? await this.#driver.findIdsByPrefix(prefix, 100) : [];
    if (ids.length > 1) throw new ContinuoError('ambiguous-id', { prefix: idPrefixOrKey, count: ids.length, ids });
    if (ids[0] === undefined) throw new ContinuoError('conversation-not-found', { id: idPrefixOrKey });
    return this.get(ids[0]);
  }

  async list(query: ListQuery = {}): Promise<ConversationPage> {
    this.#assertOpen();
    const { cursor, limit = defaultListLimit, ...filters } = validate('query', listQuerySchema, query);
    const asked: DriverListQuery = { ...withoutUndefined(filters), limit: limit + 1 };
    if (cursor !== undefined) asked.after = parseListCursor(cursor);
    const found = await this.#driver.listConversations(asked);
    const items = found.slice(0, limit);
    const last = items.at(-1);
    return found.length > limit && last ? { items, nextCursor: formatListCursor(last) } : { items };
  }

  /**
   * Makes the entries durable and returns them as stored. All or none: only where a process is killed in the middle, the jsonl driver
   * may keep the first of several that were not acknowledged.
   */
  append(id: ConversationId, entries: NewEntry | readonly NewEntry[], options: AppendOptions = {}): Promise<AppendResult> {
    return this.#whileOpen(() => this.#append(id, Array.isArray(entries) ? entries : [entries as NewEntry], options));
  }

  async #append(id: ConversationId, entries: readonly NewEntry[], options: AppendOptions): Promise<AppendResult> {
    const known = this.#facts.of(id);
    const { policy } = known instanceof Promise ? await known : known;
    const now = this.#clock();
    const admitted = this.#gate.admitEntries(entries, policy, now);
    const { encoded, masked } = admitted;
    // Where no words may be kept there is no draft either.
    const endsDraft = options.endsDraft === true && policy.kind !== 'none' && policy.kind !== 'headers-only';
    if (encoded.length === 0 && !endsDraft) return { entries: [], masked };
    const request: AppendRequest = { conversationId: id, entries: encoded, isCanonical: true, now };
    if (options.expectedSeq !== undefined) request.expectedSeq = options.expectedSeq;
    if (endsDraft) request.draft = null;
    const firstSeq = await this.#commit(request);
    const stored = admitted.entries.map((entry, i) => stampEntry(id, firstSeq + i, entry, encoded[i] as EncodedEntry));
    return { entries: stored, masked };
  }

  async #commit(request: AppendRequest): Promise<number> {
    const leaseToken = this.#leases.tokenFor(request.conversationId);
    if (leaseToken !== undefined) request.leaseToken = leaseToken;
    const outcome = await this.#commits.submit(request);
    if ('error' in outcome) throw outcome.error;
    return outcome.firstSeq;
  }

  /** Counts what is under way, so that closing can wait for it. */
  async #whileOpen<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#assertOpen();
    this.#appending += 1;
    try {
      return await work();
    } finally {
      this.#appending -= 1;
      if (this.#appending === 0) this.#lastAppended?.();
    }
  }

  /**
   * Makes an answer durable while it is still being said; takes the place of the draft before it. Refused like an append. Under
   * policies that keep no words it does nothing.
   */
  putDraft(id: ConversationId, draft: NewEntry): Promise<void> {
    return this.#whileOpen(async () => {
      const known = this.#facts.of(id);
      const { policy } = known instanceof Promise ? await known : known;
      const now = this.#clock();
      const [encoded] = this.#gate.admitEntries([draft], policy, now).encoded;
      if (encoded && encoded.text !== null) await this.#commit({ conversationId: id, entries: [], draft: encoded, now });
    });
  }

  /** What was last put of an answer that was not ended: it is being written, or whoever wrote it is gone. */
  async findDraft(id: ConversationId): Promise<Draft | undefined> {
    this.#assertOpen();
    const found = await this.#driver.findDraft(id);
    return found && decodeDraft(id, found);
  }

  /** Takes the draft away, so that no byte of it remains. Refused like an append. */
  deleteDraft(id: ConversationId): Promise<void> {
    return this.#whileOpen(async () => {
      await this.#commit({ conversationId: id, entries: [], draft: null, now: this.#clock() });
      await this.#driver.scrubDrafts();
    });
  }

  /** One page of entries, in the order asked for. */
  async read(id: ConversationId, options: ReadOptions = {}): Promise<EntryPage> {
    this.#assertOpen();
    const { order = 'forward', ...places } = validate('read options', readOptionsSchema, options);
    const limit = places.limit ?? defaultReadLimit;
    const range = { after: places.after ?? 0, before: places.before ?? Number.MAX_SAFE_INTEGER, order };
    const { lineage } = await this.#facts.of(id);
    const found = await readLineage(this.#driver, lineage, { ...range, limit: limit + 1 });
    // What a fork shares is there also when the fork itself was purged by another process.
    if (found.length === 0 || lineage.length > 1) await this.get(id);
    const items = found.slice(0, limit).map(decodePlaced);
    const last = items.at(-1);
    if (found.length <= limit || !last) return { items };
    const place = order === 'forward' ? { after: last.seq } : { before: last.seq };
    return { items, next: { ...options, ...place } };
  }

  /** The newest entries, oldest of them first. Costs the same however long the conversation is. */
  async tail(id: ConversationId, count: number): Promise<Entry[]> {
    const page = await this.read(id, { order: 'backward', limit: count });
    return page.items.reverse();
  }

  /** Every entry, page by page, for callers that really want the whole conversation. */
  async *readAll(id: ConversationId): AsyncGenerator<Entry> {
    let options: ReadOptions | undefined = { limit: pageOfWholeRead };
    while (options) {
      const page: EntryPage = await this.read(id, options);
      yield* page.items;
      options = page.next;
    }
  }

  async findEntry(entryId: string): Promise<Entry | undefined> {
    this.#assertOpen();
    const { conversationId, seq } = parseEntryId(entryId);
    const range = { after: seq - 1, before: seq + 1, limit: 1, order: 'forward' } as const;
    const [record] = await this.#driver.readEntries(conversationId, range);
    return record && decodeEntry(conversationId, record);
  }

  async rename(id: ConversationId, title: string): Promise<Conversation> {
    const { title: valid } = validate('title', newConversationSchema, { title });
    return this.#update(id, { title: valid ? this.#gate.redactText(valid) : null });
  }

  /** Adds and removes tags; the others stay. */
  async tag(id: ConversationId, change: { add?: readonly string[]; remove?: readonly string[] }): Promise<Conversation> {
    const { tags: added = [] } = this.#gate.admitConversation({ tags: [...(change.add ?? [])] });
    return this.#update(id, { addTags: added, removeTags: change.remove ?? [] });
  }

  async pin(id: ConversationId, pinned = true): Promise<Conversation> {
    return this.#update(id, { pinned });
  }

  /** Says where it belongs: the given fields change, `null` clears one, the others stay. */
  async assign(id: ConversationId, change: Assignment): Promise<Conversation> {
    const given = Object.entries(withoutUndefined(change));
    const named = Object.fromEntries(given.filter(([, value]) => value !== null));
    const { project, agent, team } = this.#gate.admitConversation(validate('assignment', assignmentSchema, named));
    const cleared = Object.fromEntries(given.filter(([, value]) => value === null));
    validate('assignment', assignmentSchema.keyof().array(), Object.keys(cleared));
    return this.#update(id, { ...withoutUndefined({ project, agent, team }), ...cleared });
  }

  /** Replaces the conversation's free-form data. */
  async putMeta(id: ConversationId, meta: NonNullable<NewConversation['meta']>): Promise<Conversation> {
    const clean = this.#gate.admitConversation({ meta });
    return this.#update(id, { meta: clean.meta ?? {} });
  }

  /** Sets fields of the conversation's free-form data, `null` removes one; the others stay, whoever writes them meanwhile. */
  async mergeMeta(id: ConversationId, changes: JsonObject): Promise<Conversation> {
    const clean = this.#gate.admitConversation({ meta: changes });
    return this.#update(id, { mergeMeta: clean.meta ?? {} });
  }

  /** A new conversation that shares everything up to and including the position (default: all there is so far). */
  async fork(id: ConversationId, options: ForkOptions = {}): Promise<Conversation> {
    const origin = await this.get(id);
    const seq = options.at ?? origin.lastSeq;
    if (!Number.isInteger(seq) || seq < 0 || seq > origin.lastSeq) {
      throw new ContinuoError('entry-not-found', { id, entry: String(seq) });
    }
    const { lineage } = await this.#facts.of(id);
    // Point at the conversation that really holds the entry, so that only a true dependence keeps it from being purged.
    const holder = stretchOf(lineage, seq)?.id ?? id;
    const { title = origin.title, ...given } = options;
    const { key, meta, createdAt } = this.#gate.admitConversation(withoutUndefined({ ...given, at: undefined }));
    const { key: _key, trashedAt: _trashed, forkedFrom: _from, ...inherited } = origin;
    const now = this.#clock();
    const conversation: Conversation = {
      ...inherited,
      ...withoutUndefined({ key, meta }),
      id: createConversationId(now),
      pinned: false,
      createdAt: createdAt ?? now,
      activeAt: createdAt ?? now,
      lastSeq: seq,
      forkedFrom: { id: holder, seq },
    };
    if (title !== undefined) conversation.title = this.#gate.redactText(title);
    await this.#driver.insertConversation(conversation);
    return conversation;
  }

  /**
   * Puts a conversation aside: it leaves the lists, refuses appends, and can be restored until it is purged.
   * `releaseKey` lets another conversation take its key meanwhile; `meta` sets fields of its free-form data in the same
   * step. The grace period runs from `at`, or from now; that of a conversation in the trash already goes on.
   */
  async trash(id: ConversationId, options: { releaseKey?: boolean; meta?: JsonObject; at?: number } = {}): Promise<Conversation> {
    const { trashedAt } = await this.get(id);
    const patch: ConversationPatch = { trashedAt: trashedAt ?? options.at ?? this.#clock() };
    if (options.releaseKey) patch.key = null;
    if (options.meta) patch.mergeMeta = this.#gate.admitConversation({ meta: options.meta }).meta ?? {};
    return this.#update(id, patch);
  }

  async restore(id: ConversationId): Promise<Conversation> {
    return this.#update(id, { trashedAt: null });
  }

  /** When a conversation trashed at the given moment may be purged by `sweep`. */
  purgeDate(trashedAt: number): number {
    return trashedAt + this.#trashGrace;
  }

  /** Removes a trashed conversation for good, with its forks if told so. Returns what was removed. */
  async purge(id: ConversationId, options: { withForks?: boolean } = {}): Promise<ConversationId[]> {
    const doomed = await this.#planPurge(id, options.withForks === true);
    await this.#onPurge(doomed);
    await this.#delete(doomed);
    await this.#onPurge(doomed);
    return doomed.map((each) => each.id);
  }

  /**
   * Whether what has this name was purged on purpose: whoever would bring it back asks first. Only imports are recorded, by their keys;
   * one whose purge was interrupted may be both here and recorded.
   */
  async wasPurged(name: string): Promise<boolean> {
    this.#assertOpen();
    return this.#wasPurged(name);
  }

  async #planPurge(id: ConversationId, withForks: boolean): Promise<Conversation[]> {
    const conversation = await this.get(id);
    if (conversation.trashedAt === undefined) throw new ContinuoError('not-in-trash', { id });
    const forks = await this.#forksOf(id);
    if (forks.length > 0 && !withForks) {
      throw new ContinuoError('has-forks', { id, count: forks.length, forks: forks.map((fork) => fork.id) });
    }
    return [...forks.reverse(), conversation];
  }

  /** What `sweep` would do now. */
  async planSweep(): Promise<SweepPlan> {
    const list = (query: ListQuery) => this.list(query);
    return planSweep(this.#driver, { list, now: this.#clock(), trashGrace: this.#trashGrace });
  }

  /** Purges what stayed in the trash past its grace period and takes away text whose time is up. */
  async sweep(): Promise<SweepResult> {
    const plan = await this.planSweep();
    if (plan.purge.length > 0) await this.#onPurge(plan.purge);
    // Planned anew one by one: somebody may have restored or forked it since.
    for (const { id } of plan.purge) await this.#delete(await this.#planPurge(id, false));
    if (plan.purge.length > 0) await this.#onPurge(plan.purge);
    const purged = plan.purge.map(({ id }) => id);
    const expired = plan.expiring > 0 ? await this.#driver.expireEntries(this.#clock()) : { withheld: 0, removed: 0 };
    return { purged, ...expired };
  }

  /** The right to be the only writer. Appends by this store then carry it; others get `conversation-locked`. */
  async acquireLease(id: ConversationId, options: LeaseOptions = {}): Promise<Lease> {
    await this.get(id);
    return this.#leases.acquire(id, options);
  }

  /** Who holds the conversation now. */
  async findLease(id: ConversationId): Promise<LeaseHolder | undefined> {
    const holder = await this.#driver.findLease(id);
    return holder && holder.expiresAt > this.#clock() ? holder : undefined;
  }

  /** New entries of a conversation as they become durable, also those of other processes. */
  async *watch(id: ConversationId, options: WatchOptions = {}): AsyncGenerator<Entry> {
    const { lastSeq } = await this.get(id);
    const readAfter = async (seq: number) => (await this.read(id, { after: seq })).items;
    yield* watchEntries(this.#driver, id, options.after ?? lastSeq, readAfter, this.#untilClosed(options.signal));
  }

  /** Which conversations grow, whoever writes. */
  async *watchAll(options: Pick<WatchOptions, 'signal'> = {}): AsyncGenerator<AppendNotice> {
    this.#assertOpen();
    yield* watchAppends(this.#driver, this.#untilClosed(options.signal));
  }

  async stats(): Promise<DriverStats> {
    this.#assertOpen();
    return this.#driver.stats();
  }

  async verify(progress?: Progress): Promise<VerifyReport> {
    this.#assertOpen();
    return this.#driver.verify(progress);
  }

  /** A consistent copy in a new folder, while others go on writing. `restoreBackup` turns it into a store again. */
  async backup(folder: string, progress?: Progress): Promise<BackupManifest> {
    this.#assertOpen();
    return writeBackup(this.#driver, { ...this.#layout, folder, now: this.#clock() }, progress);
  }

  /** Packs text said before the moment. Nothing that is read changes. */
  async compressCold(before: number, progress?: Progress): Promise<CompressResult> {
    this.#assertOpen();
    return this.#driver.compressCold(before, progress);
  }

  async #update(id: ConversationId, patch: ConversationPatch): Promise<Conversation> {
    this.#assertOpen();
    const updated = await this.#driver.updateConversation(id, patch);
    if (!updated) throw new ContinuoError('conversation-not-found', { id });
    return updated;
  }

  async #delete(doomed: readonly Conversation[]): Promise<void> {
    for (const { id } of doomed) {
      await this.#driver.deleteConversation(id);
      this.#facts.forget(id);
    }
  }

  /** Direct and indirect forks, origins before their forks. */
  async #forksOf(id: ConversationId): Promise<Conversation[]> {
    const forks: Conversation[] = [];
    let cursor: string | undefined;
    do {
      const page: ConversationPage = await this.list({
        forkedFrom: id,
        trash: 'include',
        ...(cursor !== undefined && { cursor }),
      });
      for (const fork of page.items) forks.push(fork, ...(await this.#forksOf(fork.id)));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return forks;
  }

  #untilClosed(signal: AbortSignal | undefined): AbortSignal {
    return signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal;
  }

  #assertOpen(): void {
    if (this.#closing.signal.aborted) throw new ContinuoError('store-closed');
  }
}

function decodePlaced({ conversationId, record }: PlacedRecord): Entry {
  return decodeEntry(conversationId, record);
}

function unique(tags: readonly string[]): string[] {
  return [...new Set(tags)];
}

/** The same object without fields that are present but undefined, as exact optional types want it. */
function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as never;
}
