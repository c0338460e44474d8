// What goes wrong in everyday use, and that the program then tells the truth and the next step.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { needs } from '../support/require-system.ts';
import { Cli, collectResult, findProgram, type Result } from './cli-program.ts';

const hasTerminal = needs(
  spawnSync('script', ['--version']).status === 0,
  'script (bsdutils or util-linux), which gives a program a terminal',
);
const hasFullDevice = needs(existsSync('/dev/full'), '/dev/full, which takes nothing');

describe('a key', () => {
  it('is asked for as a new one where a plain store is to be encrypted', async () => {
    const cli = new Cli();
    await cli.run(['append', 'x']);
    expect(await cli.run(['encrypt'])).toMatchObject({
      code: 2,
      stderr:
        'Error: A new key is needed to encrypt with: a passphrase in CONTINUO_PASSPHRASE, or a file that is made for it with --new-key-file FILE.\n',
    });
    expect((await cli.run(['encrypt', '--lang', 'zh'])).stderr).toBe(
      '错误：加密需要一个新的密钥：在 CONTINUO_PASSPHRASE 里给出新口令，或用 --new-key-file 文件 生成密钥文件。\n',
    );
    const { code, stderr } = await cli.run(['decrypt']);
    expect(code).toBe(4);
    expect(stderr).toMatch(/^Error: The store at .* is not encrypted\./);
    expect(stderr).not.toContain('was given');
    expect((await cli.run(['decrypt', '--lang', 'zh'])).stderr).toMatch(/^错误：.* 的存储没有加密。/);
  });

  it('left over in the environment does not keep a plain store shut; one that was named does', async () => {
    const cli = new Cli();
    await cli.run(['append', 'plain words']);
    const env = { CONTINUO_PASSPHRASE: 'of another store' };
    expect(await cli.run(['show', 'latest'], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('plain words'),
      stderr: 'CONTINUO_PASSPHRASE is set, but this store is not encrypted. It was not used.\n',
    });
    expect((await cli.run(['list', '--lang', 'zh'], { env })).stderr).toBe(
      '设置了 CONTINUO_PASSPHRASE，但这个存储没有加密，口令没有用到。\n',
    );
    await writeFile(join(cli.folder, 'k'), Buffer.alloc(64, 7), { mode: 0o600 });
    expect(await cli.failure(['list', '--key-file', 'k'])).toMatchObject({ code: 4, error: { code: 'not-encrypted' } });
  });
});

