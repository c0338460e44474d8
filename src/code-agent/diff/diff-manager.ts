// What has changed in the agent's folder since a commit: commits made since, what is not committed, and new files that git does not
// ignore. All of it comes from one comparison with an index of its own in which the new files are entered, so that a file which was
// moved is one moved file. The repository is only read; no object and no index of it is written.
import { lstat, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix, resolve } from 'node:path';
import { findSecretPlace } from '../../tools/builtin/secret-place.ts';
import { copyIndex } from '../git/copy-index.ts';
import { decodeName } from '../git/file-names.ts';
import { type GitManager, isHousekeeping } from '../git/git-manager.ts';
import type { GitRepository, GitRun } from '../git/git-repository.ts';
import { type ChangeSet, type ChangeStat, countChanges, describeChanges, type FileChange } from './change-set.ts';
import { type DiffRecord, parseRecords, splitPatches } from './read-diff.ts';

export type { ChangeSet, ChangeStat, FileChange } from './change-set.ts';

export interface ChangesOptions {
  signal?: AbortSignal;
  /** Only these files or folders, relative to the agent's folder. */
  paths?: readonly string[];
}

const longestPatch = 65_536;
const longestPatches = 2 * 1_048_576;
/** What git may say about all of it at once. */
const longestAnswer = 16 * 1_048_576;
const mostLines = 2_000;
const mostSmall = 500;
const largestNewFile = 8 * 1_048_576;
const mostNewFiles = 5_000;

export class DiffManager {
  readonly #git: GitManager;

  constructor({ git }: { root?: string; git: GitManager }) {
    this.#git = git;
  }

