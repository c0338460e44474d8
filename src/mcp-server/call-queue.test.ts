import { describe, expect, it } from 'vitest';
import { CallQueue } from './call-queue.ts';

describe('calls', () => {
  it('run so many at once, in the order they came, also after one failed', async () => {
    const queue = new CallQueue(2);
    const { signal } = new AbortController();
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const calls = [0, 1, 2, 3].map((i) =>
      queue.run(signal, async () => {
        begun.push(i);
        await new Promise<void>((resolve) => ends.push(resolve));
        if (i === 0) throw new Error('failed');
      }),
    );
    const settled = Promise.allSettled(calls);
    await Promise.resolve();
    expect(begun).toEqual([0, 1]);
    ends[0]?.();
    await expect(calls[0]).rejects.toThrow('failed');
    await expect.poll(() => begun).toEqual([0, 1, 2]);
    ends[1]?.();
    await expect.poll(() => begun).toEqual([0, 1, 2, 3]);
    ends[2]?.();
    ends[3]?.();
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
  });

  it('that nobody wants any more leave the queue, and take nobody else with them', async () => {
    const queue = new CallQueue(1);
    let end = () => {};
    const first = queue.run(new AbortController().signal, () => new Promise<void>((resolve) => (end = resolve)));
    const stop = new AbortController();
    const second = queue.run(stop.signal, async () => 'second');
    const third = queue.run(new AbortController().signal, async () => 'third');
    stop.abort(new Error('not wanted'));
    await expect(second).rejects.toThrow('not wanted');
    end();
    await first;
    expect(await third).toBe('third');
  });
});
