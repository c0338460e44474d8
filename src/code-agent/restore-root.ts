// Which folder a saved session works in now. The file may come from anywhere, so the path in it is believed only where it is plain,
// real, and the folder the file lies in or the one the agent was started in: no file leads the agent to a third place. A project that
// was moved or copied together with its file is known by the commit the work began from.
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { ContinuoError } from '../model/error.ts';

export interface RootQuestion {
  /** What the file says. */
  saved: string;
  /** Where the project may be: the folder the file lies in, then the one the agent was started in. */
  places: readonly string[];
  /** The folder the person named, which wins. */
  named: string | undefined;
  /** Whether a folder is the same project: its git holds the commit the work began from. */
  isSameProject(folder: string): Promise<boolean>;
}

/** Throws `code-root-missing` or `unsafe-path`. */
export async function findRoot({ saved, places, named, isSameProject }: RootQuestion): Promise<{ root: string; moved: boolean }> {
  const plain = saved.length > 1 ? saved.replace(/\/+$/, '') : saved;
  if (named !== undefined) return { root: await requireFolder(named), moved: named !== plain };
  const there = isAbsolute(plain) ? await realpath(plain).catch(() => undefined) : undefined;
  // A link in the path would let a file lead the agent elsewhere than it reads.
  if (there !== undefined && there !== plain)
    throw new ContinuoError('unsafe-path', { path: saved, reason: 'it leads through a symbolic link' });
  for (const place of places) {
    const here = await realpath(place).catch(() => undefined);
    if (here === undefined) continue;
    if (here === plain) return { root: await requireFolder(plain), moved: false };
    if (await isSameProject(here)) return { root: here, moved: true };
  }
  if (there === undefined) throw new ContinuoError('code-root-missing', { path: saved });
  await requireFolder(plain);
  throw new ContinuoError('unsafe-path', {
    path: saved,
    reason: 'the session file lies in another project; name the folder to use',
  });
}

async function requireFolder(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  const found = real === undefined ? undefined : await stat(real).catch(() => undefined);
  if (real === undefined || !found?.isDirectory()) throw new ContinuoError('code-root-missing', { path });
  return real;
}
