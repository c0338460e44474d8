// Writes a session's file piece by piece: there whole or not at all, for its owner only, and never in the place of another file.
import { constants } from 'node:fs';
import { link, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makePrivateFolder, privateFileMode, syncFolder } from '../base/private-files.ts';
import { ContinuoError } from '../model/error.ts';
import { toStoreError } from '../store/io-fault.ts';

const bufferedCharacters = 256 * 1024;

/** Each value becomes a line. */
export async function writeSessionFile(path: string, records: AsyncIterable<object> | Iterable<object>): Promise<void> {
  await writeTextFile(path, toLines(records));
}

async function* toLines(records: AsyncIterable<object> | Iterable<object>): AsyncGenerator<string> {
  for await (const record of records) yield `${JSON.stringify(record)}\n`;
}

/** The pieces, one after the other. */
export async function writeTextFile(path: string, pieces: AsyncIterable<string>): Promise<void> {
  const temporary = `${path}.${process.pid}.part`;
  try {
    await makeFolder(path);
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
    const file = await open(temporary, flags, privateFileMode);
    try {
      let buffered = '';
      for await (const piece of pieces) {
        buffered += piece;
        if (buffered.length < bufferedCharacters) continue;
        await file.writeFile(buffered);
        buffered = '';
      }
      await file.writeFile(buffered);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(temporary, path);
    await syncFolder(dirname(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new ContinuoError('file-exists', { path }, { cause: error });
    throw toStoreError(error, path);
  } finally {
    // What went wrong before says more than that this went wrong, too.
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

async function makeFolder(path: string): Promise<void> {
  await makePrivateFolder(dirname(path)).catch((error: NodeJS.ErrnoException) => {
    const isFile = error.code === 'EEXIST' || error.code === 'ENOTDIR';
    const reason = 'what stands for its folder is a file';
    throw isFile ? new ContinuoError('io-failed', { path, reason }, { cause: error }) : error;
  });
}

/** Counts what a format cannot carry, by kind. */
export class LostEntries {
  readonly #counts: Record<string, number> = {};

  add(kind: string): void {
    this.#counts[kind] = (this.#counts[kind] ?? 0) + 1;
  }

  get counts(): Readonly<Record<string, number>> {
    return this.#counts;
  }
}
