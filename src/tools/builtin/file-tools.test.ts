import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createQuickFolder } from '../../../test/support/temporary-folder.ts';
import type { JsonObject } from '../../base/json.ts';
import { isContinuoError } from '../../model/error.ts';
import { createConversationId } from '../../model/id.ts';
import type { ToolOutcome } from '../../model/ports/tool.ts';
import { createBuiltinTools } from './builtin-tools.ts';

const conversationId = createConversationId(0);

function setUp() {
  const home = createQuickFolder('tools');
  const root = join(home, 'project');
  mkdirSync(root);
  const tools = createBuiltinTools({ root });
  const toolOf = (name: string) => {
    const tool = tools.find((each) => each.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    return tool;
  };
  const access = async (name: string, input: JsonObject) => toolOf(name).access(input);
  const run = (name: string, input: JsonObject, signal = new AbortController().signal): Promise<ToolOutcome> =>
    toolOf(name).run(input, { conversationId, signal });
  /** As a turn does it: first what it would touch, then the call. */
  const call = async (name: string, input: JsonObject): Promise<ToolOutcome> => {
    await access(name, input);
    return run(name, input);
  };
  const put = (path: string, content: string | Uint8Array) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  const text = (path: string) => readFileSync(join(root, path), 'utf8');
  return { home, root, access, run, call, put, text };
}

describe('what a file tool would touch', () => {
  it('is nothing for reading in the project, and the file for reading elsewhere', async () => {
    const { home, access } = setUp();
    expect(await access('read_file', { path: 'src/你好.ts' })).toEqual({ needs: [], summary: 'read src/你好.ts' });
    const elsewhere = join(home, 'other', 'a.txt');
    expect(await access('read_file', { path: '../other/a.txt' })).toEqual({
      needs: [['read_file', ...elsewhere.split('/').slice(1)]],
      summary: `read ${elsewhere}`,
    });
    expect(await access('list_files', { path: '..' })).toEqual({
      needs: [['read_file', ...home.split('/').slice(1)]],
      summary: `list the files in ${home}`,
    });
  });

  it('is the file for writing and editing; outside of the project a person is always asked', async () => {
    const { root, home, access } = setUp();
    const needs = [['write_file', 'src', 'a.ts']];
    expect(await access('write_file', { path: 'src/a.ts', content: 'a\nb\n' })).toEqual({
      needs,
      summary: 'write 2 lines to src/a.ts',
    });
    const input = { path: join(root, 'src/../src/a.ts'), old_text: 'a', new_text: 'b' };
    expect(await access('edit_file', input)).toEqual({ needs, summary: 'edit src/a.ts' });
    const elsewhere = join(home, 'x.txt');
    expect(await access('write_file', { path: elsewhere, content: '' })).toEqual({
      needs: [['write_file', ...elsewhere.split('/').slice(1)]],
      askAlways: 'this is outside of the project',
      summary: `write 0 lines to ${elsewhere}`,
    });
  });

  it('counts a link that leads outside as outside, also a dangling one and one among the folders', async () => {
    const { home, root, access } = setUp();
    mkdirSync(join(home, 'outside'));
    symlinkSync(join(home, 'outside'), join(root, 'folder'));
    symlinkSync('../outside/new.txt', join(root, 'dangling'));
    for (const path of ['folder/new.txt', 'dangling']) {
      expect(await access('write_file', { path, content: '' })).toMatchObject({
        needs: [['write_file', ...join(home, 'outside', 'new.txt').split('/').slice(1)]],
        askAlways: 'this is outside of the project',
      });
    }
  });

  it.each([
    ['.env', 'this file often holds secrets'],
    ['config/.env.production', 'this file often holds secrets'],
    ['id_ed25519', 'this file often holds secrets'],
    ['keys/server.PEM', 'this file often holds secrets'],
    ['.git/hooks/pre-commit', 'this is inside .git, where a change can run code'],
    ['.continuo/saved_session_x.json', 'this is inside .continuo, where conversations are kept'],
    ['sub/.GIT/config', 'this is inside .git, where a change can run code'],
  ])('is always asked about for %s', async (path, askAlways) => {
    const { access } = setUp();
    expect((await access('read_file', { path })).askAlways).toBe(askAlways);
    expect((await access('write_file', { path, content: '' })).askAlways).toBe(askAlways);
  });

  it('is always asked about where a harmless name leads to a secret file', async () => {
    const { root, access, put } = setUp();
    put('.env', 'TOKEN=1');
    symlinkSync('.env', join(root, 'notes.txt'));
    expect(await access('read_file', { path: 'notes.txt' })).toEqual({
      needs: [['read_file', '.env']],
      askAlways: 'this file often holds secrets',
      summary: 'read .env',
    });
  });

  it.each([
    [{}, 'path: Invalid input: expected string, received undefined'],
    [{ path: '' }, 'path: Too small: expected string to have >=1 characters'],
    [{ path: 'a\0b' }, 'path: a path has no NUL character in it'],
    [{ path: '~/a' }, 'path: ~ is not expanded; write the path out'],
    [{ path: 'a', offset: 0 }, 'offset: Too small: expected number to be >=1'],
    [{ path: 'a', lines: 1 }, 'Unrecognized key: "lines"'],
  ])('is refused where the input is %j', async (input, reason) => {
    const { access, run } = setUp();
    const refused = await access('read_file', input as JsonObject).catch((error: unknown) => error);
    expect(isContinuoError(refused, 'invalid-input') && refused.details).toEqual({ what: 'input of read_file', reason });
    expect(await run('read_file', input as JsonObject)).toMatchObject({ failed: true, code: 'invalid-input' });
  });
});

describe('permission', () => {
  it('does not carry over when a path leads somewhere else by then', async () => {
    const { home, root, access, run, put } = setUp();
    mkdirSync(join(home, 'outside'));
    put('real/a.txt', 'mine');
    symlinkSync('real', join(root, 'link'));
    const input = { path: 'link/a.txt', content: 'x' };
    expect((await access('write_file', input)).needs).toEqual([['write_file', 'real', 'a.txt']]);
    unlinkSync(join(root, 'link'));
    symlinkSync(join(home, 'outside'), join(root, 'link'));
    expect(await run('write_file', input)).toEqual({
      text: 'Refused to use link/a.txt: it leads somewhere else than when permission was asked.',
      failed: true,
      code: 'unsafe-path',
    });
    expect(existsSync(join(home, 'outside', 'a.txt'))).toBe(false);
  });

  it('never reaches outside while somebody keeps swapping a folder for a link', async () => {
    const { home, root, access, run, put } = setUp();
    const outside = join(home, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'a.txt'), 'theirs');
    put('swap/a.txt', 'mine');
    symlinkSync(outside, join(root, 'away'));
    await access('write_file', { path: 'swap/a.txt', content: '' });
    let swaps = 0;
    const swap = () => {
      renameSync(join(root, 'swap'), join(root, 'kept'));
      renameSync(join(root, 'away'), join(root, 'swap'));
      swaps += 1;
    };
    const swapBack = () => {
      renameSync(join(root, 'swap'), join(root, 'away'));
      renameSync(join(root, 'kept'), join(root, 'swap'));
    };
    let running = true;
    const swapping = (async () => {
      while (running) {
        swap();
        await new Promise((resolve) => setImmediate(resolve));
        swapBack();
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 8));
      }
    })();
    const outcomes = new Set<string>();
    const readings: string[] = [];
    for (let i = 0; i < 100 || (outcomes.size < 2 && i < 5000); i++) {
      outcomes.add((await run('write_file', { path: 'swap/a.txt', content: `${i}` })).code ?? 'done');
      readings.push((await run('read_file', { path: 'swap/a.txt' })).text);
    }
    running = false;
    await swapping;
    expect(swaps).toBeGreaterThan(10);
    expect(outcomes).toContain('done');
    expect(outcomes).toContain('unsafe-path');
    expect(readings.filter((reading) => reading.includes('theirs'))).toEqual([]);
    expect(readdirSync(outside).map((name) => [name, readFileSync(join(outside, name), 'utf8')])).toEqual([['a.txt', 'theirs']]);
  });

  it('is needed: nothing is written, and nothing outside is read, that nobody was asked about', async () => {
    const { home, root, run, put } = setUp();
    writeFileSync(join(home, 'secret.txt'), 'secret');
    put('.env', 'TOKEN=1');
    const refused = { failed: true, code: 'unsafe-path' };
    expect(await run('write_file', { path: 'a.txt', content: '' })).toMatchObject(refused);
    expect(existsSync(join(root, 'a.txt'))).toBe(false);
    expect(await run('read_file', { path: '../secret.txt' })).toMatchObject(refused);
    expect(await run('read_file', { path: '.env' })).toMatchObject(refused);
    expect(await run('search_files', { query: 'secret', path: '..' })).toMatchObject(refused);
  });
});

