import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { createClusteredVectors, createRandomVectors, dot, type VectorMaterial } from '../../../test/support/vector-material.ts';
import { isContinuoError } from '../../model/error.ts';
import { unlockDatabase } from '../../store/drivers/sqlite/database-file.ts';
import { buildDocumentBitmap } from './document-filter.ts';
import { SignCode } from './sign-code.ts';
import { VectorIndex, type VectorIndexOptions } from './vector-index.ts';
import { VectorModels } from './vector-models.ts';

describe('the nearest documents', () => {
  const kinds: Record<string, (dimension: number) => VectorMaterial> = {
    'spread evenly': (dimension) => createRandomVectors(dimension, 1),
    'in 200 loose clusters that lean one way': (dimension) =>
      createClusteredVectors(dimension, 2, { count: 200, spread: 1.5, lean: 1 }),
    'in 20 dense clusters': (dimension) => createClusteredVectors(dimension, 3, { count: 20, spread: 0.5 }),
  };

  it.each(Object.entries(kinds))('among 20,000 vectors %s are found with a recall of at least 0.95', (_name, create) => {
    const material = create(384);
    const vectors = Array.from({ length: 20_000 }, () => material.next());
    const index = openIndex(384);
    addAll(index, vectors);
    let found = 0;
    const questions = Array.from({ length: 20 }, () => material.next());
    for (const question of questions) {
      const exact = new Set(exactNearest(vectors, question, 10));
      for (const { document } of index.search(question, { limit: 10 })) if (exact.has(document)) found += 1;
    }
    expect(index.means).toEqual({ scan: 'simd', distance: 'sqlite-vec' });
    expect(index.count).toBe(20_000);
    expect(found / (questions.length * 10)).toBeGreaterThanOrEqual(0.95);
  });

  it('are all found, in their exact order, where the candidates are everything', () => {
    const material = createRandomVectors(64, 4);
    const vectors = Array.from({ length: 500 }, () => material.next());
    const index = openIndex(64);
    addAll(index, vectors);
    const question = material.next();
    const found = index.search(question, { limit: 500 });
    expect(found).toHaveLength(500);
    for (const { document, similarity } of found) {
      expect(Math.abs(similarity - dot(vectors[document] as Float32Array, question))).toBeLessThan(0.005);
    }
    expect(found.map(({ similarity }) => similarity)).toEqual(found.map(({ similarity }) => similarity).sort((a, b) => b - a));
  });

  it('are looked for by vector instructions from the second search on, as getting those ready takes longer than one search', () => {
    const material = createClusteredVectors(64, 5, { count: 10, spread: 1 });
    const index = openIndex(64);
    addAll(
      index,
      Array.from({ length: 300 }, () => material.next()),
    );
    const question = material.next();
    const searches = Array.from({ length: 3 }, () => {
      const found = index.search(question, { limit: 5, candidates: 60 });
      return { found, scan: index.means.scan };
    });
    const found = searches[0]?.found;
    expect(searches).toEqual(['plain', 'simd', 'simd'].map((scan) => ({ found, scan })));
  });

  it.each([2, 3, 17, 100, 256, 384, 500, 1536, 4096])(
    'are the same by vector instructions, by sqlite-vec and in plain JavaScript, in %i dimensions',
    (dimension) => {
      const material = createClusteredVectors(dimension, dimension, { count: 10, spread: 1 });
      const database = openDatabase();
      const index = openIndex(dimension, { database });
      addAll(
        index,
        Array.from({ length: 300 }, () => material.next()),
      );
      const ways: VectorIndexOptions[] = [
        { scan: 'simd' },
        { scan: 'plain' },
        { scan: 'simd', distance: 'plain' },
        { scan: 'plain', distance: 'plain' },
      ];
      const question = material.next();
      const answers = ways.map((way) => {
        const handle = new VectorIndex(database, index.model, way);
        return { found: handle.search(question, { limit: 5, candidates: 60 }), means: handle.means };
      });
      expect(answers.map(({ means }) => means)).toEqual([
        { scan: 'simd', distance: 'sqlite-vec' },
        { scan: 'plain', distance: 'sqlite-vec' },
        { scan: 'simd', distance: 'plain' },
        { scan: 'plain', distance: 'plain' },
      ]);
      const [first, ...others] = answers.map(({ found }) => found);
      expect(first).toHaveLength(5);
      for (const other of others) expect(other).toEqual(first);
    },
  );

  it('come from a space without documents as nothing at all', () => {
    const index = openIndex(8);
    expect(index.search(Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0), { limit: 3 })).toEqual([]);
    expect({ count: index.count, memory: index.memory }).toEqual({ count: 0, memory: 0 });
  });

  it('are those the latest vector of a document says, also within one batch', () => {
    const index = openIndex(4);
    index.add([
      { document: 7, vector: Float32Array.of(1, 0, 0, 0) },
      { document: 8, vector: Float32Array.of(0, 1, 0, 0) },
      { document: 7, vector: Float32Array.of(0, 0, 1, 0) },
    ]);
    index.add([{ document: 8, vector: Float32Array.of(0, 0, 0, 1) }]);
    expect(index.count).toBe(2);
    expect(index.search(Float32Array.of(0, 0, 1, 0), { limit: 1 })).toEqual([{ document: 7, similarity: 1 }]);
    expect(index.search(Float32Array.of(0, 0, 0, 1), { limit: 1 })).toEqual([{ document: 8, similarity: 1 }]);
  });

  it('of equal likeness come in the order of their numbers', () => {
    const index = openIndex(4);
    index.add([9_000_000_000, 3, 5000].map((document) => ({ document, vector: Float32Array.of(0.5, 0.5, 0.5, 0.5) })));
    const found = index.search(Float32Array.of(1, 1, 1, 1), { limit: 5 });
    expect(found.map(({ document }) => document)).toEqual([3, 5000, 9_000_000_000]);
  });

  it('never include a document whose vector has no length, and a question without length finds nothing', () => {
    const index = openIndex(4);
    index.add([
      { document: 1, vector: new Float32Array(4) },
      { document: 2, vector: Float32Array.of(0, 1, 0, 0) },
      { document: 3, vector: Float32Array.of(1, 0, 0, 0) },
    ]);
    index.add([{ document: 3, vector: new Float32Array(4) }]);
    expect(index.count).toBe(1);
    expect(index.search(Float32Array.of(1, 0, 0, 0), { limit: 5 })).toEqual([{ document: 2, similarity: 0 }]);
    expect(index.search(new Float32Array(4), { limit: 5 })).toEqual([]);
  });

  it('are only those allowed, by a function, a set or a bitmap', () => {
    const material = createRandomVectors(96, 5);
    const vectors = Array.from({ length: 9000 }, () => material.next());
    const index = openIndex(96);
    addAll(index, vectors);
    const question = material.next();
    const documents = [...vectors.keys()].filter((document) => document % 7 === 0);
    const wanted = exactNearest(vectors, question, 9000).filter((document) => document % 7 === 0);
    for (const allowed of [
      (document: number) => document % 7 === 0,
      new Set([...documents, 1_000_006]),
      buildDocumentBitmap(documents),
    ]) {
      const found = index.search(question, { limit: 20, candidates: 1200, allowed });
      expect(found.map(({ document }) => document).sort((a, b) => a - b)).toEqual(wanted.slice(0, 20).sort((a, b) => a - b));
    }
    expect(index.search(question, { limit: 20, allowed: new Set<number>() })).toEqual([]);
    expect(index.search(question, { limit: 20, allowed: new Uint8Array(0) })).toEqual([]);
  });
});

