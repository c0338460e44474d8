// What tells which project a folder belongs to: its repository, its marker, its path. Looks, runs git, and changes nothing.
import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename } from 'node:path';
import { ContinuoError } from '../model/error.ts';
import { type GitEvidence, type GitProblem, readGitEvidence } from './git-evidence.ts';
import type { Environment } from './git-program.ts';
import { findMarker, readMarker } from './marker.ts';
import { findRepositoryRoot } from './repository-root.ts';

export interface ProjectEvidence {
  /** The real path of the project's top folder: the repository's, else the one that holds a marker, else the folder itself. */
  path: string;
  name: string;
  git?: GitEvidence;
  /** Set where there is a repository that git tells nothing about. */
  gitProblem?: GitProblem;
  marker?: string;
}

export interface GatherOptions {
  /** The environment of the program: where git is found, and the person's own settings. Variables that point git elsewhere are not used. */
  env?: Environment;
  /** A repository or marker in this very folder does not hold the folders below it. Default: the system's. */
  home?: string;
  /** How long one question to git may take. */
  gitMilliseconds?: number;
  signal?: AbortSignal;
}

/** Throws `invalid-input` where there is no such folder, and the reason of `signal` where it was aborted. */
export async function gatherEvidence(folder: string, options: GatherOptions = {}): Promise<ProjectEvidence> {
  const { env = {}, signal, gitMilliseconds: milliseconds = defaultMilliseconds } = options;
  signal?.throwIfAborted();
  const here = await findRealPath(folder);
  const home = await realpath(options.home ?? homedir()).catch(() => undefined);
  const root = await findRepositoryRoot(here, home);
  if (root === undefined) {
    const marker = await findMarker(here, { home });
    return describe(marker?.folder ?? here, marker?.id);
  }
  const [git, marker] = await Promise.all([readGitEvidence({ root, env, milliseconds, signal }), readMarker(root)]);
  return { ...describe(root, marker?.id), ...(typeof git === 'string' ? { gitProblem: git } : { git }) };
}

/** Long enough for any usual history; what takes longer is recognised by the rest. */
const defaultMilliseconds = 2_000;

function describe(path: string, marker: string | undefined): ProjectEvidence {
  const name = basename(path).replace(/(?<=.)\.git$/, '') || path;
  return { path, name, ...(marker !== undefined && { marker }) };
}

async function findRealPath(folder: string): Promise<string> {
  const bytes = await realpath(folder, { encoding: 'buffer' }).catch((cause: unknown) => {
    throw new ContinuoError('invalid-input', { what: 'folder', reason: `${folder} does not exist` }, { cause });
  });
  const path = bytes.toString('utf8');
  // Different names of bytes that are no text would all be written alike.
  if (!bytes.equals(Buffer.from(path)))
    throw new ContinuoError('unsafe-path', { path, reason: 'its name is not written in UTF-8' });
  if (!(await stat(path)).isDirectory()) throw new ContinuoError('unsafe-path', { path, reason: 'it is not a folder' });
  return path;
}
