// Paths of a project: relative to its folder, with forward slashes; the folder itself is the empty string.

export function folderOf(path: string): string {
  const at = path.lastIndexOf('/');
  return at < 0 ? '' : path.slice(0, at);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function stemOf(path: string): string {
  const name = nameOf(path);
  const dot = name.indexOf('.', 1);
  return dot < 0 ? name : name.slice(0, dot);
}

/** Undefined where it leads out of the project. */
export function joinPath(folder: string, way: string): string | undefined {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of way.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

/** The folder itself and every one above it, innermost first, the project's own last. */
export function* foldersAbove(folder: string): Generator<string> {
  for (let at = folder; at !== ''; at = folderOf(at)) yield at;
  yield '';
}
