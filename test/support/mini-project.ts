// A small project with this project's scripts and settings but sources of its own, to try the scripts on for real.
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const shared = [
  'scripts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'biome.json',
  'vitest.config.ts',
  '.gitignore',
];

export interface MiniProject {
  folder: string;
  write(file: string, text: string): void;
  /** Runs Node.js in the project's folder. */
  node(args: string[], options?: RunOptions): Outcome;
  npm(args: string[], options?: RunOptions): Outcome;
  remove(): void;
}

export interface RunOptions {
  env?: Record<string, string>;
  cwd?: string;
}

export interface Outcome {
  status: number | null;
  stdout: string;
  stderr: string;
}

export function createMiniProject(files: Record<string, string>, { modules = true } = {}): MiniProject {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'continuo-mini-')));
  for (const name of shared) cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  // The scripts are this project's to lint, not the small one's.
  appendFileSync(path.join(folder, '.gitignore'), 'scripts/\n');
  if (modules) symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  for (const [file, text] of Object.entries(files)) write(file, text);

  const run = (command: string, args: string[], { env = {}, cwd = folder }: RunOptions = {}): Outcome => {
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd,
      env: { ...cleanEnvironment(), ...env },
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };
  return {
    folder,
    write,
    node: (args, options) => run(process.execPath, args, options),
    npm: (args, options) => run('npm', args, options),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Without what npm, vitest and a surrounding run of the tests have put into it. */
function cleanEnvironment(): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|INIT_CWD|VITEST|TEST$|NODE_ENV|CONTINUO_|CI$)/.test(name),
  );
  return Object.fromEntries(inherited);
}
