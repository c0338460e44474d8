// One command of the project, run for a manager, and what is kept of it: how it ended, and the end of what it wrote.
import { formatCommand } from '../../exec/shell/format-command.ts';
import type { ProjectRunner } from '../project-runner.ts';

export interface CheckRun {
  command: string;
  /** Where it runs, relative to the root; empty for the root. */
  folder: string;
  why: string;
  /** False where it was not run, or came to nothing because a program it needs is not installed; then `reason` says why. */
  ran: boolean;
  /** It ran and ended well. */
  ok: boolean;
  /** Why it was not run, or how it ended where the exit code does not tell. */
  reason?: string;
  exitCode?: number;
  milliseconds: number;
  /** The end of what it wrote. */
  output: string;
}

/** `nothing-found` and `not-run` prove nothing, neither that all is well nor that it is not. */
export type CheckOutcome = 'passed' | 'failed' | 'nothing-found' | 'not-run';

export interface RunContext {
  signal: AbortSignal;
  onOutput?: ((text: string) => void) | undefined;
}

/** What a shell ends with where it does not find the program. */
const notInstalled = 127;

/** Throws `cancelled` where it is called off. */
export async function runCheck(
  runner: ProjectRunner,
  check: Pick<CheckRun, 'command' | 'folder' | 'why'>,
  { signal, onOutput }: RunContext,
): Promise<CheckRun> {
  const { command, folder, why } = check;
  const run = await runner.run(command, { signal, ...(onOutput && { onOutput }) });
  if (!run.ran) return { command, folder, why, ran: false, ok: false, reason: run.reason, milliseconds: 0, output: '' };
  const { ended, exitCode, signal: by, output, milliseconds } = run.result;
  const reason = describeEnd(ended, exitCode, by);
  // A check that could not begin says nothing about the change.
  return {
    ...{ command, folder, why, ran: exitCode !== notInstalled, ok: ended === 'exit' && exitCode === 0 },
    ...(reason !== undefined && { reason }),
    ...(exitCode !== undefined && { exitCode }),
    milliseconds,
    output: keepEnd(output),
  };
}

export function toOutcome(runs: readonly CheckRun[]): CheckOutcome {
  if (runs.length === 0) return 'nothing-found';
  if (runs.some(({ ran, ok }) => ran && !ok)) return 'failed';
  return runs.every(({ ran }) => ran) ? 'passed' : 'not-run';
}

/** In a folder below the root, the command goes there first. */
export function commandIn(folder: string, words: readonly string[]): string {
  if (folder === '') return formatCommand(words);
  return `${formatCommand(['cd', folder.startsWith('-') ? `./${folder}` : folder])} && ${formatCommand(words)}`;
}

function describeEnd(ended: string, exitCode: number | undefined, signal: string | undefined): string | undefined {
  if (ended === 'timeout') return 'it was stopped at its time limit';
  if (ended === 'output-limit') return 'it was stopped because it wrote too much';
  if (ended === 'process-limit') return 'it was stopped because it started too many processes';
  if (exitCode === notInstalled) return 'a program it needs is not installed';
  return signal === undefined ? undefined : `it was ended by ${signal}`;
}

/** What went wrong is told at the end, as a rule. */
const longestOutput = 8_000;

function keepEnd(output: string): string {
  if (output.length <= longestOutput) return output;
  const end = output.slice(-longestOutput);
  const kept = end.slice(end.indexOf('\n') + 1).toWellFormed();
  return `… ${output.length - kept.length} characters left out …\n${kept}`;
}
