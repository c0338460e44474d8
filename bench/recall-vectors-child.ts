// A process of its own for recall-vectors.ts: opens the database, loads the sign bits, searches, and tells times and memory as JSON.
import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3-multiple-ciphers';
import { VectorIndex } from '../src/recall/vectors/vector-index.ts';
import { type VectorModel, VectorModels } from '../src/recall/vectors/vector-models.ts';

export interface VectorSearchReport {
  loadMilliseconds: number;
  firstMilliseconds: number;
  searchMilliseconds: number[];
  /** Every vector compared by sqlite-vec alone. */
  exactMilliseconds: number[];
  found: number[][];
  matrixBytes: number;
  residentBytes: number;
  residentBefore: number;
}

const [path, questionsPath] = process.argv.slice(2) as [string, string];
const questions = (JSON.parse(readFileSync(questionsPath, 'utf8')) as number[][]).map((values) => Float32Array.from(values));
const database = new Database(path, { readonly: true });
database.pragma('cache_size = -16384');
const model = new VectorModels(database).findCurrent() as VectorModel;
const index = new VectorIndex(database, model);

const residentBefore = process.memoryUsage().rss;
const loadMilliseconds = await clock(() => index.load());
const firstMilliseconds = await clock(() => void index.search(questions[0] as Float32Array, { limit: 10 }));
const found = questions.map((question) => index.search(question, { limit: 10 }).map(({ document }) => document));
const searchMilliseconds: number[] = [];
for (let round = 0; round < 5; round++) {
  for (const question of questions) {
    searchMilliseconds.push(await clock(() => void index.search(question, { limit: 10 })));
  }
}
const residentBytes = process.memoryUsage().rss;
const exact = database
  .prepare(`SELECT document FROM vectors_${model.number} ORDER BY vec_distance_cosine(vec_int8(vector), vec_int8(?)) LIMIT 10`)
  .pluck();
const rounded = new Uint8Array(Int8Array.from(questions[0] as Float32Array, (value) => value * 127).buffer);
const exactMilliseconds: number[] = [];
for (let round = 0; round < 3; round++) exactMilliseconds.push(await clock(() => void exact.all(rounded)));
database.close();

const report: VectorSearchReport = {
  loadMilliseconds,
  firstMilliseconds,
  searchMilliseconds,
  exactMilliseconds,
  found,
  matrixBytes: index.memory,
  residentBytes,
  residentBefore,
};
process.stdout.write(JSON.stringify(report));

async function clock(work: () => void | Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
