// What git says about the files that differ from HEAD, read from its second porcelain format. Names come apart at NUL, so that any name
// is one name.
import { decodeName, encodeName } from './file-names.ts';

export type ChangeKind = 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'type-changed';

export interface StatusEntry {
  /** Relative to the agent's folder. */
  path: string;
  /** What it was called, where it was renamed. */
  from?: string;
  /** How the index differs from HEAD. */
  staged?: ChangeKind;
  /** How the file differs from the index. */
  unstaged?: ChangeKind;
  untracked?: true;
  /** A merge left it for a person to decide. */
  conflict?: true;
  submodule?: true;
  /** Its name is not UTF-8; `path` only shows it. */
  unreadable?: true;
}

export const statusArguments = ['status', '--porcelain=v2', '-z', '--untracked-files=all', '--ignore-submodules=dirty'];

/** Entries outside of `prefix` are left out; a renamed file that came from outside is shown with the way up to it. */
export function parseStatus(output: string, prefix: string): StatusEntry[] {
  const inside = encodeName(prefix);
  const entries: StatusEntry[] = [];
  const records = output.split('\0');
  for (let at = 0; at < records.length; at++) {
    const record = records[at] as string;
    const from = record.startsWith('2 ') ? (records[++at] as string) : undefined;
    const read = readRecord(record);
    if (!read?.name.startsWith(inside)) continue;
    const { path, unreadable } = decodeName(read.name.slice(inside.length));
    const origin = from === undefined ? {} : { from: shorten(decodeName(from).path, prefix) };
    entries.push({ path, ...origin, ...read.state, ...(unreadable && { unreadable }) });
  }
  return entries;
}

export function shorten(path: string, prefix: string): string {
  if (path.startsWith(prefix)) return path.slice(prefix.length);
  return `${'../'.repeat(prefix.split('/').length - 1)}${path}`;
}

type State = Omit<StatusEntry, 'path' | 'from' | 'unreadable'>;

/** How many fields stand before the name. */
const fieldsBefore: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10, '?': 1 };

function readRecord(record: string): { name: string; state: State } | undefined {
  const kind = record.charAt(0);
  const count = fieldsBefore[kind];
  if (count === undefined) return undefined;
  const [name, fields] = [afterFields(record, count), record.split(' ', 3)];
  if (kind === '?') return { name, state: { untracked: true } };
  const submodule = fields[2]?.startsWith('S') ? { submodule: true as const } : {};
  if (kind === 'u') return { name, state: { conflict: true, ...submodule } };
  const [staged, unstaged] = [kinds[fields[1]?.charAt(0) ?? ''], kinds[fields[1]?.charAt(1) ?? '']];
  return { name, state: { ...(staged && { staged }), ...(unstaged && { unstaged }), ...submodule } };
}

const kinds: Readonly<Record<string, ChangeKind>> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type-changed',
};

function afterFields(record: string, count: number): string {
  let at = 0;
  for (let field = 0; field < count; field++) at = record.indexOf(' ', at) + 1;
  return record.slice(at);
}
