// Vectors to test and measure with: spread evenly over the sphere, or in clusters as texts about the same things are.
import { createSeededRandom, type SeededRandom } from './seeded-random.ts';

export interface VectorMaterial {
  /** The next vector, of unit length. */
  next(): Float32Array;
}

export function createRandomVectors(dimension: number, seed: number): VectorMaterial {
  const random = createSeededRandom(seed);
  return { next: () => toUnit(gaussians(dimension, random)) };
}

export interface Clusters {
  count: number;
  /** Length of what is added to a cluster's centre; the centre's is 1. */
  spread: number;
  /** How far all centres lean the same way, as the vectors of most models do. */
  lean?: number;
}

export function createClusteredVectors(dimension: number, seed: number, { count, spread, lean = 0 }: Clusters): VectorMaterial {
  const random = createSeededRandom(seed);
  const shared = toUnit(gaussians(dimension, random));
  const centres = Array.from({ length: count }, () =>
    toUnit(toUnit(gaussians(dimension, random)).map((value, i) => value + lean * (shared[i] as number))),
  );
  return {
    next: () => {
      const centre = random.pick(centres);
      const vector = toUnit(gaussians(dimension, random));
      for (let i = 0; i < dimension; i++) vector[i] = (vector[i] as number) * spread + (centre[i] as number);
      return toUnit(vector);
    },
  };
}

/** Changes the vector itself. */
export function toUnit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] as number) / length;
  return vector;
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

/** Sums of uniform numbers: near enough to a normal distribution, and quick enough for millions. */
function gaussians(dimension: number, random: SeededRandom): Float32Array {
  const vector = new Float32Array(dimension);
  for (let i = 0; i < dimension; i++) vector[i] = random() + random() + random() - 1.5;
  return vector;
}
