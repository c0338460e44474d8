import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { GitLab } from '../../../test/support/git-lab.ts';
import { GitManager } from './git-manager.ts';

function createLab(): { lab: GitLab; git: GitManager } {
  const lab = new GitLab();
  lab.repository('app');
  lab.write('app/one.txt', 'one\n');
  lab.git('app', 'add', '.');
  lab.commit('app', 'one');
  lab.git('app', 'config', 'user.name', 'A');
  lab.git('app', 'config', 'user.email', 'a@example.org');
  return { lab, git: new GitManager({ root: lab.path('app'), env: lab.env }) };
}

describe('a hostile repository', () => {
  it('runs nothing, whatever is asked of it, and stores no file without its filter', async () => {
    const { lab, git } = createLab();
    lab.write('trap', `#!/bin/sh\ntouch ${lab.path('sprung')}\ncat\n`);
    chmodSync(lab.path('trap'), 0o755);
    const trap = lab.path('trap');
    lab.write('app/more.settings', `[filter "included"]\nclean = ${trap}\n`);
    const settings = {
      ...{ 'core.fsmonitor': trap, 'core.hooksPath': lab.path('hooks'), 'core.pager': trap, 'core.editor': trap },
      ...{ 'filter.x.clean': trap, 'filter.x.smudge': trap, 'filter.x.process': trap, 'filter.x.required': 'true' },
      ...{ 'filter.a.b c.clean': trap, 'diff.external': trap, 'diff.x.textconv': trap, 'diff.x.command': trap },
      ...{ 'gpg.program': trap, 'commit.gpgSign': 'true', 'include.path': '../more.settings', 'core.alternateRefsCommand': trap },
    };
    for (const [name, value] of Object.entries(settings)) lab.git('app', 'config', name, value);
    mkdirSync(lab.path('hooks'));
    for (const hook of ['pre-commit', 'post-index-change', 'reference-transaction', 'post-commit']) {
      lab.write(`hooks/${hook}`, `#!/bin/sh\nexec ${trap}\n`);
      chmodSync(lab.path('hooks', hook), 0o755);
    }
    lab.write('app/.gitattributes', '*.x filter=x diff=x\n*.y filter=included\n*.txt diff=x\n');
    for (const name of ['one.txt', 'a.x', 'b.y']) lab.write(`app/${name}`, 'changed\n');
    rmSync(lab.path('sprung'), { force: true });
    await git.inspect();
    await git.status();
    await git.ownChanges();
    const done = await git.commit({ message: 'x', paths: ['.'] });
    expect(done).toMatchObject({ paths: ['.gitattributes', 'more.settings', 'one.txt'] });
    expect(done.leftOut.map(({ path, reason }) => [path, reason])).toEqual([
      ['a.x', 'it wants a filter that only this repository defines, and that is not run'],
      ['b.y', 'it wants a filter that only this repository defines, and that is not run'],
    ]);
    expect(existsSync(lab.path('sprung'))).toBe(false);
    spawnSync('git', ['-C', lab.path('app'), 'add', '.'], { env: lab.env, stdio: 'ignore' });
    expect(existsSync(lab.path('sprung'))).toBe(true);
  });

  it('is not used at all where a program in its settings cannot be switched off', async () => {
    const { lab, git } = createLab();
    lab.write(
      'app/.git/config',
      `${readFileSync(lab.path('app/.git/config'), 'utf8')}[filter "a=b"]\nclean = touch ${lab.path('sprung')}\n`,
    );
    expect(await git.inspect()).toEqual({
      kind: 'none',
      reason: 'the settings of the repository name a program in a way that cannot be switched off',
    });
  });

  it('runs the filters of the person, who has set them for all repositories', async () => {
    const { lab, git } = createLab();
    lab.write('home/.gitconfig', '[filter "mine"]\nclean = tr a-z A-Z\n');
    lab.write('app/.gitattributes', '*.up filter=mine\n');
    lab.write('app/a.up', 'loud\n');
    await git.commit({ message: 'x', paths: ['.'] });
    expect(lab.git('app', 'cat-file', 'blob', 'HEAD:a.up')).toBe('LOUD');
    expect(lab.git('app', 'status', '--porcelain')).toBe('');
  });
});
