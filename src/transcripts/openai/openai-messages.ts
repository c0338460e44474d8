// Messages as OpenAI's chat completions know them, and the entries they stand for. A call that belongs to an answer stands in that
// answer's message; what the format has no word for (thinking, labels, events, summaries) is left out.
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Entry, NewEntry, Role } from '../../model/entry.ts';

export type OpenAiMessage =
  | { role: 'system' | 'user'; content: string; name?: string }
  | { role: 'assistant'; content: string | null; tool_calls?: OpenAiToolCall[] }
  | { role: 'tool'; tool_call_id: string; content: string };

export interface OpenAiToolCall {
  id: string;
  type: 'function';
  /** The arguments are JSON in a text. */
  function: { name: string; arguments: string };
}

/** Grows with the log. A message that is in the list is never changed, only replaced: whoever remembers one may compare by identity. */
export class OpenAiMessageList {
  readonly #messages: OpenAiMessage[] = [];

  get messages(): readonly OpenAiMessage[] {
    return this.#messages;
  }

  push(entry: NewEntry | Entry): void {
    if ('withheld' in entry && entry.withheld !== undefined) return;
    if (entry.kind === 'message') this.#messages.push(formatMessage(entry));
    else if (entry.kind === 'tool-result') this.#messages.push({ role: 'tool', tool_call_id: entry.callId, content: entry.text });
    else if (entry.kind === 'tool-call') this.#pushCall(entry);
  }

  #pushCall({ callId, tool, input }: Extract<NewEntry, { kind: 'tool-call' }>): void {
    const call: OpenAiToolCall = { id: callId, type: 'function', function: { name: tool, arguments: JSON.stringify(input) } };
    const last = this.#messages.at(-1);
    if (last?.role !== 'assistant') this.#messages.push({ role: 'assistant', content: null, tool_calls: [call] });
    else this.#messages[this.#messages.length - 1] = { ...last, tool_calls: [...(last.tool_calls ?? []), call] };
  }
}

export function toOpenAiMessages(entries: Iterable<NewEntry | Entry>): OpenAiMessage[] {
  const list = new OpenAiMessageList();
  for (const entry of entries) list.push(entry);
  return [...list.messages];
}

/** The entries of a message, in order; none where it says nothing that can be understood. Never throws: foreign files hold anything. */
export function fromOpenAiMessage(message: JsonValue): NewEntry[] {
  if (!isObject(message)) return [];
  const { role } = message;
  const text = readContent(message.content);
  if (role === 'tool' || role === 'function') {
    const callId = readText(message.tool_call_id) ?? readText(message.name);
    return callId === undefined ? [] : [{ kind: 'tool-result', callId, text }];
  }
  const known = roles[readText(role) ?? ''];
  if (known === undefined) return [];
  const calls = known === 'assistant' ? readCalls(message) : [];
  // An answer that only calls tools has no words of its own.
  if (text === '' && calls.length > 0) return calls;
  const name = readText(message.name);
  return [{ kind: 'message', role: known, text, ...(name !== undefined && name !== '' && { author: { name } }) }, ...calls];
}

const roles: Readonly<Record<string, Role>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
};

function formatMessage({ role, text, author }: Extract<NewEntry, { kind: 'message' }>): OpenAiMessage {
  if (role === 'assistant') return { role, content: text };
  return { role, content: text, ...(author && { name: author.name }) };
}

/** Words, or parts of which the words are taken; what is no text is named in its place. */
function readContent(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map(readPart)
    .filter((part) => part !== '')
    .join('\n');
}

function readPart(part: JsonValue): string {
  if (typeof part === 'string') return part;
  if (!isObject(part)) return '';
  const words = readText(part.text) ?? readText(part.refusal);
  if (words !== undefined) return words;
  const type = readText(part.type);
  return type === undefined ? '' : `[${type.replace(/^input_|_url$/g, '')}]`;
}

function readCalls(message: JsonObject): NewEntry[] {
  const { tool_calls: calls, function_call: old } = message;
  const found = Array.isArray(calls) ? calls : isObject(old) ? [{ id: old.name ?? '', function: old }] : [];
  return found.flatMap((call): NewEntry[] => {
    if (!isObject(call) || !isObject(call.function)) return [];
    const [callId, tool] = [readText(call.id), readText(call.function.name)];
    if (callId === undefined || tool === undefined) return [];
    return [{ kind: 'tool-call', callId, tool, input: readArguments(call.function.arguments) }];
  });
}

/** Models write arguments that are no JSON now and then: kept as the text they are. */
function readArguments(given: JsonValue | undefined): JsonValue {
  if (typeof given !== 'string') return given ?? {};
  try {
    return JSON.parse(given) as JsonValue;
  } catch {
    return given;
  }
}

function readText(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
