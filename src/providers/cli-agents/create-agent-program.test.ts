// None of the real programs is started here: scripts on disk write what those are documented to write.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collectRun, goesAway, writeFakeProgram } from '../../../test/support/fake-agent-program.ts';
import { createTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { createAgentProgram, type KnownProgramSpec, type TemplateProgramSpec } from './create-agent-program.ts';

const env = { PATH: process.env.PATH };

function fake(body: string, spec: Partial<TemplateProgramSpec> = {}, limits = {}) {
  const path = writeFakeProgram(body);
  return createAgentProgram({ name: 'fake', command: [path], ...spec }, { env, limits });
}

function named(program: KnownProgramSpec['program'], body: string, spec: Partial<KnownProgramSpec> = {}) {
  return createAgentProgram({ program, path: writeFakeProgram(body), ...spec }, { env });
}

describe('claude', () => {
  const body = `
    const id = args.includes('--resume') ? after('--resume') : 'f00d-1';
    say({ type: 'system', subtype: 'init', session_id: id });
    say({ type: 'stream_event', session_id: id, event: { type: 'message_start', message: { id: 'm1' } } });
    say({ type: 'stream_event', session_id: id, event: { type: 'content_block_delta', delta: { type: 'thinking_delta', thinking: 'hm' } } });
    say({ type: 'stream_event', session_id: id, event: { type: 'content_block_delta', delta: { type: 'text_delta', text: 'I look' } } });
    say({ type: 'assistant', session_id: id, message: { id: 'm1', content: [{ type: 'text', text: 'I look' }] } });
    say({ type: 'assistant', session_id: id, message: { id: 'm1', content: [{ type: 'tool_use', name: 'Bash', input: { command: 'ls' } }] } });
    say({ type: 'assistant', session_id: id, parent_tool_use_id: 't', message: { id: 'm9', content: [{ type: 'text', text: 'helper' }] } });
    say({ type: 'assistant', session_id: id, message: { id: 'm2', content: [{ type: 'text', text: input() + ' ' + args.join(' ') }] } });
    say({ type: 'result', subtype: 'success', is_error: false, result: 'done', session_id: id, usage: { input_tokens: 3, output_tokens: 4 } });
  `;

  it('streams text once, tells its tools, and ends with the result and its session', async () => {
    const { events, error } = await collectRun(named('claude', body, { model: 'opus', args: ['--allowedTools', 'Read'] }));
    expect(error).toBeUndefined();
    const flags = '-p --output-format stream-json --verbose --include-partial-messages --model opus --allowedTools Read';
    expect(events).toEqual([
      { type: 'session', sessionId: 'f00d-1' },
      { type: 'thinking-delta', text: 'hm' },
      { type: 'text-delta', text: 'I look' },
      { type: 'activity', tool: 'Bash', detail: 'ls' },
      { type: 'text-delta', text: '\n\n' },
      { type: 'text-delta', text: `hello ${flags}` },
      { type: 'finish', text: 'done', sessionId: 'f00d-1', usage: { inputTokens: 3, outputTokens: 4 } },
    ]);
  });

  it('goes on with the session it is given', async () => {
    const { events } = await collectRun(named('claude', body), { sessionId: 'beef-2' });
    expect(events[0]).toEqual({ type: 'session', sessionId: 'beef-2' });
    expect(JSON.stringify(events)).toContain('--resume beef-2');
  });

  it('is told from an answer where its result is an error', async () => {
    const { events, error } = await collectRun(
      named(
        'claude',
        `say({ type: 'result', subtype: 'success', is_error: true, result: 'Credit is too low', session_id: 's1' });`,
      ),
    );
    expect(events).toEqual([{ type: 'session', sessionId: 's1' }]);
    expect(error).toMatchObject({ code: 'program-failed', details: { program: 'claude', reason: 'Credit is too low' } });
  });
});

describe('codex', () => {
  const body = `
    say({ type: 'thread.started', thread_id: args.includes('resume') ? after('resume') : 'th-1' });
    say({ type: 'turn.started' });
    say({ type: 'item.completed', item: { type: 'reasoning', text: 'thinking' } });
    say({ type: 'item.started', item: { type: 'command_execution', command: 'npm test' } });
    say({ type: 'item.completed', item: { type: 'agent_message', text: args.join(' ') } });
    say({ type: 'item.completed', item: { type: 'agent_message', text: 'answer to ' + input() } });
    say({ type: 'turn.completed', usage: { input_tokens: 10, cached_input_tokens: 5, output_tokens: 2 } });
  `;

  it('tells every message and ends with the last', async () => {
    const { events } = await collectRun(named('codex', body));
    expect(events).toEqual([
      { type: 'session', sessionId: 'th-1' },
      { type: 'thinking-delta', text: 'thinking' },
      { type: 'activity', tool: 'command_execution', detail: 'npm test' },
      { type: 'text-delta', text: 'exec --json --skip-git-repo-check -' },
      { type: 'text-delta', text: '\n\nanswer to hello' },
      { type: 'finish', text: 'answer to hello', sessionId: 'th-1', usage: { inputTokens: 10, outputTokens: 2 } },
    ]);
  });

  it('goes on with its thread', async () => {
    const { events } = await collectRun(named('codex', body), { sessionId: 'th-7' });
    expect(events).toContainEqual({ type: 'text-delta', text: 'exec --json --skip-git-repo-check resume th-7 -' });
    expect(events.at(-1)).toMatchObject({ type: 'finish', sessionId: 'th-7' });
  });

  it('forgets an error after which the turn was completed, and keeps one after which it failed', async () => {
    const healed = `say({ type: 'error', message: 'Reconnecting... 1/5' }); ${body}`;
    expect((await collectRun(named('codex', healed))).events.at(-1)).toMatchObject({ type: 'finish' });
    const failed = `say({ type: 'turn.failed', error: { message: 'no model' } }); process.exitCode = 1;`;
    expect((await collectRun(named('codex', failed))).error).toMatchObject({
      code: 'program-failed',
      details: { program: 'codex', reason: 'it ended with code 1 and said: no model', exitCode: 1 },
    });
  });
});

describe('gemini', () => {
  const body = `
    say({ type: 'init', session_id: args.includes('--resume') ? after('--resume') : 'g-1', model: 'x' });
    say({ type: 'message', role: 'user', content: 'echo' });
    say({ type: 'message', role: 'assistant', content: 'Let me see.', delta: true });
    say({ type: 'tool_use', tool_name: 'read_file', parameters: { absolute_path: '/a' } });
    say({ type: 'tool_result', status: 'success' });
    say({ type: 'message', role: 'assistant', content: input() + ' ', delta: true });
    say({ type: 'message', role: 'assistant', content: args.join(' '), delta: true });
    say({ type: 'result', status: 'success', stats: { total_tokens: 9, input_tokens: 4, output_tokens: 5 } });
  `;

  it('streams pieces, and what it said after its last tool is the answer', async () => {
    const { events } = await collectRun(named('gemini', body, { model: 'pro' }), { sessionId: 'g-9' });
    const said = 'hello --output-format stream-json --model pro --resume g-9';
    expect(events).toEqual([
      { type: 'session', sessionId: 'g-9' },
      { type: 'text-delta', text: 'Let me see.' },
      { type: 'activity', tool: 'read_file', detail: '/a' },
      { type: 'text-delta', text: '\n\nhello ' },
      { type: 'text-delta', text: said.slice('hello '.length) },
      { type: 'finish', text: said, sessionId: 'g-9', usage: { inputTokens: 4, outputTokens: 5 } },
    ]);
  });

  it('fails with the words of its result', async () => {
    const failing = `say({ type: 'result', status: 'error', error: { type: 'x', message: 'quota' } });`;
    expect((await collectRun(named('gemini', failing))).error).toMatchObject({
      code: 'program-failed',
      details: { reason: 'quota' },
    });
  });
});

describe('a program given by a template', () => {
  it('is handed its arguments as they are, without a shell', async () => {
    const path = writeFakeProgram(`say(JSON.stringify(args));`);
    const command = [path, '--ask={prompt}', '{model}', '{cwd}', '$(id) `id` ; rm -rf {x}'];
    const program = createAgentProgram({ name: 'own', command, model: 'm 1' }, { env });
    const cwd = createTemporaryFolder('cwd');
    const prompt = '$HOME "quotes" {model}\nsecond line; echo 你好';
    const { events } = await collectRun(program, { prompt, cwd });
    const finish = events.at(-1);
    expect(finish?.type === 'finish' && JSON.parse(finish.text)).toEqual([
      `--ask=${prompt}`,
      'm 1',
      cwd,
      '$(id) `id` ; rm -rf {x}',
    ]);
  });

  it('reads the prompt from standard input where its command does not name it, however long it is', async () => {
    const prompt = '字'.repeat(500_000);
    const { events } = await collectRun(fake(`say(input().length + ' characters');`), { prompt });
    expect(events.at(-1)).toEqual({ type: 'finish', text: '500000 characters', usage: {} });
  });

  it('need not read its prompt', async () => {
    const { events } = await collectRun(fake(`say('no questions'); process.exit(0);`), { prompt: 'x'.repeat(3_000_000) });
    expect(events.at(-1)).toEqual({ type: 'finish', text: 'no questions', usage: {} });
  });

  it('goes on by its own command where it has one', async () => {
    const path = writeFakeProgram(`say(args.join(' '));`);
    const spec = { name: 'own', command: [path, 'new'], resume: [path, 'again', '{sessionId}'] };
    const { events } = await collectRun(createAgentProgram(spec, { env }), { sessionId: 's-1' });
    expect(events.at(-1)).toMatchObject({ text: 'again s-1' });
  });

  it('may answer with one JSON document over many lines', async () => {
    const program = fake(`say(JSON.stringify({ session_id: 'j-1', response: 'fine', stats: { input_tokens: 1 } }, null, 2));`, {
      output: 'json',
    });
    expect((await collectRun(program)).events).toEqual([
      { type: 'session', sessionId: 'j-1' },
      { type: 'finish', text: 'fine', sessionId: 'j-1', usage: { inputTokens: 1 } },
    ]);
  });

  it.each([
    [{ command: [] }, 'it names no program'],
    [{ command: ['{prompt}'] }, 'the program itself is a placeholder'],
    [{ command: ['a', '{model}'] }, 'there is no value for {model}'],
    [{ command: ['a', '{sessionId}'] }, 'there is no value for {sessionId}'],
    [{ command: ['a'], resume: ['a'] }, 'the command for going on does not name {sessionId}'],
    [{ command: ['a', 'b\0'] }, 'it has a NUL character'],
  ])('is refused where no run could fill it in: %j', (spec, reason) => {
    expect(() => createAgentProgram({ name: 'own', ...spec }, { env })).toThrow(
      expect.objectContaining({ code: 'invalid-input', details: { what: 'command template', reason } }),
    );
  });

  it.each(['--yes', '', 'a b', 'x'.repeat(300), 'a\0'])('refuses the session id %j', async (sessionId) => {
    expect((await collectRun(fake(`say('x')`), { sessionId })).error).toMatchObject({ code: 'invalid-input' });
  });
});

describe('a program that behaves badly', () => {
  it('prints lines that are no JSON: they are counted, and the rest is understood', async () => {
    const { events } = await collectRun(
      named(
        'codex',
        `say('Warning: {not json'); say('[1]'); say(''); say({ type: 'thread.started', thread_id: '--evil' }); say({ no: 'type' });
         say({ type: 'item.completed', item: { type: 'agent_message', text: 'ok' } }); fs.writeSync(1, '{"type":"turn.completed"}');`,
      ),
    );
    expect(events).toEqual([
      { type: 'text-delta', text: 'ok' },
      { type: 'remark', code: 'lines-not-understood', count: 3 },
      { type: 'finish', text: 'ok', usage: {} },
    ]);
  });

  it('splits characters between two writes', async () => {
    const body = `
      const bytes = Buffer.from(JSON.stringify({ type: 'item.completed', item: { type: 'agent_message', text: '你好😀' } }) + '\\n');
      for (const byte of bytes) { fs.writeSync(1, Buffer.from([byte])); if (byte > 127) await sleep(3); }
      say({ type: 'turn.completed' });`;
    expect((await collectRun(named('codex', body))).events.at(-1)).toMatchObject({ text: '你好😀' });
    const plain = `for (const byte of Buffer.from('你好😀')) { fs.writeSync(1, Buffer.from([byte])); await sleep(3); }`;
    const { events } = await collectRun(fake(plain));
    expect(events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('')).toBe('你好😀');
    expect(events.at(-1)).toEqual({ type: 'finish', text: '你好😀', usage: {} });
  });

  it('exits with an error: the end of what it complained about is told, without secrets and colours', async () => {
    const path = writeFakeProgram(`
      process.stderr.write('noise\\n'.repeat(5000) + '\\u001b[31mbad key ' + process.env.MY_API_KEY + ' AKIAIOSFODNN7EXAMPLQ\\u001b[0m');
      process.exitCode = 7;`);
    const spec = { name: 'own', command: [path], env: ['MY_API_KEY'] };
    const { error } = await collectRun(createAgentProgram(spec, { env: { ...env, MY_API_KEY: 'hunter22-hunter22' } }));
    expect(error).toMatchObject({ code: 'program-failed', details: { program: 'own', exitCode: 7 } });
    const reason = (error as { details: { reason: string } }).details.reason;
    expect(reason.length).toBeLessThan(1100);
    expect(reason).toMatch(/^it ended with code 7 and said: …/);
    expect(reason).toContain('bad key [masked:MY_API_KEY] [masked:');
    expect(reason).not.toContain('\u001b');
  });

  it('ends without an answer, or is killed', async () => {
    expect((await collectRun(fake(''))).error).toMatchObject({ details: { reason: 'it ended without an answer' } });
    expect((await collectRun(fake(`process.kill(process.pid, 'SIGKILL');`))).error).toMatchObject({
      code: 'program-failed',
      details: { reason: 'it was ended by SIGKILL' },
    });
    const broken = await collectRun(named('claude', `say({ type: 'system', session_id: 's-1' });`));
    expect(broken.events).toEqual([{ type: 'session', sessionId: 's-1' }]);
    expect(broken.error).toMatchObject({ code: 'program-failed', details: { reason: 'it ended without an answer' } });
  });

  it('is not there, may not be run, or has no folder to work in', async () => {
    const absent = createAgentProgram({ program: 'claude', path: '/nowhere/claude' }, { env });
    expect((await collectRun(absent)).error).toMatchObject({
      code: 'program-missing',
      details: { program: 'claude', reason: 'there is no program /nowhere/claude' },
    });
    const folder = createAgentProgram({ program: 'claude', path: '/tmp' }, { env });
    expect((await collectRun(folder)).error).toMatchObject({
      code: 'program-missing',
      details: { reason: '/tmp may not be run' },
    });
    expect((await collectRun(fake(`say('x')`), { cwd: '/nowhere' })).error).toMatchObject({
      code: 'program-missing',
      details: { reason: 'there is no folder /nowhere' },
    });
    const command = [writeFakeProgram(`say('x')`), '{prompt}'];
    const long = createAgentProgram({ name: 'own', command }, { env });
    expect((await collectRun(long, { prompt: 'x'.repeat(3_000_000) })).error).toMatchObject({ code: 'program-missing' });
  });

  it('hangs, ignores SIGTERM and has children of its own: all of it is gone when the time is over', async () => {
    const folder = createTemporaryFolder('pids');
    const child = `process.on('SIGTERM', () => {}); require('node:fs').writeFileSync(process.argv[1], String(process.pid)); setInterval(() => {}, 1000)`;
    const body = `
      process.on('SIGTERM', () => {});
      const { spawn } = require('node:child_process');
      spawn(process.execPath, ['-e', ${JSON.stringify(child)}, ${JSON.stringify(join(folder, 'child'))}], { detached: true, stdio: 'ignore' });
      while (!fs.existsSync(${JSON.stringify(join(folder, 'child'))})) await sleep(5);
      fs.writeFileSync(${JSON.stringify(join(folder, 'parent'))}, String(process.pid));
      say('begun');
      setInterval(() => {}, 1000);`;
    const { events, error } = await collectRun(fake(body, {}, { milliseconds: 5_000 }));
    expect(events).toEqual([{ type: 'text-delta', text: 'begun\n' }]);
    expect(error).toMatchObject({ code: 'timeout', details: { what: 'fake' } });
    for (const name of ['parent', 'child']) {
      expect(await goesAway(Number(readFileSync(join(folder, name), 'utf8')))).toBe(true);
    }
  });

  it('is cancelled as a whole, at once where it listens, and before it begins where that is too late', async () => {
    const controller = new AbortController();
    const program = fake(`say('pid ' + process.pid); setInterval(() => {}, 1000);`);
    const seen: string[] = [];
    const run = async () => {
      for await (const event of program.run({ prompt: '', cwd: '/tmp', signal: controller.signal })) {
        if (event.type === 'text-delta') seen.push(event.text);
        controller.abort();
      }
    };
    await expect(run()).rejects.toMatchObject({ code: 'cancelled' });
    expect(await goesAway(Number(seen[0]?.slice(4)))).toBe(true);
    expect((await collectRun(program, { signal: controller.signal })).error).toMatchObject({ code: 'cancelled' });
  });

  it('starts one process after the other: it is ended with all of them', async () => {
    const body = `const { spawn } = require('node:child_process'); const pids = [];
      for (let i = 0; i < 60; i++) pids.push(spawn('sleep', ['60'], { detached: true, stdio: 'ignore' }).pid);
      say(JSON.stringify(pids)); await sleep(60000);`;
    const { events, error } = await collectRun(fake(body, {}, { processes: 20 }));
    expect(error).toMatchObject({ code: 'program-failed', details: { reason: 'it started more than 20 processes' } });
    const told = events.flatMap((event) => (event.type === 'text-delta' ? (JSON.parse(event.text) as number[]) : []));
    expect(await Promise.all(told.map((pid) => goesAway(pid)))).toEqual(told.map(() => true));
  });

  it('is ended when nobody listens any more', async () => {
    let pid = 0;
    for await (const event of fake(`say(String(process.pid)); setInterval(() => {}, 1000);`).run({ prompt: '', cwd: '/tmp' })) {
      if (event.type === 'text-delta') pid = Number(event.text);
      break;
    }
    expect(pid).toBeGreaterThan(0);
    expect(await goesAway(pid)).toBe(true);
  });

  it('leaves something in the background that holds its output open: the answer comes, and it is ended', async () => {
    const body = `
      const { spawn } = require('node:child_process');
      const child = spawn('sleep', ['60'], { detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
      child.unref();
      say('pid ' + child.pid);`;
    const { events } = await collectRun(fake(body));
    const finish = events.at(-1);
    expect(finish).toMatchObject({ type: 'finish', text: expect.stringMatching(/^pid \d+$/) });
    expect(await goesAway(Number(finish?.type === 'finish' && finish.text.slice(4)))).toBe(true);
  });
});

describe('a program that writes without end', () => {
  const forever = (line: string, stream = 1) => `const line = ${line}; for (;;) fs.writeSync(${stream}, line);`;

  it.each([
    ['text', forever(`'word '.repeat(2000)`), 'text' as const, 1024 * 1024],
    ['one line', forever(`'x'.repeat(65536)`), 'codex' as const, 16 * 1024 * 1024],
    [
      'messages',
      forever(`JSON.stringify({type:'item.completed',item:{type:'agent_message',text:'y'.repeat(5000)}})+'\\n'`),
      'codex' as const,
      1024 * 1024,
    ],
    ['lines of no interest', forever(`'{"type":"noise","x":"' + 'z'.repeat(5000) + '"}\\n'`), 'codex' as const, 16 * 1024 * 1024],
    ['standard error', forever(`'complaint '.repeat(2000)`, 2), 'text' as const, 16 * 1024 * 1024],
  ])('is stopped with a code, in bounded memory: %s', async (_name, body, output, limit) => {
    const program = fake(body, { output }, { outputBytes: 16 * 1024 * 1024, milliseconds: 20_000 });
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    const { events, error } = await collectRun(program);
    expect(error).toMatchObject({ code: 'program-flooded', details: { program: 'fake', limit } });
    const told = events.reduce((sum, event) => sum + (event.type === 'text-delta' ? event.text.length : 0), 0);
    expect(told).toBeLessThanOrEqual(1024 * 1024);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  });

  it('has one line that is too long: it is passed over and told, and the answer comes', async () => {
    const body = `say('{"type":"x","y":"' + 'x'.repeat(200000) + '"}');
      say({ type: 'item.completed', item: { type: 'agent_message', text: 'ok' } }); say({ type: 'turn.completed' });`;
    const { events } = await collectRun(fake(body, { output: 'codex' }, { lineBytes: 100_000 }));
    expect(events).toEqual([
      { type: 'text-delta', text: 'ok' },
      { type: 'remark', code: 'lines-too-long', count: 1 },
      { type: 'finish', text: 'ok', usage: {} },
    ]);
  });
});

describe('the environment of a program', () => {
  it('is what every program needs, its own variables and those that are named', async () => {
    const variables = {
      ...env,
      HOME: '/home/x',
      LC_ALL: 'C.UTF-8',
      ANTHROPIC_API_KEY: 'a',
      OPENAI_API_KEY: 'b',
      GITHUB_TOKEN: 'c',
      EXTRA: 'd',
      BASH_FUNC: '() { :; }',
    };
    const body = `const seen = { ...process.env }; delete seen.PATH; seen.CONTINUO_COMMAND = typeof seen.CONTINUO_COMMAND;
      say({ type: 'result', subtype: 'success', result: JSON.stringify(seen) });`;
    const program = createAgentProgram({ program: 'claude', path: writeFakeProgram(body), env: ['EXTRA'] }, { env: variables });
    const finish = (await collectRun(program)).events.at(-1);
    expect(finish?.type === 'finish' && JSON.parse(finish.text)).toEqual({
      HOME: '/home/x',
      LC_ALL: 'C.UTF-8',
      ANTHROPIC_API_KEY: 'a',
      EXTRA: 'd',
      CONTINUO_COMMAND: 'string',
    });
  });
});
