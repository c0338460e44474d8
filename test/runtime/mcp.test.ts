// MCP in a session: one real server process for several conversations, each with its own view; what happens to a server costs its
// calls, never the session.
import { describe, expect, it } from 'vitest';
import type { ScriptedRequest } from '../../src/testing/scripted-model.ts';
import { isAlive, openPool, published, sleep, until } from '../mcp/mcp-bench.ts';
import { openWorkbench, type WorkbenchOptions } from './workbench.ts';

const everything = published('everything', ['stdio']);
const allowAll = { approvals: { allow: ['mcp everything'] } };
/** Calls the tool that the human names, with the input behind it. */
const obey = ({ prompt }: ScriptedRequest) => {
  const last = prompt.at(-1);
  if (last?.kind !== 'message') return 'done';
  const [tool = '', input = '{}'] = last.text.split(' ', 2);
  return { toolCalls: [{ tool, input: JSON.parse(input) }] };
};

async function openWithServer(options: WorkbenchOptions = {}) {
  const mcpPool = openPool({ idleMilliseconds: 50 });
  const bench = await openWorkbench({ script: obey, mcpPool, ...allowAll, ...options });
  return { ...bench, mcpPool };
}

/** Until the server has the tool's call to answer: leave was given, so it is no longer its list of tools that is waited for. */
async function atWork({ mcpPool, heard }: Awaited<ReturnType<typeof openWithServer>>): Promise<void> {
  await until(() => heard('tool-approval').length > 0 && mcpPool.status()[0]?.calls === 1);
  await sleep(50);
}

describe('MCP servers in a session', () => {
  it('are one process for two conversations that see different tools', async () => {
    const { session, model, heard, mcpPool } = await openWithServer();
    const first = await session.open({ mcp: { servers: [everything], allowTools: ['echo'] } });
    const second = await session.open({ mcp: { servers: [everything], allowTools: ['get-sum', 'echo'], naming: 'qualified' } });
    await first.message('echo {"message":"你好"}');
    await second.message('mcp__everything__get-sum {"a":2,"b":40}');
    expect(heard('tool-result').map(({ text }) => text)).toEqual(['Echo: 你好', expect.stringContaining('42')]);
    expect(model.requests.map(({ tools }) => tools)).toEqual([
      ['echo'],
      ['echo'],
      ['mcp__everything__echo', 'mcp__everything__get-sum'],
      ['mcp__everything__echo', 'mcp__everything__get-sum'],
    ]);
    expect(mcpPool.status()).toMatchObject([{ server: 'everything', views: 2 }]);
    await first.message('get-sum {"a":1,"b":1}');
    expect(heard('tool-result').at(-1)).toMatchObject({ failed: true, code: 'tool-not-found' });
  });

  it('need leave like every other tool', async () => {
    const { session, heard } = await openWithServer({
      approvals: { deny: ['mcp everything get-env'], allow: ['mcp everything'] },
    });
    const conversation = await session.open({ mcp: { servers: [everything] } });
    await conversation.message('get-env');
    expect(heard('tool-approval')).toMatchObject([{ decision: 'denied', by: 'rule' }]);
    expect(heard('tool-result')).toMatchObject([{ failed: true, code: 'approval-denied' }]);
  });

  it('are killed in the middle of a call: the call fails with a code, the turn goes on, the next call works', async () => {
    const bench = await openWithServer();
    const { session, heard, mcpPool } = bench;
    const conversation = await session.open({ mcp: { servers: [everything] } });
    const answer = conversation.message('trigger-long-running-operation {"duration":30,"steps":3}');
    await atWork(bench);
    process.kill(mcpPool.status()[0]?.pid as number, 'SIGKILL');
    expect((await answer).text).toBe('done');
    expect(heard('tool-result')).toMatchObject([{ failed: true, code: 'mcp-failed' }]);
    await expect
      .poll(
        async () => {
          await conversation.message('echo {"message":"back"}');
          return heard('tool-result').at(-1)?.text;
        },
        { timeout: 10_000, interval: 200 },
      )
      .toBe('Echo: back');
    expect(session.metrics.get(conversation.id).mcp).toMatchObject({ failed: expect.any(Number) });
    expect(session.metrics.get(conversation.id).mcp.count).toBeGreaterThanOrEqual(2);
  });

  it('hear of it when a turn is cancelled', async () => {
    const bench = await openWithServer();
    const { session, heard, mcpPool } = bench;
    const conversation = await session.open({ mcp: { servers: [everything] } });
    const answer = conversation
      .message('trigger-long-running-operation {"duration":30,"steps":3}')
      .catch((error: unknown) => error);
    await atWork(bench);
    const before = Date.now();
    conversation.cancel();
    expect(await answer).toMatchObject({ kind: 'cancelled' });
    expect(Date.now() - before).toBeLessThan(3000);
    await until(() => mcpPool.status()[0]?.calls === 0);
    expect(heard('turn-end')).toMatchObject([{ outcome: 'cancelled' }]);
    await conversation.message('echo {"message":"again"}');
    expect(heard('tool-result').at(-1)).toMatchObject({ text: 'Echo: again' });
  });

  it('end when no conversation uses them any more', async () => {
    const { session, mcpPool } = await openWithServer();
    const conversation = await session.open({ mcp: { servers: [everything] } });
    await conversation.message('echo {"message":"hi"}');
    const pid = mcpPool.status()[0]?.pid as number;
    expect(isAlive(pid)).toBe(true);
    await conversation.close();
    await until(() => !isAlive(pid));
    expect(session.running).toBeUndefined();
  });

  it('that cannot be started cost their tools only, and are told once', async () => {
    const broken = {
      ...everything,
      name: 'broken',
      transport: { type: 'stdio' as const, command: '/no/such/program', args: [], env: {} },
    };
    const { session, heard, model } = await openWithServer();
    const conversation = await session.open({ mcp: { servers: [broken, everything], allowTools: ['echo'] } });
    await conversation.message('echo {"message":"one"}');
    await conversation.message('echo {"message":"two"}');
    expect(model.requests[0]?.tools).toEqual(['echo']);
    expect(heard('warning').filter(({ message }) => message.includes('"broken"'))).toHaveLength(1);
  });

  it('that offer the same tool are merged, and the list is the same every time', async () => {
    const twin = { ...everything, name: 'twin' };
    const { session } = await openWithServer();
    const merged = await session.open({ mcp: { servers: [everything, twin], allowTools: ['echo'] } });
    expect((await merged.listTools()).map(({ name }) => name)).toEqual(['echo']);
    const lists = await Promise.all([merged.listTools(), merged.listTools()]);
    expect(JSON.stringify(lists[0])).toBe(JSON.stringify(lists[1]));
  });
});
