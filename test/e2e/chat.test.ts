// continuo chat for scripts: one turn, its answer, its events, what is kept of it and what goes wrong.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { testKey } from '../support/model-server/model-server.ts';
import { cutAfter } from '../support/model-server/script.ts';
import { closeScripts, saidTo, startScript } from './chat-server.ts';
import { Cli, collectResult, findProgram } from './cli-program.ts';

closeScripts();

interface Turn {
  conversation: { id: string; project: string; lastSeq: number };
  text: string;
  toolCalls: { tool: string; failed?: boolean; code?: string }[];
  error: { code: string } | null;
}

interface Shown {
  entries: { kind: string; role?: string; text: string; interrupted?: boolean; name?: string; code?: string }[];
}

const moment = expect.any(Number);
const hello = { text: ['Hello, ', 'world.'], usage: { input: 12, output: 3 } };

async function messagesOf(cli: Cli, id = 'latest'): Promise<{ role: string; text: string; interrupted?: true }[]> {
  const { entries } = await cli.json<Shown>(['show', id, '--all']);
  return entries
    .filter(({ kind }) => kind === 'message')
    .map(({ role = '', text, interrupted }) => ({ role, text, ...(interrupted && { interrupted }) }));
}

describe('chat -p', () => {
  it('prints the answer and nothing else, and keeps both sides', async () => {
    const cli = new Cli();
    const { server, env } = await startScript([hello]);
    expect(await cli.run(['chat', '-p', 'Hi'], { env })).toEqual({
      code: 0,
      signal: null,
      stdout: 'Hello, world.\n',
      stderr: '',
    });
    expect(server.requests.map(saidTo)).toEqual([['user: Hi']]);
    expect(await messagesOf(cli)).toEqual([
      { role: 'user', text: 'Hi' },
      { role: 'assistant', text: 'Hello, world.' },
    ]);
  });

  it('keeps what is said before a tool call off standard output', async () => {
    const cli = new Cli();
    const call = { id: 'c', name: 'list_files', input: { path: '.' } };
    const { env } = await startScript([{ text: 'Let me look.', toolCalls: [call] }, hello]);
    expect(await cli.run(['chat', '-p', 'Hi'], { env })).toEqual({
      code: 0,
      signal: null,
      stdout: 'Hello, world.\n',
      stderr: expect.stringMatching(/^→ list_files \.\n← .*\n$/),
    });
  });

  it('adds what another program hands over', async () => {
    const cli = new Cli();
    const { server, env } = await startScript([hello, hello, hello]);
    await cli.run(['chat', '-p', 'Review this'], { env, input: '+ a line\n' });
    await cli.run(['chat'], { env, input: 'only\nthis\n' });
    const nameless = await cli.run([], { env, input: 'no command at all' });
    expect(nameless).toMatchObject({ code: 0, stdout: 'Hello, world.\n' });
    expect(server.requests.map(saidTo)).toEqual([
      ['user: Review this\n\n+ a line'],
      ['user: only\nthis'],
      ['user: no command at all'],
    ]);
  });

  it('shows what is stored where standard input is empty', async () => {
    const cli = new Cli();
    expect((await cli.run([], { input: ' \n' })).stdout).toContain('Nothing is stored yet.');
    for (const args of [['chat'], ['chat', '-p', '']])
      expect(await cli.failure(args)).toMatchObject({ code: 2, error: { code: 'usage', message: 'There is no text to send.' } });
  });

  it('goes on without standard input that never comes', async () => {
    const cli = new Cli();
    const { env } = await startScript([hello]);
    const child = spawn(process.execPath, [await findProgram(), 'chat', '-p', 'Hi'], {
      cwd: cli.folder,
      env: cli.environment(env),
    });
    const { code, stdout, stderr } = await collectResult(child);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'Hello, world.\n',
      stderr: 'Nothing came on standard input for 3 seconds; going on without it.\n',
    });
  });

  it('refuses what makes no sense before anything is kept', async () => {
    const cli = new Cli();
    for (const args of [
      ['hello', '-p', 'hello'],
      ['-p', 'x', '--resume', 'a', '--continue'],
      ['-p', 'x', '--continue', '--title', 't'],
      ['-p', 'x', '--timeout', 'soon'],
      ['-p', 'x', '--project', 'nowhere'],
      ['-p', ' '],
    ])
      expect(await cli.failure(['chat', ...args]), args.join(' ')).toMatchObject({ code: 2, error: { code: 'usage' } });
    expect((await cli.run(['stats'])).stdout).toContain('nothing yet');
  });
});

