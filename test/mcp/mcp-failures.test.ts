// Servers that fail, in every way a process can, and servers that mean harm.
import { getEventListeners } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundleProgram, Child } from '../support/child-program.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { context, describeServer, findTool, isAlive, openPool, say, scripted, sleep, until } from './mcp-bench.ts';

describe('a server that is killed during a call', () => {
  it('fails that call with a code, and the next call works', async () => {
    const view = openPool().view({ servers: [scripted()] });
    const pid = Number(await say(view, 'pid'));
    const hanging = view.call('hang', {}, context());
    await until(async () => (await say(view, 'peak')).includes('"peak":1'));
    process.kill(pid, 'SIGKILL');
    expect(await hanging).toEqual({
      text: 'The MCP server "scripted" failed: it was ended by SIGKILL.',
      failed: true,
      code: 'mcp-failed',
    });
    expect(Number(await say(view, 'pid'))).not.toBe(pid);
  });

  it('tells the last it said when it ends by itself', async () => {
    const view = openPool().view({ servers: [scripted()] });
    const outcome = await view.call('crash', {}, context());
    expect(outcome).toEqual({
      text: 'The MCP server "scripted" failed: it ended with code 3 and said: out of luck.',
      failed: true,
      code: 'mcp-failed',
    });
  });

  it('is tried again later and later when it keeps crashing, and at once after a call that worked', async () => {
    let now = 1_000_000;
    const backOff = { firstMilliseconds: 1_000, mostMilliseconds: 3_000 };
    const pool = openPool({ clock: () => now, random: () => 1, backOff });
    const view = pool.view({ servers: [scripted()], limits: { concurrent: 4, perMinute: 60_000 } });
    const crash = await findTool(view, 'crash');
    const ended = { text: expect.stringContaining('it ended with code 3'), failed: true, code: 'mcp-failed' };
    const waits = (seconds: number) => ({
      text: `The MCP server "scripted" failed: it ended with code 3 and said: out of luck; the next try is in ${seconds} seconds.`,
      failed: true,
      code: 'mcp-failed',
    });
    expect(await crash.run({}, context())).toEqual(ended);
    expect(await crash.run({}, context())).toEqual(ended);
    for (const seconds of [1, 2, 3, 3]) {
      expect(await crash.run({}, context())).toEqual(waits(seconds));
      expect(pool.status()[0]?.state).toBe('failing');
      now += seconds * 1_000;
      expect(await crash.run({}, context())).toEqual(ended);
    }
    now += 3_000;
    expect(await say(view, 'pid')).toMatch(/^\d+$/);
    expect(await crash.run({}, context())).toEqual(ended);
    expect(await crash.run({}, context())).toEqual(ended);
  });
});

describe('a server that does not start', () => {
  it('is not tried again before its time, and the error says when', async () => {
    let now = Date.UTC(2027, 0, 1);
    const pool = openPool({
      clock: () => now,
      random: () => 1,
      backOff: { firstMilliseconds: 10_000, mostMilliseconds: 60_000 },
    });
    const missing = describeServer('missing', { type: 'stdio', command: '/nowhere/server', args: [], env: {} });
    const view = pool.view({ servers: [missing] });
    const problemAfterListing = async () => {
      await view.tools();
      return view.problems();
    };
    const reason = 'the program "/nowhere/server" was not found';
    expect(await problemAfterListing()).toEqual([{ server: 'missing', reason, code: 'mcp-failed' }]);
    now += 4_000;
    const later = `${reason}; the next try is in 6 seconds`;
    expect(await problemAfterListing()).toEqual([{ server: 'missing', reason: later, code: 'mcp-failed' }]);
    now += 6_000;
    expect(await problemAfterListing()).toEqual([{ server: 'missing', reason, code: 'mcp-failed' }]);
  });

  it.each([
    ['its folder is missing', { cwd: '/nowhere' }, 'its folder /nowhere does not exist'],
    ['its program may not be run', { command: '/etc' }, 'the program "/etc" did not start (EACCES)'],
  ])('because %s', async (_, change, reason) => {
    const { transport } = scripted();
    const view = openPool().view({ servers: [describeServer('odd', { ...transport, ...change } as never)] });
    expect(await view.tools()).toEqual([]);
    expect(view.problems()).toEqual([{ server: 'odd', reason, code: 'mcp-failed' }]);
  });

  it('because it never answers, and is ended', async () => {
    const pidFile = join(createTemporaryFolder('mcp'), 'pid');
    const plan = { silent: ['initialize'], pidFile, ignoreEnd: true, complain: 'thinking' };
    const view = openPool({ startMilliseconds: 1_000 }).view({ servers: [scripted(plan)] });
    expect(await view.tools()).toEqual([]);
    expect(view.problems()).toEqual([
      { server: 'scripted', reason: 'it was not ready within 1 seconds and said: thinking', code: 'mcp-failed' },
    ]);
    await until(() => !isAlive(Number(readFileSync(pidFile, 'utf8'))));
  });

  it('because it never lists its tools', async () => {
    const view = openPool({ startMilliseconds: 1_000 }).view({ servers: [scripted({ silent: ['tools/list'] })] });
    expect(await view.tools()).toEqual([]);
    expect(view.problems()).toEqual([{ server: 'scripted', reason: 'it does not answer', code: 'mcp-failed' }]);
  });
});

