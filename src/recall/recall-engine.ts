// Recall over the index: finds, keeps the index up to date, and stays useful without one. The index is a derivative; where it cannot be
// opened the log itself is gone through, slower and by words alone, and whoever listens is told.
import { join } from 'node:path';
import { type Clock, systemClock } from '../base/clock.ts';
import { ContinuoError, isContinuoError } from '../model/error.ts';
import type { Recall, RecallAnswer, RecallQuery } from '../model/ports/recall.ts';
import type { Progress } from '../model/ports/store-driver.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import { loadHome } from '../store/home.ts';
import { EmbedderSlot, type EmbedderSource } from './embedders/embedder-slot.ts';
import { IndexDatabase, type IndexNotice, isIndexDamage } from './index/index-database.ts';
import type { IndexStatus } from './index/index-status.ts';
import { type CatchUpResult, RecallIndexer } from './index/indexer.ts';
import { type EmbeddingRunProgress, EmbeddingWorker } from './recall-engine-embedding.ts';
import { Freshness } from './recall-engine-freshness.ts';
import { createScanRecall } from './scan-recall.ts';
import { CandidateSource } from './search/candidates.ts';
import { checkQuery } from './search/check-query.ts';
import { searchConversations } from './search/search.ts';
import type { RecallThresholds, RecallWeights } from './search/weights.ts';
import { removeVectors } from './vectors/semantic-search.ts';
import { VectorIndex } from './vectors/vector-index.ts';
import { VectorModels } from './vectors/vector-models.ts';
import { openVisibility, type PrivateProjects } from './visibility.ts';

export interface RecallEngineOptions {
  store: ConversationStore;
  /** The home folder: the index is `index.db` in it. */
  folder: string;
  /** The raw key of the store, where it is encrypted. */
  key?: Uint8Array;
  /** Without one recall goes by words alone. One that has to be opened is opened when vectors are needed. */
  embedder?: EmbedderSource;
  /** The one before, which goes on answering until everything is embedded with the new one. */
  formerEmbedder?: EmbedderSource;
  /** Whether a search sees to vectors that are missing, as long as its patience lasts: for embedders that are very fast. */
  embedsInSearch?: boolean;
  /** Projects that are shown only to who asks from themselves, by key or by plain path. */
  privateProjects?: PrivateProjects;
  clock?: Clock;
  /** Told what went wrong; recall goes on as well as it can. */
  onProblem?: (problem: RecallProblem) => void;
  /** Milliseconds a search may wait for the index to catch up. Default 150. */
  patience?: number;
  weights?: RecallWeights;
  thresholds?: RecallThresholds;
  /** The cosine from which on a passage is near enough by its meaning alone; otherwise found out for the embedder. */
  leastSimilarity?: number;
}

export interface RecallProblem {
  /**
   * The index cannot be opened, and the log is gone through instead; it was thrown away and fills again; keeping it up to date failed
   * and is tried again; the embedder does not answer, and words alone count.
   */
  what: 'index-unavailable' | 'index-replaced' | 'indexing-failed' | 'embedding-failed';
  why?: IndexNotice['why'];
  error?: unknown;
}

export interface CatchUpOptions {
  signal?: AbortSignal;
  /** Entries gone through and to go through. */
  onProgress?: Progress;
  /** False leaves the vectors to a later run. */
  vectors?: boolean;
  /** Vectors made in this run. */
  onEmbedding?: (progress: EmbeddingRunProgress) => void;
  /** How long to wait for another process that is indexing. Default 0. */
  wait?: number;
}

export interface RecallStatus {
  /** Absent where the index cannot be opened. */
  index?: IndexStatus;
  /** Present where there is an embedder: its model, how many documents have a vector, and how many indexed ones were not looked at yet. */
  vectors?: { model: string; documents: number; behind: number };
}

interface Parts {
  index: IndexDatabase;
  indexer: RecallIndexer;
  source: CandidateSource;
  freshness: Freshness;
  embedding: EmbeddingWorker | undefined;
}

const indexFile = 'index.db';
const defaultPatience = 150;

export class RecallEngine implements Recall {
  readonly #options: RecallEngineOptions;
  readonly #clock: Clock;
  readonly #scan: Recall;
  readonly #embedder: EmbedderSlot | undefined;
  /** Undefined where there is no index. */
  readonly #parts: Parts | undefined;
  readonly #closing = new AbortController();
  /** When the home was made; undefined where the folder is none. */
  readonly #homeMadeAt: number | undefined;
  /** Why there is no index, where there is none. */
  #missing: unknown;
  #hasToldOfNewer = false;
  #hasToldOfWriting = false;

