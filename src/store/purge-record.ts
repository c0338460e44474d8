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
    if (names.length === 0) return;
    // A record with a damaged line takes new ones all the same.
    const known = await this.#load().catch(() => new Set<string>());
    const missing = [...new Set(names.map(digestOf))].filter((digest) => !known.has(digest));
    if (missing.length > 0) await this.#append(missing);
  }

  async #append(digests: readonly string[]): Promise<void> {
    try {
      const file = await open(this.#path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, privateFileMode);
      try {
        // One write, so that lines of several processes never mix. What a crash cut off stays a line of its own.
        const lines = `${(await endsWithin(file)) ? '\n' : ''}${digests.join('\n')}\n`;
        await file.writeFile(lines);
        await file.sync();
      } finally {
        await file.close();
      }
      await syncFolder(dirname(this.#path));
    } catch (error) {
      throw toStoreError(error, this.#path);
    }
  }

  async #load(): Promise<ReadonlySet<string>> {
    try {
      const found = await lstat(this.#path);
      if (!found.isFile()) throw new ContinuoError('unsafe-path', { path: this.#path, reason: 'it is not a regular file' });
      const looks = `${found.ino} ${found.size} ${found.mtimeMs}`;
      if (looks === this.#readAs) return this.#digests;
      this.#digests = this.#parse(await readText(this.#path));
      this.#readAs = looks;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw toStoreError(error, this.#path);
      this.#digests = new Set();
      this.#readAs = '';
    }
    return this.#digests;
  }

  #parse(text: string): Set<string> {
    const digests = new Set<string>();
    for (const [index, line] of text.split('\n').entries()) {
      if (/^[0-9a-f]*$/.test(line) && line.length <= digestLength) {
        // Shorter ones are what a crash left of a line: nothing was deleted for them.
        if (line.length === digestLength) digests.add(line);
        continue;
      }
      const reason = `line ${index + 1} of it is damaged; take it away, or import with --again to leave the record out`;
      throw new ContinuoError('io-failed', { path: this.#path, reason });
    }
    return digests;
  }
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

async function readText(path: string): Promise<string> {
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}
