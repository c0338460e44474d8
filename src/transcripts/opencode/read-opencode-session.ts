// Reads a session of opencode. Rows are changed in place while an answer comes, so a message is taken as a whole and once: when it is complete,
// when a later answer has begun, or when nothing has happened for an hour. Of one that is taken unfinished, what comes later is taken later.
import type { JsonObject } from '../../base/json.ts';
import { ContinuoError } from '../../model/error.ts';
import { countIn, defined, type Fields, isFields, listIn, momentIn, objectIn, parseObject, textIn, wordIn } from '../fields.ts';
import type {
  CheckpointItem,
  ReadTranscriptOptions,
  SkippedNote,
  TranscriptHeader,
  TranscriptItem,
  TranscriptSource,
} from '../transcript-format.ts';
import { isSettled, type MessagePlace, OpencodeDatabase, type StoredJson } from './opencode-database.ts';
import { EntryIds, readMessage } from './opencode-parts.ts';

const defaultMostBytes = 32 * 1024 * 1024;
/** A message with more parts than that is taken once, finished or not. */
const mostUnfinished = 500;
const messagesPerCheckpoint = 100;

export async function* readOpencodeSession(
  source: TranscriptSource,
  options: ReadTranscriptOptions = {},
): AsyncGenerator<TranscriptItem> {
  const database = await OpencodeDatabase.open(source.path, { reuse: true });
  try {
    yield* new OpencodeSession(database, source, options).items();
  } finally {
    await database.close();
  }
}

interface Message extends MessagePlace {
  info: Fields;
}

class OpencodeSession {
  readonly #database: OpencodeDatabase;
  readonly #source: TranscriptSource;
  readonly #options: ReadTranscriptOptions;
  readonly #id: string;
  readonly #ids = new EntryIds();
  #cwd: string | undefined;
  #model: string | undefined;
  #turn: string | undefined;
  #last: MessagePlace | undefined;
  /** The entries that were given of messages after the last finished one. */
  #given: Set<string>;

