// Keeps the index up to date with the log. The log never waits for it: everything here reads the store as anybody may, writes to a
// database of its own and works in small steps. Documents and the conversation's watermark are written in one transaction, so that
// after a crash exactly the missing entries are indexed.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, systemClock } from '../../base/clock.ts';
import { ContinuoError, isContinuoError } from '../../model/error.ts';
import type { ConversationId } from '../../model/id.ts';
import type { Progress } from '../../model/ports/store-driver.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { DocumentTable, type RemovalHook } from './document-table.ts';
import { IndexBatch } from './index-batch.ts';
import { type IndexDatabase, isIndexDamage } from './index-database.ts';
import { IndexLease } from './index-lease.ts';
import { getState } from './index-state.ts';
import { type IndexStatus, readIndexStatus } from './index-status.ts';
import { type Behind, type ReconcileOptions, reconcileAll, reconcileOne } from './reconcile.ts';
import { scrubIndex } from './scrub.ts';

export interface RecallIndexerOptions {
  store: ConversationStore;
  index: IndexDatabase;
  clock?: Clock;
  /** Told, inside the transaction, about documents that go. */
  onRemoved?: RemovalHook;
  /** Told when something became searchable or went. */
  onChange?: () => void;
  /** Told what went wrong in the background; it is tried again later. */
  onError?: (error: unknown) => void;
  /** How long to gather news before they are indexed in the background. Default 200 ms. */
  debounce?: number;
  /** How often the background looks for what was renamed, trashed, purged or expired. Default 5 minutes. */
  reconcileEvery?: number;
  /** Asked before the background makes a file anew that went: where the store went with it, nothing of it may come back. */
  mayReturn?: () => Promise<boolean>;
}

export interface CatchUpOptions {
  signal?: AbortSignal;
  /** Entries done and to do. */
  onProgress?: Progress;
  /** `recent` looks at the newest conversations only, for a quick start; default `all`. */
  scope?: 'all' | 'recent';
  /** How long to wait for another process that is indexing. Default 0. */
  wait?: number;
}

export interface CatchUpResult {
  /** Entries that were gone through. */
  entries: number;
  documents: number;
  /** False where another process is indexing and this one left it the work. */
  complete: boolean;
  /** False where bytes of what was taken out could not be overwritten yet, because another process reads them. */
  scrubbed: boolean;
}

interface Pace {
  /** At most so many documents and characters of tokens with one commit. */
  documents: number;
  characters: number;
  /** How many conversations are listed at once. */
  listed: number;
  /** How long to work before others have their turn. Milliseconds. */
  slice: number;
}

/** In the background nobody else may wait for long; whoever waits for the index wants it soon. */
const gentle: Pace = { documents: 64, characters: 50_000, listed: 50, slice: 2 };
const fast: Pace = { documents: 4000, characters: 4_000_000, listed: 500, slice: 10 };
const readAtOnce = 1000;
const retryMilliseconds = 3000;

export class RecallIndexer {
  readonly #store: ConversationStore;
  readonly #index: IndexDatabase;
  readonly #options: RecallIndexerOptions;
  readonly #clock: Clock;
  readonly #lease = new IndexLease();
  #turn: Promise<unknown> = Promise.resolve();
  #sliceEnd = 0;
  #stopping: AbortController | undefined;
  #background: Promise<void> | undefined;
  /** The connection to the file that was last brought in line with the whole list; another file has to be as well. */
  #reconciled: IndexDatabase['database'] | undefined;

