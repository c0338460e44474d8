// How long to wait before a request is sent again: what the server asks for, or exponentially longer with jitter.

export interface RetryOptions {
  /** How often a request is sent in all; 4 unless given. */
  attempts?: number;
  /** Milliseconds before the second attempt; doubled for each further one. 500 unless given. */
  firstDelay?: number;
  /** Never wait longer, also where the server asks for more; 60,000 unless given. */
  maxDelay?: number;
}

export type RetryPlan = Required<RetryOptions>;

export function createRetryPlan({ attempts = 4, firstDelay = 500, maxDelay = 60_000 }: RetryOptions = {}): RetryPlan {
  return { attempts, firstDelay, maxDelay };
}

/** `failed`: how many attempts have failed so far. `asked`: the header `retry-after`, in seconds or as a date. */
export function retryDelay({ firstDelay, maxDelay }: RetryPlan, failed: number, asked: string | null | undefined): number {
  const wanted = parseDelay(asked?.trim() ?? '');
  if (wanted !== undefined) return Math.min(wanted, maxDelay);
  return Math.min(firstDelay * 2 ** (failed - 1), maxDelay) * (0.5 + Math.random() / 2);
}

function parseDelay(asked: string): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(asked)) return Number(asked) * 1000;
  const date = Date.parse(asked);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
