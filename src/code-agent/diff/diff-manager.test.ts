import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { GitLab } from '../../../test/support/git-lab.ts';
import { GitManager } from '../git/git-manager.ts';
import { DiffManager } from './diff-manager.ts';

const person = { GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.org' };
const long = Array.from({ length: 40 }, (_, at) => `line ${at}\n`).join('');

function createLab(): { lab: GitLab; diff: DiffManager; start: string } {
  const lab = new GitLab();
  lab.folder('app');
  lab.git('app', 'init', '-q', '--template=');
  lab.write('app/one.txt', 'one\ntwo\n');
  lab.write('app/long.txt', long);
  lab.git('app', 'add', '.');
  lab.git('app', 'commit', '-q', '-m', 'first');
  return { lab, diff: diffOf(lab), start: lab.git('app', 'rev-parse', 'HEAD') };
}

function diffOf(lab: GitLab, name = 'app'): DiffManager {
  const root = lab.path(name);
  return new DiffManager({ root, git: new GitManager({ root, env: lab.env }) });
}

describe('the changes since a commit', () => {
  it('hold commits since then, staged and unstaged work and new files, and change nothing', async () => {
    const { lab, diff, start } = createLab();
    lab.write('app/committed.txt', 'c\n');
    lab.git('app', 'add', '.');
    lab.git('app', 'commit', '-q', '-m', 'second');
    lab.write('app/one.txt', 'one\nstaged\n');
    lab.git('app', 'add', 'one.txt');
    lab.write('app/one.txt', 'one\nboth\n');
    lab.write('app/sub/new.txt', 'n\n');
    lab.write('app/.gitignore', 'out\n');
    lab.write('app/out/built.js', 'x');
    lab.write('app/.continuo/saved_session.json', '{}');
    const before = filesOf(lab);
    const changes = await diff.changesSince(start);
    expect(changes).toEqual({
      available: true,
      base: start,
      files: [
        {
          ...{ path: '.gitignore', status: 'added', additions: 1, deletions: 0, binary: false, mode: { to: '100644' } },
          patch: expect.stringMatching(/^diff --git .*\nnew file mode 100644\n[\s\S]*\+out\n$/),
        },
        {
          ...{ path: 'committed.txt', status: 'added', additions: 1, deletions: 0, binary: false, mode: { to: '100644' } },
          patch: expect.stringMatching(/\+c\n$/),
        },
        {
          ...{ path: 'one.txt', status: 'modified', additions: 1, deletions: 1, binary: false },
          patch: expect.stringMatching(/^diff --git a\/one.txt b\/one.txt\n[\s\S]*@@ -1,2 \+1,2 @@\n one\n-two\n\+both\n$/),
        },
        {
          ...{ path: 'sub/new.txt', status: 'added', additions: 1, deletions: 0, binary: false, mode: { to: '100644' } },
          patch: expect.stringMatching(/\+n\n$/),
        },
      ],
      omitted: 0,
      warnings: [],
    });
    expect(filesOf(lab)).toEqual(before);
    expect(diff.stat(changes)).toEqual({ files: 4, additions: 4, deletions: 1, binary: 0 });
  });

  it('tell moved, deleted, retyped, executable, linked, binary and empty files', async () => {
    const { lab, diff, start } = createLab();
    lab.write('app/run.sh', 'x\n');
    lab.write('app/becomes-link', 'x\n');
    lab.write('app/crlf.txt', 'a\r\nb\r\n');
    lab.git('app', 'add', '.');
    lab.git('app', 'commit', '-q', '-m', 'more');
    const middle = lab.git('app', 'rev-parse', 'HEAD');
    rmSync(lab.path('app/long.txt'));
    lab.write('app/moved/long.txt', `${long}end\n`);
    rmSync(lab.path('app/one.txt'));
    rmSync(lab.path('app/becomes-link'));
    symlinkSync('run.sh', lab.path('app/becomes-link'));
    symlinkSync('/nowhere', lab.path('app/dangling'));
    chmodSync(lab.path('app/run.sh'), 0o755);
    lab.write('app/crlf.txt', 'a\nb\n');
    lab.write('app/empty', '');
    writeFileSync(lab.path('app/picture.png'), Buffer.from([0x89, 0x50, 0, 1, 2, 3]));
    const { files } = await diff.changesSince(middle);
    expect(files.map(({ patch: _, ...rest }) => rest)).toEqual([
      {
        ...{ path: 'becomes-link', status: 'type-changed', additions: 1, deletions: 1, binary: false, kind: 'link' },
        mode: { from: '100644', to: '120000' },
      },
      { path: 'crlf.txt', status: 'modified', additions: 2, deletions: 2, binary: false },
      { path: 'dangling', status: 'added', additions: 1, deletions: 0, binary: false, mode: { to: '120000' }, kind: 'link' },
      { path: 'empty', status: 'added', additions: 0, deletions: 0, binary: false, mode: { to: '100644' } },
      { path: 'moved/long.txt', from: 'long.txt', status: 'renamed', additions: 1, deletions: 0, binary: false },
      { path: 'one.txt', status: 'deleted', additions: 0, deletions: 2, binary: false, mode: { from: '100644' } },
      { path: 'picture.png', status: 'added', additions: 0, deletions: 0, binary: true, mode: { to: '100644' } },
      {
        ...{ path: 'run.sh', status: 'modified', additions: 0, deletions: 0, binary: false },
        mode: { from: '100644', to: '100755' },
      },
    ]);
    const patchOf = (name: string) => files.find(({ path }) => path === name)?.patch;
    expect(patchOf('becomes-link')).toMatch(/deleted file mode 100644[\s\S]*new file mode 120000[\s\S]*\+run\.sh\n/);
    expect(patchOf('picture.png')).toMatch(/Binary files \/dev\/null and b\/picture\.png differ/);
    expect(patchOf('crlf.txt')).toMatch(/-a\r\n-b\r\n\+a\n\+b\n$/);
    expect((await diff.changesSince(start)).files.length).toBe(8);
  });

  it('compare a repository without commits with nothing at all', async () => {
    const lab = new GitLab();
    lab.folder('app');
    lab.git('app', 'init', '-q', '--template=');
    lab.write('app/a.txt', 'a\n');
    const changes = await diffOf(lab).changesSince(null);
    expect(changes).toMatchObject({ available: true, base: null, files: [{ path: 'a.txt', status: 'added' }], warnings: [] });
  });

  it('warn and go on from HEAD where the commit is gone, was never known, or is elsewhere in the history', async () => {
    const { lab, diff, start } = createLab();
    lab.write('app/one.txt', 'x\n');
    const gone = 'f'.repeat(40);
    expect(await diff.changesSince(gone)).toMatchObject({
      base: start,
      files: [{ path: 'one.txt' }],
      warnings: [`the commit ${gone} the work began at is gone, so that only what is not committed is shown`],
    });
    expect((await diff.changesSince('--output=/tmp/x')).warnings).toHaveLength(1);
    expect(await diff.changesSince(null)).toMatchObject({
      base: start,
      files: [{ path: 'one.txt' }],
      warnings: ['where the work began is not known, so that only what is not committed is shown'],
    });
    lab.git('app', 'commit', '-q', '--amend', '-am', 'rewritten');
    expect(await diff.changesSince(start)).toMatchObject({
      base: start,
      files: [{ path: 'one.txt' }],
      warnings: [`the commit ${start} the work began at is not in the history of where the folder is now`],
    });
  });

  it('are not available without a repository, and say why', async () => {
    const lab = new GitLab();
    lab.folder('plain');
    const diff = diffOf(lab, 'plain');
    const changes = await diff.changesSince(null);
    const reason = 'it is not in a git repository';
    expect(changes).toEqual({ available: false, reason, base: null, files: [], omitted: 0, warnings: [] });
    expect(diff.describe(changes, { tokens: 100 })).toBe(`The changes are not known: ${reason}.`);
  });

  it('keep odd names whole, are about the folder of the agent, and about named paths alone', async () => {
    const { lab, start } = createLab();
    const odd = ['a b', 'q"t', 'line\nbreak', '中文', 'diff --git a', '*', ':(top)x'];
    for (const name of odd) lab.write(`app/pkg/ü ${name}`, 'x\n');
    lab.write('app/outside.txt', 'x\n');
    const diff = diffOf(lab, 'app/pkg');
    const { files } = await diff.changesSince(start);
    expect(files.map(({ path }) => path)).toEqual([...odd.map((name) => `ü ${name}`)].sort());
    for (const { patch } of files) expect(patch).toMatch(/^diff --git [\s\S]*\+x\n$/);
    expect((await diff.changesSince(start, { paths: ['ü *', 'ü a b'] })).files.map(({ path }) => path)).toEqual(['ü *', 'ü a b']);
  });

  it('see a name that is not UTF-8, a submodule, a repository inside and a file in conflict', async () => {
    const { lab, diff } = createLab();
    lab.git('app', 'checkout', '-q', '-b', 'other');
    lab.write('app/one.txt', 'other\n');
    lab.git('app', 'commit', '-q', '-am', 'other');
    lab.git('app', 'checkout', '-q', 'main');
    lab.write('app/one.txt', 'main\n');
    lab.git('app', 'commit', '-q', '-am', 'main');
    const start = lab.git('app', 'rev-parse', 'HEAD');
    lab.repository('lib');
    lab.git('app', 'submodule', '--quiet', 'add', lab.path('lib'), 'lib');
    lab.git('app', 'commit', '-q', '-m', 'with a submodule');
    expect(() => lab.git('app', 'merge', 'other')).toThrow();
    lab.repository('app/nested');
    writeFileSync(Buffer.concat([Buffer.from(`${lab.path('app')}/bad-`), Buffer.from([0xff])]), 'x\n');
    const { files, warnings } = await diff.changesSince(start);
    expect(warnings).toEqual([]);
    expect(files.map(({ patch: _, ...rest }) => rest)).toEqual([
      expect.objectContaining({ path: '.gitmodules', status: 'added' }),
      { path: 'bad-\\xff', status: 'added', additions: 1, deletions: 0, binary: false, mode: { to: '100644' }, unreadable: true },
      { path: 'lib', status: 'added', additions: 1, deletions: 0, binary: false, mode: { to: '160000' }, kind: 'submodule' },
      { path: 'one.txt', status: 'modified', additions: 4, deletions: 0, binary: false },
    ]);
    expect(files.at(-1)?.patch).toMatch(/\+<<<<<<< HEAD\n main\n\+=======\n\+other\n\+>>>>>>> other\n$/);
  });

  it('cut long patches, show no large file and no secret', async () => {
    const { lab, diff, start } = createLab();
    lab.write('app/long.txt', 'a line of some length\n'.repeat(10_000));
    lab.write('app/.env', 'KEY=sk-verysecretverysecret\n');
    lab.write('app/huge.bin', '');
    truncateSync(lab.path('app/huge.bin'), 3 * 2 ** 30);
    const { files } = await diff.changesSince(start);
    const [env, huge, cut] = files;
    expect(env).toEqual({
      ...{ path: '.env', status: 'added', additions: 1, deletions: 0, binary: false, mode: { to: '100644' } },
      ...{ patch: '', note: 'it is not shown, because this file often holds secrets' },
    });
    expect(huge).toEqual({
      ...{ path: 'huge.bin', status: 'added', additions: 0, deletions: 0, binary: true, mode: { to: '100644' } },
      ...{ patch: '', note: 'it has 3221225472 bytes and is not shown' },
    });
    expect(cut).toMatchObject({ path: 'long.txt', additions: 10_000, deletions: 40 });
    expect(cut?.note).toMatch(/^it is cut; \d+ more line\(s\)$/);
    expect(cut?.patch.length).toBeLessThanOrEqual(65_536);
  });

  it('see a change of the same size, made in the moment of the commit', async () => {
    const { lab, diff } = createLab();
    const time = new Date('2026-01-02T03:04:05Z');
    lab.write('app/racy.txt', 'aaaa\n');
    utimesSync(lab.path('app/racy.txt'), time, time);
    lab.git('app', 'add', '.');
    lab.git('app', 'commit', '-q', '-m', 'racy');
    const start = lab.git('app', 'rev-parse', 'HEAD');
    lab.write('app/racy.txt', 'bbbb\n');
    for (const name of ['app/racy.txt', 'app/.git/index']) utimesSync(lab.path(name), time, time);
    lab.write('app/new.txt', 'x\n');
    // The inode change time is the one thing that cannot be set back.
    lab.git('app', 'config', 'core.trustctime', 'false');
    const changes = await diff.changesSince(start);
    expect(changes.files.map(({ path }) => path)).toEqual(['new.txt', 'racy.txt']);
    const git = new GitManager({ root: lab.path('app'), env: { ...lab.env, ...person } });
    await git.commit({ message: 'x', paths: ['new.txt'] });
    expect(await git.status()).toEqual([{ path: 'racy.txt', unstaged: 'modified' }]);
  });

  it('show the smaller changes where all of them are too much', async () => {
    const { lab, diff, start } = createLab();
    for (const name of ['a', 'b', 'c']) lab.write(`app/${name}.txt`, `${'some text in a line\n'.repeat(350_000)}`);
    lab.write('app/one.txt', 'one\nTWO\n');
    const { files, warnings } = await diff.changesSince(start);
    expect(files.map(({ path, additions, note }) => [path, additions, note])).toEqual([
      ...['a', 'b', 'c'].map((name) => [`${name}.txt`, 350_000, 'it is not shown, because there is too much']),
      ['one.txt', 1, undefined],
    ]);
    expect(files.at(-1)?.patch).toMatch(/\+TWO\n$/);
    expect(warnings).toEqual(['the changes are too large to be shown line by line']);
  });

  it('end where they are called off', async () => {
    const { diff, start } = createLab();
    const reason = new Error('enough');
    await expect(diff.changesSince(start, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('run none of the programs a hostile repository names', async () => {
    const { lab, diff, start } = createLab();
    lab.write('trap', `#!/bin/sh\ntouch ${lab.path('sprung')}\ncat\n`);
    chmodSync(lab.path('trap'), 0o755);
    const trap = lab.path('trap');
    const settings = {
      ...{ 'diff.external': trap, 'diff.x.textconv': trap, 'diff.x.command': trap, 'core.fsmonitor': trap },
      ...{ 'filter.x.clean': trap, 'filter.x.process': trap, 'filter.x.required': 'true', 'core.pager': trap },
      ...{
        'diff.noprefix': 'true',
        'color.ui': 'always',
        'diff.orderFile': '/missing',
        'diff.renames': 'false',
        'diff.context': '0',
      },
    };
    for (const [name, value] of Object.entries(settings)) lab.git('app', 'config', name, value);
    lab.write('app/.gitattributes', '*.txt filter=x diff=x\n');
    lab.write('app/one.txt', 'one\nchanged\n');
    lab.write('app/new.txt', 'new\n');
    const { files } = await diff.changesSince(start);
    expect(files.map(({ path }) => path)).toEqual(['.gitattributes', 'new.txt', 'one.txt']);
    expect(files.at(-1)?.patch).toMatch(/^diff --git a\/one.txt b\/one.txt\n[\s\S]* one\n-two\n\+changed\n$/);
    expect(existsSync(lab.path('sprung'))).toBe(false);
    spawnSync('git', ['-C', lab.path('app'), 'diff'], { env: lab.env, stdio: 'ignore' });
    expect(existsSync(lab.path('sprung'))).toBe(true);
  });
});

describe('in words', () => {
  it('name every file first, then as much of the changes as fits', async () => {
    const { lab, diff, start } = createLab();
    lab.write('app/one.txt', 'one\nTWO\n');
    lab.write('app/long.txt', long.toUpperCase());
    rmSync(lab.path('app/long.txt'));
    const changes = await diff.changesSince(start);
    const all = diff.describe(changes, { tokens: 10_000 });
    expect(all).toMatch(
      /^2 changed file\(s\), 1 line\(s\) added, 41 removed\.\nD long\.txt \(\+0 -40\)\nM one\.txt \(\+1 -1\)\n\ndiff --git/,
    );
    expect(all).toContain('+TWO');
    const few = diff.describe(changes, { tokens: 120 });
    expect(few.length).toBeLessThan(120 * 4);
    expect(few).toMatch(/M one\.txt/);
    expect(few).toMatch(/more line\(s\)|left out/);
    expect(diff.describe(await diff.changesSince(start, { paths: ['none'] }), { tokens: 50 })).toBe('Nothing has changed.');
  });

  it('stay within their tokens however many files there are', async () => {
    const { lab, diff, start } = createLab();
    for (let at = 0; at < 300; at++) lab.write(`app/file-${at}.txt`, 'x\n');
    const text = diff.describe(await diff.changesSince(start), { tokens: 500 });
    expect(text.length).toBeLessThan(500 * 4);
    expect(text).toMatch(/^300 changed/);
    expect(text).toMatch(/… and \d+ more file\(s\)/);
  });
});

function filesOf(lab: GitLab): string[] {
  const inside = readdirSync(lab.path('app/.git'), { recursive: true, encoding: 'utf8' }).sort();
  return inside.map((name) => `${name} ${statSync(lab.path('app/.git', name)).mtimeMs}`);
}
