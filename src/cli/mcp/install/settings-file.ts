// A settings file of another program: read as text, replaced in one step with its mode and its links as they were, with a copy of what it
// held before beside it.
import { isUtf8 } from 'node:buffer';
import { chmod, lstat, mkdir, readFile, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { makePrivateFolder, privateFileMode, writeThrough } from '../../../base/private-files.ts';
import { ContinuoError } from '../../../model/error.ts';

export interface SettingsFile {
  /** Where it really is, behind links. */
  path: string;
  /** Undefined where there is none, or where it is not text. */
  text: string | undefined;
  exists: boolean;
  mode: number | undefined;
}

export async function readSettingsFile(named: string): Promise<SettingsFile> {
  const path = await followLinks(named);
  try {
    const bytes = await readFile(path);
    const { mode } = await stat(path);
    return { path, text: isUtf8(bytes) ? bytes.toString('utf8') : undefined, exists: true, mode: mode & 0o7777 };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { path, text: undefined, exists: false, mode: undefined };
    throw toKnown(path, error);
  }
}

export function backupPath(path: string): string {
  return `${path}.continuo-backup`;
}

/** `isShared`: a new file of a project is everybody's, one of a person is theirs. */
export async function writeSettingsFile({ path, mode }: SettingsFile, text: string, isShared = false): Promise<void> {
  try {
    if (isShared) await mkdir(dirname(path), { recursive: true });
    else await makePrivateFolder(dirname(path));
    await writeThrough(path, text, async (temporary) => {
      await chmod(temporary, mode ?? (isShared ? 0o644 : privateFileMode));
      await rename(temporary, path);
    });
  } catch (error) {
    throw toKnown(path, error);
  }
}

export async function removeSettingsFile(path: string): Promise<void> {
  try {
    await rm(path, { force: true });
  } catch (error) {
    throw toKnown(path, error);
  }
}

/** The file behind the links, also one that is not there yet. */
async function followLinks(named: string): Promise<string> {
  try {
    return await realpath(named);
  } catch {
    const found = await lstat(named).catch(() => undefined);
    return found?.isSymbolicLink() ? resolve(dirname(named), await readlink(named)) : named;
  }
}

function toKnown(path: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new ContinuoError('permission-denied', { path }, { cause: error });
  if (code === 'ENOSPC') return new ContinuoError('disk-full', { path }, { cause: error });
  return code === undefined ? error : new ContinuoError('io-failed', { path, reason: message }, { cause: error });
}
