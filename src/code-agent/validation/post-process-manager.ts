// Runs the project's formatter over the files the agent changed. Invariant: it is given no other file, what it altered is told by
// content and not by what the formatter says, and a file it altered besides is told too.
import { createHash } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listProjectFiles } from '../../tools/builtin/project-file-list.ts';
import { isHousekeeping } from '../git/git-manager.ts';
import { type CheckOutcome, type CheckRun, commandIn, runCheck, toOutcome } from './check-run.ts';
import { buildCommands, findJobs, type ToolJob } from './file-tools.ts';
import { formatters } from './formatters.ts';
import { describeMissing, type FileToolsOptions } from './lint-manager.ts';

export interface FormatRun extends CheckRun {
  formatter: string;
  /** Relative to the root. */
  files: string[];
}

export interface FormatReport {
  /** No formatter failed; also where there is none: see `outcome`. */
  ok: boolean;
  outcome: CheckOutcome;
  runs: FormatRun[];
  /** Files it was given and altered. */
  altered: string[];
  /** Files it was not given, and that changed while it ran. */
  others: string[];
  /** False where there are too many files to look at the others. */
  othersChecked: boolean;
  notes: string[];
}

/** Looking at each of more files would take longer than the formatter. */
const mostOthers = 20_000;

export class PostProcessManager {
  readonly #options: FileToolsOptions;

  constructor(options: FileToolsOptions) {
    this.#options = options;
  }

  /** Which formatter the project has for these files, and whether it is installed. Nothing is run. */
  async detect({ changed }: { changed: readonly string[] }): Promise<ToolJob[]> {
    const { root, env } = this.#options;
    return findJobs({ root, env, changed, tools: formatters, onlyFirst: true });
  }

  /** Throws `cancelled` where it is called off; then some of the files may be formatted already. */
  async process(options: {
    changed: readonly string[];
    signal: AbortSignal;
    onOutput?: (text: string) => void;
  }): Promise<FormatReport> {
    const { root, runner } = this.#options;
    const jobs = await this.detect(options);
    const runnable = jobs.filter(({ program }) => program !== undefined);
    const given = [...new Set(runnable.flatMap(({ files }) => files))].sort();
    const [hashes, times] = [await hashFiles(root, given), await markOthers(root, given, options.signal)];
    const runs: FormatRun[] = [];
    for (const job of runnable) {
      const { tool, folder, config, files } = job;
      const why = `${tool.name} because of ${config}`;
      for (const words of await buildCommands(job, root)) {
        const run = await runCheck(runner, { command: commandIn(folder, words), folder, why }, options);
        runs.push({ formatter: tool.name, files, ...run });
      }
    }
    const [hashesAfter, timesAfter] = [await hashFiles(root, given), times && (await markOthers(root, given, options.signal))];
    const others = times && timesAfter ? differing(times, timesAfter) : [];
    const outcome = toOutcome(runs);
    const notes = [...describeMissing(jobs), ...(others.length > 0 ? [describeOthers(others)] : [])];
    const altered = differing(hashes, hashesAfter);
    return { ok: outcome !== 'failed', outcome, runs, altered, others, othersChecked: timesAfter !== undefined, notes };
  }
}

function describeOthers(others: readonly string[]): string {
  const shown = others.slice(0, 5).join(', ');
  const more = others.length > 5 ? ` and ${others.length - 5} more` : '';
  return `files that the formatter was not given changed while it ran: ${shown}${more}`;
}

async function hashFiles(root: string, files: readonly string[]): Promise<Map<string, string>> {
  const marks = await Promise.all(
    files.map(async (file) => {
      const content = await readFile(join(root, file)).catch(() => undefined);
      return [file, content === undefined ? 'gone' : createHash('sha256').update(content).digest('hex')] as const;
    }),
  );
  return new Map(marks);
}

/** Size and time of every file that was not given; undefined where they are too many. */
async function markOthers(root: string, given: readonly string[], signal: AbortSignal): Promise<Map<string, string> | undefined> {
  const { paths, complete } = await listProjectFiles(root, signal).catch(() => ({ paths: [], complete: false }));
  if (!complete || paths.length > mostOthers) return undefined;
  const known = new Set(given);
  const marks = new Map<string, string>();
  for (const path of paths) {
    if (known.has(path) || isHousekeeping(path)) continue;
    const found = await lstat(join(root, path), { bigint: true }).catch(() => undefined);
    if (found) marks.set(path, `${found.size} ${found.mtimeNs} ${found.ino} ${found.mode}`);
  }
  return marks;
}

function differing(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort();
}
