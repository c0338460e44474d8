// Reading one session file: as a whole, or only its first line. Links and things that are no files are refused, never followed.
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { ContinuoError } from '../model/error.ts';
import type { Sealer } from '../model/ports/sealer.ts';
import { damagedAt, largestFile } from './envelope.ts';
import { toFileError } from './file-fault.ts';
import type { SessionSnapshot, SessionSummary } from './session-snapshot.ts';
import { parseFirstLine, parseSnapshot, type SnapshotReading, snapshotEnd } from './snapshot-text.ts';

export interface ReadSummary {
  summary: SessionSummary;
  /** The first line as it is in the file: two states of a session differ in it. */
  firstLine: string;
}

export async function readSessionFile(
  path: string,
  sealer: Sealer | undefined,
): Promise<{ snapshot: SessionSnapshot; firstLine: string }> {
  return withFile(path, async (file) => {
    const text = await readWhole(file, path);
    const { snapshot } = parseSnapshot(text, createReading(path, sealer));
    return { snapshot, firstLine: firstLineOf(text) };
  });
}

/** Reads the first line and the last bytes; the whole file only where somebody else has laid it out. */
export async function readSessionSummary(path: string, sealer: Sealer | undefined): Promise<ReadSummary> {
  return withFile(path, async (file) => {
    const reading = createReading(path, sealer);
    const { size } = await file.stat();
    const firstLine = await readFirstLine(file);
    const found = firstLine === undefined ? undefined : parseFirstLine(firstLine, reading);
    if (found !== undefined && firstLine !== undefined) {
      if (!(await endsAsItShould(file, size))) throw reading.fail('its end is missing');
      return { summary: { ...found.head, path, bytes: size, sealed: found.sealed }, firstLine };
    }
    const text = await readWhole(file, path);
    const { snapshot, sealed } = parseSnapshot(text, reading);
    const { context: _context, ...head } = snapshot;
    return { summary: { ...head, path, bytes: size, sealed }, firstLine: firstLineOf(text) };
  });
}

const chunkLength = 16 * 1024;
const longestFirstLine = 1024 * 1024;

async function withFile<T>(path: string, use: (file: FileHandle) => Promise<T>): Promise<T> {
  try {
    // Opening a pipe would wait for a writer for ever.
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      if (!(await file.stat()).isFile()) throw new ContinuoError('unsafe-path', { path, reason: 'it is not a regular file' });
      return await use(file);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw toFileError(error, path);
  }
}

async function readWhole(file: FileHandle, path: string): Promise<string> {
  const { size } = await file.stat();
  if (size > largestFile) throw damagedAt(path)('it is larger than 256 MB');
  const bytes = Buffer.alloc(size);
  for (let read = 0; read < size; ) {
    const { bytesRead } = await file.read(bytes, read, size - read, read);
    if (bytesRead === 0) return decode(bytes.subarray(0, read), path);
    read += bytesRead;
  }
  return decode(bytes, path);
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw damagedAt(path)('it is not text', error);
  }
}

async function readFirstLine(file: FileHandle): Promise<string | undefined> {
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

async function endsAsItShould(file: FileHandle, size: number): Promise<boolean> {
  const length = snapshotEnd.length;
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, Math.max(0, size - length));
  return buffer.toString('utf8') === snapshotEnd;
}

function firstLineOf(text: string): string {
  const end = text.indexOf('\n');
  return end < 0 ? text : text.slice(0, end);
}

function createReading(path: string, sealer: Sealer | undefined): SnapshotReading {
  return { path, sealer, fail: damagedAt(path), keyRequired: () => new ContinuoError('key-required', { path }) };
}
