// A state becomes the text of a saved session: checked, masked and laid out in pieces, so that a long session neither holds up the
// program nor stands in memory twice. The first line is the head; every line of messages holds a slice of them.
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
  /** What lists show of it; it sees a masked state with one message of the human, the first. */
  describe?: (state: JsonObject) => Omit<SavedSessionSummary, 'messages'>;
}

export interface WrittenState {
  /** May be walked once. Throws `session-state-unfit` where a message cannot be kept. */
  pieces: Generator<Uint8Array, void, void>;
  messages: number;
  /** So far. */
  progress: { messages: number; masked: number; bytes: number };
}

/** Between these two marks stand the messages; no JSON text has such a break in it. */
export const messagesBegin = '"messages":[\n';
export const messagesEnd = '\n]';
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
  const { value, masked } = cleanValue(plain, writing);
  const rest = value as JsonObject;
  const summary = {
    messages: list.length,
    ...(writing.describe ?? describeState)({ ...rest, messages: firstOfHuman(list, writing) }),
  };
  const [before, after] = layOut(writing.head, summary, rest, messages !== undefined);
  const progress = { messages: 0, masked, bytes: 0 };

  function* writePieces(): Generator<Uint8Array, void, void> {
    yield count(Buffer.from(before));
    for (let from = 0; from < list.length; ) {
      const end = takeSlice(list, from);
      const cleaned = cleanValue(list.slice(from, end), writing);
      progress.masked += cleaned.masked;
      progress.messages = end;
      // Without the brackets of the slice.
      yield count(Buffer.from(`${from === 0 ? '' : ',\n'}${cleaned.json.slice(1, -1)}`));
      from = end;
    }
    yield count(Buffer.from(after));
  }

  function count(piece: Uint8Array): Uint8Array {
    progress.bytes += piece.length;
    if (progress.bytes > largestFile) throw unfit('', 'it is larger than 256 MB');
    return piece;
  }

  return { pieces: writePieces(), messages: list.length, progress };
}

interface Cleaned {
  value: JsonValue;
  json: string;
  masked: number;
}

/** Known secrets go first: what the rules would leave of one is still a part of it. */
function cleanValue(value: JsonValue, { redactor, exact }: StateWriting): Cleaned {
  let current = value;
  let json: string | undefined;
  let masked = 0;
  if (exact) {
    json = JSON.stringify(current);
    if (exact.mayStandIn(json)) {
      const found = exact.mask(current);
      if (found.masked > 0) json = undefined;
      masked += found.masked;
      current = found.value;
    }
  }
  const redacted = redactor.redactJson(current);
  if (redacted.masked > 0) json = undefined;
  return { value: redacted.value, json: json ?? JSON.stringify(redacted.value), masked: masked + redacted.masked };
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
  return [cleanValue(toPlain(list[first], `messages[${first}]`, createMeasure()), writing).value];
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
