// What has changed since a commit, file by file, and how it is put into words for a model or a person within a number of tokens.
import { BoundedText, quotePath } from '../bounded-text.ts';

export interface FileChange {
  /** Relative to the agent's folder. */
  path: string;
  status: 'added' | 'modified' | 'deleted' | 'renamed' | 'type-changed';
  /** What it was called, where it was renamed. */
  from?: string;
  /** Lines; 0 where it is binary. */
  additions: number;
  deletions: number;
  binary: boolean;
  /** Where it changed, or is new or gone: octal, as git writes it. */
  mode?: { from?: string; to?: string };
  /** What it is, where it is no plain file. */
  kind?: 'link' | 'submodule';
  /** The change as a unified diff, cut where it is long. Empty where a note says why. */
  patch: string;
  /** What is to be known about the patch: that it was cut, or why there is none. */
  note?: string;
  /** The name is not UTF-8; `path` only shows it. */
  unreadable?: true;
}

export interface ChangeSet {
  /** False where there is no repository to compare with; then `reason` says why and `files` is empty. */
  available: boolean;
  reason?: string;
  /** The commit it is compared with; null for the empty tree. */
  base: string | null;
  files: FileChange[];
  /** New files that were too many to look at. */
  omitted: number;
  warnings: string[];
}

export interface ChangeStat {
  files: number;
  additions: number;
  deletions: number;
  binary: number;
}

export function countChanges({ files }: ChangeSet): ChangeStat {
  const sum = (count: (file: FileChange) => number) => files.reduce((total, file) => total + count(file), 0);
  return {
    files: files.length,
    additions: sum(({ additions }) => additions),
    deletions: sum(({ deletions }) => deletions),
    binary: sum(({ binary }) => Number(binary)),
  };
}

/** The list of files first, then their changes as far as the tokens go. */
export function describeChanges(changes: ChangeSet, tokens: number): string {
  if (!changes.available) return `The changes are not known: ${changes.reason}.`;
  const { files, additions, deletions } = countChanges(changes);
  const head =
    files === 0 ? 'Nothing has changed.' : `${files} changed file(s), ${additions} line(s) added, ${deletions} removed.`;
  const page = new BoundedText(tokens);
  for (const warning of changes.warnings) page.add(`Note: ${warning}.`);
  page.add(head);
  // Half of the room belongs to the changes themselves, however many files there are.
  const listed = page.addWhile(changes.files.map(describeFile), tokens / 2);
  const unlisted = files - listed + changes.omitted;
  if (unlisted > 0) page.add(`… and ${unlisted} more file(s)`);
  let left = 0;
  for (const file of changes.files) {
    if (file.patch === '') continue;
    if (!page.addCut(`\n${file.patch.trimEnd()}`)) left += 1;
  }
  if (left > 0) page.add(`\n… the changes of ${left} more file(s) are left out`);
  return page.toString();
}

const letters = { added: 'A', modified: 'M', deleted: 'D', renamed: 'R', 'type-changed': 'T' } as const;

function describeFile({ path, from, status, additions, deletions, binary, kind, note }: FileChange): string {
  const name = from === undefined ? quotePath(path) : `${quotePath(from)} → ${quotePath(path)}`;
  const size = binary ? 'binary' : `+${additions} -${deletions}`;
  return [`${letters[status]} ${name} (${size}${kind === undefined ? '' : `, ${kind}`})`, ...(note ? [note] : [])].join(': ');
}
