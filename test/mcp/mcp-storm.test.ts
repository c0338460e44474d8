// Many views that come and go, servers that are killed at random: every call ends in one of two ways, and nothing is left over.
import { describe, expect, it } from 'vitest';
import { createSeededRandom } from '../support/seeded-random.ts';
import { context, isAlive, openPool, say, scripted, sleep, until } from './mcp-bench.ts';

describe('a storm', () => {
  it('of views that open, call and release uses one process and leaves none', async () => {
    const pool = openPool({ idleMilliseconds: 2_000, limits: { concurrent: 20, perMinute: 1_000_000 } });
    const keeper = pool.view({ servers: [scripted()] });
    const pid = await say(keeper, 'pid');
    const pids = new Set<string>();
    await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const view = pool.view({ servers: [scripted()], limits: { concurrent: 2, perMinute: 10_000 } });
        await sleep(index % 10);
        if (index % 3 === 0) view.call('hang', {}, context()).catch(() => undefined);
        pids.add(await say(view, 'pid'));
        await Promise.all([view.release(), view.release()]);
      }),
    );
    expect([...pids]).toEqual([pid]);
    await until(() => pool.status()[0]?.calls === 0);
    expect(pool.status()).toEqual([{ server: 'scripted', state: 'ready', pid: Number(pid), views: 1, calls: 0 }]);
    await pool.close();
    expect(isAlive(Number(pid))).toBe(false);
    expect(pool.status()).toEqual([]);
  });

  it('of kills loses only calls that were under way', async () => {
    const random = createSeededRandom(7);
    const backOff = { firstMilliseconds: 5, mostMilliseconds: 20 };
    const pool = openPool({ backOff, limits: { concurrent: 20, perMinute: 1_000_000 } });
    const views = [1, 2].map(() => pool.view({ servers: [scripted()], limits: { concurrent: 10, perMinute: 1_000_000 } }));
    const pids = new Set<number>();
    let going = true;
    const killer = (async () => {
      while (going) {
        await sleep(20 + random() * 150);
        const { pid } = pool.status()[0] ?? {};
        if (pid === undefined) continue;
        pids.add(pid);
        process.kill(pid, 'SIGKILL');
      }
    })();
    const codes = new Map<string, number>();
    const startedAt = performance.now();
    const callers = Array.from({ length: 10 }, async (_, index) => {
      while (performance.now() - startedAt < 2_500 || (codes.get('done') ?? 0) <= 10 || pids.size <= 2) {
        const view = views[index % 2] as (typeof views)[0];
        const outcome = await view.call('work', { milliseconds: 5 }, context()).catch((error) => error);
        const code = outcome.code ?? outcome.text;
        codes.set(code, (codes.get(code) ?? 0) + 1);
        if (outcome.failed) await sleep(10);
      }
    });
    await Promise.all(callers);
    going = false;
    await killer;
    expect([...codes.keys()].filter((code) => !['done', 'mcp-failed', 'tool-not-found'].includes(code))).toEqual([]);
    expect(codes.get('done')).toBeGreaterThan(10);
    expect(pids.size).toBeGreaterThan(2);
    await sleep(50);
    expect(await say(views[0] as (typeof views)[0], 'work')).toBe('done');
    await pool.close();
    expect([...pids].filter(isAlive)).toEqual([]);
  });
});
