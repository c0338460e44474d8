// What runs on this machine, from /proc on Linux and from ps elsewhere. A process is known by its number and its start: numbers
// are used again.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface ProcessRow {
  pid: number;
  parent: number;
  session: number;
  /** Only good for comparing. */
  start: string;
  /** Ended, and waiting for its parent to notice. */
  zombie: boolean;
}

export function readProcesses(platform: NodeJS.Platform = process.platform): ProcessRow[] {
  return platform === 'linux' ? readFromProc() : readFromPs();
}

export function readProcess(pid: number, platform: NodeJS.Platform = process.platform): ProcessRow | undefined {
  if (platform === 'linux') return parseStat(pid, readOrNothing(`/proc/${pid}/stat`));
  return readFromPs().find((row) => row.pid === pid);
}

function readFromProc(): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const row = Number.isInteger(pid) ? parseStat(pid, readOrNothing(`/proc/${name}/stat`)) : undefined;
    if (row) rows.push(row);
  }
  return rows;
}

/** The name of the program stands in parentheses and may hold anything, also parentheses. */
function parseStat(pid: number, stat: string): ProcessRow | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, , session] = fields;
  const start = fields[19];
  if (start === undefined) return undefined;
  return { pid, parent: Number(parent), session: Number(session), start, zombie: state === 'Z' || state === 'X' };
}

function readFromPs(): ProcessRow[] {
  const { stdout } = spawnSync('/bin/ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='], {
    encoding: 'utf8',
    env: { LC_ALL: 'C' },
    maxBuffer: 1 << 26,
  });
  return (stdout ?? '').split('\n').flatMap((line): ProcessRow[] => {
    const [, pid, parent, group, state, start] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || start === undefined) return [];
    // The session of a detached process has the number of its first group; ps has no better answer everywhere.
    return [{ pid: Number(pid), parent: Number(parent), session: Number(group), start, zombie: state?.startsWith('Z') ?? false }];
  });
}

/**
 * Whether a process was started with the mark in its environment, or writes to the given file; undefined while it cannot be told,
 * as between two programs of one process. Only /proc tells.
 */
export function carriesMark(pid: number, mark: string, output: string): boolean | undefined {
  const environment = readOrNothing(`/proc/${pid}/environ`);
  if (environment.includes(mark)) return true;
  if ([1, 2].some((descriptor) => linkOrNothing(`/proc/${pid}/fd/${descriptor}`).startsWith(output))) return true;
  return environment === '' ? undefined : false;
}

/** The number of the process started last, which grows with every start until it wraps; undefined where it cannot be told. */
export function readLastStart(): number | undefined {
  const last = Number(readOrNothing('/proc/loadavg').split(' ')[4]);
  return Number.isInteger(last) && last > 0 ? last : undefined;
}

/** Processes end while they are looked at, and others' may not be looked at. */
function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function linkOrNothing(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
