// Measuring on a machine that others use too: the things compared take turns in short rounds, so that a slow moment hits all of
// them, and medians are compared. Every figure is a ratio from one run.

/** Runs `count` operations. */
export type Job = (count: number) => void | Promise<void>;

export interface RoundOptions {
  rounds: number;
  /** Operations a round, the same for every job or one number each. */
  count: number | Record<string, number>;
  /** Rounds that are run first and not counted, while code is compiled and caches fill. */
  warmup?: number;
}

/** Median microseconds an operation, by job. */
export async function compare<Name extends string>(
  jobs: Record<Name, Job>,
  options: RoundOptions,
): Promise<Record<Name, number>> {
  const names = Object.keys(jobs) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  const warmup = options.warmup ?? 0;
  for (let round = 0; round < warmup + options.rounds; round++) {
    for (const name of names) {
      const count = typeof options.count === 'number' ? options.count : (options.count[name] as number);
      const started = performance.now();
      await jobs[name](count);
      const microseconds = ((performance.now() - started) * 1000) / count;
      if (round >= warmup) samples[name].push(microseconds);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(samples[name])])) as Record<Name, number>;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}
