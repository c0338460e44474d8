// Embeds in the background what the index holds and has no vector yet. One run at a time; a run that fails is tried again later, and
// nobody waits for it. Texts are read from the log, as it is when their turn comes.
import { setTimeout as sleep } from 'node:timers/promises';
import { ContinuoError, isContinuoError } from '../model/error.ts';
import { formatEntryId } from '../model/id.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import type { EmbedderSlot } from './embedders/embedder-slot.ts';
import type { ConversationRow } from './index/conversation-catalogue.ts';
import { documentText } from './index/document-text.ts';
import type { IndexDatabase } from './index/index-database.ts';
import { kinds } from './index/schema.ts';
import { type EmbeddableDocument, type EmbeddingProgress, EmbeddingQueue } from './vectors/embedding-queue.ts';
import { VectorModels } from './vectors/vector-models.ts';

export interface EmbeddingWorkerOptions {
  store: ConversationStore;
  index: IndexDatabase;
  embedder: EmbedderSlot;
  /** Documents that are embedded and written in one go. */
  batchSize: number;
  onError: (error: unknown) => void;
}

/** Documents are gone through by their numbers: from where this run began, up to the last one there was then. */
export interface EmbeddingRunProgress extends EmbeddingProgress {
  from: number;
  last: number;
}

export interface EmbeddingRun {
  signal?: AbortSignal;
  onProgress?: (progress: EmbeddingRunProgress) => void;
}

const readAtOnce = 256;
/** Models read no further. */
const longestText = 4000;
const retryMilliseconds = 30_000;

export class EmbeddingWorker {
  readonly #options: EmbeddingWorkerOptions;
  #stopping: AbortController | undefined;
  #background: Promise<void> | undefined;
  #news = false;
  #wake: (() => void) | undefined;
  readonly #listeners = new Set<(progress: EmbeddingRunProgress) => void>();
  #run: { controller: AbortController; done: Promise<unknown> } | undefined;

  constructor(options: EmbeddingWorkerOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#stopping) return;
    this.#stopping = new AbortController();
    this.#news = true;
    this.#background = this.#follow(this.#stopping.signal);
  }

  /** Something was indexed. */
  wake(): void {
    this.#news = true;
    this.#wake?.();
  }

  /** Until everything that is indexed has a vector. A run that is on is waited for, and heard. */
  async catchUp({ signal, onProgress }: EmbeddingRun = {}): Promise<void> {
    if (onProgress) this.#listeners.add(onProgress);
    try {
      while (this.#run) await unlessAborted(this.#run.done, signal);
      assertWanted(signal);
      const controller = new AbortController();
      const done = this.#embedAll(AbortSignal.any([controller.signal, ...(signal ? [signal] : [])]));
      const run = { controller, done: done.catch(() => undefined).finally(() => (this.#run = undefined)) };
      this.#run = run;
      await done;
      await run.done;
    } finally {
      if (onProgress) this.#listeners.delete(onProgress);
    }
  }

  /** The same, and given up after so many milliseconds; what was embedded stays. Trouble is left to whoever needs the vectors. */
  async catchUpWithin(milliseconds: number): Promise<void> {
    const isBehind = await this.#isBehind().catch(() => false);
    if (isBehind) await this.catchUp({ signal: AbortSignal.timeout(milliseconds) }).catch(() => undefined);
  }

  /** Ends the run that is on, as when the index is about to be replaced. What it wrote stays. */
  async cancel(): Promise<void> {
    this.#run?.controller.abort();
    await this.#run?.done;
  }

  async stop(): Promise<void> {
    this.#stopping?.abort();
    this.#wake?.();
    await this.cancel();
    await this.#background;
    this.#stopping = undefined;
    this.#background = undefined;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (!this.#news) await this.#nextNews();
      if (signal.aborted) return;
      this.#news = false;
      try {
        await this.catchUp({ signal });
      } catch (error) {
        if (signal.aborted) return;
        // Cancelled for somebody else: what is missing is seen to soon.
        const isCancelled = isContinuoError(error, 'cancelled');
        if (!isCancelled) this.#options.onError(error);
        this.#news = true;
        await sleep(isCancelled ? 200 : retryMilliseconds, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  async #isBehind(): Promise<boolean> {
    const last = this.#lastDocument();
    if (last === 0) return false;
    const embedder = await this.#options.embedder.get();
    return last > (new VectorModels(this.#options.index.database).find(embedder)?.watermark ?? 0);
  }

  #lastDocument(): number {
    const { database } = this.#options.index;
    return database.prepare<[], number | null>('SELECT max(id) FROM documents').pluck().get() ?? 0;
  }

  async #embedAll(signal: AbortSignal): Promise<void> {
    const { store, index } = this.#options;
    const embedder = await this.#options.embedder.get();
    assertWanted(signal);
    const { database } = index;
    const from = new VectorModels(database).find(embedder)?.watermark ?? 0;
    const last = this.#lastDocument();
    const queue = new EmbeddingQueue({
      index,
      embedder,
      batchSize: this.#options.batchSize,
      source: (after, signal) => readDocuments(store, index, after, signal),
      isKept: (document) => {
        // In a file that took the place of this one, the number is another document's.
        if (index.database !== database) throw new ContinuoError('cancelled');
        return database.prepare('SELECT 1 FROM documents WHERE id = ?').get(document) !== undefined;
      },
      onProgress: (progress) => {
        for (const listener of this.#listeners) listener({ ...progress, from, last });
      },
    });
    await queue.catchUp(signal);
  }

  async #nextNews(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
  }
}

async function unlessAborted(work: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return void (await work);
  assertWanted(signal);
  let stop = () => {};
  const aborted = new Promise<void>((resolve) => {
    stop = resolve;
    signal.addEventListener('abort', stop, { once: true });
  });
  await Promise.race([work, aborted]);
  signal.removeEventListener('abort', stop);
  assertWanted(signal);
}

function assertWanted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new ContinuoError('cancelled', {}, { cause: signal.reason });
}

type DocumentPlace = Pick<ConversationRow, 'conversation_id'> & { id: number; seq: number; kind: number };

/** Of what tools were told and told only the words are searched: it is long, and mostly not language. */
async function* readDocuments(
  store: ConversationStore,
  index: IndexDatabase,
  after: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<EmbeddableDocument> {
  for (let last = after; !signal?.aborted; ) {
    const places = index.database
      .prepare<[number, number], DocumentPlace>(
        `SELECT d.id, d.seq, d.kind, c.conversation_id FROM documents d JOIN conversations c ON c.id = d.conversation
         WHERE d.id > ? ORDER BY d.id LIMIT ?`,
      )
      .all(last, readAtOnce);
    if (places.length === 0) return;
    for (const { id, seq, kind, conversation_id } of places) {
      const isLanguage = kinds[kind] === 'message' || kinds[kind] === 'summary';
      const entry = isLanguage ? await store.findEntry(formatEntryId(conversation_id, seq)) : undefined;
      yield { document: id, text: (entry && documentText(entry)?.text.slice(0, longestText)) ?? '' };
      last = id;
    }
  }
}
