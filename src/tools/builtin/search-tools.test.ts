import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { processorTime } from '../../../test/support/processor-time.ts';
import { createTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import type { JsonObject } from '../../base/json.ts';
import { isContinuoError } from '../../model/error.ts';
import { createConversationId } from '../../model/id.ts';
import type { ToolOutcome } from '../../model/ports/tool.ts';
import { createBuiltinTools } from './builtin-tools.ts';
import { createGlobFilter } from './glob.ts';

function setUp(files: Record<string, string | Uint8Array>, options: { git?: boolean } = {}) {
  const home = createTemporaryFolder('search');
  const root = join(home, 'project');
  mkdirSync(root);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const git = (...words: string[]) => execFileSync('git', ['-C', root, ...words], { stdio: 'ignore' });
  if (options.git) git('init', '-q');
  const tools = createBuiltinTools({ root });
  const call = async (name: string, input: JsonObject, signal = new AbortController().signal): Promise<ToolOutcome> => {
    const tool = tools.find((each) => each.name === name);
    await tool?.access(input);
    return (await tool?.run(input, { conversationId: createConversationId(0), signal })) as ToolOutcome;
  };
  return { home, root, git, call };
}

describe('list_files', () => {
  it('lists what git does not ignore, sorted, and not what is deleted', async () => {
    const { root, git, call } = setUp(
      {
        '.gitignore': 'build/\n*.log\n',
        'b.ts': '',
        'a 空格.ts': '',
        'Z.ts': '',
        'build/out.js': '',
        'x.log': '',
        'src/深/c.ts': '',
        'old.ts': '',
      },
      { git: true },
    );
    git('add', '.');
    rmSync(join(root, 'old.ts'));
    writeFileSync(join(root, 'new.ts'), '');
    const files = ['.gitignore', 'Z.ts', 'a 空格.ts', 'b.ts', 'new.ts', 'src/深/c.ts'];
    expect(await call('list_files', {})).toEqual({ text: files.join('\n'), output: { files, left: 0 } });
    expect((await call('list_files', { path: 'src' })).text).toBe('src/深/c.ts');
    expect((await call('list_files', { path: 'build' })).text).toBe('build/out.js');
    expect((await call('list_files', { glob: '*.ts', depth: 1, limit: 2 })).text).toBe(
      'Z.ts\na 空格.ts\n(3 more; narrow it down with path, glob or depth)',
    );
    expect((await call('list_files', { depth: 1 })).text).toBe('.gitignore\nZ.ts\na 空格.ts\nb.ts\nnew.ts\nsrc/');
    expect((await call('list_files', { glob: '*.py' })).text).toBe('No file in . fits *.py.');
    expect(await call('list_files', { path: 'b.ts' })).toEqual({ text: 'b.ts is a file. Read it with read_file.', failed: true });
  });

  it('walks where there is no repository, past node_modules and without following links', async () => {
    const { home, root, call } = setUp({ 'a.ts': '', 'node_modules/x/index.js': '', 'src/b.ts': '' });
    mkdirSync(join(home, 'outside'));
    writeFileSync(join(home, 'outside', 'secret.txt'), '');
    symlinkSync(join(home, 'outside'), join(root, 'link'));
    expect((await call('list_files', {})).text).toBe('a.ts\nlink\nsrc/b.ts');
  });

  it('does not run what a repository sets up to be run', async () => {
    const { home, git, call } = setUp({ 'a.ts': '' }, { git: true });
    const hook = join(home, 'hook');
    writeFileSync(hook, `#!/bin/sh\ntouch ${join(home, 'ran')}\n`, { mode: 0o755 });
    git('add', '.');
    git('config', 'core.fsmonitor', hook);
    expect((await call('list_files', {})).text).toBe('a.ts');
    expect(existsSync(join(home, 'ran'))).toBe(false);
    git('ls-files', '-co');
    expect(existsSync(join(home, 'ran'))).toBe(true);
  });
});

describe('search_files', () => {
  const poem = ['静夜思', '床前明月光', '疑是地上霜', '举头望明月', '低头思故乡'].join('\n');

  it('finds Chinese and literal text with lines around it', async () => {
    const { call } = setUp({ '诗/静夜思.txt': poem, 'a.ts': 'a.b()\naxb()\n' });
    expect(await call('search_files', { query: '明月', context: 1 })).toEqual({
      text: '诗/静夜思.txt\n1- 静夜思\n2: 床前明月光\n3- 疑是地上霜\n4: 举头望明月\n5- 低头思故乡\n(2 matching lines in 1 of 2 files)',
      output: { matches: 2, files: 1, searched: 2, complete: true },
    });
    expect((await call('search_files', { query: 'a.b()' })).text).toBe('a.ts\n1: a.b()\n(1 matching lines in 1 of 2 files)');
    expect((await call('search_files', { query: 'A.B', ignore_case: true, glob: '*.ts' })).text).toContain('1: a.b()');
    const special = 'a-b/c\\d^$.*+?()[]{}|';
    const { call: callSpecial } = setUp({ 'a.txt': special });
    expect((await callSpecial('search_files', { query: special, ignore_case: true })).output).toMatchObject({ matches: 1 });
    expect((await call('search_files', { query: '太阳' })).text).toBe(
      'Nothing in . matches "太阳".\n(0 matching lines in 0 of 2 files)',
    );
  });

  it('separates places that are far from each other', async () => {
    const { call } = setUp({ 'a.txt': 'x\n1\n2\n3\nx\n' });
    expect((await call('search_files', { query: 'x', context: 1 })).text).toBe(
      'a.txt\n1: x\n2- 1\n--\n4- 3\n5: x\n(2 matching lines in 1 of 1 files)',
    );
  });

  it('finds by regular expression, in any encoding, in one file', async () => {
    const { call } = setUp({ 'a.txt': Buffer.from('c4e3bac3a3accac0bde7', 'hex'), 'b.txt': '你坏' });
    expect((await call('search_files', { query: '你\\p{Script=Han}', regular_expression: true })).text).toBe(
      'a.txt\n1: 你好，世界\n\nb.txt\n1: 你坏\n(2 matching lines in 2 of 2 files)',
    );
    expect((await call('search_files', { query: '你.', regular_expression: true, path: 'b.txt' })).output).toEqual({
      matches: 1,
      files: 1,
      searched: 1,
      complete: true,
    });
    const refused = await call('search_files', { query: '(', regular_expression: true }).catch((error: unknown) => error);
    expect(isContinuoError(refused, 'invalid-input') && refused.details.what).toBe('input of search_files');
    expect(isContinuoError(refused) && String(refused.details.reason)).toMatch(/^query: Invalid regular expression/);
  });

  it('stops a regular expression that would take for ever, and the program goes on meanwhile', async () => {
    const { call } = setUp({ 'a.txt': `${'a'.repeat(60)}!` });
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 20);
    const outcome = await call('search_files', { query: '^(a+)+$', regular_expression: true });
    clearInterval(timer);
    expect(outcome).toEqual({
      text: 'The regular expression ^(a+)+$ in a.txt took longer than 2 seconds and was stopped.',
      failed: true,
      code: 'timeout',
    });
    expect(ticks).toBeGreaterThan(20);
  });

  it('stops at once when it is aborted in the middle of such an expression', async () => {
    const { call } = setUp({ 'a.txt': `${'a'.repeat(60)}!` });
    const input = { query: '^(a+)+$', regular_expression: true };
    // Had it not stopped at once, it would have ended after two seconds, as too slow.
    const refused = await call('search_files', input, AbortSignal.timeout(200)).catch((error: unknown) => error);
    expect(isContinuoError(refused, 'cancelled')).toBe(true);
  });

  it('says what it left out: secrets, large files, more matches', async () => {
    const { root, home, call } = setUp({
      '.env': 'token',
      'a.txt': 'token\ntoken\n',
      'large.txt': 'token'.repeat(2_200_000),
      'x.bin': 'token\0',
    });
    writeFileSync(join(home, 'outside.txt'), 'token');
    symlinkSync(join(home, 'outside.txt'), join(root, 'link.txt'));
    expect((await call('search_files', { query: 'token' })).text).toBe(
      'a.txt\n1: token\n2: token\n(2 matching lines in 1 of 2 files; 1 files over 10 MB were not searched; 1 files that often hold secrets were not searched)',
    );
    expect((await call('search_files', { query: 'token', limit: 1, glob: 'a.txt' })).text).toBe(
      'a.txt\n1: token\n(1 matching lines in 1 of 1 files; there are more matches than 1; narrow it down, or give a higher limit)',
    );
  });

  it('shows the part of a long line that matters', async () => {
    const { call } = setUp({ 'a.txt': `${'x'.repeat(1000)}needle${'y'.repeat(1000)}` });
    const { text } = await call('search_files', { query: 'needle' });
    expect(text).toBe(`a.txt\n1: …${'x'.repeat(100)}needle${'y'.repeat(194)}…\n(1 matching lines in 1 of 1 files)`);
  });
});

