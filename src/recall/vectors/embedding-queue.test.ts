import { join } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { bundleProgram, Child } from '../../../test/support/child-program.ts';
import { createTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { ContinuoError } from '../../model/error.ts';
import type { Embedder } from '../../model/ports/embedder.ts';
import { createHashingEmbedder } from '../../testing/hashing-embedder.ts';
import { type EmbeddableDocument, type EmbeddingProgress, EmbeddingQueue, type VectorDatabase } from './embedding-queue.ts';
import { removeVectors, SemanticSearch } from './semantic-search.ts';
import { VectorModels } from './vector-models.ts';

describe('background embedding', () => {
  it('embeds everything after its watermark, in batches, and then only what is new', async () => {
    const database = openDatabase();
    const documents = makeDocuments(10);
    const { embedder, calls } = spy(createHashingEmbedder());
    const progress: EmbeddingProgress[] = [];
    const queue = new EmbeddingQueue({
      index: indexOver(database),
      embedder,
      source: after(documents),
      batchSize: 4,
      onProgress: (step) => progress.push(step),
    });
    const model = embedder.id;
    expect(await queue.catchUp()).toEqual({ model, embedded: 10, watermark: 10, refused: [], switched: false });
    expect(calls.map((texts) => texts.length)).toEqual([4, 4, 2]);
    expect(progress).toEqual([
      { model, embedded: 4, watermark: 4 },
      { model, embedded: 8, watermark: 8 },
      { model, embedded: 10, watermark: 10 },
    ]);
    documents.push(...makeDocuments(3, 11));
    expect(await queue.catchUp()).toEqual({ model, embedded: 3, watermark: 13, refused: [], switched: false });
    expect(await queue.catchUp()).toEqual({ model, embedded: 0, watermark: 13, refused: [], switched: false });
    const search = new SemanticSearch({ database }, [embedder]);
    const { found, ...rest } = await search.search('kangaroo number 12', { limit: 1 });
    expect(rest).toEqual({ model, watermark: 13 });
    expect(found[0]?.document).toBe(12);
  });

  it('makes batches by characters too, passes over texts without content, and two runs at once are one', async () => {
    const database = openDatabase();
    const { embedder, calls } = spy(createHashingEmbedder());
    const texts = ['aaaa', ' ', 'bbbb', 'c'.repeat(50), 'dddd', ''];
    const documents = texts.map((text, i) => ({ document: i + 1, text }));
    const queue = new EmbeddingQueue({ index: indexOver(database), embedder, source: after(documents), batchCharacters: 10 });
    const [first, second] = await Promise.all([queue.catchUp(), queue.catchUp()]);
    expect(first).toEqual({ model: embedder.id, embedded: 4, watermark: 6, refused: [], switched: false });
    expect(second).toEqual(first);
    expect(calls).toEqual([['aaaa', 'bbbb'], ['c'.repeat(50)], ['dddd']]);
  });

  it('writes no vector for a document that was purged while it was being embedded', async () => {
    const database = openDatabase();
    const embedder = createHashingEmbedder();
    const purged = new Set<number>();
    const slow: Embedder = {
      ...embedder,
      embed: async (texts) => {
        purged.add(2);
        return embedder.embed(texts);
      },
    };
    const queue = new EmbeddingQueue({
      index: indexOver(database),
      embedder: slow,
      source: after(makeDocuments(3)),
      isKept: (document) => !purged.has(document),
    });
    expect(await queue.catchUp()).toMatchObject({ embedded: 2, watermark: 3 });
    const { found } = await new SemanticSearch({ database }, [embedder]).search('kangaroo number 2', { limit: 10 });
    expect(found.map(({ document }) => document).sort()).toEqual([1, 3]);
  });

  it('leaves out a text the embedder refuses, names it, and goes on', async () => {
    const database = openDatabase();
    const queue = new EmbeddingQueue({
      index: indexOver(database),
      embedder: refusing(({ text }) => /number (?:5|6|19)$/.test(text)),
      source: after(makeDocuments(20)),
    });
    expect(await queue.catchUp()).toMatchObject({ embedded: 17, watermark: 20, refused: [5, 6, 19] });
  });

  it('blames no document where the embedder takes nothing at all, and stays where it was', async () => {
    const database = openDatabase();
    const queue = new EmbeddingQueue({
      index: indexOver(database),
      embedder: refusing(() => true),
      source: after(makeDocuments(3)),
    });
    await expect(queue.catchUp()).rejects.toMatchObject({ code: 'embedder-refused' });
    expect(new VectorModels(database).findCurrent()).toMatchObject({ watermark: 0 });
  });

  it('keeps what is written when it fails or is stopped, and goes on from there', async () => {
    const database = openDatabase();
    const embedder = createHashingEmbedder();
    let broken = true;
    const failing: Embedder = {
      ...embedder,
      embed: async (texts, options) => {
        if (broken && texts.some((text) => text.endsWith('number 7'))) {
          throw new ContinuoError('embedder-failed', { embedder: embedder.id, reason: 'it was empty' });
        }
        return embedder.embed(texts, options);
      },
    };
    const options = { index: indexOver(database), embedder: failing, source: after(makeDocuments(12)), batchSize: 3 };
    await expect(new EmbeddingQueue(options).catchUp()).rejects.toMatchObject({ code: 'embedder-failed' });
    expect(new VectorModels(database).findCurrent()).toMatchObject({ watermark: 6 });
    broken = false;
    const stop = new AbortController();
    const stopped = new EmbeddingQueue({ ...options, onProgress: () => stop.abort() });
    await expect(stopped.catchUp(stop.signal)).rejects.toMatchObject({ code: 'cancelled' });
    expect(new VectorModels(database).findCurrent()).toMatchObject({ watermark: 9 });
    expect(await new EmbeddingQueue(options).catchUp()).toMatchObject({ embedded: 3, watermark: 12 });
  });

  it('does not repeat what another process has done meanwhile', async () => {
    const path = join(createTemporaryFolder('embedding'), 'index.db');
    const [here, there] = [spy(createHashingEmbedder()), spy(createHashingEmbedder())];
    const documents = makeDocuments(40);
    const runs = [here, there].map(({ embedder }) =>
      new EmbeddingQueue({ index: indexOver(openDatabase(path)), embedder, source: after(documents), batchSize: 5 }).catchUp(),
    );
    const reports = await Promise.all(runs);
    expect(reports.map(({ watermark }) => watermark)).toEqual([40, 40]);
    expect(reports.reduce((sum, { embedded }) => sum + embedded, 0)).toBeLessThan(80);
    const { found } = await new SemanticSearch({ database: openDatabase(path) }, [here.embedder]).search('kangaroo', {
      limit: 100,
    });
    expect(found).toHaveLength(40);
    expect(here.calls.length + there.calls.length).toBeLessThan(16);
  });
});

describe('another embedder', () => {
  const old = createHashingEmbedder({ name: 'old' });
  const fresh = createHashingEmbedder({ name: 'fresh', dimension: 384 });

  it('is built beside the old one, which answers until then, and takes its place in one step', async () => {
    const database = openDatabase();
    const source = after(makeDocuments(30));
    await new EmbeddingQueue({ index: indexOver(database), embedder: old, source }).catchUp();
    const search = new SemanticSearch({ database }, [fresh, old]);
    const answers: (string | undefined)[] = [];
    const slow: Embedder = {
      ...fresh,
      embed: async (texts, options) => {
        const { model, found } = await search.search('kangaroo number 30', { limit: 1 });
        answers.push(`${model} ${found[0]?.document}`);
        return fresh.embed(texts, options);
      },
    };
    const report = await new EmbeddingQueue({ index: indexOver(database), embedder: slow, source, batchSize: 10 }).catchUp();
    expect(report).toEqual({ model: fresh.id, embedded: 30, watermark: 30, refused: [], switched: true });
    expect(answers).toEqual(Array(3).fill(`${old.id} 30`));
    expect(await search.search('kangaroo number 30', { limit: 1 })).toMatchObject({ model: fresh.id, watermark: 30 });
    expect(new VectorModels(database).list().map(({ id, state }) => ({ id, state }))).toEqual([
      { id: fresh.id, state: 'current' },
    ]);
    expect(tablesOf(database)).toEqual(['vector_bits', 'vector_models', 'vector_segments', 'vectors_2']);
    expect(database.prepare('SELECT count(*) FROM vector_bits').pluck().get()).toBe(1);
  });

  it('that is given up half way leaves nothing, and going back costs nothing', async () => {
    const database = openDatabase();
    const source = after(makeDocuments(30));
    await new EmbeddingQueue({ index: indexOver(database), embedder: old, source }).catchUp();
    const stop = new AbortController();
    const half = new EmbeddingQueue({
      index: indexOver(database),
      embedder: fresh,
      source,
      batchSize: 10,
      onProgress: () => stop.abort(),
    });
    await expect(half.catchUp(stop.signal)).rejects.toMatchObject({ code: 'cancelled' });
    const models = new VectorModels(database);
    expect(models.list().map(({ id, state, watermark }) => [id, state, watermark])).toEqual([
      [old.id, 'current', 30],
      [fresh.id, 'building', 10],
    ]);
    // Where only the new embedder is at hand, what it has made already can be found.
    expect(await new SemanticSearch({ database }, [fresh]).search('kangaroo number 3', { limit: 1 })).toMatchObject({
      model: fresh.id,
      watermark: 10,
    });
    expect(await new EmbeddingQueue({ index: indexOver(database), embedder: old, source }).catchUp()).toMatchObject({
      embedded: 0,
      switched: false,
    });
    expect(models.list().map(({ id, state }) => [id, state])).toEqual([[old.id, 'current']]);
  });

  it('does not bring back what is removed while it is being built', async () => {
    const database = openDatabase();
    const source = after(makeDocuments(20));
    await new EmbeddingQueue({ index: indexOver(database), embedder: old, source }).catchUp();
    const stop = new AbortController();
    const half = new EmbeddingQueue({
      index: indexOver(database),
      embedder: fresh,
      source,
      batchSize: 10,
      onProgress: () => stop.abort(),
    });
    await expect(half.catchUp(stop.signal)).rejects.toMatchObject({ code: 'cancelled' });
    expect(removeVectors(database, [3, 15, 99])).toBe(2);
    const kept = (document: number) => document !== 15;
    await new EmbeddingQueue({ index: indexOver(database), embedder: fresh, source, isKept: kept }).catchUp();
    const { found } = await new SemanticSearch({ database }, [fresh]).search('kangaroo', { limit: 100 });
    expect(found.map(({ document }) => document).filter((document) => document === 3 || document === 15)).toEqual([]);
    expect(found).toHaveLength(18);
  });

  it('finds nothing where no embedder at hand made any vectors', async () => {
    const database = openDatabase();
    await new EmbeddingQueue({ index: indexOver(database), embedder: old, source: after(makeDocuments(3)) }).catchUp();
    expect(await new SemanticSearch({ database }, [fresh]).search('kangaroo', { limit: 3 })).toEqual({ found: [], watermark: 0 });
    expect(await new SemanticSearch({ database: openDatabase() }, [fresh]).search('kangaroo', { limit: 3 })).toEqual({
      found: [],
      watermark: 0,
    });
  });

  it('starts from the beginning where all models were given up', async () => {
    const database = openDatabase();
    const queue = new EmbeddingQueue({ index: indexOver(database), embedder: old, source: after(makeDocuments(3)) });
    await queue.catchUp();
    new VectorModels(database).clear();
    expect(await queue.catchUp()).toMatchObject({ embedded: 3, watermark: 3, switched: false });
    expect(tablesOf(database).filter((table) => table.startsWith('vectors_'))).toEqual(['vectors_2']);
  });
});

describe('a process killed while it embeds', () => {
  let program: string;
  beforeAll(async () => {
    program = await bundleProgram(new URL('../../../test/recall-vectors/embedding-child.ts', import.meta.url));
  });

  it('has lost no batch it told of, and the next one goes on from there', async () => {
    const path = join(createTemporaryFolder('embedding'), 'index.db');
    const embedder = createHashingEmbedder();
    let watermark = 0;
    for (let round = 0; round < 3; round++) {
      const child = new Child<EmbeddingProgress>(program, { path, documents: 3000, batchSize: 50 });
      for (let batches = 0; batches < 4; batches++) watermark = (await child.next())?.watermark ?? watermark;
      child.kill();
      for await (const line of child) watermark = line.watermark;
      expect(await child.ended).toMatchObject({ signal: 'SIGKILL' });
      const database = openDatabase(path);
      const stored = new VectorModels(database).findCurrent()?.watermark as number;
      // One more may have been written than was told.
      expect([watermark, watermark + 50]).toContain(stored);
      const { found } = await new SemanticSearch({ database }, [embedder]).search('kangaroo', { limit: 5000, candidates: 5000 });
      expect(found.map(({ document }) => document).sort((a, b) => a - b)).toEqual(
        Array.from({ length: stored }, (_, i) => i + 1),
      );
    }
    const child = new Child<EmbeddingProgress>(program, { path, documents: 3000, batchSize: 500 });
    expect((await child.finish()).at(-1)?.watermark).toBe(3000);
    const { found } = await new SemanticSearch({ database: openDatabase(path) }, [embedder]).search('kangaroo', {
      limit: 5000,
      candidates: 5000,
    });
    expect(found.map(({ document }) => document).sort((a, b) => a - b)).toEqual(Array.from({ length: 3000 }, (_, i) => i + 1));
  });
});

function openDatabase(path = ':memory:'): Database.Database {
  const database = new Database(path);
  onTestFinished(() => {
    database.close();
  });
  database.pragma('journal_mode = WAL');
  return database;
}

function indexOver(database: Database.Database): VectorDatabase {
  return { database, write: async (work) => database.transaction(() => work(database)).immediate() };
}

function makeDocuments(count: number, from = 1): EmbeddableDocument[] {
  return Array.from({ length: count }, (_, i) => ({ document: from + i, text: `kangaroo number ${from + i}` }));
}

function after(documents: readonly EmbeddableDocument[]) {
  return (watermark: number) => documents.filter(({ document }) => document > watermark);
}

function spy(embedder: Embedder): { embedder: Embedder; calls: string[][] } {
  const calls: string[][] = [];
  return {
    calls,
    embedder: {
      ...embedder,
      embed: (texts, options) => {
        calls.push([...texts]);
        return embedder.embed(texts, options);
      },
    },
  };
}

function refusing(refuses: (text: { text: string }) => boolean): Embedder {
  const embedder = createHashingEmbedder();
  return {
    ...embedder,
    embed: async (texts, options) => {
      if (texts.some((text) => refuses({ text }))) {
        throw new ContinuoError('embedder-refused', { embedder: embedder.id, reason: 'it is empty' });
      }
      return embedder.embed(texts, options);
    },
  };
}

function tablesOf(database: Database.Database): string[] {
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'vector%' ORDER BY name";
  return database.prepare<[], string>(sql).pluck().all();
}
