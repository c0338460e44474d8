// The tool calls of Copilot: asked for in an answer, told again when they start, answered when they end.
import type { JsonObject } from '../../base/json.ts';
import { type Fields, isFields, jsonIn, jsonText, listIn, objectIn, textIn, wordIn } from '../fields.ts';
import type { EntryItem, TranscriptEntry, TranscriptItem } from '../transcript-format.ts';

const mostOpenCalls = 200;
const mostResult = 4 * 1024 * 1024;

export class CopilotCalls {
  /** The tools of calls without a result so far. */
  readonly #tools: Map<string, string>;

  constructor(state: Fields) {
    const tools = Object.entries(objectIn(state, 'tools'));
    this.#tools = new Map(tools.filter((tool): tool is [string, string] => typeof tool[1] === 'string'));
  }

  state(): JsonObject {
    return { tools: Object.fromEntries([...this.#tools].slice(-mostOpenCalls)) };
  }

  readRequests(data: Fields, answer: string): { id: string; entry: TranscriptEntry }[] {
    const requests = listIn(data, 'toolRequests').filter(isFields);
    return requests.map((request, index) => ({
      id: `${answer}.call-${index + 1}`,
      entry: this.#open(wordIn(request, 'toolCallId') ?? '', wordIn(request, 'name'), request),
    }));
  }

  /** A call nobody asked for in an answer, as people may start one themselves; undefined where it is known. */
  readStart(data: Fields, id: string): EntryItem[] | undefined {
    const callId = wordIn(data, 'toolCallId');
    if (callId === undefined || this.#tools.has(callId)) return undefined;
    return [{ type: 'entry', id, entry: this.#open(callId, wordIn(data, 'toolName'), data) }];
  }

  readEnd(data: Fields, id: string): TranscriptItem[] {
    const callId = wordIn(data, 'toolCallId') ?? '';
    const tool = this.#tools.get(callId);
    this.#tools.delete(callId);
    const { exitCode } = objectIn(data, 'shellExecution');
    const isFailed = data.success === false || (typeof exitCode === 'number' && exitCode !== 0);
    const entry: TranscriptEntry = { kind: 'tool-result', callId, text: readResult(data) };
    if (tool !== undefined) entry.tool = tool;
    if (isFailed) entry.failed = true;
    return [{ type: 'entry', id, entry }];
  }

  #open(callId: string, name: string | undefined, data: Fields): TranscriptEntry {
    const tool = name ?? 'unknown';
    if (callId !== '') this.#tools.set(callId, tool);
    return { kind: 'tool-call', callId, tool, input: jsonIn(data, 'arguments') ?? {} };
  }
}

/** What the model was told; what people were shown besides (`detailedContent`) is longer and says the same. */
function readResult(data: Fields): string {
  const { result, error } = data;
  const said = isFields(result) ? (result.content ?? result) : (result ?? (isFields(error) ? textIn(error, 'message') : error));
  return typeof said === 'string' ? said : said === undefined || said === null ? '' : jsonText(said, mostResult);
}
