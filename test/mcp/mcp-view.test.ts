// Views over one pool: what they see, what they may call, what they share.
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { McpCall } from '../../src/tools/mcp/mcp-pool.ts';
import { context, findTool, isAlive, openPool, say, scripted, until } from './mcp-bench.ts';

describe('two views of one server', () => {
  it('share one process and see different tools', async () => {
    const pool = openPool();
    const one = pool.view({ servers: [scripted({}, { name: 'first' })], allowTools: ['pid', 'work'] });
    const other = pool.view({ servers: [scripted({}, { name: 'second' })], hideTools: ['work'], naming: 'qualified' });

    expect((await one.tools()).map(({ name }) => name)).toEqual(['pid', 'work']);
    const names = (await other.tools()).map(({ name }) => name);
    expect(names).toEqual([...names].sort());
    expect(names).toContain('mcp__second__pid');
    expect(names).not.toContain('mcp__second__work');

    const pid = await say(one, 'pid');
    expect(await say(other, 'mcp__second__pid')).toBe(pid);
    expect(childrenOf(process.pid)).toEqual([Number(pid)]);
    expect(pool.status()).toEqual([{ server: 'first', state: 'ready', pid: Number(pid), views: 2, calls: 0 }]);
  });

  it('start nothing before they are used, and one process however many ask at once', async () => {
    const pool = openPool();
    const views = Array.from({ length: 5 }, () => pool.view({ servers: [scripted()] }));
    expect(pool.status()).toEqual([{ server: 'scripted', state: 'resting', views: 5, calls: 0 }]);
    const pids = await Promise.all(views.map((view) => say(view, 'pid')));
    expect(new Set(pids).size).toBe(1);
  });

  it('speak of the server by the name each of them knows', async () => {
    const pool = openPool();
    const views = ['first', 'second'].map((name) => pool.view({ servers: [scripted({ dieAtOnce: 7 }, { name })] }));
    for (const view of views) await view.tools();
    expect(views.map((view) => view.problems().map(({ server }) => server))).toEqual([['first'], ['second']]);
  });
});

describe('a tool that is not visible', () => {
  it('cannot be called, not even by its right name', async () => {
    const view = openPool().view({ servers: [scripted({}, { tools: ['pid', 'peak'], hiddenTools: ['peak'] })] });
    expect((await view.tools()).map(({ name }) => name)).toEqual(['pid']);
    for (const name of ['peak', 'work', 'mcp__scripted__work', 'nothing']) {
      await expect(view.call(name, {}, context())).rejects.toMatchObject({ code: 'tool-not-found', details: { tool: name } });
    }
  });

  it('cannot be reached through a tool object once the server has taken it back', async () => {
    const pool = openPool();
    const view = pool.view({ servers: [scripted()] });
    await say(view, 'change', { name: 'passing' });
    await until(async () => (await view.tools()).some(({ name }) => name === 'passing'));
    const tool = await findTool(view, 'passing');
    process.kill(Number(await say(view, 'pid')), 'SIGKILL');
    await until(() => pool.status()[0]?.state !== 'ready');
    expect(await tool.run({}, context())).toEqual({ text: 'There is no tool "passing".', failed: true, code: 'tool-not-found' });
  });
});

