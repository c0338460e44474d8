import { describe, expect, it } from 'vitest';
import { createHashingEmbedder } from '../../testing/hashing-embedder.ts';
import { createSimilarityScale, measureScale } from './similarity-scale.ts';

/** All of its vectors point nearly the same way, as those of some models do. */
const crowded = {
  id: 'crowded@1',
  dimension: 256,
  embed: async (texts: readonly string[]) => {
    const plain = await createHashingEmbedder().embed(texts);
    return plain.map((vector) => {
      const shifted = vector.map((value) => value * 0.5 + 0.05);
      const length = Math.hypot(...shifted);
      return shifted.map((value) => value / length);
    });
  },
};

describe('the scale of similarity', () => {
  it('counts from what texts without anything in common have, up to equal ones', () => {
    const scale = createSimilarityScale(0.6);
    expect([0.2, 0.6, 0.8, 1].map(scale.toLikeness)).toEqual([0, 0, 0.5, 1].map((value) => expect.closeTo(value, 9)));
    expect(scale.toCosine(0.5)).toBeCloseTo(0.8, 9);
  });

  it('is measured with the embedder itself, once', async () => {
    const hashing = await measureScale(createHashingEmbedder());
    expect(hashing.toCosine(0)).toBeLessThan(0.1);
    const scale = await measureScale(crowded);
    expect(scale.toCosine(0)).toBeGreaterThan(0.5);
    expect(await measureScale(crowded)).toBe(scale);
  });

  it('is measured again where the embedder did not answer', async () => {
    let calls = 0;
    const flaky = {
      ...crowded,
      embed: async (texts: readonly string[]) => {
        calls += 1;
        if (calls === 1) throw new Error('no luck');
        return crowded.embed(texts);
      },
    };
    await expect(measureScale(flaky)).rejects.toThrow('no luck');
    expect((await measureScale(flaky)).toLikeness(1)).toBe(1);
  });
});
