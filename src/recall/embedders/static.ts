// The default embedder: a table of vectors for words and characters that comes with the package. A text's vector is the weighted sum
// of its pieces', brought to unit length. Sums are of whole numbers, so that a text has the same bytes on every machine.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ContinuoError } from '../../model/error.ts';
import type { Embedder, EmbedOptions } from '../../model/ports/embedder.ts';
import { FingerprintCache } from './file-fingerprint.ts';
import { PieceCutter } from './static/cut-pieces.ts';
import { readModelFile, type StaticModel } from './static/model-file.ts';

export interface StaticEmbedderOptions {
  /** Another model of the same form than the one that comes with the package. */
  file?: string;
  /** A file that remembers that the model was found whole: see {@link FingerprintCache}. */
  cache?: string;
}

const bundledModel = 'models/continuo-static-1.bin';

const opened = new Map<string, Promise<Embedder>>();

/** Read once a process. */
export function openStaticEmbedder({ file = findBundledModel(), cache }: StaticEmbedderOptions = {}): Promise<Embedder> {
  let embedder = opened.get(file);
  if (!embedder) {
    embedder = readModelFile(file, cache === undefined ? undefined : new FingerprintCache(cache)).then(
      (model) => new StaticEmbedder(model),
    );
    opened.set(file, embedder);
    embedder.catch(() => opened.delete(file));
  }
  return embedder;
}

/** Texts between two looks at what else is to do. */
const textsAtOnce = 64;
const charactersAtOnce = 100_000;

class StaticEmbedder implements Embedder {
  readonly id: string;
  readonly dimension: number;
  readonly #model: StaticModel;
  readonly #cutter: PieceCutter;
  readonly #sums: Int32Array;

  constructor(model: StaticModel) {
    this.id = model.id;
    this.dimension = model.dimension;
    this.#model = model;
    this.#cutter = new PieceCutter(model);
    this.#sums = new Int32Array(model.dimension);
  }

  async embed(texts: readonly string[], { signal }: EmbedOptions = {}): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    let characters = 0;
    for (const text of texts) {
      if (signal?.aborted) throw new ContinuoError('cancelled', {}, { cause: signal.reason });
      vectors.push(this.#embedOne(text));
      characters += text.length;
      if (vectors.length % textsAtOnce !== 0 && characters < charactersAtOnce) continue;
      characters = 0;
      await nextTurn();
    }
    return vectors;
  }

  #embedOne(text: string): Float32Array {
    const { dimension, weights, vectors } = this.#model;
    const sums = this.#sums.fill(0);
    const pieces = this.#cutter.cut(text);
    const row = (i: number) => pieces[i] as number;
    let i = 0;
    // Four rows at a time: the sums are read and written once for all of them, which is most of the work.
    for (; i + 4 <= pieces.length; i += 4) {
      const [a, b, c, d] = [row(i) * dimension, row(i + 1) * dimension, row(i + 2) * dimension, row(i + 3) * dimension];
      const [wa, wb, wc, wd] = [weights[row(i)], weights[row(i + 1)], weights[row(i + 2)], weights[row(i + 3)]] as Four;
      for (let k = 0; k < dimension; k++) {
        const left = Math.imul(wa, vectors[a + k] as number) + Math.imul(wb, vectors[b + k] as number);
        const right = Math.imul(wc, vectors[c + k] as number) + Math.imul(wd, vectors[d + k] as number);
        sums[k] = ((sums[k] as number) + left + right) | 0;
      }
    }
    for (; i < pieces.length; i++) {
      const from = row(i) * dimension;
      const weight = weights[row(i)] as number;
      for (let k = 0; k < dimension; k++) sums[k] = ((sums[k] as number) + Math.imul(weight, vectors[from + k] as number)) | 0;
    }
    return unitLength(sums);
  }
}

type Four = [number, number, number, number];

function unitLength(sums: Int32Array): Float32Array {
  let square = 0;
  for (const value of sums) square += value * value;
  const vector = new Float32Array(sums.length);
  if (square === 0) return vector;
  const length = Math.sqrt(square);
  for (let i = 0; i < sums.length; i++) vector[i] = (sums[i] as number) / length;
  return vector;
}

/** Whether the package has its model: a checkout may come without. */
export function hasBundledModel(): boolean {
  return existsSync(findBundledModel());
}

/** In the package's own folder: above this file, wherever the build has put it. */
function findBundledModel(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const file = join(folder, bundledModel);
    const above = dirname(folder);
    if (existsSync(file) || above === folder) return file;
    folder = above;
  }
}
