// Reads a chat of nanobot or minibot line by line. Messages have no ids: theirs are made of who said what when; what is said twice in one
// moment is counted.
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { countIn, type Fields, isFields, objectIn, textIn, wordIn } from '../fields.ts';
import type { JsonRecord } from '../json-lines.ts';
import { looseMomentIn } from '../loose-moment.ts';
import { digestOf } from '../message-digests.ts';
import { fromOpenAiMessage } from '../openai/openai-messages.ts';
import { type RecordReader, readJsonSession } from '../read-json-session.ts';
import type {
  ReadTranscriptOptions,
  TranscriptEntry,
  TranscriptHeader,
  TranscriptItem,
  TranscriptSource,
} from '../transcript-format.ts';

export function readNanobotSession(
  source: TranscriptSource,
  options: ReadTranscriptOptions = {},
): AsyncGenerator<TranscriptItem> {
  return readJsonSession(source.path, options, (state) => new NanobotSession(source.id, state));
}

/** The line about the session; undefined where it is a message. */
export function metadataIn(record: Fields): Fields | undefined {
  if (record._type === 'metadata') return record;
  return record.type === 'metadata' ? objectIn(record, 'data') : undefined;
}

class NanobotSession implements RecordReader {
  readonly #id: string;
  #isBegun: boolean;
  /** The last moment, and how often each message was said in it. */
  #moment: number;
  #said: Map<string, number>;
  /** The names of the tools called last, by call. */
  #tools: Map<string, string>;

  constructor(id: string, state: Fields) {
    this.#id = id;
    this.#isBegun = state.isBegun === true;
    this.#moment = countIn(state, 'moment') ?? 0;
    this.#said = new Map(countsIn(objectIn(state, 'said')));
    this.#tools = new Map(
      Object.entries(objectIn(state, 'tools')).filter((each): each is [string, string] => typeof each[1] === 'string'),
    );
  }

  state(): JsonObject {
    const { isBegun, moment, said, tools } = {
      isBegun: this.#isBegun,
      moment: this.#moment,
      said: this.#said,
      tools: this.#tools,
    };
    return { isBegun, moment, said: Object.fromEntries(said), tools: Object.fromEntries(tools) };
  }

  take({ value: record, line }: JsonRecord): TranscriptItem[] {
    const metadata = metadataIn(record);
    if (metadata) return this.#readMetadata(metadata, line);
    const message = record.type === 'message' && isFields(record.data) ? record.data : record;
    const entries = fromOpenAiMessage(message as JsonValue).filter(
      (entry) => entry.kind !== 'message' || entry.text.trim() !== '',
    );
    if (entries.length === 0) {
      const role = wordIn(message, 'role');
      const what = role ?? wordIn(record, 'type') ?? 'record without type';
      return [{ type: 'skipped', reason: role === undefined ? 'unknown' : 'empty', what, line }];
    }
    const at = looseMomentIn(message, 'timestamp', 'ts');
    const id = this.#name(message, at, line);
    return entries.map((entry, index) => ({
      type: 'entry',
      id: index === 0 ? id : `${id}.${index}`,
      entry: this.#complete({ ...entry, ...(at !== undefined && { at }) } as TranscriptEntry),
    }));
  }

  #readMetadata(metadata: Fields, line: number): TranscriptItem[] {
    const note: TranscriptItem = { type: 'skipped', reason: 'harness', what: 'metadata', line };
    if (this.#isBegun) return [note];
    this.#isBegun = true;
    const more = objectIn(metadata, 'metadata');
    const header: TranscriptHeader = {};
    const title = wordIn(metadata, 'title') ?? wordIn(more, 'title');
    if (title !== undefined) header.title = title;
    const createdAt = looseMomentIn(metadata, 'created_at');
    if (createdAt !== undefined) header.createdAt = createdAt;
    return [{ type: 'header', header }, note];
  }

  #name(message: Fields, at: number | undefined, line: number): string {
    const id = digestOf(this.#id, textIn(message, 'role'), at, message.content, message.tool_calls, message.tool_call_id);
    // Without a moment only the place is left to tell two of the same apart.
    if (at === undefined) return `${id}@${line}`;
    if (at !== this.#moment) this.#said.clear();
    this.#moment = at;
    const count = (this.#said.get(id) ?? 0) + 1;
    this.#said.set(id, count);
    return count === 1 ? id : `${id}~${count}`;
  }

  #complete(entry: TranscriptEntry): TranscriptEntry {
    if (entry.kind === 'tool-call') {
      this.#tools.set(entry.callId, entry.tool);
      const [oldest] = this.#tools.keys();
      if (this.#tools.size > mostTools && oldest !== undefined) this.#tools.delete(oldest);
    }
    const tool = entry.kind === 'tool-result' ? this.#tools.get(entry.callId) : undefined;
    return tool === undefined ? entry : ({ ...entry, tool } as TranscriptEntry);
  }
}

const mostTools = 32;

function countsIn(said: Fields): [string, number][] {
  return Object.keys(said).flatMap((id) => {
    const count = countIn(said, id);
    return count === undefined ? [] : [[id, count]];
  });
}
