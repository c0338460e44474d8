// The complete lines of a JSONL session as parsed objects, from a checkpoint on if the file is still the one it was made of. What is broken
// is a note with its line number, and the rest is read.
import { createHash } from 'node:crypto';
import type { JsonObject } from '../base/json.ts';
import { countIn, type Fields, isFields, objectIn, textIn } from './fields.ts';
import { cutLines, type SessionLine } from './line-stream.ts';
import { SessionBytes } from './session-bytes.ts';
import type { CheckpointItem, ReadTranscriptOptions, SkippedNote, SkipReason } from './transcript-format.ts';

export interface JsonRecord {
  type: 'record';
  line: number;
  value: Fields;
}

export interface JsonLinesOptions extends ReadTranscriptOptions {
  /** What the first bytes of a line tell without parsing it: why it is left out. For formats that repeat themselves at length. */
  leaveOut?: ((head: string) => { reason: SkipReason; what: string } | undefined) | undefined;
}

const defaultMostLineBytes = 32 * 1024 * 1024;
const headLength = 64;
const nul = 0;

/** A JSONL file that is open for one reading. */
export class JsonLines {
  /** Whether the checkpoint fitted. */
  readonly resumed: boolean;
  /** What the format kept in the checkpoint. */
  readonly state: Fields;
  readonly #bytes: SessionBytes;
  readonly #options: JsonLinesOptions;
  readonly #start: Place;
  #last: SessionLine | undefined;

  private constructor(bytes: SessionBytes, options: JsonLinesOptions, start: Place | undefined) {
    this.#bytes = bytes;
    this.#options = options;
    this.#start = start ?? beginning;
    this.resumed = start !== undefined;
    this.state = start ? objectIn(options.from ?? {}, 'state') : {};
  }

  static async open(path: string, options: JsonLinesOptions = {}): Promise<JsonLines> {
    const bytes = await SessionBytes.open(path);
    try {
      return new JsonLines(bytes, options, await findPlace(bytes, options));
    } catch (error) {
      await bytes.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#bytes.close();
  }

  /** Groups of records, in order, with notes between them. After a group {@link checkpoint} stands for all of it. */
  async *groups(): AsyncGenerator<(JsonRecord | SkippedNote)[]> {
    const { mostLineBytes: mostBytes = defaultMostLineBytes, signal } = this.#options;
    const { offset: place, line } = this.#start;
    for await (const lines of cutLines(this.#bytes.from(place, signal), { place, line, mostBytes })) {
      const group: (JsonRecord | SkippedNote)[] = [];
      for (const each of lines) {
        const read = this.#read(each);
        if (read) group.push(read);
      }
      this.#last = lines.at(-1);
      yield group;
    }
  }

  /** Where reading is now, with what the format wants to know when it goes on. */
  checkpoint(state: JsonObject = {}): CheckpointItem {
    const last = this.#last;
    if (!last) return { type: 'checkpoint', checkpoint: { ...formatPlace(this.#start), state } };
    const { tail } = last;
    return {
      type: 'checkpoint',
      checkpoint: { offset: last.end, line: last.number, tail: { length: tail.length, sha256: digest(tail) }, state },
    };
  }

  #read({ number: line, bytes }: SessionLine): JsonRecord | SkippedNote | undefined {
    if (!bytes) return { type: 'skipped', reason: 'too-long', what: 'line', line };
    const known = this.#options.leaveOut?.(bytes.toString('latin1', 0, headLength));
    if (known) return { type: 'skipped', ...known, line };
    const text = toText(bytes);
    if (text.trim() === '') return undefined;
    try {
      const value: unknown = JSON.parse(text);
      if (isFields(value)) return { type: 'record', line, value };
      return { type: 'skipped', reason: 'broken', what: 'not an object', line };
    } catch {
      return { type: 'skipped', reason: 'broken', what: 'not JSON', line };
    }
  }
}

interface Place {
  offset: number;
  line: number;
  tail?: { length: number; sha256: string };
}

const beginning: Place = { offset: 0, line: 0 };

function formatPlace({ offset, line, tail }: Place): JsonObject {
  return { offset, line, ...(tail && { tail }) };
}

/** The checkpoint's place, if the bytes before it are the ones it was made after. */
async function findPlace(bytes: SessionBytes, { from, signal }: JsonLinesOptions): Promise<Place | undefined> {
  if (!from) return beginning;
  const offset = countIn(from, 'offset');
  const line = countIn(from, 'line');
  if (offset === 0) return beginning;
  const length = countIn(objectIn(from, 'tail'), 'length');
  const sha256 = textIn(objectIn(from, 'tail'), 'sha256');
  if (offset === undefined || line === undefined || length === undefined || sha256 === undefined || length >= offset)
    return undefined;
  const found: Buffer[] = [];
  let count = 0;
  for await (const chunk of bytes.from(offset - length - 1, signal)) {
    found.push(chunk);
    count += chunk.length;
    if (count > length) break;
  }
  const before = Buffer.concat(found).subarray(0, length + 1);
  const isSame = before.length === length + 1 && before[length] === 10 && digest(before.subarray(0, length)) === sha256;
  return isSame ? { offset, line, tail: { length, sha256 } } : undefined;
}

/** Bytes that are no UTF-8 become the replacement character; what a crash filled with zeros begins after them. */
function toText(bytes: Buffer): string {
  let start = 0;
  while (bytes[start] === nul) start += 1;
  return bytes.toString('utf8', start);
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32);
}
