// Embeds in the background what the index holds and has no vector yet. One run at a time; a run that fails is tried again later, and
// nobody waits for it. Texts are read from the log, as it is when their turn comes.
import { setTimeout as sleep } from 'node:timers/promises';
import { formatEntryId } from '../model/id.ts';
import type { Embedder } from '../model/ports/embedder.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import type { ConversationRow } from './index/conversation-catalogue.ts';
import { documentText } from './index/document-text.ts';
import type { IndexDatabase } from './index/index-database.ts';
import { kinds } from './index/schema.ts';
import { type EmbeddableDocument, type EmbeddingProgress, EmbeddingQueue } from './vectors/embedding-queue.ts';

export interface EmbeddingWorkerOptions {
  store: ConversationStore;
  index: IndexDatabase;
  embedder: Embedder;
  onError: (error: unknown) => void;
}

export interface EmbeddingRun {
  signal?: AbortSignal;
  onProgress?: (progress: EmbeddingProgress) => void;
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

  /** Until everything that is indexed has a vector. */
  async catchUp({ signal, onProgress }: EmbeddingRun = {}): Promise<void> {
    await this.cancel();
    const controller = new AbortController();
    const { store, index, embedder } = this.#options;
    const queue = new EmbeddingQueue({
      index,
      embedder,
      source: (after, wanted) => readDocuments(store, index, after, wanted),
      isKept: (document) => index.database.prepare('SELECT 1 FROM documents WHERE id = ?').get(document) !== undefined,
      ...(onProgress && { onProgress }),
    });
    const done = queue.catchUp(AbortSignal.any([controller.signal, ...(signal ? [signal] : [])]));
    const run = { controller, done: done.catch(() => undefined) };
    this.#run = run;
    try {
      await done;
    } finally {
      if (this.#run === run) this.#run = undefined;
    }
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
        const isCancelled = (error as { code?: unknown }).code === 'cancelled';
        if (!isCancelled) this.#options.onError(error);
        this.#news = true;
        await sleep(isCancelled ? 200 : retryMilliseconds, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  async #nextNews(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
  }
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
