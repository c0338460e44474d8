// Cuts a JSON document into the elements of one of its lists, a bounded one at a time: an element above the limit is counted and never held.
// What is around the list is kept as a document of its own, with the list empty. Nothing is judged here: what is no JSON shows when an
// element is parsed.

export interface JsonItem {
  /** Counted from 1. */
  number: number;
  /** Where it begins and ends, in bytes of the document. */
  start: number;
  end: number;
  /** Undefined where it is above the limit. */
  bytes: Buffer | undefined;
}

export interface JsonItemsOptions {
  /** The ways to the list: `[]` is the document itself, `['context', 'messages']` a list in an object in it. */
  places: readonly (readonly string[])[];
  /** Where the document is no list, each of its values is an element: one object, or one to a line. */
  takesValues?: boolean;
  mostBytes: number;
  /** Only what is around the list is wanted: elements are not held. */
  isRestOnly?: boolean;
  /** Where the first byte stands in the file. */
  start?: number;
}

const [quote, comma, colon, openList, backslash, closeList, openObject, closeObject] = [34, 44, 58, 91, 92, 93, 123, 125];
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
/** Longer than any name on the way to a list. */
const longestName = 64;

export class JsonItems {
  readonly #options: JsonItemsOptions;
  #position: number;
  #isBegun = false;
  /** How many containers are open around the next byte, outside of elements, and what they are. */
  #depth = 0;
  readonly #kinds: number[] = [];
  readonly #names: string[] = [];
  #listDepth = -1;
  #takesValues = false;
  #expectsName = false;
  #string: OpenString | undefined;
  #item: OpenItem | undefined;
  #number = 0;
  #rest: Buffer[] = [];
  #restLength = 0;

  constructor(options: JsonItemsOptions) {
    this.#options = options;
    this.#position = options.start ?? 0;
  }

  /** Whether the document has come to its end. */
  get isWhole(): boolean {
    return this.#isBegun && this.#depth === 0 && this.#item === undefined && this.#string === undefined;
  }

  /** Whether the document is the list itself: then there is nothing around it. */
  get isList(): boolean {
    return this.#listDepth === 1;
  }

  /** What is around the list, as far as it came; undefined where it is above the limit. */
  get rest(): string | undefined {
    return this.#restLength > this.#options.mostBytes ? undefined : Buffer.concat(this.#rest).toString('utf8');
  }

