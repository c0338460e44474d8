// Reads saved sessions: one as a whole, its messages slice by slice where they are laid out so, or only the head of many. Whatever a
// file holds, the answer is a state or a coded error.
import type { JsonObject, JsonValue } from '../base/json.ts';
import { damagedAt, type EnvelopeFail, isObject, parseDocument, parseJson } from './envelope.ts';
import { decodeText, endsWith, readBytes, readFirstLine, withFile } from './regular-file.ts';
import {
  countMessages,
  describeState,
  openDocument,
  readState,
  type SavedSessionHead,
  type SavedSessionKind,
} from './saved-session-format.ts';
import { messagesBegin, messagesEnd, savedSessionEnd } from './saved-session-writer.ts';
import { findStateFault } from './state-fault.ts';

export interface ReadSession {
  state: JsonObject;
  head: SavedSessionHead;
  /** The version the file has. */
  found: string;
  bytes: number;
  /** Tells this content of the file from every other it may get. */
  stamp: string;
}

export interface ReadHead {
  head: SavedSessionHead;
  found: string;
  bytes: number;
}

/** Told after every slice; may give others their turn. */
export type SliceRead = (messages: number, head: JsonObject) => void | Promise<void>;

export async function readSavedSession(path: string, kind: SavedSessionKind, onSlice: SliceRead): Promise<ReadSession> {
  return withFile(path, async (file, status) => {
    const bytes = await readBytes(file, status, path);
    const fail = damagedAt(path);
    const parsed =
      (await parseSlices(bytes, path, fail, onSlice).catch(() => undefined)) ?? parseDocument(decodeText(bytes, path), fail);
    const { document, head, found } = openDocument(parsed, kind, { path, modified: modifiedAt(status), fail });
    const state = readState(document, fail);
    refuseDepth(state, fail);
    return { state, head, found, bytes: bytes.length, stamp: stampOf(status) };
  });
}

/** Reads the first line and the last bytes. A file that is laid out otherwise is read as a whole, unless it is very large. */
export async function readSavedHead(path: string, kind: SavedSessionKind): Promise<ReadHead> {
  return withFile(path, async (file, status) => {
    const size = Number(status.size);
    const fail = damagedAt(path);
    const origin = { path, modified: modifiedAt(status), fail };
    const outline = parseOutline(await readFirstLine(file));
    if (outline) {
      const { head, found } = openDocument(outline, kind, origin);
      if (!(await endsWith(file, size, savedSessionEnd))) throw fail('its end is missing');
      return { head, found, bytes: size };
    }
    if (size > largestLook) return { head: unknownHead(kind, origin.modified), found: kind.version, bytes: size };
    const opened = openDocument(parseDocument(decodeText(await readBytes(file, status, path), path), fail), kind, origin);
    const state = readState(opened.document, fail);
    const summary = { messages: countMessages(state), ...describeState(state) };
    return { head: { ...opened.head, summary }, found: opened.found, bytes: size };
  });
}

export function stampOf({ ino, size, mtimeNs }: { ino: bigint; size: bigint; mtimeNs: bigint }): string {
  return `${ino}-${size}-${mtimeNs}`;
}

function modifiedAt({ mtimeMs }: { mtimeMs: bigint }): string {
  return new Date(Number(mtimeMs)).toISOString();
}

/** A list must not wait for a file that somebody has blown up. */
const largestLook = 8 * 1024 * 1024;

function unknownHead({ version, filePrefix }: SavedSessionKind, savedAt: string): SavedSessionHead {
  return { version, savedAt, filePrefix, id: undefined, summary: undefined };
}

/** The first line is the document without its state, as {@link writeState} lays it out; undefined where it is not. */
function parseOutline(line: string | undefined): JsonObject | undefined {
  if (line === undefined || !line.endsWith(',')) return undefined;
  try {
    const outline = JSON.parse(`${line.slice(0, -1)}}`) as JsonValue;
    return isObject(outline) && isObject(outline.summary) && typeof outline.version === 'string' ? outline : undefined;
  } catch {
    return undefined;
  }
}

/** What parsing the whole text would give; undefined, or an error, where that has to be asked. */
async function parseSlices(bytes: Buffer, path: string, fail: EnvelopeFail, onSlice: SliceRead): Promise<JsonObject | undefined> {
  const begin = bytes.indexOf(messagesBegin);
  if (begin < 0) return undefined;
  const first = begin + messagesBegin.length;
  const end = bytes.lastIndexOf(messagesEnd);
  if (end < first - 1) return undefined;
  // The breaks stay, so that marks inside of a text are refused as they are when the whole is parsed.
  const outline = parseDocument(`${decodeText(bytes.subarray(0, first), path)}${decodeText(bytes.subarray(end), path)}`, fail);
  const { state } = outline;
  if (state === undefined || !isObject(state) || !Array.isArray(state.messages) || state.messages.length > 0) return undefined;
  const messages: JsonValue[] = [];
  let isOver = end <= first;
  for (let from = first; from < end; ) {
    const found = bytes.indexOf(0x0a, from);
    const to = found < 0 || found > end ? end : found;
    const isLast = to === end;
    isOver = isLast;
    // A line that is not the last ends in the comma between two messages.
    const close = isLast ? to : to - 1;
    if (!isLast && bytes[close] !== 0x2c) return undefined;
    const slice = parseJson(bracket(bytes, from - 1, close, path), fail) as JsonValue[];
    if (slice.length === 0) return undefined;
    for (const message of slice) messages.push(message);
    from = to + 1;
    await onSlice(messages.length, outline);
  }
  // A comma with nothing behind it.
  if (!isOver) return undefined;
  state.messages = messages;
  return outline;
}

/** The text from the one place to the other with brackets there; without a copy of it, which would cost as much as parsing. */
function bracket(bytes: Buffer, open: number, close: number, path: string): string {
  const [before, after] = [bytes[open] as number, bytes[close] as number];
  bytes[open] = 0x5b;
  bytes[close] = 0x5d;
  try {
    return decodeText(bytes.subarray(open, close + 1), path);
  } finally {
    bytes[open] = before;
    bytes[close] = after;
  }
}

/** Whoever gets the state may walk it by recursion. */
function refuseDepth(state: JsonObject, fail: EnvelopeFail): void {
  const refuse = (value: JsonValue) => {
    const fault = findStateFault(value, { size: 0, values: 0, converts: false });
    if (fault) throw fail(fault.reason);
  };
  const { messages, ...rest } = state;
  refuse(rest);
  if (Array.isArray(messages)) for (const message of messages) refuse(message);
}
