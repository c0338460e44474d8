// What is found out about a folder, with real repositories of every kind, and with git missing, refusing or slow.
import { chmodSync, mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gatherEvidence, writeMarker } from '../../src/project/project.ts';
import { GitLab } from '../support/git-lab.ts';
import { needs } from '../support/require-system.ts';

describe('the evidence of a folder', () => {
  it('without git and marker is its real path and name', async () => {
    const lab = new GitLab();
    lab.folder('我的 笔记');
    lab.link('我的 笔记', 'link');
    expect(await lab.gather('link')).toEqual({ path: lab.path('我的 笔记'), name: '我的 笔记' });
  });

  it('in a marked folder is the marker, and the folder that holds it', async () => {
    const lab = new GitLab();
    lab.folder('notes/2026');
    const { id } = await writeMarker(lab.path('notes'));
    expect(await lab.gather('notes/2026')).toEqual({ path: lab.path('notes'), name: 'notes', marker: id });
  });

  it('in a repository is where its history begins and where it is fetched from', async () => {
    const lab = new GitLab();
    lab.repository('app', 'https://me:hunter2@GitHub.com:443/me/app.git');
    lab.git('app', 'remote', 'add', 'backup', '../backup.git');
    const { id } = await writeMarker(lab.path('app'));
    lab.folder('app/src/深');
    const root = lab.rootOf('app');
    expect(await lab.gather('app/src/深')).toEqual({
      path: lab.path('app'),
      name: 'app',
      marker: id,
      git: {
        rootCommits: [root],
        mainRoot: root,
        remotes: [lab.path('backup'), 'github.com/me/app'],
        origin: 'github.com/me/app',
        shallow: false,
      },
    });
  });

  it('holds every beginning, sorted, and the one of the main line', async () => {
    const lab = new GitLab();
    for (const name of ['app', 'b', 'c', 'd']) lab.repository(name);
    for (const name of ['b', 'c', 'd']) {
      lab.git('app', 'fetch', '-q', lab.path(name), 'main');
      lab.git('app', 'merge', '-q', '--allow-unrelated-histories', '-m', name, 'FETCH_HEAD');
    }
    // What was merely fetched is somebody else's.
    lab.git('app', 'fetch', '-q', lab.path(lab.repository('e')), 'main:refs/remotes/e/main');
    const roots = ['app', 'b', 'c', 'd'].map((name) => lab.rootOf(name, 'HEAD').split('\n'));
    const mainRoot = lab.git('app', 'rev-list', '--first-parent', '--max-parents=0', 'HEAD');
    expect((await lab.gather('app')).git).toEqual({ rootCommits: roots[0]?.sort(), mainRoot, remotes: [], shallow: false });
    expect(roots[0]).toHaveLength(4);
  });

  it('in a shallow clone says that its beginning is not known', async () => {
    const lab = new GitLab();
    lab.repository('server');
    lab.git('.', 'clone', '-q', '--depth=1', `file://${lab.path('server')}`, lab.path('app'));
    const origin = lab.path('server');
    expect((await lab.gather('app')).git).toEqual({ rootCommits: [], remotes: [origin], origin, shallow: true });
  });

  it('before the first commit is a repository without beginnings', async () => {
    const lab = new GitLab();
    lab.folder('app');
    lab.git('app', 'init', '-q');
    expect(await lab.gather('app')).toEqual({
      path: lab.path('app'),
      name: 'app',
      git: { rootCommits: [], remotes: [], shallow: false },
    });
  });

  it('in a worktree names the folder of the repository; in a submodule nothing but itself', async () => {
    const lab = new GitLab();
    lab.repository('app');
    lab.git('app', 'worktree', 'add', '-q', '--detach', lab.path('side\nline'));
    lab.git('app', 'submodule', '--quiet', 'add', lab.path(lab.repository('library')), 'library');
    const [app, library] = [lab.rootOf('app'), lab.rootOf('library')];
    expect([await lab.gather('side\nline'), await lab.gather('app/library')]).toEqual([
      {
        path: lab.path('side\nline'),
        name: 'side\nline',
        git: { rootCommits: [app], mainRoot: app, remotes: [], shallow: false, mainPath: lab.path('app') },
      },
      {
        path: lab.path('app/library'),
        name: 'library',
        git: {
          rootCommits: [library],
          mainRoot: library,
          remotes: [lab.path('library')],
          origin: lab.path('library'),
          shallow: false,
        },
      },
    ]);
  });

  it('inside .git is the repository, and in a bare repository that one', async () => {
    const lab = new GitLab();
    lab.repository('app');
    lab.git('.', 'clone', '-q', '--bare', lab.path('app'), lab.path('server.git'));
    const [inside, bare] = [await lab.gather('app/.git/refs'), await lab.gather('server.git')];
    expect([inside.path, bare.path, bare.name]).toEqual([lab.path('app'), lab.path('server.git'), 'server']);
    expect(bare.git?.rootCommits).toEqual(inside.git?.rootCommits);
  });

  it("takes no notice of an empty .git, and reads the person's own short forms of addresses", async () => {
    const lab = new GitLab();
    lab.repository('app', 'gh:me/app');
    lab.folder('app/part/.git');
    lab.write('home/.gitconfig', '[url "https://github.com/"]\n  insteadOf = gh:\n[url "https://wrong/"]\n  insteadOf = g\n');
    expect((await lab.gather('app/part')).git?.origin).toBe('github.com/me/app');
  });

  it('does not depend on where the environment points git', async () => {
    const lab = new GitLab();
    lab.repository('app');
    lab.repository('other');
    const git = lab.path('other/.git');
    const env = {
      ...lab.env,
      GIT_DIR: git,
      GIT_WORK_TREE: lab.path('other'),
      GIT_COMMON_DIR: git,
      GIT_OBJECT_DIRECTORY: `${git}/objects`,
    };
    expect(await lab.gather('app', { env })).toEqual(await lab.gather('app'));
  });

  it('changes nothing in the folder', async () => {
    const lab = new GitLab();
    lab.repository('app');
    const list = () => readdirSync(lab.path('app'), { recursive: true }).sort();
    const before = list();
    await lab.gather('app');
    expect(list()).toEqual(before);
  });
});

