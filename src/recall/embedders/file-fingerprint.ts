// What a file holds, as a hash. Model files are large: a hash is kept with the file's size and time in a small file of the caller,
// and taken again only where those have changed. That file is a derivative; one that cannot be read or written costs time alone.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { writeFileAtomically } from '../../base/private-files.ts';

interface Known {
  size: number;
  time: number;
  hash: string;
}

export class FingerprintCache {
  readonly #path: string | undefined;
  #known: Record<string, Known> | undefined;
  #dimensions: Record<string, number> = {};

  constructor(path: string | undefined) {
    this.#path = path;
  }

  /** SHA-256 of the file, in hexadecimal. */
  async hashOf(file: string): Promise<string> {
    const found = await this.find(file);
    if (found !== undefined) return found;
    const { size, mtimeMs: time } = await stat(file);
    const hash = createHash('sha256');
    await pipeline(createReadStream(file), hash);
    return this.put(file, { size, time, hash: hash.digest('hex') });
  }

  /** The hash that was taken of the file as it is now; undefined where none was. */
  async find(file: string): Promise<string | undefined> {
    const known = await this.#load();
    const { size, mtimeMs: time } = await stat(file);
    const found = Object.hasOwn(known, file) ? known[file] : undefined;
    return found && found.size === size && found.time === time ? found.hash : undefined;
  }

  async put(file: string, taken: Known): Promise<string> {
    const known = await this.#load();
    known[file] = taken;
    await this.#save();
    return taken.hash;
  }

  async findDimension(id: string): Promise<number | undefined> {
    await this.#load();
    return Object.hasOwn(this.#dimensions, id) ? this.#dimensions[id] : undefined;
  }

  async putDimension(id: string, dimension: number): Promise<void> {
    await this.#load();
    this.#dimensions[id] = dimension;
    await this.#save();
  }

  async #load(): Promise<Record<string, Known>> {
    if (this.#known) return this.#known;
    this.#known = {};
    if (this.#path === undefined) return this.#known;
    try {
      const { files, dimensions } = JSON.parse(await readFile(this.#path, 'utf8')) as Record<string, unknown>;
      for (const [file, value] of entriesOf(files)) if (isKnown(value)) this.#known[file] = value;
      for (const [id, value] of entriesOf(dimensions)) if (isCount(value)) this.#dimensions[id] = value;
    } catch {
      // Not there yet, or not ours to understand: made anew.
    }
    return this.#known;
  }

  async #save(): Promise<void> {
    if (this.#path === undefined) return;
    const content = `${JSON.stringify({ files: this.#known, dimensions: this.#dimensions }, null, 2)}\n`;
    await writeFileAtomically(this.#path, content).catch(() => undefined);
  }
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function isKnown(value: unknown): value is Known {
  const { size, time, hash } = (value ?? {}) as Partial<Known>;
  return typeof size === 'number' && typeof time === 'number' && typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