  /**
   * Compared with `start`. Without one, in a repository that has no commit, everything is new; a start that is gone, or none where
   * there are commits, is replaced by HEAD, and a warning says so.
   */
  async changesSince(start: string | null, { signal, paths = [] }: ChangesOptions = {}): Promise<ChangeSet> {
    const repository = await this.#git.open(signal);
    if (repository.kind === 'none')
      return { available: false, reason: repository.reason, base: null, files: [], omitted: 0, warnings: [] };
    const { base, warnings } = await this.#findBase(repository, start, signal);
    const folder = await mkdtemp(join(tmpdir(), 'continuo-diff-'));
    try {
      const look = {
        repository,
        signal,
        variables: { GIT_INDEX_FILE: join(folder, 'index') },
        scope: toScope(repository, paths),
      };
      const fresh = await enterNewFiles(look);
      const compared = await compare(look, base ?? (await emptyTree(repository)));
      const files = [...compared.files, ...fresh.large].filter(({ path }) => !isHousekeeping(path)).sort(byPath);
      return { available: true, base, files, omitted: fresh.omitted, warnings: [...warnings, ...compared.warnings] };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  describe(changes: ChangeSet, { tokens }: { tokens: number }): string {
    return describeChanges(changes, tokens);
  }

  stat(changes: ChangeSet): ChangeStat {
    return countChanges(changes);
  }

  async #findBase(
    repository: GitRepository,
    start: string | null,
    signal?: AbortSignal,
  ): Promise<{ base: string | null; warnings: string[] }> {
    const head = await this.#git.currentCommit(signal);
    if (start === null) {
      const unknown = 'where the work began is not known, so that only what is not committed is shown';
      return { base: head, warnings: head === null ? [] : [unknown] };
    }
    if (!(await this.#git.hasCommit(start, signal))) {
      const known = head === null ? 'everything is shown as new' : 'only what is not committed is shown';
      return { base: head, warnings: [`the commit ${start.slice(0, 64)} the work began at is gone, so that ${known}`] };
    }
    const isBefore =
      head !== null && (await repository.ask(['merge-base', '--is-ancestor', start, head], { signal })).ended === 'ok';
    const elsewhere = `the commit ${start} the work began at is not in the history of where the folder is now`;
    return { base: start, warnings: isBefore ? [] : [elsewhere] };
  }
}

interface Look {
  repository: GitRepository;
  signal: AbortSignal | undefined;
  variables: Record<string, string> & { GIT_INDEX_FILE: string };
  /** What git is asked about, with the two dashes before it. */
  scope: string[];
}

function runFor({ signal, variables }: Look): GitRun {
  return { signal, variables };
}

function toScope({ prefix }: GitRepository, paths: readonly string[]): string[] {
  const wanted = paths.length > 0 ? paths.map((path) => prefix + path) : prefix === '' ? [] : [prefix];
  return ['--', ...wanted];
}

/** Enters files that git does not know, and those in conflict, as if they had been added. Their content is not looked at here. */
async function enterNewFiles(look: Look): Promise<{ large: FileChange[]; omitted: number }> {
  const { repository, variables, scope } = look;
  const place = decodeName((await repository.run(['rev-parse', '--git-path', 'index'])).replace(/\n$/, '')).path;
  await copyIndex(resolve(repository.top, place), variables.GIT_INDEX_FILE);
  const run = runFor(look);
  const [unknown, unmerged] = await Promise.all([
    repository.run(['ls-files', '--others', '--exclude-standard', '-z', ...scope], run),
    repository.run(['ls-files', '--unmerged', '-z', ...scope], run),
  ]);
  const conflicts = new Set(split(unmerged).map((line) => line.slice(line.indexOf('\t') + 1)));
  // A name with a slash at its end is a repository inside of this one.
  const fresh = split(unknown).filter((name) => !name.endsWith('/') && !isHousekeeping(name));
  const taken = fresh.slice(0, mostNewFiles);
  const large: FileChange[] = [];
  let input = '';
  const blob = await emptyBlob(repository);
  for (const name of new Set([...taken, ...conflicts])) {
    const found = await lstat(Buffer.from(`${Buffer.from(repository.top, 'utf8').toString('latin1')}/${name}`, 'latin1')).catch(
      () => undefined,
    );
    const mode = found?.isSymbolicLink() ? '120000' : (found?.mode ?? 0) & 0o100 ? '100755' : '100644';
    if (found === undefined || (!found.isFile() && !found.isSymbolicLink())) continue;
    if (found.size > largestNewFile && !conflicts.has(name)) large.push(describeLarge(repository, name, mode, found.size));
    else input += `${mode} ${blob} 0\t${name}\0`;
  }
  if (input !== '') await repository.run(['update-index', '-z', '--index-info'], { ...run, input });
  return { large, omitted: fresh.length - taken.length };
}

function describeLarge({ prefix }: GitRepository, name: string, mode: string, size: number): FileChange {
  const decoded = decodeName(name);
  return {
    ...decoded,
    path: decoded.path.slice(prefix.length),
    status: 'added',
    ...{ additions: 0, deletions: 0, binary: true },
    mode: { to: mode },
    patch: '',
    note: `it has ${size} bytes and is not shown`,
  };
}

const diffArguments = [
  ...['diff', '--no-ext-diff', '--no-textconv', '--no-color', '--no-relative', '--submodule=short', '--ignore-submodules=dirty'],
  ...['--src-prefix=a/', '--dst-prefix=b/', '--unified=3', '--inter-hunk-context=0', '--find-renames', '--diff-algorithm=myers'],
];

async function compare(look: Look, base: string): Promise<{ files: FileChange[]; warnings: string[] }> {
  const { repository, scope } = look;
  const listed = await repository.run([...diffArguments, '--raw', '--numstat', '-z', base, ...scope], runFor(look));
  const records = parseRecords(listed, repository.prefix);
  const patches = await readPatches(look, base, records);
  let room = longestPatches;
  const files = records.map(({ patches: _, ...record }, at): FileChange => {
    const bounded = boundPatch(record, patches[at], room);
    room -= bounded.patch.length;
    return { ...record, ...bounded };
  });
  const isMissing = records.some((_, at) => patches[at] === undefined);
  return { files, warnings: isMissing ? ['the changes are too large to be shown line by line'] : [] };
}

/** The patch of each record; where all of them are too much, those of the smaller changes. */
async function readPatches(look: Look, base: string, records: readonly DiffRecord[]): Promise<(string | undefined)[]> {
  const { repository, scope } = look;
  const run = { ...runFor(look), maxBytes: longestAnswer };
  const asked = await repository.ask([...diffArguments, '--patch', base, ...scope], run);
  if (asked.ended === 'ok') return splitPatches(asked.output, records) ?? [];
  const isSmall = ({ additions, deletions, unreadable }: DiffRecord) => !unreadable && additions + deletions <= mostLines;
  const small = records.filter(isSmall).slice(0, mostSmall);
  const names = small.flatMap(({ path, from }) => [path, ...(from === undefined ? [] : [from])]);
  const paths = names.map((name) => posix.join(repository.prefix, name));
  if (paths.length === 0) return [];
  const again = await repository.ask([...diffArguments, '--patch', base, '--', ...paths], run);
  const split = again.ended === 'ok' ? splitPatches(again.output, small) : undefined;
  const found = new Map(small.map((record, at) => [record, split?.[at]]));
  return records.map((record) => found.get(record));
}

function boundPatch(
  record: Omit<DiffRecord, 'patches'>,
  patch: string | undefined,
  room: number,
): Pick<FileChange, 'patch' | 'note'> {
  const secret = findSecretPlace(record.path.split('/')) ?? (record.from && findSecretPlace(record.from.split('/')));
  if (secret !== undefined) return { patch: '', note: `it is not shown, because ${secret}` };
  if (patch === undefined || room <= 0) return { patch: '', note: 'it is not shown, because there is too much' };
  if (patch.length <= Math.min(longestPatch, room)) return { patch };
  const kept = patch.slice(0, patch.lastIndexOf('\n', Math.min(longestPatch, room)) + 1);
  const lines = patch.slice(kept.length).split('\n').length - 1;
  return { patch: kept.toWellFormed(), note: `it is cut; ${lines} more line(s)` };
}

/** Known to every git without being stored. */
async function emptyTree(repository: GitRepository): Promise<string> {
  return (await repository.run(['hash-object', '-t', 'tree', '--stdin'])).trim();
}

async function emptyBlob(repository: GitRepository): Promise<string> {
  return (await repository.run(['hash-object', '-t', 'blob', '--stdin'])).trim();
}

function split(output: string): string[] {
  return output.split('\0').filter((name) => name !== '');
}

function byPath(a: FileChange, b: FileChange): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
