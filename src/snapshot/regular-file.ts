// Reading a file that may be anything: links and things that are no files are refused, never followed, and sizes are bounded.
import { isAscii, isUtf8, transcode } from 'node:buffer';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { ContinuoError } from '../model/error.ts';
import { damagedAt, largestFile } from './envelope.ts';
import { toFileError } from './file-fault.ts';

const chunkLength = 16 * 1024;
const byteOrderMark = 0xfeff;
const longestFirstLine = 1024 * 1024;

export async function withFile<T>(path: string, use: (file: FileHandle, status: BigIntStats) => Promise<T>): Promise<T> {
  try {
    // Opening a pipe would wait for a writer for ever.
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      const status = await file.stat({ bigint: true });
      if (!status.isFile()) throw new ContinuoError('unsafe-path', { path, reason: 'it is not a regular file' });
      return await use(file, status);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw toFileError(error, path);
  }
}

export async function readBytes(file: FileHandle, { size: length }: BigIntStats, path: string): Promise<Buffer> {
  const size = Number(length);
  if (size > largestFile) throw damagedAt(path)('it is larger than 256 MB');
  const bytes = Buffer.allocUnsafe(size);
  for (let read = 0; read < size; ) {
    const { bytesRead } = await file.read(bytes, read, size - read, read);
    if (bytesRead === 0) return bytes.subarray(0, read);
    read += bytesRead;
  }
  return bytes;
}

/** Without the mark that some editors put first. */
export function decodeText(bytes: Buffer, path: string): string {
  if (!isUtf8(bytes)) throw damagedAt(path)('it is not text');
  // Text that is not plain ASCII is decoded three times faster by way of its units.
  const text = isAscii(bytes) ? bytes.toString('latin1') : transcode(bytes, 'utf8', 'utf16le').toString('utf16le');
  return text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text;
}

/** Undefined where it is longer than any head. */
export async function readFirstLine(file: FileHandle): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  for (let position = 0; position < longestFirstLine; position += chunkLength) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(chunkLength), 0, chunkLength, position);
    const piece = buffer.subarray(0, bytesRead);
    const end = piece.indexOf(0x0a);
    pieces.push(end < 0 ? piece : piece.subarray(0, end));
    if (end >= 0) return Buffer.concat(pieces).toString('utf8');
    if (bytesRead < chunkLength) return undefined;
  }
  return undefined;
}

export async function endsWith(file: FileHandle, size: number, end: string): Promise<boolean> {
  const length = Buffer.byteLength(end);
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, Math.max(0, size - length));
  return buffer.toString('utf8') === end;
}
