// Makes one commit of the named files and of nothing else. The tree is put together in an index of its own, so that what the person
// has staged stays staged; the branch moves only if it is still where it was; and git's own lock is held meanwhile, so that no other
// git changes the index in between. Hooks are not run and nothing is signed, and the result says where that leaves something out.
import { access, constants, mkdtemp, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ContinuoError } from '../../model/error.ts';
import { copyIndex } from './copy-index.ts';
import { decodeName, encodeName } from './file-names.ts';
import { describeFailure, type GitRepository, type GitRun } from './git-repository.ts';

export interface Person {
  name: string;
  email: string;
}

export interface LeftOut {
  path: string;
  reason: string;
}

export interface CommitResult {
  commit: string;
  /** Null where HEAD is on no branch. */
  branch: string | null;
  paths: string[];
  leftOut: LeftOut[];
  /** Hooks the repository has for commits, and that were not run. */
  hooksNotRun: string[];
  /** The person's settings ask for signed commits, and this one is not. */
  unsigned: boolean;
}

export interface CommitPlan {
  head: string | null;
  branch: string | null;
  message: string;
  /** Relative to the agent's folder. */
  paths: readonly string[];
  leftOut: LeftOut[];
  committer: Person;
  author: Person;
  signal?: AbortSignal | undefined;
}

export type RefusedBecause =
  | 'busy'
  | 'locked'
  | 'conflict'
  | 'no-identity'
  | 'nothing-changed'
  | 'moved'
  | 'invalid-message'
  | 'invalid-person';

export function refuse(
  because: RefusedBecause,
  reason: string,
  more: { leftOut?: LeftOut[]; cause?: unknown } = {},
): ContinuoError {
  const leftOut = more.leftOut?.map(({ path, reason: why }) => ({ path, reason: why })) ?? [];
  return new ContinuoError('commit-refused', { because, reason, leftOut }, { cause: more.cause });
}

