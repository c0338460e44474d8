// Embeds in the background what has no vector yet. The log and the lexical index never wait for it: it follows them from its
// watermark, which is written in the same transaction as the vectors, so that a crash costs at most one batch. With another
// embedder than the current model's it builds a new model beside the old one, which answers until the new one has caught up.
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Database } from 'better-sqlite3-multiple-ciphers';
import { ContinuoError, isContinuoError } from '../../model/error.ts';
import type { Embedder } from '../../model/ports/embedder.ts';
import { type VectorModel, VectorModels } from './vector-models.ts';
import { type DocumentVector, VectorWriter } from './vector-writer.ts';

export interface EmbeddableDocument {
  document: number;
  /** What has no content is passed over. */
  text: string;
}

/** The documents after this one, in ascending order. */
export type DocumentSource = (
  after: number,
  signal?: AbortSignal,
) => Iterable<EmbeddableDocument> | AsyncIterable<EmbeddableDocument>;

/** The database with the vectors, as `IndexDatabase` is one. */
export interface VectorDatabase {
  /** The connection; another one where the file was replaced. */
  readonly database: Database;
  /** Runs the work in a transaction as the only writer, and waits for its turn without blocking. */
  write<T>(work: (database: Database) => T): Promise<T>;
}

export interface EmbeddingQueueOptions {
  index: VectorDatabase;
  embedder: Embedder;
  source: DocumentSource;
  /** Whether the document is still there. Asked in the transaction that writes its vector: what was purged meanwhile gets none. */
  isKept?: (document: number) => boolean;
  /** Documents a batch; 256 unless given. */
  batchSize?: number;
  /** Characters a batch; 200,000 unless given. */
  batchCharacters?: number;
  /** Milliseconds to rest between two batches, so that others get the machine; 0 unless given. */
  rest?: number;
  onProgress?: (progress: EmbeddingProgress) => void;
}

export interface EmbeddingProgress {
  model: string;
  /** In this run. */
  embedded: number;
  watermark: number;
}

export interface EmbeddingReport extends EmbeddingProgress {
  /** Documents whose text the embedder does not take: they have no vector. */
  refused: number[];
  /** The new model has taken the old one's place. */
  switched: boolean;
}

export class EmbeddingQueue {
  readonly #options: EmbeddingQueueOptions;
  #running: Promise<EmbeddingReport> | undefined;

  constructor(options: EmbeddingQueueOptions) {
    this.#options = options;
  }

  /** Resolves when the source has nothing more. While one run is on, others share it. What was written stays when it fails. */
  catchUp(signal?: AbortSignal): Promise<EmbeddingReport> {
    this.#running ??= this.#run(signal).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(signal: AbortSignal | undefined): Promise<EmbeddingReport> {
    const { index, embedder, source } = this.#options;
    await this.#removeRetired(signal);
    const model = await index.write((database) => new VectorModels(database).begin(embedder));
    const { id, watermark } = model;
    const report: EmbeddingReport = { model: id, embedded: 0, watermark, refused: [], switched: false };
    for await (const batch of this.#batches(source(watermark, signal))) {
      assertWanted(signal);
      // Another process may have been faster.
      const done = new VectorModels(index.database).find(embedder)?.watermark ?? 0;
      report.watermark = Math.max(report.watermark, done);
      const left = batch.filter(({ document }) => document > done);
      if (left.length > 0) await this.#embedBatch(left, model, report, signal);
      this.#options.onProgress?.({ model: id, embedded: report.embedded, watermark: report.watermark });
      await (this.#options.rest ? wait(this.#options.rest) : nextTurn());
    }
    assertWanted(signal);
    if (model.state === 'building') {
      report.switched = await index.write((database) => new VectorModels(database).promote(model.number));
    }
    await this.#removeRetired(signal);
    return report;
  }

  async #removeRetired(signal: AbortSignal | undefined): Promise<void> {
    const { index } = this.#options;
    const isLeft = () => new VectorModels(index.database).list().some(({ state }) => state === 'retired');
    while (isLeft()) {
      await index.write((database) => new VectorModels(database).removeSome());
      await nextTurn();
      assertWanted(signal);
    }
  }

  async *#batches(documents: ReturnType<DocumentSource>): AsyncGenerator<EmbeddableDocument[]> {
    const { batchSize = 256, batchCharacters = 200_000 } = this.#options;
    let batch: EmbeddableDocument[] = [];
    let characters = 0;
    for await (const document of documents) {
      if (batch.length > 0 && characters + document.text.length > batchCharacters) {
        yield batch;
        batch = [];
        characters = 0;
      }
      batch.push(document);
      characters += document.text.length;
      if (batch.length < batchSize) continue;
      yield batch;
      batch = [];
      characters = 0;
    }
    if (batch.length > 0) yield batch;
  }

  async #embedBatch(
    batch: readonly EmbeddableDocument[],
    model: VectorModel,
    report: EmbeddingReport,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { document: watermark } = batch.at(-1) as EmbeddableDocument;
    const withContent = batch.filter(({ text }) => text.trim() !== '');
    const vectors = await this.#embed(withContent, report, signal);
    assertWanted(signal);
    const { index, isKept } = this.#options;
    report.embedded += await index.write((database) => {
      const kept = isKept ? vectors.filter(({ document }) => isKept(document)) : vectors;
      new VectorWriter(database, model).add(kept, watermark);
      return kept.length;
    });
    report.watermark = watermark;
  }

  /** A text that the embedder refuses is searched for by halves, and left out alone. */
  async #embed(
    documents: readonly EmbeddableDocument[],
    report: EmbeddingReport,
    signal: AbortSignal | undefined,
  ): Promise<DocumentVector[]> {
    if (documents.length === 0) return [];
    const { embedder } = this.#options;
    try {
      const texts = documents.map(({ text }) => text);
      const vectors = await embedder.embed(texts, { kind: 'passage', ...(signal && { signal }) });
      return documents.map(({ document }, i) => ({ document, vector: vectors[i] as Float32Array }));
    } catch (error) {
      assertWanted(signal);
      if (!isContinuoError(error, 'embedder-refused')) throw error;
      if (documents.length > 1) {
        const middle = documents.length >> 1;
        const first = await this.#embed(documents.slice(0, middle), report, signal);
        return [...first, ...(await this.#embed(documents.slice(middle), report, signal))];
      }
      // One that takes no text at all is set up wrong, and no document is to blame.
      await embedder.embed(['text'], { kind: 'passage', ...(signal && { signal }) });
      report.refused.push((documents[0] as EmbeddableDocument).document);
      return [];
    }
  }
}

function assertWanted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new ContinuoError('cancelled', {}, { cause: signal.reason });
}
