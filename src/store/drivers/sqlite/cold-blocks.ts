// Old text packed: the texts of up to 128 entries of one conversation share one compressed block. The rows stay; what reads them
// fills the text in again. Text with a time to live is never packed, so that it can be taken away by itself.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Database, Statement } from 'better-sqlite3-multiple-ciphers';
import type { CompressResult } from '../../../model/ports/store-driver.ts';
import { erasedKind, type PackedText } from './rows.ts';

const entriesPerBlock = 128;
const blocksKept = 8;

/** By position. */
type Block = Record<string, PackedText>;

interface PackableRow {
  number: number;
  seq: number;
  text: string | null;
  data: string | null;
}

export class BlockReader {
  readonly #load: Statement<[number], Buffer>;
  readonly #recent = new Map<number, Block | undefined>();

  constructor(database: Database) {
    this.#load = database.prepare<[number], Buffer>('SELECT bytes FROM blocks WHERE number = ?').pluck();
  }

  /** The packed text of an entry; undefined where the block cannot be unpacked or does not hold it. */
  find(block: number, seq: number): PackedText | undefined {
    return this.#block(block)?.[seq];
  }

  forget(): void {
    this.#recent.clear();
  }

  #block(number: number): Block | undefined {
    if (this.#recent.has(number)) return this.#recent.get(number);
    const block = unpack(this.#load.get(number));
    if (this.#recent.size >= blocksKept) this.#recent.delete(this.#recent.keys().next().value as number);
    this.#recent.set(number, block);
    return block;
  }
}

export class BlockWriter {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Conversations with enough text said before the moment to be worth packing. */
  candidates(before: number): number[] {
    return this.#database
      .prepare<[number], number>(
        `SELECT conversation FROM entries WHERE at < ? AND block IS NULL AND expires_at IS NULL AND text IS NOT NULL
           AND kind <> ${erasedKind} GROUP BY conversation`,
      )
      .pluck()
      .all(before);
  }

  /** Packs one conversation's old text. Call with a settled tail, and compact the file afterwards. */
  pack(conversation: number, before: number): CompressResult {
    const rows = this.#database
      .prepare<[number, number], PackableRow>(
        `SELECT p.seq, e.number, e.text, e.data FROM positions p JOIN entries e ON e.number = p.entry
         WHERE p.conversation = ? AND e.at < ? AND e.block IS NULL AND e.expires_at IS NULL AND e.text IS NOT NULL ORDER BY p.seq`,
      )
      .all(conversation, before);
    const result: CompressResult = { entries: 0, bytesBefore: 0, bytesAfter: 0 };
    for (let from = 0; from < rows.length; from += entriesPerBlock) {
      this.#packBlock(conversation, rows.slice(from, from + entriesPerBlock), result);
    }
    return result;
  }

  #packBlock(conversation: number, rows: readonly PackableRow[], result: CompressResult): void {
    const block: Block = {};
    let plain = 0;
    for (const { seq, text, data } of rows) {
      block[seq] = [text, data];
      plain += Buffer.byteLength(text ?? '') + Buffer.byteLength(data ?? '');
    }
    const bytes = deflateRawSync(JSON.stringify(block), { level: 9 });
    // Short or random text does not shrink: leave it readable where it is.
    if (bytes.length > plain * 0.9) return;
    const { lastInsertRowid } = this.#database
      .prepare('INSERT INTO blocks (conversation, bytes) VALUES (?, ?)')
      .run(conversation, bytes);
    const point = this.#database.prepare('UPDATE entries SET text = NULL, data = NULL, block = ? WHERE number = ?');
    for (const { number } of rows) point.run(lastInsertRowid, number);
    result.entries += rows.length;
    result.bytesBefore += plain;
    result.bytesAfter += bytes.length;
  }
}

function unpack(bytes: Buffer | undefined): Block | undefined {
  if (!bytes) return undefined;
  try {
    return JSON.parse(inflateRawSync(bytes).toString('utf8')) as Block;
  } catch {
    return undefined;
  }
}
