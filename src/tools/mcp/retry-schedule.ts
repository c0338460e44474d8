// When a server that failed may be tried again: later after every failure in a row, with chance in it so that many clients do not
// come back together. A first crash costs no wait: servers do get restarted.
import type { Clock } from '../../base/clock.ts';

export interface BackOff {
  firstMilliseconds: number;
  mostMilliseconds: number;
}

export const defaultBackOff: BackOff = { firstMilliseconds: 500, mostMilliseconds: 60_000 };

export class RetrySchedule {
  readonly #backOff: BackOff;
  readonly #clock: Clock;
  readonly #random: () => number;
  #failures = 0;
  #nextAt = 0;

  constructor(backOff: BackOff, clock: Clock, random: () => number) {
    this.#backOff = backOff;
    this.#clock = clock;
    this.#random = random;
  }

  /** Milliseconds until the next try; 0 where it may be tried now. A clock that stepped back never makes the wait longer than it was meant. */
  get wait(): number {
    return Math.min(Math.max(0, this.#nextAt - this.#clock()), this.#backOff.mostMilliseconds);
  }

  get nextAt(): number {
    return this.#nextAt;
  }

  failedToStart(): void {
    this.#failures += 1;
    this.#schedule(this.#failures);
  }

  crashed(): void {
    this.#failures += 1;
    this.#schedule(this.#failures - 1);
  }

  succeeded(): void {
    this.#failures = 0;
    this.#nextAt = 0;
  }

  #schedule(step: number): void {
    if (step === 0) return;
    const whole = Math.min(this.#backOff.firstMilliseconds * 2 ** Math.min(step - 1, 30), this.#backOff.mostMilliseconds);
    this.#nextAt = this.#clock() + whole * (0.5 + this.#random() / 2);
  }
}
