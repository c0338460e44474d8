// Reads files of the project for the index: regular files only, never through a link, never more than the index takes.
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { decodeText } from '../../tools/builtin/text-encoding.ts';

export const maxFileSize = 512 * 1024;

const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export type SourceText = { text: string } | { skipped: 'large' | 'binary' | 'link' | 'unreadable' };

/** A folder is looked at once a round: whoever puts a link in its place must not lead the index out of the project. */
export class SourceReader {
  readonly #root: string;
  readonly #folders = new Map<string, boolean>();

  /** `root` has its links resolved. */
  constructor(root: string) {
    this.#root = root;
  }

  read(path: string): SourceText {
    const slash = path.lastIndexOf('/');
    if (!this.#isReal(slash < 0 ? '' : path.slice(0, slash))) return { skipped: 'link' };
    try {
      const file = openSync(join(this.#root, path), flags);
      try {
        return readText(file);
      } finally {
        closeSync(file);
      }
    } catch (error) {
      return { skipped: (error as NodeJS.ErrnoException).code === 'ELOOP' ? 'link' : 'unreadable' };
    }
  }

  #isReal(folder: string): boolean {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const path = join(this.#root, folder);
    let real = false;
    try {
      real = realpathSync.native(path) === path;
    } catch {
      // It is gone.
    }
    this.#folders.set(folder, real);
    return real;
  }
}

function readText(file: number): SourceText {
  const { size } = fstatSync(file);
  if (size > maxFileSize) return { skipped: 'large' };
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const read = readSync(file, bytes, length, size - length, null);
    if (read === 0) break;
    length += read;
  }
  const text = decodeText(bytes.subarray(0, length))?.text;
  return text === undefined ? { skipped: 'binary' } : { text };
}
