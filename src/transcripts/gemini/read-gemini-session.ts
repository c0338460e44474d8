// Reads a session of Gemini CLI. Its file is a log of events: a message that comes again replaces the earlier one, `$set` replaces the whole
// list or facts about the session, `$rewindTo` takes messages back. Kept is everything that was ever said; that something was taken back
// is an event. Sessions of older versions are one JSON document.
import type { JsonObject } from '../../base/json.ts';
import { defined, type Fields, isFields, listIn, momentIn, parseObject, textIn, wordIn } from '../fields.ts';
import { JsonLines, type JsonRecord } from '../json-lines.ts';
import { type RecordReader, readJsonSession } from '../read-json-session.ts';
import { readWholeText } from '../session-bytes.ts';
import type { ReadTranscriptOptions, TranscriptHeader, TranscriptItem, TranscriptSource } from '../transcript-format.ts';
import { GeminiMessages } from './gemini-messages.ts';
import { partsOf, wordsOf } from './gemini-parts.ts';
import { findProjectRoot } from './gemini-project.ts';

const mostDocumentBytes = 32 * 1024 * 1024;

export function readGeminiSession(source: TranscriptSource, options: ReadTranscriptOptions = {}): AsyncGenerator<TranscriptItem> {
  const { path, id } = source;
  const parent = id.includes('/') ? { kind: 'sub-agent' as const, id: id.slice(0, id.indexOf('/')) } : undefined;
  const header = async () => defined({ cwd: await findProjectRoot(path), parent }) as TranscriptHeader;
  if (path.endsWith('.json')) return readDocument(path, options, header);
  return readJsonSession(
    path,
    { ...options, header },
    (state, { cwd }) => new GeminiSession(path, options, state, cwd !== undefined),
  );
}

class GeminiSession implements RecordReader {
  readonly #path: string;
  readonly #options: ReadTranscriptOptions;
  readonly #messages: GeminiMessages;
  #model: string | undefined;
  #isBegun: boolean;
  #knowsFolder: boolean;
  /** Whether everything that was said before is known, not only the last of it. */
  #isWhole: boolean;

  constructor(path: string, options: ReadTranscriptOptions, state: Fields, knowsFolder: boolean) {
    this.#path = path;
    this.#options = options;
    this.#messages = new GeminiMessages(state);
    this.#model = textIn(state, 'model');
    this.#isBegun = state.isBegun === true;
    this.#knowsFolder = knowsFolder || state.knowsFolder === true;
    this.#isWhole = !('newest' in state);
  }

  state(): JsonObject {
    const own = { model: this.#model, isBegun: this.#isBegun, knowsFolder: this.#knowsFolder };
    return defined({ ...this.#messages.state(), ...own }) as JsonObject;
  }

  take(record: JsonRecord): TranscriptItem[] | Promise<TranscriptItem[]> {
    if (this.#isWhole || !messagesIn(record.value).some((message) => this.#messages.isDoubtful(message)))
      return this.#read(record);
    return this.#readPast().then(() => this.#read(record));
  }

  #read({ line, value: record }: JsonRecord): TranscriptItem[] {
    const to = textIn(record, '$rewindTo');
    if (to !== undefined) {
      const at = momentIn(record, 'timestamp');
      const entry = {
        kind: 'event',
        name: 'conversation-rewind',
        text: '',
        meta: { to },
        ...(at !== undefined && { at }),
      } as const;
      return [{ type: 'entry', id: `rewind:${line}`, entry }];
    }
    const items: TranscriptItem[] = [];
    const isMessage = typeof record.id === 'string';
    if (!isMessage) this.#readFacts(isFields(record.$set) ? record.$set : record, items);
    for (const message of messagesIn(record)) {
      this.#readModel(message, items);
      for (const item of this.#messages.read(message, line, !isMessage)) items.push(item);
    }
    if (items.length > 0) return items;
    const isKnown = isFields(record.$set) || 'sessionId' in record;
    return [{ type: 'skipped', reason: isKnown ? 'harness' : 'unknown', what: isKnown ? '$set' : 'record without type', line }];
  }

  #readFacts(facts: Fields, items: TranscriptItem[]): void {
    const header: TranscriptHeader = {};
    const title = wordIn(facts, 'summary');
    if (title !== undefined) header.title = title;
    const createdAt = this.#isBegun ? undefined : momentIn(facts, 'startTime');
    if (createdAt !== undefined) {
      header.createdAt = createdAt;
      this.#isBegun = true;
    }
    if (Object.keys(header).length > 0) items.push({ type: 'header', header });
  }

  #readModel(message: Fields, items: TranscriptItem[]): void {
    const header: TranscriptHeader = {};
    const model = wordIn(message, 'model');
    if (model !== undefined && model !== this.#model) header.model = this.#model = model;
    const cwd = this.#knowsFolder || message.type !== 'user' ? undefined : folderIn(wordsOf(partsOf(message.content)));
    if (cwd !== undefined) {
      header.cwd = cwd;
      this.#knowsFolder = true;
    }
    if (Object.keys(header).length > 0) items.push({ type: 'header', header });
  }

  /** Goes through what was read the last time, for what was said there. */
  async #readPast(): Promise<void> {
    const { from, ...options } = this.#options;
    const last = typeof from?.line === 'number' ? from.line : 0;
    const lines = await JsonLines.open(this.#path, options);
    const past = new GeminiSession(this.#path, options, {}, true);
    try {
      reading: for await (const group of lines.groups()) {
        for (const each of group) {
          if ((each.line ?? 0) > last) break reading;
          if (each.type === 'record') past.#read(each);
        }
      }
    } finally {
      await lines.close();
    }
    this.#messages.addPast(past.#messages);
    this.#isWhole = true;
  }
}

/** The messages of a record: itself, or the list it holds. */
function messagesIn(record: Fields): readonly Fields[] {
  if (typeof record.$rewindTo === 'string') return [];
  if (typeof record.id === 'string') return [record];
  const holder = isFields(record.$set) ? record.$set : record;
  return listIn(holder, 'messages').filter((message): message is Fields => isFields(message) && typeof message.id === 'string');
}

/** The folder that is named in the context the program tells the model first. */
function folderIn(text: string): string | undefined {
  if (!text.startsWith('<session_context>')) return undefined;
  return /\n- \*\*Workspace Directories:\*\*\n {2}- ([^\n]+)/.exec(text)?.[1]?.trim() || undefined;
}

/** A session that is one document is read from its beginning whenever it has changed. */
async function* readDocument(
  path: string,
  options: ReadTranscriptOptions,
  findHeader: () => Promise<TranscriptHeader>,
): AsyncGenerator<TranscriptItem> {
  const header = await findHeader();
  const text = await readWholeText(path, options.mostLineBytes ?? mostDocumentBytes, options.signal);
  yield { type: 'header', header, ...(options.from && { resumed: false }) };
  const document = text === undefined ? undefined : parseObject(text);
  if (document) {
    const session = new GeminiSession(path, {}, {}, header.cwd !== undefined);
    const { messages: _messages, ...facts } = document;
    for (const value of [facts, ...messagesIn(document)])
      yield* session.take({ type: 'record', line: 1, value }) as TranscriptItem[];
  } else {
    const what = text === undefined ? 'document' : 'not JSON';
    yield { type: 'skipped', reason: text === undefined ? 'too-long' : 'broken', what, path };
  }
  yield { type: 'checkpoint', checkpoint: { document: true } };
}
