// Finds documents by meaning: embeds the question with the embedder that made the current vectors and asks the index. While a new
// model is built the old embedder is still needed for questions: hand in both.
import type { Database } from 'better-sqlite3-multiple-ciphers';
import type { Embedder } from '../../model/ports/embedder.ts';
import type { VectorDatabase } from './embedding-queue.ts';
import type { SimilarDocument } from './exact-distance.ts';
import { VectorIndex, type VectorSearchOptions } from './vector-index.ts';
import { type VectorModel, VectorModels } from './vector-models.ts';
import { VectorWriter } from './vector-writer.ts';

export interface SemanticAnswer {
  /** Best first. */
  found: SimilarDocument[];
  /** The model that answered; absent where no embedder at hand made any vectors. */
  model?: string;
  /** Every document up to this one has been embedded. */
  watermark: number;
}

export class SemanticSearch {
  readonly #source: Pick<VectorDatabase, 'database'>;
  readonly #embedders: readonly Embedder[];
  #index: VectorIndex | undefined;
  /** The connection that the index was opened on. */
  #database: Database | undefined;

  constructor(source: Pick<VectorDatabase, 'database'>, embedders: readonly Embedder[]) {
    this.#source = source;
    this.#embedders = embedders;
  }

  async search(text: string, options: VectorSearchOptions & { signal?: AbortSignal }): Promise<SemanticAnswer> {
    const { signal, ...rest } = options;
    const chosen = this.#choose();
    if (!chosen) return { found: [], watermark: 0 };
    const { model, embedder } = chosen;
    const [query] = await embedder.embed([text], { kind: 'query', ...(signal && { signal }) });
    const index = this.#openIndex(model);
    return { found: query ? index.search(query, rest) : [], model: model.id, watermark: model.watermark };
  }

  /** Reads ahead what the next search needs. */
  async load(signal?: AbortSignal): Promise<void> {
    const chosen = this.#choose();
    if (chosen) await this.#openIndex(chosen.model).load(signal);
  }

  /** Bytes held in memory. */
  get memory(): number {
    return this.#index?.memory ?? 0;
  }

  /** The current model if its embedder is here; otherwise one being built, which knows a part already. */
  #choose(): { model: VectorModel; embedder: Embedder } | undefined {
    const models = new VectorModels(this.#source.database).list().filter(({ state }) => state !== 'retired');
    for (const model of models.sort((a, b) => Number(b.state === 'current') - Number(a.state === 'current'))) {
      const embedder = this.#embedders.find(({ id, dimension }) => id === model.id && dimension === model.dimension);
      if (embedder) return { model, embedder };
    }
    return undefined;
  }

  #openIndex(model: VectorModel): VectorIndex {
    const { database } = this.#source;
    if (!this.#index || this.#index.model.number !== model.number || this.#database !== database) {
      this.#index = new VectorIndex(database, model);
      this.#database = database;
    }
    return this.#index;
  }
}

/** Overwrites the vectors of these documents in every model, also in one being built or on its way out; says how many documents had any. */
export function removeVectors(database: Database, documents: readonly number[]): number {
  return database
    .transaction(() => {
      const models = new VectorModels(database).list();
      return Math.max(0, ...models.map((model) => new VectorWriter(database, model).remove(documents)));
    })
    .immediate();
}
