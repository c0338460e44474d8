// What it takes to find out which file an import means: which files there are, and what the project's manifests say.
import type { FileRecord, ImportStatement } from '../file-record.ts';
import type { Manifests } from './manifests.ts';

export interface ResolveContext {
  has(path: string): boolean;
  /** Full paths of the files directly in a folder; the project's own folder is the empty string. */
  filesIn(folder: string): readonly string[];
  /** Files with this name anywhere. */
  filesNamed(name: string): readonly string[];
  recordOf(path: string): FileRecord | undefined;
  /** Files of a language with packages that say they belong to this one. */
  filesOfPackage(name: string): readonly string[];
  manifests: Manifests;
}

/** The files of the project that a statement means; none where it means something else, or nothing. */
export type Resolve = (record: FileRecord, statement: ImportStatement, context: ResolveContext) => readonly string[];

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
