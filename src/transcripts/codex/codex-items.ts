// The tool calls and results among Codex's items, and the small readers they share with the rest.
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { countIn, defined, type Fields, isFields, jsonText, listIn, objectIn, textIn, wordIn } from '../fields.ts';
import type { SkipReason, TranscriptEntry } from '../transcript-format.ts';

const mostOpenCalls = 200;
const mostResult = 4 * 1024 * 1024;
/** How Codex tells the model that a command failed, in the first lines of its output. */
const failedExit = /^(?:Process exited with code|Exit code:) (?!0\b)-?\d+$/m;
const firstLines = 400;

type Read = { entry: TranscriptEntry; id?: string } | { reason: SkipReason; what: string };

export class CodexCalls {
  readonly #tools: Map<string, string>;
  readonly #failed: Set<string>;

  constructor(state: Fields) {
    const tools = Object.entries(objectIn(state, 'tools'));
    this.#tools = new Map(tools.filter((tool): tool is [string, string] => typeof tool[1] === 'string'));
    this.#failed = new Set(listIn(state, 'failed').filter((id) => typeof id === 'string'));
  }

  state(): JsonObject {
    return { tools: Object.fromEntries([...this.#tools].slice(-mostOpenCalls)), failed: [...this.#failed].slice(-mostOpenCalls) };
  }

  /** An event that says how a call ended, before its result is there. */
  note(item: Fields): void {
    const id = wordIn(item, 'id');
    const exitCode = item.exit_code;
    const isFailed = textIn(item, 'status') === 'failed' || (typeof exitCode === 'number' && exitCode !== 0);
    if (id !== undefined && isFailed) this.#failed.add(id);
  }

  read(payload: Fields, kind: string): Read | undefined {
    if (kind.endsWith('_call_output')) return this.#readResult(payload);
    if (!kind.endsWith('_call')) return undefined;
    const callId = wordIn(payload, 'call_id') ?? wordIn(payload, 'id') ?? '';
    const name = wordIn(payload, 'name') ?? kind.slice(0, -'_call'.length);
    const space = wordIn(payload, 'namespace');
    const tool = space === undefined ? name : `${space}__${name}`;
    if (callId !== '') this.#tools.set(callId, tool);
    const input = readInput(payload);
    return { entry: { kind: 'tool-call', callId, tool, input }, ...(callId !== '' && { id: callId }) };
  }

  #readResult(payload: Fields): Read {
    const callId = wordIn(payload, 'call_id') ?? '';
    const tool = this.#tools.get(callId);
    const { output } = payload;
    const text = typeof output === 'string' ? output : readOutput(output);
    const isFailed =
      this.#failed.has(callId) || failedExit.test(text.slice(0, firstLines)) || (isFields(output) && output.success === false);
    this.#tools.delete(callId);
    this.#failed.delete(callId);
    const entry = { kind: 'tool-result', callId, text, ...(tool && { tool }), ...(isFailed && { failed: true }) } as const;
    return { entry, ...(callId !== '' && { id: `${callId}.result` }) };
  }
}

export function joinTexts(parts: readonly unknown[]): string {
  const texts = parts.map((part) => (typeof part === 'string' ? part : isFields(part) ? describePart(part) : ''));
  return texts.filter((text) => text !== '').join('\n\n');
}

/** What one answer of the model cost. Comes after the answer, so it is an entry of its own. */
export function readUsage(usage: Fields): TranscriptEntry {
  const counts = defined({
    inputTokens: countIn(usage, 'input_tokens'),
    outputTokens: countIn(usage, 'output_tokens'),
    cachedTokens: countIn(usage, 'cached_input_tokens'),
  });
  return { kind: 'event', name: 'model-usage', counts: counts as Record<string, number>, text: '' };
}

function describePart(part: Fields): string {
  const text = textIn(part, 'text');
  if (text !== undefined) return text;
  const type = textIn(part, 'type') ?? '';
  return type.includes('image') ? '[image]' : '';
}

/** Arguments are JSON in a text; custom tools take free text, the shell an action. */
function readInput(payload: Fields): JsonValue {
  const given = payload.arguments ?? payload.input ?? payload.action ?? {};
  if (typeof given !== 'string') return given as JsonValue;
  try {
    return JSON.parse(given) as JsonValue;
  } catch {
    return given;
  }
}

function readOutput(output: unknown): string {
  if (Array.isArray(output)) return joinTexts(output);
  if (isFields(output)) return textIn(output, 'content') ?? jsonText(output, mostResult);
  return output === undefined || output === null ? '' : jsonText(output, mostResult);
}
