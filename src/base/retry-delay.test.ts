import { describe, expect, it } from 'vitest';
import { createRetryPlan, retryDelay } from './retry-delay.ts';

describe('the wait before another attempt', () => {
  const plan = createRetryPlan({ firstDelay: 100, maxDelay: 3000 });

  it('is what the server asks for, in seconds or as a date, up to the limit', () => {
    expect(retryDelay(plan, 1, { 'retry-after': '2' })).toBe(2000);
    expect(retryDelay(plan, 1, { 'retry-after': ' 0.25 ' })).toBe(250);
    expect(retryDelay(plan, 1, { 'retry-after': '3600' })).toBe(3000);
    expect(retryDelay(plan, 1, { 'retry-after': '2', 'retry-after-ms': '70' })).toBe(70);
    expect(retryDelay(plan, 1, { 'retry-after': new Date(Date.now() - 60_000).toUTCString() })).toBe(0);
    expect(retryDelay(plan, 1, { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() })).toBe(3000);
  });

  it.each([undefined, '', 'soon'])('doubles with every failure where it asks for %j', (asked) => {
    for (const [failed, longest] of [
      [1, 100],
      [2, 200],
      [4, 800],
      [12, 3000],
    ] as const) {
      const delay = retryDelay(plan, failed, { 'retry-after': asked });
      expect(delay).toBeGreaterThanOrEqual(longest / 2);
      expect(delay).toBeLessThanOrEqual(longest);
    }
  });
});
