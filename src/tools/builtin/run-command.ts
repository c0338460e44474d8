// run_command: a shell command, run by whoever was given for it. What it would touch is what the shell would run, command by command;
// where that cannot be told, or nothing keeps the command in bounds, a person is always asked.
import * as z from 'zod';
import { parseShell } from '../../exec/shell/parse-shell.ts';
import type { Tool, ToolAccess, ToolOutcome } from '../../model/ports/tool.ts';
import { cancelled, defineTool } from './define-tool.ts';

export interface CommandResult {
  /** `timeout` and `cancelled` say so; else the exit code or the signal tells. */
  ended: string;
  exitCode?: number | undefined;
  signal?: string | undefined;
  /** What it wrote, both streams in the order it came. */
  output: string;
  /** Some of the output was left out. */
  truncated: boolean;
  milliseconds: number;
}

export interface CommandRunner {
  run(command: string, context: { signal: AbortSignal; onOutput?: (text: string) => void }): Promise<CommandResult>;
  /** Commands are kept in bounds by the system. Where they are not, a person is asked about every one. */
  sandboxed: boolean;
}

const schema = z.strictObject({
  command: z
    .string()
    .min(1)
    .max(100_000)
    .refine((command) => command.trim() !== '', 'it is empty')
    .refine((command) => !command.includes('\0'), 'a command has no NUL character in it')
    .describe('The command, as it would be typed into a shell.'),
});

export function createRunCommand(runner: CommandRunner): Tool {
  return defineTool({
    name: 'run_command',
    description:
      'Runs a shell command in the project folder and returns what it wrote and its exit code. It gets no input. Prefer the other tools for reading, searching and changing files.',
    schema,
    access: ({ command }) => accessOf(command, runner.sandboxed),
    run: async ({ command }, { signal, onOutput }) => {
      const result = await runner.run(command, { signal, ...(onOutput && { onOutput }) });
      if (signal.aborted) throw cancelled(signal.reason);
      return toOutcome(result);
    },
  });
}

function accessOf(command: string, sandboxed: boolean): ToolAccess {
  const summary = command;
  const parsed = parseShell(command);
  const opaque = { needs: [['run_command', command]], summary };
  if ('opaque' in parsed) return { ...opaque, askAlways: `it has ${parsed.opaque}` };
  const access = { needs: parsed.commands, summary };
  if (!sandboxed) return { ...access, askAlways: 'no sandbox is available here' };
  // A file may be called like an option that runs something; a pattern after a path cannot become one.
  const mayBecomeOption = parsed.expands && parsed.commands.some((words) => words.some((word) => /^[*?[]/.test(word)));
  return mayBecomeOption ? { ...access, askAlways: 'it has a pattern that may stand for options' } : access;
}

function toOutcome(result: CommandResult): ToolOutcome {
  const { ended, exitCode, signal, output, truncated, milliseconds } = result;
  const seconds = Math.round(milliseconds / 100) / 10;
  const notes = [describeEnd(result, seconds), ...(truncated ? ['some of the output was left out'] : [])];
  const cut = cutMiddle(output);
  const written = cut === '' || cut.endsWith('\n') ? cut : `${cut}\n`;
  const data = {
    ended,
    ...(exitCode !== undefined && { exitCode }),
    ...(signal !== undefined && { signal }),
    truncated,
    milliseconds,
  };
  const outcome: ToolOutcome = { text: `${written}(${notes.join('; ')})`, output: data };
  if (ended === 'timeout' || ended === 'cancelled') return { ...outcome, failed: true, code: ended };
  return exitCode === 0 ? outcome : { ...outcome, failed: true };
}

function describeEnd({ ended, exitCode, signal }: CommandResult, seconds: number): string {
  if (ended === 'timeout') return `stopped after ${seconds} seconds, its time limit`;
  if (ended === 'cancelled') return 'cancelled';
  if (ended === 'output-limit') return 'stopped, because it wrote too much';
  if (ended === 'process-limit') return 'stopped, because it started too many processes';
  if (exitCode !== undefined) return `exit code ${exitCode}`;
  return signal === undefined ? `ended: ${ended}` : `ended by signal ${signal}`;
}

/** More than this does not help a model. The end tells how it came out, the beginning what it was. */
const shownAtStart = 10_000;
const shownAtEnd = 30_000;

function cutMiddle(output: string): string {
  const left = output.length - shownAtStart - shownAtEnd;
  if (left <= 0) return output;
  const [start, end] = [output.slice(0, shownAtStart).toWellFormed(), output.slice(-shownAtEnd).toWellFormed()];
  return `${start}\n… ${left} characters left out …\n${end}`;
}