describe('chat --json', () => {
  it('is one object with everything about the turn', async () => {
    const cli = new Cli();
    const { env } = await startScript([
      {
        text: 'Let me look.',
        toolCalls: [{ id: 'call-1', name: 'list_files', input: { path: '.' } }],
        usage: { input: 5, output: 7 },
      },
      hello,
    ]);
    const turn = await cli.json<Turn>(['chat', '-p', 'Hi', '--title', 'First'], { env });
    expect(turn).toEqual({
      conversation: {
        id: expect.stringMatching(/^cnv_/),
        title: 'First',
        project: `path:${cli.folder}`,
        agent: 'continuo',
        tags: [],
        pinned: false,
        policy: { kind: 'full' },
        meta: { place: { path: cli.folder, name: basename(cli.folder), rootCommits: [], remotes: [] } },
        createdAt: moment,
        activeAt: moment,
        lastSeq: 7,
      },
      created: true,
      turnId: expect.stringMatching(/^trn_/),
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      outcome: 'done',
      text: 'Hello, world.',
      usage: { inputTokens: 17, outputTokens: 10, cachedTokens: 0 },
      steps: 2,
      toolCalls: [{ callId: 'call-1', tool: 'list_files', input: { path: '.' } }],
      milliseconds: moment,
      model: 'anthropic:claude-test',
      recalled: [],
      error: null,
      swept: { purged: [], withheld: 0, removed: 0 },
    });
  });

  it('tells why a turn failed, beside what had been said, and the exit code says it too', async () => {
    const cli = new Cli();
    const { env } = await startScript([{ text: ['One ', 'two ', 'three'], fault: cutAfter(2) }]);
    const { code, stdout, stderr } = await cli.run(['chat', '-p', 'Count', '--json'], { env });
    expect({ code, stderr }).toEqual({ code: 6, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'failed',
      text: 'One two ',
      error: { code: 'model-answer-broken', kind: 'model', message: expect.stringContaining('Anthropic') },
    });
    expect(await messagesOf(cli)).toEqual([
      { role: 'user', text: 'Count' },
      { role: 'assistant', text: 'One two ', interrupted: true },
    ]);
  });
});

describe('chat --stream-json', () => {
  it('prints events while they happen, the last of them turn-end', async () => {
    const cli = new Cli();
    const { env } = await startScript([hello]);
    const { code, stdout, stderr } = await cli.run(['chat', '-p', 'Hi', '--stream-json'], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; conversationId: string; text?: string });
    const types = events.map(({ type }) => type).filter((type) => type !== 'text-saved' && type !== 'entry-append');
    expect(types).toEqual(['conversation-open', 'turn-start', 'step-start', 'text-delta', 'text-delta', 'turn-end']);
    expect(new Set(events.map(({ conversationId }) => conversationId)).size).toBe(1);
    expect(events.at(-1)).toMatchObject({ type: 'turn-end', outcome: 'done', text: 'Hello, world.', toolCalls: 0 });
  });

  it('ends a failed turn the same way', async () => {
    const cli = new Cli();
    const { env } = await startScript([{ fault: { type: 'refuse-key' } }]);
    const { code, stdout, stderr } = await cli.run(['chat', '-p', 'Hi', '--stream-json'], { env });
    expect({ code, stderr }).toEqual({ code: 4, stderr: '' });
    const last = JSON.parse(stdout.trimEnd().split('\n').at(-1) as string);
    expect(last).toMatchObject({ type: 'turn-end', outcome: 'failed', error: { code: 'model-key-refused' } });
  });
});

