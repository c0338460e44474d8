// A list of messages in the form of OpenAI's chat completions as the items of a session. Messages have no ids; theirs are made of what they
// say, told apart between sessions by how the talk begins: everything up to the first message that is no instruction.
import type { JsonValue } from '../../base/json.ts';
import type { NewEntry } from '../../model/entry.ts';
import { type Fields, isFields, wordIn } from '../fields.ts';
import { looseMomentIn } from '../loose-moment.ts';
import { digestOf, MessageDigests } from '../message-digests.ts';
import { readFirstMessages } from '../read-document.ts';
import type { TranscriptItem } from '../transcript-format.ts';
import { fromOpenAiMessage } from './openai-messages.ts';

const shortSeed = 8;

/** Whether a talk has begun with it: instructions are the same in many. */
function isSaid(message: unknown): boolean {
  return isFields(message) && message.role !== 'system' && message.role !== 'developer';
}

/** What tells the talk in a file from others: the same however it grows. */
export async function findSeed(path: string, places: readonly (readonly string[])[]): Promise<string> {
  const beginning: unknown[] = [];
  await readFirstMessages(path, places, (message) => {
    beginning.push(message);
    return isSaid(message);
  });
  return digestOf(beginning).slice(0, shortSeed);
}

export class MessageTalk {
  #beginning: unknown[] = [];
  #digests: MessageDigests | undefined;
  readonly #tools = new Map<string, string>();
  #model: string | undefined;

  constructor(model?: string) {
    this.#model = model;
  }

  take(message: unknown): TranscriptItem[] {
    if (this.#digests) return this.#translate(message, this.#digests);
    this.#beginning.push(message);
    if (!isSaid(message)) return [];
    const digests = new MessageDigests(digestOf(this.#beginning));
    this.#digests = digests;
    return this.#beginning.flatMap((each) => this.#translate(each, digests));
  }

  /** Instructions that nobody said anything after. */
  end(): TranscriptItem[] {
    if (this.#digests) return [];
    return this.#beginning.map(() => ({ type: 'skipped', reason: 'empty', what: 'instructions without a talk' }));
  }

  #translate(message: unknown, digests: MessageDigests): TranscriptItem[] {
    if (!isFields(message)) return [{ type: 'skipped', reason: 'broken', what: 'not an object' }];
    const id = digests.next(message);
    const entries = fromOpenAiMessage(message as JsonValue);
    const thinking = readThinking(message);
    if (thinking) entries.unshift(thinking);
    const at = looseMomentIn(message, 'timestamp', 'created_at', 'create_time');
    const model = wordIn(message, 'model') ?? this.#model;
    const items: TranscriptItem[] = [];
    for (const entry of entries) {
      if (entry.kind === 'message' && entry.text.trim() === '') continue;
      if (at !== undefined) entry.at = at;
      const itemId = items.length === 0 ? id : `${id}.${items.length}`;
      items.push({ type: 'entry', id: itemId, entry: this.#complete(entry, model) });
    }
    if (items.length > 0) return items;
    const role = wordIn(message, 'role');
    return [{ type: 'skipped', reason: entries.length > 0 ? 'empty' : 'unknown', what: role ?? 'message without role' }];
  }

  /** With the model of answers and the tool's name of results. */
  #complete(entry: NewEntry, model: string | undefined): Exclude<NewEntry, { kind: 'summary' }> {
    if (entry.kind === 'tool-call') this.#tools.set(entry.callId, entry.tool);
    if (entry.kind === 'message' && entry.role === 'assistant' && model !== undefined) entry.model = model;
    const tool = entry.kind === 'tool-result' ? this.#tools.get(entry.callId) : undefined;
    if (entry.kind === 'tool-result' && tool !== undefined) entry.tool = tool;
    return entry as Exclude<NewEntry, { kind: 'summary' }>;
  }
}

/** Several servers give what the model thought beside its answer. */
function readThinking(message: Fields): NewEntry | undefined {
  const text = message.role === 'assistant' ? (wordIn(message, 'reasoning_content') ?? wordIn(message, 'reasoning')) : undefined;
  return text === undefined ? undefined : { kind: 'thinking', text };
}
