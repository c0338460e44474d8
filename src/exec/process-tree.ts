// Everything a command started, also what has left its parent, its group and its session. Found by descent, by session, by a mark in
// the environment and by the output it writes to; what was found once is remembered. Ending it is polite first, then certain.
import { setTimeout as sleep } from 'node:timers/promises';
import { carriesMark, type ProcessRow, readLastStart, readProcess, readProcesses } from './process-table.ts';

export interface ProcessTreeOptions {
  root: number;
  /** In the environment of the command, and nowhere else on this machine. */
  mark: string;
  /** Where the command writes to. */
  output: string;
  /** Whether the root is a sandbox that takes everything with it. It has two processes of its own and is ended last. */
  holdsTree: boolean;
  /** What ran before the command was started. */
  before: readonly ProcessRow[];
}

export class ProcessTree {
  readonly #options: ProcessTreeOptions;
  readonly #members = new Map<number, string>();
  readonly #strangers = new Map<number, string>();
  #lastCount = 0;
  #lastStart: number | undefined;

  constructor(options: ProcessTreeOptions) {
    this.#options = options;
    for (const { pid, start } of options.before) this.#strangers.set(pid, start);
    const root = readProcess(options.root);
    if (root) this.#members.set(root.pid, root.start);
  }

  /** What is alive of it now, without what only waits to be noticed. */
  find(): ProcessRow[] {
    return this.#findAll().filter(({ zombie }) => !zombie);
  }

  /** Whether there are more processes than allowed. Cheap: it looks at all of them only where so many can have been started. */
  exceeds(limit: number): boolean {
    const start = readLastStart();
    const started = start === undefined || this.#lastStart === undefined ? Number.NaN : start - this.#lastStart;
    if (started >= 0 && this.#lastCount + started <= limit) return false;
    this.#lastStart = start;
    this.#lastCount = this.#findAll().length - (this.#options.holdsTree ? 2 : 0);
    return this.#lastCount > limit;
  }

  /** Asks everything to end, and ends after the grace what has not. Resolves when nothing is left, or nothing more can be done. */
  async end(grace: number): Promise<void> {
    if (grace > 0) {
      const { root, holdsTree } = this.#options;
      for (const { pid } of this.find()) if (!(holdsTree && pid === root)) sendSignal(pid, 'SIGTERM');
      await this.#untilGone(grace);
    }
    for (let round = 0; round < killRounds && this.find().length > 0; round++) {
      this.#kill();
      await this.#untilGone(killPause);
    }
  }

  /** Whatever could start others is stopped first, or there would always be one more. */
  #kill(): void {
    const stopped = new Set<number>();
    for (let pass = 0; pass < stopPasses; pass++) {
      const fresh = this.find().filter(({ pid }) => !stopped.has(pid));
      if (fresh.length === 0) break;
      for (const { pid } of fresh) {
        sendSignal(pid, this.#options.holdsTree ? 'SIGKILL' : 'SIGSTOP');
        stopped.add(pid);
      }
    }
    for (const pid of stopped) sendSignal(pid, 'SIGKILL');
  }

  async #untilGone(milliseconds: number): Promise<void> {
    const deadline = performance.now() + milliseconds;
    for (let pause = 2; this.find().length > 0 && performance.now() < deadline; pause = Math.min(pause * 2, 40))
      await sleep(pause);
  }

  #findAll(): ProcessRow[] {
    const rows = new Map(readProcesses().map((row) => [row.pid, row]));
    forgetEnded(this.#members, rows);
    forgetEnded(this.#strangers, rows);
    const judge = new Judge(this.#options, rows, this.#members, this.#strangers);
    const members = [...rows.values()].filter((row) => judge.belongs(row));
    for (const { pid, start } of members) this.#members.set(pid, start);
    return members;
  }
}

/** Decides for one look at the table. */
class Judge {
  readonly #options: ProcessTreeOptions;
  readonly #rows: ReadonlyMap<number, ProcessRow>;
  readonly #members: ReadonlyMap<number, string>;
  readonly #strangers: Map<number, string>;
  readonly #verdicts = new Map<number, boolean>();
  /** The number of the root is not given to another process while the root or its session lives. */
  readonly #rootHolds: boolean;

  constructor(
    options: ProcessTreeOptions,
    rows: ReadonlyMap<number, ProcessRow>,
    members: ReadonlyMap<number, string>,
    strangers: Map<number, string>,
  ) {
    this.#options = options;
    this.#rows = rows;
    this.#members = members;
    this.#strangers = strangers;
    this.#rootHolds = [...members.keys()].some((pid) => rows.get(pid)?.session === options.root);
  }

  belongs(row: ProcessRow): boolean {
    const undecided: ProcessRow[] = [];
    let at: ProcessRow | undefined = row;
    for (; at !== undefined && this.#verdict(at) === undefined; at = this.#rows.get(at.parent)) {
      undecided.push(at);
      this.#verdicts.set(at.pid, false);
    }
    let belongs = at !== undefined && this.#verdict(at) === true;
    for (const below of undecided.reverse()) {
      belongs ||= this.#carriesMark(below);
      this.#verdicts.set(below.pid, belongs);
    }
    return this.#verdict(row) === true;
  }

  #verdict({ pid, session }: ProcessRow): boolean | undefined {
    if (this.#members.has(pid)) return true;
    if (this.#strangers.has(pid)) return false;
    if (this.#rootHolds && session === this.#options.root) return true;
    return this.#verdicts.get(pid);
  }

  /** A stranger stays one: what the command starts carries the mark from its beginning. */
  #carriesMark({ pid, start }: ProcessRow): boolean {
    const carries = carriesMark(pid, this.#options.mark, this.#options.output);
    if (carries === false) this.#strangers.set(pid, start);
    return carries === true;
  }
}

/** A process that nothing can end (it waits for a device) is given up after so many rounds. */
const killRounds = 20;
const stopPasses = 50;
const killPause = 100;

function forgetEnded(known: Map<number, string>, rows: ReadonlyMap<number, ProcessRow>): void {
  for (const [pid, start] of known) if (rows.get(pid)?.start !== start) known.delete(pid);
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already, or belongs to another user.
  }
}
