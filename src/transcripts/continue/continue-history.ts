// One item of a Continue history as entries: what was said, the calls asked for, and what came of them.
import type { JsonValue } from '../../base/json.ts';
import { countIn, type Fields, isFields, jsonIn, jsonText, listIn, objectIn, parseObject, textIn, wordIn } from '../fields.ts';
import type { SkipReason, TranscriptEntry } from '../transcript-format.ts';

export type Said = { entry: TranscriptEntry; mark: string } | { reason: SkipReason; what: string };

const mostResult = 4 * 1024 * 1024;

/** `answered` are the calls whose results are told already; added to. */
export function readHistoryItem(item: Fields, answered: Set<string>): { said: Said[]; model: string | undefined } {
  const message = objectIn(item, 'message');
  const used = objectIn(message, 'usage');
  const model = wordIn(used, 'model');
  const said = readMessage(item, message, { model, answered });
  const first = said.find((each) => 'entry' in each);
  const usage = readUsage(used);
  if (usage && first && 'entry' in first) {
    if (first.entry.kind === 'message') first.entry.usage = usage;
    else first.entry.meta = { ...first.entry.meta, usage };
  }
  const summary = wordIn(item, 'conversationSummary');
  if (summary !== undefined) said.push({ entry: { kind: 'summary', text: summary }, mark: `summary ${summary}` });
  return { said, model };
}

interface Context {
  model: string | undefined;
  answered: Set<string>;
}

function readMessage(item: Fields, message: Fields, context: Context): Said[] {
  const { model } = context;
  const role = textIn(message, 'role') ?? '';
  const text = readContent(message.content);
  if (role === 'user')
    return text.trim() === '' ? [empty(role)] : [{ entry: { kind: 'message', role, text }, mark: `user ${text}` }];
  if (role === 'thinking') return text.trim() === '' ? [empty(role)] : [readThought(text, model)];
  if (role === 'assistant') return readAnswer(item, message, text, context);
  if (role === 'tool') return readToolMessage(message, text, context.answered);
  return [{ reason: role === 'system' ? 'harness' : 'unknown', what: role || 'message without role' }];
}

function readAnswer(item: Fields, message: Fields, text: string, { model, answered }: Context): Said[] {
  const said: Said[] = [];
  const thought = textIn(objectIn(item, 'reasoning'), 'text') ?? '';
  if (thought.trim() !== '') said.push(readThought(thought, model));
  if (text.trim() !== '')
    said.push({
      entry: { kind: 'message', role: 'assistant', text, ...(model !== undefined && { model }) },
      mark: `assistant ${text}`,
    });
  const calls = listIn(message, 'toolCalls').filter(isFields);
  said.push(...calls.map(readCall));
  const tools = new Map(calls.map((call) => [wordIn(call, 'id') ?? '', nameOf(call)]));
  for (const state of listIn(item, 'toolCallStates').filter(isFields)) said.push(...readResult(state, tools, answered));
  return said.length > 0 ? said : [empty('assistant')];
}

function readThought(text: string, model: string | undefined): Said {
  return { entry: { kind: 'thinking', text, ...(model !== undefined && { model }) }, mark: `thinking ${text}` };
}

function readCall(call: Fields): Said {
  const callId = wordIn(call, 'id') ?? '';
  const input = readInput(objectIn(call, 'function'));
  return {
    entry: { kind: 'tool-call', callId, tool: nameOf(call), input },
    mark: `call ${callId === '' ? jsonText(input, mostResult) : callId}`,
  };
}

/** What a tool said stands with the call in the answer before it, where it is there at all. */
function readToolMessage(message: Fields, text: string, answered: Set<string>): Said[] {
  const callId = wordIn(message, 'toolCallId') ?? '';
  if (answered.has(callId)) return [{ reason: 'repeat', what: 'tool' }];
  answered.add(callId);
  return [{ entry: { kind: 'tool-result', callId, text }, mark: `result ${callId}` }];
}

function readResult(state: Fields, tools: ReadonlyMap<string, string>, answered: Set<string>): Said[] {
  const callId = wordIn(state, 'toolCallId') ?? wordIn(objectIn(state, 'toolCall'), 'id') ?? '';
  const isFailed = state.status === 'errored' || state.status === 'canceled';
  const output = state.output;
  if (!Array.isArray(output) && !isFailed) return [];
  answered.add(callId);
  const pieces = (Array.isArray(output) ? output : []).filter(isFields);
  const text = pieces
    .map((piece) => readContent(piece.content))
    .filter((each) => each !== '')
    .join('\n\n');
  const tool = tools.get(callId) ?? nameOf(objectIn(state, 'toolCall'));
  return [{ entry: { kind: 'tool-result', callId, tool, text, ...(isFailed && { failed: true }) }, mark: `result ${callId}` }];
}

function nameOf(call: Fields): string {
  return wordIn(objectIn(call, 'function'), 'name') ?? 'unknown';
}

/** Arguments are JSON in a text. */
function readInput(given: Fields): JsonValue {
  const text = textIn(given, 'arguments');
  if (text === undefined) return jsonIn(given, 'arguments') ?? {};
  return parseObject(text) ?? text;
}

function readContent(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts = content.map((part) =>
    isFields(part) ? (textIn(part, 'text') ?? (part.type === 'imageUrl' ? '[image]' : '')) : '',
  );
  return texts.filter((text) => text !== '').join('\n\n');
}

function readUsage(usage: Fields): { inputTokens: number; outputTokens: number; cachedTokens: number } | undefined {
  const inputTokens = countIn(usage, 'prompt_tokens') ?? 0;
  const outputTokens = countIn(usage, 'completion_tokens') ?? 0;
  const cachedTokens = countIn(objectIn(usage, 'prompt_tokens_details'), 'cached_tokens') ?? 0;
  return inputTokens + outputTokens === 0 ? undefined : { inputTokens, outputTokens, cachedTokens };
}

function empty(what: string): Said {
  return { reason: 'empty', what };
}
