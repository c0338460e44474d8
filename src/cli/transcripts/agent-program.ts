// The command that goes on with a session in its own agent: as a line for a shell, and as a program that takes over the terminal.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { formatCommand, quoteWord } from '../../exec/shell/format-command.ts';
import { isContinuoError } from '../../model/error.ts';
import { requireProgram } from '../../providers/cli-agents/find-program.ts';
import type { ResumeCommand, TranscriptFormat } from '../../transcripts/transcripts.ts';
import type { Context } from '../context.ts';
import { tellInstead } from '../next-step.ts';
import { workingFolder } from '../recall/here.ts';

/** With the change of folder where it is needed. */
export function commandLine({ command, args, cwd }: ResumeCommand): string {
  const line = formatCommand([command, ...args]);
  return cwd === undefined || cwd === workingFolder() ? line : `cd ${quoteWord(cwd)} && ${line}`;
}

export async function isInstalled({ env }: Pick<Context, 'env'>, { command }: ResumeCommand): Promise<boolean> {
  return requireProgram(command, command, { cwd: workingFolder(), env: definedIn(env) }).then(
    () => true,
    () => false,
  );
}

/** Throws `program-missing` where the agent is not installed. */
export async function requireAgent({ env, text }: Context, format: TranscriptFormat, { command }: ResumeCommand): Promise<void> {
  try {
    await requireProgram(command, command, { cwd: workingFolder(), env: definedIn(env) });
  } catch (error) {
    if (!isContinuoError(error, 'program-missing')) throw error;
    throw tellInstead(error, text.open.notInstalled(format.label, command));
  }
}

/** Runs it in the foreground; its exit code. Ctrl-C is the agent's own as long as it runs. */
export async function runAgent({ env }: Context, { command, args, cwd }: ResumeCommand): Promise<number> {
  const own = process.listeners('SIGINT');
  const ignore = () => undefined;
  process.removeAllListeners('SIGINT').on('SIGINT', ignore);
  const child = spawn(command, args, { stdio: 'inherit', env, ...(cwd !== undefined && { cwd }) });
  const end = (signal: NodeJS.Signals) => void child.kill(signal);
  process.prependOnceListener('SIGTERM', end);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
    });
  } finally {
    process.off('SIGTERM', end).off('SIGINT', ignore);
    for (const listener of own) process.on('SIGINT', listener);
  }
}

function definedIn(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined));
}
