import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { needs } from '../../../test/support/require-system.ts';
import { SmallProject } from '../../../test/support/small-project.ts';
import { createQuickFolder } from '../../../test/support/temporary-folder.ts';
import { BuildValidationManager } from './build-validation-manager.ts';

const signal = new AbortController().signal;
const has = (program: string, ...args: string[]) => spawnSync(program, args, { stdio: 'ignore' }).status === 0;

function managerOf(project: SmallProject, command?: string): BuildValidationManager {
  return new BuildValidationManager({ root: project.root, runner: project.runner, command });
}

const packageOf = (scripts: Record<string, string>, more: object = {}) => JSON.stringify({ scripts, ...more });

describe('the checks of a project', () => {
  const cases: Record<string, [Record<string, string>, string[]]> = {
    'npm scripts, the quick ones first': [
      { 'package.json': packageOf({ test: 'x', build: 'x', typecheck: 'x', check: 'x', start: 'x' }) },
      ['npm run check', 'npm run typecheck', 'npm run build', 'npm run test'],
    ],
    'no script that another one runs': [
      { 'package.json': packageOf({ check: 'npm run build && npm test', build: 'x', test: 'x', typecheck: 'x' }) },
      ['npm run check', 'npm run typecheck'],
    ],
    'pnpm by its lock file': [{ 'package.json': packageOf({ test: 'x' }), 'pnpm-lock.yaml': '' }, ['pnpm run test']],
    'yarn by its lock file': [{ 'package.json': packageOf({ test: 'x' }), 'yarn.lock': '' }, ['yarn run test']],
    'bun by its lock file': [{ 'package.json': packageOf({ test: 'x' }), 'bun.lock': '' }, ['bun run test']],
    'a lock file over what the package names': [
      { 'package.json': packageOf({ test: 'x' }, { packageManager: 'yarn@4.0.0' }), 'package-lock.json': '{}' },
      ['npm run test'],
    ],
    'the package manager that is named': [
      { 'package.json': packageOf({ test: 'x' }, { packageManager: 'pnpm@9.1.0+sha512.abc' }) },
      ['pnpm run test'],
    ],
    cargo: [{ 'Cargo.toml': '[package]' }, ['cargo check --all-targets', 'cargo test']],
    go: [{ 'go.mod': 'module x' }, ['go build ./...', 'go test ./...']],
    'gradle by its wrapper': [{ gradlew: '', 'build.gradle.kts': '' }, ['./gradlew check']],
    'maven without a wrapper': [{ 'pom.xml': '<project/>' }, ['mvn -B -q test']],
    'maven by its wrapper': [{ 'pom.xml': '<project/>', mvnw: '' }, ['./mvnw -B -q test']],
    dotnet: [{ 'App.sln': '', 'App.csproj': '' }, ['dotnet test']],
    'deno with tasks': [{ 'deno.json': '{"tasks":{"test":"x"}}' }, ['deno check .', 'deno task test']],
    'cmake that is configured': [
      { 'CMakeLists.txt': '', 'build/CMakeCache.txt': '', 'build/CTestTestfile.cmake': '' },
      ['cmake --build build', 'ctest --test-dir build --output-on-failure'],
    ],
    'cmake that is not configured': [{ 'CMakeLists.txt': '' }, []],
    'make, and not the target that another one calls': [
      { Makefile: 'X := 1\n.PHONY: check test\ncheck: test lint\n\ttrue\ntest:\n\ttrue\n' },
      ['make check'],
    ],
    'make with a test alone': [{ Makefile: 'all build:\n\techo test: no\ntest: all\n\ttrue\ncheck := 1\n' }, ['make test']],
    'a justfile': [{ justfile: 'set shell := ["sh"]\ntest:\n  true\ncheck arg:\n  true\n' }, ['just test']],
    'make only where nothing else is known': [{ Makefile: 'test:\n', 'go.mod': '' }, ['go build ./...', 'go test ./...']],
    'pytest by its settings': [{ 'pyproject.toml': '[tool.pytest.ini_options]\n' }, ['python3 -m pytest']],
    'pytest in the environment of the project': [{ 'pytest.ini': '', '.venv/bin/python': '' }, ['.venv/bin/python -m pytest']],
    'unittest by its tests': [{ 'setup.py': '', 'tests/test_a.py': '' }, ['python3 -m unittest discover -s tests']],
    'tox where there is nothing quicker': [{ 'tox.ini': '[tox]\n' }, ['tox']],
    nox: [{ 'noxfile.py': '' }, ['nox']],
    'the projects in a folder that is none itself': [
      {
        'web/package.json': packageOf({ test: 'x' }),
        'api/go.mod': '',
        'docs/a.md': '',
        'node_modules/x/package.json': packageOf({ test: 'x' }),
      },
      ['cd api && go build ./...', 'cd api && go test ./...', 'cd web && npm run test'],
    ],
    nothing: [{ 'readme.md': '' }, []],
  };

  it.each(Object.entries(cases))('%s', async (_, [files, commands]) => {
    const found = await managerOf(new SmallProject(files)).detect();
    expect(found.map(({ command }) => command)).toEqual(commands);
  });

  it('are those nearest to what was changed, with the lock file of the workspace', async () => {
    const project = new SmallProject({
      'package.json': packageOf({ test: 'x' }),
      'pnpm-lock.yaml': '',
      'packages/a b/package.json': packageOf({ test: 'x' }),
      'packages/none/package.json': packageOf({ start: 'x' }),
      '-odd/go.mod': '',
    });
    const changed = ['packages/a b/src/deep/x.ts', 'packages/a b/y.ts', 'packages/none/z.ts', '-odd/x.go', '../out.ts', '/etc/x'];
    expect(await managerOf(project).detect({ changed })).toEqual([
      {
        ...{ kind: 'node', name: 'test', command: 'pnpm run test', folder: '' },
        why: 'the script "test" of package.json, with pnpm because of pnpm-lock.yaml',
      },
      { kind: 'go', name: 'build', command: 'cd ./-odd && go build ./...', folder: '-odd', why: '-odd/go.mod' },
      { kind: 'go', name: 'test', command: 'cd ./-odd && go test ./...', folder: '-odd', why: '-odd/go.mod' },
      {
        ...{ kind: 'node', name: 'test', command: "cd 'packages/a b' && pnpm run test", folder: 'packages/a b' },
        why: 'the script "test" of packages/a b/package.json, with pnpm because of pnpm-lock.yaml',
      },
    ]);
  });

  it('are not looked for outside of the project, also not through a link', async () => {
    const outside = new SmallProject({ 'package.json': packageOf({ test: 'x' }) });
    const project = new SmallProject();
    symlinkSync(outside.root, join(project.root, 'link'));
    expect(await managerOf(project).detect({ changed: ['link/a.ts'] })).toEqual([]);
  });

  it('survive hostile project files', async () => {
    const files = [
      '{',
      '[]',
      'null',
      '{"scripts":7}',
      '{"scripts":{"test":7}}',
      '{"scripts":{"__proto__":{"test":"x"}}}',
      '\0'.repeat(100),
    ];
    for (const text of files) expect(await managerOf(new SmallProject({ 'package.json': text })).detect()).toEqual([]);
    const project = new SmallProject({ 'package.json': packageOf({ 'test; rm -rf ~': 'x' }) });
    mkdirSync(join(project.root, 'Makefile'));
    expect(await managerOf(project).detect()).toEqual([]);
  });
});

