// Starts a command with one real pipe for all its output, so that lines keep their order and /dev/stdout can be opened. A sandbox
// that fails before the command runs is told from a command that fails.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, constants, existsSync, mkdtempSync, openSync, realpathSync, rmSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ContinuoError } from '../model/error.ts';
import { readProcesses } from './process-table.ts';
import { ProcessTree } from './process-tree.ts';
import type { Sandbox, SandboxRequest } from './sandbox/sandbox.ts';

export interface StartOptions extends SandboxRequest {
  command: string;
  env: Readonly<Record<string, string>>;
  sandbox?: Sandbox | undefined;
}

export interface CommandExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface StartedCommand {
  tree: ProcessTree;
  output: Socket;
  /** Resolves when the command itself runs. Rejects with `sandbox-failed` or `command-failed` where it never does. */
  running: Promise<void>;
  exited: Promise<CommandExit>;
}

/** Throws `command-failed` where nothing could be started. */
export async function startCommand(options: StartOptions): Promise<StartedCommand> {
  if (!statSync(options.cwd, { throwIfNoEntry: false })?.isDirectory())
    throw new ContinuoError('command-failed', { reason: `there is no folder ${options.cwd}` });
  const mark = randomBytes(16).toString('hex');
  const inner = ['/bin/sh', '-c', launcher, 'sh', ...shell(), '-c', options.command];
  const [program, ...args] = options.sandbox?.wrap(inner, options) ?? inner;
  const pipe = await openPipe();
  const before = readProcesses();
  try {
    const child = spawn(program as string, args, {
      cwd: options.sandbox ? '/' : options.cwd,
      // A command inside of a command carries both marks.
      env: { ...options.env, [markName]: [options.env[markName], mark].filter(Boolean).join(' ') },
      stdio: ['ignore', pipe.writeEnd, 'pipe'],
      detached: true,
    });
    child.on('error', () => undefined);
    const exited = once(child, 'exit').then(([code, signal]): CommandExit => ({ code, signal }));
    exited.catch(() => undefined);
    if (child.pid === undefined) await exited;
    const tree = new ProcessTree({
      root: child.pid as number,
      mark,
      output: pipe.path,
      holdsTree: options.sandbox?.holdsTree ?? false,
      before,
    });
    const running = untilRunning(child, options.sandbox);
    running.catch(() => undefined);
    return { tree, output: pipe.readEnd, running, exited };
  } catch (error) {
    pipe.readEnd.destroy();
    if (error instanceof ContinuoError) throw error;
    throw new ContinuoError('command-failed', { reason: (error as Error).message }, { cause: error });
  } finally {
    closeSync(pipe.writeEnd);
  }
}

/** Tells on standard error that the sandbox is behind it, then becomes the command, with one output for both. */
const launcher = 'printf . >&2; exec "$@" 2>&1';

/** By this variable a command's processes are found again. */
const markName = 'CONTINUO_COMMAND';

function shell(): string[] {
  const bash = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find((path) => existsSync(path));
  return bash === undefined ? ['/bin/sh'] : [bash, '--noprofile', '--norc'];
}

/** Node's own pipes are sockets, which cannot be opened by name and keep two outputs apart. */
async function openPipe(): Promise<{ readEnd: Socket; writeEnd: number; path: string }> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'continuo-command-'));
  try {
    const path = join(folder, 'output');
    await promisify(execFile)('mkfifo', ['-m', '600', path], { env: { PATH: '/usr/bin:/bin:/run/current-system/sw/bin' } });
    const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writeEnd = openSync(path, constants.O_WRONLY);
    return { readEnd: new Socket({ fd: reading, readable: true, writable: false }), writeEnd, path };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function untilRunning(child: ChildProcess, sandbox: Sandbox | undefined): Promise<void> {
  let said = '';
  for await (const piece of child.stderr as AsyncIterable<Buffer>) {
    said += piece.toString('utf8');
    if (said.split('\n').at(-1) === '.') return;
  }
  const reason = said.trim().split('\n')[0] || 'it ended before the command began';
  throw new ContinuoError(sandbox ? 'sandbox-failed' : 'command-failed', { reason });
}
