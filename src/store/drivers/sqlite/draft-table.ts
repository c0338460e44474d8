// Drafts as rows of a fixed size that a growing text fills up: an update of the same size is written by SQLite in place, and only the
// pages that differ. What does not grow stands in front of the text, so that those are the first page and the last one or two.
//
//   checksum (4) · bytes used (4) · bytes of the head (4) · head: JSON of everything but the text · text · zeros up to the row's size
import { crc32 } from 'node:zlib';
import type { Database, Statement } from 'better-sqlite3-multiple-ciphers';
import type { DraftRecord } from '../../../model/ports/store-driver.ts';

const prefixSize = 12;
const smallest = 2048;

interface DraftRow {
  conversation: number;
  bytes: Buffer;
}

export class DraftTable {
  readonly #database: Database;
  readonly #size: Statement<[number], number>;
  readonly #find: Statement<[number], Buffer>;
  readonly #insert: Statement<[number, Buffer]>;
  readonly #update: Statement<[Buffer, number]>;
  readonly #delete: Statement<[number]>;

  constructor(database: Database) {
    this.#database = database;
    this.#size = database.prepare<[number], number>('SELECT length(bytes) FROM drafts WHERE conversation = ?').pluck();
    this.#find = database.prepare<[number], Buffer>('SELECT bytes FROM drafts WHERE conversation = ?').pluck();
    this.#insert = database.prepare('INSERT INTO drafts (conversation, bytes) VALUES (?, ?)');
    this.#update = database.prepare('UPDATE drafts SET bytes = ? WHERE conversation = ?');
    this.#delete = database.prepare('DELETE FROM drafts WHERE conversation = ?');
  }

  /** About how many bytes that changes, for whoever keeps the write-ahead log short. */
  put(conversation: number, draft: DraftRecord): number {
    const size = this.#size.get(conversation);
    const bytes = encode(conversation, draft, size ?? 0);
    if (size === undefined) this.#insert.run(conversation, bytes);
    else this.#update.run(bytes, conversation);
    return bytes.length === size ? inPlace : bytes.length + (size ?? 0);
  }

  delete(conversation: number): void {
    this.#delete.run(conversation);
  }

  /** Undefined where there is none; `damaged` where it is not what was put. */
  find(conversation: number): DraftRecord | 'damaged' | undefined {
    const bytes = this.#find.get(conversation);
    return bytes && (decode(conversation, bytes) ?? 'damaged');
  }

  *all(): Iterable<{ conversation: number; draft: DraftRecord | undefined }> {
    for (const { conversation, bytes } of this.#database.prepare<[], DraftRow>('SELECT * FROM drafts').all()) {
      yield { conversation, draft: decode(conversation, bytes) };
    }
  }
}

/** Three pages: the first, the last and perhaps one more. */
const inPlace = 3 * 4096;

/** In a row of the given size where it fits into it and does not waste it. */
function encode(conversation: number, { text, ...rest }: DraftRecord, size: number): Buffer {
  const head = Buffer.from(JSON.stringify(rest));
  const words = Buffer.from(text ?? '');
  const used = prefixSize + head.length + words.length;
  const bytes = Buffer.alloc(used <= size && used * 8 > size ? size : sizeFor(used));
  bytes.writeUInt32BE(used, 4);
  bytes.writeUInt32BE(head.length, 8);
  head.copy(bytes, prefixSize);
  words.copy(bytes, prefixSize + head.length);
  bytes.writeUInt32BE(checksum(conversation, bytes, used), 0);
  return bytes;
}

/** Twice as large each time, so that a text that grows for long moves a few times only. */
function sizeFor(used: number): number {
  let size = smallest;
  while (size < used) size *= 2;
  return size;
}

function decode(conversation: number, bytes: unknown): DraftRecord | undefined {
  if (!Buffer.isBuffer(bytes) || bytes.length < prefixSize) return undefined;
  const used = bytes.readUInt32BE(4);
  const textStart = prefixSize + bytes.readUInt32BE(8);
  if (used > bytes.length || textStart > used || checksum(conversation, bytes, used) !== bytes.readUInt32BE(0)) return undefined;
  const head = JSON.parse(bytes.toString('utf8', prefixSize, textStart)) as Omit<DraftRecord, 'text'>;
  return { ...head, text: bytes.toString('utf8', textStart, used) };
}

/** Which conversation it belongs to goes into the seed. */
function checksum(conversation: number, bytes: Buffer, used: number): number {
  return crc32(bytes.subarray(4, used), conversation >>> 0);
}
