// The content blocks of Claude Code's `user` and `assistant` records as entries.
import { join } from 'node:path';
import type { JsonObject } from '../../base/json.ts';
import {
  countIn,
  defined,
  type Fields,
  isFields,
  jsonIn,
  jsonText,
  listIn,
  momentIn,
  objectIn,
  textIn,
  wordIn,
} from '../fields.ts';
import { claudeSummaryFrame, unframeSummary } from '../framed-summary.ts';
import { readBeside } from '../session-folder.ts';
import type { SkipReason, TranscriptEntry, TranscriptItem } from '../transcript-format.ts';
import { readUserWords } from './claude-words.ts';

/** A result kept in a file of its own is read up to here. */
const mostResult = 1024 * 1024;
/** Calls that wait for their results, as far as they are remembered between two readings. */
const mostOpenCalls = 200;

type Read = { entry: TranscriptEntry } | { reason: SkipReason; what: string };
type KeptResult = { text: string; isCut: boolean };

interface ReadPlace {
  line: number;
  /** What the first entry carries besides its own. */
  meta: JsonObject | undefined;
  items: TranscriptItem[];
  result?: KeptResult | undefined;
}

export class ClaudeBlocks {
  readonly #folder: string;
  readonly #calls: Map<string, string>;
  #turn: string | undefined;
  /** The answer whose usage was given last. */
  #counted: string | undefined;

  /** `folder` is the session's own, with large results in it. */
  constructor(folder: string, state: Fields) {
    this.#folder = folder;
    this.#turn = textIn(state, 'turn');
    this.#counted = textIn(state, 'counted');
    const calls = Object.entries(objectIn(state, 'calls'));
    this.#calls = new Map(calls.filter((call): call is [string, string] => typeof call[1] === 'string'));
  }

