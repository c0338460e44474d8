// Around a talk: MCP servers, approvals that were remembered, and playing a conversation back.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { NewEntry } from '../../src/model/entry.ts';
import { ApprovalGrants } from '../../src/runtime/approvals/approval-grants.ts';
import { StoreGrants } from '../../src/runtime/approvals/store-grants.ts';
import { needs } from '../support/require-system.ts';
import { closeScripts, startScript } from './chat-server.ts';
import { Cli } from './cli-program.ts';
import { hasTmux, TerminalScreen } from './terminal-screen.ts';

closeScripts();

const everything = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
);

const filesystem = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js', import.meta.url),
);

function writeServers(cli: Cli, servers: object): string {
  const file = join(cli.folder, 'servers.json');
  writeFileSync(file, JSON.stringify({ mcpServers: servers }));
  return file;
}

/** How a file writes that a variable is to be put in. */
const variable = '$' + '{SERVER_TOKEN}';
const working = { command: process.execPath, args: [everything, 'stdio'] };

describe('mcp', () => {
  it('lists what the file names without starting anything, and gives no variable away', async () => {
    const cli = new Cli({ SERVER_TOKEN: 'tell-nobody' });
    const file = writeServers(cli, {
      tracker: { command: '/no/such/program', args: ['--token', variable] },
      remote: { type: 'http', url: 'https://example.test/mcp?key=tell-nobody' },
      asleep: { command: 'x', disabled: true },
    });
    expect(await cli.json(['mcp', 'list', '--mcp-config', file])).toEqual({
      file,
      servers: [
        {
          name: 'tracker',
          state: 'named',
          reached: { type: 'stdio', command: '/no/such/program', args: ['--token', variable] },
        },
        { name: 'remote', state: 'named', reached: { type: 'http', url: 'https://example.test/mcp' } },
        { name: 'asleep', state: 'disabled', reached: { type: 'stdio', command: 'x', args: [] } },
      ],
    });
    await cli.run(['config', 'set', 'mcp.config', file]);
    const { stdout } = await cli.run(['mcp', 'list'], { env: { CONTINUO_LANG: 'zh' } });
    expect(stdout).toBe(
      [
        '服务器   状态    连接方式',
        `tracker  已列出  /no/such/program --token ${variable}`,
        'remote   已列出  https://example.test/mcp',
        'asleep   已停用  x',
        '',
      ].join('\n'),
    );
  });

  it('tests each: the tools of those that work, the reason of those that do not', async () => {
    const cli = new Cli();
    const file = writeServers(cli, { everything: working, broken: { command: '/no/such/program' } });
    const all = await cli.run(['mcp', 'test', '--mcp-config', file]);
    expect(all.code).toBe(1);
    expect(all.stdout).toMatch(/everything +works +\d+ +\d+\.\d s/);
    expect(all.stdout).toContain('\n  echo\n');
    expect(all.stderr).toContain('broken failed: the program "/no/such/program" was not found');
    const report = await cli.json<{ servers: { state: string; milliseconds: number; tools: { name: string }[] }[] }>([
      ...['mcp', 'test', 'everything', '--mcp-config', file],
    ]);
    expect(report.servers).toMatchObject([{ name: 'everything', state: 'ready', milliseconds: expect.any(Number) }]);
    expect(report.servers[0]?.tools.map(({ name }) => name)).toContain('echo');
  });

  it('refuses what it cannot find', async () => {
    const cli = new Cli();
    const file = writeServers(cli, { everything: working });
    expect(await cli.failure(['mcp', 'test', 'other', '--mcp-config', file])).toMatchObject({
      code: 2,
      error: { code: 'usage' },
    });
    expect(await cli.failure(['mcp', 'list'])).toMatchObject({ code: 2, error: { code: 'usage' } });
    expect(await cli.failure(['mcp', 'list', '--except', 'x'])).toMatchObject({ code: 2, error: { code: 'usage' } });
    expect(await cli.failure(['mcp', '--mcp-config', 'absent.json'])).toMatchObject({
      code: 2,
      error: { code: 'mcp-config-invalid' },
    });
  });

  it('that do not work cost a talk their tools, not the turn', async () => {
    const cli = new Cli();
    const file = writeServers(cli, { broken: { command: '/no/such/program' } });
    const { env } = await startScript([{ text: 'Here I am.' }]);
    expect(await cli.run(['chat', '-p', 'hi', '--mcp-config', file], { env })).toEqual({
      code: 0,
      signal: null,
      stdout: 'Here I am.\n',
      stderr: 'The MCP server "broken" failed: the program "/no/such/program" was not found.\n',
    });
  });

  it('gives its tools to a talk, where a rule lets them be called', async () => {
    const cli = new Cli();
    const file = writeServers(cli, { everything: working });
    const { server, env } = await startScript([
      { toolCalls: [{ id: 'c', name: 'mcp__everything__echo', input: { message: 'ping' } }] },
      { text: 'It said ping.' },
    ]);
    const turn = await cli.json(['chat', '-p', 'echo it', '--mcp-config', file, '--allow', 'mcp everything echo'], { env });
    expect(turn).toMatchObject({
      text: 'It said ping.',
      toolCalls: [{ tool: 'mcp__everything__echo', input: { message: 'ping' } }],
      error: null,
    });
    expect(JSON.stringify(server.requests[1]?.body.messages)).toContain('Echo: ping');
  });

  it('may have tools that are called like our own', async () => {
    const cli = new Cli();
    const file = writeServers(cli, { files: { command: process.execPath, args: [filesystem, cli.folder] } });
    const { server, env } = await startScript([{ text: 'Both are there.' }]);
    expect(await cli.run(['chat', '-p', 'hi', '--mcp-config', file], { env })).toMatchObject({
      code: 0,
      stdout: 'Both are there.\n',
    });
    const names = server.requests[0]?.body.tools.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['read_file', 'mcp__files__read_file']));
  });
});

