// A state becomes the text of a saved session: checked, masked and laid out in pieces, so that a long session neither holds up the
// program nor stands in memory twice. The first line is the head; every line of messages holds a slice of them.
import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { ContinuoError } from '../model/error.ts';
import type { Redactor } from '../model/ports/redactor.ts';
import { isObject, largestFile } from './envelope.ts';
import type { ExactSecrets } from './exact-secrets.ts';
import { describeState, isFromHuman, type SavedSessionHead, type SavedSessionSummary } from './saved-session-format.ts';
import { reasonOf } from './session-notice.ts';
import { findStateFault, type StateMeasure } from './state-fault.ts';

export interface StateWriting {
  head: Pick<SavedSessionHead, 'version' | 'savedAt' | 'filePrefix' | 'id'>;
  redactor: Redactor;
  exact: ExactSecrets | undefined;
  /** What was found clean, or what it became, when the same messages were saved before. By a hash of their text. */
  memory: SliceMemory;
  /** What lists show of it; it sees a masked state with one message of the human, the first. */
  describe?: (state: JsonObject) => Omit<SavedSessionSummary, 'messages'>;
}

export type SliceMemory = ReadonlyMap<string, CleanSlice>;

interface CleanSlice {
  masked: number;
  /** Undefined where nothing was masked. */
  json: string | undefined;
}

export interface WrittenState {
  /** May be walked once. Throws `session-state-unfit` where a message cannot be kept. */
  pieces: Generator<Uint8Array, void, void>;
  messages: number;
  /** So far. */
  progress: { messages: number; masked: number; bytes: number };
  /** For the next save, once all pieces were taken. */
  memory: SliceMemory;
}

/** Between these two marks stand the messages; no JSON text has such a break in it. */
export const messagesBegin = '"messages":[\n';
export const messagesEnd = '\n]';
const lineBreak = 0x0a;
const comma = 0x2c;
export const savedSessionEnd = '}}\n';
const sliceMessages = 256;
const sliceSize = 512 * 1024;

/** Everything but the messages is taken now; of those, the list is, and each of them when its turn comes. */
export function writeState(state: JsonObject, writing: StateWriting): WrittenState {
  if (!isObject(state)) throw unfit('', 'it is not an object');
  const { messages } = state;
  if (messages !== undefined && !Array.isArray(messages)) throw unfit('messages', 'it is not a list');
  const list = messages === undefined ? [] : [...messages];
  // The key stays where it was: an order that changes with every save makes files hard to compare.
  const plain = toPlain({ ...state, ...(messages === undefined ? {} : { messages: [] }) }, '', createMeasure());
  const { value, masked } = maskValue(plain, writing);
  const rest = value as JsonObject;
  const summary = {
    messages: list.length,
    ...(writing.describe ?? describeState)({ ...rest, messages: firstOfHuman(list, writing) }),
  };
  const [before, after] = layOut(writing.head, summary, rest, messages !== undefined);
  const progress = { messages: 0, masked, bytes: 0 };
  const memory = new Map<string, CleanSlice>();

  function* writePieces(): Generator<Uint8Array, void, void> {
    // Every slice brings its breaks along.
    yield count(Buffer.from(list.length === 0 ? before : before.slice(0, -1)));
    for (let from = 0; from < list.length; ) {
      const end = takeSlice(list, from);
      const piece = writeSlice(list.slice(from, end), end === list.length);
      progress.messages = end;
      from = end;
      yield count(piece);
    }
    yield count(Buffer.from(list.length === 0 ? after : after.slice(1)));
  }

  function writeSlice(slice: JsonValue[], isLast: boolean): Uint8Array {
    const json = JSON.stringify(slice);
    const bytes = encodeSlice(json, isLast);
    const hash = createHash('sha256').update(bytes.subarray(0, -1)).digest('base64');
    const known = writing.memory.get(hash) ?? maskSlice(slice, json, writing);
    memory.set(hash, known);
    progress.masked += known.masked;
    return known.json === undefined ? bytes : encodeSlice(known.json, isLast);
  }

  function count(piece: Uint8Array): Uint8Array {
    progress.bytes += piece.length;
    if (progress.bytes > largestFile) throw unfit('', 'it is larger than 256 MB');
    return piece;
  }

  return { pieces: writePieces(), messages: list.length, progress, memory };
}

