// The messages of Gemini CLI as entries. A message comes again and again, with its calls, with their results, in whole lists: only what was
// not said before is given. Each piece has an id of its own, by which it is known however often it comes.
import { hash } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { countIn, defined, type Fields, isFields, jsonIn, listIn, momentIn, objectIn, textIn, wordIn } from '../fields.ts';
import type { SkipReason, TranscriptEntry, TranscriptItem } from '../transcript-format.ts';
import { partsOf, responseIn, type ToolResponse, wordsOf } from './gemini-parts.ts';

/** Pieces that are remembered between two readings; older ones are found in the file again. */
const mostRecent = 120;
/** What the program answers itself after it has compressed a conversation. */
export const acknowledgement = 'Got it. Thanks for the additional context!';
const failedExit = /^Exit Code: (?!0$)-?\d+$/m;
const lastLines = 400;

export class GeminiMessages {
  #seen: Set<string>;
  /** The last of them, in order; up to twice as many as are remembered. */
  #recent: string[];
  /** The moment of the newest message: what is not newer may have been there before. */
  #newest: number;
  #turn: string | undefined;
  #items: TranscriptItem[] = [];
  #line = 0;

  constructor(state: Fields) {
    this.#recent = listIn(state, 'recent').filter((id) => typeof id === 'string');
    this.#seen = new Set(this.#recent);
    this.#newest = countIn(state, 'newest') ?? 0;
    this.#turn = textIn(state, 'turn');
  }