  constructor(options: RecallIndexerOptions) {
    this.#store = options.store;
    this.#index = options.index;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Indexes what is missing and takes out what went. When it resolves with `complete`, everything said before is found. */
  catchUp(options: CatchUpOptions = {}): Promise<CatchUpResult> {
    return this.#inTurn(() => this.#catchUp(options, fast));
  }

  /** One conversation whose data changed: after a rename, a trash, a purge. Cheap, and at once. */
  refresh(id: ConversationId, options: Pick<CatchUpOptions, 'signal' | 'wait'> = {}): Promise<CatchUpResult> {
    return this.#inTurn(() => this.#refresh([id], gentle, options));
  }

  /** Throws the index away and makes it anew. Searches meanwhile find what is there so far. */
  async rebuild(options: Omit<CatchUpOptions, 'scope'> = {}): Promise<CatchUpResult> {
    return this.#inTurn(async () => {
      this.#index.renew('asked');
      return this.#catchUp(options, fast);
    });
  }

  /** Follows the log from now on. Keeps the process alive until {@link stop}. */
  start(): void {
    if (this.#stopping) return;
    this.#stopping = new AbortController();
    this.#background = this.#follow(this.#stopping.signal);
  }

  /** Ends what goes on in the background, after the step it is in. What is missing then is indexed next time. */
  async stop(): Promise<void> {
    this.#stopping?.abort();
    await this.#background;
    this.#stopping = undefined;
    this.#background = undefined;
  }

  /** Costs a walk over the store's list. */
  status(): Promise<IndexStatus> {
    return readIndexStatus(this.#store, this.#index.database, this.#index.path);
  }

  /** One piece of work at a time. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work, work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async #catchUp(options: CatchUpOptions, pace: Pace): Promise<CatchUpResult> {
    const { signal, onProgress, scope = 'all' } = options;
    return this.#withLease(options, async () => {
      const { database } = this.#index;
      const behind = await reconcileAll(this.#reconcileOptions(pace, signal), scope, this.#clock());
      const total = behind.reduce((sum, { conversation, watermark }) => sum + conversation.lastSeq - watermark, 0);
      onProgress?.(0, total);
      const done = await this.#indexAll(behind, pace, signal, (count) => onProgress?.(count, total));
      if (scope === 'all') this.#reconciled = database;
      return { ...done, complete: true, scrubbed: await this.#takeOut(pace, signal) };
    });
  }

  async #refresh(ids: readonly ConversationId[], pace: Pace, options: CatchUpOptions): Promise<CatchUpResult> {
    const { signal } = options;
    return this.#withLease(options, async () => {
      const behind: Behind[] = [];
      for (const id of ids) {
        const found = await reconcileOne(this.#reconcileOptions(pace, signal), id);
        if (found) behind.push(found);
      }
      const done = await this.#indexAll(behind, pace, signal);
      return { ...done, complete: true, scrubbed: await this.#takeOut(pace, signal) };
    });
  }

  /** A damaged index is made anew, once. */
  async #withLease(options: CatchUpOptions, work: () => Promise<CatchUpResult>): Promise<CatchUpResult> {
    for (let attempt = 0; ; attempt++) {
      try {
        if (!this.#index.isCurrent) this.#index.renew();
        if (!(await this.#acquire(options))) return { entries: 0, documents: 0, complete: false, scrubbed: false };
        const result = await work();
        await this.#index.write((database) => this.#lease.release(database));
        if (result.documents > 0) this.#options.onChange?.();
        return result;
      } catch (error) {
        if (attempt > 0 || !isIndexDamage(error, this.#index.path)) {
          await this.#release();
          throw error;
        }
        this.#index.renew('damaged');
      }
    }
  }

  async #acquire({ wait = 0, signal }: CatchUpOptions): Promise<boolean> {
    const deadline = performance.now() + wait;
    for (;;) {
      assertWanted(signal);
      if (await this.#index.write((database) => this.#lease.acquire(database, this.#clock()))) return true;
      if (performance.now() >= deadline) return false;
      await sleep(50);
    }
  }

  async #release(): Promise<void> {
    if (!this.#index.isOpen) return;
    await this.#index.write((database) => this.#lease.release(database)).catch(() => undefined);
  }

  async #indexAll(
    behind: readonly Behind[],
    pace: Pace,
    signal: AbortSignal | undefined,
    tell?: (entries: number) => void,
  ): Promise<{ entries: number; documents: number }> {
    const done = { entries: 0, documents: 0 };
    let batch = new IndexBatch();
    const flush = async () => {
      if (batch.isEmpty) return;
      const full = batch;
      batch = new IndexBatch();
      await this.#index.write((database) => {
        full.write(database);
        this.#lease.renew(database, this.#clock());
      });
      done.documents += full.documents;
      tell?.(done.entries);
      await this.#breathe(pace, signal);
    };
    for (const { conversation, watermark } of behind) {
      let from = watermark;
      while (from < conversation.lastSeq) {
        const to = await this.#read(conversation, from, Math.min(readAtOnce, pace.documents), batch);
        done.entries += to - from;
        from = to;
        if (batch.documents >= pace.documents || batch.characters >= pace.characters) await flush();
        else await this.#breathe(pace, signal);
      }
    }
    await flush();
    return done;
  }

  /** Adds the next entries to the batch and returns how far it got. */
  async #read(conversation: Behind['conversation'], from: number, limit: number, batch: IndexBatch): Promise<number> {
    const { id, policy, lastSeq } = conversation;
    if (policy.kind === 'none' || policy.kind === 'headers-only') {
      batch.add(conversation, from, lastSeq, [], this.#clock());
      return lastSeq;
    }
    try {
      const { items, next } = await this.#store.read(id, { after: from, limit });
      const to = next ? (items.at(-1)?.seq ?? lastSeq) : Math.max(lastSeq, items.at(-1)?.seq ?? 0);
      batch.add(conversation, from, to, items, this.#clock());
      return to;
    } catch (error) {
      // Purged meanwhile: the next reconciliation takes it out.
      if (isContinuoError(error, 'conversation-not-found')) return lastSeq;
      throw error;
    }
  }

  /** What has expired goes, and of all that went no byte stays. */
  async #takeOut(pace: Pace, signal: AbortSignal | undefined): Promise<boolean> {
    const now = this.#clock();
    if (new DocumentTable(this.#index.database).countExpired(now) > 0) {
      await this.#index.write((database) => new DocumentTable(database).removeExpired(now, this.#options.onRemoved));
    }
    if (getState(this.#index.database, 'scrub') === 0) return true;
    this.#options.onChange?.();
    return scrubIndex(this.#index, () => this.#breathe(pace, signal));
  }

  #reconcileOptions(pace: Pace, signal: AbortSignal | undefined): ReconcileOptions {
    const removed = this.#options.onRemoved;
    return { store: this.#store, index: this.#index, removed, listed: pace.listed, breathe: () => this.#breathe(pace, signal) };
  }

  async #breathe(pace: Pace, signal: AbortSignal | undefined): Promise<void> {
    assertWanted(signal);
    if (performance.now() < this.#sliceEnd) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#sliceEnd = performance.now() + pace.slice;
    assertWanted(signal);
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { debounce = 200, reconcileEvery = 5 * 60_000 } = this.#options;
    const news = new Set<ConversationId>();
    const listening = this.#listen(news, signal);
    let nextReconcile = 0;
    let told: unknown;
    while (!signal.aborted) {
      let pause = debounce;
      try {
        const isGone = !this.#index.isCurrent;
        if (isGone && !(await this.#mayReturn())) {
          await sleep(retryMilliseconds, undefined, { signal }).catch(() => undefined);
          continue;
        }
        // Whoever searches may have opened the file anew that another process put in its place.
        const isOther = isGone || this.#index.database !== this.#reconciled;
        const isDue = isOther || performance.now() >= nextReconcile;
        // Taken out before the work: what is said meanwhile is news again.
        const ids = [...news];
        news.clear();
        let done = { complete: true };
        if (isDue) done = await this.#inTurn(() => this.#catchUp({ signal }, gentle));
        else if (ids.length > 0) done = await this.#inTurn(() => this.#refresh(ids, gentle, { signal }));
        if (done.complete && isDue) nextReconcile = performance.now() + reconcileEvery;
        if (!done.complete) {
          // Another process indexes, and does our part as well; should it end, this one goes on.
          for (const id of ids) news.add(id);
          pause = retryMilliseconds;
        }
        told = undefined;
      } catch (error) {
        if (signal.aborted || isContinuoError(error, 'store-closed')) break;
        // Once, until it works again: it is tried every few seconds.
        if (String(error) !== told) this.#options.onError?.(error);
        told = String(error);
        nextReconcile = 0;
        pause = retryMilliseconds;
      }
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
    await listening;
  }

  /** The store is asked as well: one that was converted meanwhile has another key. */
  async #mayReturn(): Promise<boolean> {
    if (!((await this.#options.mayReturn?.()) ?? true)) return false;
    await this.#store.list({ limit: 1 });
    return true;
  }

  async #listen(news: Set<ConversationId>, signal: AbortSignal): Promise<void> {
    try {
      for await (const { conversationId } of this.#store.watchAll({ signal })) news.add(conversationId);
    } catch (error) {
      if (!isContinuoError(error, 'store-closed')) this.#options.onError?.(error);
    }
  }
}

function assertWanted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new ContinuoError('cancelled', {}, { cause: signal.reason });
}