  constructor(database: OpencodeDatabase, source: TranscriptSource, options: ReadTranscriptOptions) {
    this.#database = database;
    this.#source = source;
    this.#options = options;
    this.#id = source.part ?? source.id;
    const from = options.from ?? {};
    const place = { at: countIn(from, 'at'), id: textIn(from, 'id') };
    const isPlace = place.at !== undefined && place.id !== undefined;
    if (isPlace && database.hasMessage(this.#id, place as MessagePlace)) this.#last = place as MessagePlace;
    const isAtBeginning = options.from !== undefined && !isPlace;
    const given = this.#last || isAtBeginning ? listIn(from, 'given').filter((id) => typeof id === 'string') : [];
    this.#given = new Set(given);
    if (this.#last) {
      this.#cwd = textIn(from, 'cwd');
      this.#model = textIn(from, 'model');
      this.#turn = textIn(from, 'turn');
    }
  }

  async *items(): AsyncGenerator<TranscriptItem> {
    const { from, signal } = this.#options;
    const isBehind = textIn(from ?? {}, 'id') !== undefined && !this.#last;
    yield { type: 'header', header: this.#readFacts(), ...(isBehind && { resumed: false }) };
    const unusable = this.#last ? 0 : this.#database.unusableMessages(this.#id);
    if (unusable > 0) yield { type: 'skipped', reason: 'broken', what: 'message row' };
    const judge = this.#createJudge();
    let given = new Set(this.#given);
    let messages = 0;
    for (const message of this.#messages()) {
      signal?.throwIfAborted();
      if (message.type === 'skipped') {
        yield message;
        continue;
      }
      const judgement = judge(message);
      if (judgement === 'unfinished') break;
      const isBefore = this.#isBefore(message);
      for (const item of this.#read(message)) {
        if (isBefore || (item.type === 'entry' && this.#given.has(item.id))) continue;
        if (item.type === 'entry' && given.size <= mostUnfinished) given.add(item.id);
        yield item;
      }
      if (isBefore) continue;
      if (judgement === 'settled' && given.size <= mostUnfinished) continue;
      this.#last = { at: message.at, id: message.id };
      given = new Set();
      messages += 1;
      if (messages % messagesPerCheckpoint === 0) yield this.#checkpoint(given);
    }
    yield this.#checkpoint(given);
  }

  #checkpoint(given: ReadonlySet<string>): CheckpointItem {
    const checkpoint = defined({ ...this.#last, cwd: this.#cwd, model: this.#model, turn: this.#turn, given: [...given] });
    return { type: 'checkpoint', checkpoint: checkpoint as JsonObject };
  }

  /** Messages of the last one's own moment come again, because their ids depend on each other. */
  *#messages(): Generator<(Message & { type: 'message' }) | SkippedNote> {
    const { mostLineBytes = defaultMostBytes } = this.#options;
    for (const { json, ...place } of this.#database.messages(this.#id, this.#last?.at ?? 0, mostLineBytes)) {
      const info = parseStored({ id: place.id, json }, 'message');
      if ('reason' in info) yield info;
      else yield { type: 'message', ...place, info: info.value };
    }
  }

  #isBefore({ at, id }: MessagePlace): boolean {
    return this.#last !== undefined && (at < this.#last.at || (at === this.#last.at && id <= this.#last.id));
  }

  *#read(message: Message): Generator<TranscriptItem> {
    const { info } = message;
    const isUser = info.role === 'user';
    this.#turn = isUser ? message.id : (wordIn(info, 'parentID') ?? this.#turn);
    const model = isUser ? undefined : wordIn(info, 'modelID');
    if (model !== undefined && model !== this.#model) {
      this.#model = model;
      yield { type: 'header', header: { model } };
    }
    const cwd = wordIn(objectIn(info, 'path'), 'cwd');
    let moved = cwd !== undefined && this.#cwd !== undefined && cwd !== this.#cwd ? cwd : undefined;
    this.#cwd = cwd ?? this.#cwd;
    for (const item of readMessage({ ...message, parts: this.#parts(message), ids: this.#ids, turnId: this.#turn })) {
      if (item.type === 'entry' && moved !== undefined) {
        item.entry.meta = { ...item.entry.meta, cwd: moved };
        moved = undefined;
      }
      yield item;
    }
  }

  *#parts({ id }: Message): Generator<Fields | SkippedNote> {
    const { mostLineBytes = defaultMostBytes } = this.#options;
    for (const stored of this.#database.parts(id, mostLineBytes)) {
      const part = parseStored(stored, 'part');
      yield 'reason' in part ? part : part.value;
    }
  }

  /** Whether a message is as it will stay. `settled`: it is not complete, but nobody seems to go on with it. */
  #createJudge(): (message: Message) => 'finished' | 'settled' | 'unfinished' {
    const lastAnswer = this.#findLastAnswer();
    return ({ at, id, info }) => {
      const isComplete = momentIn(objectIn(info, 'time'), 'completed') !== undefined || isFields(info.error);
      if (info.role === 'assistant' && isComplete) return 'finished';
      const isFollowed = lastAnswer && (lastAnswer.at > at || (lastAnswer.at === at && lastAnswer.id > id));
      if (isFollowed) return 'finished';
      return isSettled(this.#source.modifiedAt) ? 'settled' : 'unfinished';
    };
  }

  /** Where the last answer begins: everything before it is as it will stay. */
  #findLastAnswer(): MessagePlace | undefined {
    const { mostLineBytes = defaultMostBytes } = this.#options;
    for (const { at, id, json } of this.#database.latestMessages(this.#id, mostLineBytes))
      if (typeof json === 'string' && parseObject(json)?.role === 'assistant') return { at, id };
    return undefined;
  }

  #readFacts(): TranscriptHeader {
    const facts = this.#database.facts(this.#id);
    if (!facts) throw new ContinuoError('io-failed', { path: this.#source.path, reason: 'the session is no longer in it' });
    const { parent, directory: cwd, version: agentVersion, createdAt } = facts;
    this.#cwd ??= cwd;
    const isChild = parent !== undefined && parent !== this.#id;
    const callId = isChild ? this.#findCall(parent) : undefined;
    return defined({
      cwd,
      agentVersion,
      createdAt: momentIn({ createdAt }, 'createdAt'),
      parent: isChild ? { kind: 'sub-agent' as const, id: parent, ...(callId !== undefined && { callId }) } : undefined,
    }) as TranscriptHeader;
  }

  #findCall(parent: string): string | undefined {
    for (const text of this.#database.partsNaming(parent, this.#id)) {
      const part = parseObject(text) ?? {};
      const isCall = textIn(objectIn(objectIn(part, 'state'), 'metadata'), 'sessionId') === this.#id;
      if (isCall) return wordIn(part, 'callID');
    }
    return undefined;
  }
}

function parseStored({ id, json }: StoredJson, what: string): { value: Fields } | SkippedNote {
  if (json === undefined) return { type: 'skipped', reason: 'too-long', what: `${what} ${id}` };
  const value = json === null ? undefined : parseObject(json);
  return value ? { value } : { type: 'skipped', reason: 'broken', what: `${what} ${id}` };
}