describe('notices', () => {
  it('go to the address of the settings when a turn took long enough, without what was said', async () => {
    const cli = new Cli();
    const { env } = await startScript([{ text: 'A secret answer.' }]);
    const told: string[] = [];
    const server = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => told.push(text));
      request.on('end', () => response.end());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const CONTINUO_NOTIFY_WEBHOOK = `http://127.0.0.1:${(server.address() as AddressInfo).port}/told`;
      const notify = { ...env, CONTINUO_NOTIFY_WEBHOOK, CONTINUO_NOTIFY_AFTER: '0' };
      expect((await cli.run(['chat', '-p', 'hi'], { env: notify })).code).toBe(0);
    } finally {
      server.close();
    }
    expect(JSON.parse(told.join(''))).toMatchObject({ kind: 'turn-end', outcome: 'done' });
    expect(told.join('')).not.toContain('secret');
  });
});

describe('approvals', () => {
  it('are listed with where and until when, and taken back by the beginning of their ids', async () => {
    const cli = new Cli();
    await cli.run(['append', 'x', '--key', 'k', '--title', 'Work']);
    await using store = await cli.open();
    const { id } = await store.get('k');
    const grants = new ApprovalGrants({ root: id, store: new StoreGrants(store) });
    const always = await grants.grant({ path: ['git', 'status'], conversation: id });
    const session = await grants.grant({ path: ['npm', 'test', '--', 'a b'], exact: true });
    const past = await grants.grant({ path: ['make'], conversation: id, expiresAt: 1000 });
    grants.close();
    const about = {
      conversationId: id,
      title: 'Work',
      createdAt: expect.any(Number),
      expiresAt: null,
      expired: false,
      exact: false,
    };
    const listed = [
      { ...about, id: past.id, path: ['make'], scope: 'conversation', expiresAt: 1000, expired: true },
      { ...about, id: session.id, path: ['npm', 'test', '--', 'a b'], exact: true, scope: 'session' },
      { ...about, id: always.id, path: ['git', 'status'], scope: 'conversation' },
    ];
    const { approvals } = await cli.json<{ approvals: { id: string }[] }>(['approvals']);
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
    expect(approvals.toSorted(byId)).toEqual(listed.toSorted(byId));
    const { stdout: table, stderr } = await cli.run(['approvals', 'list']);
    expect(stderr).toBe('');
    expect(table).toMatch(/make +conversation cnv_\w+ +just now +expired/);
    expect(table).toMatch(/npm test -- a b \(exactly\) +session of cnv_\w+ +just now +until revoked/);
    expect((await cli.run(['approvals', 'list'], { env: { CONTINUO_LANG: 'zh' } })).stdout).toContain('直到撤销');

    expect((await cli.run(['approvals', 'revoke', always.id])).stdout).toBe('Taken back: git status\n');
    expect(await cli.failure(['approvals', 'revoke', always.id])).toMatchObject({
      code: 3,
      error: { code: 'approval-not-found' },
    });
    expect(await cli.failure(['approvals', 'revoke'])).toMatchObject({ code: 2 });
    expect(await cli.failure(['approvals', 'revoke', '--all'])).toMatchObject({ code: 4, error: { code: 'not-confirmed' } });
    expect((await cli.run(['approvals', 'revoke', '--all', '--yes'])).stdout).toBe('2 approvals taken back.\n');
    expect(await cli.json(['approvals'])).toEqual({ approvals: [] });
    expect((await cli.run(['approvals'])).stderr).toContain('Nothing is allowed for good.');
  });
});

