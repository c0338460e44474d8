// Randomness that can be repeated: a campaign prints its seed, and CONTINUO_SEED runs the same one again.

export interface SeededRandom {
  /** At least 0, below 1. */
  (): number;
  /** A whole number, at least `low`, below `high`. */
  between(low: number, high: number): number;
  pick<Item>(items: readonly Item[]): Item;
  chance(probability: number): boolean;
}

/** The seed of this run: given by CONTINUO_SEED, otherwise new each time. */
export const campaignSeed = Number(process.env.CONTINUO_SEED ?? Date.now() % 2 ** 31);

export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  // Mulberry32: small, quick and good enough to spread kills and bit flips.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low));
  return Object.assign(next, {
    between,
    pick: <Item>(items: readonly Item[]) => items[between(0, items.length)] as Item,
    chance: (probability: number) => next() < probability,
  });
}