  private constructor(options: RecallEngineOptions, index: IndexDatabase | undefined, homeMadeAt?: number) {
    this.#options = options;
    this.#homeMadeAt = homeMadeAt;
    this.#clock = options.clock ?? systemClock;
    const { store, privateProjects } = options;
    this.#embedder = options.embedder && new EmbedderSlot(options.embedder);
    this.#scan = createScanRecall(store, { clock: this.#clock, ...(privateProjects && { privateProjects }) });
    this.#parts = index && this.#createParts(index);
  }

  /** Fails only where the caller is wrong; an index that cannot be opened is told to `onProblem`. */
  static async open(options: RecallEngineOptions): Promise<RecallEngine> {
    const { folder, key, onProblem } = options;
    let engine: RecallEngine | undefined;
    const onNotice = ({ why }: IndexNotice) => {
      if (engine) engine.#replaced();
      if (why !== 'asked') onProblem?.({ what: 'index-replaced', why });
    };
    try {
      const index = await IndexDatabase.open({ path: join(folder, indexFile), ...(key && { key }), onNotice });
      engine = new RecallEngine(options, index, await findMadeAt(folder));
    } catch (error) {
      engine = new RecallEngine(options, undefined);
      engine.#missing = error;
      engine.#tell({ what: 'index-unavailable', error });
    }
    return engine;
  }

  /** An empty text asks for the newest exchanges. */
  async find(query: RecallQuery): Promise<RecallAnswer> {
    this.#assertOpen();
    checkQuery(query);
    if (query.signal?.aborted) throw new ContinuoError('cancelled', {}, { cause: query.signal.reason });
    const parts = this.#parts;
    if (query.text.trim() === '') return this.#scan.find(query);
    if (!parts) return this.#scanFor(query, this.#missing);
    try {
      return await this.#search(parts, query);
    } catch (error) {
      if (isContinuoError(error, 'cancelled') || this.#closing.signal.aborted || !isIndexFault(error, parts)) throw error;
      const isWriting = isWriteRefused(error, parts.index.path);
      if (!isWriting || !this.#hasToldOfWriting) this.#tell({ what: 'index-unavailable', error });
      this.#hasToldOfWriting ||= isWriting;
      if (isIndexDamage(error, parts.index.path)) this.#repair(parts);
      return this.#scanFor(query, error);
    }
  }

  /** By words alone, and of the newest conversations. That a newer program has the index is said in any case: there is something to do. */
  async #scanFor(query: RecallQuery, fault: unknown): Promise<RecallAnswer> {
    const answer = await this.#scan.find(query);
    const isNewer = isContinuoError(fault, 'index-newer');
    if (answer.searched.complete && !isNewer) return answer;
    const incompleteBecause = isNewer ? 'index-newer' : 'index-unavailable';
    return { ...answer, searched: { ...answer.searched, complete: false, incompleteBecause } };
  }

  /** Follows the log from now on, and embeds what is indexed where there is an embedder. Until {@link close}. */
  start(): void {
    this.#assertOpen();
    const parts = this.#parts;
    if (!parts) return;
    parts.indexer.start();
    parts.embedding?.start();
    parts.source.load(this.#closing.signal).catch(() => undefined);
  }

  /** Indexes, and embeds where there is an embedder, everything that is missing. Undefined where there is no index. */
  async catchUp(options: CatchUpOptions = {}): Promise<CatchUpResult | undefined> {
    this.#assertOpen();
    return this.#fill(options, (parts, more) => parts.indexer.catchUp(more));
  }

  /** Throws the index away and makes it anew. */
  async rebuild(options: CatchUpOptions = {}): Promise<CatchUpResult | undefined> {
    this.#assertOpen();
    return this.#fill(options, async (parts, more) => {
      await parts.embedding?.cancel();
      return parts.indexer.rebuild(more);
    });
  }

