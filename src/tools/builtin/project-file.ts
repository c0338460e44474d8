// Opening and replacing files of the project without a gap between the check and the use: what is opened is compared with what was
// checked. On Linux a folder is held open and its files are reached through the handle, so that nobody can swap it for a link in
// between; elsewhere the folder is checked again right before the file takes its place.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, type FileHandle, mkdir, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ContinuoError } from '../../model/error.ts';

const noFollow = constants.O_NOFOLLOW ?? 0;
const holdsFolders = process.platform === 'linux';

/** Opens a regular file at a path whose links are resolved already; refuses if there is a link on the way by now. */
export async function openForReading(real: string): Promise<FileHandle> {
  // Without waiting: opening a pipe would wait for its writer.
  const handle = await open(real, constants.O_RDONLY | noFollow | (constants.O_NONBLOCK ?? 0));
  try {
    const [opened, placed] = [await handle.stat({ bigint: true }), await stat(await realpath(real), { bigint: true })];
    const same = opened.ino === placed.ino && opened.dev === placed.dev && (await realpath(real)) === real;
    if (!same) throw new ContinuoError('unsafe-path', { path: real, reason: 'it was replaced while it was being opened' });
    if (opened.isDirectory()) throw new ContinuoError('io-failed', { path: real, reason: 'it is a folder' });
    if (!opened.isFile()) throw new ContinuoError('unsafe-path', { path: real, reason: 'it is not a regular file' });
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
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
  const temporary = folder.at(`.${basename(real).slice(0, 80)}.${randomBytes(6).toString('hex')}.tmp`);
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
  const refuse = () => new ContinuoError('unsafe-path', { path: real, reason: 'it was replaced while it was being opened' });
  if (!holdsFolders) {
    const verify = async () => {
      if ((await realpath(real)) !== real) throw refuse();
    };
    await verify();
    return { at: (name) => join(real, name), verify, close: async () => {} };
  }
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | noFollow);
  const held = `/proc/self/fd/${handle.fd}`;
  const verify = async () => {
    if ((await readlink(held)) !== real) throw refuse();
  };
  try {
    await verify();
  } catch (error) {
    await handle.close();
    throw error;
  }
  return { at: (name) => `${held}/${name}`, verify, close: () => handle.close() };
}
