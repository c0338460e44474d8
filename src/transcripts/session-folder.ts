// Looking through an agent's folder without leaving it: symbolic links are told about and never followed.
import { constants, type Dirent } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { headBytes, type SkippedNote } from './transcript-format.ts';

export interface FolderItem {
  type: 'file' | 'folder';
  name: string;
  path: string;
}

/** The files and folders in a folder, by name; nothing where there is no such folder. */
export async function listFolder(path: string): Promise<(FolderItem | SkippedNote)[]> {
  const found = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException): Dirent[] => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
  return found
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((entry) => {
      const itemPath = join(path, entry.name);
      if (entry.isDirectory()) return { type: 'folder', name: entry.name, path: itemPath };
      if (entry.isFile()) return { type: 'file', name: entry.name, path: itemPath };
      return { type: 'skipped', reason: 'link', what: entry.isSymbolicLink() ? 'symbolic link' : 'not a file', path: itemPath };
    });
}

/** Every file below the folder, in the order of names. A folder that cannot be read is a note. */
export async function* walkFiles(
  path: string,
  { depth = 16, signal }: { depth?: number | undefined; signal?: AbortSignal | undefined } = {},
): AsyncGenerator<FolderItem | SkippedNote> {
  signal?.throwIfAborted();
  let items: (FolderItem | SkippedNote)[];
  try {
    items = await listFolder(path);
  } catch (error) {
    yield { type: 'skipped', reason: 'broken', what: (error as NodeJS.ErrnoException).code ?? 'unreadable', path };
    return;
  }
  for (const item of items) {
    if (item.type !== 'folder') yield item;
    else if (depth > 0) yield* walkFiles(item.path, { depth: depth - 1, signal });
  }
}

/** What is at a path itself; a link is not followed. Undefined where there is nothing. */
export async function kindOf(path: string): Promise<'file' | 'folder' | 'other' | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) return undefined;
  return found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
}

/** Size and change of the files of one session together; a file that is not there counts nothing. */
export async function measureFiles(paths: readonly string[]): Promise<{ size: number; modifiedAt: number }> {
  let size = 0;
  let modifiedAt = 0;
  for (const path of paths) {
    const found = await lstat(path).catch(() => undefined);
    if (!found?.isFile()) continue;
    size += found.size;
    modifiedAt = Math.max(modifiedAt, Math.trunc(found.mtimeMs));
  }
  return { size, modifiedAt };
}

/** The first bytes of a file, for telling its format. */
export async function readHead(path: string, length = headBytes): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** A small file beside a session as text, up to the limit; undefined where there is none or it is a link. */
export async function readBeside(path: string, mostBytes: number): Promise<{ text: string; isCut: boolean } | undefined> {
  if ((await kindOf(path)) !== 'file') return undefined;
  const bytes = await readHead(path, mostBytes + 1).catch(() => undefined);
  return bytes && { text: bytes.subarray(0, mostBytes).toString('utf8'), isCut: bytes.length > mostBytes };
}
