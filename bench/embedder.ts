// The static model: how fast it is, beside the encoder it learned from, and how often it finds the paraphrase of a question, beside
// BM25, hashed n-grams and its teachers. The test is bench/data/paraphrases; nothing of it was used in training.
import { join } from 'node:path';
import type { Embedder } from '../src/model/ports/embedder.ts';
import { PieceCutter } from '../src/recall/embedders/static/cut-pieces.ts';
import { readModelFile } from '../src/recall/embedders/static/model-file.ts';
import { openStaticEmbedder } from '../src/recall/embedders/static.ts';
import { createHashingEmbedder } from '../src/testing/hashing-embedder.ts';
import { Bm25 } from './bm25.ts';
import { makeText, withFolder } from './material.ts';
import { compare, median } from './measure.ts';
import { type Figure, rate } from './report.ts';
import { readLines } from './retrieval-set.ts';
import { openTeachers, type Teachers } from './teachers.ts';

interface Item {
  id: string;
  query: string;
  passage: string;
  /** Two of the same topic, one that shares the query's words and means something else, one of another topic. */
  distractors: [string, string, string, string];
}

interface Score {
  plain: number;
  /** With the distractor that shares the query's words. */
  trapped: number;
}

/** How alike a query and some passages are. */
type Measure = (query: string, passages: readonly string[]) => Promise<number[]>;

export async function benchEmbedder(root: string): Promise<Figure[]> {
  return withFolder(async (scratch) => {
    const embedder = await openStaticEmbedder();
    const teachers = await openTeachers(root, scratch);
    if (!teachers) process.stderr.write('The teachers are not here, so ratios to them are left out: see bench/teachers.ts.\n');
    return [
      ...(await measureLoading(root)),
      ...(await measureSpeed(root, embedder, teachers)),
      ...(await measureQuality(root, embedder, teachers)),
    ];
  });
}

async function measureLoading(root: string): Promise<Figure[]> {
  const times: number[] = [];
  for (let round = 0; round < 9; round++) {
    const started = performance.now();
    await readModelFile(bundled(root));
    times.push(performance.now() - started);
  }
  return [
    {
      name: 'static model: read and checked, ms',
      value: median(times),
      bound: { kind: 'at most', value: 100 },
      detail: 'one file, once a process',
    },
  ];
}

async function measureSpeed(root: string, embedder: Embedder, teachers: Teachers | undefined): Promise<Figure[]> {
  const texts = await textsOf(50, root, 2000);
  const jobs = {
    ours: async (count: number) => void (await embedder.embed(texts.slice(0, count))),
    ...(teachers && { teacher: async (count: number) => void (await teachers.english.embed(texts.slice(0, count))) }),
  };
  const { ours, teacher } = await compare<'ours' | 'teacher'>(jobs as Required<typeof jobs>, {
    rounds: 5,
    count: { ours: 2000, teacher: 20 },
    warmup: 1,
  });
  return [
    {
      name: 'static model: texts of 50 pieces a second',
      value: 1e6 / ours,
      bound: { kind: 'at least', value: 20_000 },
      detail: 'one core',
    },
    ...(teacher
      ? [
          {
            name: 'static model, times the rate of MiniLM',
            value: teacher / ours,
            bound: { kind: 'at least' as const, value: 200 },
            detail: `${rate(ours)} against ${rate(teacher)}, one thread`,
          },
        ]
      : []),
  ];
}

