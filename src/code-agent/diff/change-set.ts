// What has changed since a commit, file by file, and how it is put into words for a model or a person within a number of tokens.
import { estimateTokens } from '../../base/token-estimate.ts';

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
  return page.text();
}

const letters = { added: 'A', modified: 'M', deleted: 'D', renamed: 'R', 'type-changed': 'T' } as const;

function describeFile({ path, from, status, additions, deletions, binary, kind, note }: FileChange): string {
  const name = from === undefined ? showName(path) : `${showName(from)} → ${showName(path)}`;
  const size = binary ? 'binary' : `+${additions} -${deletions}`;
  return [`${letters[status]} ${name} (${size}${kind === undefined ? '' : `, ${kind}`})`, ...(note ? [note] : [])].join(': ');
}

/** A name with a line break in it must not look like two. */
function showName(path: string): string {
  return /[\p{Cc}"\\]/u.test(path) ? JSON.stringify(path) : path;
}

class BoundedText {
  readonly #lines: string[] = [];
  #left: number;

  constructor(tokens: number) {
    this.#left = tokens;
  }

  add(line: string): boolean {
    const cost = estimateTokens(line) + 1;
    if (cost > this.#left) return false;
    this.#left -= cost;
    this.#lines.push(line);
    return true;
  }

  /** How many of the lines there was room for. */
  addWhile(lines: readonly string[], tokens: number): number {
    const floor = this.#left - tokens;
    const refused = lines.findIndex((line) => this.#left - estimateTokens(line) < floor || !this.add(line));
    return refused < 0 ? lines.length : refused;
  }

  /** As many whole lines of a text as there is room for; true where all of it, or a good part, went in. */
  addCut(text: string): boolean {
    if (this.add(text)) return true;
    const lines = text.split('\n');
    let [kept, cost] = [0, reserve];
    while (kept < lines.length && cost < this.#left) cost += estimateTokens(lines[kept++] as string) + 1;
    if (kept - 1 < fewestLines) return false;
    return this.add(`${lines.slice(0, kept - 1).join('\n')}\n… ${lines.length - kept + 1} more line(s)`);
  }

  text(): string {
    return this.#lines.join('\n');
  }
}

/** For the words that say what was left out. */
const reserve = 24;
const fewestLines = 6;