  /** Costs a walk over the store's list. */
  async status(): Promise<RecallStatus> {
    this.#assertOpen();
    const parts = this.#parts;
    if (!parts) return {};
    const index = await parts.indexer.status();
    if (!this.#embedder) return { index };
    const embedder = await this.#embedder.get();
    const { database } = parts.index;
    const model = new VectorModels(database).find(embedder);
    const behind = database.prepare<[number], number>('SELECT count(*) FROM documents WHERE id > ?').pluck();
    const documents = model ? new VectorIndex(database, model).count : 0;
    return { index, vectors: { model: embedder.id, documents, behind: behind.get(model?.watermark ?? 0) ?? 0 } };
  }

  /** Ends what goes on in the background. The store stays open. Safe to call twice. */
  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await this.#parts?.embedding?.stop();
    await this.#parts?.indexer.stop();
    this.#parts?.index.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #search(parts: Parts, query: RecallQuery): Promise<RecallAnswer> {
    const { store, privateProjects, weights, thresholds, leastSimilarity } = this.#options;
    const isBehind = await parts.freshness.ensure().catch(async (error: unknown) => {
      // An index that can be read and not written answers as long as it has everything; the log knows what it lacks.
      if (!isWriteRefused(error, parts.index.path) || (await parts.freshness.isBehind())) throw error;
      return false;
    });
    if (this.#options.embedsInSearch) await parts.embedding?.catchUpWithin(this.#options.patience ?? defaultPatience);
    const { index, source } = parts;
    const now = this.#clock();
    const visibility = await openVisibility({ store, now, hereProject: query.hereProject, privateProjects });
    return searchConversations(query, { store, index, source, visibility, now, isBehind, weights, thresholds, leastSimilarity });
  }

  async #fill(
    { onEmbedding, vectors = true, ...options }: CatchUpOptions,
    work: (parts: Parts, options: CatchUpOptions) => Promise<CatchUpResult>,
  ): Promise<CatchUpResult | undefined> {
    const parts = this.#parts;
    if (!parts) return undefined;
    const result = await work(parts, options);
    const { signal } = options;
    if (vectors) await parts.embedding?.catchUp({ ...(signal && { signal }), ...(onEmbedding && { onProgress: onEmbedding }) });
    return result;
  }

  #createParts(index: IndexDatabase): Parts {
    const { store, formerEmbedder, patience = defaultPatience } = this.#options;
    const embedder = this.#embedder;
    // Small enough that a slow one is seen to move and loses little when it is interrupted.
    const batchSize = this.#options.embedsInSearch ? 256 : 64;
    const clock = this.#clock;
    const onEmbedderError = (error: unknown) => this.#tell({ what: 'embedding-failed', error });
    const embedding = embedder && new EmbeddingWorker({ store, index, embedder, batchSize, onError: onEmbedderError });
    const indexer = new RecallIndexer({
      store,
      index,
      clock,
      onRemoved: (database, documents) => void removeVectors(database, documents),
      onChange: () => embedding?.wake(),
      onError: (error) => this.#tell({ what: 'indexing-failed', error }),
      mayReturn: async () => (await findMadeAt(this.#options.folder)) === this.#homeMadeAt,
    });
    const source = new CandidateSource({
      index,
      embedder,
      former: formerEmbedder && new EmbedderSlot(formerEmbedder),
      onEmbedderError,
    });
    return { index, indexer, source, embedding, freshness: new Freshness({ store, index, indexer, clock, patience }) };
  }

  /** Documents have other numbers from now on: a run over the old ones ends. */
  #replaced(): void {
    void this.#parts?.embedding?.cancel();
  }

  #repair({ index }: Parts): void {
    try {
      index.renew('damaged');
    } catch (error) {
      this.#tell({ what: 'index-unavailable', error });
    }
  }

  #tell(problem: RecallProblem): void {
    if (this.#closing.signal.aborted) return;
    const isNewer = isContinuoError(problem.error, 'index-newer');
    if (isNewer && this.#hasToldOfNewer) return;
    this.#hasToldOfNewer = isNewer || this.#hasToldOfNewer;
    // Nothing that is tried again helps.
    this.#options.onProblem?.(isNewer ? { ...problem, what: 'index-unavailable' } : problem);
  }

  #assertOpen(): void {
    if (this.#closing.signal.aborted) throw new ContinuoError('store-closed');
  }
}

/** Undefined where the folder is no home, or its record cannot be read: an index may lie anywhere. */
async function findMadeAt(folder: string): Promise<number | undefined> {
  const record = await loadHome(folder).catch(() => undefined);
  return record?.createdAt;
}

/** It can be read and not written: it is another's, on a medium for reading only, or the disk is full. */
function isWriteRefused(error: unknown, path: string): boolean {
  if (!isContinuoError(error, 'permission-denied') && !isContinuoError(error, 'disk-full')) return false;
  return error.details.path === path;
}

/** Faults of the index's file, as SQLite names them, and what the store room makes of them. */
function isIndexFault(error: unknown, { index }: Parts): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  if (isIndexDamage(error, index.path) || isWriteRefused(error, index.path) || isContinuoError(error, 'index-newer')) return true;
  return typeof code === 'string' && /^(SQLITE_|io-failed|store-busy)/.test(code);
}
