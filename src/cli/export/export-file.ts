// Writes a stream of pieces into a file that is there whole or not at all, for its owner only, and never in place of another file
// unless that is wanted.
import { link, lstat, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { privateFileMode, syncFolder } from '../../base/private-files.ts';
import { ContinuoError } from '../../model/error.ts';
import { toStoreError } from '../../store/io-fault.ts';
import type { Context } from '../context.ts';

export interface WrittenFile {
  file: string;
  bytes: number;
}

export async function writeExportFile(
  context: Context,
  given: string,
  pieces: AsyncIterable<string>,
  force: boolean,
): Promise<WrittenFile> {
  const file = resolve(given);
  const temporary = `${file}.${process.pid}.part`;
  const forget = context.cleanups.add(() => rm(temporary, { force: true }));
  try {
    await refuseFolder(file);
    if (!force && (await exists(file))) throw new ContinuoError('file-exists', { path: file });
    const bytes = await writePieces(temporary, pieces);
    if (force) await rename(temporary, file);
    else await link(temporary, file);
    await syncFolder(dirname(file));
    return { file, bytes };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new ContinuoError('file-exists', { path: file }, { cause: error });
    const reason = pathFaults[(error as NodeJS.ErrnoException).code ?? ''];
    if (reason !== undefined) throw new ContinuoError('io-failed', { path: file, reason }, { cause: error });
    throw toStoreError(error, file);
  } finally {
    // What went wrong before says more than that this went wrong, too.
    await rm(temporary, { force: true }).catch(() => undefined);
    forget();
  }
}

const pathFaults: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'what stands for its folder is a file',
  ENAMETOOLONG: 'its name is too long',
};

const bufferedCharacters = 256 * 1024;

async function writePieces(path: string, pieces: AsyncIterable<string>): Promise<number> {
  const handle = await open(path, 'wx', privateFileMode);
  try {
    let bytes = 0;
    let buffered = '';
    const flush = async () => {
      const block = Buffer.from(buffered);
      buffered = '';
      await handle.writeFile(block);
      bytes += block.length;
    };
    for await (const piece of pieces) {
      buffered += piece;
      if (buffered.length >= bufferedCharacters) await flush();
    }
    await flush();
    await handle.sync();
    return bytes;
  } finally {
    await handle.close();
  }
}

/** No word overwrites a folder. */
async function refuseFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) throw new ContinuoError('io-failed', { path, reason: 'it is a folder; name a file in it' });
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}
