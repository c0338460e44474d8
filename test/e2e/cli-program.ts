// The command line as a user runs it: the built program in a process of its own, with an environment of its own.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type DriverName, openStore } from '../../src/open-store.ts';
import type { ConversationStore } from '../../src/store/conversation-store.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Result {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  /** What stdin holds; without it stdin is closed. */
  input?: string | Buffer;
  cwd?: string;
}

/** Where the program is: dist if it is current, else a bundle made for this test file. */
let program: Promise<string> | undefined;

export function findProgram(): Promise<string> {
  program ??= locateProgram();
  return program;
}

/** A home of its own and the program to use it with. */
export class Cli {
  readonly folder: string;
  readonly home: string;
  readonly #env: Record<string, string>;

  constructor(env: Record<string, string> = {}, folder = createTemporaryFolder('cli')) {
    this.folder = folder;
    this.home = join(this.folder, 'home');
    this.#env = {
      PATH: process.env.PATH ?? '',
      HOME: this.folder,
      TZ: 'UTC',
      LC_ALL: 'C.UTF-8',
      CONTINUO_HOME: this.home,
      ...env,
    };
  }

  environment(more: Record<string, string> = {}): Record<string, string> {
    return { ...this.#env, ...more };
  }

  async run(args: readonly string[], { env, input, cwd = this.folder }: RunOptions = {}): Promise<Result> {
    const stdin = input === undefined ? 'ignore' : 'pipe';
    const child = spawn(process.execPath, [await findProgram(), ...args], {
      cwd,
      env: this.environment(env),
      stdio: [stdin, 'pipe', 'pipe'],
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
    return collectResult(child);
  }

  /** The JSON a command prints; a failure of the command fails the test. */
  async json<Shape = Record<string, unknown>>(args: readonly string[], options: RunOptions = {}): Promise<Shape> {
    const { code, stdout, stderr } = await this.run([...args, '--json'], options);
    if (code !== 0 || stderr !== '') throw new Error(`continuo ${args.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as Shape;
  }

  /** The error a command reports as JSON, with its exit code. */
  async failure(args: readonly string[], options: RunOptions = {}): Promise<{ code: number | null; error: unknown }> {
    const { code, stdout, stderr } = await this.run([...args, '--json'], options);
    if (stdout !== '') throw new Error(`a failing command printed: ${stdout}`);
    return { code, error: (JSON.parse(stderr) as { error: unknown }).error };
  }

  /** The same store through the library, to prepare what a test looks at. */
  open(driver: DriverName = 'sqlite'): Promise<ConversationStore> {
    return openStore({ home: this.home, driver });
  }
}

export async function collectResult(child: ReturnType<typeof spawn>): Promise<Result> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

async function locateProgram(): Promise<string> {
  const stamp = (await import('../../scripts/support/build-stamp.mjs' as string)) as { isBuildCurrent(): boolean };
  if (stamp.isBuildCurrent()) return join(root, 'dist/cli/main.js');
  const outdir = join(root, 'node_modules/.cache/continuo-tests', `cli-${process.pid}`);
  process.once('exit', () => rmSync(outdir, { recursive: true, force: true }));
  await build({
    absWorkingDir: root,
    entryPoints: [{ in: 'src/cli/main.ts', out: 'main' }],
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: ['better-sqlite3-multiple-ciphers', 'react-devtools-core'],
    banner: { js: "import { createRequire as cliRequire } from 'node:module'; const require = cliRequire(import.meta.url);" },
    logLevel: 'warning',
  });
  return join(outdir, 'main.mjs');
}