describe('which conversation', () => {
  it('is a new one unless told otherwise', async () => {
    const cli = new Cli();
    const { server, env } = await startScript(() => hello);
    for (const said of ['first', 'second', 'third']) expect((await cli.run(['chat', '-p', said], { env })).stderr).toBe('');
    expect(server.requests.map(saidTo).every((said) => said.length === 1)).toBe(true);
  });

  it('goes on with the newest of the folder, or with the one that is named', async () => {
    const cli = new Cli();
    const { server, env } = await startScript(() => hello);
    const other = join(cli.folder, 'elsewhere');
    mkdirSync(other);
    const first = await cli.json<Turn>(['chat', '-p', 'here'], { env });
    await cli.run(['chat', '-p', 'away'], { env, cwd: other });
    const again = await cli.json<Turn>(['chat', '-p', 'again', '--continue'], { env });
    expect(again).toMatchObject({ created: false, conversation: { id: first.conversation.id } });
    const id = first.conversation.id.slice(0, 20);
    const away = await cli.run(['chat', '-p', 'from elsewhere', '--resume', id], { env, cwd: other });
    expect(away.stderr).toBe(`It was begun in ${cli.folder}; files and commands are those of ${other} (--project chooses).\n`);
    await cli.run(['chat', '-p', 'newest', '--resume', '--project', other], { env });
    await cli.run(['append', 'by key', '--key', 'robot:1']);
    await cli.run(['chat', '-p', 'with key', '--resume', 'robot:1'], { env });
    const answer = 'assistant: Hello, world.';
    expect(server.requests.map(saidTo).slice(2)).toEqual([
      ['user: here', answer, 'user: again'],
      ['user: here', answer, 'user: again', answer, 'user: from elsewhere'],
      ['user: away', answer, 'user: newest'],
      ['user: by key\n\nwith key'],
    ]);
  });

  it('is an error where there is none to go on with', async () => {
    const cli = new Cli();
    const { env } = await startScript([]);
    for (const args of [['--continue'], ['--resume'], ['--resume', 'cnv_0000']])
      expect(await cli.failure(['chat', '-p', 'x', ...args], { env })).toMatchObject({
        code: 3,
        error: { code: 'conversation-not-found' },
      });
    expect((await cli.run(['chat', '-p', 'x', '--continue'], { env })).stderr).toBe(
      `Error: No conversation of ${cli.folder} is stored. Begin one: continuo chat\n`,
    );
  });

  it('that another process writes is named with its writer, and can be waited for', async () => {
    const cli = new Cli();
    const { env } = await startScript([hello]);
    await cli.run(['append', 'x', '--key', 'shared']);
    await using store = await cli.open();
    const { id } = await store.get('shared');
    const lease = await store.acquireLease(id, { owner: 'the editor' });
    const { code, stderr } = await cli.run(['chat', '-p', 'y', '--resume', 'shared'], { env });
    expect(code).toBe(4);
    expect(stderr).toContain(`is being written by the editor (process ${process.pid}`);
    expect(stderr).toContain(`continuo fork ${id.slice(0, 12)}`);
    expect(stderr).toContain('--wait 30s');
    const waiting = cli.run(['chat', '-p', 'y', '--resume', 'shared', '--wait', '20'], { env });
    setTimeout(() => void lease.release(), 500);
    expect(await waiting).toMatchObject({ code: 0, stdout: 'Hello, world.\n' });
  });
});

describe('models', () => {
  it('without one, answers are quotes from what is stored, with their ids', async () => {
    const cli = new Cli();
    const empty = await cli.run(['chat', '-p', 'What about the sofa?']);
    expect(empty.code).toBe(0);
    expect(empty.stdout).toMatch(/\S/);
    await cli.run(['append', 'The sofa stands in the living room, two metres from the window.', '--key', 'sofa']);
    const { conversation } = await cli.json<{ conversation: { id: string } }>(['show', 'sofa']);
    const { code, stdout } = await cli.run(['chat', '-p', 'Where is the sofa?', '--new']);
    expect(code).toBe(0);
    expect(stdout).toContain('two metres from the window');
    expect(stdout).toContain(conversation.id.slice(4, 12));
    expect(await cli.json<Turn>(['chat', '-p', 'sofa'])).toMatchObject({
      model: expect.stringContaining('offline'),
      error: null,
    });
  });

  it('that cannot be used are explained by what to do', async () => {
    const cli = new Cli();
    const of = (model: string) => cli.failure(['chat', '-p', 'x', '--model', model]);
    expect(await of('anthropic:claude-test')).toMatchObject({
      code: 4,
      error: { code: 'model-key-missing', details: { variable: 'ANTHROPIC_API_KEY' } },
    });
    expect(await of('clippy:97')).toMatchObject({ code: 2, error: { code: 'provider-unknown' } });
    expect(await of('gpt-5')).toMatchObject({ code: 2, error: { code: 'provider-unknown' } });
    expect(await of('anthropic:')).toMatchObject({
      code: 2,
      error: { message: 'The model is not valid: its name is missing after "anthropic:"' },
    });
    expect(await cli.failure(['chat', '-p', 'x', '--model', 'compatible:x', '--base-url', 'ftp://x'])).toMatchObject({ code: 2 });
    expect((await cli.json<{ conversations: number }>(['stats'])).conversations).toBe(0);
  });

  it('that refuse the key fail the turn; what was said is kept', async () => {
    const cli = new Cli();
    const { env } = await startScript([{ fault: { type: 'refuse-key' } }]);
    const { code, stdout, stderr } = await cli.run(['chat', '-p', 'Hi'], { env });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(
      /^Error: Anthropic refused the key\. Check ANTHROPIC_API_KEY\. Go on with: continuo chat --resume cnv_\w+\n$/,
    );
    expect(stderr).not.toContain(testKey);
    expect(await messagesOf(cli)).toEqual([{ role: 'user', text: 'Hi' }]);
  });

  it.each([
    ['openai:gpt-test', 'OPENAI_API_KEY'],
    ['google:gemini-test', 'GEMINI_API_KEY'],
    ['compatible:local-test', 'CONTINUO_MODEL_KEY'],
  ])('%s is reached in its own protocol', async (model, variable) => {
    const cli = new Cli();
    const { env } = await startScript([hello]);
    const args = ['chat', '-p', 'Hi', '--model', model];
    expect(await cli.run(args, { env: { ...env, [variable]: testKey } })).toMatchObject({ code: 0, stdout: 'Hello, world.\n' });
  });
});

