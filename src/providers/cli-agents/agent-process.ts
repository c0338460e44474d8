// One run of an agent program as a process: standard output in pieces, the end of standard error kept, everything bounded in time
// and bytes. When the pieces end, or are no longer asked for, nothing the program started is left.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readProcesses } from '../../exec/process-table.ts';
import { ProcessTree } from '../../exec/process-tree.ts';
import { ContinuoError } from '../../model/error.ts';
import type { FilledCommand } from './command-template.ts';
import { missingProgram, startFault } from './program-missing.ts';

export interface ProcessLimits {
  milliseconds: number;
  /** Of standard output and standard error together, in one run. */
  outputBytes: number;
  /** How many processes the program may be at once. */
  processes: number;
}

export interface ProcessRequest extends FilledCommand {
  id: string;
  cwd: string;
  env: Readonly<Record<string, string>>;
  limits: ProcessLimits;
  signal: AbortSignal | undefined;
}

export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The last of what it wrote to standard error. */
  errors: string;
}

/** Throws `program-missing`, `timeout`, `cancelled` or `program-flooded`; returns how the program ended by itself. */
export async function* runProcess(request: ProcessRequest): AsyncGenerator<Buffer, ProcessEnd> {
  const { id, limits } = request;
  if (request.signal?.aborted) throw new ContinuoError('cancelled');
  const { child, tree, exited } = await startProcess(request);
  const errors = new TailKeeper();
  const stop = new Stop(tree, child);
  let bytes = 0;
  const count = (piece: Buffer): boolean => {
    bytes += piece.length;
    if (bytes > limits.outputBytes)
      stop.because(new ContinuoError('program-flooded', { program: id, limit: limits.outputBytes }));
    return bytes <= limits.outputBytes;
  };
  child.stderr?.on('data', (piece: Buffer) => {
    if (count(piece)) errors.add(piece);
  });
  const seconds = Math.round(limits.milliseconds / 1000);
  const late = () => stop.because(new ContinuoError('timeout', { what: id, seconds }));
  const clock = setTimeout(late, Math.min(limits.milliseconds, longestTimer));
  const cancel = () => stop.because(new ContinuoError('cancelled'));
  const census = setInterval(() => {
    if (stop.reason || !tree.exceeds(limits.processes)) return;
    const reason = `it started more than ${limits.processes} processes`;
    // More time for too many processes would be time for more processes.
    stop.because(new ContinuoError('program-failed', { program: id, reason }), 0);
  }, processCheck);
  request.signal?.addEventListener('abort', cancel, { once: true });
  try {
    child.stdin?.end(request.input ?? '');
    for await (const piece of untilClosed(child, tree, exited)) {
      if (stop.reason) break;
      if (count(piece)) yield piece;
    }
    const end = await Promise.race([exited, stop.finished]);
    await stop.settled();
    if (stop.reason) throw stop.reason;
    return { ...(end as Omit<ProcessEnd, 'errors'>), errors: errors.text() };
  } finally {
    clearTimeout(clock);
    clearInterval(census);
    request.signal?.removeEventListener('abort', cancel);
    // Also what a program left in the background, and everything where nobody listens any more.
    await tree.end(child.exitCode === null && child.signalCode === null ? grace : 0);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

/** How long a program that is told to end may take for it. */
const grace = 1_000;
/** How long what was written may take to arrive after the program has ended, before what holds the pipe open is ended. */
const settling = 300;
const longestTimer = 2 ** 31 - 1;
/** Looking at the processes costs next to nothing where /proc is. */
const processCheck = process.platform === 'linux' ? 50 : 2_000;
const keptErrors = 8 * 1024;
/** By this variable the processes of a run are found again. */
const markName = 'CONTINUO_COMMAND';

type Exit = Omit<ProcessEnd, 'errors'>;

async function startProcess(request: ProcessRequest): Promise<{ child: ChildProcess; tree: ProcessTree; exited: Promise<Exit> }> {
  const { id, cwd, env, program, args } = request;
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) throw missingProgram(id, `there is no folder ${cwd}`);
  const mark = randomBytes(16).toString('hex');
  const before = readProcesses();
  try {
    const child = spawn(program, args, {
      cwd,
      env: { ...env, [markName]: [env[markName], mark].filter(Boolean).join(' ') },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      windowsHide: true,
    });
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => undefined);
    const exited = once(child, 'exit').then(([code, signal]): Exit => ({ code, signal }));
    exited.catch(() => undefined);
    if (child.pid === undefined) await exited;
    // Its output is no file: nothing is found by it, but by descent, session and mark.
    const tree = new ProcessTree({ root: child.pid as number, mark, output: '\0', holdsTree: false, before });
    return { child, tree, exited };
  } catch (error) {
    throw missingProgram(id, startFault(error as NodeJS.ErrnoException, program), error);
  }
}

/** The pieces until the pipe is closed. What holds it open after the program has ended is ended too, or it would never be. */
async function* untilClosed(child: ChildProcess, tree: ProcessTree, exited: Promise<Exit>): AsyncGenerator<Buffer> {
  const { stdout } = child;
  if (!stdout) return;
  const sweeping = new AbortController();
  const sweep = exited.then(() => sleep(settling, undefined, { signal: sweeping.signal })).then(() => tree.end(grace));
  sweep.catch(() => undefined);
  try {
    for await (const piece of stdout) yield piece as Buffer;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  } finally {
    sweeping.abort();
  }
}

/** The first reason to end the run, and its end. */
class Stop {
  readonly finished: Promise<undefined>;
  reason: ContinuoError | undefined;
  readonly #tree: ProcessTree;
  readonly #child: ChildProcess;
  #ending: Promise<void> | undefined;
  #finish: (value: undefined) => void = () => undefined;

  constructor(tree: ProcessTree, child: ChildProcess) {
    this.#tree = tree;
    this.#child = child;
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  because(reason: ContinuoError, patience = grace): void {
    if (this.reason) return;
    this.reason = reason;
    this.#ending = this.#tree.end(patience).then(() => {
      this.#child.stdout?.destroy();
      this.#finish(undefined);
    });
  }

  async settled(): Promise<void> {
    await this.#ending;
  }
}

class TailKeeper {
  #bytes = Buffer.alloc(0);

  add(piece: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, piece]);
    if (this.#bytes.length > keptErrors) this.#bytes = Buffer.from(this.#bytes.subarray(-keptErrors));
  }

  text(): string {
    // The beginning may be half a character.
    return this.#bytes
      .toString('utf8')
      .replace(/^\uFFFD+/, '')
      .trim();
  }
}