describe('where git does not help, the folder is known by its path', () => {
  it('without the program', async () => {
    const lab = new GitLab();
    lab.repository('app');
    expect(await lab.gather('app', { env: { PATH: lab.path('home') } })).toEqual({
      path: lab.path('app'),
      name: 'app',
      gitProblem: 'missing',
    });
  });

  it('in a repository of somebody else', async () => {
    const lab = new GitLab();
    lab.repository('app');
    // What git itself offers to try it without a second person.
    wrapGit(lab, 'export GIT_TEST_ASSUME_DIFFERENT_OWNER=1');
    const env = { ...lab.env, PATH: lab.path('wrapped') };
    expect(await lab.gather('app', { env })).toEqual({ path: lab.path('app'), name: 'app', gitProblem: 'refused' });
    lab.write('home/.gitconfig', `[safe]\n  directory = ${lab.path('app')}\n`);
    expect((await lab.gather('app', { env })).git?.rootCommits).toEqual([lab.rootOf('app')]);
  });

  it('in a damaged repository', async () => {
    const lab = new GitLab();
    lab.repository('app');
    lab.write('app/.git/config', '[core\nnonsense');
    expect(await lab.gather('app')).toEqual({ path: lab.path('app'), name: 'app', gitProblem: 'refused' });
    lab.write('other/.git', 'gitdir: /nowhere/at/all\n');
    expect(await lab.gather('other')).toEqual({ path: lab.path('other'), name: 'other', gitProblem: 'refused' });
  });

  it('with a program that never answers', async () => {
    const lab = new GitLab();
    lab.repository('app');
    slowGit(lab, '*');
    expect(await lab.gather('app', { env: { PATH: lab.path('wrapped') }, gitMilliseconds: 200 })).toEqual({
      path: lab.path('app'),
      name: 'app',
      gitProblem: 'limit',
    });
  });

  it('and by its remotes where the history is too long to walk', async () => {
    const lab = new GitLab();
    lab.repository('app', 'https://github.com/me/app');
    slowGit(lab, '*rev-list*');
    const { git } = await lab.gather('app', { env: { ...lab.env, PATH: lab.path('wrapped') }, gitMilliseconds: 1_500 });
    expect(git).toEqual({
      rootCommits: [],
      remotes: ['github.com/me/app'],
      origin: 'github.com/me/app',
      shallow: false,
      incomplete: true,
    });
  });

  it('and by its main line where only that can be walked in time', async () => {
    const lab = new GitLab();
    lab.repository('app');
    slowGit(lab, '*--branches*');
    const root = lab.rootOf('app');
    const { git } = await lab.gather('app', { env: { ...lab.env, PATH: lab.path('wrapped') }, gitMilliseconds: 1_500 });
    expect(git).toEqual({ rootCommits: [root], mainRoot: root, remotes: [], shallow: false, incomplete: true });
  });
});

describe('gathering', () => {
  it('ends when it is cancelled', async () => {
    const lab = new GitLab();
    lab.repository('app');
    slowGit(lab, '*');
    const stop = new AbortController();
    const gathered = lab.gather('app', { env: { PATH: lab.path('wrapped') }, signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 100);
    await expect(gathered).rejects.toThrow('enough');
    await expect(lab.gather('app', { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before');
  });

  it('refuses what is no folder', async () => {
    const lab = new GitLab();
    lab.write('file', 'x');
    await expect(lab.gather('nothing')).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(lab.gather('file')).rejects.toMatchObject({ code: 'unsafe-path' });
  });

  it.runIf(needs(process.platform === 'linux', 'file names of any bytes'))('refuses names that are no text', async () => {
    const lab = new GitLab();
    const name = Buffer.concat([Buffer.from(`${lab.root}/`), Buffer.from([0x66, 0xff])]);
    mkdirSync(name);
    symlinkSync(name, lab.path('link'));
    await expect(gatherEvidence(lab.path('link'))).rejects.toMatchObject({ code: 'unsafe-path' });
  });
});

/** A git that hangs where its arguments fit the pattern of the shell, and is the real one elsewhere. */
function slowGit(lab: GitLab, pattern: string): void {
  wrapGit(lab, `case "$*" in ${pattern.replaceAll('-', '\\-')}) exec /bin/sleep 60;; esac`);
}

function wrapGit(lab: GitLab, before: string): void {
  const real = (process.env.PATH ?? '').split(':').find((folder) => readdirIfThere(folder).includes('git')) ?? '/usr/bin';
  lab.folder('wrapped');
  writeFileSync(lab.path('wrapped/git'), `#!/bin/sh\n${before}\nexec ${realpathSync(join(real, 'git'))} "$@"\n`);
  chmodSync(lab.path('wrapped/git'), 0o755);
}

function readdirIfThere(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
