// What was changed and not committed, with a mark of each file's content. Held against a later look it tells whose a change is: what
// was there at the beginning and is still the same belongs to the person, and so does what was there and has been changed further.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { StatusEntry } from './status.ts';

/** Path and mark, sorted by path; plain data that can be kept in a file. */
export type DirtyPaths = readonly (readonly [path: string, mark: string])[];

export interface Ownership {
  /** Changed since the beginning. */
  own: string[];
  /** As the person had left them. */
  users: string[];
  /** The person's changes and later ones in one file. */
  mixed: string[];
}

/** Larger files, and those after so many, are marked by size and time alone. */
const largestHashed = 8 * 1_048_576;
const mostHashed = 5_000;

export async function markDirtyPaths(
  root: string,
  entries: readonly Pick<StatusEntry, 'path' | 'unreadable'>[],
  signal?: AbortSignal,
): Promise<DirtyPaths> {
  const marks: [string, string][] = [];
  for (const { path, unreadable } of entries) {
    signal?.throwIfAborted();
    marks.push([path, unreadable ? 'unreadable' : await markOf(join(root, path), marks.length < mostHashed)]);
  }
  return marks.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

/** Without a look from the beginning nothing can be told apart, and everything may be the person's. */
export function tellApart(before: DirtyPaths | undefined, now: DirtyPaths): Ownership {
  const earlier = before && new Map(before);
  const ownership: Ownership = { own: [], users: [], mixed: [] };
  for (const [path, mark] of now) {
    if (earlier === undefined) ownership.mixed.push(path);
    else if (!earlier.has(path)) ownership.own.push(path);
    else if (earlier.get(path) === mark) ownership.users.push(path);
    else ownership.mixed.push(path);
  }
  return ownership;
}

async function markOf(path: string, mayHash: boolean): Promise<string> {
  try {
    const found = await lstat(path);
    if (found.isSymbolicLink())
      return `120000 ${createHash('sha1')
        .update(await readlink(path, 'buffer'))
        .digest('hex')}`;
    if (!found.isFile()) return 'other';
    const mode = found.mode & 0o100 ? '100755' : '100644';
    if (!mayHash || found.size > largestHashed) return `${mode} ${found.size} bytes at ${found.mtimeMs}`;
    const hash = createHash('sha1').update(`blob ${found.size}\0`);
    for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
    return `${mode} ${hash.digest('hex')}`;
  } catch {
    return 'missing';
  }
}
