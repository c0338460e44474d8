// The repository a code agent works in, and the one way to ask its git. Invariant: no program is run because the repository's own
// settings name it. A person's own settings (for all their repositories) are trusted; filters that only this one defines are switched
// off, and whoever would store a file without its filter has to ask `disabledFilters` first.
import { realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { ContinuoError } from '../../model/error.ts';
import { type Environment, type GitOptions, type GitOutcome, runGit } from '../../project/git-program.ts';
import { findRepositoryRoot } from '../../project/repository-root.ts';

export interface GitSetting {
  /** `command` are those given by this program. */
  scope: string;
  name: string;
  value: string;
}

export type GitRun = Pick<GitOptions, 'signal' | 'input' | 'variables' | 'maxBytes' | 'settings'> & { milliseconds?: number };

export interface NoRepository {
  kind: 'none';
  reason: string;
}

const patience = 60_000;
const maxBytes = 64 * 1_048_576;
/** Settings that would only get in the way of reading what git says, or of writing an index of its own. */
const plain: readonly (readonly [string, string])[] = [
  ['core.quotePath', 'false'],
  ['core.splitIndex', 'false'],
  ['core.safecrlf', 'false'],
  ['core.bigFileThreshold', '16m'],
  ['diff.orderFile', '/dev/null'],
  ['i18n.commitEncoding', 'utf-8'],
  ['advice.addEmbeddedRepo', 'false'],
];

export class GitRepository {
  readonly kind = 'repository';
  /** The folder the repository's files are in, links resolved. */
  readonly top: string;
  /** Where the agent's folder is in it: empty, or ending in a slash. */
  readonly prefix: string;
  readonly gitDir: string;
  readonly settings: readonly GitSetting[];
  /** Filters that the repository itself defines; files that want one are not what they should be without it. */
  readonly disabledFilters: ReadonlySet<string>;
  readonly #env: Environment;
  readonly #overrides: readonly (readonly [string, string])[];

  constructor(found: Pick<GitRepository, 'top' | 'prefix' | 'gitDir' | 'settings'>, env: Environment) {
    this.top = found.top;
    this.prefix = found.prefix;
    this.gitDir = found.gitDir;
    this.settings = found.settings;
    this.#env = env;
    const own = found.settings.filter(({ scope }) => scope === 'local' || scope === 'worktree');
    const filters = own.flatMap(({ name }) => filterName.exec(name)?.[1] ?? []);
    this.disabledFilters = new Set(filters);
    this.#overrides = [...plain, ...own.flatMap(({ name }) => (runsProgram.test(name) ? [[name, ''] as const] : []))].concat(
      [...this.disabledFilters].flatMap((filter) =>
        filterParts.map(([part, value]) => [`filter.${filter}.${part}`, value] as const),
      ),
    );
  }

  /** What the person, or the repository, has set; the last one counts. */
  setting(name: string): string | undefined {
    return this.settings.findLast((setting) => setting.name === name && setting.scope !== 'command')?.value;
  }

  /** What it reads and writes is latin1, every byte one character; the arguments are ordinary text. */
  ask(args: readonly string[], run: GitRun = {}): Promise<GitOutcome> {
    const settings = [...this.#overrides, ...(run.settings ?? [])];
    const common = { root: this.top, env: this.#env, milliseconds: patience, maxBytes, encoding: 'latin1' } as const;
    return runGit(['--literal-pathspecs', ...args], { ...common, ...run, settings });
  }

  /** The same, where anything but success is a `git-failed`. */
  async run(args: readonly string[], run: GitRun = {}): Promise<string> {
    const outcome = await this.ask(args, run);
    if (outcome.ended === 'ok') return outcome.output;
    throw new ContinuoError('git-failed', { command: `git ${args[0]}`, reason: describeFailure(outcome) });
  }
}

/** Throws only where `signal` was aborted. */
export async function openRepository(
  root: string,
  env: Environment,
  signal?: AbortSignal,
): Promise<GitRepository | NoRepository> {
  const folder = await realpath(root).catch(() => undefined);
  if (folder === undefined) return none('there is no such folder');
  const top = await findRepositoryRoot(folder, env.HOME ?? env.USERPROFILE);
  if (top === undefined) return none('it is not in a git repository');
  const options = { root: top, env, milliseconds: patience, signal };
  const [place, shown, listed] = await Promise.all([
    runGit(['rev-parse', '--is-inside-work-tree', '--absolute-git-dir'], options),
    runGit(['rev-parse', '--show-toplevel'], options),
    runGit(['config', '--list', '--show-scope', '-z'], options),
  ]);
  if (place.ended !== 'ok') return none(explain(place));
  const [, inside, gitDir = ''] = /^(\w*)\n(.*)\n$/s.exec(place.output) ?? [];
  const way = relative(top, folder).split(sep).join('/');
  const claimed = shown.ended === 'ok' ? await realpath(shown.output.replace(/\n$/, '')).catch(() => undefined) : undefined;
  if (shown.ended === 'ok' && claimed !== top)
    return none('the settings of the repository say that its files are in another folder');
  if (inside !== 'true' || claimed !== top || way.split('/').includes('.git')) return none('it has no files of a repository');
  if (listed.ended !== 'ok') return none(explain(listed));
  const settings = parseSettings(listed.output);
  if (settings.some(({ name }) => (filterName.test(name) || runsProgram.test(name)) && name.includes('=')))
    return none('the settings of the repository name a program in a way that cannot be switched off');
  return new GitRepository({ top, prefix: way === '' ? '' : `${way}/`, gitDir, settings }, env);
}

export function describeFailure(outcome: Exclude<GitOutcome, { ended: 'ok' }>): string {
  if (outcome.ended === 'missing') return 'git is not installed';
  if (outcome.ended === 'limit') return 'git took too long or wrote too much';
  const lines = outcome.words.split('\n').filter((line) => line !== '' && !line.startsWith('hint:'));
  return (lines.at(-1) ?? 'git gave no reason').replace(/^(?:fatal|error): /, '').slice(0, 500);
}

const filterName = /^filter\.(.*)\.(?:clean|smudge|process|required)$/s;
const filterParts = [
  ['clean', ''],
  ['smudge', ''],
  ['process', ''],
  ['required', 'false'],
] as const;
/** git-lfs, which a person may have for all repositories, runs these. */
const runsProgram = /^lfs\.extension\..*\.(?:clean|smudge)$/s;

function none(reason: string): NoRepository {
  return { kind: 'none', reason };
}

function explain(outcome: Exclude<GitOutcome, { ended: 'ok' }>): string {
  if (outcome.ended === 'failed' && outcome.words.includes('dubious ownership'))
    return 'the repository belongs to somebody else; where you trust it, say so with git config --global --add safe.directory';
  return describeFailure(outcome);
}

/** `scope NUL name NEWLINE value NUL`; a setting without a value is on. */
function parseSettings(output: string): GitSetting[] {
  const parts = output.split('\0');
  const settings: GitSetting[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [scope, text] = [parts[at] as string, parts[at + 1] as string];
    const end = text.indexOf('\n');
    settings.push({ scope, name: end < 0 ? text : text.slice(0, end), value: end < 0 ? 'true' : text.slice(end + 1) });
  }
  return settings;
}