  state(): JsonObject {
    const recent = this.#recent.slice(-mostRecent);
    return defined({ recent, newest: this.#newest, turn: this.#turn }) as JsonObject;
  }

  /** Whether it cannot be told from what is remembered if this was said before. */
  isDoubtful(message: Fields): boolean {
    if (this.#seen.has(`m:${textIn(message, 'id')}`)) return false;
    const at = momentIn(message, 'timestamp');
    if (at === undefined || at <= this.#newest) return true;
    const responses = partsOf(message.content).map(responseIn);
    return responses.some((response) => response !== undefined && !this.#seen.has(`result:${response.callId}`));
  }

  /** Takes over what was said before. */
  addPast(past: GeminiMessages): void {
    this.#seen = new Set([...past.#seen, ...this.#seen]);
  }

  /** What is new in a message. In a list the words of known messages are what is left of them for the model, not what was said. */
  read(message: Fields, line: number, isListed: boolean): TranscriptItem[] {
    this.#items = [];
    this.#line = line;
    const id = textIn(message, 'id') ?? '';
    const type = textIn(message, 'type') ?? '';
    const at = momentIn(message, 'timestamp');
    if (at !== undefined) this.#newest = Math.max(this.#newest, at);
    const isKnown = this.#seen.has(`m:${id}`);
    if (!isKnown) this.#remember(`m:${id}`);
    if (type === 'user') this.#readUser(message, id, at, isListed && isKnown);
    else if (type === 'gemini') this.#readAnswer(message, id, at, isListed && isKnown);
    else {
      const isHarness = type === 'info' || type === 'error' || type === 'warning';
      this.#skip(isHarness ? 'harness' : 'unknown', type || 'message without type');
    }
    if (this.#items.length === 0) this.#skip('repeat', type);
    return this.#items;
  }

  #readUser(message: Fields, id: string, at: number | undefined, isLeft: boolean): void {
    const parts = partsOf(message.content);
    for (const part of parts) {
      const response = responseIn(part);
      if (response) this.#addResult(response, at);
    }
    const text = wordsOf(partsOf(message.displayContent)) || wordsOf(parts);
    if (text.trim() === '') {
      if (parts.length === 0) this.#skip('empty', 'user');
      return;
    }
    const noise = noiseIn(text);
    const textId = noise === undefined ? this.#textId(id, text, isLeft) : undefined;
    if (noise !== undefined) this.#skip('harness', noise);
    else if (textId !== undefined && isSnapshot(text)) this.#add(textId, at, { kind: 'summary', text: openSnapshot(text) });
    else if (textId !== undefined) {
      this.#turn = textId;
      this.#add(textId, at, { kind: 'message', role: 'user', text });
    }
  }

  #readAnswer(message: Fields, id: string, at: number | undefined, isLeft: boolean): void {
    const model = wordIn(message, 'model');
    const parts = partsOf(message.content);
    const before = this.#items.length;
    let index = 0;
    for (const { text, moment } of thoughtsIn(message, parts)) {
      const thoughtId = `${id}.thought${index === 0 ? '' : `-${index}`}`;
      index += 1;
      if (this.#isNew(thoughtId)) this.#add(thoughtId, moment ?? at, { kind: 'thinking', text, ...(model && { model }) });
    }
    const text = wordsOf(parts);
    if (text === acknowledgement && model === undefined) this.#skip('harness', 'gemini/acknowledgement');
    else if (text.trim() !== '') {
      const textId = this.#textId(id, text, isLeft);
      if (textId !== undefined) this.#add(textId, at, { kind: 'message', role: 'assistant', text, ...(model && { model }) });
    }
    this.#readCalls(message, id, parts, at);
    this.#count(message, id, before);
  }

  #readCalls(message: Fields, id: string, parts: readonly Fields[], at: number | undefined): void {
    const recorded = listIn(message, 'toolCalls').filter(isFields);
    const said = parts.map((part) => part.functionCall).filter(isFields);
    const idOf = (call: Fields, index: number) => wordIn(call, 'id') ?? `${id}.${index}`;
    for (const calls of [recorded, said]) for (const [index, call] of calls.entries()) this.#addCall(call, idOf(call, index), at);
    for (const [index, call] of recorded.entries()) {
      const response = resultOf(call, idOf(call, index));
      if (response) this.#addResult(response, momentIn(call, 'timestamp') ?? at);
    }
  }

  #addCall(call: Fields, callId: string, at: number | undefined): void {
    if (!this.#isNew(`call:${callId}`)) return;
    const input: JsonValue = jsonIn(call, 'args') ?? {};
    this.#add(`call:${callId}`, at, { kind: 'tool-call', callId, tool: wordIn(call, 'name') ?? 'unknown', input });
  }

  #addResult({ callId, tool, text, isFailed }: ToolResponse, at: number | undefined): void {
    if (!this.#isNew(`result:${callId}`)) return;
    const hasFailed = isFailed || failedExit.test(text.slice(-lastLines));
    const more = { ...(tool !== undefined && { tool }), ...(hasFailed && { failed: true }) };
    this.#add(`result:${callId}`, at, { kind: 'tool-result', callId, text, ...more });
  }

  /** What the answer cost, with the first of its entries. */
  #count(message: Fields, id: string, before: number): void {
    const first = this.#items[before];
    const tokens = objectIn(message, 'tokens');
    const inputTokens = countIn(tokens, 'input') ?? 0;
    const outputTokens = (countIn(tokens, 'output') ?? 0) + (countIn(tokens, 'thoughts') ?? 0);
    if (first?.type !== 'entry' || inputTokens + outputTokens === 0 || !this.#isNew(`u:${id}`)) return;
    this.#remember(`u:${id}`);
    const usage = { inputTokens, outputTokens, cachedTokens: countIn(tokens, 'cached') ?? 0 };
    if (first.entry.kind === 'message') first.entry.usage = usage;
    else first.entry.meta = { usage };
  }

  /** The id of a message's words; another one where a later line says it differently, undefined where it was said. */
  #textId(id: string, text: string, isLeft: boolean): string | undefined {
    const version = `${id}~${hash('sha256', text).slice(0, 8)}`;
    if (!this.#isNew(version)) return undefined;
    const isFirst = this.#isNew(`t:${id}`);
    if (!isFirst && isLeft) return undefined;
    if (isFirst) this.#remember(`t:${id}`);
    this.#remember(version);
    return isFirst ? id : version;
  }

  #remember(id: string): void {
    this.#seen.add(id);
    this.#recent.push(id);
    if (this.#recent.length > 2 * mostRecent) this.#recent = this.#recent.slice(-mostRecent);
  }

  #isNew(id: string): boolean {
    return !this.#seen.has(id);
  }

  #add(id: string, at: number | undefined, entry: TranscriptEntry): void {
    this.#remember(id);
    if (at !== undefined) entry.at = at;
    if (this.#turn !== undefined) entry.turnId = this.#turn;
    this.#items.push({ type: 'entry', id, entry });
  }

  #skip(reason: SkipReason, what: string): void {
    this.#items.push({ type: 'skipped', reason, what, line: this.#line });
  }
}

/** What the program says in the name of the user. */
export function noiseIn(text: string): string | undefined {
  const start = text.trimStart();
  if (start.startsWith('<session_context>')) return 'user/session_context';
  if (start.startsWith('<hook_context>')) return 'user/hook_context';
  // A command without words of the user's own is a key that was pressed.
  return /^[/?][\w-]*\s*$/.test(start) ? 'user/command' : undefined;
}

/** A conversation that was compressed goes on with a summary in the user's name. */
export function isSnapshot(text: string): boolean {
  return text.trimStart().startsWith('<') && text.includes('<state_snapshot>');
}

/** A summary without its wrapping, where it is nothing but that. */
export function openSnapshot(text: string): string {
  return /^\s*<state_snapshot>\n?([\s\S]*?)\n?<\/state_snapshot>\s*$/.exec(text)?.[1] ?? text;
}

function* thoughtsIn(message: Fields, parts: readonly Fields[]): Generator<{ text: string; moment: number | undefined }> {
  const recorded = listIn(message, 'thoughts').filter(isFields);
  for (const thought of recorded) {
    const subject = wordIn(thought, 'subject');
    const description = textIn(thought, 'description') ?? '';
    const text = subject === undefined ? description : `**${subject}** ${description}`.trim();
    if (text.trim() !== '') yield { text, moment: momentIn(thought, 'timestamp') };
  }
  if (recorded.length > 0) return;
  for (const part of parts) {
    const text = part.thought === true ? wordIn(part, 'text') : undefined;
    if (text !== undefined) yield { text, moment: undefined };
  }
}

/** The result beside a call; undefined while there is none. */
function resultOf(call: Fields, callId: string): ToolResponse | undefined {
  const status = textIn(call, 'status');
  const isOver = status === 'error' || status === 'cancelled';
  const responses = partsOf(call.result)
    .map(responseIn)
    .filter((response) => response !== undefined);
  const response = responses.find((each) => each.callId === callId) ?? responses[0];
  if (response) return { ...response, callId, isFailed: response.isFailed || isOver };
  return isOver ? { callId, tool: wordIn(call, 'name'), text: textIn(call, 'resultDisplay') ?? '', isFailed: true } : undefined;
}
