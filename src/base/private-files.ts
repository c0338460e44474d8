// Files and folders that only their owner may read, and the small steps that make them durable.
import { constants } from 'node:fs';
import { chmod, link, lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

export const privateFileMode = 0o600;
export const privateFolderMode = 0o700;

/**
 * Makes the folder and its missing parents, for the owner only. An existing folder is left as it is. Step by step, because Node's own
 * `recursive` never comes back where a parent says "not found" to everything, as /proc does.
 */
export async function makePrivateFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makePrivateFolder(parent);
  await mkdir(path, { mode: privateFolderMode }).catch(async (error: unknown) => {
    // Somebody else may have made it in the same moment.
    if (!(await isFolder(path))) throw error;
  });
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Replaces the file in one step: readers see the old content or the new, also after a power cut. */
export async function writeFileAtomically(path: string, content: string | Uint8Array): Promise<void> {
  await writeThrough(path, content, (temporary) => rename(temporary, path));
}

/** Makes the file with its whole content in one step; false, and nothing changed, where there is one already. */
export async function createFileAtomically(path: string, content: string | Uint8Array): Promise<boolean> {
  try {
    await writeThrough(path, content, async (temporary) => {
      await link(temporary, path);
      await rm(temporary, { force: true });
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Writes a file beside the path, makes it durable, and lets `place` move it to where it belongs. It is gone where that fails. */
export async function writeThrough(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  place: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  try {
    const file = await open(temporary, flags, privateFileMode);
    try {
      if (typeof content === 'string' || content instanceof Uint8Array) await file.writeFile(content);
      else for await (const piece of content) await file.writeFile(piece);
      await file.sync();
    } finally {
      await file.close();
    }
    await place(temporary);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Makes the names in a folder durable. Systems that cannot open folders keep them durable by themselves. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, constants.O_RDONLY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Every regular file below the folder as a path relative to it, sorted; links are not followed and not listed. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** Whether nothing but an empty folder, or nothing at all, is at the path. */
export async function isVacant(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory() && (await readdir(path)).length === 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw error;
  }
}

/** Takes away the rights of other users, where there are any. */
export async function makePrivate(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const { mode } = await lstat(path);
  if ((mode & 0o077) !== 0) await chmod(path, mode & 0o700);
}
