// The suite every embedder runs whole. Free of any test framework: give each case to the `it` or `test` of your choice.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import type { Embedder } from '../model/ports/embedder.ts';
import type { RunnableCase } from './store-conformance/store-conformance.ts';

/** Every case, bound to the embedder under test. A new one is made for each and nothing is left behind. */
export function embedderConformance(create: () => Embedder | Promise<Embedder>): RunnableCase[] {
  return cases.map(([name, run]) => ({ name, run: async () => run(await create(), create) }));
}

type Case = (embedder: Embedder, create: () => Embedder | Promise<Embedder>) => Promise<void>;

const related = [
  'The parser drops the last token when the input ends without a newline',
  'When the input ends without a newline the parser drops a token',
];
const unrelated = 'Book a table for two on Friday evening, near the window';
const relatedChinese = ['导航模块的坐标会漂移', '坐标漂移，请检查导航模块'];
const unrelatedChinese = '周五晚上订一张靠窗的桌子';

const cases: readonly [string, Case][] = [
  [
    'names itself and its dimension, the same each time',
    async (embedder, create) => {
      const again = await create();
      ok(embedder.id.length > 0);
      ok(Number.isInteger(embedder.dimension) && embedder.dimension > 0);
      deepEqual([again.id, again.dimension], [embedder.id, embedder.dimension]);
    },
  ],
  [
    'gives one vector of unit length a text, of its dimension',
    async (embedder) => {
      const vectors = await embedder.embed([...related, unrelated, ...relatedChinese, 'x', '🙂 \ud83d lone half']);
      equal(vectors.length, 7);
      for (const vector of vectors) {
        ok(vector instanceof Float32Array);
        equal(vector.length, embedder.dimension);
        ok(Math.abs(Math.hypot(...vector) - 1) < 1e-4, `length ${Math.hypot(...vector)}`);
      }
    },
  ],
  [
    'gives zeros for a text without content, and nothing for no text',
    async (embedder) => {
      const [empty, blank, text] = await embedder.embed(['', ' \n\t', 'text']);
      deepEqual([empty, blank], [new Float32Array(embedder.dimension), new Float32Array(embedder.dimension)]);
      ok(text?.some((value) => value !== 0));
      deepEqual(await embedder.embed([]), []);
    },
  ],
  [
    'gives the same vector for the same text, alone or among many, in their order',
    async (embedder) => {
      const texts = Array.from({ length: 300 }, (_, i) => `text number ${i} of the ${i % 7} kind`);
      const together = await embedder.embed(texts);
      equal(together.length, texts.length);
      for (const place of [0, 1, 150, 299]) {
        const [alone] = await embedder.embed([texts[place] as string]);
        ok(cosine(alone as Float32Array, together[place] as Float32Array) > 0.999);
      }
      ok(cosine(together[0] as Float32Array, together[150] as Float32Array) < 0.999);
    },
  ],
  [
    'puts texts that share words nearer than texts that share none, in English and in Chinese',
    async (embedder) => {
      for (const [pair, other] of [
        [related, unrelated],
        [relatedChinese, unrelatedChinese],
      ] as const) {
        const [first, second, third] = (await embedder.embed([...pair, other])) as [Float32Array, Float32Array, Float32Array];
        const [near, far] = [cosine(first, second), cosine(first, third)];
        ok(near > far + 0.1, `${near} against ${far}`);
      }
    },
  ],
  [
    'takes a text of any length, and a question as well as a passage',
    async (embedder) => {
      const vectors = await embedder.embed(['word '.repeat(50_000), '字'.repeat(50_000)], { kind: 'query' });
      for (const vector of vectors) ok(Math.abs(Math.hypot(...vector) - 1) < 1e-4);
    },
  ],
  [
    'stops where it is told to',
    async (embedder) => {
      await rejects(embedder.embed(['text'], { signal: AbortSignal.abort() }));
    },
  ],
];

function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
