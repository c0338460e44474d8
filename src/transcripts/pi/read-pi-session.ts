// Reads a session of pi: a tree of records in the order they were made. Every branch was said and is kept; an entry that goes on from elsewhere
// than the one before says from where. Ids are made of what was said and when: pi gives old sessions new ids, and forks keep the old ones.
import { hash } from 'node:crypto';
import { basename } from 'node:path';
import type { JsonObject } from '../../base/json.ts';
import { countIn, defined, type Fields, isFields, jsonIn, momentIn, objectIn, textIn, wordIn } from '../fields.ts';
import type { JsonRecord } from '../json-lines.ts';
import { type RecordReader, readJsonSession } from '../read-json-session.ts';
import type {
  ReadTranscriptOptions,
  SkipReason,
  TranscriptEntry,
  TranscriptHeader,
  TranscriptItem,
  TranscriptSource,
} from '../transcript-format.ts';

export const sessionName = /^\d{4}-\d\d-\d\dT[\d-]+Z_(.+)\.jsonl$/;
const harnessTypes = new Set(['thinking_level_change', 'custom', 'custom_message', 'context_edit']);

export function readPiSession(source: TranscriptSource, options: ReadTranscriptOptions = {}): AsyncGenerator<TranscriptItem> {
  return readJsonSession(source.path, options, (state) => new PiSession(state));
}

type Usage = { inputTokens: number; outputTokens: number; cachedTokens: number };
type Read = { entry: TranscriptEntry } | { reason: SkipReason; what: string };

class PiSession implements RecordReader {
  #turn: string | undefined;
  #model: string | undefined;
  /** The record before, and where a branch goes on from until an entry has said so. */
  #last: string | undefined;
  #branchFrom: string | undefined;

  constructor(state: Fields) {
    this.#turn = textIn(state, 'turn');
    this.#model = textIn(state, 'model');
    this.#last = textIn(state, 'last');
    this.#branchFrom = textIn(state, 'branchFrom');
  }

