// npm start and npm run build, tried on a small project: nothing is made twice, and nothing but continuo speaks on stdout.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMiniProject, type MiniProject } from '../support/mini-project.ts';

const main = `
import { Command } from 'commander';
import { greeting } from '../base/greeting.ts';
import data from '../base/data.json' with { type: 'json' };
const [command, ...rest] = process.argv.slice(2);
if (command === 'fail') process.exit(7);
if (command === 'wait') {
  process.on('SIGTERM', () => process.exit(3));
  setInterval(() => {}, 1000);
  console.log('waiting');
} else {
  console.log(JSON.stringify({ greeting, data, command, rest, cwd: process.cwd(), commander: typeof Command }));
}
`;

let project: MiniProject;

beforeAll(() => {
  project = createMiniProject({
    'src/base/greeting.ts': "export const greeting: string = 'hello';\n",
    'src/base/data.json': '{ "kept": true }\n',
    'src/base/reader.ts': "import data from './data.json' with { type: 'json' };\nexport const kept: boolean = data.kept;\n",
    'src/base/greeting.test.ts': 'export {};\n',
    'src/cli/main.ts': main,
  });
});

afterAll(() => project.remove());

describe('npm start', () => {
  it('builds what is missing, says so on stderr only, and runs continuo with the arguments given', () => {
    const { status, stdout, stderr } = project.npm(['start', '--silent', '--', 'list', '--json']);
    expect({ status, output: JSON.parse(stdout), stderr: withoutWarnings(stderr) }).toEqual({
      status: 0,
      output: {
        greeting: 'hello',
        data: { kept: true },
        command: 'list',
        rest: ['--json'],
        cwd: project.folder,
        commander: 'function',
      },
      stderr: 'Building…\n',
    });
  });

  it('makes nothing anew the second time', () => {
    const before = statSync(path.join(project.folder, 'dist')).ino;
    const { status, stderr } = project.node(['scripts/start.mjs', 'list']);
    expect({ status, stderr, dist: statSync(path.join(project.folder, 'dist')).ino }).toEqual({
      status: 0,
      stderr: '',
      dist: before,
    });
  });

  it('does not build again when a file was only touched or a test was changed', () => {
    project.write('src/base/greeting.ts', "export const greeting: string = 'hello';\n");
    project.write('src/base/greeting.test.ts', 'export const changed = 1;\n');
    expect(project.node(['scripts/start.mjs', 'list']).stderr).toBe('');
  });

  it('builds again after a change', () => {
    project.write('src/base/greeting.ts', "export const greeting: string = 'good day';\n");
    const { stdout, stderr } = project.node(['scripts/start.mjs', 'list']);
    expect([JSON.parse(stdout).greeting, stderr]).toEqual(['good day', 'Building…\n']);
  });

  it('speaks Chinese where the locale does', () => {
    project.write('src/base/greeting.ts', "export const greeting: string = 'hi';\n");
    expect(project.node(['scripts/start.mjs', 'list'], { env: { LC_ALL: 'zh_CN.UTF-8' } }).stderr).toBe('正在构建……\n');
  });

  it('passes the exit code on', () => {
    expect(project.node(['scripts/start.mjs', 'fail']).status).toBe(7);
  });

  it('works in the folder the user is in', () => {
    const elsewhere = path.join(project.folder, 'docs');
    mkdirSync(elsewhere, { recursive: true });
    const { stdout } = project.npm(['start', '--silent', '--', 'list'], { cwd: elsewhere });
    expect(JSON.parse(stdout).cwd).toBe(elsewhere);
  });

  it('ends with npm when npm is told to stop', async () => {
    const child = spawn('npm', ['start', '--silent', '--', 'wait'], {
      cwd: project.folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const closed = once(child.stdout, 'close');
    child.kill('SIGTERM');
    // The pipe closes when its last writer, continuo itself, is gone.
    await closed;
    expect(child.stdout.readableEnded).toBe(true);
  });

  it('shows the whole output of a build that fails, and leaves the old dist as it was', () => {
    project.write('src/base/broken.ts', "export const broken: number = 'text';\n");
    const { status, stdout, stderr } = project.node(['scripts/start.mjs', 'list']);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('src/base/broken.ts(1,14): error TS2322');
    expect(readFileSync(path.join(project.folder, 'dist/base/greeting.js'), 'utf8')).toContain("'hi'");
    expect(existsSync(path.join(project.folder, '.build'))).toBe(false);
  });

  it('says which Node.js is needed on one that is too old', () => {
    const old = "data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'18.20.1'}})";
    const { status, stdout, stderr } = project.node(['--import', old, 'scripts/start.mjs']);
    expect({ status, stdout, firstWords: stderr.slice(0, 40) }).toEqual({
      status: 1,
      stdout: '',
      firstWords: 'Continuo needs Node.js 20.19 or newer; t',
    });
  });
});

describe('npm run build', () => {
  it('gives a library with types, data beside it and no tests, and an executable command', async () => {
    project.write('src/base/broken.ts', 'export {};\n');
    expect(project.node(['scripts/build.mjs'])).toEqual({ status: 0, stdout: '', stderr: '' });
    const dist = (file: string) => path.join(project.folder, 'dist', file);
    const made = [
      'base/greeting.js',
      'base/greeting.d.ts',
      'base/data.json',
      'cli/main.js',
      'base/greeting.test.js',
      'cli/main.d.ts',
    ];
    expect(made.filter((file) => existsSync(dist(file)))).toEqual(made.slice(0, 4));
    expect((await import(dist('base/reader.js'))).kept).toBe(true);
    expect(statSync(dist('cli/main.js')).mode & 0o777).toBe(0o755);
    expect(readFileSync(dist('cli/main.js'), 'utf8').split('\n')[0]).toBe('#!/usr/bin/env node');
  });

  it('leaves one whole dist when several run at once', async () => {
    const builds = [1, 2, 3].map(() => spawn(process.execPath, ['scripts/build.mjs'], { cwd: project.folder, stdio: 'ignore' }));
    const statuses = await Promise.all(builds.map(async (build) => (await once(build, 'close'))[0]));
    expect(statuses).toEqual([0, 0, 0]);
    expect(project.node(['scripts/start.mjs', 'list'])).toMatchObject({ status: 0, stderr: '' });
  });
});

/** npm warns about settings of the machine the tests run on; that is not ours to answer for. */
function withoutWarnings(stderr: string): string {
  return stderr.replace(/^npm warn .*\n/gm, '');
}
