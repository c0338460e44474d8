// What a repository tells about itself: where its histories begin, and where it is fetched from.

import { realpath } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { type Environment, type GitOutcome, runGit } from './git-program.ts';
import { isCommit } from './project-key.ts';
import { normaliseRemote } from './remote-url.ts';

export interface GitEvidence {
  /**
   * The commits without a parent in the history of HEAD, of the local branches and of where HEAD was before (a rewritten history is
   * remembered there). Sorted. Empty where there is no commit, in a shallow clone, and where finding them took too long.
   */
  rootCommits: string[];
  /** The one HEAD's own line began with; the others came in by merges, or are on other branches. */
  mainRoot?: string;
  /** Normalised, without secrets; sorted. */
  remotes: string[];
  /** The remote called origin, or else the first. */
  origin?: string;
  shallow: boolean;
  /** Walking the history took too long: there may be more root commits. */
  incomplete?: boolean;
  /** For a worktree: the folder of the repository it is a worktree of. */
  mainPath?: string;
}

/** Why git told nothing: it is not installed, it refused (the folder belongs to somebody else, or is damaged), or took too long. */
export type GitProblem = 'missing' | 'refused' | 'limit';

export interface GitReadOptions {
  root: string;
  env: Environment;
  /** For each question. */
  milliseconds: number;
  signal?: AbortSignal | undefined;
}

export async function readGitEvidence(options: GitReadOptions): Promise<GitEvidence | GitProblem> {
  const asked = await runGit(['rev-parse', '--is-shallow-repository', '--git-common-dir'], options);
  if (asked.ended !== 'ok') return asked.ended === 'failed' ? 'refused' : asked.ended;
  // The folder comes last, because its name may hold anything.
  const [, isShallow, folder = ''] = /^(\w*)\n(.*)\n$/s.exec(asked.output) ?? [];
  const shallow = isShallow !== 'false';
  const [remotes, roots, mainPath] = await Promise.all([
    readRemotes(options),
    shallow ? noRoots : readRoots(options),
    findMainPath(resolve(options.root, folder), options.root),
  ]);
  return { ...roots, ...remotes, shallow, ...(mainPath !== undefined && { mainPath }) };
}

/** A submodule keeps its files inside another repository and is no worktree of it. */
async function findMainPath(common: string, root: string): Promise<string | undefined> {
  const real = await realpath(common).catch(() => undefined);
  const path = real !== undefined && basename(real) === '.git' ? dirname(real) : real;
  return path === root || path?.split(/[\\/]/).includes('.git') ? undefined : path;
}

type Roots = Pick<GitEvidence, 'rootCommits' | 'mainRoot' | 'incomplete'>;
type Remotes = Pick<GitEvidence, 'remotes' | 'origin'>;

const noRoots: Roots = { rootCommits: [] };
/** More are of no use for telling projects apart, and are kept with every conversation. */
const mostRoots = 32;
const mostRemotes = 16;
const mostEarlierHeads = 200;

async function readRoots(options: GitReadOptions): Promise<Roots> {
  const [head, heads] = await Promise.all([
    runGit(['rev-parse', '--quiet', '--verify', 'HEAD^{commit}'], options),
    runGit(['rev-list', '--walk-reflogs', `--max-count=${mostEarlierHeads}`, 'HEAD', '--'], options),
  ]);
  const [here] = commitsIn(head);
  const starts = new Set([...commitsIn(head), ...commitsIn(heads)]);
  const beginnings = ['rev-list', '--max-parents=0'];
  const all = await runGit([...beginnings, '--ignore-missing', '--branches', ...starts, '--'], options);
  const found = [...new Set(commitsIn(all))].sort();
  const incomplete = all.ended === 'limit' && { incomplete: true };
  if (here === undefined) return { rootCommits: found.slice(0, mostRoots), ...incomplete };
  // The main line alone is much shorter, where the whole history is too long to walk.
  const line = found.length === 1 ? found : commitsIn(await runGit([...beginnings, '--first-parent', here, '--'], options));
  const [mainRoot] = line;
  if (mainRoot === undefined) return { rootCommits: found.slice(0, mostRoots), ...incomplete };
  const others = found.filter((commit) => commit !== mainRoot);
  return { rootCommits: [...others.slice(0, mostRoots - 1), mainRoot].sort(), mainRoot, ...incomplete };
}

function commitsIn(outcome: GitOutcome): string[] {
  return outcome.ended === 'ok' ? outcome.output.split('\n').filter(isCommit) : [];
}

async function readRemotes(options: GitReadOptions): Promise<Remotes> {
  const answer = await runGit(['config', '-z', '--get-regexp', '^(remote\\..*\\.url|url\\..*\\.insteadof)$'], options);
  if (answer.ended !== 'ok') return { remotes: [] };
  const settings = answer.output.split('\0').map(readSetting);
  const short = settings.flatMap(({ name, value }) => {
    const url = /^url\.(.*)\.insteadof$/s.exec(name)?.[1];
    return url === undefined ? [] : [{ prefix: value, url }];
  });
  const named = settings.flatMap(({ name, value }) => {
    const remote = /^remote\.(.*)\.url$/s.exec(name)?.[1];
    const address = remote === undefined ? undefined : normaliseRemote(lengthen(value, short), options.root);
    return remote === undefined || address === undefined ? [] : [{ remote, address }];
  });
  const origin = (named.find(({ remote }) => remote === 'origin') ?? named[0])?.address;
  if (origin === undefined) return { remotes: [] };
  const others = [...new Set(named.map(({ address }) => address))].filter((address) => address !== origin).sort();
  return { remotes: [origin, ...others.slice(0, mostRemotes - 1)].sort(), origin };
}

function readSetting(text: string): { name: string; value: string } {
  const end = text.indexOf('\n');
  return end < 0 ? { name: text, value: '' } : { name: text.slice(0, end), value: text.slice(end + 1) };
}

/** Undoes the person's own short forms (`gh:me/app`), as git does: the longest that fits. */
function lengthen(url: string, short: readonly { prefix: string; url: string }[]): string {
  const fitting = short.filter(({ prefix }) => prefix !== '' && url.startsWith(prefix));
  const longest = fitting.reduce<(typeof fitting)[number] | undefined>(
    (best, next) => (best && best.prefix.length >= next.prefix.length ? best : next),
    undefined,
  );
  return longest ? longest.url + url.slice(longest.prefix.length) : url;
}