  state(): JsonObject {
    const calls = Object.fromEntries([...this.#calls].slice(-mostOpenCalls));
    return defined({ turn: this.#turn, counted: this.#counted, calls }) as JsonObject;
  }

  /** The items a record says, after those that are there. `result` is what was kept beside it. */
  read(record: Fields, { line, meta, items, result }: ReadPlace): TranscriptItem[] {
    const uuid = wordIn(record, 'uuid') ?? `line-${line}`;
    const message = objectIn(record, 'message');
    const blocks = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : listIn(message, 'content');
    if (blocks.length === 0)
      items.push({ type: 'skipped', reason: 'broken', what: `${textIn(record, 'type')} without content`, line });
    const at = momentIn(record, 'timestamp');
    let extra = meta;
    let index = 0;
    for (const block of blocks) {
      const id = index === 0 ? uuid : `${uuid}.${index}`;
      index += 1;
      const read = !isFields(block)
        ? ({ reason: 'broken', what: 'content block' } as const)
        : record.type === 'user'
          ? this.#readUser(record, block, uuid, result)
          : this.#readAssistant(message, block);
      if (!('entry' in read)) {
        items.push({ type: 'skipped', ...read, line });
        continue;
      }
      const { entry } = read;
      if (at !== undefined) entry.at = at;
      if (this.#turn !== undefined) entry.turnId = this.#turn;
      if (extra) entry.meta = { ...extra, ...entry.meta };
      extra = undefined;
      items.push({ type: 'entry', id, entry });
    }
    return items;
  }

  /** The whole of a result that stands in a file of its own; undefined where the record itself has it. */
  findKeptResult(record: Fields): Promise<KeptResult | undefined> | undefined {
    const kept =
      record.toolUseResult === undefined ? undefined : wordIn(objectIn(record, 'toolUseResult'), 'persistedOutputPath');
    // Only its name: where it was written need not be where it is, nor a place to read from.
    const name = kept?.split(/[\\/]/).at(-1);
    return name && name !== '..' ? readBeside(join(this.#folder, 'tool-results', name), mostResult) : undefined;
  }

  #readUser(record: Fields, block: Fields, uuid: string, result: KeptResult | undefined): Read {
    if (block.type === 'tool_result') {
      if (!result) return { entry: this.#pair(block, readContent(block.content)) };
      return { entry: this.#pair(block, result.text, result.isCut ? { cut: true } : undefined) };
    }
    if (block.type === 'image' || block.type === 'document') {
      const media = textIn(objectIn(block, 'source'), 'media_type');
      return { entry: { kind: 'message', role: 'user', text: describeMedia(block.type, media) } };
    }
    const text = block.type === 'text' ? textIn(block, 'text') : undefined;
    if (text === undefined) return { reason: 'unknown', what: `user block ${textIn(block, 'type') ?? 'without type'}` };
    if (record.isCompactSummary === true) return { entry: { kind: 'summary', text: unframeSummary(claudeSummaryFrame, text) } };
    const words = readUserWords(text);
    if ('noise' in words) return { reason: 'harness', what: words.noise };
    this.#turn = uuid;
    return { entry: { kind: 'message', role: 'user', text: words.text } };
  }

  #readAssistant(message: Fields, block: Fields): Read {
    const model = wordIn(message, 'model');
    if (block.type === 'text') {
      const text = textIn(block, 'text') ?? '';
      if (text.trim() === '') return { reason: 'empty', what: 'text' };
      const usage = this.#countUsage(message);
      return { entry: { kind: 'message', role: 'assistant', text, ...(model && { model }), ...(usage && { usage }) } };
    }
    if (block.type === 'thinking') {
      const text = textIn(block, 'thinking') ?? '';
      if (text.trim() === '') return { reason: 'empty', what: 'thinking' };
      const signature = wordIn(block, 'signature');
      const usage = this.#countUsage(message);
      const meta = signature || usage ? { ...(signature && { signature }), ...(usage && { usage }) } : undefined;
      return { entry: { kind: 'thinking', text, ...(model && { model }), ...(meta && { meta }) } };
    }
    if (block.type === 'tool_use' || block.type === 'server_tool_use') {
      const callId = wordIn(block, 'id') ?? '';
      const tool = wordIn(block, 'name') ?? 'unknown';
      if (callId !== '') this.#calls.set(callId, tool);
      const usage = this.#countUsage(message);
      return {
        entry: { kind: 'tool-call', callId, tool, input: jsonIn(block, 'input') ?? {}, ...(usage && { meta: { usage } }) },
      };
    }
    if (typeof block.type === 'string' && block.type.endsWith('_tool_result'))
      return { entry: this.#pair(block, readContent(block.content)) };
    if (block.type === 'redacted_thinking') return { reason: 'empty', what: 'redacted thinking' };
    return { reason: 'unknown', what: `assistant block ${textIn(block, 'type') ?? 'without type'}` };
  }

  #pair(block: Fields, text: string, meta?: JsonObject): TranscriptEntry {
    const callId = wordIn(block, 'tool_use_id') ?? '';
    const tool = this.#calls.get(callId);
    this.#calls.delete(callId);
    const isFailed = block.is_error === true;
    return { kind: 'tool-result', callId, text, ...(tool && { tool }), ...(isFailed && { failed: true }), ...(meta && { meta }) };
  }

  /** The usage of an answer, with the first entry of it. */
  #countUsage(message: Fields): { inputTokens: number; outputTokens: number; cachedTokens: number } | undefined {
    const id = wordIn(message, 'id');
    if (id === undefined || id === this.#counted) return undefined;
    this.#counted = id;
    const usage = objectIn(message, 'usage');
    const cachedTokens = countIn(usage, 'cache_read_input_tokens') ?? 0;
    const written = countIn(usage, 'cache_creation_input_tokens') ?? 0;
    const inputTokens = (countIn(usage, 'input_tokens') ?? 0) + cachedTokens + written;
    const outputTokens = countIn(usage, 'output_tokens') ?? 0;
    return inputTokens + outputTokens === 0 ? undefined : { inputTokens, outputTokens, cachedTokens };
  }
}

/** A result as text: what it says, and what it holds besides. */
function readContent(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) return '';
  if (!Array.isArray(content)) return jsonText(content, mostResult);
  return content.map((block) => (isFields(block) ? describeBlock(block) : jsonText(block, mostResult))).join('\n');
}

function describeBlock(block: Fields): string {
  if (block.type === 'text') return textIn(block, 'text') ?? '';
  if (block.type === 'tool_reference') return `[tool: ${textIn(block, 'tool_name') ?? ''}]`;
  return describeMedia(textIn(block, 'type') ?? 'block', textIn(objectIn(block, 'source'), 'media_type'));
}

function describeMedia(kind: string, media: string | undefined): string {
  return media === undefined ? `[${kind}]` : `[${kind}: ${media}]`;
}
