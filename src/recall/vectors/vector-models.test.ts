import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { createRandomVectors } from '../../../test/support/vector-material.ts';
import { VectorIndex } from './vector-index.ts';
import { VectorModels } from './vector-models.ts';

describe('the models of a database', () => {
  it('are none before the first one begins, also where nothing may be written', () => {
    const path = join(createTemporaryFolder('models'), 'index.db');
    new Database(path).exec('CREATE TABLE other (a)').close();
    const models = new VectorModels(openDatabase(path, { readonly: true }));
    expect([models.list(), models.findCurrent(), models.find({ id: 'a', dimension: 4 })]).toEqual([[], undefined, undefined]);
  });

  it('are another one where the name or the dimension is, and one at most is being built', () => {
    const models = new VectorModels(openDatabase());
    const states = () => models.list().map(({ id, dimension, state }) => `${id} ${dimension} ${state}`);
    const first = models.begin({ id: 'a', dimension: 4 });
    expect(models.begin({ id: 'a', dimension: 4 })).toEqual(first);
    models.begin({ id: 'a', dimension: 8 });
    const third = models.begin({ id: 'b', dimension: 4 });
    expect(states()).toEqual(['a 4 current', 'a 8 retired', 'b 4 building']);
    expect(models.promote(third.number)).toBe(true);
    expect(states()).toEqual(['a 4 retired', 'a 8 retired', 'b 4 current']);
    // One that is retired does not come back: it may have lost a part already.
    expect(models.promote(first.number)).toBe(false);
    expect(models.begin({ id: 'a', dimension: 4 }).number).toBeGreaterThan(third.number);
    while (models.removeSome());
    expect(states()).toEqual(['b 4 current', 'a 4 building']);
  });

  it('take no vectors once another has their place, and are searched without an answer once they are gone', () => {
    const database = openDatabase();
    const models = new VectorModels(database);
    const index = new VectorIndex(database, models.begin({ id: 'a', dimension: 4 }));
    const vector = Float32Array.of(1, 0, 0, 0);
    index.add([{ document: 1, vector }]);
    models.promote(models.begin({ id: 'b', dimension: 4 }).number);
    expect(() => index.add([{ document: 2, vector }])).toThrow(expect.objectContaining({ code: 'invalid-input' }));
    expect(index.search(vector, { limit: 1 })).toEqual([{ document: 1, similarity: 1 }]);
    expect(index.remove([1])).toBe(1);
    while (models.removeSome());
    expect(index.search(vector, { limit: 1 })).toEqual([]);
    expect([index.remove([1]), index.count, index.memory]).toEqual([0, 0, 0]);
  });

  it('leave no byte of a vector when they are removed, piece by piece', () => {
    const path = join(createTemporaryFolder('models'), 'index.db');
    const database = openDatabase(path);
    const models = new VectorModels(database);
    const index = new VectorIndex(database, models.begin({ id: 'a', dimension: 64 }));
    const material = createRandomVectors(64, 1);
    index.add(Array.from({ length: 4500 }, (_, document) => ({ document, vector: material.next() })));
    const stored = database.prepare<[], Buffer>('SELECT vector FROM vectors_1 WHERE document % 90 = 0').pluck().all();
    const piecesLeft = () => {
      database.pragma('wal_checkpoint(TRUNCATE)');
      const file = readFileSync(path);
      return stored.filter((vector) => file.includes(vector.subarray(0, 16)) || file.includes(vector.subarray(48))).length;
    };
    expect(piecesLeft()).toBe(50);
    models.clear();
    let steps = 0;
    while (models.removeSome()) steps += 1;
    expect(steps).toBe(4);
    expect(piecesLeft()).toBe(0);
    expect(models.list()).toEqual([]);
  });
});

function openDatabase(path = ':memory:', options: Database.Options = {}): Database.Database {
  const database = new Database(path, options);
  onTestFinished(() => {
    database.close();
  });
  if (!options.readonly) database.pragma('journal_mode = WAL');
  return database;
}
