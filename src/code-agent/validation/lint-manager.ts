// Runs the project's linters over the files that were changed, and over no others. A linter that is set up and not installed is told.
import type { Environment } from '../../project/git-program.ts';
import type { ProjectRunner } from '../project-runner.ts';
import { type CheckOutcome, type CheckRun, commandIn, runCheck, toOutcome } from './check-run.ts';
import { buildCommands, findJobs, type ToolJob } from './file-tools.ts';
import { linters } from './linters.ts';

export interface LintRun extends CheckRun {
  linter: string;
  /** Relative to the root. */
  files: string[];
}

export interface LintReport {
  /** No linter complained; also where there is none: see `outcome`. */
  ok: boolean;
  outcome: CheckOutcome;
  runs: LintRun[];
  notes: string[];
}

export interface FileToolsOptions {
  root: string;
  runner: ProjectRunner;
  /** What the runner's commands find in their environment; its PATH is where programs are looked for, after the project's folders. */
  env: Environment;
}

export class LintManager {
  readonly #options: FileToolsOptions;

  constructor(options: FileToolsOptions) {
    this.#options = options;
  }

  /** Which linters the project has for these files, and whether they are installed. Nothing is run. */
  async detect({ changed }: { changed: readonly string[] }): Promise<ToolJob[]> {
    const { root, env } = this.#options;
    return findJobs({ root, env, changed, tools: linters });
  }

  /** Throws `cancelled` where it is called off. */
  async lint(options: {
    changed: readonly string[];
    signal: AbortSignal;
    onOutput?: (text: string) => void;
  }): Promise<LintReport> {
    const runs: LintRun[] = [];
    const jobs = await this.detect(options);
    for (const job of jobs.filter(({ program }) => program !== undefined)) {
      const { tool, folder, config, files } = job;
      const why = `${tool.name} because of ${config}`;
      for (const words of await buildCommands(job, this.#options.root)) {
        const run = await runCheck(this.#options.runner, { command: commandIn(folder, words), folder, why }, options);
        runs.push({ linter: tool.name, files, ...run });
      }
    }
    const outcome = toOutcome(runs);
    return { ok: outcome !== 'failed', outcome, runs, notes: describeMissing(jobs) };
  }
}

export function describeMissing(jobs: readonly ToolJob[]): string[] {
  const missing = jobs.filter(({ program }) => program === undefined);
  return missing.map(({ tool, config }) => `${tool.name} is set up in ${config} but not installed, and was not run`);
}