async function measureQuality(root: string, embedder: Embedder, teachers: Teachers | undefined): Promise<Figure[]> {
  const read = (name: string) => readLines<Item>(join(root, 'bench/data/paraphrases', `${name}.jsonl`));
  const cross = read('cross');
  const sets = {
    en: read('en'),
    zh: read('zh'),
    'en to zh': cross.filter(({ query }) => !isChinese(query)),
    'zh to en': cross.filter(({ query }) => isChinese(query)),
  };
  const every = Object.values(sets).flatMap((items) => items.flatMap(({ passage, distractors }) => [passage, ...distractors]));
  const measures: Record<string, Measure> = {
    BM25: byWords(every),
    'hashed n-grams': byVectors(createHashingEmbedder({ dimension: 512 })),
    ...(teachers && { MiniLM: byVectors(teachers.english), 'bge-small-zh': byVectors(teachers.chinese) }),
    'static model': byVectors(embedder),
  };
  const table: Record<string, Record<string, Score>> = {};
  for (const [name, measure] of Object.entries(measures)) {
    table[name] = {};
    for (const [set, items] of Object.entries(sets)) table[name][set] = await recallAtOne(items, measure);
  }
  const found = (name: string, set: string) => table[name]?.[set]?.plain ?? 0;
  const ratio = (set: string, other: string, least: number): Figure => ({
    name: `paraphrases, ${set}: static model, times ${other}`,
    value: found('static model', set) / Math.max(found(other, set), 1e-9),
    bound: { kind: 'at least', value: least },
    detail: `${sets[set as keyof typeof sets].length} queries, ${found('static model', set).toFixed(2)} against ${found(other, set).toFixed(2)}`,
  });
  return [
    ...(teachers ? [ratio('en', 'MiniLM', 0.75), ratio('zh', 'bge-small-zh', 0.75)] : []),
    ratio('en', 'BM25', 1.5),
    ratio('zh', 'BM25', 1.5),
    ...Object.entries(table).flatMap(([name, scores]) =>
      Object.entries(scores).map(([set, { plain, trapped }]) => ({
        name: `  ${name}, ${set}: recall@1`,
        value: plain,
        detail: `with the trap that shares its words ${trapped.toFixed(2)}`,
      })),
    ),
  ];
}

/** Among its own distractors and all other passages of the set. */
async function recallAtOne(items: readonly Item[], measure: Measure): Promise<Score> {
  const passages = items.map(({ passage }) => passage);
  let plain = 0;
  let trapped = 0;
  for (const [place, { query, distractors }] of items.entries()) {
    const [near, alike, trap, far] = distractors;
    const scores = await measure(query, [...passages, near, alike, far, trap]);
    const own = scores[place] as number;
    const beaten = scores.slice(0, -1).every((score, i) => i === place || score < own);
    plain += beaten ? 1 : 0;
    trapped += beaten && (scores.at(-1) as number) < own ? 1 : 0;
  }
  return { plain: plain / items.length, trapped: trapped / items.length };
}

function byWords(texts: readonly string[]): Measure {
  const index = new Bm25(texts);
  const places = new Map(texts.map((text, place) => [text, place]));
  return async (query, passages) => passages.map((passage) => index.score(query, places.get(passage) as number));
}

function byVectors(embedder: Embedder): Measure {
  const known = new Map<string, Float32Array>();
  const vectorOf = async (text: string, kind: 'query' | 'passage') => {
    const vector = known.get(kind + text) ?? ((await embedder.embed([text], { kind }))[0] as Float32Array);
    known.set(kind + text, vector);
    return vector;
  };
  return async (query, passages) => {
    const asked = await vectorOf(query, 'query');
    const scores: number[] = [];
    for (const passage of passages) scores.push(dot(asked, await vectorOf(passage, 'passage')));
    return scores;
  };
}

async function textsOf(pieces: number, root: string, count: number): Promise<string[]> {
  const cutter = new PieceCutter(await readModelFile(bundled(root)));
  return Array.from({ length: count }, (_, number) => {
    let length = pieces;
    while (cutter.cut(makeText(number, length)).length < pieces) length += 2;
    return makeText(number, length);
  });
}

function bundled(root: string): string {
  return join(root, 'models/continuo-static-1.bin');
}

function isChinese(text: string): boolean {
  return (text.match(/[\u4e00-\u9fff]/g)?.length ?? 0) > 0.15 * text.length;
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += (one[i] as number) * (other[i] as number);
  return sum;
}