describe('read_file', () => {
  it('numbers lines and says where to go on', async () => {
    const { call, put } = setUp();
    put('文件.txt', '一\n二\n三\n四\n');
    expect(await call('read_file', { path: '文件.txt', offset: 2, limit: 2 })).toEqual({
      text: '     2\t二\n     3\t三\n(lines 2 to 3 of 4; go on with offset 4)\n',
      output: { path: '文件.txt', firstLine: 2, lastLine: 3, encoding: 'utf-8', lines: 4 },
    });
    expect((await call('read_file', { path: '文件.txt', offset: 4 })).text).toBe('     4\t四\n(lines 4 to 4, the end)\n');
    expect(await call('read_file', { path: '文件.txt', offset: 9 })).toEqual({
      text: '文件.txt has only 4 lines; line 9 is not there.',
      failed: true,
    });
  });

  it.each([
    ['utf-8 with a byte order mark', Buffer.from('\ufeff你好\r\n世界\r\n'), '     1\t你好\n     2\t世界\n'],
    ['utf-16le', Buffer.from('\ufeff你好\n世界', 'utf16le'), '     1\t你好\n     2\t世界\n(encoding utf-16le)\n'],
    ['utf-16be', Buffer.from('\ufeff你好', 'utf16le').swap16(), '     1\t你好\n(encoding utf-16be)\n'],
    ['gb18030', Buffer.from('c4e3bac3cac0bde7', 'hex'), '     1\t你好世界\n(encoding gb18030)\n'],
    ['one-byte characters', Buffer.from('caf\u00e9 cr\u00e8me', 'latin1'), '     1\tcafé crème\n(encoding iso-8859-1)\n'],
    [
      'broken utf-8',
      Buffer.concat([Buffer.from('数据库迁移方案的讨论记录'), Buffer.from([0xff])]),
      '     1\t数据库迁移方案的讨论记录\ufffd\n(some bytes are not valid text and read as \ufffd)\n',
    ],
    ['nothing', Buffer.alloc(0), '(a.txt is empty)'],
  ])('reads %s', async (_name, bytes, text) => {
    const { call, put } = setUp();
    put('a.txt', bytes);
    expect((await call('read_file', { path: 'a.txt' })).text).toBe(text);
  });

  it('refuses what is not text with a clear sentence', async () => {
    const { root, call, put } = setUp();
    put('logo.png', Buffer.from('89504e470d0a1a0a0000', 'hex'));
    put('a.bin', Buffer.from([1, 2, 0, 4]));
    mkdirSync(join(root, 'src'));
    const say = async (path: string) => (await call('read_file', { path })).text;
    expect(await say('logo.png')).toBe('logo.png is a PNG image (10 bytes). This tool reads text only.');
    expect(await say('a.bin')).toBe('a.bin is a binary file (4 bytes). This tool reads text only.');
    expect(await say('src')).toMatch(/src failed: it is a folder/);
    expect(await say('nowhere.txt')).toBe('Reading or writing nowhere.txt failed: it does not exist.');
  });

  it('cuts long lines', async () => {
    const { call, put } = setUp();
    put('long.txt', `${'x'.repeat(5000)}\nshort\n`);
    const { text } = await call('read_file', { path: 'long.txt' });
    expect(text).toBe(`     1\t${'x'.repeat(2000)}… (3000 more characters)\n     2\tshort\n`);
  });

  it('reads a window of a large file, and no more of it than needed', async () => {
    const { call, put } = setUp();
    const lines = Array.from({ length: 300_000 }, (_, i) => `第 ${i + 1} 行 ${'x'.repeat(30)}`);
    put('large.txt', lines.join('\n'));
    expect(await call('read_file', { path: 'large.txt', offset: 150_000, limit: 2 })).toEqual({
      text: `150000\t${lines[149_999]}\n150001\t${lines[150_000]}\n(lines 150000 to 150001; go on with offset 150002)\n`,
      output: { path: 'large.txt', firstLine: 150_000, lastLine: 150_001, encoding: 'utf-8' },
    });
    const last = await call('read_file', { path: 'large.txt', offset: 300_000 });
    expect(last.text).toBe(`300000\t${lines[299_999]}\n(lines 300000 to 300000, the end)\n`);
  });

  it('stops when it is aborted', async () => {
    const { run, put } = setUp();
    put('a.txt', 'a');
    const refused = await run('read_file', { path: 'a.txt' }, AbortSignal.abort()).catch((error: unknown) => error);
    expect(isContinuoError(refused, 'cancelled')).toBe(true);
  });
});

