// A vector in one byte a coordinate. The cosine does not depend on a vector's length, so that its scale need not be kept.

/** Undefined for a vector without length: it points nowhere. */
export function toInt8Vector(vector: Float32Array): Int8Array | undefined {
  let widest = 0;
  for (let i = 0; i < vector.length; i++) widest = Math.max(widest, Math.abs(vector[i] as number));
  if (!(widest > 0) || widest === Number.POSITIVE_INFINITY) return undefined;
  const scale = 127 / widest;
  const rounded = new Int8Array(vector.length);
  for (let i = 0; i < vector.length; i++) rounded[i] = Math.round((vector[i] as number) * scale);
  return rounded;
}

/** Whether all of it can be reckoned with: no NaN, nothing infinite. */
export function isFiniteVector(vector: Float32Array): boolean {
  let probe = 0;
  for (let i = 0; i < vector.length; i++) probe += (vector[i] as number) * 0;
  return probe === 0;
}

/** The cosine between a question and a stored vector. */
export function cosine(query: Float32Array, stored: Int8Array): number {
  let dot = 0;
  let queryLength = 0;
  let storedLength = 0;
  for (let i = 0; i < stored.length; i++) {
    const a = query[i] as number;
    const b = stored[i] as number;
    dot += a * b;
    queryLength += a * a;
    storedLength += b * b;
  }
  const length = Math.sqrt(queryLength * storedLength);
  return length === 0 ? 0 : dot / length;
}