describe('validating', () => {
  it('runs the checks and keeps what they said', async () => {
    const project = new SmallProject({
      'package.json': packageOf({ build: 'node build.js', test: 'node test.js' }),
      'build.js': 'console.log("built")',
      'test.js': 'console.error("all good")',
    });
    const heard: string[] = [];
    const report = await managerOf(project).validate({ signal, onOutput: (text) => heard.push(text) });
    expect(report).toEqual({
      ok: true,
      outcome: 'passed',
      runs: [
        expect.objectContaining({
          command: 'npm run build',
          ran: true,
          ok: true,
          exitCode: 0,
          output: expect.stringContaining('built'),
        }),
        expect.objectContaining({
          command: 'npm run test',
          ran: true,
          ok: true,
          exitCode: 0,
          output: expect.stringContaining('all good'),
        }),
      ],
      notes: [],
    });
    expect(heard.join('')).toContain('all good');
  });

  it('stops at what fails, or goes on where that is wanted, and runs only what is wanted', async () => {
    const project = new SmallProject({ 'package.json': packageOf({ build: 'exit 3', test: 'echo ok' }) });
    const manager = managerOf(project);
    const summary = async (more: { keepGoing?: boolean; only?: string[] }) => {
      const { ok, outcome, runs } = await manager.validate({ signal, ...more });
      return [ok, outcome, ...runs.map(({ ran, exitCode, reason }) => (ran ? exitCode : reason))];
    };
    expect(await summary({})).toEqual([false, 'failed', 3, 'an earlier check failed']);
    expect(await summary({ keepGoing: true })).toEqual([false, 'failed', 3, 0]);
    expect(await summary({ only: ['test'] })).toEqual([true, 'passed', 0]);
    expect(await summary({ only: ['python'] })).toEqual([false, 'nothing-found']);
  });

  it('says that there is nothing, and never that nothing is well', async () => {
    const project = new SmallProject({
      'package.json': packageOf({
        test: 'echo "Error: no test specified" && exit 1',
        build: 'tsc --watch',
        typecheck: 'tsc --watch=false',
      }),
    });
    expect(await managerOf(project).validate({ signal, only: ['test'] })).toEqual({
      ok: false,
      outcome: 'nothing-found',
      runs: [],
      notes: [
        'no check of the project was found; nothing was run',
        'the script "build" of package.json is not run: it waits for changes and never ends',
        'the script "test" of package.json is not run: it is the one npm puts there where there are no tests',
      ],
    });
    expect((await managerOf(project).detect()).map(({ command }) => command)).toEqual(['npm run typecheck']);
  });

  it('says what was not allowed', async () => {
    const project = new SmallProject({ Makefile: 'test:\n\ttouch ran\n' });
    const runner = { run: async () => ({ ran: false as const, reason: 'it was not allowed' }) };
    const report = await new BuildValidationManager({ root: project.root, runner }).validate({ signal });
    expect(report).toMatchObject({
      ok: false,
      outcome: 'not-run',
      runs: [{ ran: false, reason: 'it was not allowed', output: '' }],
    });
    expect(existsSync(join(project.root, 'ran'))).toBe(false);
  });

  it('runs the configured command instead of what it would find', async () => {
    const project = new SmallProject({ 'package.json': packageOf({ test: 'exit 1' }) });
    const report = await managerOf(project, 'echo mine && true').validate({ signal, changed: ['x'] });
    expect(report).toMatchObject({ ok: true, runs: [{ command: 'echo mine && true', why: 'the command that was configured' }] });
  });

  it('keeps the end of a long output, and tells a program that is missing', async () => {
    const loud = `node -e "for (let i = 0; i < 5000; i++) console.log('line ' + i); process.exit(1)"`;
    const long = await managerOf(new SmallProject(), loud).validate({ signal });
    expect(long.runs[0]?.output).toMatch(/^… \d+ characters left out …\nline \d+\n[\s\S]*line 4999\n$/);
    expect(long.runs[0]?.output.length).toBeLessThan(8_100);
    const missing = await managerOf(new SmallProject(), 'no-such-program-here').validate({ signal });
    expect(missing).toMatchObject({
      ok: false,
      outcome: 'not-run',
      runs: [{ ran: false, exitCode: 127, reason: 'a program it needs is not installed' }],
    });
  });

  it('ends where it is called off', async () => {
    const project = new SmallProject();
    const stop = new AbortController();
    const runner = {
      run: async () => {
        stop.abort();
        stop.signal.throwIfAborted();
        return { ran: false as const, reason: '' };
      },
    };
    const manager = new BuildValidationManager({ root: project.root, runner, command: 'x' });
    await expect(manager.validate({ signal: stop.signal })).rejects.toThrow('aborted');
  });

  it.runIf(needs(has('make', '--version'), 'make'))('runs make in a folder below', async () => {
    const project = new SmallProject({ 'lib one/Makefile': 'check:\n\t@echo in `basename "$(CURDIR)"`\n' });
    const report = await managerOf(project).validate({ signal, changed: ['lib one/a.c'] });
    expect(report).toMatchObject({
      ok: true,
      runs: [{ command: "cd 'lib one' && make check", output: expect.stringContaining('in') }],
    });
  });

  it.runIf(needs(has('python3', '--version'), 'python3'))('runs the tests of Python', async () => {
    const test = (value: number) =>
      `import unittest\nclass T(unittest.TestCase):\n  def test_it(self):\n    self.assertEqual(${value}, 2)\n`;
    const project = new SmallProject({ 'setup.py': '', 'tests/test_it.py': test(2) });
    expect(await managerOf(project).validate({ signal })).toMatchObject({ ok: true, outcome: 'passed' });
    const broken = new SmallProject({ 'setup.py': '', 'tests/test_it.py': test(1) });
    expect(await managerOf(broken).validate({ signal })).toMatchObject({
      ok: false,
      outcome: 'failed',
      runs: [{ exitCode: 1, output: expect.stringContaining('1 != 2') }],
    });
  });

  it('finds nothing in a folder that is not there', async () => {
    const root = join(createQuickFolder('gone'), 'missing');
    const manager = new BuildValidationManager({ root, runner: new SmallProject().runner });
    expect(await manager.validate({ signal })).toMatchObject({ ok: false, outcome: 'nothing-found' });
  });
});