describe('a call that takes too long', () => {
  it('ends with its own code, and the server is told', async () => {
    const pool = openPool();
    const view = pool.view({ servers: [scripted({}, { timeoutSeconds: 0.2 })] });
    expect(await view.call('hang', {}, context())).toEqual({
      text: 'The MCP tool "hang" took longer than 0.2 seconds and was stopped.',
      failed: true,
      code: 'timeout',
    });
    const patient = pool.view({ servers: [scripted()] });
    expect(JSON.parse(await say(patient, 'cancelled'))).toEqual([expect.any(Number)]);
  });

  it('may take longer while it shows progress, but not for ever', async () => {
    const pool = openPool();
    const patient = pool.view({ servers: [scripted({}, { timeoutSeconds: 1.5 })] });
    const output: string[] = [];
    const watched = context({ onOutput: (text) => output.push(text) });
    expect(await patient.call('progress', { steps: 4, milliseconds: 500 }, watched)).toEqual({ text: 'arrived' });
    expect(output).toEqual(['step 1\n', 'step 2\n', 'step 3\n', 'step 4\n']);
    const hurried = pool.view({ servers: [scripted({}, { timeoutSeconds: 0.2 })] });
    expect(await hurried.call('progress', { steps: 100_000, milliseconds: 20 }, context())).toMatchObject({ code: 'timeout' });
  });
});

