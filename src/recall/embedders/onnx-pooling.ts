// From what a model puts out to one vector of unit length a text. What stands where there is only padding does not count.
import { ContinuoError } from '../../model/error.ts';
import type { OnnxOutput } from './onnx-packages.ts';

export type Pooling = 'mean' | 'cls';

export interface PoolOptions {
  embedder: string;
  pooling: Pooling;
  /** Tokens of each text in the batch, without padding. */
  lengths: readonly number[];
}

/** `output` is one vector a token (three dimensions), or one a text (two), pooled by the model itself. */
export function poolVectors(output: OnnxOutput | undefined, { embedder, pooling, lengths }: PoolOptions): Float32Array[] {
  const { type, data, dims } = output ?? {};
  const width = dims?.at(-1) ?? 0;
  const tokens = dims?.length === 3 ? (dims[1] as number) : 1;
  const isWhole = data instanceof Float32Array && data.length === lengths.length * tokens * width && width > 0;
  if (type !== 'float32' || !isWhole || dims?.[0] !== lengths.length || (dims.length !== 2 && dims.length !== 3)) {
    throw new ContinuoError('embedder-failed', { embedder, reason: 'its answer is not understood' });
  }
  return lengths.map((length, text) => {
    const counted = dims.length === 2 || pooling === 'cls' ? 1 : Math.min(length, tokens);
    const sum = new Float64Array(width);
    for (let token = 0; token < counted; token++) {
      const start = (text * tokens + token) * width;
      for (let i = 0; i < width; i++) sum[i] = (sum[i] as number) + (data[start + i] as number);
    }
    return toUnitLength(sum, embedder);
  });
}

function toUnitLength(sum: Float64Array, embedder: string): Float32Array {
  let squares = 0;
  for (const value of sum) squares += value * value;
  const length = Math.sqrt(squares);
  if (!(length > 0) || length === Number.POSITIVE_INFINITY) {
    throw new ContinuoError('embedder-refused', { embedder, reason: 'the model gives no vector for it' });
  }
  return Float32Array.from(sum, (value) => value / length);
}
