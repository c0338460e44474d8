// How long to wait before a request is sent again: what the server asks for, or exponentially longer with jitter; never longer than
// the limit.
import { setTimeout as wait } from 'node:timers/promises';
import { type Clock, systemClock } from './clock.ts';

export interface RetryOptions {
  /** How often a request is sent in all; 4 unless given. */
  attempts?: number;
  /** Milliseconds before the second attempt; doubled for each further one. 500 unless given. */
  firstDelay?: number;
  /** Never wait longer, also where the server asks for more; 60,000 unless given. */
  maxDelay?: number;
  clock?: Clock;
  /** A number from 0 to below 1. */
  random?: () => number;
  sleep?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

export type RetryPlan = Required<RetryOptions>;

export function createRetryPlan(options: RetryOptions = {}): RetryPlan {
  return {
    attempts: options.attempts ?? 4,
    firstDelay: options.firstDelay ?? 500,
    maxDelay: options.maxDelay ?? 60_000,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    sleep: options.sleep ?? ((milliseconds, signal) => wait(milliseconds, undefined, { signal })),
  };
}

/** `failed`: how many attempts have failed so far. `headers`: those of the answer, by their names in small letters. */
export function retryDelay(plan: RetryPlan, failed: number, headers: Readonly<Record<string, string | undefined>>): number {
  const asked = askedDelay(headers, plan.clock());
  if (asked !== undefined) return Math.min(asked, plan.maxDelay);
  const longest = Math.min(plan.firstDelay * 2 ** (failed - 1), plan.maxDelay);
  return Math.round(longest * (0.5 + plan.random() / 2));
}

function askedDelay(headers: Readonly<Record<string, string | undefined>>, now: number): number | undefined {
  const milliseconds = Number.parseFloat(headers['retry-after-ms'] ?? '');
  if (milliseconds >= 0) return Math.round(milliseconds);
  const after = headers['retry-after']?.trim();
  if (after === undefined || after === '') return undefined;
  if (/^\d+(?:\.\d+)?$/.test(after)) return Math.round(Number(after) * 1000);
  const date = Date.parse(after);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
