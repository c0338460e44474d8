// Which paths a sandbox keeps from a command although the policy would give them: secrets in the home folder, and the files of a
// repository that make git run something later, outside of the sandbox. All paths are real: no link on the way.
import { readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';

/** Where programs keep keys and tokens, relative to the home folder. */
const secrets: readonly string[] = [
  '.ssh',
  '.aws',
  '.azure',
  '.gnupg',
  '.kube',
  '.docker',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.git-credentials',
  '.pgpass',
  '.my.cnf',
  '.password-store',
  '.terraform.d/credentials.tfrc.json',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.config/gh',
  '.config/git/credentials',
  '.config/gcloud',
  '.config/op',
  '.config/rclone',
  '.config/google-chrome',
  '.config/chromium',
  '.mozilla',
  '.local/share/keyrings',
  '.claude/.credentials.json',
  '.codex/auth.json',
  '.gemini/oauth_creds.json',
  'Library/Keychains',
  'Library/Cookies',
];

/** The secrets that exist, and the other hidden paths that do. */
export function findHidden(home: string, hidden: readonly string[]): string[] {
  const wanted = [...secrets.map((name) => path.join(home, name)), ...hidden.map((name) => path.resolve(name))];
  const found = new Set(wanted.map(realPath).filter((real) => real !== undefined));
  return [...found].filter((real) => real !== '/');
}

export interface GitGuards {
  /** Can be read, not changed. */
  readOnly: string[];
  /** A folder that is not there and must not appear. */
  absent: string[];
}

/** How far repositories inside of a writable folder are looked for: deep enough for packages and submodules, and quick. */
const deepestRepository = 3;
const mostFolders = 2000;

/** What must not be changed in the repositories of a writable folder: itself, and those inside. */
export function findGitGuards(folder: string): GitGuards {
  const guards = findRepositories(folder).map(guardsOf);
  return { readOnly: guards.flatMap(({ readOnly }) => readOnly), absent: guards.flatMap(({ absent }) => absent) };
}

function findRepositories(folder: string): string[] {
  const repositories = [folder];
  let level = [folder];
  let looked = 0;
  for (let depth = 1; depth <= deepestRepository && looked < mostFolders; depth++) {
    const inner = level.flatMap(listFolders).slice(0, mostFolders - looked);
    looked += inner.length;
    repositories.push(...inner.filter((name) => kindOf(path.join(name, '.git')) !== undefined));
    level = inner;
  }
  return repositories;
}

/** Packages that were installed have no repositories of their own, but thousands of folders. */
function listFolders(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const inside = entries.filter((entry) => entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'));
    return inside.map((entry) => path.join(folder, entry.name));
  } catch {
    return [];
  }
}

function guardsOf(folder: string): GitGuards {
  const git = path.join(folder, '.git');
  const kind = kindOf(git);
  // A file names the repository of a worktree or a submodule; another name would be another configuration.
  if (kind === 'file') return { readOnly: [git], absent: [] };
  if (kind === undefined) return { readOnly: [], absent: [] };
  const [config, hooks] = [path.join(git, 'config'), path.join(git, 'hooks')];
  return {
    readOnly: [config, hooks].filter((name) => kindOf(name) !== undefined).map((name) => realPath(name) ?? name),
    absent: kindOf(hooks) === undefined && kindOf(path.join(git, 'HEAD')) === 'file' ? [hooks] : [],
  };
}

export function kindOf(name: string): 'file' | 'folder' | undefined {
  try {
    return statSync(name).isDirectory() ? 'folder' : 'file';
  } catch {
    return undefined;
  }
}

export function realPath(name: string): string | undefined {
  try {
    return realpathSync(name);
  } catch {
    return undefined;
  }
}

/** Whether `inner` is `outer` or below it. */
export function isInside(outer: string, inner: string): boolean {
  return inner === outer || inner.startsWith(outer.endsWith('/') ? outer : `${outer}/`);
}

/**
 * The writable paths by their real names. A path below another is left out: it is writable already, and a command that can write
 * there could have put a link in its place that leads out.
 */
export function findWritable(writable: readonly string[]): string[] {
  const roots: { given: string; real: string }[] = [];
  for (const given of writable.map((name) => path.resolve(name)).sort((a, b) => a.length - b.length)) {
    if (roots.some((root) => isInside(root.given, given) || isInside(root.real, given))) continue;
    const real = realPath(given);
    if (real !== undefined && !roots.some((root) => isInside(root.real, real))) roots.push({ given, real });
  }
  return roots.map(({ real }) => real);
}