describe('what is not a vector of the model', () => {
  it('is refused with a code, and nothing of its batch is written', () => {
    const index = openIndex(4);
    const good = { document: 1, vector: Float32Array.of(1, 0, 0, 0) };
    for (const [bad, code] of [
      [{ document: 2, vector: new Float32Array(5) }, 'dimension-mismatch'],
      [{ document: 2, vector: Float32Array.of(1, Number.NaN, 0, 0) }, 'invalid-input'],
      [{ document: -1, vector: good.vector }, 'invalid-input'],
      [{ document: 1.5, vector: good.vector }, 'invalid-input'],
    ] as const) {
      expect(() => index.add([good, bad])).toThrow(expect.objectContaining({ code }));
    }
    expect(() => index.search(new Float32Array(3), { limit: 1 })).toThrow(
      expect.objectContaining({ code: 'dimension-mismatch' }),
    );
    expect(index.count).toBe(0);
    expect(() => new VectorModels(openDatabase()).begin({ id: 'huge', dimension: 4097 })).toThrow(
      expect.objectContaining({ code: 'invalid-input' }),
    );
  });
});

describe('a removed document', () => {
  it('is not found any more, its neighbours are, and it may come back', () => {
    const material = createRandomVectors(32, 6);
    const vectors = Array.from({ length: 5000 }, () => material.next());
    const index = openIndex(32);
    addAll(index, vectors);
    const question = vectors[4321] as Float32Array;
    expect(index.search(question, { limit: 1 })[0]?.document).toBe(4321);
    expect(index.remove([4321, 4321, 99_999])).toBe(1);
    expect(index.search(question, { limit: 1 })[0]?.document).not.toBe(4321);
    expect(index.count).toBe(4999);
    index.add([{ document: 4321, vector: question }]);
    expect(index.search(question, { limit: 1 })[0]?.document).toBe(4321);
  });

  it('leaves no byte of its vector, neither of its numbers nor of its signs', () => {
    const folder = createTemporaryFolder('vectors');
    const path = join(folder, 'index.db');
    const database = openDatabase(path);
    const index = openIndex(768, { database });
    const material = createRandomVectors(768, 7);
    const vectors = Array.from({ length: 1000 }, () => material.next());
    for (let from = 0; from < vectors.length; from += 100) {
      index.add(vectors.slice(from, from + 100).map((vector, i) => ({ document: from + i, vector })));
    }
    const bytesOf = (document: number) => {
      const widest = Math.max(...(vectors[document] as Float32Array).map(Math.abs));
      return Buffer.from(Int8Array.from(vectors[document] as Float32Array, (value) => Math.round((value * 127) / widest)).buffer);
    };
    const gone = [0, 1, 500, 999];
    const readAll = () => {
      database.pragma('wal_checkpoint(TRUNCATE)');
      return Buffer.concat([readFileSync(path), readFileSync(`${path}-wal`)]);
    };
    /** Which pieces of 12 numbers are somewhere in the files. */
    const piecesIn = (files: Buffer, document: number) => {
      const bytes = bytesOf(document);
      const pieces = Array.from({ length: 64 }, (_, i) => bytes.subarray(i * 12, i * 12 + 12));
      return pieces.filter((piece) => files.includes(piece)).length;
    };
    const before = readAll();
    expect(gone.map((document) => piecesIn(before, document))).toEqual([64, 64, 64, 64]);
    index.remove(gone);
    const after = readAll();
    expect(gone.map((document) => piecesIn(after, document))).toEqual([0, 0, 0, 0]);
    expect(piecesIn(after, 501)).toBe(64);
    expect(storedSigns(database, gone)).toEqual(gone.map(() => 0));
    expect(storedSigns(database, [501])).not.toEqual([0]);
  });

  it('gives its room back when blank rows are dropped, and other handles learn of emptied segments', () => {
    const folder = createTemporaryFolder('vectors');
    const path = join(folder, 'index.db');
    const [database, other] = [openDatabase(path), openDatabase(path)];
    const index = openIndex(32, { database });
    const material = createRandomVectors(32, 8);
    addAll(
      index,
      Array.from({ length: 10_000 }, () => material.next()),
    );
    const reader = new VectorIndex(other, index.model);
    const question = material.next();
    expect(reader.search(question, { limit: 10_000 })).toHaveLength(10_000);
    index.remove(Array.from({ length: 9000 }, (_, i) => i));
    expect(index.dropRemoved()).toBe(9000);
    expect(reader.search(question, { limit: 10_000 })).toHaveLength(1000);
    index.add([{ document: 5, vector: question }]);
    expect(reader.search(question, { limit: 1 })[0]).toEqual({ document: 5, similarity: expect.closeTo(1, 3) });
    expect(reader.count).toBe(1001);
  });
});

