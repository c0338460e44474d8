// What a code agent knows of the repository it works in, and the commits it makes there. Invariant: it reads without changing anything
// and without running what the repository names; it never pushes, forces, stashes or checks out; and a commit holds only the files
// that were named, none of what the person had changed before the work began.
import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, posix, resolve } from 'node:path';
import { ContinuoError } from '../../model/error.ts';
import type { Environment } from '../../project/git-program.ts';
import { findSecretPlace } from '../../tools/builtin/secret-place.ts';
import { type CommitResult, type LeftOut, locked, makeCommit, nothingChanged, type Person, refuse } from './commit.ts';
import { type DirtyPaths, markDirtyPaths, type Ownership, tellApart } from './dirty-paths.ts';
import { decodeName, encodeName } from './file-names.ts';
import { GitRepository, type NoRepository, openRepository } from './git-repository.ts';
import { parseStatus, type StatusEntry, statusArguments } from './status.ts';

export type GitBusy = 'merge' | 'rebase' | 'cherry-pick' | 'revert' | 'bisect';

export interface GitInspection {
  kind: 'repository';
  top: string;
  /** Null where HEAD is on no branch. */
  branch: string | null;
  /** Null where there is no commit yet. */
  head: string | null;
  isWorktree: boolean;
  busy?: GitBusy;
  identity: Person | undefined;
  /** Another git is at work, or was killed at it. */
  locked: boolean;
}

export interface CommitRequest {
  message: string;
  /** Files or folders, relative to the agent's folder. */
  paths: readonly string[];
  author?: Person;
  /** Also files that hold changes the person made before the work began. Default: no. */
  includeMixed?: boolean;
  signal?: AbortSignal;
}

export interface GitManagerOptions {
  root: string;
  env: Environment;
  /** The first look, where it was taken by an earlier process. */
  dirty?: DirtyPaths;
}

export class GitManager {
  readonly #root: string;
  readonly #env: Environment;
  #dirty: DirtyPaths | undefined;

  constructor({ root, env, dirty }: GitManagerOptions) {
    this.#root = root;
    this.#env = env;
    this.#dirty = dirty;
  }

