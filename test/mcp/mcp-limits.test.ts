// Limits under load, measured by the server itself.
import { describe, expect, it } from 'vitest';
import { context, openPool, say, scripted, until } from './mcp-bench.ts';

const plenty = 100_000;

describe('200 calls over two views', () => {
  it('never exceed what each view and the session allow', async () => {
    const pool = openPool({ limits: { concurrent: 7, perMinute: plenty } });
    const views = [5, 6].map((concurrent) => pool.view({ servers: [scripted()], limits: { concurrent, perMinute: plenty } }));
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, index) => say(views[index % 2] as (typeof views)[0], 'work', { milliseconds: 5 })),
    );
    expect(new Set(outcomes)).toEqual(new Set(['done']));
    expect(JSON.parse(await say(views[0] as (typeof views)[0], 'peak'))).toEqual({ peak: 7, calls: 200 });
  });

  it('never exceed what one view allows while the session has room', async () => {
    const pool = openPool({ limits: { concurrent: 50, perMinute: plenty } });
    const view = pool.view({ servers: [scripted()], limits: { concurrent: 3, perMinute: plenty } });
    await Promise.all(Array.from({ length: 100 }, () => say(view, 'work', { milliseconds: 5 })));
    expect(JSON.parse(await say(view, 'peak'))).toEqual({ peak: 3, calls: 100 });
  });

  it('keep to the rate of the view', async () => {
    const view = openPool().view({ servers: [scripted()], limits: { concurrent: 50, perMinute: 1_200, burst: 5 } });
    await view.tools();
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 20 }, () => say(view, 'work', { milliseconds: 1 })));
    const elapsed = performance.now() - startedAt;
    // Five at once, the other fifteen 50 ms apart.
    expect(elapsed).toBeGreaterThan(740);
    expect(elapsed).toBeLessThan(5_000);
  });

  it('do not let one view starve the other', async () => {
    const pool = openPool({ limits: { concurrent: 2, perMinute: plenty } });
    const busy = pool.view({ servers: [scripted()], limits: { concurrent: 2, perMinute: plenty } });
    const quiet = pool.view({ servers: [scripted()], limits: { concurrent: 2, perMinute: plenty } });
    await quiet.tools();
    let done = 0;
    const flood = Array.from({ length: 100 }, () => say(busy, 'work', { milliseconds: 10 }).then(() => ++done));
    await until(() => done >= 2);
    const before = done;
    await say(quiet, 'work', { milliseconds: 1 });
    expect(done - before).toBeLessThan(10);
    await Promise.all(flood);
  });
});

describe('a call over the limit', () => {
  it('is refused at once where the view says so', async () => {
    const view = openPool().view({ servers: [scripted()], limits: { concurrent: 1, perMinute: 60 }, whenLimited: 'fail' });
    await view.tools();
    const running = view.call('work', { milliseconds: 200 }, context());
    await until(async () => (await view.call('pid', {}, context())).failed === true);
    expect(await view.call('pid', {}, context())).toEqual({
      text: 'Too many calls to MCP servers: at most 1 may run at a time. Wait a little and try again.',
      failed: true,
      code: 'mcp-limit',
    });
    expect(await running).toEqual({ text: 'done' });
  });

  it('is refused where too many wait already', async () => {
    const view = openPool().view({ servers: [scripted()], limits: { concurrent: 1, perMinute: plenty, queue: 2 } });
    await view.tools();
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => view.call('work', { milliseconds: 50 }, context())));
    expect(outcomes.map(({ code }) => code)).toEqual([undefined, undefined, undefined, 'mcp-limit', 'mcp-limit']);
  });

  it('may be cancelled while it waits, and never reaches the server', async () => {
    const view = openPool().view({ servers: [scripted()], limits: { concurrent: 1, perMinute: plenty } });
    await view.tools();
    const controller = new AbortController();
    const running = view.call('work', { milliseconds: 150 }, context());
    const waiting = view.call('work', {}, context({ signal: controller.signal }));
    setTimeout(() => controller.abort(), 50);
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
    await running;
    expect(JSON.parse(await say(view, 'peak'))).toEqual({ peak: 1, calls: 1 });
  });

  it('is turned away when the session closes', async () => {
    const pool = openPool({ limits: { concurrent: 1, perMinute: plenty } });
    const view = pool.view({ servers: [scripted()] });
    await view.tools();
    const calls = Array.from({ length: 3 }, () => view.call('hang', {}, context()));
    await until(() => pool.status()[0]?.calls === 1);
    await Promise.all([pool.close(), pool.close()]);
    expect((await Promise.all(calls)).map(({ code }) => code)).toEqual(['session-closed', 'session-closed', 'session-closed']);
    expect(() => pool.view({ servers: [] })).toThrow(expect.objectContaining({ code: 'session-closed' }));
    expect((await view.call('pid', {}, context()).catch((error) => error)).code).toBe('tool-not-found');
  });
});