describe('glob patterns', () => {
  it.each<[string, string[], string[]]>([
    ['*.ts', ['a.ts', 'src/深/a.ts', '.ts'], ['a.tsx', 'a.ts/b']],
    ['src/*.ts', ['src/a.ts'], ['a.ts', 'src/b/a.ts', 'x/src/a.ts']],
    ['src/**/*.ts', ['src/a.ts', 'src/b/c/a.ts'], ['a.ts', 'source/a.ts']],
    ['**/test/**', ['test/a', 'x/test/y/z'], ['test', 'tests/a']],
    ['src/**', ['src/a', 'src/a/b'], ['src']],
    ['./src/?.ts', ['src/a.ts', 'src/好.ts', 'src/𠮷.ts'], ['src/ab.ts']],
    ['{a,b{1,2}}.[jt]s', ['a.js', 'b1.ts', 'x/b2.js'], ['b.ts', 'a.rs']],
    ['[!a-c]*', ['d', 'x/说明.md'], ['a1', 'x/b']],
    ['a\\*b+(c).txt', ['a*b+(c).txt'], ['axb+(c).txt', 'a*bb(c).txt']],
    ['a*b*c', ['abc', 'aXbYbZc', 'abbc'], ['ab', 'acb', 'abcd']],
    ['{a', ['{a'], ['a']],
  ])('%s', (pattern, fitting, others) => {
    const fits = createGlobFilter(pattern);
    expect([...fitting, ...others].filter(fits)).toEqual(fitting);
  });

  it('take no time to speak of, however they are written', () => {
    const taken = processorTime(() => {
      createGlobFilter(`${'*a'.repeat(100)}b`)('a'.repeat(5000));
      createGlobFilter(`${'**/a/'.repeat(50)}b`)('a/'.repeat(500));
    });
    expect(taken).toBeLessThan(1000);
    expect(() => createGlobFilter('{a,b}'.repeat(20))).toThrow(/too many patterns/);
  });
});