describe('a tool', () => {
  it('says what it needs before it runs, also where the server says that it only reads', async () => {
    const reading = {
      name: 'look',
      description: 'Looks.',
      inputSchema: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
      annotations: { readOnlyHint: true },
    };
    const view = openPool().view({ servers: [scripted({ tools: [reading, 'work'] }, { prefix: 's_' })] });
    const look = await findTool(view, 's_look');
    expect({ ...look, access: undefined, run: undefined }).toEqual({
      name: 's_look',
      description: 'Looks.',
      inputSchema: reading.inputSchema,
      source: 'scripted',
      access: undefined,
      run: undefined,
    });
    expect(await look.access({ at: 'the\u001b[2J sky' })).toEqual({
      needs: [['mcp', 'scripted', 'look']],
      summary: 'scripted: look {"at":"the\\u001b[2J sky"} (read-only, says the server)',
    });
    expect(await (await findTool(view, 's_work')).access({})).toEqual({
      needs: [['mcp', 'scripted', 'work']],
      summary: 'scripted: work {}',
    });
    expect(() => look.access({ at: 5 })).toThrow(expect.objectContaining({ code: 'invalid-input' }));
    expect(() => look.access('up')).toThrow(expect.objectContaining({ code: 'invalid-input' }));
    expect(await look.run({}, context())).toEqual({
      text: 'The input of s_look is not valid: "at" is missing',
      failed: true,
      code: 'invalid-input',
    });
  });

  it('gives text as it is and describes everything else', async () => {
    const view = openPool().view({ servers: [scripted()] });
    expect(await view.call('parts', {}, context())).toEqual({
      text: [
        'first',
        '[image: image/png, 5 bytes]',
        '[audio: audio/wav, 5 bytes]',
        '[resource: file:///a.txt, a]',
        '[resource: file:///b.txt]\ninside b',
        '[resource: file:///c.bin, 5 bytes]',
        '[content of a kind that is not known: hologram]',
      ].join('\n'),
      output: { answer: 42 },
      failed: true,
    });
  });

  it('passes on what the server says when it refuses', async () => {
    const view = openPool().view({ servers: [scripted()] });
    expect(await view.call('refuse', {}, context())).toEqual({
      text: 'The MCP server "scripted" failed: it refused the request: no such luck.',
      failed: true,
      code: 'mcp-failed',
    });
    expect(await say(view, 'pid')).toMatch(/^\d+$/);
  });
});

describe('the list of tools', () => {
  it('is read to its last page', async () => {
    const names = Array.from({ length: 23 }, (_, index) => `tool${String(index).padStart(2, '0')}`);
    const view = openPool().view({ servers: [scripted({ tools: [...names].reverse(), pageSize: 5 })] });
    expect((await view.tools()).map(({ name }) => name)).toEqual(names);
  });

  it('follows the server when it changes', async () => {
    const view = openPool().view({ servers: [scripted()] });
    const before = (await view.tools()).length;
    await say(view, 'change', { name: 'zebra' });
    await until(async () => (await view.tools()).length === before + 1);
    expect((await view.tools()).at(-1)?.name).toBe('zebra');
  });

  it('names both servers where two have a tool of the same name', async () => {
    const servers = [scripted({ tools: ['pid'] }, { name: 'a' }), scripted({ tools: ['pid', 'peak'] }, { name: 'b' })];
    const view = openPool().view({ servers });
    expect((await view.tools()).map(({ name, source }) => `${source}.${name}`)).toEqual(['b.peak', 'a.pid', 'b.pid']);
    await expect(view.call('pid', {}, context())).rejects.toMatchObject({
      code: 'tool-conflict',
      details: { tool: 'pid', first: 'a', second: 'b' },
    });
  });

  it('is whole without the server that does not start, and says so', async () => {
    const broken = scripted({ dieAtOnce: 4, complain: 'no\nconfiguration\n' }, { name: 'broken' });
    const view = openPool().view({
      servers: [broken, scripted({ tools: ['pid'] }), scripted({}, { name: 'off', disabled: true })],
    });
    expect((await view.tools()).map(({ name }) => name)).toEqual(['pid']);
    expect(view.problems()).toEqual([
      { server: 'broken', reason: 'it ended with code 4 and said: no configuration', code: 'mcp-failed' },
    ]);
  });

  it('says which of the tools that were asked for are not there', async () => {
    const view = openPool().view({ servers: [scripted({ tools: ['pid'] }, { tools: ['pid', 'fly'] })] });
    expect((await view.tools()).map(({ name }) => name)).toEqual(['pid']);
    expect(view.problems()).toEqual([{ server: 'scripted', reason: 'it has no tool called "fly"' }]);
  });
});

