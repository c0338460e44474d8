// A repository somebody else made: whatever its settings say, looking at it runs nothing, fetches nothing and names no other folder.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { collectKnownProjects, createPlace, formatPlace, matchProject } from '../../src/project/project.ts';
import { GitLab } from '../support/git-lab.ts';

describe('a hostile repository', () => {
  it('runs none of the programs its settings name', async () => {
    const lab = new GitLab();
    lab.repository('app');
    const trap = setTrap(lab);
    const settings: Record<string, string> = {
      'core.fsmonitor': trap,
      'core.hooksPath': lab.path('hooks'),
      'core.pager': trap,
      'core.editor': trap,
      'core.sshCommand': trap,
      'core.gitProxy': trap,
      'core.askPass': trap,
      'core.alternateRefsCommand': trap,
      'pager.rev-list': trap,
      'pager.config': trap,
      'pager.rev-parse': trap,
      'alias.rev-list': `!${trap}`,
      'alias.rev-parse': `!${trap}`,
      'alias.config': `!${trap}`,
      'credential.helper': `!${trap}`,
      'diff.external': trap,
      'filter.x.clean': trap,
      'filter.x.smudge': trap,
      'filter.x.process': trap,
      'gpg.program': trap,
      'log.showSignature': 'true',
      'uploadpack.packObjectsHook': trap,
      'trace2.eventTarget': lab.path('trace'),
    };
    for (const [name, value] of Object.entries(settings)) lab.git('app', 'config', name, value);
    for (const hook of ['post-index-change', 'post-checkout', 'reference-transaction', 'pre-auto-gc']) {
      lab.write(`hooks/${hook}`, `#!/bin/sh\nexec ${trap}\n`);
      chmodSync(lab.path('hooks', hook), 0o755);
    }
    lab.write('app/.gitattributes', '* filter=x diff=x\n');
    rmSync(lab.path('sprung'), { force: true });
    const { git } = await lab.gather('app');
    expect(git?.rootCommits).toHaveLength(1);
    expect(existsSync(lab.path('sprung'))).toBe(false);
    springs(lab, 'status');
  });

  it.each(['ext', 'ssh', 'local'])('fetches none of its missing objects over %s', async (way) => {
    const lab = new GitLab();
    lab.repository('app');
    const trap = setTrap(lab);
    const url = { ext: `ext::${trap}`, ssh: 'ssh://host/app', local: lab.path('server') }[way] as string;
    lab.repository('server');
    lab.git('app', 'remote', 'add', 'origin', url);
    for (const [name, value] of Object.entries({
      'core.repositoryFormatVersion': '1',
      'extensions.partialClone': 'origin',
      'remote.origin.promisor': 'true',
      'remote.origin.uploadpack': trap,
      'core.sshCommand': trap,
      'protocol.allow': 'always',
      'protocol.ext.allow': 'always',
    }))
      lab.git('app', 'config', name, value);
    const root = lab.rootOf('app');
    rmSync(lab.path('app/.git/objects', root.slice(0, 2), root.slice(2)));
    const began = performance.now();
    expect((await lab.gather('app')).git?.rootCommits).toEqual([]);
    expect(existsSync(lab.path('sprung'))).toBe(false);
    expect(performance.now() - began).toBeLessThan(10_000);
    springs(lab, 'rev-list', 'HEAD');
  });

  it('cannot say that it is another folder', async () => {
    const lab = new GitLab();
    lab.repository('victim');
    lab.repository('app');
    lab.git('app', 'config', 'core.worktree', lab.path('victim'));
    expect((await lab.gather('app')).path).toBe(lab.path('app'));
  });

  it('cannot invent a beginning with grafts and replacements', async () => {
    const lab = new GitLab();
    lab.repository('app');
    lab.commit('app', 'third');
    const [root, second] = [lab.rootOf('app'), lab.git('app', 'rev-parse', 'HEAD~1')];
    lab.git('app', 'replace', '--graft', 'HEAD');
    lab.write('app/.git/info/grafts', `${second}\n`);
    expect(lab.rootOf('app')).not.toBe(root);
    expect((await lab.gather('app')).git?.rootCommits).toEqual([root]);
  });

  it('is never believed to have been here before, whatever project it claims to be', async () => {
    const lab = new GitLab();
    lab.repository('private', 'https://git.example.org/secret/plan');
    const evidence = await lab.gather('private');
    const { key } = matchProject(evidence, []);
    const known = collectKnownProjects([{ project: key, meta: { place: formatPlace(createPlace(evidence)) }, activeAt: 1 }]);
    lab.repository('claims', 'https://git.example.org/secret/plan');
    expect(matchProject(await lab.gather('claims'), known)).toEqual({
      key,
      how: 'remote',
      confidence: 'medium',
      alsoFits: [],
      seenHere: false,
    });
  });

  it('runs no program that lies in it, also where the path of programs has a place for that', async () => {
    const lab = new GitLab();
    lab.repository('app');
    lab.write('app/git', `#!/bin/sh\nexec ${setTrap(lab)}\n`);
    chmodSync(lab.path('app/git'), 0o755);
    const env = { ...lab.env, PATH: `.:${lab.env.PATH}` };
    expect((await lab.gather('app', { env })).git?.rootCommits).toHaveLength(1);
    expect(existsSync(lab.path('sprung'))).toBe(false);
  });
});

function setTrap(lab: GitLab): string {
  lab.write('trap', `#!/bin/sh\ntouch ${lab.path('sprung')}\nexit 1\n`);
  chmodSync(lab.path('trap'), 0o755);
  return lab.path('trap');
}

/** That the trap is set: a git that may do what the settings say falls into it. */
function springs(lab: GitLab, ...args: string[]): void {
  spawnSync('git', ['-C', lab.path('app'), ...args], { env: lab.env, stdio: 'ignore' });
  expect(existsSync(lab.path('sprung'))).toBe(true);
}
