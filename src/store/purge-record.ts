// What was purged on purpose, so that nobody brings it back: a file in the home with one line for each name, its SHA-256 and nothing else.
// Invariant: a name is durable in it before what it names is deleted. That it stands there does not say that the deletion came to its end.
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { privateFileMode, syncFolder } from '../base/private-files.ts';
import { ContinuoError } from '../model/error.ts';
import { toStoreError } from './io-fault.ts';

const { O_APPEND, O_CREAT, O_NONBLOCK = 0, O_NOFOLLOW = 0, O_RDONLY, O_RDWR } = constants;
const digestLength = 64;

export function purgeRecordPath(home: string): string {
  return join(home, 'purged-imports.txt');
}

export class PurgeRecord {
  readonly #path: string;
  #digests: ReadonlySet<string> = new Set();
  /** What the file looked like when it was read: others append to it. */
  #readAs = '';

  constructor(path: string) {
    this.#path = path;
  }

  /** Throws where the record cannot be read: that it says nothing must not be taken for "no". */
  async has(name: string): Promise<boolean> {
    return (await this.#load()).has(digestOf(name));
  }

  /** Returns when all of them are durable. */
  async add(names: readonly string[]): Promise<void> {
    await this.addDigests(names.map(digestOf));
  }

  /** The same for what was read from another record. */
  async addDigests(digests: readonly string[]): Promise<void> {
    if (digests.length === 0) return;
    // A record with a damaged line takes new ones all the same.
    const known = await this.#load().catch(() => new Set<string>());
    const missing = [...new Set(digests)].filter((digest) => !known.has(digest));
    if (missing.length > 0) await this.#append(missing);
  }

  async #append(digests: readonly string[]): Promise<void> {
    try {
      const file = await open(this.#path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, privateFileMode);
      try {
        const { ino } = await assertRecord(file, this.#path);
        // One write, so that lines of several processes never mix. What a crash cut off stays a line of its own.
        const lines = `${(await endsWithin(file)) ? '\n' : ''}${digests.join('\n')}\n`;
        await file.writeFile(lines);
        await file.sync();
        await syncFolder(dirname(this.#path));
        // Mended meanwhile, which put another file in its place: that one must have them, too.
        if ((await lstat(this.#path).catch(() => undefined))?.ino !== ino) await this.#append(digests);
      } finally {
        await file.close();
      }
    } catch (error) {
      throw toStoreError(error, this.#path);
    }
  }

  async #load(): Promise<ReadonlySet<string>> {
    try {
      const { ino, size, mtimeMs } = await lstat(this.#path);
      const looks = `${ino} ${size} ${mtimeMs}`;
      if (looks === this.#readAs) return this.#digests;
      this.#digests = this.#parse(await readRecord(this.#path));
      this.#readAs = looks;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw toStoreError(error, this.#path);
      this.#digests = new Set();
      this.#readAs = '';
    }
    return this.#digests;
  }

  #parse(text: string): ReadonlySet<string> {
    const { digests, damaged } = sortLines(text);
    const [first] = damaged;
    if (first === undefined) return digests;
    const reason = `line ${first} of it is damaged; take it away, or import with --again to leave the record out`;
    throw new ContinuoError('io-failed', { path: this.#path, reason });
  }
}

export interface PurgeRecordLines {
  digests: ReadonlySet<string>;
  /** Numbers of lines that are not what was written. */
  damaged: readonly number[];
  /** Numbers of lines that are only the beginning of one: what a crash leaves, and then nothing was deleted for them. */
  cut: readonly number[];
}

export function sortLines(text: string): PurgeRecordLines {
  const [digests, damaged, cut] = [new Set<string>(), [] as number[], [] as number[]];
  for (const [index, line] of text.split('\n').entries()) {
    if (!/^[0-9a-f]*$/.test(line) || line.length > digestLength) damaged.push(index + 1);
    else if (line.length === digestLength) digests.add(line);
    else if (line.length > 0) cut.push(index + 1);
  }
  return { digests, damaged, cut };
}

/** Follows no link and waits for no pipe; throws ENOENT as it is where there is none. */
export async function openRecord(path: string): Promise<FileHandle> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    await assertRecord(file, path);
    return file;
  } catch (error) {
    await file?.close();
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? error : toStoreError(error, path);
  }
}

async function readRecord(path: string): Promise<string> {
  const file = await openRecord(path);
  try {
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

async function assertRecord(file: FileHandle, path: string): Promise<{ ino: number }> {
  const found = await file.stat();
  if (found.isFile()) return found;
  // The same words whether it is read or written, and whoever meets it.
  if (found.isDirectory()) throw new ContinuoError('io-failed', { path, reason: 'a folder is in its place; move it away' });
  throw new ContinuoError('unsafe-path', { path, reason: 'it is not a regular file' });
}

function digestOf(name: string): string {
  return createHash('sha256').update(name).digest('hex');
}

/** Whether the last line has no end. */
async function endsWithin(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.toString('latin1') !== '\n';
}