describe('two handles on one database', () => {
  it('see what the other adds and removes, without reading everything again', () => {
    const path = join(createTemporaryFolder('vectors'), 'index.db');
    const [here, there] = [openDatabase(path), openDatabase(path)];
    const writer = openIndex(64, { database: here });
    const reader = new VectorIndex(there, writer.model);
    const material = createRandomVectors(64, 9);
    const vectors = Array.from({ length: 6000 }, () => material.next());
    expect(reader.search(vectors[0] as Float32Array, { limit: 1 })).toEqual([]);
    addAll(writer, vectors);
    expect(reader.search(vectors[10] as Float32Array, { limit: 1 })[0]?.document).toBe(10);
    const held = reader.memory;
    writer.remove([10]);
    writer.add([{ document: 11, vector: vectors[10] as Float32Array }]);
    expect(reader.search(vectors[10] as Float32Array, { limit: 1 })[0]?.document).toBe(11);
    expect(reader.memory).toBe(held);
    reader.release();
    expect(reader.memory).toBe(0);
    expect(reader.search(vectors[10] as Float32Array, { limit: 1 })[0]?.document).toBe(11);
  });

  it('load in the background what the first search then need not', async () => {
    const path = join(createTemporaryFolder('vectors'), 'index.db');
    const writer = openIndex(16, { database: openDatabase(path) });
    const material = createRandomVectors(16, 10);
    const vectors = Array.from({ length: 40_000 }, () => material.next());
    addAll(writer, vectors);
    const reader = new VectorIndex(openDatabase(path), writer.model);
    const loading = reader.load();
    writer.remove([39_999]);
    await loading;
    const held = reader.memory;
    expect(held).toBeGreaterThan(40_000 * 32);
    expect(reader.search(vectors[39_998] as Float32Array, { limit: 1 })[0]?.document).toBe(39_998);
    expect(reader.search(vectors[39_999] as Float32Array, { limit: 1 })[0]?.document).not.toBe(39_999);
    expect(reader.memory).toBe(held);
    const stopped = await new VectorIndex(openDatabase(path), writer.model).load(AbortSignal.abort()).catch((error) => error);
    expect(isContinuoError(stopped, 'cancelled')).toBe(true);
  });
});

