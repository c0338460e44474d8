// Finds the project's own checks, nearest to what was changed, and runs them. It decides nothing by itself about what is right: what
// the project calls a build and a test counts, and a project without any is told as that, never as a success.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProjectRunner } from '../project-runner.ts';
import { type CheckOutcome, type CheckRun, commandIn, runCheck, toOutcome } from './check-run.ts';
import { cmakeChecks, denoChecks, tableChecks } from './checks/compiled-checks.ts';
import type { Detector, FoundCheck } from './checks/detector.ts';
import { nodeChecks } from './checks/node-checks.ts';
import { pythonChecks } from './checks/python-checks.ts';
import { justChecks, makeChecks } from './checks/task-checks.ts';
import { foldersAbove, ProjectFolders, toInside } from './project-folders.ts';

export interface ProjectCheck {
  /** What it belongs to: node, cargo, go, python, make …; `configured` for the person's own. */
  kind: string;
  name: FoundCheck['name'];
  command: string;
  /** Where it runs, relative to the root; empty for the root. */
  folder: string;
  why: string;
}

export interface ValidationReport {
  /** Something was run, and all of it ended well. */
  ok: boolean;
  outcome: CheckOutcome;
  runs: CheckRun[];
  notes: string[];
}

export interface ValidateOptions {
  /** Files relative to the root. Default: the project as a whole. */
  changed?: readonly string[];
  signal: AbortSignal;
  onOutput?: (text: string) => void;
  /** Only checks of these kinds or names. */
  only?: readonly string[];
  /** Runs the rest although one failed. Default: no. */
  keepGoing?: boolean;
}

export interface BuildValidationOptions {
  root: string;
  runner: ProjectRunner;
  /** What the person wants run instead of what would be found. */
  command?: string | undefined;
}

/** Task files are for projects that nothing else is known about: as a rule they call the same tools. */
const detectors: readonly Detector[] = [nodeChecks, denoChecks, ...tableChecks, cmakeChecks, pythonChecks];
const taskDetectors: readonly Detector[] = [justChecks, makeChecks];
const mostFolders = 8;
const mostInside = 50;

export class BuildValidationManager {
  readonly #root: string;
  readonly #runner: ProjectRunner;
  readonly #command: string | undefined;

  constructor({ root, runner, command }: BuildValidationOptions) {
    this.#root = root;
    this.#runner = runner;
    this.#command = command?.trim() ? command : undefined;
  }

  /** The checks in the order they are run. Nothing is run for finding them. */
  async detect({ changed }: { changed?: readonly string[] } = {}): Promise<ProjectCheck[]> {
    return (await this.#find(changed)).checks;
  }

  /** Throws `cancelled` where it is called off. */
  async validate(options: ValidateOptions): Promise<ValidationReport> {
    const { only, keepGoing = false } = options;
    const { checks, notes } = await this.#find(options.changed);
    const wanted = checks.filter(({ kind, name }) => only === undefined || only.includes(kind) || only.includes(name));
    const runs: CheckRun[] = [];
    for (const check of wanted) {
      const failed = !keepGoing && runs.some(({ ran, ok }) => ran && !ok);
      runs.push(failed ? passOver(check) : await runCheck(this.#runner, check, options));
    }
    const outcome = toOutcome(runs);
    const nothing = runs.length === 0 ? ['no check of the project was found; nothing was run'] : [];
    return { ok: outcome === 'passed', outcome, runs, notes: [...nothing, ...notes] };
  }

  async #find(changed: readonly string[] | undefined): Promise<{ checks: ProjectCheck[]; notes: string[] }> {
    if (this.#command !== undefined) {
      const why = 'the command that was configured';
      return { checks: [{ kind: 'configured', name: 'check', command: this.#command, folder: '', why }], notes: [] };
    }
    const project = new ProjectFolders(this.#root);
    const near = await nearestFolders(project, changed);
    const folders = near.length > 0 ? near : await foldersInside(project);
    const found = await Promise.all(folders.slice(0, mostFolders).map((folder) => detectIn(folder, project)));
    const left = folders.length - mostFolders;
    const more = left > 0 ? [`the checks of ${left} more folder(s) are not run`] : [];
    return { checks: found.flatMap(({ checks }) => checks), notes: [...found.flatMap(({ notes }) => notes), ...more] };
  }
}

function passOver({ command, folder, why }: ProjectCheck): CheckRun {
  return { command, folder, why, ran: false, ok: false, reason: 'an earlier check failed', milliseconds: 0, output: '' };
}

async function detectIn(folder: string, project: ProjectFolders): Promise<{ checks: ProjectCheck[]; notes: string[] }> {
  const first = await Promise.all(detectors.map((detector) => detectWith(detector, folder, project)));
  const isKnown = first.some(({ checks }) => checks.length > 0);
  const rest = isKnown ? [] : await Promise.all(taskDetectors.map((detector) => detectWith(detector, folder, project)));
  const found = [...first, ...rest];
  return { checks: found.flatMap(({ checks }) => checks), notes: found.flatMap(({ notes }) => notes) };
}

async function detectWith({ kind, detect }: Detector, folder: string, project: ProjectFolders) {
  const { checks, notes } = await detect(folder, project);
  return {
    notes,
    checks: checks.map(({ name, words, why }) => ({ kind, name, command: commandIn(folder, words), folder, why })),
  };
}

/** For each changed file the nearest folder that has a check; without files, the root if it has one. */
async function nearestFolders(project: ProjectFolders, changed: readonly string[] | undefined): Promise<string[]> {
  const paths = changed?.length ? changed.flatMap((path) => toInside(path) ?? []) : ['x'];
  const tried = new Map<string, Promise<boolean>>();
  const hasChecks = (folder: string) => {
    const known = tried.get(folder) ?? detectIn(folder, project).then(({ checks }) => checks.length > 0);
    tried.set(folder, known);
    return known;
  };
  const nearest = new Set<string>();
  for (const path of paths) {
    for (const folder of foldersAbove(path)) {
      if (!(await hasChecks(folder))) continue;
      nearest.add(folder);
      break;
    }
  }
  return [...nearest].sort();
}

/** A root that holds several projects and none itself; where nothing is found the root, for what there is to say about it. */
async function foldersInside(project: ProjectFolders): Promise<string[]> {
  const entries = await readdir(join(project.root), { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory() && !/^(?:\.|node_modules$|vendor$|target$)/.test(entry.name));
  const folders: string[] = [];
  for (const { name } of names.slice(0, mostInside).sort((a, b) => (a.name < b.name ? -1 : 1)))
    if ((await detectIn(name, project)).checks.length > 0) folders.push(name);
  return folders.length > 0 ? folders : [''];
}