  /** The elements that ended in this piece. */
  push(chunk: Buffer): JsonItem[] {
    const ended: JsonItem[] = [];
    let at = !this.#isBegun && this.#position === 0 && chunk.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
    let kept = at;
    while (at < chunk.length) {
      if (this.#item) {
        const end = this.#item.scan(chunk, at);
        if (!this.#options.isRestOnly) this.#item.add(chunk.subarray(at, end), this.#options.mostBytes);
        at = end;
        kept = end;
        if (this.#item.isOver) ended.push(this.#endItem(this.#position + end));
        continue;
      }
      const byte = chunk[at] as number;
      if (this.#isBetweenItems(byte)) {
        this.#keep(chunk.subarray(kept, at));
        // A blank or a comma between elements is no part of anything; neither is an end without a beginning.
        if (isBlank(byte) || byte === comma || byte === closeObject || byte === closeList) at += 1;
        else this.#item = new OpenItem(byte, this.#position + at);
        kept = at;
        continue;
      }
      this.#step(byte);
      at += 1;
    }
    this.#keep(chunk.subarray(kept, at));
    this.#position += chunk.length;
    return ended;
  }

  /** The last value of a document of values may have no end of its own: a number, a word. */
  finish(): JsonItem[] {
    if (!this.#item?.isBare || this.#depth > 0) return [];
    return [this.#endItem(this.#position)];
  }

  #isBetweenItems(byte: number): boolean {
    if (this.#string) return false;
    if (this.#takesValues && this.#depth === 0) return true;
    if (this.#depth === this.#listDepth) return byte !== closeList;
    if (this.#isBegun || isBlank(byte)) return false;
    this.#isBegun = true;
    this.#takesValues = this.#options.takesValues === true && byte !== openList;
    return this.#takesValues;
  }

  #endItem(end: number): JsonItem {
    const { start, bytes } = this.#item as OpenItem;
    this.#item = undefined;
    this.#number += 1;
    return { number: this.#number, start, end, bytes };
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#restLength += bytes.length;
    // A copy, so that the piece it stands in can go.
    if (this.#restLength <= this.#options.mostBytes) this.#rest.push(Buffer.from(bytes));
    else this.#rest = [];
  }

  /** One byte outside of elements. */
  #step(byte: number): void {
    if (this.#string) this.#stepString(this.#string, byte);
    else if (byte === quote) {
      this.#string = { isName: this.#expectsName && this.#kinds[this.#depth] === openObject, isEscaped: false, name: '' };
    } else if (byte === openObject || byte === openList) this.#open(byte);
    else if (byte === closeObject || byte === closeList) {
      if (this.#depth === this.#listDepth) this.#listDepth = -1;
      this.#depth = Math.max(0, this.#depth - 1);
      this.#expectsName = false;
    } else if (byte === comma) this.#expectsName = true;
    else if (byte === colon) this.#expectsName = false;
  }

  #stepString(string: OpenString, byte: number): void {
    if (string.isEscaped) string.isEscaped = false;
    else if (byte === backslash) string.isEscaped = true;
    else if (byte === quote) {
      if (string.isName) this.#names[this.#depth] = string.name;
      this.#string = undefined;
      return;
    }
    if (string.isName && string.name.length < longestName) string.name += String.fromCharCode(byte);
  }

  #open(byte: number): void {
    const around = this.#depth;
    if (byte === openList && this.#options.places.some((place) => this.#isAt(place, around))) this.#listDepth = around + 1;
    this.#depth += 1;
    // Deeper than any place: only counted.
    if (this.#depth <= 8) this.#kinds[this.#depth] = byte;
    this.#names.length = Math.min(this.#names.length, this.#depth);
    this.#expectsName = byte === openObject;
  }

  #isAt(place: readonly string[], depth: number): boolean {
    if (place.length !== depth) return false;
    return place.every((name, index) => this.#kinds[index + 1] === openObject && this.#names[index + 1] === name);
  }
}

/** A string outside of elements. */
interface OpenString {
  isName: boolean;
  isEscaped: boolean;
  name: string;
}

/** An element whose end has not come yet. */
class OpenItem {
  readonly start: number;
  isOver = false;
  /** Ends with what comes after it, not with a sign of its own. */
  readonly isBare: boolean;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #pieces: Buffer[] | undefined = [];
  #length = 0;

  constructor(byte: number, start: number) {
    this.start = start;
    this.isBare = byte !== quote && byte !== openObject && byte !== openList;
  }

  get bytes(): Buffer | undefined {
    const pieces = this.#pieces;
    return pieces?.length === 1 ? pieces[0] : pieces && Buffer.concat(pieces);
  }

  add(piece: Buffer, mostBytes: number): void {
    this.#length += piece.length;
    if (this.#length > mostBytes) this.#pieces = undefined;
    else this.#pieces?.push(piece);
  }

  /** Where it ends in the piece, or the piece's end. */
  scan(chunk: Buffer, from: number): number {
    let depth = this.#depth;
    let at = from;
    while (at < chunk.length) {
      const byte = this.#isInString ? quote : (chunk[at] as number);
      if (byte === quote) {
        at = this.#endString(chunk, this.#isInString ? at : at + 1);
        this.isOver = depth === 0 && !this.isBare && !this.#isInString;
      } else if (byte === openObject || byte === openList) {
        depth += 1;
        at += 1;
      } else if (byte === closeObject || byte === closeList) {
        depth -= 1;
        if (depth < 0) return this.#endBefore(at);
        this.isOver = depth === 0 && !this.isBare;
        at += 1;
      } else if (this.isBare && depth === 0 && (byte === comma || isBlank(byte))) return this.#endBefore(at);
      else at += 1;
      if (this.isOver) return at;
    }
    this.#depth = depth;
    return at;
  }

  /** Where the string ends that goes on here, or the piece's end. Most of a document are strings: quotes are looked for, not each byte. */
  #endString(chunk: Buffer, from: number): number {
    let begin = from;
    if (this.#isEscaped && begin < chunk.length) {
      begin += 1;
      this.#isEscaped = false;
    }
    for (;;) {
      const found = chunk.indexOf(quote, begin);
      const end = found < 0 ? chunk.length : found;
      let before = end;
      while (before > begin && chunk[before - 1] === backslash) before -= 1;
      const isEscaped = (end - before) % 2 === 1;
      this.#isInString = found < 0 || isEscaped;
      if (found < 0) {
        this.#isEscaped = isEscaped;
        return end;
      }
      begin = found + 1;
      if (!isEscaped) return begin;
    }
  }

  #endBefore(at: number): number {
    this.isOver = true;
    return at;
  }
}

function isBlank(byte: number): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9;
}

/** The elements in the order they stand, in groups as they come with the pieces. */
export async function* cutItems(chunks: AsyncIterable<Buffer>, items: JsonItems): AsyncGenerator<JsonItem[]> {
  for await (const chunk of chunks) {
    const ended = items.push(chunk);
    if (ended.length > 0) yield ended;
  }
  const last = items.finish();
  if (last.length > 0) yield last;
}

/** The element's value; undefined where it is no JSON. */
export function parseItem({ bytes }: JsonItem): unknown {
  try {
    return bytes && JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
