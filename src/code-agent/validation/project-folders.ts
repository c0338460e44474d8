// Looks at the folders of a project, each once, to find out what the project is made with. Nothing outside of the root is looked at,
// also not through a link, and what cannot be read is not there.
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, posix, relative, sep } from 'node:path';

const largestRead = 1_048_576;

export class ProjectFolders {
  readonly root: string;
  readonly #listed = new Map<string, Promise<ReadonlySet<string>>>();
  readonly #texts = new Map<string, Promise<string | undefined>>();

  constructor(root: string) {
    this.root = root;
  }

  /** What is in a folder, given relative to the root; the root itself is the empty text. */
  names(folder: string): Promise<ReadonlySet<string>> {
    return remember(this.#listed, folder, () => this.#list(folder));
  }

  async has(path: string): Promise<boolean> {
    const at = path.lastIndexOf('/');
    return (await this.names(at < 0 ? '' : path.slice(0, at))).has(path.slice(at + 1));
  }

  /** The text of a small file; undefined where there is none. */
  read(path: string): Promise<string | undefined> {
    return remember(this.#texts, path, async () => {
      if (!(await this.has(path))) return undefined;
      try {
        const found = await stat(join(this.root, path));
        return found.isFile() && found.size <= largestRead ? await readFile(join(this.root, path), 'utf8') : undefined;
      } catch {
        return undefined;
      }
    });
  }

  async #list(folder: string): Promise<ReadonlySet<string>> {
    try {
      const [root, real] = await Promise.all([realpath(this.root), realpath(join(this.root, folder))]);
      return isWithin(root, real) ? new Set(await readdir(real)) : new Set();
    } catch {
      return new Set();
    }
  }
}

/** The path as it is written inside of the root; undefined where it leads out of it. */
export function toInside(path: string): string | undefined {
  const normal = posix.normalize(path.split(sep).join('/'));
  return isAbsolute(path) || normal === '..' || normal.startsWith('../') || normal === '.'
    ? undefined
    : normal.replace(/\/$/, '');
}

/** The folder a file is in and those above it, up to the root. */
export function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return [...parts.map((_, at) => parts.slice(0, parts.length - at).join('/')), ''];
}

export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

export function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function remember<T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}
