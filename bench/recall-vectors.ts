// The semantic half of recall: how fast the nearest vectors are found, how many of the truly nearest, and what that costs on disk and
// in memory. CONTINUO_BENCH_SCALE multiplies the 100,000 vectors; 10 is the million.
import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3-multiple-ciphers';
import { VectorIndex } from '../src/recall/vectors/vector-index.ts';
import { VectorModels } from '../src/recall/vectors/vector-models.ts';
import { createClusteredVectors, createRandomVectors, dot, type VectorMaterial } from '../test/support/vector-material.ts';
import { withFolder } from './material.ts';
import { median } from './measure.ts';
import type { VectorSearchReport } from './recall-vectors-child.ts';
import type { Figure } from './report.ts';

const scale = Number(process.env.CONTINUO_BENCH_SCALE ?? 1);
const dimension = 384;
const batchSize = 4096;
const questionCount = 30;

export async function benchRecallVectors(): Promise<Figure[]> {
  const count = Math.max(batchSize, Math.round(100_000 * scale));
  // Texts about the same things: about 500 a cluster, loose, all leaning one way as the vectors of most models do.
  const clusters = { count: Math.ceil(count / 500), spread: 1.2, lean: 0.5 };
  return [
    ...(await measureSearch(count, 'in clusters', createClusteredVectors(dimension, 1, clusters))),
    ...(await measureRecall(Math.min(count, 20_000), 'spread evenly', createRandomVectors(dimension, 2))),
  ];
}

async function measureSearch(count: number, kind: string, material: VectorMaterial): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const path = join(folder, 'index.db');
    const { questions, nearest, microseconds } = fillDatabase(path, count, material);
    const bytes = statSync(path).size;
    const report = searchInChild(folder, path, questions);
    const times = report.searchMilliseconds.toSorted((a, b) => a - b);
    const [p50, p95] = [median(times), times[Math.floor(times.length * 0.95)] as number];
    const exact = median(report.exactMilliseconds);
    const name = `${count.toLocaleString('en')} vectors ${kind}`;
    return [
      recallFigure(name, nearest, report.found),
      {
        name: `sqlite-vec over all of ${count.toLocaleString('en')} vectors, times a search`,
        value: exact / p50,
        bound: { kind: 'at least', value: 5 },
        detail: `search p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, first ${report.firstMilliseconds.toFixed(0)} ms; exact ${exact.toFixed(0)} ms`,
      },
      { name: 'loading the sign bits, ms', value: report.loadMilliseconds, detail: `${megabytes(report.matrixBytes)} MB` },
      {
        name: 'bytes on disk a vector, times its dimensions',
        value: bytes / count / dimension,
        bound: { kind: 'at most', value: 1.35 },
        detail: `${Math.round(bytes / count)} bytes of ${dimension} dimensions`,
      },
      {
        name: 'memory of a searching process, MB',
        value: megabytes(report.residentBytes),
        bound: { kind: 'at most', value: 300 },
        detail: `${megabytes(report.residentBefore)} MB before loading`,
      },
      { name: 'vectors written a second', value: 1e6 / microseconds, detail: `${microseconds.toFixed(1)} µs each` },
    ];
  });
}

async function measureRecall(count: number, kind: string, material: VectorMaterial): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const path = join(folder, 'index.db');
    const { questions, nearest } = fillDatabase(path, count, material);
    const { found } = searchInChild(folder, path, questions);
    return [recallFigure(`${count.toLocaleString('en')} vectors ${kind}`, nearest, found)];
  });
}

/** Writes the vectors and finds out meanwhile which ten are truly nearest to each question. */
function fillDatabase(path: string, count: number, material: VectorMaterial) {
  const questions = Array.from({ length: questionCount }, () => material.next());
  const best = questions.map(() => new TenBest());
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  const index = new VectorIndex(database, new VectorModels(database).begin({ id: 'bench', dimension }));
  let milliseconds = 0;
  for (let from = 1; from <= count; from += batchSize) {
    const size = Math.min(batchSize, count - from + 1);
    const batch = Array.from({ length: size }, (_, i) => ({ document: from + i, vector: material.next() }));
    const started = performance.now();
    index.add(batch);
    milliseconds += performance.now() - started;
    for (const [i, question] of questions.entries()) {
      for (const { document, vector } of batch) best[i]?.offer(document, dot(vector, question));
    }
  }
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  const nearest = best.map((ten) => ten.documents);
  return { questions, nearest, microseconds: (milliseconds * 1000) / count };
}

class TenBest {
  #items: { document: number; likeness: number }[] = [];

  get documents(): number[] {
    return this.#items.map(({ document }) => document);
  }

  offer(document: number, likeness: number): void {
    if (this.#items.length === 10 && likeness <= (this.#items[9] as { likeness: number }).likeness) return;
    this.#items = [...this.#items, { document, likeness }].sort((a, b) => b.likeness - a.likeness).slice(0, 10);
  }
}

function searchInChild(folder: string, path: string, questions: readonly Float32Array[]): VectorSearchReport {
  const file = join(folder, 'questions.json');
  writeFileSync(file, JSON.stringify(questions.map((question) => [...question])));
  const program = fileURLToPath(new URL('./recall-vectors-child.js', import.meta.url));
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, path, file], { encoding: 'utf8', maxBuffer: 1e8 });
  if (status !== 0) throw new Error(`The searching process failed: ${stderr}`);
  return JSON.parse(stdout) as VectorSearchReport;
}

function recallFigure(name: string, nearest: readonly number[][], found: readonly number[][]): Figure {
  let hits = 0;
  for (const [i, documents] of nearest.entries()) hits += documents.filter((document) => found[i]?.includes(document)).length;
  return {
    name: `recall@10, ${name}`,
    value: hits / (nearest.length * 10),
    bound: { kind: 'at least', value: 0.95 },
    detail: `against comparing all; 1000 candidates, ${nearest.length} questions`,
  };
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e6);
}
