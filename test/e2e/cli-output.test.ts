// What people see: tables in any script and width, two languages, colours, help, and errors that say what to do next.
import { readFile } from 'node:fs/promises';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { Cli } from './cli-program.ts';

const minute = 60_000;

const longTitle = 'A plain English title that is rather long';

async function prepare(cli: Cli): Promise<void> {
  await using store = await cli.open();
  const now = Date.now();
  const filled = await store.create({
    title: '部署方案 🚀 与回滚',
    agent: 'claude',
    project: '项目甲',
    tags: ['工作'],
    pinned: true,
    createdAt: now - 5 * minute,
  });
  await store.append(filled.id, { kind: 'message', role: 'user', text: '怎么部署？', at: now - 3 * 60 * minute });
  const plain = await store.create({ title: longTitle, createdAt: now - 26 * 60 * minute });
  const untitled = await store.create({ agent: 'gemini', createdAt: now - 3 * 60 * minute });
  await store.append(untitled.id, { kind: 'message', role: 'user', text: 'ひらがなで\nsecond line', at: now - 2 * 60 * minute });
  await store.trash((await store.create({ title: 'Gone', createdAt: now - 40 * 24 * 60 * minute })).id);
  expect(plain.lastSeq).toBe(0);
}

/** Where each column begins, measured as a terminal does. */
function columnStarts(line: string, words: string[]): number[] {
  return words.map((word) => {
    expect(line).toContain(word);
    return stringWidth(line.slice(0, line.indexOf(word)));
  });
}

describe('the table', () => {
  it('lines up Chinese, Japanese, emoji and English by display columns', async () => {
    const cli = new Cli();
    await prepare(cli);
    const { stdout } = await cli.run(['list', '--lang', 'zh']);
    const [heading = '', first = '', second = '', third = ''] = stdout.trimEnd().split('\n');
    const starts = columnStarts(heading, ['ID', '活跃', '智能体', '项目', '标题']);
    expect(columnStarts(first, ['cnv_', '5 分钟前', 'claude', '项目甲', '* 部署方案 🚀 与回滚 #工作'])).toEqual(starts);
    expect(columnStarts(second, ['cnv_', '2 小时前', 'gemini', 'ひらがなで'])).toEqual([0, starts[1], starts[2], starts[4]]);
    expect(columnStarts(third, ['cnv_', '1 天前', 'A plain'])).toEqual([0, starts[1], starts[4]]);
    expect(stdout.split('\n').length).toBe(5);
  });

  it('fits the terminal and cuts titles with an ellipsis', async () => {
    const cli = new Cli();
    await prepare(cli);
    const { stdout } = await cli.run(['list'], { env: { COLUMNS: '72' } });
    for (const line of stdout.trimEnd().split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(72);
    // How much is left for the title depends on how many characters the ids need to be told apart.
    const cut = /\S.*\s(A plain.*)…\n/.exec(stdout)?.[1] ?? 'nothing';
    expect(longTitle.startsWith(cut), stdout).toBe(true);
  });

  it('shows ids that are enough to name the conversation, or whole ones', async () => {
    const cli = new Cli();
    await prepare(cli);
    const { stdout } = await cli.run(['list', '--all']);
    const ids = [...stdout.matchAll(/^cnv_\w+/gm)].map(([id]) => id);
    expect(ids.length).toBe(4);
    const whole = await Promise.all(
      ids.map(async (id) => (await cli.json<{ conversation: { id: string } }>(['show', id])).conversation.id),
    );
    expect((await cli.run(['list', '--all', '--full-ids'])).stdout.match(/^cnv_\w+/gm)).toEqual(whole);
  });

  it('says where the next page is, on stderr', async () => {
    const cli = new Cli();
    await prepare(cli);
    const { stdout, stderr } = await cli.run(['list', '--limit', '1']);
    expect(stdout.trimEnd().split('\n').length).toBe(2);
    expect(stderr).toMatch(/^\nThere are more: --cursor \S+\n$/);
    expect((await cli.run(['list', '--limit', '1', '--quiet'])).stderr).toBe('');
  });
});

describe('continuo without a command', () => {
  it('shows a newcomer how to begin, leaves no trace and does not wait', async () => {
    const cli = new Cli();
    const { code, stdout, stderr } = await cli.run([]);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout:
        'Nothing is stored yet.\n\nWhat next?\n' +
        '  continuo chat             talk, and have it kept\n' +
        '  continuo append "Hello"   save a first message\n' +
        '  continuo list             see what is stored\n' +
        '  continuo --help           everything else\n',
      stderr: '',
    });
    expect(await cli.run(['list'])).toMatchObject({ code: 0, stdout: '', stderr: 'Nothing is stored yet.\n' });
    expect(await cli.json(['list'])).toEqual({ conversations: [], nextCursor: null });
    await expect(readFile(cli.home)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('shows what is stored and what to do next, in both languages and as JSON', async () => {
    const cli = new Cli();
    await prepare(cli);
    const { stdout } = await cli.run([]);
    expect(stdout.split('\n')[0]).toBe(`3 conversations with 2 entries in ${cli.home}`);
    const id = /^cnv_\w+/m.exec(stdout)?.[0] as string;
    expect(stdout).toContain(`continuo show ${id} `);
    const chinese = (await cli.run([], { env: { LC_ALL: 'zh_CN.UTF-8' } })).stdout;
    expect(chinese.split('\n')[0]).toBe(`${cli.home} 中有 3 个对话，共 2 条内容`);
    expect(chinese).toContain('接下来可以：');
    const { conversations } = await cli.json<{ conversations: object[] }>(['list']);
    expect(await cli.json([])).toEqual({
      home: cli.home,
      driver: 'sqlite',
      conversations: 4,
      trashed: 1,
      pinned: 1,
      entries: 2,
      bytesOnDisk: expect.any(Number),
      newest: conversations,
    });
  });
});

describe('a conversation to read', () => {
  it('shows who said what and when, tools in a line, and what is not there', async () => {
    const cli = new Cli();
    await using store = await cli.open();
    const { id } = await store.create({ title: 'Talk', agent: 'claude', tags: ['x'] });
    const at = Date.UTC(2026, 0, 2, 3, 4);
    await store.append(id, [
      { kind: 'message', role: 'user', text: 'line one\nline \x1b[31mtwo', author: { name: 'Ann' }, at },
      { kind: 'thinking', text: 'hm\nmore', at },
      { kind: 'tool-call', callId: '1', tool: 'read_file', input: { path: 'a.txt' }, at },
      { kind: 'tool-result', callId: '1', tool: 'read_file', text: 'y'.repeat(300), failed: true, at },
      { kind: 'message', role: 'assistant', text: 'half', model: 'm-1', interrupted: true, at },
    ]);
    const { stdout } = await cli.run(['show', id]);
    const when = '2026-01-02 03:04';
    expect(stdout.split('\n').slice(3)).toEqual([
      `[1] user · Ann · ${when}`,
      'line one',
      'line ^[[31mtwo',
      '',
      `[2] thinking · ${when}`,
      'hm more',
      '',
      `[3] → read_file · ${when}`,
      '{"path":"a.txt"}',
      '',
      `[4] ← read_file · failed · ${when}`,
      `${'y'.repeat(160)}…`,
      '',
      `[5] assistant · m-1 · ${when}`,
      'half',
      '(cut off)',
      '',
      '',
    ]);
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      'Talk',
      expect.stringMatching(`^${id} · 5 entries · .* · agent claude · #x$`),
      '',
    ]);
    expect((await cli.run(['show', id, '--full', '--lang', 'zh'])).stdout).toContain(
      `[4] ← read_file · 失败 · ${when}\n${'y'.repeat(300)}\n`,
    );
    expect((await cli.run(['show', id, '--tail', '1'])).stdout).toMatch(
      /\nEntries up to 4 come before: continuo show cnv_\w+ --before 5\n/,
    );
  });
});