describe('a setting that does not fit the store', () => {
  it('is refused when it is set, with the reason and what to do instead', async () => {
    const cli = new Cli();
    await cli.run(['append', 'x']);
    const { code, stderr } = await cli.run(['config', 'set', 'store.driver', 'jsonl']);
    expect(code).toBe(2);
    expect(stderr).toBe(
      `Error: The store in ${cli.home} is kept as sqlite and stays so: store.driver only says how a new store is made. For another kind of store choose a new home with --home NEW_FOLDER.\n`,
    );
    expect((await cli.run(['config', 'set', 'store.driver', 'jsonl', '--lang', 'zh'])).stderr).toContain('的存储方式是 sqlite');
    expect((await cli.run(['config', 'set', 'store.key_file', 'k'])).stderr).toContain(
      'is not encrypted, so no key file opens it',
    );
    expect((await cli.run(['config', 'set', 'store.driver', 'sqlite'])).code).toBe(0);
    expect((await cli.run(['list'])).code).toBe(0);
  });

  it('is named with its cure where it stands in the file, by every command and by the doctor', async () => {
    const cli = new Cli();
    await cli.run(['append', 'x']);
    await writeFile(join(cli.home, 'conversation.toml'), '[store]\ndriver = "jsonl"\n', { mode: 0o600 });
    const cure = 'Take the setting back with: continuo config unset store.driver';
    expect((await cli.run(['list'])).stderr).toMatch(new RegExp(`^Error: .*sqlite.* ${cure}\n$`));
    expect((await cli.run(['list', '--lang', 'zh'])).stderr).toMatch(/去掉这项设置：continuo config unset store.driver\n$/);
    expect((await cli.run(['doctor'])).stdout).toMatch(
      new RegExp(`^✗ The store at .*\n {2}→ ${cure}\n\n1 problem remains.\n$`, 'm'),
    );
    expect((await cli.run(['list'], { env: { CONTINUO_DRIVER: 'jsonl' } })).stderr).toContain('variable CONTINUO_DRIVER');
    expect((await cli.run(['config', 'unset', 'store.driver'])).code).toBe(0);
    expect((await cli.run(['list'])).code).toBe(0);
  });

  it('or that cannot be read is one problem with a next step, and a plain store is looked at all the same', async () => {
    const cli = new Cli();
    await cli.run(['append', 'x']);
    await writeFile(join(cli.home, 'conversation.toml'), 'no toml at all\n', { mode: 0o600 });
    const { code, stdout } = await cli.run(['doctor', '--json']);
    const { problems, checks } = JSON.parse(stdout) as { problems: number; checks: { check: string; status: string }[] };
    expect({ code, problems }).toEqual({ code: 1, problems: 1 });
    expect(checks.find(({ check }) => check === 'settings')).toMatchObject({
      status: 'problem',
      code: 'config-invalid',
      next: 'Correct that line with an editor; nothing in the store is touched by it.',
    });
    expect(checks.find(({ check }) => check === 'store')).toMatchObject({ status: 'ok' });
    expect((await cli.run(['doctor', '--lang', 'zh'])).stdout).toContain('→ 请用编辑器改正那一行');
    const sealed = new Cli({ CONTINUO_PASSPHRASE: 'p' });
    await sealed.run(['append', 'x']);
    await mkdir(sealed.home, { recursive: true });
    await writeFile(join(sealed.home, 'conversation.toml'), 'no toml at all\n', { mode: 0o600 });
    expect((await sealed.run(['doctor'])).stdout).toMatch(/^· What is stored was not looked at.*\n\n1 problem remains\.$/m);
  });
});

describe('output that cannot be written', () => {
  it.runIf(hasFullDevice)('is one sentence and exit code 5, also in the middle of a long text', async () => {
    const cli = new Cli();
    await cli.run(['append'], { input: 'x'.repeat(1_000_000) });
    const full = await open('/dev/full', 'w');
    const intoFull = async (...args: string[]) => {
      const stdio = ['ignore', full.fd, 'pipe'] as const;
      return collectResult(
        spawn(process.execPath, [await findProgram(), ...args], { env: cli.environment(), stdio: [...stdio] }),
      );
    };
    const told = 'Error: Reading or writing standard output failed: ENOSPC: no space left on device, write.\n';
    for (const words of [['list'], ['show', 'latest'], ['export', 'latest', '--to', 'md'], ['--help']])
      expect([words, await intoFull(...words)]).toMatchObject([words, { code: 5, stderr: told }]);
    expect((await intoFull('list', '--lang', 'zh')).stderr).toBe('错误：读写 标准输出 失败：设备上没有剩余空间。\n');
    await full.close();
  });
});

describe('text on standard input', () => {
  const limit = 64 * 1024 * 1024;
  it('may be as large as the limit and not a byte larger; no more than that is read', async () => {
    const cli = new Cli();
    const { code, stderr } = await appendStream(cli, limit + 1);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'Error: Standard input holds more than one message may have (64.0 MiB). Nothing was saved; split it.\n',
    });
    const chinese = await appendStream(cli, 8 * limit, '--lang', 'zh');
    expect(chinese.stderr).toBe('错误：标准输入太大，一条消息最多 64.0 MiB。什么都没有保存，请分成几条。\n');
    expect(chinese.sent).toBeLessThan(limit + 4 * 1024 * 1024);
    expect(await cli.json(['list'])).toEqual({ conversations: [], nextCursor: null });
    expect((await appendStream(cli, limit)).code).toBe(0);
  });
});

