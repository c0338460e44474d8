// Reads what `git diff` says: one list of records with NUL between them, and the patches in the same order. Sorting patches to files by
// their order, and not by the names in them, works for every name; where the counts do not fit no patch is believed.
import { decodeName } from '../git/file-names.ts';
import { shorten } from '../git/status.ts';
import type { FileChange } from './change-set.ts';

export interface DiffRecord extends Omit<FileChange, 'patch' | 'note'> {
  /** How many patches it has: a file that became a link is taken away and added. */
  patches: number;
}

/** The output of `git diff --raw --numstat -z`. */
export function parseRecords(output: string, prefix: string): DiffRecord[] {
  const parts = output.split('\0');
  const records: DiffRecord[] = [];
  let at = 0;
  const next = () => parts[at++] ?? '';
  while (parts[at]?.startsWith(':')) {
    const [oldMode = '', newMode = '', , , letter = ''] = next().slice(1).split(' ');
    const from = letter.startsWith('R') ? next() : undefined;
    records.push(readRecord(letter.charAt(0), { oldMode, newMode, from, name: next(), prefix }));
  }
  for (const record of records) {
    const [additions = '', deletions = '', name] = next().split('\t');
    // The two names of a renamed file come by themselves.
    if (name === '') at += 2;
    record.binary = additions === '-';
    record.additions = Number(additions) || 0;
    record.deletions = Number(deletions) || 0;
  }
  return records;
}

interface RawFields {
  oldMode: string;
  newMode: string;
  from: string | undefined;
  name: string;
  prefix: string;
}

const statuses: Readonly<Record<string, FileChange['status']>> = { A: 'added', D: 'deleted', R: 'renamed', T: 'type-changed' };

function readRecord(letter: string, { oldMode, newMode, from, name, prefix }: RawFields): DiffRecord {
  const { path, unreadable } = decodeName(name);
  const [before, after] = [oldMode === noMode ? undefined : oldMode, newMode === noMode ? undefined : newMode];
  const kind = kinds[after ?? before ?? ''];
  return {
    path: shorten(path, prefix),
    status: statuses[letter] ?? 'modified',
    ...(from !== undefined && { from: shorten(decodeName(from).path, prefix) }),
    ...{ additions: 0, deletions: 0, binary: false },
    ...(before !== after && { mode: { ...(before && { from: before }), ...(after && { to: after }) } }),
    ...(kind && { kind }),
    ...(unreadable && { unreadable }),
    patches: letter === 'T' ? 2 : 1,
  };
}

const noMode = '000000';
const kinds: Readonly<Record<string, 'link' | 'submodule'>> = { '120000': 'link', '160000': 'submodule' };

/** The patch of each record; undefined where they cannot be sorted to them. */
export function splitPatches(output: string, records: readonly DiffRecord[]): string[] | undefined {
  // Inside of a patch every line begins with a sign of its own.
  const pieces = output === '' ? [] : output.split(/^(?=diff --git )/m);
  const wanted = records.reduce((sum, { patches }) => sum + patches, 0);
  if (pieces.length !== wanted) return undefined;
  let at = 0;
  return records.map(({ patches }) => {
    const own = pieces.slice(at, at + patches).join('');
    at += patches;
    return Buffer.from(own, 'latin1').toString('utf8');
  });
}
