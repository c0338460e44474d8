// Which folder a saved session works in now. The file may come from anywhere, so the path in it is believed only where it is a real
// folder that it names plainly; and a project that was moved together with its file is found where the file lies.
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { ContinuoError } from '../model/error.ts';

export interface RootQuestion {
  /** What the file says. */
  saved: string;
  /** The folder the file was found in, and the one the person named, which wins. */
  beside: string;
  named: string | undefined;
  /** Whether a folder is the same project: its git holds the commit the work began from. */
  isSameProject(folder: string): Promise<boolean>;
}

/** Throws `code-root-missing` or `unsafe-path`. */
export async function findRoot({ saved, beside, named, isSameProject }: RootQuestion): Promise<{ root: string; moved: boolean }> {
  if (named !== undefined) return { root: await requireFolder(named), moved: named !== saved };
  const there = isAbsolute(saved) ? await realpath(saved).catch(() => undefined) : undefined;
  const here = await realpath(beside).catch(() => undefined);
  // A link in the path would let a file lead the agent elsewhere than it reads.
  if (there !== undefined && there !== saved)
    throw new ContinuoError('unsafe-path', { path: saved, reason: 'it leads through a symbolic link' });
  if (here !== undefined && here !== saved && (await isSameProject(here))) return { root: here, moved: true };
  if (there === undefined) throw new ContinuoError('code-root-missing', { path: saved });
  return { root: await requireFolder(saved), moved: false };
}

async function requireFolder(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  const found = real === undefined ? undefined : await stat(real).catch(() => undefined);
  if (real === undefined || !found?.isDirectory()) throw new ContinuoError('code-root-missing', { path });
  return real;
}
