// Turns what the operating system and SQLite throw into coded errors. Every driver passes the faults of its medium through here,
// so that a full disk reads the same whoever met it.
import { accessSync, closeSync, constants, existsSync, openSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ContinuoError } from '../model/error.ts';

/**
 * The coded form of a fault of the medium; an error that is coded already comes back as it is.
 * `waited` is how long the caller tried in vain, for `store-busy`.
 */
export function toStoreError(error: unknown, path: string, waited = 0): ContinuoError {
  if (error instanceof ContinuoError) return error;
  const code = hiddenCause(errorCode(error), path);
  const options = { cause: error };
  const reason = error instanceof Error ? error.message : String(error);
  if (folderMet.has(code) && isFolder(path))
    return new ContinuoError('io-failed', { path, reason: 'a folder is in its place; move it away' }, options);
  if (diskFull.has(code)) return new ContinuoError('disk-full', { path }, options);
  if (denied.has(code) || code.startsWith('SQLITE_READONLY')) return new ContinuoError('permission-denied', { path }, options);
  if (outOfHandles.has(code)) return new ContinuoError('too-many-files', { path }, options);
  if (symbolicLink.has(code)) return new ContinuoError('unsafe-path', { path, reason: 'it is a symbolic link' }, options);
  if (code.startsWith('SQLITE_BUSY')) return new ContinuoError('store-busy', { path, waited }, options);
  // Nothing that is written breaks a constraint, unless what it is written to is damaged.
  if (/^SQLITE_(CORRUPT|NOTADB|CONSTRAINT)/.test(code)) {
    return new ContinuoError('store-damaged', { path, reason }, options);
  }
  if (code === 'SQLITE_ERROR' && /^no such table/.test(reason)) return new ContinuoError('store-moved', { path }, options);
  // Not a fault of the medium but of this program: it must not be dressed up as one.
  if (code === '') return new ContinuoError('internal', { reason }, options);
  return new ContinuoError('io-failed', { path, reason }, options);
}

const diskFull = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL']);
const denied = new Set(['EACCES', 'EPERM', 'EROFS', 'SQLITE_PERM', 'SQLITE_CANTOPEN', 'SQLITE_AUTH']);
const folderMet = new Set(['EISDIR', 'SQLITE_CANTOPEN', 'SQLITE_CANTOPEN_ISDIR']);
const outOfHandles = new Set(['EMFILE', 'ENFILE']);
const symbolicLink = new Set(['ELOOP', 'SQLITE_CANTOPEN_SYMLINK']);

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** SQLite says only "cannot open" and "input/output error": ask the system again for the reason behind it. */
function hiddenCause(code: string, path: string): string {
  if (code === 'SQLITE_CANTOPEN') return openFault(path) ?? code;
  if (code.startsWith('SQLITE_IOERR')) return hasFreeSpace(path) ? code : 'ENOSPC';
  return code;
}

/** A database needs several handles at once: that one is free again by now does not say that there were enough. */
const handlesNeeded = 8;

function openFault(path: string): string | undefined {
  const handles: number[] = [];
  try {
    for (let i = 0; i < handlesNeeded; i++) handles.push(openSync(dirname(path), 'r'));
    // The database itself is not opened: closing it again would drop the locks this process holds on it.
    accessSync(path, constants.R_OK | constants.W_OK);
    return undefined;
  } catch (error) {
    const code = errorCode(error);
    return code === 'ENOENT' && existsSync(dirname(path)) ? undefined : code;
  } finally {
    for (const handle of handles) closeSync(handle);
  }
}

function hasFreeSpace(path: string): boolean {
  try {
    return statfsSync(dirname(path)).bavail > 0;
  } catch {
    return true;
  }
}

function errorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : '';
}