describe('colours', () => {
  const colored = '\x1b[';
  it('appear only where they are wanted', async () => {
    const cli = new Cli();
    await prepare(cli);
    expect((await cli.run(['list'])).stdout).not.toContain(colored);
    expect((await cli.run(['list'], { env: { FORCE_COLOR: '1' } })).stdout).toContain(colored);
    expect((await cli.run(['list', '--no-color'], { env: { FORCE_COLOR: '1' } })).stdout).not.toContain(colored);
    const { stderr } = await cli.run(['show', 'nobody'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } });
    expect(stderr).not.toContain(colored);
  });
});

describe('mistakes', () => {
  it('get a suggestion, in the language of the user, and exit code 2', async () => {
    const cli = new Cli();
    expect(await cli.run(['lst'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'Error: There is no command "lst". Did you mean list?\n',
    });
    expect(await cli.run(['list', '--limt', '3', '--lang', 'zh'])).toMatchObject({
      code: 2,
      stderr: '错误：没有选项 --limt。是不是想写 --limit？\n',
    });
    expect(await cli.run(['show'])).toMatchObject({
      code: 2,
      stderr: 'Error: The argument <id> is missing. See "continuo help show".\n',
    });
    expect(await cli.run(['show', 'a', 'b'])).toMatchObject({
      code: 2,
      stderr: 'Error: There are too many arguments. Put text that has spaces in quotes. See "continuo help show".\n',
    });
    expect(await cli.failure(['list', '--limit'])).toEqual({
      code: 2,
      error: { code: 'usage', message: 'The option -n, --limit <count> needs a value. See "continuo help list".', details: {} },
    });
  });

  it('are told in Chinese with the same code and details', async () => {
    const cli = new Cli({ CONTINUO_LANG: 'zh_CN.UTF-8' });
    expect(await cli.failure(['show', '不存在'])).toEqual({
      code: 3,
      error: {
        code: 'conversation-not-found',
        message: '没有找到与“不存在”相符的对话。可用 continuo list --all 查看已保存的内容。',
        details: { id: '不存在' },
      },
    });
  });

  it('of the language itself are mistakes too', async () => {
    const cli = new Cli();
    expect(await cli.run(['list', '--lang', 'fr'])).toMatchObject({
      code: 2,
      stderr: 'Error: The value of --lang is not valid: cli.language must be one of en, zh, not "fr"\n',
    });
  });
});

describe('help', () => {
  it('is asked for in three ways', async () => {
    const cli = new Cli();
    const pages = await Promise.all(
      [
        ['help', 'list'],
        ['list', '--help'],
        ['list', '-h'],
      ].map(async (words) => cli.run(words)),
    );
    expect(new Set(pages.map(({ stdout }) => stdout)).size).toBe(1);
    expect(pages[0]).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^Usage: continuo list \[options\]\n/) });
    expect((await cli.run(['--help', '--lang', 'zh'])).stdout).toMatch(/^用法： continuo \[选项\] \[命令\]\n/);
  });

  it('tells the version', async () => {
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
    expect((await new Cli().run(['--version'])).stdout).toBe(`${version}\n`);
  });
});
