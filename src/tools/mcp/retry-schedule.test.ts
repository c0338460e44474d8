import { describe, expect, it } from 'vitest';
import { RetrySchedule } from './retry-schedule.ts';

describe('when to try again', () => {
  it('is later after every failed start, up to a limit', () => {
    const { schedule, moveTo } = start(1);
    const waits = Array.from({ length: 6 }, () => {
      moveTo(schedule.nextAt);
      schedule.failedToStart();
      return schedule.wait;
    });
    expect(waits).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  });

  it('is at once after a first crash, then later', () => {
    const { schedule } = start(1);
    const waits = [1, 2, 3].map(() => {
      schedule.crashed();
      return schedule.wait;
    });
    expect(waits).toEqual([0, 100, 200]);
  });

  it('is at once after a success', () => {
    const { schedule } = start(1);
    schedule.failedToStart();
    schedule.succeeded();
    expect(schedule.wait).toBe(0);
  });

  it('varies by up to half', () => {
    const least = start(0).schedule;
    least.failedToStart();
    expect(least.wait).toBe(50);
  });

  it('is never further away than the limit, whatever the clock does', () => {
    const { schedule, moveTo } = start(1);
    schedule.failedToStart();
    moveTo(-1_000_000_000);
    expect(schedule.wait).toBe(1_000);
  });
});

function start(random: number) {
  let now = 5_000;
  const schedule = new RetrySchedule(
    { firstMilliseconds: 100, mostMilliseconds: 1_000 },
    () => now,
    () => random,
  );
  return {
    schedule,
    moveTo: (time: number) => {
      now = time;
    },
  };
}
