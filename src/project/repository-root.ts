// Which folder is the top of the repository a folder lies in. Found by looking at the folders themselves: what the repository's own
// settings say about it (core.worktree) could name any folder of the machine.

import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** The nearest repository above or at the folder. One in the home folder itself (settings, as a rule) holds no folders below it. */
export async function findRepositoryRoot(folder: string, home: string | undefined): Promise<string | undefined> {
  for (const candidate of foldersUp(folder, home)) {
    if (await hasRepository(candidate)) return candidate;
    if (await isGitFolder(candidate)) return basename(candidate) === '.git' ? dirname(candidate) : candidate;
  }
  return undefined;
}

/** The folder and its parents, nearest first; the home folder and the top of the file system only where the walk begins there. */
export function* foldersUp(folder: string, home: string | undefined): Generator<string> {
  for (let current = folder; ; current = dirname(current)) {
    const parent = dirname(current);
    if (current !== folder && (current === home || parent === current)) return;
    yield current;
    if (parent === current) return;
  }
}

async function hasRepository(folder: string): Promise<boolean> {
  const entry = join(folder, '.git');
  const found = await stat(entry).catch(() => undefined);
  if (found?.isDirectory()) return isGitFolder(entry);
  return found?.isFile() === true && (await readStart(entry)).startsWith('gitdir: ');
}

/** Like git itself: an empty folder called .git is nothing. */
async function isGitFolder(folder: string): Promise<boolean> {
  const objects = await stat(join(folder, 'objects')).catch(() => undefined);
  if (!objects?.isDirectory()) return false;
  const refs = await stat(join(folder, 'refs')).catch(() => undefined);
  const head = await stat(join(folder, 'HEAD')).catch(() => undefined);
  return refs?.isDirectory() === true && head?.isFile() === true;
}

async function readStart(file: string): Promise<string> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } catch {
    return '';
  } finally {
    await handle?.close();
  }
}