describe('a cancelled call', () => {
  it('throws at once, the server is told, and nothing is left on the signal', async () => {
    const view = openPool().view({ servers: [scripted()] });
    const controller = new AbortController();
    const hanging = view.call('hang', {}, context({ signal: controller.signal }));
    await until(async () => (await say(view, 'peak')).includes('"peak":1'));
    controller.abort();
    await expect(hanging).rejects.toMatchObject({ code: 'cancelled' });
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    expect(JSON.parse(await say(view, 'cancelled'))).toEqual([expect.any(Number)]);
    await expect(view.call('pid', {}, context({ signal: controller.signal }))).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('may have ended before: the server is not told of cancellations that come too late', async () => {
    const view = openPool().view({ servers: [scripted()] });
    const controller = new AbortController();
    await view.call('pid', {}, context({ signal: controller.signal }));
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    controller.abort();
    expect(JSON.parse(await say(view, 'cancelled'))).toEqual([]);
  });
});

describe('a hostile server', () => {
  it('that writes garbage between its messages is understood all the same', async () => {
    const view = openPool().view({ servers: [scripted({ garbage: true })] });
    expect(await say(view, 'pid')).toMatch(/^\d+$/);
  });

  it('that sends more than allowed is cut off, and may try again', async () => {
    const view = openPool({ maxMessageBytes: 1_000_000 }).view({ servers: [scripted()] });
    expect(await view.call('huge', { characters: 30_000_000 }, context())).toEqual({
      text: 'The MCP server "scripted" failed: it sent a message of more than 1000000 bytes.',
      failed: true,
      code: 'mcp-failed',
    });
    const outcome = await view.call('huge', { characters: 900_000 }, context());
    expect(outcome.failed).toBeUndefined();
    expect(outcome.text.length).toBeLessThan(100_100);
    expect(outcome.text.endsWith('… (cut: 100000 of 900000 characters)')).toBe(true);
  });

  it('that lists tools nobody can use loses those, and no others', async () => {
    const long = 'x'.repeat(300);
    const tool = (name: unknown, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more });
    const tools = [
      tool('twice', { description: 'one' }),
      tool('twice', { description: 'two' }),
      tool(long),
      tool('shout', { description: 1_000_000 }),
      tool('odd name/with.signs'),
      tool(''),
      tool(5),
      tool('evil\u001b[2J'),
      { name: 'schemaless' },
      tool('heavy', { inputSchema: { type: 'object', description: 200_000 } }),
      tool('task', { execution: { taskSupport: 'required' } }),
      null,
      7,
    ];
    const view = openPool().view({ servers: [scripted({ tools })] });
    const seen = await view.tools();
    expect(seen.map(({ name, description }) => [name, description.length])).toEqual([
      ['odd_name_with_signs', 0],
      ['shout', 4_007],
      ['twice', 3],
      [expect.stringMatching(/^x{55}_[0-9a-f]{8}$/), 0],
    ]);
    expect(seen.every(({ name }) => name.length <= 64)).toBe(true);
    expect(await seen[3]?.access({})).toMatchObject({ needs: [['mcp', 'scripted', long]] });
    expect(view.problems().map(({ reason }) => reason)).toEqual([
      'it lists two tools called "twice"; the first is used',
      'it lists a tool with a name that cannot be used: ""',
      'it lists a tool with a name that cannot be used: "5"',
      'it lists a tool with a name that cannot be used: "evil [2J"',
      'its tool "schemaless" does not say what it takes',
      'what its tool "heavy" takes is too large to be shown',
      'its tool "task" runs only as a task, which is not spoken',
      'it lists a tool with a name that cannot be used: "none"',
      'it lists a tool with a name that cannot be used: "none"',
    ]);
  });

  it('that stops reading is ended, and started anew', async () => {
    const view = openPool().view({ servers: [scripted()] });
    const pid = await say(view, 'pid');
    await say(view, 'deaf');
    await sleep(200);
    const outcomes = await Promise.all([view.call('pid', {}, context()), view.call('pid', {}, context())]);
    expect(outcomes[0]).toEqual({
      text: 'The MCP server "scripted" failed: it does not read what it is sent.',
      failed: true,
      code: 'mcp-failed',
    });
    await until(() => !isAlive(Number(pid)));
    expect(await say(view, 'pid')).not.toBe(pid);
  });

  it('that never ends its list is not listened to for ever', async () => {
    const view = openPool().view({ servers: [scripted({ endlessPages: true })] });
    expect(await view.tools()).toHaveLength(1);
  });
});

describe('closing', () => {
  it('ends a server that ignores the end of its input and SIGTERM, with everything it started', async () => {
    const file = join(createTemporaryFolder('mcp'), 'grandchild');
    const pool = openPool({ graceMilliseconds: 150 });
    const view = pool.view({ servers: [scripted({ ignoreSigterm: true, ignoreEnd: true, grandchild: file })] });
    const pids = [Number(await say(view, 'pid')), Number(readFileSync(file, 'utf8'))];
    expect(pids.map(isAlive)).toEqual([true, true]);
    await pool.close();
    await until(() => !pids.some(isAlive));
  });

  it('ends what a crashed server had started', async () => {
    const file = join(createTemporaryFolder('mcp'), 'grandchild');
    const view = openPool().view({ servers: [scripted({ grandchild: file })] });
    const pid = Number(await say(view, 'pid'));
    const grandchild = Number(readFileSync(file, 'utf8'));
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(grandchild));
  });

  it('lets a server that behaves end by itself, quickly', async () => {
    const problems: unknown[] = [];
    const pool = openPool({ graceMilliseconds: 20_000, onProblem: (problem) => problems.push(problem) });
    const view = pool.view({ servers: [scripted()] });
    const pid = Number(await say(view, 'pid'));
    const startedAt = performance.now();
    await pool.close();
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    expect(isAlive(pid)).toBe(false);
    expect(problems).toEqual([]);
  });

  it('in the middle of starting leaves no process', async () => {
    const pidFile = join(createTemporaryFolder('mcp'), 'pid');
    const pool = openPool({ graceMilliseconds: 100 });
    const view = pool.view({ servers: [scripted({ silent: ['initialize'], pidFile, ignoreEnd: true })] });
    const listing = view.tools();
    await until(() => pool.status()[0]?.state === 'starting');
    await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '');
    await pool.close();
    expect(await listing).toEqual([]);
    expect(isAlive(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
  });
});

describe('a session that is killed', () => {
  it.each(['SIGKILL', 'exit'])('(%s) leaves no server behind', async (way) => {
    const program = await bundleProgram(new URL('./session-child.ts', import.meta.url));
    const child = new Child<{ pid: number }>(program, {
      server: new URL('./scripted-server.mjs', import.meta.url).href,
      plan: way === 'exit' ? { ignoreEnd: true, ignoreSigterm: true } : {},
    });
    const pid = (await child.next())?.pid as number;
    expect(isAlive(pid)).toBe(true);
    if (way === 'SIGKILL') child.kill();
    else child.send('exit');
    await child.ended;
    await until(() => !isAlive(pid));
  });
});

describe('the environment of a server', () => {
  it('is what it was given, and nothing of ours', async () => {
    const { transport } = scripted();
    const folder = createTemporaryFolder('mcp');
    const given = { ...transport, env: { TOKEN: 'abc', HOME: '/else' }, cwd: '.' } as typeof transport;
    const pool = openPool({ environment: { PATH: '/usr/bin:/bin', HOME: '/home/us' }, directory: folder });
    const { env, cwd } = JSON.parse(await say(pool.view({ servers: [describeServer('clean', given)] }), 'environment'));
    expect(env).toEqual({ PATH: '/usr/bin:/bin', HOME: '/else', TOKEN: 'abc' });
    expect(cwd).toBe(folder);
  });
});