describe('write_file', () => {
  it('makes folders and files, and says what it did', async () => {
    const { root, call, text } = setUp();
    expect(await call('write_file', { path: '新/文件夹/a.txt', content: '一\n二\n' })).toEqual({
      text: 'Created 新/文件夹/a.txt (2 lines).',
      output: { path: '新/文件夹/a.txt', created: true, lines: 2 },
    });
    expect(text('新/文件夹/a.txt')).toBe('一\n二\n');
    expect(statSync(join(root, '新/文件夹/a.txt')).mode & 0o777).toBe(0o666 & ~process.umask());
    expect(await call('write_file', { path: '新/文件夹/a.txt', content: '一\n' })).toEqual({
      text: 'Changed 新/文件夹/a.txt (1 line, before 2).',
      output: { path: '新/文件夹/a.txt', created: false, lines: 1, linesBefore: 2 },
    });
    const again = await call('write_file', { path: '新/文件夹/a.txt', content: '一\n' });
    expect(again).toEqual({ text: '新/文件夹/a.txt has this content already (1 line).' });
  });

  it('writes names as long as the system allows', async () => {
    const { call, text } = setUp();
    const path = `${'长'.repeat(84)}.a`;
    expect((await call('write_file', { path, content: 'x' })).failed).toBeUndefined();
    expect(text(path)).toBe('x');
    const longer = await call('write_file', { path: `${path}长`, content: 'x' }).catch((error: unknown) => error);
    expect(isContinuoError(longer, 'io-failed') && longer.details.reason).toBe('its name is too long');
  });

  it('keeps the mode of a file, and a link a link', async () => {
    const { root, call, put, text } = setUp();
    put('run.sh', '#!/bin/sh\n');
    chmodSync(join(root, 'run.sh'), 0o755);
    symlinkSync('run.sh', join(root, 'link.sh'));
    await call('write_file', { path: 'link.sh', content: 'echo\n' });
    expect(statSync(join(root, 'run.sh')).mode & 0o777).toBe(0o755);
    expect(readlinkSync(join(root, 'link.sh'))).toBe('run.sh');
    expect(text('run.sh')).toBe('echo\n');
  });

  it('does not overwrite a change that the conversation has not seen', async () => {
    const { call, put, text } = setUp();
    put('a.txt', 'one');
    await call('read_file', { path: 'a.txt' });
    put('a.txt', 'two');
    expect(await call('write_file', { path: 'a.txt', content: 'three' })).toEqual({
      text: 'a.txt was changed since you read it. Read it again, then repeat the change.',
      failed: true,
    });
    expect(text('a.txt')).toBe('two');
  });

  it('refuses to replace a folder, and leaves nothing behind', async () => {
    const { root, call, put } = setUp();
    put('src/a.txt', '');
    expect((await call('write_file', { path: 'src', content: '' })).failed).toBe(true);
    expect((await call('write_file', { path: 'src/a.txt/b.txt', content: '' })).failed).toBe(true);
    expect((await call('list_files', {})).text).toBe('src/a.txt');
    expect(existsSync(join(root, 'src/a.txt'))).toBe(true);
  });
});