describe('an encrypted database', () => {
  it('is searched as any other, with sqlite-vec, and its file shows no vector', () => {
    const path = join(createTemporaryFolder('vectors'), 'index.db');
    const key = new Uint8Array(32).fill(7);
    const database = openDatabase(path, key);
    const index = openIndex(128, { database });
    const vector = Float32Array.from({ length: 128 }, (_, i) => (i % 2 ? 1 : 0.5));
    index.add([{ document: 1, vector }]);
    expect(index.search(vector, { limit: 1 })).toEqual([{ document: 1, similarity: expect.closeTo(1, 4) }]);
    expect(index.means.distance).toBe('sqlite-vec');
    database.pragma('wal_checkpoint(TRUNCATE)');
    expect(readFileSync(path).includes(Buffer.from([64, 127, 64, 127, 64, 127]))).toBe(false);
    database.close();
    const again = openDatabase(path, key);
    const [model] = new VectorModels(again).list();
    expect(new VectorIndex(again, model as NonNullable<typeof model>).search(vector, { limit: 1 })).toHaveLength(1);
  });
});

function openDatabase(path = ':memory:', key?: Uint8Array): Database.Database {
  const database = new Database(path);
  onTestFinished(() => {
    database.close();
  });
  if (key) unlockDatabase(database, key);
  database.pragma('journal_mode = WAL');
  return database;
}

function openIndex(dimension: number, { database = openDatabase() } = {}): VectorIndex {
  return new VectorIndex(database, new VectorModels(database).begin({ id: 'test', dimension }));
}

function addAll(index: VectorIndex, vectors: readonly Float32Array[]): void {
  index.add(vectors.map((vector, document) => ({ document, vector })));
}

function exactNearest(vectors: readonly Float32Array[], question: Float32Array, count: number): number[] {
  const likeness = Float64Array.from(vectors, (vector) => dot(vector, question));
  return [...likeness.keys()].sort((a, b) => (likeness[b] as number) - (likeness[a] as number)).slice(0, count);
}

/** How many sign bits of each document are set. */
function storedSigns(database: Database.Database, documents: readonly number[]): number[] {
  const bits = database.prepare<[], Buffer>('SELECT bits FROM vector_bits').pluck().get() as Buffer;
  const { rowBytes } = new SignCode(768);
  return documents.map((row) => {
    let set = 0;
    for (let i = 0; i < rowBytes; i++) set += bits[(row >> 4) * 16 * rowBytes + i * 16 + (row & 15)] as number;
    return set;
  });
}