describe('a released view', () => {
  it('shows nothing, refuses calls, ends those that run, and may be released again', async () => {
    const pool = openPool();
    const view = pool.view({ servers: [scripted()] });
    const other = pool.view({ servers: [scripted()] });
    const tool = await findTool(view, 'pid');
    const hanging = view.call('hang', {}, context());
    await until(async () => (await say(other, 'peak')).includes('"peak":1'));
    await view.release();
    await view.release();
    const refusal = { failed: true, code: 'conversation-closed', text: expect.stringContaining('is closed in this session') };
    expect(await hanging).toEqual(refusal);
    expect(await tool.run({}, context())).toEqual(refusal);
    await expect(view.call('pid', {}, context())).rejects.toMatchObject({ code: 'conversation-closed' });
    expect(await view.tools()).toEqual([]);
    expect(await say(other, 'cancelled')).toMatch(/^\[\d+\]$/);
    expect(pool.status()[0]?.views).toBe(1);
  });

  it('is not kept alive by the pool', async () => {
    const pool = openPool();
    const other = pool.view({ servers: [scripted()] });
    const weak = await useAndRelease(pool);
    const { setFlagsFromString } = await import('node:v8');
    const { runInNewContext } = await import('node:vm');
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    await until(() => {
      collect();
      return weak.deref() === undefined;
    });
    expect(await say(other, 'pid')).toMatch(/^\d+$/);
  });
});

describe('every call', () => {
  it('is reported with its time, its wait and how it ended', async () => {
    const calls: McpCall[] = [];
    const view = openPool().view({
      servers: [scripted()],
      limits: { concurrent: 1, perMinute: 6_000 },
      onCall: (call) => calls.push(call),
    });
    await say(view, 'pid');
    await Promise.all([say(view, 'work', { milliseconds: 100 }), say(view, 'work', { milliseconds: 100 })]);
    await view.call('refuse', {}, context());
    const number = expect.any(Number);
    expect(calls).toEqual([
      { server: 'scripted', tool: 'pid', milliseconds: number, waitedMilliseconds: number, ok: true },
      { server: 'scripted', tool: 'work', milliseconds: number, waitedMilliseconds: number, ok: true },
      { server: 'scripted', tool: 'work', milliseconds: number, waitedMilliseconds: number, ok: true },
      { server: 'scripted', tool: 'refuse', milliseconds: number, waitedMilliseconds: number, ok: false, code: 'mcp-failed' },
    ]);
    expect(calls[2]?.waitedMilliseconds).toBeGreaterThan(80);
    for (const { milliseconds } of calls.slice(1, 3)) expect(milliseconds).toBeGreaterThan(90);
  });
});

describe('idle reclaim', () => {
  it('ends the process of a released view after a while, and the pool forgets it', async () => {
    const pool = openPool({ idleMilliseconds: 700 });
    const view = pool.view({ servers: [scripted()] });
    const pid = Number(await say(view, 'pid'));
    await view.release();
    expect(isAlive(pid)).toBe(true);
    await until(() => !isAlive(pid));
    expect(pool.status()).toEqual([]);
  });

  it('ends the process of a view that does nothing, keeps its tools, and starts it again for the next call', async () => {
    const pool = openPool({ idleMilliseconds: 150 });
    const view = pool.view({ servers: [scripted()] });
    const pid = Number(await say(view, 'pid'));
    const tools = await view.tools();
    await until(() => !isAlive(pid));
    expect((await view.tools()).map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    expect(pool.status()[0]?.state).toBe('resting');
    const next = Number(await say(view, 'pid'));
    expect(next).not.toBe(pid);
  });

  it('waits for the call that takes longer', async () => {
    const pool = openPool({ idleMilliseconds: 50 });
    const view = pool.view({ servers: [scripted()] });
    await view.tools();
    const working = say(view, 'work', { milliseconds: 300 });
    await until(() => pool.status()[0]?.state === 'ready');
    const { pid } = pool.status()[0] ?? {};
    expect(await working.then((text) => [text, pool.status()[0]?.pid])).toEqual(['done', pid]);
  });
});

async function useAndRelease(pool: ReturnType<typeof openPool>): Promise<WeakRef<object>> {
  const view = pool.view({ servers: [scripted()] });
  await say(view, 'pid');
  await view.release();
  return new WeakRef(view);
}

function childrenOf(pid: number): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return table
    .split('\n')
    .map((row) => row.trim().split(/\s+/))
    .filter(([, parent, , script]) => Number(parent) === pid && script?.includes('scripted-server'))
    .map(([child]) => Number(child));
}
