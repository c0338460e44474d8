// What a cosine of this embedder means. Some models find nothing in common at 0, others at 0.7; so a few sentences that have nothing
// to do with each other are embedded once, and likeness is counted from there: 0 for such sentences, 1 for equal ones.
import type { Embedder } from '../../model/ports/embedder.ts';

const questions = ['Which train goes to the airport?', '这道菜要放多少盐？', 'how do I reset my password', '下周的会议改到几点'];
const passages = [
  'The violin was restored last winter.',
  '蝴蝶的翅膀上有很多细小的鳞片。',
  'Prices of copper fell by three percent.',
  '他们在山顶看见了日出。',
];

export interface SimilarityScale {
  /** 0 to 1. */
  toLikeness(cosine: number): number;
  toCosine(likeness: number): number;
}

export function createSimilarityScale(unrelated: number): SimilarityScale {
  const base = Math.min(0.95, Math.max(0, unrelated));
  return {
    toLikeness: (cosine) => Math.min(1, Math.max(0, (cosine - base) / (1 - base))),
    toCosine: (likeness) => base + likeness * (1 - base),
  };
}

const measured = new WeakMap<Embedder, Promise<SimilarityScale>>();

/** Measured once for each embedder; a failure is not remembered. */
export function measureScale(embedder: Embedder): Promise<SimilarityScale> {
  let scale = measured.get(embedder);
  if (!scale) {
    scale = measure(embedder);
    measured.set(embedder, scale);
    scale.catch(() => measured.delete(embedder));
  }
  return scale;
}

async function measure(embedder: Embedder): Promise<SimilarityScale> {
  const [asked, said] = await Promise.all([
    embedder.embed(questions, { kind: 'query' }),
    embedder.embed(passages, { kind: 'passage' }),
  ]);
  const cosines = asked.flatMap((one) => said.map((other) => dot(one, other)));
  return createSimilarityScale(cosines.reduce((sum, cosine) => sum + cosine, 0) / Math.max(1, cosines.length));
}

/** Vectors of an embedder have unit length. */
function dot(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, i) => sum + value * (other[i] ?? 0), 0);
}