describe('stored text that a terminal would obey', () => {
  const wicked = 'a\x1b[31mb\x07c\rd\u009be\u202ef\u2066g\x7f';
  it('is the same in files and pipes, and in JSON written so that it does no harm', async () => {
    const cli = new Cli();
    await cli.run(['append', wicked, '--key', 'k']);
    expect((await cli.run(['export', 'k', '--to', 'md'])).stdout).toContain(wicked);
    for (const words of [
      ['export', 'k'],
      ['export', 'k', '--to', 'jsonl'],
      ['show', 'k', '--json'],
    ]) {
      const { stdout } = await cli.run(words);
      expect(stdout).not.toMatch(obeyed);
      expect(stdout).toContain(String.raw`d\u009be\u202ef\u2066g\u007f`);
      const lines = words.includes('jsonl') ? stdout.trimEnd().split('\n') : [stdout];
      expect(JSON.stringify(lines.map((line) => JSON.parse(line)))).toContain(JSON.stringify(wicked));
    }
  });

  it.runIf(hasTerminal)('does not reach it, neither from an export nor from a path', async () => {
    const cli = new Cli();
    const home = join(cli.folder, 'ho\x1b[31mme');
    await cli.run(['append', wicked, '--key', 'k', '--home', home]);
    const env = { CONTINUO_HOME: home };
    for (const words of ['export k --to md', 'export k --to jsonl', 'export k', 'stats', 'backup b', 'config path']) {
      const { stdout } = await atTerminal(cli, `${words} --no-color`, env);
      expect([words, stdout.replaceAll('\r\n', '\n')]).toEqual([words, expect.not.stringMatching(obeyed)]);
    }
    expect((await atTerminal(cli, 'export k --to md --no-color', env)).stdout).toContain(String.raw`a^[[31mb^Gc^Md\x9befg^?`);
    expect((await cli.run(['stats', '--home', home])).stdout).toContain('ho^[[31mme');
  });
});

describe('a terminal of 30 columns', () => {
  it('is wide enough for every table and every list of options', async () => {
    const cli = new Cli({ COLUMNS: '30' });
    const names = ['--project', 'a-long-project', '--agent', 'claude', '--team', 'the whole team', '--tag', '标签'];
    await cli.run(['append', 'some words that go on for a while', '--title', '很长的标题 and then some', ...names]);
    await cli.run(['append', 'another one 🚀 that has no title at all']);
    const pages = [['list'], ['list', '--full-ids'], ['stats'], ['config'], ['--help'], ['help', 'list'], ['append', '-h']];
    for (const words of pages) {
      for (const language of ['en', 'zh']) {
        const { code, stdout } = await cli.run([...words, '--lang', language]);
        expect(code).toBe(0);
        const wide = stdout.split('\n').filter((line) => stringWidth(line) > 30 && !line.startsWith('  $ '));
        expect([words, language, wide]).toEqual([words, language, []]);
      }
    }
    const { stdout } = await cli.run(['list']);
    expect(stdout).toMatch(/^ID +.*TITLE\ncnv_\w+ +/);
    const overview = (await cli.run([])).stdout.split('\n').slice(1);
    expect(overview.filter((line) => stringWidth(line) > 30 && !line.startsWith('  continuo '))).toEqual([]);
  });
});

