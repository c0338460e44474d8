// Opening and replacing files of the project without a gap between the check and the use: what is opened is compared with what was
// checked. On Linux a folder is held open and its files are reached through the handle, so that nobody can swap it for a link in
// between; elsewhere the folder is checked again right before the file takes its place.
import { randomBytes } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { access, type FileHandle, lstat, mkdir, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ContinuoError } from '../../model/error.ts';

const noFollow = constants.O_NOFOLLOW ?? 0;
/** Linux tells the path of what is open; nothing can come between the question and the answer. */
const asksSystem = process.platform === 'linux' && existsSync('/proc/self/fd');

/** Opens a regular file at a path whose links are resolved already; refuses if there is a link on the way by now. */
export async function openForReading(real: string): Promise<FileHandle> {
  for (let attempt = 1; ; attempt++) {
    // Without waiting: opening a pipe would wait for its writer.
    const handle = await open(real, constants.O_RDONLY | noFollow | (constants.O_NONBLOCK ?? 0));
    try {
      if (await isAt(handle, real)) {
        const opened = await handle.stat();
        if (opened.isDirectory()) throw new ContinuoError('io-failed', { path: real, reason: 'it is a folder' });
        if (!opened.isFile()) throw new ContinuoError('unsafe-path', { path: real, reason: 'it is not a regular file' });
        return handle;
      }
      // Somebody may have put a new file in its place at this moment: that one is as good.
      if (attempt === 3) throw replaced(real);
    } catch (error) {
      await handle.close();
      throw error;
    }
    await handle.close();
  }
}

/** Whether what was opened lies at this very path, without a link on the way. */
async function isAt(handle: FileHandle, real: string): Promise<boolean> {
  if (asksSystem) return (await readlink(`/proc/self/fd/${handle.fd}`)) === real;
  if ((await realpath(real)) !== real) return false;
  const [opened, placed] = [await handle.stat({ bigint: true }), await lstat(real, { bigint: true })];
  return opened.ino === placed.ino && opened.dev === placed.dev && (await realpath(real)) === real;
}

function replaced(path: string): ContinuoError {
  return new ContinuoError('unsafe-path', { path, reason: 'it was replaced while it was being opened' });
}

/**
 * Puts the content in the file's place in one step, making missing folders. An existing file keeps its mode, a new one gets what the
 * umask allows. `beforePlacing` is the last chance to refuse.
 */
export async function replaceFile(real: string, content: Uint8Array, beforePlacing?: () => Promise<void>): Promise<void> {
  const before = await stat(real).catch(() => undefined);
  if (before && !before.isFile()) throw new ContinuoError('unsafe-path', { path: real, reason: 'it is not a regular file' });
  if (before) await access(real, constants.W_OK);
  const folder = await openFolder(dirname(real), true);
  const temporary = folder.at(`.continuo-${randomBytes(8).toString('hex')}.tmp`);
  try {
    const handle = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow, 0o666);
    try {
      await handle.writeFile(content);
      if (before) {
        await handle.chmod(before.mode & 0o777);
        await handle.chown(before.uid, before.gid).catch(() => undefined);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    await beforePlacing?.();
    await folder.verify();
    await rename(temporary, folder.at(basename(real)));
  } finally {
    await rm(temporary, { force: true });
    await folder.close();
  }
}

interface OpenFolder {
  /** A path to a name in this very folder, wherever its own path leads by now. */
  at(name: string): string;
  verify(): Promise<void>;
  close(): Promise<void>;
}

/** Holds a folder at a path whose links are resolved already. */
async function openFolder(real: string, make: boolean): Promise<OpenFolder> {
  try {
    return await holdFolder(real, real);
  } catch (error) {
    if (!make || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const parent = await openFolder(dirname(real), true);
  try {
    await mkdir(parent.at(basename(real))).catch((error: NodeJS.ErrnoException) => {
      // Somebody else may have made it in the same moment; whether it is a folder is seen when it is opened.
      if (error.code !== 'EEXIST') throw error;
    });
    return await holdFolder(parent.at(basename(real)), real);
  } finally {
    await parent.close();
  }
}

async function holdFolder(path: string, real: string): Promise<OpenFolder> {
  if (!asksSystem) {
    const verify = async () => {
      if ((await realpath(real)) !== real) throw replaced(real);
    };
    await verify();
    return { at: (name) => join(real, name), verify, close: async () => {} };
  }
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | noFollow);
  const verify = async () => {
    if (!(await isAt(handle, real))) throw replaced(real);
  };
  try {
    await verify();
  } catch (error) {
    await handle.close();
    throw error;
  }
  return { at: (name) => `/proc/self/fd/${handle.fd}/${name}`, verify, close: () => handle.close() };
}
