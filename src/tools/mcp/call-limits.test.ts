import { describe, expect, it } from 'vitest';
import { ContinuoError } from '../../model/error.ts';
import { type CallLimit, CallLimits } from './call-limits.ts';

describe('limits on calls', () => {
  it('let so many run at a time, in the order they came', async () => {
    const { limits } = start({ concurrent: 2, perMinute: 6_000 });
    const order: number[] = [];
    const ends = await Promise.all([limits.acquire('wait'), limits.acquire('wait')]);
    for (const name of [1, 2, 3]) void limits.acquire('wait').then(() => order.push(name));
    expect([limits.running, limits.waiting]).toEqual([2, 3]);
    ends[0]?.();
    ends[0]?.();
    await settle();
    expect(order).toEqual([1]);
    ends[1]?.();
    await settle();
    expect([order, limits.running, limits.waiting]).toEqual([[1, 2], 2, 1]);
  });

  it('let a burst start, and the rest one by one', async () => {
    const { limits, advance } = start({ concurrent: 100, perMinute: 60, burst: 3 });
    let started = 0;
    for (let call = 0; call < 6; call += 1) void limits.acquire('wait').then(() => ++started);
    await settle();
    expect(started).toBe(3);
    for (const expected of [4, 5, 6]) {
      await advance(990);
      expect(started).toBe(expected - 1);
      await advance(12);
      expect(started).toBe(expected);
    }
  });

  it('never exceed the rate and one burst in any minute', async () => {
    const { limits, advance, now } = start({ concurrent: 1_000, perMinute: 30, queue: 1_000 });
    const times: number[] = [];
    for (let call = 0; call < 150; call += 1) void limits.acquire('wait').then((end) => times.push(now()) && end());
    for (let step = 0; step < 3_000; step += 1) await advance(100);
    expect(times).toHaveLength(150);
    const most = Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 60_000).length));
    expect(most).toBeLessThanOrEqual(35);
    expect(most).toBeGreaterThanOrEqual(30);
  });

  it('save up no more than a burst', async () => {
    const { limits, advance } = start({ concurrent: 100, perMinute: 60, burst: 2 });
    await advance(3_600_000);
    await limits.acquire('fail');
    await limits.acquire('fail');
    await expect(limits.acquire('fail')).rejects.toMatchObject({
      code: 'mcp-limit',
      details: { reason: 'at most 60 may be made a minute' },
    });
  });

  it('refuse what may not wait, and what comes when too many wait', async () => {
    const { limits } = start({ concurrent: 1, perMinute: 6_000, queue: 1 });
    await limits.acquire('fail');
    await expect(limits.acquire('fail')).rejects.toMatchObject({ details: { reason: 'at most 1 may run at a time' } });
    limits.acquire('wait').catch(() => undefined);
    await expect(limits.acquire('wait')).rejects.toMatchObject({
      code: 'mcp-limit',
      details: { reason: '1 calls are waiting already' },
    });
  });

  it('let go of who gives up, and serve the next in line', async () => {
    const { limits } = start({ concurrent: 1, perMinute: 6_000 });
    const end = await limits.acquire('wait');
    const controller = new AbortController();
    const first = limits.acquire('wait', controller.signal);
    const second = limits.acquire('wait');
    controller.abort();
    await expect(first).rejects.toMatchObject({ code: 'cancelled' });
    await expect(limits.acquire('wait', controller.signal)).rejects.toMatchObject({ code: 'cancelled' });
    end();
    (await second)();
    expect([limits.running, limits.waiting]).toEqual([0, 0]);
  });

  it('turn everybody away once they are closed', async () => {
    const { limits } = start({ concurrent: 1, perMinute: 6_000 });
    const end = await limits.acquire('wait');
    const waiting = limits.acquire('wait');
    limits.close(new ContinuoError('session-closed'));
    await expect(waiting).rejects.toMatchObject({ code: 'session-closed' });
    await expect(limits.acquire('wait')).rejects.toMatchObject({ code: 'session-closed' });
    end();
    expect(limits.running).toBe(0);
  });

  it('survive a clock that steps back', async () => {
    const { limits, advance } = start({ concurrent: 10, perMinute: 60, burst: 1 });
    await limits.acquire('wait');
    let started = false;
    void limits.acquire('wait').then(() => {
      started = true;
    });
    await advance(-3_600_000);
    expect(started).toBe(false);
    await advance(1_001);
    await advance(1_001);
    expect(started).toBe(true);
  });
});

/** Limits over a clock that moves when it is told to, and timers that go by time passed, as real ones do. */
function start(limit: CallLimit) {
  let now = 1_000_000;
  let passed = 0;
  const timers = new Set<{ due: number; fire: () => void }>();
  const limits = new CallLimits(limit, {
    clock: () => now,
    setTimer: (milliseconds, fire) => {
      const timer = { due: passed + milliseconds, fire };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  });
  const advance = async (milliseconds: number) => {
    now += milliseconds;
    passed += Math.max(0, milliseconds);
    for (const timer of [...timers]) {
      if (timer.due > passed) continue;
      timers.delete(timer);
      timer.fire();
    }
    await settle();
  };
  return { limits, advance, now: () => now };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}
