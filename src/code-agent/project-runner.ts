// How the managers of a code agent run a command of the project: whoever gives the runner asks for permission, keeps the command in
// bounds and says so where it was not run. A manager never starts a program of the project by itself.
import type { CommandResult } from '../tools/builtin/run-command.ts';

export interface ProjectRunner {
  /** Runs a shell command in the project's folder. Throws `cancelled` when aborted. */
  run(command: string, context: { signal: AbortSignal; onOutput?: (text: string) => void }): Promise<ProjectRun>;
}

export type ProjectRun = { ran: true; result: CommandResult } | { ran: false; reason: string };