const story: NewEntry[] = [
  { kind: 'message', role: 'user', text: 'How far?', at: 1000 },
  { kind: 'event', name: 'turn-start', text: '', at: 1000 },
  { kind: 'message', role: 'assistant', text: '再走两步就到了。', at: 1500 },
  { kind: 'message', role: 'user', text: 'Thanks', at: 90_000 },
];

async function tellStory(): Promise<Cli> {
  const cli = new Cli();
  await using store = await cli.open();
  await store.append((await store.create({ key: 'story' })).id, story);
  return cli;
}

describe('replay', () => {
  it('plays everything back at once, for people and for programs', async () => {
    const cli = await tellStory();
    const { stdout } = await cli.run(['replay', 'story']);
    expect(stdout.match(/How far\?|再走两步就到了。|Thanks|turn-start/g)).toEqual(['How far?', '再走两步就到了。', 'Thanks']);
    const lines = (await cli.run(['replay', 'story', '--json'])).stdout.trimEnd().split('\n');
    const steps = lines.map((line) => JSON.parse(line) as { offset: number; entry: { text: string } });
    expect(steps.map(({ offset, entry }) => [offset, entry.text])).toEqual([
      [0, 'How far?'],
      [0, ''],
      [500, '再走两步就到了。'],
      [89_000, 'Thanks'],
    ]);
  });

  it('shows events with --full, and says that there is nothing else where there is not', async () => {
    const cli = await tellStory();
    expect((await cli.run(['replay', 'story', '--full'])).stdout).toContain('turn-start');
    const { env } = await startScript([{ text: 'Hello.' }]);
    await cli.run(['chat', '-p', 'between us', '--policy', 'none'], { env });
    const silent = await cli.run(['replay', 'latest']);
    expect(silent).toMatchObject({
      stdout: '',
      stderr: expect.stringMatching(/^\(\d+ events and no words; --full shows them\)\n$/),
    });
    expect((await cli.run(['replay', 'latest', '--full'])).stdout).toContain('turn-start');
  });

  it('keeps the pauses in real time, up to three seconds, divided by the speed', async () => {
    const cli = await tellStory();
    const began = performance.now();
    const { stdout } = await cli.run(['replay', 'story', '--pace', 'real-time', '--speed', '2']);
    expect(stdout).toContain('再走两步就到了。');
    expect(performance.now() - began).toBeGreaterThan(250 + 3000);
  });

  it('refuses what makes no sense', async () => {
    const cli = await tellStory();
    for (const args of [
      ['--pace', 'slow'],
      ['--speed', '2'],
      ['--pace', 'real-time', '--speed', '0'],
      ['--pace', 'step'],
    ])
      expect(await cli.failure(['replay', 'story', ...args])).toMatchObject({ code: 2, error: { code: 'usage' } });
    expect(await cli.failure(['replay', 'nothing'])).toMatchObject({ code: 3 });
  });

  it.runIf(needs(hasTmux, 'tmux, which gives the program a terminal'))('goes step by step, one Enter each', async () => {
    const cli = await tellStory();
    using screen = await TerminalScreen.open(cli, ['replay', 'story', '--pace', 'step']);
    await screen.shows('Enter shows the next entry, Ctrl-C ends.');
    screen.press('Enter');
    await screen.shows('How far?');
    expect(screen.text()).not.toContain('再走两步就到了。');
    screen.press('Enter');
    screen.press('Enter');
    await screen.shows('再走两步就到了。');
    expect(screen.text()).not.toContain('Thanks');
    screen.press('Enter');
    await screen.shows(/Thanks[\s\S]*ended with 0/);
  });
});
