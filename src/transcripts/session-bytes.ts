// The bytes of a session's file as a stream from any place on, plain or packed with zstd: places are those of the unpacked bytes, so that
// packing a file does not make it another one. Symbolic links and what is not a file are refused.
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { ContinuoError } from '../model/error.ts';
import { toStoreError } from '../store/io-fault.ts';
import { unpackZstd } from './unpack-zstd.ts';

const chunkSize = 256 * 1024;
/** Small, because a few packed bytes may stand for many. */
const packedChunkSize = 1024;

export class SessionBytes {
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #isPacked: boolean;

  private constructor(file: FileHandle, path: string) {
    this.#file = file;
    this.#path = path;
    this.#isPacked = path.endsWith('.zst');
  }

  static async open(path: string): Promise<SessionBytes> {
    // Without waiting: a pipe with nobody at its other end would never open.
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    const file = await open(path, flags).catch((error: unknown) => {
      throw toStoreError(error, path);
    });
    if ((await file.stat()).isFile()) return new SessionBytes(file, path);
    await file.close();
    throw new ContinuoError('unsafe-path', { path, reason: 'it is not a regular file' });
  }

  /** The bytes from the place on, to the end the file has when it is reached. */
  from(place: number, signal?: AbortSignal): AsyncGenerator<Buffer> {
    if (!this.#isPacked) return this.#read(place, chunkSize, signal);
    return dropFirst(unpackZstd(this.#read(0, packedChunkSize, signal), this.#path), place);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async *#read(place: number, size: number, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
    for (let position = place; ; ) {
      signal?.throwIfAborted();
      const buffer = Buffer.allocUnsafe(size);
      const { bytesRead } = await this.#file.read(buffer, 0, size, position).catch((error: unknown) => {
        throw toStoreError(error, this.#path);
      });
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }
}

/** The text of a file that is one document; undefined where it is above the limit. */
export async function readWholeText(path: string, mostBytes: number, signal?: AbortSignal): Promise<string | undefined> {
  const bytes = await SessionBytes.open(path);
  try {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of bytes.from(0, signal)) {
      length += chunk.length;
      if (length > mostBytes) return undefined;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  } finally {
    await bytes.close();
  }
}

async function* dropFirst(chunks: AsyncGenerator<Buffer>, count: number): AsyncGenerator<Buffer> {
  let left = count;
  for await (const chunk of chunks) {
    if (chunk.length > left) yield left === 0 ? chunk : chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}
