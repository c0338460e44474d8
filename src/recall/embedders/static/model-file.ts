// The file that holds the static model, as it lies on disk: training/distil/model_file.py writes it and says the layout. It is read
// in one piece and used where it lies: no word is in it as text, a word is found by its 32-bit hash.
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { endianness } from 'node:os';
import { ContinuoError } from '../../../model/error.ts';
import type { FingerprintCache } from '../file-fingerprint.ts';

export interface StaticModel {
  /** The model's name and the beginning of its checksum. */
  id: string;
  dimension: number;
  rows: number;
  /** Open addressing: a word's hash is looked for from `hash & (slots - 1)` on, up to an empty slot (0). */
  hashes: Uint32Array;
  rowsOfHashes: Uint16Array;
  /** What the hash starts from: chosen so that no two words share one. */
  seed: number;
  /** For each UTF-16 unit the one that is read in its place: Latin letters without marks, simplified characters. */
  folds: Uint16Array;
  /** How much a row counts, in whole numbers. */
  weights: Uint8Array;
  vectors: Int8Array;
}

const magic = 'continuo-static\0';
const headBytes = 16 + 7 * 4;
const checksumBytes = 32;
const formatHere = 1;

/** Its checksum is compared once for each change of the file, where a cache remembers that it was. */
export async function readModelFile(path: string, cache?: FingerprintCache): Promise<StaticModel> {
  if (endianness() !== 'LE') throw broken(path, 'this machine stores numbers the other way round (big endian)');
  let file: Buffer<ArrayBuffer>;
  let time: number;
  try {
    ({ file, time } = await readWhole(path));
  } catch (cause) {
    throw broken(path, 'its file cannot be read; install Continuo again', cause);
  }
  if (file.length < headBytes + checksumBytes || file.toString('latin1', 0, 16) !== magic)
    throw broken(path, 'its file holds something else; install Continuo again');
  const [format = 0, dimension = 0, rows = 0, slots = 0, foldCount = 0, nameBytes = 0, seed = 0] = Array.from(
    { length: 7 },
    (_, i) => file.readUInt32LE(16 + 4 * i),
  );
  if (format !== formatHere) throw broken(path, 'its file was made for another version of Continuo; install Continuo again');
  const body = file.subarray(headBytes + checksumBytes);
  const checksum = file.subarray(headBytes, headBytes + checksumBytes).toString('hex');
  const padded = (bytes: number) => bytes + (-bytes & 3);
  const expected = padded(nameBytes) + slots * 6 + foldCount * 4 + padded(rows) + rows * dimension;
  const isKnown = body.length === expected && (await cache?.find(path).catch(() => undefined)) === checksum;
  if (!isKnown) {
    if (body.length !== expected || createHash('sha256').update(body).digest('hex') !== checksum)
      throw broken(path, 'its file is damaged; install Continuo again');
    await cache?.put(path, { size: file.length, time, hash: checksum });
  }
  let at = body.byteOffset;
  const take = <T>(View: new (buffer: ArrayBuffer, offset: number, length: number) => T, length: number, bytes: number): T => {
    const view = new View(body.buffer as ArrayBuffer, at, length);
    at += bytes;
    return view;
  };
  const name = body.toString('utf8', 0, nameBytes);
  at += padded(nameBytes);
  return {
    id: `${name}@${checksum.slice(0, 12)}`,
    dimension,
    rows,
    seed,
    hashes: take(Uint32Array, slots, slots * 4),
    rowsOfHashes: take(Uint16Array, slots, slots * 2),
    folds: foldTable(take(Uint16Array, foldCount * 2, foldCount * 4)),
    weights: take(Uint8Array, rows, padded(rows)),
    vectors: take(Int8Array, rows * dimension, rows * dimension),
  };
}

/** In one piece: reading it bit by bit, as a file of unknown length is read, would take several times as long. */
async function readWhole(path: string): Promise<{ file: Buffer<ArrayBuffer>; time: number }> {
  await using handle = await open(path);
  const { size, mtimeMs: time } = await handle.stat();
  const file = Buffer.allocUnsafeSlow(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await handle.read(file, length, size - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return { file: file.subarray(0, length), time };
}

function foldTable(pairs: Uint16Array): Uint16Array {
  const table = new Uint16Array(0x10000);
  for (let unit = 0; unit < table.length; unit++) table[unit] = unit;
  for (let i = 0; i < pairs.length; i += 2) table[pairs[i] as number] = pairs[i + 1] as number;
  return table;
}

function broken(path: string, reason: string, cause?: unknown): ContinuoError {
  return new ContinuoError('embedder-failed', { embedder: path, reason }, { cause });
}
