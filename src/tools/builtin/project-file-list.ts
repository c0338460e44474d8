// Which files there are below a folder: what git knows and does not ignore where the folder is in a git repository, else a walk that
// leaves out .git and node_modules. Links are listed and never followed. Sorted by code units, so that the order is always the same.
import { execFile } from 'node:child_process';
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

export interface FileList {
  /** Relative to the folder, with forward slashes. */
  paths: string[];
  /** False where there are more files than are looked at. */
  complete: boolean;
  /** Git said which: what it ignores is left out. */
  fromGit: boolean;
}

const maxFiles = 200_000;
const gitSeconds = 20;
const skippedFolders = new Set(['.git', 'node_modules', '.hg', '.svn']);

export async function listProjectFiles(folder: string, signal: AbortSignal): Promise<FileList> {
  const known = await listWithGit(folder, signal);
  // A folder that is ignored as a whole: whoever asks for it wants to see it.
  const list = known && known.paths.length > 0 ? known : await walk(folder, signal);
  list.paths.sort(byCodeUnits);
  return list;
}

async function listWithGit(folder: string, signal: AbortSignal): Promise<FileList | undefined> {
  try {
    const [present, deleted] = await Promise.all([
      runGit(folder, ['ls-files', '-co', '--exclude-standard', '-z'], signal),
      runGit(folder, ['ls-files', '-d', '-z'], signal),
    ]);
    const gone = new Set(deleted);
    const paths = [...new Set(present)].filter((path) => !gone.has(path));
    return { paths: paths.slice(0, maxFiles), complete: paths.length <= maxFiles, fromGit: true };
  } catch (error) {
    if (signal.aborted) throw error;
    // Not a repository, no git, or a repository of somebody else that git does not trust.
    return undefined;
  }
}

/** Names ending in NUL. Settings of the repository that would start a program are switched off. */
function runGit(folder: string, words: readonly string[], signal: AbortSignal): Promise<string[]> {
  const safe = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'core.quotePath=false'];
  const options = { cwd: folder, signal, timeout: gitSeconds * 1000, maxBuffer: 256 * 1024 * 1024, encoding: 'utf8' } as const;
  return new Promise((resolve, reject) => {
    execFile('git', [...safe, ...words], options, (error, stdout) => {
      if (error) reject(error);
      else resolve(stdout.split('\0').filter((path) => path !== '' && !path.includes('\ufffd')));
    });
  });
}

async function walk(folder: string, signal: AbortSignal): Promise<FileList> {
  const paths: string[] = [];
  const waiting = [''];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    signal.throwIfAborted();
    for (const entry of await readFolder(join(folder, next), next === '')) {
      const path = next === '' ? entry.name : `${next}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!skippedFolders.has(entry.name)) waiting.push(path);
      } else if (paths.length >= maxFiles) return { paths, complete: false, fromGit: false };
      else paths.push(path);
    }
  }
  return { paths, complete: true, fromGit: false };
}

/** A folder below that cannot be read is passed over, the one that was asked for is not. */
async function readFolder(path: string, isFirst: boolean): Promise<Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (isFirst) throw error;
    return [];
  }
}

export function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