describe('what people are told', () => {
  it('leads to the help of the command they called and to the setting they began to write', async () => {
    const cli = new Cli();
    expect((await cli.run(['rename'])).stderr).toMatch(/ is missing\. See "continuo help rename"\.\n$/);
    expect((await cli.run(['rename', '--lang', 'zh'])).stderr).toMatch(/^错误：缺少参数 .*用法见 continuo help rename。\n$/);
    expect((await cli.run(['--nonsense'])).stderr).toContain('See "continuo --help".');
    expect(await cli.run(['config', 'get', 'cli.lang'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Did you mean cli\.language\?\n/),
    });
  });

  it('counts forks as people do', async () => {
    const cli = new Cli();
    await cli.run(['append', 'x', '--key', 'k']);
    await cli.run(['fork', 'k']);
    await cli.run(['trash', 'k']);
    expect((await cli.run(['purge', 'k', '--yes'])).stderr).toMatch(/ shares its text with 1 fork: cnv_/);
    await cli.run(['fork', 'latest']);
    expect((await cli.run(['purge', 'k', '--yes'])).stderr).toMatch(/ shares its text with 2 forks: cnv_/);
  });

  it('names an exported conversation as show does, and tells its key', async () => {
    const cli = new Cli();
    await cli.run(['append', 'First words\nand more', '--key', 'k']);
    expect((await cli.run(['export', 'k', '--to', 'md'])).stdout).toMatch(/^# First words\n\n- Id: `cnv_\w+`\n- Key: k\n/);
    expect((await cli.run(['export', 'k', '--to', 'md', '--lang', 'zh'])).stdout).toContain('\n- 键: k\n');
    await cli.run(['append', 'secret words', '--policy', 'headers-only']);
    expect((await cli.run(['export', 'latest', '--to', 'md'])).stdout).toMatch(/^# \(text withheld\)\n/);
    expect((await cli.run(['show', 'latest', '--lang', 'zh'])).stdout).toMatch(/^（文本未保留）\n/);
    expect((await cli.run(['list'])).stdout).toContain('(text withheld)');
  });

  it('says how long text is kept, and that it is gone when its time is up', async () => {
    const cli = new Cli();
    const store = await cli.open();
    const policy = { kind: 'ttl', milliseconds: 90_000, afterwards: 'delete' } as const;
    const { id } = await store.create({ key: 'k', policy });
    const old = { kind: 'message', role: 'user', text: 'old', at: 1000 } as const;
    await store.append(id, [old, old, { kind: 'message', role: 'user', text: 'fresh' }, old]);
    await store.sweep();
    await store.close();
    const { stdout } = await cli.run(['show', 'k']);
    expect(stdout).toContain(' · policy ttl:90s:delete\n');
    expect(stdout.split('\n').filter((line) => /^[([]/.test(line))).toEqual([
      '(entries 1 to 2 are gone: their time was up)',
      expect.stringMatching(/^\[3\] user/),
      '(entry 4 is gone: its time was up)',
    ]);
    expect((await cli.run(['show', 'k', '--all', '--lang', 'zh'])).stdout).toContain('（第 1 至 2 条已到期删除）\n');
    await cli.run(['append', 'short-lived', '--policy', 'ttl:30d', '--key', 'm']);
    expect((await cli.run(['show', 'm'])).stdout).toContain(' · policy ttl:30d\n');
  });
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const obeyed = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

async function atTerminal(cli: Cli, words: string, env: Record<string, string>): Promise<Result> {
  const line = `stty cols 100; '${process.execPath}' '${await findProgram()}' ${words}`;
  const options = { env: cli.environment({ TERM: 'xterm-256color', ...env }), cwd: cli.folder };
  return collectResult(spawn('script', ['-qec', line, '/dev/null'], options));
}

/** Appends as many bytes as told, made while they are read; `sent` is how many the program took. */
async function appendStream(cli: Cli, bytes: number, ...args: string[]): Promise<Result & { sent: number }> {
  const child = spawn(process.execPath, [await findProgram(), 'append', ...args], { env: cli.environment() });
  const result = collectResult(child);
  const line = Buffer.from(`${'word '.repeat(13_107)}\n`);
  let sent = 0;
  const pieces = (function* () {
    for (; sent < bytes; sent += line.length) yield line.subarray(0, bytes - sent);
  })();
  await pipeline(Readable.from(pieces, { objectMode: false, highWaterMark: line.length }), child.stdin).catch(() => undefined);
  return { ...(await result), sent };
}
