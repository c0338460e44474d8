// The documents nearest to a question, among those one model has embedded. A search has two stages: a scan over the sign bits, which
// are kept in memory, chooses candidates; their stored vectors are then compared exactly. What other processes and other handles
// changed is seen by the next search: segments whose version has grown are read again, and only those.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from 'better-sqlite3-multiple-ciphers';
import { ContinuoError } from '../../model/error.ts';
import { BitMatrix } from './bit-matrix.ts';
import type { BitScanner } from './bit-scanner.ts';
import { type AllowedDocuments, createSegmentFilter } from './document-filter.ts';
import { createExactDistance, type ExactDistance, type SimilarDocument } from './exact-distance.ts';
import { isFiniteVector } from './int8-vector.ts';
import { SignCode } from './sign-code.ts';
import { type VectorModel, vectorTable } from './vector-models.ts';
import { type DocumentVector, VectorWriter } from './vector-writer.ts';

export interface VectorSearchOptions {
  limit: number;
  /** How many the scan hands on to the exact comparison; 1000 unless given, and never fewer than the limit. */
  candidates?: number;
  /** Which documents may be found; all unless given. */
  allowed?: AllowedDocuments;
}

export interface VectorIndexOptions {
  /** `plain` does without vector instructions. */
  scan?: BitScanner['kind'];
  /** `plain` does without sqlite-vec. */
  distance?: ExactDistance['kind'];
}

const defaultCandidates = 1000;
/** Read at once before anybody else gets a turn. */
const segmentsAtOnce = 16;

interface SegmentMark {
  number: number;
  segment: number;
  count: number;
}

export class VectorIndex {
  readonly model: VectorModel;
  readonly #database: Database;
  readonly #options: VectorIndexOptions;
  readonly #code: SignCode;
  readonly #writer: VectorWriter;
  #matrix: BitMatrix | undefined;
  #distance: ExactDistance | undefined;
  /** Of the model's vectors, when the matrix was last brought up to date. */
  #version = 0;

  /** The model comes from {@link VectorModels}. Nothing is read before the first search. */
  constructor(database: Database, model: VectorModel, options: VectorIndexOptions = {}) {
    this.model = model;
    this.#database = database;
    this.#options = options;
    this.#code = new SignCode(model.dimension);
    this.#writer = new VectorWriter(database, model, this.#code);
  }

  add(batch: readonly DocumentVector[], watermark?: number): void {
    this.#writer.add(batch, watermark);
  }

  /** Overwrites the vectors of these documents; says how many there were. */
  remove(documents: Iterable<number>): number {
    return this.#writer.remove(documents);
  }

  /** Drops the blank rows that removed documents left. The caller compacts the file afterwards (VACUUM). */
  dropRemoved(): number {
    return this.#writer.dropRemoved();
  }

  /** Best first. Nothing for a question without length, and nothing where the model is gone. */
  search(query: Float32Array, { limit, candidates = defaultCandidates, allowed }: VectorSearchOptions): SimilarDocument[] {
    this.#assertQuery(query);
    if (limit < 1 || query.every((value) => value === 0)) return [];
    // One transaction: what the scan finds is there when it is compared.
    return this.#database.transaction(() => {
      const matrix = this.#refresh();
      if (!matrix) return [];
      const costs = this.#code.buildCosts(query);
      const filter = allowed && createSegmentFilter(allowed);
      const nearest = matrix.findNearest(costs, Math.max(candidates, limit), filter);
      if (nearest.length === 0) return [];
      this.#distance ??= createExactDistance(this.#database, this.#options.distance);
      return this.#distance.rank(vectorTable(this.model.number), nearest, query, limit);
    })();
  }

  /** Brings the sign bits into memory, a little at a time, so that the first search need not. */
  async load(signal?: AbortSignal): Promise<void> {
    for (;;) {
      if (signal?.aborted) throw new ContinuoError('cancelled', {}, { cause: signal.reason });
      if (this.#database.transaction(() => this.#readSome(segmentsAtOnce))()) return;
      await nextTurn();
    }
  }

  /** How many documents have a vector. */
  get count(): number {
    return this.#database
      .prepare<[number], number>('SELECT coalesce(sum(count), 0) FROM vector_segments WHERE model = ?')
      .pluck()
      .get(this.model.number) as number;
  }

  /** Bytes the sign bits take in memory. */
  get memory(): number {
    return this.#matrix?.memory ?? 0;
  }

  /** How searches are done on this machine, once one was done. */
  get means(): { scan: BitScanner['kind'] | undefined; distance: ExactDistance['kind'] | undefined } {
    return { scan: this.#matrix?.kind, distance: this.#distance?.kind };
  }

  /** Gives the memory back; the next search reads again. */
  release(): void {
    this.#matrix = undefined;
    this.#version = 0;
  }

  #refresh(): BitMatrix | undefined {
    this.#readSome(Number.POSITIVE_INFINITY);
    return this.#matrix;
  }

  /** Reads segments that changed, oldest change first; true when there are no more. */
  #readSome(most: number): boolean {
    const version = this.#readVersion();
    if (version === undefined) this.release();
    if (version === undefined || version === this.#version) return true;
    const marks = this.#database
      .prepare<[number, number], SegmentMark & { version: number }>(
        'SELECT number, segment, count, version FROM vector_segments WHERE model = ? AND version > ? ORDER BY version',
      )
      .all(this.model.number, this.#version);
    const read = marks.slice(0, upToSameVersion(marks, most));
    this.#matrix ??= new BitMatrix(this.#code.rowBytes, this.#options.scan);
    if (marks.length > segmentsAtOnce) this.#matrix.reserve(marks.length);
    this.#readSegments(this.#matrix, read);
    const done = read.length === marks.length;
    this.#version = done ? version : (read.at(-1)?.version ?? version);
    return done;
  }

  #readSegments(matrix: BitMatrix, marks: readonly SegmentMark[]): void {
    const find = this.#database.prepare<[number], { present: Buffer; bits: Buffer }>(
      'SELECT present, bits FROM vector_bits WHERE segment = ?',
    );
    for (const { number, segment, count } of marks) {
      const row = count > 0 ? find.get(number) : undefined;
      if (row) matrix.put(segment, row.present, row.bits);
      else matrix.drop(segment);
    }
  }

  #readVersion(): number | undefined {
    return this.#database
      .prepare<[number], number>('SELECT version FROM vector_models WHERE number = ?')
      .pluck()
      .get(this.model.number);
  }

  #assertQuery(query: Float32Array): void {
    if (query.length !== this.model.dimension) {
      const { id: embedder, dimension: expected } = this.model;
      throw new ContinuoError('dimension-mismatch', { embedder, expected, found: query.length });
    }
    if (!isFiniteVector(query)) {
      throw new ContinuoError('invalid-input', { what: 'vector', reason: 'it holds something that is not a number' });
    }
  }
}

/** Segments of one change belong together: none of them may be left for later, or it would look read. */
function upToSameVersion(marks: readonly { version: number }[], most: number): number {
  if (marks.length <= most) return marks.length;
  let end = most;
  while (end < marks.length && marks[end]?.version === marks[end - 1]?.version) end += 1;
  return end;
}