/** With a break in place of the bracket that opens, and of the one that closes a comma, or a break where it is the last. */
function encodeSlice(json: string, isLast: boolean): Uint8Array {
  const bytes = Buffer.from(json);
  bytes[0] = lineBreak;
  bytes[bytes.length - 1] = isLast ? lineBreak : comma;
  return bytes;
}

function maskSlice(slice: JsonValue[], json: string, writing: StateWriting): CleanSlice {
  const { value, masked } = maskValue(slice, writing, json);
  return { masked, json: masked === 0 ? undefined : JSON.stringify(value) };
}

/** Known secrets go first: what the rules would leave of one is still a part of it. */
function maskValue(value: JsonValue, { redactor, exact }: StateWriting, json?: string): { value: JsonValue; masked: number } {
  const found = exact?.mayStandIn(json ?? JSON.stringify(value)) ? exact.mask(value) : { value, masked: 0 };
  const redacted = redactor.redactJson(found.value);
  return { value: redacted.value, masked: found.masked + redacted.masked };
}

function layOut(
  { version, savedAt, filePrefix, id }: StateWriting['head'],
  summary: SavedSessionSummary,
  rest: JsonObject,
  hasMessages: boolean,
): [string, string] {
  const head = JSON.stringify({ version, saved_at: savedAt, file_prefix: filePrefix, id, summary });
  const fields = Object.keys(rest).filter((key) => rest[key] !== undefined);
  const at = hasMessages ? fields.indexOf('messages') : fields.length;
  const write = (keys: string[]) => keys.map((key) => `${JSON.stringify(key)}:${JSON.stringify(rest[key])}`);
  const begin = `${head.slice(0, -1)},\n"state":{`;
  if (!hasMessages) return [begin + write(fields).join(','), savedSessionEnd];
  const before = write(fields.slice(0, at)).map((field) => `${field},`);
  const after = write(fields.slice(at + 1)).map((field) => `,${field}`);
  return [begin + before.join('') + messagesBegin, messagesEnd + after.join('') + savedSessionEnd];
}

function firstOfHuman(list: readonly JsonValue[], writing: StateWriting): JsonValue[] {
  const first = list.findIndex(isFromHuman);
  if (first < 0) return [];
  return [maskValue(toPlain(list[first], `messages[${first}]`, createMeasure()), writing).value];
}

/** Makes the messages of the next slice plain data; it ends early where they are large. */
function takeSlice(list: JsonValue[], from: number): number {
  const measure = createMeasure();
  let end = from;
  while (end < list.length && end - from < sliceMessages && measure.size < sliceSize) {
    measure.values = 0;
    list[end] = toPlain(list[end], `messages[${end}]`, measure);
    end += 1;
  }
  return end;
}

/** What an object makes of itself counts, and is looked at in its turn. Throws `session-state-unfit`. */
function toPlain(value: unknown, place: string, measure: StateMeasure): JsonValue {
  const fault = findStateFault(value, measure);
  if (fault) throw unfit(place + fault.place, fault.reason);
  if (!measure.converts) return value as JsonValue;
  measure.converts = false;
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch (error) {
    throw unfit(place, reasonOf(error), error);
  }
  if (json === undefined) throw unfit(place, 'undefined is not a JSON value');
  return toPlain(JSON.parse(json), place, measure);
}

function createMeasure(): StateMeasure {
  return { size: 0, values: 0, converts: false };
}

function unfit(place: string, reason: string, cause?: unknown): ContinuoError {
  return new ContinuoError('session-state-unfit', { place: place.replace(/^\./, '') || 'state', reason }, { cause });
}
