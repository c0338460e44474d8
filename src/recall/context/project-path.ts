// What is known of a project when nothing but its path was given.
import { basename } from 'node:path';
import type { JsonObject } from '../../base/json.ts';
import { formatPathKey, isAbsolutePath } from '../../project/project-key.ts';

/** The key of the path; a name that is no path stays what it is. */
export function projectOfPath(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolutePath(path) ? formatPathKey(path) : path;
}

export function placeOfPath(path: string | undefined): JsonObject | undefined {
  return path !== undefined && isAbsolutePath(path) ? { path, name: basename(path) || path } : undefined;
}
