import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SmallProject } from '../../../test/support/small-project.ts';
import { LintManager } from './lint-manager.ts';

const signal = new AbortController().signal;

/** Says which files it was given, and complains about those with a bad word in them. */
const fakeLinter = `
const { readFileSync } = require('node:fs');
const { basename } = require('node:path');
const files = process.argv.slice(2).filter((word) => word !== 'lint' && word !== 'check' && !word.startsWith('--'));
console.log(JSON.stringify([basename(process.cwd()), files]));
const bad = files.filter((file) => readFileSync(file, 'utf8').includes('bad'));
for (const file of bad) console.log(file + ': a bad word');
process.exit(bad.length > 0 ? 1 : 0);
`;

function managerOf(project: SmallProject, env: Record<string, string> = {}): LintManager {
  return new LintManager({ root: project.root, runner: project.runner, env });
}

function createProject(files: Record<string, string>): SmallProject {
  const project = new SmallProject(files);
  for (const name of ['eslint', 'biome', 'ruff']) project.program(`node_modules/.bin/${name}`, fakeLinter);
  return project;
}

describe('linting', () => {
  it('runs over the changed files alone, and passes what they hold', async () => {
    const project = createProject({ 'eslint.config.js': '', 'a.ts': 'bad', 'b.ts': 'good', 'c.ts': 'bad', 'readme.md': 'bad' });
    const manager = managerOf(project);
    expect(await manager.lint({ changed: ['b.ts', 'readme.md'], signal })).toEqual({
      ok: true,
      outcome: 'passed',
      runs: [
        {
          ...{ linter: 'eslint', files: ['b.ts'], command: 'node_modules/.bin/eslint b.ts', folder: '' },
          ...{ why: 'eslint because of eslint.config.js', ran: true, ok: true, exitCode: 0, milliseconds: expect.any(Number) },
          output: expect.stringContaining('["b.ts"]'),
        },
      ],
      notes: [],
    });
    const failing = await manager.lint({ changed: ['a.ts', 'b.ts'], signal });
    expect(failing).toMatchObject({
      ok: false,
      outcome: 'failed',
      runs: [{ exitCode: 1, output: expect.stringContaining('a.ts: a bad word') }],
    });
  });

  it('needs the settings and the program', async () => {
    const without = createProject({ 'a.ts': '' });
    expect(await managerOf(without).lint({ changed: ['a.ts'], signal })).toEqual({
      ok: true,
      outcome: 'nothing-found',
      runs: [],
      notes: [],
    });
    const missing = new SmallProject({ '.eslintrc.json': '{}', 'a.ts': '' });
    expect(await managerOf(missing).lint({ changed: ['a.ts'], signal })).toEqual({
      ...{ ok: true, outcome: 'nothing-found', runs: [] },
      notes: ['eslint is set up in .eslintrc.json but not installed, and was not run'],
    });
    expect(missing.commands).toEqual([]);
  });

  it('knows the settings in files that others share', async () => {
    const project = createProject({
      'package.json': '{"eslintConfig":{}}',
      'a.js': '',
      'py/pyproject.toml': '[tool.ruff.lint]\n',
      'py/a.py': '',
      'other/pyproject.toml': '[tool.poetry]\n',
      'other/a.py': '',
    });
    const jobs = await managerOf(project).detect({ changed: ['a.js', 'py/a.py', 'other/a.py'] });
    expect(jobs.map(({ tool, folder, config, files, program }) => [tool.name, folder, config, files, program])).toEqual([
      ['eslint', '', 'package.json', ['a.js'], 'node_modules/.bin/eslint'],
      ['ruff', 'py', 'py/pyproject.toml', ['py/a.py'], '../node_modules/.bin/ruff'],
    ]);
  });

  it('runs where the nearest settings are, with every linter that has some', async () => {
    const project = createProject({
      'biome.json': '{}',
      'packages/web/eslint.config.mjs': '',
      'packages/web/src/a.ts': '',
      'packages/api/b.ts': '',
    });
    const { runs } = await managerOf(project).lint({ changed: ['packages/web/src/a.ts', 'packages/api/b.ts'], signal });
    expect(runs.map(({ command, ok }) => [command, ok])).toEqual([
      ['node_modules/.bin/biome lint --no-errors-on-unmatched packages/api/b.ts packages/web/src/a.ts', true],
      ['cd packages/web && ../../node_modules/.bin/eslint src/a.ts', true],
    ]);
  });

  it('hands over every name as it is', async () => {
    const odd = [
      '$(touch pwned).ts',
      '-rf.ts',
      '; touch pwned;.ts',
      'a b.ts',
      "it's.ts",
      'line\nbreak.ts',
      '`x`.ts',
      '中文.ts',
    ].sort();
    const project = createProject({ 'eslint.config.js': '', ...Object.fromEntries(odd.map((name) => [name, ''])) });
    const report = await managerOf(project).lint({ changed: odd, signal });
    expect(report).toMatchObject({ ok: true, outcome: 'passed' });
    const [, seen] = JSON.parse(report.runs[0]?.output ?? '') as [string, string[]];
    expect(seen).toEqual(odd.map((name) => (name.startsWith('-') ? `./${name}` : name)));
  });

  it('leaves out what is gone, a link, a folder and what is outside', async () => {
    const project = createProject({ 'eslint.config.js': '', 'a.ts': '', 'gone.ts': '' });
    const outside = new SmallProject({ 'x.ts': '' });
    rmSync(join(project.root, 'gone.ts'));
    mkdirSync(join(project.root, 'folder.ts'));
    symlinkSync(join(project.root, 'a.ts'), join(project.root, 'link.ts'));
    symlinkSync(outside.root, join(project.root, 'away'));
    const changed = [
      'a.ts',
      'a.ts',
      'gone.ts',
      'folder.ts',
      'link.ts',
      'away/x.ts',
      '../x.ts',
      join(outside.root, 'x.ts'),
      '.continuo/x.ts',
    ];
    expect((await managerOf(project).detect({ changed })).map(({ files }) => files)).toEqual([['a.ts']]);
  });

  it('runs in batches where there are many files', async () => {
    const names = Array.from({ length: 450 }, (_, at) => `file-${String(at).padStart(3, '0')}.ts`);
    const project = createProject({ 'eslint.config.js': '', ...Object.fromEntries(names.map((name) => [name, ''])) });
    const { runs, ok } = await managerOf(project).lint({ changed: names, signal });
    const seen = runs.map(({ output }) => (JSON.parse(output) as [string, string[]])[1]);
    expect([ok, seen.map((files) => files.length), seen.flat()]).toEqual([true, [200, 200, 50], names]);
  });

  it('finds programs of the machine in absolute folders of PATH alone', async () => {
    const project = new SmallProject({ '.shellcheckrc': '', 'a.sh': '', 'go.mod': '', 'pkg/a.go': '', 'b.go': '' });
    const machine = new SmallProject();
    for (const name of ['shellcheck', 'go']) machine.program(`bin/${name}`, '');
    project.program('shellcheck', '');
    const changed = ['a.sh', 'pkg/a.go', 'b.go'];
    const programs = async (PATH: string) =>
      (await managerOf(project, { PATH }).detect({ changed })).map(({ program }) => program);
    expect(await programs(`.::${join(machine.root, 'bin')}`)).toEqual(['shellcheck', 'go']);
    expect(await programs('.:bin')).toEqual([undefined, undefined]);
  });

  it('gives folders to a linter of whole packages', async () => {
    const project = new SmallProject({ 'go.mod': '', 'pkg/a.go': '', 'pkg/b.go': '', 'c.go': '' });
    const machine = new SmallProject();
    machine.program('go', '');
    const heard: string[] = [];
    const runner = {
      run: async (command: string) => {
        heard.push(command);
        return { ran: false as const, reason: 'no' };
      },
    };
    const manager = new LintManager({ root: project.root, runner, env: { PATH: machine.root } });
    const report = await manager.lint({ changed: ['pkg/a.go', 'pkg/b.go', 'c.go'], signal });
    expect(heard).toEqual(['go vet . ./pkg']);
    expect(report).toMatchObject({ ok: true, outcome: 'not-run', runs: [{ ran: false, reason: 'no' }] });
  });
});
