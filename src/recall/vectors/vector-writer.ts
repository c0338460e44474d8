// Writes and removes the vectors of one model: the bytes for exact distances and the sign bits for the scan, in one transaction.
// A removed vector is overwritten where it stands; its row stays, blank, until `dropRemoved`.
import type { Database } from 'better-sqlite3-multiple-ciphers';
import { ContinuoError } from '../../model/error.ts';
import { isFiniteVector, toInt8Vector } from './int8-vector.ts';
import { bitmapBytes, clearBit, countBits, hasBit, rowOf, segmentOf, segmentRows, setBit } from './segment.ts';
import { SignCode } from './sign-code.ts';
import { type VectorModel, vectorTable } from './vector-models.ts';

export interface DocumentVector {
  document: number;
  vector: Float32Array;
}

interface SegmentRow {
  number: number;
  present: Buffer;
  bits: Buffer;
}

export class VectorWriter {
  readonly #database: Database;
  readonly #model: VectorModel;
  readonly #code: SignCode;

  constructor(database: Database, model: VectorModel, code = new SignCode(model.dimension)) {
    this.#database = database;
    this.#model = model;
    this.#code = code;
  }

  /**
   * A document that has a vector already gets the new one; of two for one document the later counts. One without length points
   * nowhere: its document is left without. With a watermark it is remembered in the same transaction, and never goes back.
   */
  add(batch: readonly DocumentVector[], watermark?: number): void {
    for (const { document, vector } of batch) {
      assertDocument(document);
      this.#assertVector(vector);
    }
    this.#change('in use', () => {
      const put = this.#database.prepare<[number, Uint8Array]>(
        `INSERT INTO ${this.#table} (document, vector) VALUES (?, ?) ON CONFLICT DO UPDATE SET vector = excluded.vector`,
      );
      const blank = this.#prepareBlank();
      for (const [segment, vectors] of groupBySegment(batch, ({ document }) => document)) {
        this.#changeSegment(segment, true, ({ present, bits }) => {
          for (const { document, vector } of vectors) {
            const bytes = toInt8Vector(vector);
            if (bytes) {
              put.run(document, new Uint8Array(bytes.buffer));
              this.#code.writeRow(bits, rowOf(document), vector);
              setBit(present, rowOf(document));
            } else if (hasBit(present, rowOf(document))) {
              this.#erase(document, present, bits, () => blank.run(document));
            }
          }
        });
      }
      if (watermark !== undefined) {
        this.#run('UPDATE vector_models SET watermark = max(watermark, ?) WHERE number = ?', watermark, this.#model.number);
      }
    });
  }

  /** Overwrites the vectors of these documents, also where the model is on its way out; says how many there were. */
  remove(documents: Iterable<number>): number {
    let removed = 0;
    this.#change('any', () => {
      const blank = this.#prepareBlank();
      for (const [segment, group] of groupBySegment(documents, (document) => document)) {
        this.#changeSegment(segment, false, ({ present, bits }) => {
          for (const document of group) {
            if (!hasBit(present, rowOf(document))) continue;
            this.#erase(document, present, bits, () => blank.run(document));
            removed += 1;
          }
        });
      }
    });
    return removed;
  }

  /**
   * Drops the blank rows that `remove` left. The caller compacts the file afterwards (VACUUM): dropping moves other rows around.
   * The marks of empty segments stay, by which other processes learn that these are empty.
   */
  dropRemoved(): number {
    return this.#database
      .transaction(() => {
        this.#run(
          'DELETE FROM vector_bits WHERE segment IN (SELECT number FROM vector_segments WHERE model = ? AND count = 0)',
          this.#model.number,
        );
        return this.#run(`DELETE FROM ${this.#table} WHERE vector = zeroblob(${this.#model.dimension})`);
      })
      .immediate();
  }

  get #table(): string {
    return vectorTable(this.#model.number);
  }

  /** Every change gets a number, by which other processes see what they have to read again. */
  #change(model: 'any' | 'in use', work: () => void): void {
    // A growing table moves rows to other pages: what they leave behind is overwritten.
    this.#database.pragma('secure_delete = ON');
    this.#database
      .transaction(() => {
        const condition = model === 'in use' ? "AND state <> 'retired'" : '';
        const found = this.#run(
          `UPDATE vector_models SET version = version + 1 WHERE number = ? ${condition}`,
          this.#model.number,
        );
        if (found > 0) work();
        else if (model === 'in use') {
          throw new ContinuoError('invalid-input', { what: 'vector model', reason: 'another model has taken its place' });
        }
      })
      .immediate();
  }

  #changeSegment(segment: number, create: boolean, change: (row: SegmentRow) => void): void {
    const row = this.#findSegment(segment) ?? (create ? this.#createSegment(segment) : undefined);
    if (!row) return;
    change(row);
    this.#database
      .prepare('UPDATE vector_bits SET present = ?, bits = ? WHERE segment = ?')
      .run(row.present, row.bits, row.number);
    this.#database
      .prepare(
        'UPDATE vector_segments SET count = ?, version = (SELECT version FROM vector_models WHERE number = model) WHERE number = ?',
      )
      .run(countBits(row.present), row.number);
  }

  #findSegment(segment: number): SegmentRow | undefined {
    return this.#database
      .prepare<[number, number], SegmentRow>(
        'SELECT s.number, b.present, b.bits FROM vector_segments s JOIN vector_bits b ON b.segment = s.number WHERE s.model = ? AND s.segment = ?',
      )
      .get(this.#model.number, segment);
  }

  #createSegment(segment: number): SegmentRow {
    const number = this.#database
      .prepare<[number, number], number>(
        `INSERT INTO vector_segments (model, segment, version, count) VALUES (?, ?, 0, 0)
         ON CONFLICT DO UPDATE SET count = 0 RETURNING number`,
      )
      .pluck()
      .get(this.#model.number, segment) as number;
    // Whole from the start: a row that never changes its size is always overwritten in place.
    const [present, bits] = [Buffer.alloc(bitmapBytes), Buffer.alloc(segmentRows * this.#code.rowBytes)];
    this.#database.prepare('INSERT INTO vector_bits (segment, present, bits) VALUES (?, ?, ?)').run(number, present, bits);
    return { number, present, bits };
  }

  #erase(document: number, present: Uint8Array, bits: Uint8Array, blank: () => void): void {
    blank();
    this.#code.eraseRow(bits, rowOf(document));
    clearBit(present, rowOf(document));
  }

  #prepareBlank() {
    return this.#database.prepare<[number]>(`UPDATE ${this.#table} SET vector = zeroblob(length(vector)) WHERE document = ?`);
  }

  #assertVector(vector: Float32Array): void {
    if (vector.length !== this.#model.dimension) {
      const { id: embedder, dimension: expected } = this.#model;
      throw new ContinuoError('dimension-mismatch', { embedder, expected, found: vector.length });
    }
    if (!isFiniteVector(vector)) {
      throw new ContinuoError('invalid-input', { what: 'vector', reason: 'it holds something that is not a number' });
    }
  }

  #run(sql: string, ...values: number[]): number {
    return this.#database.prepare(sql).run(...values).changes;
  }
}

function assertDocument(document: number): void {
  if (Number.isSafeInteger(document) && document >= 0) return;
  throw new ContinuoError('invalid-input', { what: 'document number', reason: 'it must be a whole number, 0 or more' });
}

function groupBySegment<Item>(items: Iterable<Item>, documentOf: (item: Item) => number): Map<number, Item[]> {
  const groups = new Map<number, Item[]>();
  for (const item of items) {
    const segment = segmentOf(documentOf(item));
    const group = groups.get(segment);
    if (group) group.push(item);
    else groups.set(segment, [item]);
  }
  return groups;
}