describe('edit_file', () => {
  const edit = (path: string, old_text: string, new_text: string, more: JsonObject = {}) => ({
    path,
    old_text,
    new_text,
    ...more,
  });

  it('replaces what stands there once', async () => {
    const { call, put, text } = setUp();
    put('a.ts', 'const 名字 = 1;\nconst b = 2;\n');
    expect(await call('edit_file', edit('a.ts', 'const b = 2', 'const b = $&'))).toEqual({
      text: 'Edited a.ts at line 2.',
      output: { path: 'a.ts', replaced: 1, firstLine: 2 },
    });
    expect(text('a.ts')).toBe('const 名字 = 1;\nconst b = $&;\n');
  });

  it('asks for more where it stands there several times, unless all are meant', async () => {
    const { call, put, text } = setUp();
    put('a.ts', 'x\ny\nx\n');
    expect(await call('edit_file', edit('a.ts', 'x', 'z'))).toEqual({
      text: 'The old text stands in a.ts 2 times (lines 1, 3). Take more lines around it, or give replace_all.',
      failed: true,
    });
    expect((await call('edit_file', edit('a.ts', 'x', 'z', { replace_all: true }))).text).toBe('Edited a.ts at 2 places.');
    expect(text('a.ts')).toBe('z\ny\nz\n');
  });

  it('names the nearest line where nothing fits', async () => {
    const { call, put } = setUp();
    put('a.ts', 'import x;\n\nfunction calculateTotal(items) {\n');
    expect(await call('edit_file', edit('a.ts', 'function calculateTotals(items)  {', ''))).toEqual({
      text: 'The old text stands nowhere in a.ts (0 matches). The nearest is line 3: "function calculateTotal(items) {"',
      failed: true,
    });
    expect((await call('edit_file', edit('b.ts', 'a', ''))).text).toBe('There is no file b.ts. Make it with write_file.');
    const same = await call('edit_file', edit('a.ts', 'a', 'a')).catch((error: unknown) => error);
    expect(isContinuoError(same, 'invalid-input') && same.details.reason).toBe('new_text: it is the same as old_text');
  });

  it('keeps line ends, encoding and byte order mark', async () => {
    const { root, call, put } = setUp();
    put('crlf.txt', '\ufeffone\r\ntwo\r\nthree\r\n');
    await call('edit_file', edit('crlf.txt', 'one\ntwo', '1\n2\n2.5'));
    expect(readFileSync(join(root, 'crlf.txt'), 'utf8')).toBe('\ufeff1\r\n2\r\n2.5\r\nthree\r\n');
    put('gbk.txt', Buffer.from('c4e3bac3a3accac0bde7', 'hex'));
    await call('edit_file', edit('gbk.txt', '世界', '中国𠮷€'));
    expect(new TextDecoder('gb18030').decode(readFileSync(join(root, 'gbk.txt')))).toBe('你好，中国𠮷€');
    put('wide.txt', Buffer.from('\ufeff你好', 'utf16le'));
    await call('edit_file', edit('wide.txt', '好', '们'));
    expect(readFileSync(join(root, 'wide.txt')).toString('utf16le')).toBe('\ufeff你们');
    put('latin.txt', Buffer.from('caf\u00e9 cr\u00e8me', 'latin1'));
    expect((await call('edit_file', edit('latin.txt', 'caf', '咖啡'))).text).toBe(
      'The new text has characters that latin.txt cannot hold in its encoding, iso-8859-1.',
    );
  });

  it('refuses where the file was changed since it was read, until it is read again', async () => {
    const { call, put, text } = setUp();
    put('a.txt', 'one two');
    await call('read_file', { path: 'a.txt' });
    put('a.txt', 'one 二!');
    expect(await call('edit_file', edit('a.txt', 'one', 'three'))).toEqual({
      text: 'a.txt was changed since you read it. Read it again, then repeat the change.',
      failed: true,
    });
    await call('read_file', { path: 'a.txt' });
    await call('edit_file', edit('a.txt', 'one', 'three'));
    await call('edit_file', edit('a.txt', '二', 'four'));
    expect(text('a.txt')).toBe('three four!');
  });

  it('loses none of many edits at once', async () => {
    const { call, put, text } = setUp();
    const words = Array.from({ length: 20 }, (_, i) => `word${i}.`);
    put('a.txt', words.join('\n'));
    await Promise.all(words.map((word, i) => call('edit_file', edit('a.txt', word, `done${i}.`))));
    expect(text('a.txt')).toBe(words.map((_, i) => `done${i}.`).join('\n'));
  });
});