  async inspect(signal?: AbortSignal): Promise<GitInspection | NoRepository> {
    const repository = await this.open(signal);
    if (repository.kind === 'none') return repository;
    const [head, branch, busy, common, isLocked] = await Promise.all([
      readHead(repository, signal),
      readBranch(repository, signal),
      findBusy(repository.gitDir),
      repository.run(['rev-parse', '--git-common-dir'], { signal }),
      exists(join(repository.gitDir, 'index.lock')),
    ]);
    return {
      ...{ kind: 'repository', top: repository.top, branch, head },
      isWorktree: !(await isSamePlace(resolve(repository.top, decodeName(common.replace(/\n$/, '')).path), repository.gitDir)),
      ...(busy && { busy }),
      identity: findPerson(repository, this.#env, 'committer'),
      locked: isLocked,
    };
  }

  /** Null where there is no repository, or no commit in it. */
  async currentCommit(signal?: AbortSignal): Promise<string | null> {
    const repository = await this.open(signal);
    return repository.kind === 'none' ? null : readHead(repository, signal);
  }

  /** Whether the repository has the commit of this hash, which may be shortened to seven digits. */
  async hasCommit(hash: string, signal?: AbortSignal): Promise<boolean> {
    if (!/^[0-9a-f]{7,64}$/i.test(hash)) return false;
    const repository = await this.open(signal);
    if (repository.kind === 'none') return false;
    const outcome = await repository.ask(['rev-parse', '--quiet', '--verify', `${hash}^{commit}`], { signal });
    // A branch may be called like a hash.
    return outcome.ended === 'ok' && outcome.output.startsWith(hash.toLowerCase());
  }

  /** What differs from HEAD in the agent's folder. `git-unavailable` without a repository. */
  async status(signal?: AbortSignal): Promise<StatusEntry[]> {
    const repository = await this.#get(signal);
    return readStatus(repository, ['--find-renames'], signal);
  }

  /**
   * What had changed before the work began, with a mark of each content. The first call looks and every later one gives the same, so
   * call it before anything is changed. Empty without a repository.
   */
  async dirtyAtStart(signal?: AbortSignal): Promise<DirtyPaths> {
    this.#dirty ??= await this.#markDirty(signal);
    return this.#dirty;
  }

  /** Whose the changes are that are not committed. Without {@link dirtyAtStart} all are `mixed`. */
  async ownChanges(signal?: AbortSignal): Promise<Ownership> {
    return tellApart(this.#dirty, await this.#markDirty(signal));
  }

  /** Throws `commit-refused`, whose details say `because`, or `git-failed`; then nothing has changed. */
  async commit(request: CommitRequest): Promise<CommitResult> {
    const { signal } = request;
    const repository = await this.#get(signal);
    const message = checkMessage(request.message);
    const state = await this.inspect(signal);
    if (state.kind === 'none') throw new ContinuoError('git-unavailable', { path: this.#root, reason: state.reason });
    if (state.busy) throw refuse('busy', `a ${state.busy} is under way in this repository; finish it or call it off first`);
    if (state.locked) throw locked();
    if (!state.identity) throw refuse('no-identity', noIdentity);
    const entries = await readStatus(repository, ['--no-renames'], signal);
    if (entries.some(({ conflict }) => conflict))
      throw refuse('conflict', 'some files are left in conflict by a merge; decide about them first');
    const { paths, leftOut } = await this.#choose(repository, entries, request);
    if (paths.length === 0) throw nothingChanged(leftOut);
    const author = request.author ?? findPerson(repository, this.#env, 'author') ?? state.identity;
    for (const person of [author, state.identity]) checkPerson(person);
    const { head, branch, identity: committer } = state;
    return makeCommit(repository, { head, branch, message, paths, leftOut, committer, author, signal });
  }

  /** For a repository inside of this one. */
  inside(folder: string): GitManager {
    return new GitManager({ root: join(this.#root, folder), env: this.#env });
  }

  /** The repository for whoever has more questions. */
  open(signal?: AbortSignal): Promise<GitRepository | NoRepository> {
    return openRepository(this.#root, this.#env, signal);
  }

  async #get(signal?: AbortSignal): Promise<GitRepository> {
    const repository = await this.open(signal);
    if (repository instanceof GitRepository) return repository;
    throw new ContinuoError('git-unavailable', { path: this.#root, reason: repository.reason });
  }

  async #markDirty(signal?: AbortSignal): Promise<DirtyPaths> {
    const repository = await this.open(signal);
    if (repository.kind === 'none') return [];
    const entries = await readStatus(repository, ['--no-renames'], signal);
    const ours = entries.filter(({ path }) => !isHousekeeping(path));
    return markDirtyPaths(join(repository.top, repository.prefix), ours, signal);
  }

  /** The changed files among those named, and why some of them are not taken. */
  async #choose(
    repository: GitRepository,
    entries: readonly StatusEntry[],
    { paths, includeMixed = false, signal }: CommitRequest,
  ): Promise<{ paths: string[]; leftOut: LeftOut[] }> {
    const leftOut: LeftOut[] = [];
    const chosen = new Map<string, StatusEntry>();
    for (const given of paths) {
      const path = toInnerPath(given);
      const fitting = path === undefined ? [] : entries.filter((entry) => path === '.' || isAt(entry.path, path));
      for (const entry of fitting) chosen.set(entry.path, entry);
      if (path === undefined) leftOut.push({ path: given, reason: 'it is outside of the folder' });
      else if (fitting.length === 0) leftOut.push({ path: given, reason: 'it has not changed, or git ignores it' });
    }
    const filtered = await findFiltered(repository, [...chosen.keys()], signal);
    const earlier = this.#dirty && new Set(this.#dirty.map(([path]) => path));
    const isUsers = ({ path, staged }: StatusEntry) => (earlier ? earlier.has(path) : staged !== undefined);
    for (const entry of chosen.values()) {
      const reason = objectTo(entry) ?? (filtered.has(entry.path) ? filterReason : undefined);
      const why = reason ?? (!includeMixed && isUsers(entry) ? 'it has changes from before the work began' : undefined);
      if (why === undefined) continue;
      chosen.delete(entry.path);
      leftOut.push({ path: entry.path, reason: why });
    }
    return { paths: [...chosen.keys()], leftOut };
  }
}

/** Files this program keeps for itself in a project, and the sessions that an older one left there. */
export function isHousekeeping(path: string): boolean {
  return path.split('/').includes('.continuo') || /(?:^|\/)\.jarvis\/saved_session_[^/]*$/.test(path);
}

const noIdentity =
  'git does not know who you are. Tell it with: git config --global user.name "Your Name" and: git config --global user.email you@example.org';
const filterReason = 'it wants a filter that only this repository defines, and that is not run';

function objectTo({ path, unreadable, submodule, untracked }: StatusEntry): string | undefined {
  if (unreadable) return 'its name is not written in UTF-8';
  if (submodule) return 'it is a submodule';
  if (untracked && path.endsWith('/')) return 'it is a repository of its own';
  if (isHousekeeping(path)) return 'it belongs to Continuo';
  return findSecretPlace(path.split('/'));
}

function toInnerPath(given: string): string | undefined {
  const path = posix.normalize(given.replace(/\/+$/, ''));
  return given === '' || isAbsolute(given) || path === '..' || path.startsWith('../') ? undefined : path;
}

function isAt(path: string, named: string): boolean {
  return path === named || path.startsWith(`${named}/`);
}

async function findFiltered(repository: GitRepository, paths: readonly string[], signal?: AbortSignal): Promise<Set<string>> {
  const found = new Set<string>();
  if (repository.disabledFilters.size === 0 || paths.length === 0) return found;
  const input = paths.map((path) => `${encodeName(repository.prefix + path)}\0`).join('');
  const fields = (await repository.run(['check-attr', '-z', '--stdin', 'filter'], { input, signal })).split('\0');
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const filter = decodeName(fields[at + 2] as string).path;
    if (repository.disabledFilters.has(filter)) found.add(decodeName(fields[at] as string).path.slice(repository.prefix.length));
  }
  return found;
}

async function readStatus(repository: GitRepository, more: string[], signal?: AbortSignal): Promise<StatusEntry[]> {
  const inside = repository.prefix === '' ? [] : ['--', repository.prefix];
  return parseStatus(await repository.run([...statusArguments, ...more, ...inside], { signal }), repository.prefix);
}

async function readHead(repository: GitRepository, signal?: AbortSignal): Promise<string | null> {
  const outcome = await repository.ask(['rev-parse', '--quiet', '--verify', 'HEAD^{commit}'], { signal });
  return outcome.ended === 'ok' ? outcome.output.trim() : null;
}

async function readBranch(repository: GitRepository, signal?: AbortSignal): Promise<string | null> {
  const outcome = await repository.ask(['symbolic-ref', '--quiet', 'HEAD'], { signal });
  return outcome.ended === 'ok' ? decodeName(outcome.output.replace(/\n$/, '')).path.replace(/^refs\/heads\//, '') : null;
}

const busyMarks: readonly (readonly [string, GitBusy])[] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
];

async function findBusy(gitDir: string): Promise<GitBusy | undefined> {
  for (const [name, busy] of busyMarks) if (await exists(join(gitDir, name))) return busy;
  // Between two picks of several there is only the list of what is left.
  const left = await readFile(join(gitDir, 'sequencer', 'todo'), 'utf8').catch(() => undefined);
  if (left === undefined) return undefined;
  return left.startsWith('revert') ? 'revert' : 'cherry-pick';
}

async function isSamePlace(a: string, b: string): Promise<boolean> {
  const [first, second] = await Promise.all([a, b].map((path) => realpath(path).catch(() => path)));
  return first === second;
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** As git would find them, but never made up from the name of the machine. */
function findPerson(repository: GitRepository, env: Environment, role: 'author' | 'committer'): Person | undefined {
  const name = env[`GIT_${role.toUpperCase()}_NAME`] || repository.setting(`${role}.name`) || repository.setting('user.name');
  const email = env[`GIT_${role.toUpperCase()}_EMAIL`] || repository.setting(`${role}.email`) || repository.setting('user.email');
  return name?.trim() && email?.trim() ? { name, email } : undefined;
}

function checkPerson({ name, email }: Person): void {
  if ([name, email].some((text) => text.trim() === '' || /[<>\n\0]/.test(text)))
    throw refuse('invalid-person', 'a name or an e-mail address in it cannot be written into a commit');
}

const longestMessage = 65_536;

function checkMessage(message: string): string {
  const text = message.replaceAll('\r\n', '\n').trim();
  if (text === '' || text.includes('\0') || text.length > longestMessage || !text.isWellFormed())
    throw refuse('invalid-message', 'the message is empty, too long or not text');
  return `${text}\n`;
}
