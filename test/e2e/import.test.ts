// continuo import as a user runs it, over copies of real sessions.
import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { answerLine, questionLine, sessionId, writeTalk } from '../transcripts/many-lines.ts';
import { entriesOf, furnish, type ImportJson, listAll, wordsOf } from './agent-homes.ts';
import { Cli, collectResult, findProgram } from './cli-program.ts';
import { canBeHeld, runHeld } from './held-program.ts';
import { watchImport } from './watched-import.ts';

const claudeSession = '.claude/projects/-home-dev-code-proj-b/18e5663c-2006-4faf-b6e6-d7e2b525e22d.jsonl';
const claudeKey = 'import:claude-code:18e5663c-2006-4faf-b6e6-d7e2b525e22d';
/** How many the fixtures hold; one of Claude Code's is a sub-agent's. */
const sessions = { claude: 19, codex: 16 };
const talkKey = `import:claude-code:${sessionId}`;

function claudeTalk(cli: Cli, count: number): string {
  const folder = join(cli.folder, '.claude/projects/-home-dev-code-long');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${sessionId}.jsonl`);
  writeTalk(path, count, (number) => `Words number ${number}.`);
  return path;
}

describe('continuo import', () => {
  it('takes what was said in a clone of a private project as private', async () => {
    const cli = new Cli();
    const [shop, copy] = [join(cli.folder, 'shop'), join(cli.folder, 'copy')];
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=Lin', '-c', 'user.email=lin@example.org', ...words], { stdio: 'pipe' });
    git('init', '-q', shop);
    git('-C', shop, 'commit', '-q', '--allow-empty', '-m', 'first');
    git('clone', '-q', shop, copy);
    await cli.json(['chat', '-p', 'The vault code is Neptune.'], { cwd: shop });
    await cli.json(['projects', 'private', 'here'], { cwd: shop });
    const path = claudeTalk(cli, 2);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('/home/dev/code/long', copy));
    await cli.json(['import', 'claude']);
    expect((await listAll(cli)).find((each) => each.key === talkKey)).toMatchObject({ meta: { recall: 'excluded' } });
    expect(await cli.json(['search', 'Words number'], { cwd: cli.folder })).toMatchObject({ hits: 0 });
  });

  it('shows what it found, takes all of it, and takes nothing twice', async () => {
    const cli = new Cli();
    furnish(cli, 'claude', 'codex');
    const first = await cli.run(['import']);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const row = (start: string, count: number) => {
      const [found, fresh] = [String(count).padStart(8), String(count).padStart(3)];
      return expect.stringMatching(new RegExp(`^${start.padEnd(33)}${found} {2,}\\d+ KiB  ${fresh} {6}0$`));
    };
    expect(first.stdout.split('\n').slice(0, 4)).toEqual([
      'AGENT        FOLDER              SESSIONS     SIZE  NEW  GROWN',
      row('Claude Code  ~/.claude/projects', sessions.claude),
      row('Codex        ~/.codex/sessions', sessions.codex),
      '',
    ]);
    const total = sessions.claude + sessions.codex;
    expect(first.stdout).toMatch(new RegExp(`^Imported ${total} conversations: \\d+ entries, \\d+ of them messages\\.$`, 'm'));
    expect(first.stdout).toMatch(/^Left out: .*of the agents' own notes/m);
    const stored = await listAll(cli);
    expect(stored.length).toBe(total);

    const second = await cli.run(['import', 'all']);
    expect(second.stdout).toContain(`Nothing new.\nNot touched: ${total} unchanged.\n`);
    expect(await listAll(cli)).toEqual(stored);
    expect(await cli.json<ImportJson>(['import', 'claude'])).toMatchObject({
      dryRun: false,
      found: [{ agent: 'claude-code', path: join(cli.folder, '.claude/projects'), sessions: sessions.claude, new: 0, grown: 0 }],
      sources: { created: 0, grown: 0, unchanged: sessions.claude, empty: 0, trashed: 0, failed: 0 },
      entries: 0,
      failed: [],
    });
  });

  it('announces a session in which nothing was said once', async () => {
    const cli = new Cli();
    const path = claudeTalk(cli, 2);
    writeFileSync(join(path, '../dddddddd-0000-4000-8000-000000000000.jsonl'), '{"type":"queue-operation"}\n');
    const first = await cli.run(['import']);
    expect(first.stdout).toMatch(/^Claude Code .* 2 {6}0$/m);
    expect(first.stdout).toContain('Not touched: 1 in which nothing was said.');
    const second = await cli.run(['import']);
    expect(second.stdout).toMatch(/^Claude Code .* 0 {6}0$/m);
    expect(second.stdout).toContain('Nothing new.\nNot touched: 1 unchanged, 1 in which nothing was said.\n');
    expect((await listAll(cli)).length).toBe(1);
    expect(await cli.run(['doctor'])).toMatchObject({ code: 0 });
  });

  it('is found by a search right away, with agent, project and title', async () => {
    const cli = new Cli();
    furnish(cli, 'claude');
    await cli.run(['import']);
    const { stdout } = await cli.run(['search', '数据库设置', '-n', '1']);
    expect(stdout).toMatch(/project proj-b · agent claude-code/);
    const status = await cli.json<{ searched: { complete: boolean }; hits: number }>(['search', 'pageCount invoice parser']);
    expect(status).toMatchObject({ searched: { complete: true } });
    const listed = await cli.run(['list', '--title', 'retry']);
    expect(listed.stdout).toMatch(/claude-code +proj-a +retry question/);
    // What an agent writes into its own files for itself is nowhere.
    const noise = await cli.json<{ hits: number }>(['search', '"skill_listing"']);
    expect(noise.hits).toBe(0);
  });

  it('writes nothing with --dry-run', async () => {
    const cli = new Cli();
    furnish(cli, 'claude');
    const report = await cli.json<ImportJson>(['import', '--dry-run']);
    expect(report).toMatchObject({ dryRun: true, sources: { created: sessions.claude, failed: 0 } });
    expect(report.entries).toBeGreaterThan(0);
    expect(existsSync(cli.home)).toBe(false);
    expect((await cli.run(['import', '--dry-run'])).stdout).toMatch(
      new RegExp(`An import would make ${sessions.claude} conversations .* Nothing was written\\.`),
    );
    expect(existsSync(cli.home)).toBe(false);
  });

  it('lets a session grow, and keeps one whose file was deleted', async () => {
    const cli = new Cli();
    const path = claudeTalk(cli, 4);
    await cli.run(['import']);
    appendFileSync(path, `${questionLine(5)}\n${answerLine(6)}\n`);
    const grown = await cli.run(['import', 'claude-code']);
    expect(grown.stdout).toMatch(/^Claude Code .* 0 {6}1$/m);
    expect(grown.stdout).toContain('\n1 conversation grew: 2 entries, 2 of them messages.');
    rmSync(path);
    writeTalk(join(cli.folder, '.claude/projects/-home-dev-code-long/dddddddd-0000-4000-8000-000000000000.jsonl'), 2, String);
    await cli.run(['import']);
    expect(wordsOf(await entriesOf(cli, talkKey)).slice(3)).toEqual([
      'assistant: Words number 4.',
      'user: Question 5?',
      'assistant: Answer 6.',
    ]);
  });

  it('honours where an agent was told to keep its sessions, and takes files and folders by name', async () => {
    const cli = new Cli();
    furnish(cli, 'claude');
    const elsewhere = join(cli.folder, 'elsewhere');
    cpSync(join(cli.folder, '.claude'), elsewhere, { recursive: true });
    rmSync(join(cli.folder, '.claude'), { recursive: true });
    expect(await cli.json<ImportJson>(['import', '--dry-run'])).toMatchObject({ found: [] });
    const moved = await cli.json<ImportJson>(['import', '--dry-run'], { env: { CLAUDE_CONFIG_DIR: elsewhere } });
    expect(moved.found).toMatchObject([{ agent: 'claude-code', path: join(elsewhere, 'projects'), sessions: sessions.claude }]);
    const file = join(elsewhere, 'projects/-home-dev-code-proj-b/18e5663c-2006-4faf-b6e6-d7e2b525e22d.jsonl');
    expect(await cli.json<ImportJson>(['import', file])).toMatchObject({ sources: { created: 1 } });
    // The folder holds the same session, and others: each once.
    expect(await cli.json<ImportJson>(['import', 'elsewhere'])).toMatchObject({
      sources: { created: sessions.claude - 1, unchanged: 1 },
    });
    expect((await listAll(cli)).length).toBe(sessions.claude);
  });

  it('tells sessions of different agents in one folder apart', async () => {
    const cli = new Cli();
    furnish(cli, 'claude', 'codex', 'qwen', 'gemini', 'pi', 'opencode', 'copilot', 'continue');
    const report = await cli.json<ImportJson>(['import', '.', '--dry-run']);
    const alone = await cli.json<ImportJson>(['import', '--dry-run']);
    const counts = ({ found }: ImportJson) => Object.fromEntries(found.map(({ agent, sessions }) => [agent, sessions]));
    expect(counts(report)).toEqual(counts(alone));
    expect(Object.keys(counts(alone)).length).toBe(8);
  });

  it('leaves out with --since what did not change', async () => {
    const cli = new Cli();
    claudeTalk(cli, 2);
    const future = new Date(Date.now() + 48 * 3600 * 1000).toISOString().slice(0, 10);
    expect(await cli.json<ImportJson>(['import', '--since', future])).toMatchObject({ found: [], entries: 0 });
    expect(await cli.json<ImportJson>(['import', '--since', '1d'])).toMatchObject({ sources: { created: 1 } });
  });

  it('says where something is broken, and takes the rest', async () => {
    const cli = new Cli();
    furnish(cli, 'claude');
    const path = claudeTalk(cli, 4);
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, [lines[0], '{"type":"user", broken', ...lines.slice(1)].join('\n'));
    const { code, stdout } = await cli.run(['import']);
    expect(code).toBe(0);
    expect(stdout).toContain('1 place could not be read; everything else was:');
    expect(stdout).toContain(`  ${path}:2: not readable (not JSON)`);
    expect((await entriesOf(cli, talkKey)).length).toBe(4);
    expect((await listAll(cli)).length).toBe(sessions.claude + 1);
  });

  it.runIf(canBeHeld)('ends with 5 where a file cannot be opened, after taking the rest', async () => {
    const cli = new Cli();
    furnish(cli, 'claude');
    chmodSync(join(cli.folder, claudeSession), 0o000);
    const { code, stdout } = await runHeld(cli, ['import']);
    expect(code).toBe(5);
    expect(stdout).toContain(`Imported ${sessions.claude - 1} conversations`);
    expect(stdout).toContain('1 session could not be read; everything else was:');
  });

  it('ends with 5 where a packed session is cut, after taking the rest', async () => {
    const cli = new Cli();
    furnish(cli, 'codex');
    const folder = join(cli.folder, '.codex/archived_sessions');
    const name = 'rollout-2026-01-10T09-00-00-019ba5c0-1111-7222-8333-444455556666.jsonl.zst';
    mkdirSync(folder);
    cpSync(new URL(`../fixtures/transcripts/codex/made-by-hand/packed/${name}`, import.meta.url), join(folder, name));
    truncateSync(join(folder, name), 200);
    const { code, stdout } = await cli.run(['import', 'codex', '--json']);
    expect(code).toBe(5);
    const report = JSON.parse(stdout) as ImportJson;
    expect(report).toMatchObject({
      sources: { created: sessions.codex, failed: 1 },
      failed: [{ path: join(folder, name), code: 'io-failed' }],
    });
  });

  it('ends with 5 where a whole file is no session, names each, and takes the rest', async () => {
    const cli = new Cli();
    const talk = claudeTalk(cli, 2);
    const noise = join(talk, '../11111111-2222-4333-8444-666666666666.jsonl');
    writeFileSync(noise, 'no session at all\n'.repeat(500));
    const database = join(cli.folder, '.local/share/opencode/opencode.db');
    mkdirSync(join(database, '..'), { recursive: true });
    writeFileSync(database, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(8192, 7)]));
    const { code, stdout: told } = await cli.run(['import']);
    expect(code).toBe(5);
    expect(told).toContain('1 session could not be read, nor 501 places in files; everything else was:');
    expect(told).toContain(`${noise} failed: nothing in it could be read.`);
    expect(told).toContain(`  ${noise}:1: not readable (not JSON)`);
    expect(told).toContain(`  ${database}: not readable (database (store-damaged))`);
    expect((await entriesOf(cli, talkKey)).length).toBe(2);
    // In a folder where anything may lie, a file with no session's name is none of its business.
    writeFileSync(join(cli.folder, 'notes.jsonl'), 'no session at all\n');
    const mixed = await cli.run(['import', '.']);
    expect(mixed.code).toBe(5);
    expect(mixed.stdout).toContain(`${noise} failed: nothing in it could be read.`);
    expect(mixed.stdout).toContain(`  ${database}: not readable (database (store-damaged))\n`);
    expect(mixed.stdout).not.toContain('notes.jsonl');
    const { stdout } = await cli.run(['import', '--lang', 'zh']);
    expect(stdout).toContain(`  ${noise}:1: 读不了 (不是 JSON)`);
    expect(stdout).toContain(`  ${database}: 读不了 (数据库 (store-damaged))`);
  });

  it('ends with 5 where a document of Continue or Gemini CLI is damaged, and with 0 where one was just made', async () => {
    const cli = new Cli();
    claudeTalk(cli, 2);
    const folders = [join(cli.folder, '.continue/sessions'), join(cli.folder, '.gemini/tmp/proj/chats')] as const;
    for (const folder of folders) mkdirSync(folder, { recursive: true });
    const [cut, empty] = [join(folders[0], 'one.json'), join(folders[1], 'session-2025-08-01T09-00-00000000.json')] as const;
    writeFileSync(cut, '{"sessionId":"one","history":[{"message":{"role":"user","content":"Hel');
    writeFileSync(empty, '');
    const told = await cli.run(['import']);
    expect(told.code).toBe(5);
    expect(told.stdout).toContain('1 session could not be read, nor 1 place in files; everything else was:');
    expect(told.stdout).toContain(`${cut} failed: nothing in it could be read.`);
    expect((await entriesOf(cli, talkKey)).length).toBe(2);
    rmSync(cut);
    expect((await cli.run(['import'])).code).toBe(0);
    utimesSync(empty, 1, 1);
    expect((await cli.run(['import'])).code).toBe(5);
  });

  it('leaves what was put into the trash where it is', async () => {
    const cli = new Cli();
    const path = claudeTalk(cli, 2);
    await cli.run(['import']);
    await cli.run(['trash', talkKey]);
    appendFileSync(path, `${questionLine(3)}\n`);
    const { stdout } = await cli.run(['import']);
    expect(stdout).toContain('Not touched: 1 whose conversation is in the trash.');
  });

  it('is in Chinese where that is spoken', async () => {
    const cli = new Cli();
    furnish(cli, 'claude');
    const { stdout } = await cli.run(['import', '--lang', 'zh']);
    expect(stdout).toContain('智能体       文件夹              会话     大小  新  有新增');
    expect(stdout).toMatch(/^已导入 19 个对话：共 \d+ 条内容，其中 \d+ 条消息。$/m);
    expect(stdout).toMatch(/^略去：智能体自用的记录 \d+ 条、重复 \d+ 处。$/m);
    expect((await cli.run(['import', 'nobody', '--lang', 'zh'])).stderr).toContain('“nobody”既不是智能体，也不是文件或文件夹');
  });

  it('imports what it understands of several sources, and says what it does not', async () => {
    const cli = new Cli();
    const talk = claudeTalk(cli, 2);
    const other = join(talk, '../dddddddd-0000-4000-8000-000000000000.jsonl');
    writeFileSync(other, `${questionLine(50, 'Another talk').replaceAll(sessionId, 'dddddddd-0000-4000-8000-000000000000')}\n`);
    writeFileSync(join(cli.folder, 'unknown.bin'), Buffer.from([1, 2, 3]));
    const { code, stdout } = await cli.run(['import', talk, 'unknown.bin', 'nowhere', other]);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^Imported 2 conversations: 3 entries/m);
    expect(stdout).toContain('2 of the named sources could not be used:\n');
    expect(stdout).toMatch(/^ {2}.*unknown\.bin is no session of an agent that is known here\. Name a file or a folder/m);
    expect(stdout).toMatch(/^ {2}.*"nowhere" is neither an agent nor a file or folder\. Agents: all, claude-code/m);
    const again = await cli.run(['import', 'codex', 'unknown.bin', '--json']);
    expect(again.code).toBe(2);
    expect(JSON.parse(again.stdout)).toMatchObject({
      found: [],
      mistaken: [{ source: 'unknown.bin', code: 'usage', message: expect.stringContaining('unknown.bin is no session') }],
    });
    const zh = await cli.run(['import', talk, 'unknown.bin', '--lang', 'zh']);
    expect(zh.stdout).toContain('指明的来源中有 1 个无法使用：\n');
    // What cannot be read counts more than what was named in vain.
    mkdirSync(join(cli.folder, '.continue/sessions'), { recursive: true });
    writeFileSync(join(cli.folder, '.continue/sessions/one.json'), '{"sessionId":"one"');
    expect((await cli.run(['import', 'continue', 'unknown.bin'])).code).toBe(5);
    const alone = await cli.failure(['import', 'unknown.bin', 'nowhere']);
    expect(alone).toMatchObject({
      code: 2,
      error: { code: 'usage', message: expect.stringMatching(/unknown\.bin.*\n.*nowhere/) },
    });
  });

  it('refuses what it cannot understand, and says where it looked in vain', async () => {
    const cli = new Cli();
    writeFileSync(join(cli.folder, 'notes.txt'), 'nothing');
    const unknown = await cli.failure(['import', 'nobody']);
    expect(unknown).toMatchObject({ code: 2, error: { code: 'usage' } });
    expect(await cli.failure(['import', 'notes.txt'])).toMatchObject({ code: 2, error: { code: 'usage' } });
    expect(await cli.failure(['import', '--watch', '--dry-run'])).toMatchObject({ code: 2, error: { code: 'usage' } });
    const nothing = await cli.run(['import']);
    expect(nothing).toMatchObject({ code: 0, stderr: '' });
    expect(nothing.stdout).toContain(`No session was found in: ${join(cli.folder, '.claude/projects')}`);
    expect((await cli.run(['import', 'codex'])).code).toBe(3);
  });
});

describe('continuo import --watch', () => {
  it('takes what a process appends while it runs, one line a session, and ends cleanly', async () => {
    const cli = new Cli();
    const path = claudeTalk(cli, 2);
    const { told, until, end } = await watchImport(cli);
    expect(told()).toContain('Imported 1 conversation: 2 entries');
    // Written as agents do, a part of a line at a time.
    const words = `${questionLine(3)}\n${answerLine(4)}\n`;
    const script = `const fs = require('fs'); const words = ${JSON.stringify(words)}; let at = 0;
      const timer = setInterval(() => { fs.appendFileSync(${JSON.stringify(path)}, words.slice(at, at += 200)); if (at >= words.length) clearInterval(timer); }, 20);`;
    const writer = spawn(process.execPath, ['-e', script]);
    await new Promise((resolve) => writer.once('exit', resolve));
    await until(/Claude Code {2}cnv_\w+ {2}\+/);
    const other = join(cli.folder, '.claude/projects/-home-dev-code-new');
    mkdirSync(other);
    const fresh = join(other, 'eeeeeeee-0000-4000-8000-000000000000.jsonl');
    writeFileSync(fresh, `${questionLine(50, 'A session that began meanwhile')}\n`);
    await until(/\+1 {2}A session that began meanwhile/);
    const found = await cli.json<{ hits: number }>(['search', '"began meanwhile"']);
    expect(found.hits).toBe(1);
    expect((await end()).code).toBe(143);
    expect(wordsOf(await entriesOf(cli, talkKey))).toEqual([
      'user: Words number 1.',
      'assistant: Words number 2.',
      'user: Question 3?',
      'assistant: Answer 4.',
    ]);
    // Everything was there once.
    expect(await cli.json<ImportJson>(['import'])).toMatchObject({ sources: { created: 0, grown: 0, unchanged: 2 } });
  }, 60_000);

  it('gives a line of JSON for each, and leaves with 130 at Ctrl-C', async () => {
    const cli = new Cli();
    const path = claudeTalk(cli, 2);
    const args = [await findProgram(), 'import', '--watch', '--json'];
    const watching = spawn(process.execPath, args, { cwd: cli.folder, env: cli.environment() });
    const ended = collectResult(watching);
    const lines: Record<string, unknown>[] = [];
    let rest = '';
    const more = (count: number) =>
      new Promise<void>((resolve) => {
        watching.stdout?.on('data', (text: string) => {
          const parts = (rest + text).split('\n');
          rest = parts.pop() ?? '';
          lines.push(...parts.map((line) => JSON.parse(line) as Record<string, unknown>));
          if (lines.length >= count) resolve();
        });
      });
    const both = more(2);
    while (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    appendFileSync(path, `${questionLine(3)}\n`);
    await both;
    expect(lines[0]).toMatchObject({ dryRun: false, sources: { created: 1 } });
    expect(lines[1]).toEqual({
      agent: 'claude-code',
      session: sessionId,
      path,
      conversation: expect.stringMatching(/^cnv_/),
      outcome: 'grown',
      entries: 1,
    });
    watching.kill('SIGINT');
    expect((await ended).code).toBe(130);
  }, 60_000);
});

describe('sub-agents', () => {
  it('are left out of lists unless they are asked for, and marked wherever they are', async () => {
    const cli = new Cli();
    furnish(cli, 'claude');
    await cli.run(['import']);
    const { stdout, stderr } = await cli.run(['list']);
    // A line of headings, and every one but the sub-agent's.
    expect(stdout.trim().split('\n').length).toBe(1 + (sessions.claude - 1));
    expect(stderr).toContain('1 conversation of a sub-agent not shown: --all');
    expect((await cli.run(['list', '--all'])).stdout).toContain('Count the files #sub-agent');
    expect((await cli.run(['list', '--tag', 'sub-agent'])).stdout.trim().split('\n').length).toBe(2);
    const page = await cli.json<{ conversations: { tags: string[] }[]; nextCursor: string }>(['list', '--limit', '17']);
    expect(page.conversations.length).toBe(17);
    const rest = await cli.json<{ conversations: { tags: string[] }[]; nextCursor: null }>(['list', '--cursor', page.nextCursor]);
    expect([rest.conversations.length, rest.nextCursor]).toEqual([1, null]);
    const [child] = await listAll(cli, '--tag', 'sub-agent');
    const parent = (await listAll(cli)).find(({ key }) => key === 'import:claude-code:359d69ab-9d9a-4937-85d4-6c586cc82372');
    const shown = await cli.run(['show', child?.id ?? '']);
    expect(shown.stdout).toMatch(new RegExp(`sub-agent of ${parent?.id.slice(0, 12)}`));
    expect((await cli.run(['search', 'SUBAGENT count the files here'])).stdout).toContain('[sub-agent]');
  });
});

it('is what docs/import.md shows for programs, too', () => {
  const cli = new Cli();
  furnish(cli, 'claude', 'codex');
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/import.md'), 'utf8')) ?? [];
  mkdirSync(join(cli.folder, 'node_modules'));
  symlinkSync(root, join(cli.folder, 'node_modules/continuo'));
  writeFileSync(join(cli.folder, 'example.mjs'), code);
  const options = { cwd: cli.folder, encoding: 'utf8', env: cli.environment() } as const;
  const told = execFileSync(process.execPath, ['example.mjs'], options);
  expect(told).toBe(`Claude Code: ${sessions.claude} new, 0 grown\nCodex: ${sessions.codex} new, 0 grown\n`);
});

it('keeps the key of a session as the way to it', async () => {
  const cli = new Cli();
  furnish(cli, 'claude');
  await cli.run(['import']);
  expect((await cli.run(['show', claudeKey])).stdout).toContain('请读取配置文件并解释数据库设置');
});