describe('what is kept', () => {
  it('under policy none is nothing', async () => {
    const cli = new Cli();
    const { env } = await startScript([hello]);
    expect((await cli.run(['chat', '-p', 'between us', '--policy', 'none'], { env })).stdout).toBe('Hello, world.\n');
    expect(await messagesOf(cli)).toEqual([]);
    await using store = await cli.open();
    await store.close();
    for (const file of ['conversations.db', 'conversations.db-wal'])
      expect(readIfThere(join(cli.home, file))).not.toContain('between us');
  });

  it('never holds the key of a model: commands do not even see it', async () => {
    const cli = new Cli();
    const { env } = await startScript([{ toolCalls: [{ id: 'c', name: 'run_command', input: { command: 'env' } }] }, hello]);
    const turn = await cli.json<Turn>(['chat', '-p', 'show me the environment', '--allow', 'env', '--quiet'], { env });
    expect(turn.error).toBe(null);
    expect(JSON.stringify((await cli.json<Shown>(['show', 'latest', '--all'])).entries)).not.toContain(testKey);
  });
});

describe('permission in a script', () => {
  const asksFor = (command: string) => [{ toolCalls: [{ id: 'c', name: 'run_command', input: { command } }] }, hello];

  it('is denied unless a rule allows it, and a rule that denies wins', async () => {
    const cli = new Cli();
    const outcome = async (command: string, ...args: string[]) => {
      const { env } = await startScript(asksFor(command));
      const { toolCalls } = await cli.json<Turn>(['chat', '-p', 'go', '--new', ...args], { env });
      return toolCalls.map(({ failed = false, code }) => (failed ? code : 'done'));
    };
    expect(await outcome('echo hi')).toEqual(['approval-denied']);
    expect(await outcome('echo hi', '--allow', 'echo')).toEqual(['done']);
    expect(await outcome('echo hi; touch x', '--allow', 'echo')).toEqual(['approval-denied']);
    expect(await outcome('echo hi', '--allow', 'echo', '--deny', 'echo hi')).toEqual(['approval-denied']);
    writeFileSync(join(cli.home, 'conversation.toml'), '[approvals]\nallow = ["echo hi"]\n');
    expect(await outcome('echo hi')).toEqual(['done']);
    expect(await outcome('echo ho')).toEqual(['approval-denied']);
  });

  it('refuses a rule that is no simple command', async () => {
    const cli = new Cli();
    const { env } = await startScript([]);
    expect(await cli.failure(['chat', '-p', 'x', '--allow', 'ls; rm'], { env })).toMatchObject({
      code: 2,
      error: { code: 'invalid-input' },
    });
  });

  it('says where a rule allows less than it seems to', async () => {
    const cli = new Cli();
    const { env } = await startScript(asksFor('sh -c ls'));
    const { code, stderr } = await cli.run(['chat', '-p', 'go', '--allow', 'sh', '--allow', 'git status'], { env });
    expect({ code, stderr: stderr.split('\n') }).toEqual({
      code: 0,
      stderr: [
        'The rule "sh" allows exactly this command and nothing that begins with it, because that could run anything. Name the whole command that is to be allowed.',
        '→ run_command sh -c ls',
        '← not allowed',
        '',
      ],
    });
  });

  it('--no-tools tells the model of none', async () => {
    const cli = new Cli();
    const { server, env } = await startScript([hello, hello]);
    await cli.run(['chat', '-p', 'x', '--no-tools'], { env });
    await cli.run(['chat', '-p', 'x'], { env });
    expect(server.requests.map(({ body }) => (body.tools ?? []).map(({ name }: { name: string }) => name))).toEqual([
      [],
      ['read_file', 'write_file', 'edit_file', 'list_files', 'search_files', 'run_command', 'recall'],
    ]);
  });
});

