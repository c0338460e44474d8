// Reads a server's answer to a request for vectors: one of the right size for each text, in the order of the texts, of unit length.
import { ContinuoError } from '../../model/error.ts';

interface Expected {
  embedder: string;
  texts: number;
  dimension: number;
}

export function readVectors(body: string, expected: Expected): Float32Array[] {
  const data = readData(body, expected.embedder);
  if (data.length !== expected.texts) {
    throw failure(expected.embedder, `it gave ${data.length} vectors for ${expected.texts} texts`);
  }
  const vectors = new Array<Float32Array | undefined>(data.length);
  for (const [place, item] of data.entries()) {
    const { index = place, embedding } = (item ?? {}) as { index?: number; embedding?: unknown };
    if (!Array.isArray(embedding) || !Number.isInteger(index) || vectors[index]) throw notUnderstood(expected.embedder);
    vectors[index] = toUnitVector(embedding, expected);
  }
  // Each number once and none of them too high: otherwise one is missing here.
  return Array.from(vectors, (vector) => {
    if (!vector) throw notUnderstood(expected.embedder);
    return vector;
  });
}

function readData(body: string, embedder: string): unknown[] {
  try {
    const { data } = JSON.parse(body) as { data?: unknown };
    if (Array.isArray(data)) return data;
  } catch {
    // Told below.
  }
  throw notUnderstood(embedder);
}

function toUnitVector(values: unknown[], { embedder, dimension }: Expected): Float32Array {
  if (values.length !== dimension) {
    throw new ContinuoError('dimension-mismatch', { embedder, expected: dimension, found: values.length });
  }
  let sum = 0;
  for (const value of values) {
    if (typeof value !== 'number') throw notUnderstood(embedder);
    sum += value * value;
  }
  const length = Math.sqrt(sum);
  if (!(length > 0) || length === Number.POSITIVE_INFINITY) throw notUnderstood(embedder);
  return Float32Array.from(values as number[], (value) => value / length);
}

function notUnderstood(embedder: string): ContinuoError {
  return failure(embedder, 'its answer is not understood');
}

function failure(embedder: string, reason: string): ContinuoError {
  return new ContinuoError('embedder-failed', { embedder, reason });
}