export async function makeCommit(repository: GitRepository, plan: CommitPlan): Promise<CommitResult> {
  const place = await repository.run(['rev-parse', '--git-path', 'index']);
  const indexPath = resolve(repository.top, decodeName(place.replace(/\n$/, '')).path);
  const folder = await mkdtemp(join(tmpdir(), 'continuo-commit-'));
  const lock = await takeLock(`${indexPath}.lock`).catch(async (error: unknown) => {
    await rm(folder, { recursive: true });
    throw error;
  });
  try {
    const [commit, files] = await buildCommit(repository, plan, join(folder, 'tree-index'));
    const next = join(folder, 'next-index');
    await copyIndex(indexPath, next);
    await repository.run(['update-index', '-z', '--index-info'], { input: files, ...withIndex(next) });
    plan.signal?.throwIfAborted();
    await moveHead(repository, plan, commit);
    await lock.replaceBy(next, indexPath);
    const { branch, leftOut } = plan;
    const paths = [...plan.paths].sort();
    const unsigned = /^(?:true|yes|on|1)$/i.test(repository.setting('commit.gpgsign') ?? '');
    return { commit, branch, paths, leftOut, hooksNotRun: await findHooks(repository), unsigned };
  } finally {
    await lock.release();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The new commit, which nothing points to yet, and its files as an index takes them. */
async function buildCommit(repository: GitRepository, plan: CommitPlan, indexFile: string): Promise<[string, string]> {
  const { head, signal } = plan;
  const run: GitRun = { ...withIndex(indexFile), signal };
  const names = plan.paths.map((path) => encodeName(repository.prefix + path));
  const input = names.map((name) => `${name}\0`).join('');
  await repository.run(head === null ? ['read-tree', '--empty'] : ['read-tree', head], run);
  await repository.run(['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], { ...run, input });
  const tree = (await repository.run(['write-tree'], run)).trim();
  const before = head === null ? undefined : (await repository.run(['rev-parse', `${head}^{tree}`], run)).trim();
  const isEmpty = before === undefined && (await repository.run(['ls-files', '-z'], run)) === '';
  if (tree === before || isEmpty) throw nothingChanged(plan.leftOut);
  const parents = head === null ? [] : ['-p', head];
  const commit = await repository.run(['commit-tree', ...parents, '-F', '-', tree], {
    signal,
    input: Buffer.from(plan.message, 'utf8').toString('latin1'),
    variables: {
      ...{ GIT_AUTHOR_NAME: plan.author.name, GIT_AUTHOR_EMAIL: plan.author.email },
      ...{ GIT_COMMITTER_NAME: plan.committer.name, GIT_COMMITTER_EMAIL: plan.committer.email },
    },
  });
  return [commit.trim(), await listEntries(repository, names, { ...run, noHash: '0'.repeat(tree.length) })];
}

/** `mode hash stage TAB name` of each name; a name that is gone is taken out. */
async function listEntries(
  repository: GitRepository,
  names: readonly string[],
  { noHash, ...run }: GitRun & { noHash: string },
): Promise<string> {
  const listed = (await repository.run(['ls-files', '--stage', '-z'], run)).split('\0');
  const present = new Map(listed.map((line) => [line.slice(line.indexOf('\t') + 1), line]));
  // Taking out comes first: a folder may have become a file, or a file a folder.
  const gone = names.filter((name) => !present.has(name)).map((name) => `0 ${noHash}\t${name}\0`);
  return [...gone, ...names.flatMap((name) => (present.has(name) ? [`${present.get(name)}\0`] : []))].join('');
}

export function nothingChanged(leftOut: LeftOut[]): ContinuoError {
  const [first] = leftOut;
  if (first === undefined) return refuse('nothing-changed', 'nothing has changed in the files that were named');
  return refuse('nothing-changed', `all that was named was left out; ${first.path}: ${first.reason}`, { leftOut });
}

async function moveHead(repository: GitRepository, { head, message }: CommitPlan, commit: string): Promise<void> {
  const note = `commit${head === null ? ' (initial)' : ''}: ${message.split('\n', 1)[0]}`;
  const before = head ?? '0'.repeat(commit.length);
  const outcome = await repository.ask(['update-ref', '-m', note, 'HEAD', commit, before]);
  if (outcome.ended === 'ok') return;
  throw refuse('moved', `the branch could not be moved (${describeFailure(outcome)}); look at it and try again`);
}

interface IndexLock {
  /** The lock becomes the index, in one step. */
  replaceBy(prepared: string, indexPath: string): Promise<void>;
  release(): Promise<void>;
}

async function takeLock(path: string): Promise<IndexLock> {
  const handle = await open(path, 'wx').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw locked();
    throw new ContinuoError('git-failed', { command: 'index.lock', reason: error.message }, { cause: error });
  });
  let held = true;
  return {
    async replaceBy(prepared, indexPath) {
      await handle.writeFile(await readFile(prepared));
      await handle.sync();
      await handle.close();
      await rename(path, indexPath);
      held = false;
    },
    async release() {
      await handle.close().catch(() => undefined);
      if (held) await rm(path, { force: true });
    },
  };
}

export function locked(): ContinuoError {
  return refuse(
    'locked',
    'another git is at work in this repository (index.lock). Wait for it, or remove the file if it was left behind',
  );
}

function withIndex(path: string): Pick<GitRun, 'variables'> {
  return { variables: { GIT_INDEX_FILE: path } };
}

const commitHooks = new Set(['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'reference-transaction']);

async function findHooks(repository: GitRepository): Promise<string[]> {
  const set = repository.setting('core.hookspath');
  const folder = set === undefined ? await commonFolder(repository, 'hooks') : resolve(repository.top, set);
  const names = await readdir(folder).catch(() => []);
  const runnable = await Promise.all(
    names.map((name) =>
      access(join(folder, name), constants.X_OK).then(
        () => commitHooks.has(name),
        () => false,
      ),
    ),
  );
  return names.filter((_, at) => runnable[at]).sort();
}

/** A worktree shares the hooks of its repository. */
async function commonFolder(repository: GitRepository, name: string): Promise<string> {
  const common = await repository.run(['rev-parse', '--git-common-dir']);
  return join(resolve(repository.top, decodeName(common.replace(/\n$/, '')).path), name);
}