  state(): JsonObject {
    return defined({ turn: this.#turn, model: this.#model, last: this.#last, branchFrom: this.#branchFrom }) as JsonObject;
  }

  take({ line, value: record }: JsonRecord): TranscriptItem[] {
    const type = textIn(record, 'type') ?? '';
    if (type === 'session') return [{ type: 'header', header: readHeader(record) }];
    const items: TranscriptItem[] = [];
    const header = this.#readNews(record, type);
    if (header) items.push({ type: 'header', header });
    this.#follow(record);
    const at = momentIn(record, 'timestamp') ?? momentIn(objectIn(record, 'message'), 'timestamp');
    const id = createId(record, type, at);
    let index = 0;
    for (const read of this.#read(record, type)) {
      if (!('entry' in read)) {
        items.push({ type: 'skipped', ...read, line });
        continue;
      }
      const { entry } = read;
      if (at !== undefined) entry.at = at;
      if (entry.kind === 'message' && entry.role === 'user') this.#turn = id;
      if (this.#turn !== undefined) entry.turnId = this.#turn;
      if (this.#branchFrom !== undefined) entry.meta = { ...entry.meta, branchFrom: this.#branchFrom };
      this.#branchFrom = undefined;
      items.push({ type: 'entry', id: index === 0 ? id : `${id}.${index}`, entry });
      index += 1;
    }
    return items;
  }

  /** Where in the tree a record is. */
  #follow(record: Fields): void {
    const parent = textIn(record, 'parentId');
    if (parent !== undefined && this.#last !== undefined && parent !== this.#last) this.#branchFrom = parent;
    this.#last = textIn(record, 'id') ?? this.#last;
  }

  #readNews(record: Fields, type: string): TranscriptHeader | undefined {
    if (type === 'session_info') {
      const title = wordIn(record, 'name');
      return title === undefined ? undefined : { title };
    }
    const model = type === 'model_change' ? wordIn(record, 'modelId') : wordIn(objectIn(record, 'message'), 'model');
    if (model === undefined || model === this.#model) return undefined;
    this.#model = model;
    return { model };
  }

  #read(record: Fields, type: string): Read[] {
    if (type === 'message') return readMessage(objectIn(record, 'message'));
    if (type === 'compaction' || type === 'branch_summary') {
      const text = textIn(record, 'summary') ?? '';
      if (text.trim() === '') return [{ reason: 'empty', what: type }];
      return [{ entry: type === 'compaction' ? { kind: 'summary', text } : { kind: 'label', name: 'branch-summary', text } }];
    }
    if (type === 'label') {
      const text = wordIn(record, 'label');
      return [text === undefined ? { reason: 'harness', what: type } : { entry: { kind: 'label', name: 'bookmark', text } }];
    }
    if (type === 'usage') {
      const usage = readUsage(objectIn(record, 'usage'));
      return [
        usage ? { entry: { kind: 'event', name: 'model-usage', counts: usage, text: '' } } : { reason: 'empty', what: type },
      ];
    }
    const isKnown = harnessTypes.has(type) || type === 'model_change' || type === 'session_info';
    return [{ reason: isKnown ? 'harness' : 'unknown', what: type || 'record without type' }];
  }
}

function readHeader(record: Fields): TranscriptHeader {
  const origin = textIn(record, 'parentSession');
  const parentId = origin === undefined ? undefined : sessionName.exec(basename(origin.replaceAll('\\', '/')))?.[1];
  const parent = parentId === undefined ? undefined : { kind: 'fork', id: parentId };
  return defined({ cwd: wordIn(record, 'cwd'), createdAt: momentIn(record, 'timestamp'), parent }) as TranscriptHeader;
}

function readMessage(message: Fields): Read[] {
  const role = textIn(message, 'role');
  const blocks = blocksOf(message.content);
  if (role === 'user') {
    const text = blocks.map(describeBlock).join('\n');
    return [text.trim() === '' ? { reason: 'empty', what: role } : { entry: { kind: 'message', role, text } }];
  }
  if (role === 'assistant') return readAnswer(message, blocks);
  if (role === 'toolResult') return [{ entry: readResult(message, blocks) }];
  if (role === 'bashExecution') return readCommand(message);
  const isHarness = role === 'system' || role === 'custom' || role === 'hookMessage' || role?.endsWith('Summary');
  return [{ reason: isHarness ? 'harness' : 'unknown', what: `message/${role ?? 'without role'}` }];
}

function readAnswer(message: Fields, blocks: readonly Fields[]): Read[] {
  const named = wordIn(message, 'model');
  const model = named !== undefined && { model: named };
  const reads = blocks.map((block): Read => {
    if (block.type === 'toolCall') {
      const callId = wordIn(block, 'id') ?? '';
      const input = jsonIn(block, 'arguments') ?? {};
      return { entry: { kind: 'tool-call', callId, tool: wordIn(block, 'name') ?? 'unknown', input } };
    }
    const isThinking = block.type === 'thinking';
    if (!isThinking && block.type !== 'text')
      return { reason: 'unknown', what: `block ${textIn(block, 'type') ?? 'without type'}` };
    const text = textIn(block, isThinking ? 'thinking' : 'text') ?? '';
    if (text.trim() === '') return { reason: 'empty', what: isThinking ? 'thinking' : 'text' };
    return { entry: isThinking ? { kind: 'thinking', text, ...model } : { kind: 'message', role: 'assistant', text, ...model } };
  });
  const entries = reads.flatMap((read) => ('entry' in read ? [read.entry] : []));
  const usage = readUsage(objectIn(message, 'usage'));
  const first = entries[0];
  if (usage && first?.kind === 'message') first.usage = usage;
  else if (usage && first) first.meta = { usage };
  const last = entries.at(-1);
  if (message.stopReason === 'aborted' && last?.kind === 'message') last.interrupted = true;
  return reads.length > 0 ? reads : [{ reason: 'empty', what: 'answer' }];
}

function readResult(message: Fields, blocks: readonly Fields[]): TranscriptEntry {
  const tool = wordIn(message, 'toolName');
  const details = objectIn(message, 'details');
  const server = wordIn(details, 'server');
  const serverTool = wordIn(details, 'tool');
  // Which tool of which server is behind the one tool that calls them all.
  const meta = server !== undefined && serverTool !== undefined && { meta: { mcpServer: server, mcpTool: serverTool } };
  const more = { ...(tool !== undefined && { tool }), ...(message.isError === true && { failed: true }), ...meta };
  const text = blocks.map(describeBlock).join('\n');
  return { kind: 'tool-result', callId: wordIn(message, 'toolCallId') ?? '', text, ...more };
}

/** A command the user ran by hand, and what it said. */
function readCommand(message: Fields): Read[] {
  const command = wordIn(message, 'command');
  if (command === undefined) return [{ reason: 'empty', what: 'message/bashExecution' }];
  const isFailed = message.cancelled === true || (typeof message.exitCode === 'number' && message.exitCode !== 0);
  const said: Read = { entry: { kind: 'message', role: 'user', text: `! ${command}` } };
  const output = textIn(message, 'output') ?? '';
  return [said, { entry: { kind: 'tool-result', callId: '', tool: 'bash', text: output, ...(isFailed && { failed: true }) } }];
}

function blocksOf(content: unknown): readonly Fields[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isFields) : [];
}

function describeBlock(block: Fields): string {
  const text = textIn(block, 'text');
  if (text !== undefined) return text;
  const media = textIn(block, 'mimeType');
  return media === undefined ? `[${textIn(block, 'type') ?? 'block'}]` : `[image: ${media}]`;
}

function readUsage(usage: Fields): Usage | undefined {
  const cachedTokens = countIn(usage, 'cacheRead') ?? 0;
  const inputTokens = (countIn(usage, 'input') ?? 0) + cachedTokens + (countIn(usage, 'cacheWrite') ?? 0);
  const outputTokens = countIn(usage, 'output') ?? 0;
  return inputTokens + outputTokens === 0 ? undefined : { inputTokens, outputTokens, cachedTokens };
}

function createId(record: Fields, type: string, at: number | undefined): string {
  const message = objectIn(record, 'message');
  const said = message.content ?? message.command ?? record.summary ?? record.label ?? record.usage ?? record.id;
  const whole = JSON.stringify([type, at, message.role, message.timestamp, message.toolCallId, said]);
  return hash('sha256', whole).slice(0, 32);
}
