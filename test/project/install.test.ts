// What the scripts ask of npm, and when. npm itself is stood in for by a small program that notes its arguments and installs a
// pretended SQLite, because a real install takes minutes.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMiniProject, type MiniProject } from '../support/mini-project.ts';

const fakeNpm = `
const fs = require('node:fs');
const args = process.argv.slice(2);
fs.appendFileSync('calls.txt', args.join(' ') + '\\n');
if (fs.existsSync('refuse.txt') && args[0] === fs.readFileSync('refuse.txt', 'utf8').split(' ')[0]) {
  console.log('the reason, on stdout');
  console.error(fs.readFileSync('refuse.txt', 'utf8'));
  process.exit(1);
}
const sqlite = 'node_modules/better-sqlite3-multiple-ciphers';
fs.mkdirSync(sqlite, { recursive: true });
fs.writeFileSync(sqlite + '/index.js', fs.existsSync('broken-sqlite.txt') && args[0] !== 'rebuild' ? 'throw 1' : 'module.exports = class { close() {} }');
fs.copyFileSync('package-lock.json', 'node_modules/.package-lock.json');
const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'));
for (const place of Object.keys(packages)) if (place) fs.mkdirSync(place, { recursive: true });
`;

const options = '--include=dev --no-audit --no-fund --loglevel=warn';
const packageFile = (zod: string) => JSON.stringify({ engines: { node: '>=20.19' }, dependencies: { zod } });
const lockFile = (zod: string) =>
  JSON.stringify({
    packages: {
      '': { dependencies: { zod } },
      'node_modules/zod': { version: zod },
      'node_modules/@other/platform': { version: '1.0.0', optional: true },
    },
  });

let project: MiniProject;

beforeEach(() => {
  project = createMiniProject(
    {
      'fake/npm-cli.js': fakeNpm,
      'install.mjs':
        "import { ensureInstalled } from './scripts/support/install.mjs';\nimport { stepsOrExit } from './scripts/support/steps-or-exit.mjs';\nawait stepsOrExit(ensureInstalled);\n",
    },
    { modules: false },
  );
  project.write('package.json', packageFile('4.0.0'));
  project.write('package-lock.json', lockFile('4.0.0'));
});

afterEach(() => project.remove());

describe('a start in a fresh clone', () => {
  it('installs exactly what is locked, with one line on stderr', () => {
    expect(install()).toEqual({
      status: 0,
      stdout: '',
      stderr: 'Installing dependencies (first run only, compiles SQLite, up to 3 minutes)…\n',
      calls: [`ci ${options}`],
    });
  });

  it('installs nothing the second time', () => {
    install();
    expect(install()).toEqual({ status: 0, stdout: '', stderr: '', calls: [] });
  });

  it('shows everything npm said when it fails, tells what may be missing, and tries again the next time', () => {
    project.write('refuse.txt', 'ci gyp ERR! not ok');
    const { status, stdout, stderr, calls } = install();
    expect({ status, stdout, calls }).toEqual({ status: 1, stdout: '', calls: [`ci ${options}`] });
    expect(stderr).toContain('the reason, on stdout\nci gyp ERR! not ok\n');
    expect(stderr).toContain('apt-get install python3 make g++');
    rmSync(path.join(project.folder, 'refuse.txt'));
    expect(install()).toMatchObject({ status: 0, calls: [`ci ${options}`] });
  });

  it('goes on without the lock when it does not fit package.json, but not under CI', () => {
    project.write('refuse.txt', 'ci npm error code EUSAGE');
    expect(install({ CI: 'true' })).toMatchObject({ status: 1, calls: [`ci ${options}`] });
    expect(install()).toMatchObject({ status: 0, calls: [`ci ${options}`, `install --no-save ${options}`] });
  });
});

describe('a start where dependencies are installed', () => {
  it('trusts an install made by hand if everything is there', () => {
    project.node(['fake/npm-cli.js', 'install']);
    project.write('calls.txt', '');
    expect(install()).toEqual({ status: 0, stdout: '', stderr: '', calls: [] });
  });

  it('brings them up to date, without starting from nothing, when what is asked for has changed', () => {
    install();
    project.write('package.json', packageFile('4.1.0'));
    project.write('package-lock.json', lockFile('4.1.0'));
    expect(install()).toEqual({
      status: 0,
      stdout: '',
      stderr: 'Updating dependencies…\n',
      calls: [`install --no-save ${options}`],
    });
    expect(install().calls).toEqual([]);
  });

  it('installs again when a package has vanished along with the stamp', () => {
    install();
    rmSync(path.join(project.folder, 'node_modules/zod'), { recursive: true });
    rmSync(path.join(project.folder, 'node_modules/.continuo-install-stamp'));
    expect(install().calls).toEqual([`install --no-save ${options}`]);
  });

  it('compiles SQLite again when it does not load in this Node.js', () => {
    project.write('broken-sqlite.txt', '');
    expect(install()).toMatchObject({
      status: 0,
      calls: [`ci ${options}`, `rebuild better-sqlite3-multiple-ciphers ${options}`],
    });
  });

  it('takes over the lock of a process that died, and waits for nobody', () => {
    const lockOfDead = project.node([
      '-e',
      `import('./scripts/support/setup-lock.mjs').then((lock) => lock.withSetupLock(() => process.kill(process.pid, 'SIGKILL')))`,
    ]);
    expect(lockOfDead.status).toBe(null);
    expect(install()).toMatchObject({ status: 0, calls: [`ci ${options}`] });
  });
});

function install(env: Record<string, string> = {}) {
  const calls = path.join(project.folder, 'calls.txt');
  if (existsSync(calls)) project.write('calls.txt', '');
  const outcome = project.node(['install.mjs'], { env: { npm_execpath: path.join(project.folder, 'fake/npm-cli.js'), ...env } });
  return { ...outcome, calls: existsSync(calls) ? readFileSync(calls, 'utf8').split('\n').filter(Boolean) : [] };
}
