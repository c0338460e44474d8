// Durations in a fixed number of steps: what it takes does not grow with what it has seen, and percentiles are right to a quarter.

const steps = 64;
const growth = 1.25;

export interface DurationFigures {
  count: number;
  /** All in milliseconds, 0 where nothing was counted. */
  mean: number;
  max: number;
  p50: number;
  p95: number;
}

export class DurationHistogram {
  readonly #counts = new Uint32Array(steps);
  #count = 0;
  #sum = 0;
  #max = 0;

  add(milliseconds: number): void {
    const duration = Math.max(0, milliseconds) || 0;
    const step = duration <= 1 ? 0 : Math.min(steps - 1, Math.ceil(Math.log(duration) / Math.log(growth)));
    this.#counts[step] = (this.#counts[step] as number) + 1;
    this.#count += 1;
    this.#sum += duration;
    this.#max = Math.max(this.#max, duration);
  }

  figures(): DurationFigures {
    const mean = this.#count === 0 ? 0 : this.#sum / this.#count;
    return { count: this.#count, mean, max: this.#max, p50: this.#percentile(0.5), p95: this.#percentile(0.95) };
  }

  /** The upper end of the step that holds it, so never too small; and never more than was seen. */
  #percentile(part: number): number {
    let left = Math.ceil(this.#count * part);
    if (left === 0) return 0;
    for (let step = 0; step < steps - 1; step++) {
      left -= this.#counts[step] as number;
      if (left <= 0) return Math.min(growth ** step, this.#max);
    }
    return this.#max;
  }
}
