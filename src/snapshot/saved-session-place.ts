// Puts the text of a session in its place: durable, in one step, and never over a file that is not exactly the one this object wrote
// or read last. What stands in the way stays, and the session goes beside it.
import { lstat, rename, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createFileAtomically, makePrivate, makePrivateFolder, syncFolder, writeThrough } from '../base/private-files.ts';
import { ContinuoError } from '../model/error.ts';
import { isMissing, toFileError } from './file-fault.ts';
import { removeUnfinished } from './locked-folder.ts';
import { acquireSaveLock } from './save-lock.ts';
import { numberedName } from './saved-session-name.ts';
import { stampOf } from './saved-session-reader.ts';

/** A file, and the content it had when this object wrote or read it. */
export interface KnownFile {
  path: string;
  stamp: string;
}

export interface PlaceOptions {
  known: KnownFile | undefined;
  /** Where a session goes that has no file yet, or lost it to somebody else. */
  newPath: () => string;
  pieces: AsyncIterable<Uint8Array>;
  /** Removes what killed processes left half written. */
  cleans: boolean;
}

/** Throws coded errors; then everything is as it was before. */
export async function placeSession({ known, newPath, pieces, cleans }: PlaceOptions): Promise<KnownFile> {
  const wanted = known?.path ?? newPath();
  const folder = dirname(wanted);
  let placed: KnownFile | undefined;
  try {
    await prepareFolder(folder);
    await writeThrough(wanted, pieces, async (temporary) => {
      const lock = await acquireSaveLock(folder);
      try {
        if (cleans) await removeUnfinished(folder);
        const path = (await isStillOurs(known)) ? wanted : await findFree(known ? newPath() : wanted);
        if (dirname(path) !== folder) throw new ContinuoError('unsafe-path', { path, reason: 'its folder has changed' });
        await rename(temporary, path);
        placed = { path, stamp: stampOf(await lstat(path, { bigint: true })) };
      } finally {
        await lock.release();
      }
    });
  } catch (error) {
    throw toFileError(error, wanted);
  }
  return placed as unknown as KnownFile;
}

/** A file that was deleted may be written again. */
async function isStillOurs(known: KnownFile | undefined): Promise<boolean> {
  if (!known) return false;
  const status = await lstat(known.path, { bigint: true }).catch(orNothing);
  return status === undefined || (status.isFile() && stampOf(status) === known.stamp);
}

async function findFree(path: string): Promise<string> {
  for (let number = 1; ; number++) {
    const candidate = numberedName(path, number);
    if ((await lstat(candidate).catch(orNothing)) === undefined) return candidate;
  }
}

async function prepareFolder(folder: string): Promise<void> {
  const before = await lstat(folder).catch(orNothing);
  if (before === undefined) {
    await makePrivateFolder(folder);
    // Sessions are nobody's source code. A folder without it would be taken for somebody else's ever after.
    await createFileAtomically(`${folder}/.gitignore`, '*\n').catch(async (error: unknown) => {
      await rmdir(folder).catch(() => undefined);
      throw error;
    });
    await syncFolder(dirname(folder));
    return;
  }
  if (before.isSymbolicLink()) throw new ContinuoError('unsafe-path', { path: folder, reason: 'it is a symbolic link' });
  // The files are private all the same where the folder is somebody else's.
  if ((before.mode & 0o077) !== 0) await makePrivate(folder).catch(() => undefined);
}

function orNothing(error: unknown): undefined {
  if (isMissing(error)) return undefined;
  throw error;
}
