// The tables of the vectors, and which model made them. One model answers (current); while another is being built the old one goes
// on answering; the change is one transaction, and what the old one left is then removed piece by piece (retired).
// Rows that hold anything of a vector have a fixed size, so that SQLite overwrites them where they stand and leaves no copy behind.
import type { Database } from 'better-sqlite3-multiple-ciphers';
import { ContinuoError } from '../../model/error.ts';
import type { Embedder } from '../../model/ports/embedder.ts';
import { mostDimensions } from './sign-code.ts';

export interface VectorModel {
  /** Never used again for another model. */
  number: number;
  id: string;
  dimension: number;
  state: 'building' | 'current' | 'retired';
  /** Every document up to this one is embedded, or needs no vector. */
  watermark: number;
  /** Grows with every change of its vectors. */
  version: number;
}

const columns = 'number, id, dimension, state, watermark, version';
/** Rows of a retired model that go in one transaction. */
const removedAtOnce = 2000;

export class VectorModels {
  readonly #database: Database;

  /** Writes nothing: the tables are made with the first model. */
  constructor(database: Database) {
    this.#database = database;
  }

  list(): VectorModel[] {
    if (!this.#hasTables()) return [];
    return this.#database.prepare<[], VectorModel>(`SELECT ${columns} FROM vector_models ORDER BY number`).all();
  }

  findCurrent(): VectorModel | undefined {
    return this.list().find(({ state }) => state === 'current');
  }

  /** The model of this embedder that is current or being built. */
  find({ id, dimension }: Pick<Embedder, 'id' | 'dimension'>): VectorModel | undefined {
    return this.list().find((model) => model.id === id && model.dimension === dimension && model.state !== 'retired');
  }

  /**
   * The model to fill with this embedder's vectors: the current one where it made that, otherwise one being built. Where there is
   * none yet the new one is current at once. Another one that was being built is given up.
   */
  begin(embedder: Pick<Embedder, 'id' | 'dimension'>): VectorModel {
    assertDimension(embedder.dimension);
    return this.#database
      .transaction(() => {
        createTables(this.#database);
        const found = this.find(embedder);
        this.#retire((model) => model.state === 'building' && model.number !== found?.number);
        return found ?? this.#create(embedder);
      })
      .immediate();
  }

  /** From now on this model answers, and the one before it no more. False where it was given up meanwhile. */
  promote(number: number): boolean {
    return this.#database
      .transaction(() => {
        if (!this.list().some((model) => model.number === number && model.state === 'building')) return false;
        this.#retire((model) => model.state === 'current');
        return this.#run("UPDATE vector_models SET state = 'current' WHERE number = ?", number) > 0;
      })
      .immediate();
  }

  /** Gives up all models: documents have other numbers from now on, and everything is embedded anew. */
  clear(): void {
    this.#database.transaction(() => this.#retire(() => true)).immediate();
  }

  /** Removes a piece of what retired models left; false when nothing is left. To be called until then. */
  removeSome(): boolean {
    const retired = this.list().find(({ state }) => state === 'retired');
    if (!retired) return false;
    // What is removed is overwritten, also in pages that are given back.
    this.#database.pragma('secure_delete = ON');
    this.#database.transaction(() => this.#removePiece(retired.number)).immediate();
    return true;
  }

  #create({ id, dimension }: Pick<Embedder, 'id' | 'dimension'>): VectorModel {
    const state = this.findCurrent() ? 'building' : 'current';
    const model = this.#database
      .prepare<[string, number, string], VectorModel>(
        `INSERT INTO vector_models (id, dimension, state) VALUES (?, ?, ?) RETURNING ${columns}`,
      )
      .get(id, dimension, state) as VectorModel;
    this.#database.exec(`CREATE TABLE ${vectorTable(model.number)} (document INTEGER PRIMARY KEY, vector BLOB NOT NULL) STRICT`);
    return model;
  }

  #retire(chosen: (model: VectorModel) => boolean): void {
    const retire = this.#database.prepare("UPDATE vector_models SET state = 'retired' WHERE number = ?");
    for (const { number } of this.list().filter(chosen)) retire.run(number);
  }

  #removePiece(number: number): void {
    // Another process may have been faster.
    if (!this.list().some((model) => model.number === number)) return;
    const table = vectorTable(number);
    const rows = this.#run(
      `DELETE FROM ${table} WHERE document IN (SELECT document FROM ${table} ORDER BY document LIMIT ${removedAtOnce})`,
    );
    if (rows > 0) return;
    this.#run('DELETE FROM vector_bits WHERE segment IN (SELECT number FROM vector_segments WHERE model = ?)', number);
    this.#run('DELETE FROM vector_segments WHERE model = ?', number);
    this.#database.exec(`DROP TABLE ${table}`);
    this.#run('DELETE FROM vector_models WHERE number = ?', number);
  }

  #run(sql: string, ...values: number[]): number {
    return this.#database.prepare(sql).run(...values).changes;
  }

  #hasTables(): boolean {
    return this.#database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'vector_models'").get() !== undefined;
  }
}

/** The table with the vectors of a model, one byte a coordinate. */
export function vectorTable(number: number): string {
  return `vectors_${number}`;
}

function assertDimension(dimension: number): void {
  if (Number.isInteger(dimension) && dimension > 0 && dimension <= mostDimensions) return;
  throw new ContinuoError('invalid-input', {
    what: 'number of dimensions',
    reason: `it must be a whole number from 1 to ${mostDimensions}`,
  });
}

function createTables(database: Database): void {
  database.exec(`
    CREATE TABLE IF NOT EXISTS vector_models (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL,
      dimension INTEGER NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('building', 'current', 'retired')),
      watermark INTEGER NOT NULL DEFAULT 0,
      version INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE UNIQUE INDEX IF NOT EXISTS vector_models_state ON vector_models (state) WHERE state <> 'retired';
    CREATE TABLE IF NOT EXISTS vector_segments (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      model INTEGER NOT NULL,
      segment INTEGER NOT NULL,
      version INTEGER NOT NULL,
      count INTEGER NOT NULL,
      UNIQUE (model, segment)
    ) STRICT;
    CREATE TABLE IF NOT EXISTS vector_bits (segment INTEGER PRIMARY KEY, present BLOB NOT NULL, bits BLOB NOT NULL) STRICT;
  `);
}