describe('a turn that is stopped', () => {
  it.each([
    ['SIGINT' as const, 130],
    ['SIGTERM' as const, 143],
    ['SIGHUP' as const, 129],
  ])('by %s keeps what had come, says so and ends with %i', async (signal, expected) => {
    const cli = new Cli();
    const { env } = await startScript([{ text: ['One ', 'two ', 'three '], fault: { type: 'hang', after: 2 } }]);
    const child = spawn(process.execPath, [await findProgram(), 'chat', '-p', 'Count', '--stream-json'], {
      cwd: cli.folder,
      env: cli.environment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const result = collectResult(child);
    for await (const line of createInterface({ input: child.stdout })) if (line.includes('"two "')) break;
    child.kill(signal);
    const { code, stdout, stderr } = await result;
    expect({ code, stderr }).toEqual({ code: expected, stderr: '' });
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) as string)).toMatchObject({
      type: 'turn-end',
      outcome: 'cancelled',
      text: 'One two ',
    });
    expect(await messagesOf(cli)).toEqual([
      { role: 'user', text: 'Count' },
      { role: 'assistant', text: 'One two ', interrupted: true },
    ]);
  });

  it.each([
    [[], /^Stopped\. What had been said is saved\. Go on with: continuo chat --resume cnv_\w+\n$/],
    [['--policy', 'none'], /^Stopped\. Nothing was kept: the policy of this conversation is none\.\n$/],
  ])('says in one line what is saved and how to go on: %j', async (args, line) => {
    const cli = new Cli();
    const { server, env } = await startScript([{ text: ['One '], fault: { type: 'hang', after: 1 } }]);
    const child = spawn(process.execPath, [await findProgram(), 'chat', '-p', 'Count', ...args], {
      cwd: cli.folder,
      env: cli.environment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const result = collectResult(child);
    await expect.poll(() => server.requests.length, { timeout: 20_000 }).toBe(1);
    child.kill('SIGINT');
    expect(await result).toEqual({ code: 130, signal: null, stdout: '', stderr: expect.stringMatching(line) });
  });

  it('by its time limit fails with a code', async () => {
    const cli = new Cli();
    const { env } = await startScript([{ text: ['One '], fault: { type: 'hang', after: 1 } }]);
    const { code, stdout } = await cli.run(['chat', '-p', 'Count', '--timeout', '3', '--json'], { env });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'failed', text: 'One ', error: { code: 'timeout' } });
  });
});

describe('in Chinese', () => {
  it('speaks Chinese throughout, and what was said stays as it was', async () => {
    const cli = new Cli({ CONTINUO_LANG: 'zh' });
    const { env } = await startScript([{ text: '你好，世界。' }, { text: ['一', '二'], fault: cutAfter(1) }]);
    expect((await cli.run(['chat', '-p', '你好'], { env })).stdout).toBe('你好，世界。\n');
    const failed = await cli.run(['chat', '-p', '再来'], { env });
    expect(failed.code).toBe(6);
    expect(failed.stderr).toContain('接着聊：continuo chat --resume cnv_');
  });

  it('tells programs too what went wrong in Chinese', async () => {
    const cli = new Cli({ CONTINUO_LANG: 'zh' });
    const servers = join(cli.folder, 'servers.json');
    writeFileSync(servers, JSON.stringify({ mcpServers: { broken: { command: '/no/such/program' } } }));
    const { env } = await startScript(() => ({ fault: { type: 'refuse-key' } }));
    const refused = { code: 'model-key-refused', message: 'Anthropic 拒绝了密钥，请检查 ANTHROPIC_API_KEY。' };
    const { stdout } = await cli.run(['chat', '-p', '你好', '--stream-json', '--mcp-config', servers], { env });
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.find(({ type }) => type === 'warning')).toMatchObject({
      code: 'mcp-failed',
      message: 'MCP 服务器“broken”出错：找不到程序“/no/such/program”。',
    });
    expect(events.at(-1)).toMatchObject({ type: 'turn-end', error: refused });
    const whole = await cli.run(['chat', '-p', '你好', '--json'], { env });
    expect(JSON.parse(whole.stdout)).toMatchObject({ error: refused });
    expect((await cli.run(['mcp', '--mcp-config', 'absent.json'])).stderr).toContain('没有这个文件');
  });
});

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
