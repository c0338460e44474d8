import { chmodSync, existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { GitLab } from '../../../test/support/git-lab.ts';
import { GitManager } from './git-manager.ts';

const A = { name: 'A', email: 'a@example.org' };

/** A repository with one file in one commit, and a person git knows. */
function createLab(identity = true): { lab: GitLab; git: GitManager } {
  const lab = new GitLab();
  lab.folder('app');
  lab.git('app', 'init', '-q', '--template=');
  if (identity) {
    lab.git('app', 'config', 'user.name', A.name);
    lab.git('app', 'config', 'user.email', A.email);
  }
  lab.write('app/one.txt', 'one\n');
  lab.git('app', 'add', '.');
  lab.git('app', 'commit', '-q', '-m', 'first');
  return { lab, git: managerOf(lab) };
}

function managerOf(lab: GitLab, name = 'app', more: { dirty?: [string, string][] } = {}): GitManager {
  return new GitManager({ root: lab.path(name), env: lab.env, ...more });
}

const porcelain = (lab: GitLab, name = 'app') => lab.git(name, 'status', '--porcelain').split('\n').filter(Boolean);
const headOf = (lab: GitLab) => lab.git('app', 'rev-parse', 'HEAD');

describe('inspecting', () => {
  it('tells where a repository stands', async () => {
    const { lab, git } = createLab();
    const common = { kind: 'repository', top: lab.path('app'), isWorktree: false, identity: A, locked: false };
    expect(await git.inspect()).toEqual({ ...common, branch: 'main', head: headOf(lab) });
    lab.git('app', 'checkout', '-q', '-b', 'feature/名前');
    lab.write('app/.git/index.lock', '');
    expect(await git.inspect()).toEqual({ ...common, branch: 'feature/名前', head: headOf(lab), locked: true });
    rmSync(lab.path('app/.git/index.lock'));
    lab.git('app', 'checkout', '-q', '--detach');
    expect(await git.inspect()).toEqual({ ...common, branch: null, head: headOf(lab) });
  });

  it('sees a repository without a commit and without a person', async () => {
    const lab = new GitLab();
    lab.folder('app');
    lab.git('app', 'init', '-q', '--template=');
    const git = managerOf(lab);
    const common = { kind: 'repository', top: lab.path('app'), isWorktree: false, locked: false };
    expect(await git.inspect()).toEqual({ ...common, branch: 'main', head: null, identity: undefined });
    expect([await git.currentCommit(), await git.status(), await git.hasCommit('0'.repeat(40))]).toEqual([null, [], false]);
  });

  it('sees a worktree, and a folder below the top', async () => {
    const { lab } = createLab();
    lab.git('app', 'worktree', 'add', '-q', '../side');
    lab.folder('side/深 い/er');
    expect(await managerOf(lab, 'side/深 い/er').inspect()).toMatchObject({
      top: lab.path('side'),
      branch: 'side',
      isWorktree: true,
    });
  });

  it.each([
    ['merge', (lab: GitLab) => fail(lab, 'merge', 'other')],
    ['rebase', (lab: GitLab) => fail(lab, 'rebase', 'other')],
    ['cherry-pick', (lab: GitLab) => fail(lab, 'cherry-pick', 'other')],
    ['revert', (lab: GitLab) => fail(lab, 'revert', 'HEAD~1')],
    ['bisect', (lab: GitLab) => lab.git('app', 'bisect', 'start')],
  ] as const)('sees a %s under way, and refuses to commit into it', async (busy, begin) => {
    const { lab, git } = createLab();
    makeConflict(lab);
    begin(lab);
    lab.write('app/new.txt', 'new\n');
    expect(await git.inspect()).toMatchObject({ busy });
    const head = headOf(lab);
    await expect(git.commit({ message: 'x', paths: ['new.txt'] })).rejects.toMatchObject({
      code: 'commit-refused',
      details: { because: 'busy', reason: `a ${busy} is under way in this repository; finish it or call it off first` },
    });
    expect(headOf(lab)).toBe(head);
  });

  it.each([
    ['no repository', 'plain', 'it is not in a git repository'],
    ['no folder', 'missing', 'there is no such folder'],
    ['a repository without files', 'bare', 'it has no files of a repository'],
    ['the inside of .git', 'app/.git/refs', 'it has no files of a repository'],
  ])('says why there is nothing: %s', async (_, name, reason) => {
    const { lab } = createLab();
    lab.folder('plain');
    lab.folder('bare');
    lab.git('bare', 'init', '-q', '--bare');
    const git = managerOf(lab, name);
    expect(await git.inspect()).toEqual({ kind: 'none', reason });
    expect([await git.currentCommit(), await git.dirtyAtStart()]).toEqual([null, []]);
    await expect(git.status()).rejects.toMatchObject({ code: 'git-unavailable', details: { path: lab.path(name), reason } });
  });

  it('says that git is not installed', async () => {
    const { lab } = createLab();
    const git = new GitManager({ root: lab.path('app'), env: { ...lab.env, PATH: lab.path('home') } });
    expect(await git.inspect()).toEqual({ kind: 'none', reason: 'git is not installed' });
  });

  it('trusts no repository of somebody else, and says how to', async () => {
    const { lab } = createLab();
    // How git's own tests give a repository to somebody else.
    lab.write('wrapped/git', `#!/bin/sh\nPATH='${lab.env.PATH}' GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec git "$@"\n`);
    chmodSync(lab.path('wrapped/git'), 0o755);
    const env = { ...lab.env, PATH: `${lab.path('wrapped')}:${lab.env.PATH}` };
    expect(await new GitManager({ root: lab.path('app'), env }).inspect()).toEqual({
      kind: 'none',
      reason: 'the repository belongs to somebody else; where you trust it, say so with git config --global --add safe.directory',
    });
  });

  it('believes no settings that say the files are elsewhere', async () => {
    const { lab, git } = createLab();
    lab.repository('victim');
    lab.git('app', 'config', 'core.worktree', lab.path('victim'));
    expect(await git.inspect()).toEqual({
      kind: 'none',
      reason: 'the settings of the repository say that its files are in another folder',
    });
  });
});

describe('commits', () => {
  it('are there, gone or no hash at all', async () => {
    const { lab, git } = createLab();
    const hash = headOf(lab);
    const tree = lab.git('app', 'rev-parse', 'HEAD^{tree}');
    lab.git('app', 'branch', 'abcdef1');
    const asked = [hash, hash.slice(0, 7), hash.toUpperCase(), 'f'.repeat(40), tree, 'abcdef1', 'HEAD', '--all', '', `${hash}~0`];
    const found = await Promise.all(asked.map((each) => git.hasCommit(each)));
    expect(found).toEqual([true, true, true, false, false, false, false, false, false, false]);
    lab.git('app', 'commit', '-q', '--amend', '-m', 'again');
    expect(await git.hasCommit(hash)).toBe(true);
    lab.git('app', 'reflog', 'expire', '--expire=now', '--all');
    lab.git('app', 'gc', '-q', '--prune=now');
    expect(await git.hasCommit(hash)).toBe(true); // the branch abcdef1 holds it
    lab.git('app', 'branch', '-D', 'abcdef1');
    lab.git('app', 'gc', '-q', '--prune=now');
    expect(await git.hasCommit(hash)).toBe(false);
    expect(await git.currentCommit()).toBe(headOf(lab));
  });
});

describe('the status', () => {
  it('tells staged, unstaged, renamed, deleted and new files apart', async () => {
    const { lab, git } = createLab();
    for (const name of ['two', 'three', 'four', 'five']) lab.write(`app/${name}.txt`, `${name}\n`.repeat(20));
    lab.git('app', 'add', '.');
    lab.git('app', 'commit', '-q', '-m', 'more');
    lab.git('app', 'mv', 'two.txt', 'zwei.txt');
    lab.write('app/three.txt', 'other\n');
    lab.git('app', 'add', 'three.txt');
    lab.write('app/three.txt', 'and more\n');
    rmSync(lab.path('app/four.txt'));
    rmSync(lab.path('app/five.txt'));
    symlinkSync('one.txt', lab.path('app/five.txt'));
    lab.write('app/sub/new.txt', 'new\n');
    expect(await git.status()).toEqual([
      { path: 'five.txt', unstaged: 'type-changed' },
      { path: 'four.txt', unstaged: 'deleted' },
      { path: 'three.txt', staged: 'modified', unstaged: 'modified' },
      { path: 'zwei.txt', from: 'two.txt', staged: 'renamed' },
      { path: 'sub/new.txt', untracked: true },
    ]);
  });

  it('keeps odd names whole, and shows those that are not UTF-8', async () => {
    const { lab, git } = createLab();
    const odd = [
      'a b.txt',
      'quote"s.txt',
      'line\nbreak.txt',
      '-dash',
      'tab\t.txt',
      '中文 ファイル.txt',
      'back\\slash',
      '* [x]?',
      '__proto__',
    ];
    for (const name of odd) lab.write(`app/${name}`, 'x');
    writeFileSync(Buffer.concat([Buffer.from(`${lab.path('app')}/bad-`), Buffer.from([0xff, 0xfe])]), 'x');
    const entries = await git.status();
    expect(
      entries
        .filter(({ unreadable }) => !unreadable)
        .map(({ path }) => path)
        .sort(),
    ).toEqual([...odd].sort());
    expect(entries.find(({ unreadable }) => unreadable)).toEqual({ path: 'bad-\\xff\\xfe', untracked: true, unreadable: true });
    const done = await git.commit({ message: 'odd names', paths: ['.'] });
    expect(done.paths).toEqual([...odd].sort());
    expect(done.leftOut).toEqual([{ path: 'bad-\\xff\\xfe', reason: 'its name is not written in UTF-8' }]);
    expect(await git.status()).toEqual([{ path: 'bad-\\xff\\xfe', untracked: true, unreadable: true }]);
  });

  it('shows conflicts and submodules', async () => {
    const { lab, git } = createLab();
    makeConflict(lab);
    lab.repository('lib');
    lab.git('app', 'submodule', '--quiet', 'add', lab.path('lib'), 'lib');
    lab.git('app', 'commit', '-q', '-m', 'with a submodule');
    lab.commit('app/lib', 'forward');
    expect(await git.status()).toEqual([{ path: 'lib', unstaged: 'modified', submodule: true }]);
    lab.git('app', 'submodule', '--quiet', 'update', '--force');
    fail(lab, 'merge', 'other');
    expect(await git.status()).toEqual([{ path: 'one.txt', conflict: true }]);
  });

  it('is about the folder of the agent, where that is below the top', async () => {
    const { lab } = createLab();
    lab.write('app/outside.txt', 'x');
    lab.write('app/packages/网 页/inside.txt', 'x');
    lab.git('app', 'mv', 'one.txt', 'packages/网 页/one.txt');
    expect(await managerOf(lab, 'app/packages/网 页').status()).toEqual([
      { path: 'one.txt', staged: 'added' },
      { path: 'inside.txt', untracked: true },
    ]);
  });
});

describe('what belongs to whom', () => {
  it('is told by what was there at the beginning, also in a later process', async () => {
    const { lab, git } = createLab();
    lab.write('app/theirs.txt', 'theirs\n');
    lab.write('app/both.txt', 'theirs\n');
    lab.write('app/mode.sh', 'x\n');
    rmSync(lab.path('app/one.txt'));
    const dirty = await git.dirtyAtStart();
    const theirs = `100644 ${lab.git('app', 'hash-object', 'theirs.txt')}`;
    expect(dirty).toEqual([
      ['both.txt', theirs],
      ['mode.sh', '100644 587be6b4c3f93f93c489c0111bba5596147a26cb'],
      ['one.txt', 'missing'],
      ['theirs.txt', theirs],
    ]);
    lab.write('app/both.txt', 'theirs\nmine\n');
    lab.write('app/mine.txt', 'mine\n');
    lab.write('app/.continuo/saved.json', '{}');
    lab.write('app/.jarvis/saved_session_code_agent_openai_x.json', '{}');
    chmodSync(lab.path('app/mode.sh'), 0o755);
    const expected = { own: ['mine.txt'], users: ['one.txt', 'theirs.txt'], mixed: ['both.txt', 'mode.sh'] };
    expect(await git.ownChanges()).toEqual(expected);
    const kept = JSON.parse(JSON.stringify(dirty)) as [string, string][];
    expect(await managerOf(lab, 'app', { dirty: kept }).ownChanges()).toEqual(expected);
    expect((await git.dirtyAtStart()).length).toBe(4);
    expect(await managerOf(lab).ownChanges()).toEqual({
      own: [],
      users: [],
      mixed: ['both.txt', 'mine.txt', 'mode.sh', 'one.txt', 'theirs.txt'],
    });
  });
});

describe('committing', () => {
  it('takes the named files alone and leaves what was staged as it was', async () => {
    const { lab, git } = createLab();
    lab.write('app/staged.txt', 'staged\n');
    lab.git('app', 'add', 'staged.txt');
    lab.write('app/dirty.txt', 'dirty\n');
    await git.dirtyAtStart();
    const before = headOf(lab);
    lab.write('app/one.txt', 'one\ntwo\n');
    lab.write('app/src/new.txt', 'new\n');
    const done = await git.commit({
      message: '  修好了 "it"; $(touch x) `y`\r\n\r\n# not a comment\n',
      paths: ['one.txt', 'src', 'staged.txt', 'dirty.txt'],
    });
    expect(done).toEqual({
      commit: headOf(lab),
      branch: 'main',
      paths: ['one.txt', 'src/new.txt'],
      leftOut: [
        { path: 'staged.txt', reason: 'it has changes from before the work began' },
        { path: 'dirty.txt', reason: 'it has changes from before the work began' },
      ],
      hooksNotRun: [],
      unsigned: false,
    });
    expect(lab.git('app', 'log', '-1', '--format=%P|%an <%ae>|%cn|%B')).toBe(
      `${before}|A <a@example.org>|A|修好了 "it"; $(touch x) \`y\`\n\n# not a comment`,
    );
    expect(lab.git('app', 'show', '--name-status', '--format=', 'HEAD')).toBe('M\tone.txt\nA\tsrc/new.txt');
    expect(porcelain(lab)).toEqual(['A  staged.txt', '?? dirty.txt']);
    expect(lab.git('app', 'reflog', '-1', '--format=%gs')).toBe('commit: 修好了 "it"; $(touch x) `y`');
    expect(lab.git('app', 'fsck', '--strict')).toBe('');
  });

  it('takes a file with earlier changes where that is asked for, and without a first look no staged one', async () => {
    const { lab, git } = createLab();
    lab.write('app/one.txt', 'staged\n');
    lab.git('app', 'add', 'one.txt');
    lab.write('app/one.txt', 'staged\nmine\n');
    const refused = git.commit({ message: 'x', paths: ['one.txt'] });
    await expect(refused).rejects.toMatchObject({
      code: 'commit-refused',
      message: 'Nothing was committed: all that was named was left out; one.txt: it has changes from before the work began.',
      details: { because: 'nothing-changed' },
    });
    expect(porcelain(lab)).toEqual(['MM one.txt']);
    expect(await git.commit({ message: 'x', paths: ['one.txt'], includeMixed: true })).toMatchObject({ paths: ['one.txt'] });
    expect(porcelain(lab)).toEqual([]);
  });

  it('takes deleted files, modes, links, and a file that became a folder', async () => {
    const { lab, git } = createLab();
    for (const name of ['gone.txt', 'run.sh', 'thing']) lab.write(`app/${name}`, `${name}\n`);
    lab.git('app', 'add', '.');
    lab.git('app', 'commit', '-q', '-m', 'more');
    rmSync(lab.path('app/gone.txt'));
    rmSync(lab.path('app/thing'));
    lab.write('app/thing/inside.txt', 'x\n');
    chmodSync(lab.path('app/run.sh'), 0o755);
    symlinkSync('one.txt', lab.path('app/link'));
    await git.commit({ message: 'x', paths: ['gone.txt', 'thing', 'run.sh', 'link'] });
    expect(porcelain(lab)).toEqual([]);
    expect(lab.git('app', 'ls-tree', '-r', '--format=%(objectmode) %(path)', 'HEAD').split('\n')).toEqual([
      '120000 link',
      '100644 one.txt',
      '100755 run.sh',
      '100644 thing/inside.txt',
    ]);
  });

  it('makes the first commit, commits on no branch, in a worktree and from a folder below', async () => {
    const lab = new GitLab();
    lab.folder('app');
    lab.git('app', 'init', '-q', '--template=');
    lab.write('home/.gitconfig', '[user]\nname = A\nemail = a@example.org\n');
    lab.write('app/one.txt', '1');
    const git = managerOf(lab);
    expect(await git.commit({ message: 'first', paths: ['one.txt'] })).toMatchObject({ commit: headOf(lab), branch: 'main' });
    lab.git('app', 'checkout', '-q', '--detach');
    lab.write('app/one.txt', '2');
    expect(await git.commit({ message: 'second', paths: ['one.txt'] })).toMatchObject({ commit: headOf(lab), branch: null });
    lab.git('app', 'worktree', 'add', '-q', '-b', 'side', '../side');
    lab.write('side/deep/two.txt', '2');
    lab.write('side/three.txt', '3');
    const side = await managerOf(lab, 'side/deep').commit({ message: 'third', paths: ['two.txt', '../three.txt'] });
    expect(side).toMatchObject({
      branch: 'side',
      paths: ['two.txt'],
      leftOut: [{ path: '../three.txt', reason: 'it is outside of the folder' }],
    });
    expect(lab.git('side', 'show', '--name-only', '--format=', 'HEAD')).toBe('deep/two.txt');
    expect([porcelain(lab), porcelain(lab, 'side')]).toEqual([[], ['?? three.txt']]);
  });

  it('commits in folders with any name, and with the longer hashes', async () => {
    const lab = new GitLab();
    const name = lab.folder("项 目's");
    lab.git(name, 'init', '-q', '--template=', '--object-format=sha256');
    lab.write('home/.gitconfig', '[user]\nname = A\nemail = a@example.org\n');
    const git = managerOf(lab, name);
    lab.write(`${name}/一.txt`, '1');
    lab.write(`${name}/二.txt`, '2');
    await git.commit({ message: 'first', paths: ['.'] });
    rmSync(lab.path(name, '一.txt'));
    lab.write(`${name}/二.txt`, '3');
    const done = await git.commit({ message: 'second', paths: ['一.txt', '二.txt'] });
    expect(done.commit).toMatch(/^[0-9a-f]{64}$/);
    expect([await git.hasCommit(done.commit), porcelain(lab, name)]).toEqual([true, []]);
  });

  it('keeps line ends as the repository wants them', async () => {
    const { lab, git } = createLab();
    lab.write('app/.gitattributes', '* text=auto\n');
    lab.write('app/crlf.txt', 'a\r\nb\r\n');
    await git.commit({ message: 'x', paths: ['.'] });
    expect(lab.git('app', 'cat-file', 'blob', 'HEAD:crlf.txt')).toBe('a\nb');
    expect(porcelain(lab)).toEqual([]);
  });

  it('leaves out secrets, its own files, repositories inside and what is ignored', async () => {
    const { lab, git } = createLab();
    lab.write('app/.gitignore', 'out/\n');
    for (const name of ['.env', 'keys/id_rsa', '.continuo/saved.json', '.jarvis/saved_session_x.json', 'out/x.js', 'good.txt'])
      lab.write(`app/${name}`, 'x');
    lab.repository('app/nested');
    const done = await git.commit({ message: 'x', paths: ['.', 'out/x.js', '.env', '/etc/passwd', '../x', 'missing'] });
    expect(done.paths).toEqual(['.gitignore', 'good.txt']);
    expect([...done.leftOut].sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: '../x', reason: 'it is outside of the folder' },
      { path: '.continuo/saved.json', reason: 'it belongs to Continuo' },
      { path: '.env', reason: 'this file often holds secrets' },
      { path: '.jarvis/saved_session_x.json', reason: 'it belongs to Continuo' },
      { path: '/etc/passwd', reason: 'it is outside of the folder' },
      { path: 'keys/id_rsa', reason: 'this file often holds secrets' },
      { path: 'missing', reason: 'it has not changed, or git ignores it' },
      { path: 'nested/', reason: 'it is a repository of its own' },
      { path: 'out/x.js', reason: 'it has not changed, or git ignores it' },
    ]);
  });

  it('refuses without a person, naming the two commands', async () => {
    const { lab, git } = createLab(false);
    lab.write('app/one.txt', 'x');
    await expect(git.commit({ message: 'x', paths: ['one.txt'] })).rejects.toMatchObject({
      code: 'commit-refused',
      details: {
        because: 'no-identity',
        reason: expect.stringMatching(/git config --global user\.name .* git config --global user\.email /),
      },
    });
    const env = { ...lab.env, GIT_COMMITTER_NAME: 'C', GIT_COMMITTER_EMAIL: 'c@example.org' };
    const author = { name: 'B', email: 'b@example.org' };
    await new GitManager({ root: lab.path('app'), env }).commit({ message: 'x', paths: ['one.txt'], author });
    expect(lab.git('app', 'log', '-1', '--format=%an %ae %cn %ce')).toBe('B b@example.org C c@example.org');
  });

  it('refuses what cannot be: an empty message, a forged author, nothing changed, a lock', async () => {
    const { lab, git } = createLab();
    const refusal = (because: string) => ({ code: 'commit-refused', details: { because } });
    await expect(git.commit({ message: ' \n', paths: ['.'] })).rejects.toMatchObject(refusal('invalid-message'));
    await expect(git.commit({ message: 'a\0b', paths: ['.'] })).rejects.toMatchObject(refusal('invalid-message'));
    await expect(git.commit({ message: 'x', paths: ['one.txt'] })).rejects.toMatchObject(refusal('nothing-changed'));
    await expect(git.commit({ message: 'x', paths: [] })).rejects.toMatchObject(refusal('nothing-changed'));
    lab.write('app/one.txt', 'x');
    const forged = { name: 'A\ncommitter B', email: 'a@example.org' };
    await expect(git.commit({ message: 'x', paths: ['.'], author: forged })).rejects.toMatchObject(refusal('invalid-person'));
    lab.write('app/.git/index.lock', '');
    await expect(git.commit({ message: 'x', paths: ['.'] })).rejects.toMatchObject(refusal('locked'));
    expect(existsSync(lab.path('app/.git/index.lock'))).toBe(true);
    rmSync(lab.path('app/.git/index.lock'));
    expect(lab.git('app', 'rev-list', '--count', 'HEAD')).toBe('1');
  });

  it('refuses over files in conflict that no merge is to be seen of', async () => {
    const { lab, git } = createLab();
    makeConflict(lab);
    fail(lab, 'merge', 'other');
    rmSync(lab.path('app/.git/MERGE_HEAD'));
    await expect(git.commit({ message: 'x', paths: ['.'] })).rejects.toMatchObject({ details: { because: 'conflict' } });
  });

  it('of two at once makes one after the other or refuses one, and loses nothing', async () => {
    const { lab, git } = createLab();
    const names = ['a', 'b', 'c', 'd'].map((name) => `${name}.txt`);
    for (const name of names) lab.write(`app/${name}`, name);
    const made = await Promise.allSettled(names.map((name) => git.commit({ message: name, paths: [name] })));
    const done = made.filter(({ status }) => status === 'fulfilled').length;
    expect(done).toBeGreaterThan(0);
    for (const one of made) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'commit-refused' });
    expect(lab.git('app', 'rev-list', '--count', 'HEAD')).toBe(String(1 + done));
    expect(porcelain(lab).length).toBe(names.length - done);
    expect(existsSync(lab.path('app/.git/index.lock'))).toBe(false);
  });

  it('runs no hooks and signs nothing, and says so', async () => {
    const { lab, git } = createLab();
    for (const hook of ['pre-commit', 'commit-msg', 'post-commit', 'pre-push']) {
      lab.write(`app/.git/hooks/${hook}`, `#!/bin/sh\ntouch ${lab.path('sprung')}\nexit 1\n`);
      chmodSync(lab.path('app/.git/hooks', hook), 0o755);
    }
    lab.write('app/.git/hooks/prepare-commit-msg', 'not executable');
    lab.git('app', 'config', 'commit.gpgSign', 'true');
    lab.write('app/one.txt', 'x');
    const done = await git.commit({ message: 'x', paths: ['one.txt'] });
    expect(done).toMatchObject({ hooksNotRun: ['commit-msg', 'post-commit', 'pre-commit'], unsigned: true });
    expect(existsSync(lab.path('sprung'))).toBe(false);
  });

  it('changes nothing where it is called off', async () => {
    const { lab, git } = createLab();
    lab.write('app/one.txt', 'x');
    const reason = new Error('enough');
    const commit = git.commit({ message: 'x', paths: ['one.txt'], signal: AbortSignal.abort(reason) });
    await expect(commit).rejects.toBe(reason);
    expect(porcelain(lab)).toEqual([' M one.txt'].map((line) => line.trim()));
  });
});

/** Branches main and other that changed the same line. */
function makeConflict(lab: GitLab): void {
  lab.git('app', 'checkout', '-q', '-b', 'other');
  lab.write('app/one.txt', 'other\n');
  lab.git('app', 'commit', '-q', '-am', 'other');
  lab.git('app', 'checkout', '-q', 'main');
  for (const text of ['main', 'main again']) {
    lab.write('app/one.txt', `${text}\n`);
    lab.git('app', 'commit', '-q', '-am', text);
  }
}

/** Runs git where it stops over a conflict. */
function fail(lab: GitLab, ...args: string[]): void {
  expect(() => lab.git('app', ...args)).toThrow();
}
