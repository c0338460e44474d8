// Runs a shell command within limits of time, output and processes, in a sandbox where one is given. When the promise settles,
// nothing the command started is left, whether it ended by itself, was ended, or left something in the background.
import { setTimeout as sleep } from 'node:timers/promises';
import { OutputBuffer } from './output-buffer.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import { type StartedCommand, startCommand } from './start-command.ts';

export interface CommandLimits {
  milliseconds: number;
  /** How much of the output is kept. A command that writes sixteen times as much is ended. */
  outputBytes: number;
  /** How many processes the command may be at once. */
  processes: number;
}

export const defaultLimits: Readonly<CommandLimits> = { milliseconds: 120_000, outputBytes: 1_048_576, processes: 256 };

export interface CommandOptions {
  /** Run by bash where there is one, else by sh. */
  command: string;
  cwd: string;
  /** The whole environment of the command. */
  env: Readonly<Record<string, string>>;
  limits?: Partial<CommandLimits>;
  sandbox?: Sandbox;
  /** What the command may write to in the sandbox. Default: `cwd`. */
  writable?: readonly string[];
  /** Whether the network is there in the sandbox. Default: no. */
  network?: boolean;
  /** What the command must not see in the sandbox, besides the known secrets of the home folder. */
  hidden?: readonly string[];
  signal?: AbortSignal;
  /** Output as it comes. What it throws ends the command, and {@link runCommand} throws it. */
  onOutput?: (text: string) => void;
}

export interface CommandOutcome {
  ended: 'exit' | 'signal' | 'timeout' | 'output-limit' | 'process-limit' | 'cancelled';
  /** Where it ended by itself. A shell, and a sandbox, give 128 + n for a command that was ended by signal n. */
  exitCode?: number;
  signal?: NodeJS.Signals;
  /** Standard output and standard error as they came. The middle is left out, and a line says so, where it is too long. */
  output: string;
  truncated: boolean;
  milliseconds: number;
}

/** Throws `command-failed` or `sandbox-failed` where the command could not be started. */
export async function runCommand(options: CommandOptions): Promise<CommandOutcome> {
  const began = performance.now();
  const limits = { ...defaultLimits, ...options.limits };
  const buffer = new OutputBuffer(limits.outputBytes);
  const outcome = (end: Pick<CommandOutcome, 'ended' | 'exitCode' | 'signal'>): CommandOutcome => ({
    ...end,
    output: buffer.text(),
    truncated: buffer.truncated,
    milliseconds: Math.round(performance.now() - began),
  });
  if (options.signal?.aborted) return outcome({ ended: 'cancelled' });
  const command = await startCommand({ writable: [options.cwd], network: false, ...options });
  const watch = watchCommand(command, options, limits, buffer);
  try {
    const exit = await Promise.race([command.exited, watch.givenUp]);
    watch.stop();
    await finishOutput(command);
    if (watch.failure) throw watch.failure.error;
    if (watch.verdict) return outcome({ ended: watch.verdict });
    await command.running;
    if (exit?.signal) return outcome({ ended: 'signal', signal: exit.signal });
    return outcome({ ended: 'exit', exitCode: exit?.code ?? 0 });
  } finally {
    watch.stop();
    command.output.destroy();
  }
}

/** How long a command that is told to end may take for it. */
const grace = 1_000;
/** How long what was written may take to arrive after the shell has ended, before what holds the pipe open is ended. */
const settling = 200;
const runawayFactor = 16;
const longestTimer = 2 ** 31 - 1;
/** Looking at the processes costs next to nothing where /proc is. */
const processCheck = process.platform === 'linux' ? 20 : 1_000;

type Verdict = 'timeout' | 'output-limit' | 'process-limit' | 'cancelled';

interface Watch {
  readonly verdict: Verdict | undefined;
  readonly failure: { error: unknown } | undefined;
  /** Resolves where the command was ended and its first process is still there. */
  givenUp: Promise<undefined>;
  stop(): void;
}

function watchCommand(command: StartedCommand, options: CommandOptions, limits: CommandLimits, buffer: OutputBuffer): Watch {
  let verdict: Verdict | undefined;
  let failure: { error: unknown } | undefined;
  let giveUp: (value: undefined) => void;
  const givenUp = new Promise<undefined>((resolve) => {
    giveUp = resolve;
  });
  const end = (patience: number) => void command.tree.end(patience).then(() => sleep(settling).then(() => giveUp(undefined)));
  const conclude = (reason: Verdict) => {
    if (verdict || failure) return;
    verdict = reason;
    // More time for too many processes would be time for more processes.
    end(reason === 'process-limit' ? 0 : grace);
  };
  const show = (text: string) => {
    if (failure || text === '') return;
    try {
      options.onOutput?.(text);
    } catch (error) {
      failure = { error };
      if (!verdict) end(grace);
    }
  };
  command.output.on('data', (piece: Buffer) => {
    // What comes after the end was decided is read, or the command would wait for it, and dropped.
    if (verdict === 'output-limit') return;
    show(buffer.add(piece));
    if (buffer.total > limits.outputBytes * runawayFactor) conclude('output-limit');
  });
  command.output.on('end', () => show(buffer.end()));
  command.output.on('error', () => undefined);
  const cancel = () => conclude('cancelled');
  options.signal?.addEventListener('abort', cancel, { once: true });
  if (options.signal?.aborted) cancel();
  const clock = setTimeout(() => conclude('timeout'), Math.min(limits.milliseconds, longestTimer));
  const census = setInterval(() => {
    if (!verdict && command.tree.exceeds(limits.processes)) conclude('process-limit');
  }, processCheck);
  return {
    get verdict() {
      return verdict;
    },
    get failure() {
      return failure;
    },
    givenUp,
    stop() {
      clearTimeout(clock);
      clearInterval(census);
      options.signal?.removeEventListener('abort', cancel);
    },
  };
}

/** Reads what is left, and ends what the command left behind. */
async function finishOutput({ tree, output }: StartedCommand): Promise<void> {
  const closed = new Promise<true>((resolve) => {
    if (output.closed) resolve(true);
    output.once('close', () => resolve(true));
  });
  const arrived = await Promise.race([closed, sleep(settling)]);
  await tree.end(grace);
  if (!arrived) await Promise.race([closed, sleep(settling)]);
}
