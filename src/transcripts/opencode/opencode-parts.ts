// One message of opencode and its parts as entries: words and thoughts and calls in their order, then the results. Ids are made from what a
// fork copies (moments, call ids, words) and not from the ids of rows, which a fork has anew: so a fork is known by its beginning.
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../base/json.ts';
import { countIn, type Fields, isFields, jsonIn, jsonText, momentIn, objectIn, textIn, wordIn } from '../fields.ts';
import type { EntryItem, SkippedNote, SkipReason, TranscriptEntry } from '../transcript-format.ts';

export interface MessageParts {
  at: number;
  info: Fields;
  /** As stored, or why one could not be read. */
  parts: Iterable<Fields | SkippedNote>;
  ids: EntryIds;
  turnId: string | undefined;
}

const harnessParts = new Set(['step-start', 'step-finish', 'patch', 'snapshot', 'retry', 'agent', 'compaction']);
const mostResult = 4 * 1024 * 1024;
const mostHeld = 16 * 1024 * 1024;

/** One part at a time: a message may be longer than the memory. Results are held until its end, as far as that is bounded. */
export function* readMessage({ at, info, parts, ids, turnId }: MessageParts): Generator<EntryItem | SkippedNote> {
  const role = info.role;
  if (role !== 'user' && role !== 'assistant') {
    yield skip('unknown', `message of ${textIn(info, 'role') ?? 'nobody'}`);
    return;
  }
  const model = role === 'assistant' ? wordIn(info, 'modelID') : undefined;
  let usage = role === 'assistant' ? readUsage(objectIn(info, 'tokens')) : undefined;
  let results: EntryItem[] = [];
  let held = 0;
  const place = (entry: TranscriptEntry) => {
    entry.at ??= at;
    if (turnId !== undefined) entry.turnId = turnId;
  };
  for (const part of parts) {
    const read = isNote(part) ? part : readPart(part, { isUser: role === 'user', isSummary: info.summary === true });
    if ('reason' in read) {
      yield read;
      continue;
    }
    const { entry } = read;
    place(entry);
    if (model !== undefined && (entry.kind === 'message' || entry.kind === 'thinking')) entry.model = model;
    if (usage) addUsage(entry, usage);
    usage = undefined;
    if (isAborted(info) && entry.kind === 'message') entry.interrupted = true;
    const id = ids.create(at, read.mark);
    yield { type: 'entry', id, entry };
    const result = readResult(part as Fields);
    if (!result) continue;
    place(result);
    results.push({ type: 'entry', id: `${id}.result`, entry: result });
    held += result.text.length;
    if (held < mostHeld) continue;
    yield* results;
    results = [];
    held = 0;
  }
  if (isFields(info.error)) yield skip('harness', `error/${textIn(info.error, 'name') ?? 'unknown'}`);
  yield* results;
}

function isNote(part: Fields | SkippedNote): part is SkippedNote {
  return part.type === 'skipped' && 'reason' in part;
}

/** The same at every reading, and in every copy; what happens to be the same in one moment is counted. */
export class EntryIds {
  #moment: number | undefined;
  readonly #seen = new Map<string, number>();

  create(moment: number, mark: string): string {
    if (moment !== this.#moment) this.#seen.clear();
    this.#moment = moment;
    const id = createHash('sha256').update(`${moment} ${mark}`).digest('hex').slice(0, 24);
    const count = (this.#seen.get(id) ?? 0) + 1;
    this.#seen.set(id, count);
    return count === 1 ? id : `${id}.${count}`;
  }
}

function readPart(
  part: Fields,
  { isUser, isSummary }: { isUser: boolean; isSummary: boolean },
): { entry: TranscriptEntry; mark: string } | SkippedNote {
  const type = textIn(part, 'type') ?? '';
  const at = momentIn(objectIn(part, 'time'), 'start');
  const moment = at === undefined ? {} : { at };
  if (type === 'text' || type === 'reasoning') {
    const text = textIn(part, 'text') ?? '';
    if (part.synthetic === true || part.ignored === true) return skip('harness', `${type}/synthetic`);
    if (text.trim() === '') return skip('empty', type);
    const mark = `${isUser} ${type} ${at ?? ''} ${text}`;
    if (type === 'reasoning') return { entry: { kind: 'thinking', text, ...moment }, mark };
    if (isSummary) return { entry: { kind: 'summary', text, ...moment }, mark };
    return { entry: { kind: 'message', role: isUser ? 'user' : 'assistant', text, ...moment }, mark };
  }
  if (type === 'tool') {
    const state = objectIn(part, 'state');
    const callId = wordIn(part, 'callID') ?? '';
    const tool = wordIn(part, 'tool') ?? 'unknown';
    const start = momentIn(objectIn(state, 'time'), 'start');
    const input = jsonIn(state, 'input') ?? {};
    return {
      entry: { kind: 'tool-call', callId, tool, input, ...(start !== undefined && { at: start }) },
      mark: `tool ${callId === '' ? jsonText(input, mostResult) : callId}`,
    };
  }
  if (type === 'file' && isUser) {
    const name = wordIn(part, 'filename') ?? wordIn(part, 'mime') ?? 'unnamed';
    return { entry: { kind: 'message', role: 'user', text: `[file: ${name}]` }, mark: `file ${name}` };
  }
  return skip(harnessParts.has(type) ? 'harness' : 'unknown', `part/${type || 'without type'}`);
}

function readResult(part: Fields): Extract<TranscriptEntry, { kind: 'tool-result' }> | undefined {
  if (part.type !== 'tool') return undefined;
  const state = objectIn(part, 'state');
  const isFailed = state.status === 'error';
  if (!isFailed && state.status !== 'completed') return undefined;
  const said = isFailed ? state.error : state.output;
  const { exit } = objectIn(state, 'metadata');
  const end = momentIn(objectIn(state, 'time'), 'end');
  return {
    kind: 'tool-result',
    callId: wordIn(part, 'callID') ?? '',
    tool: wordIn(part, 'tool') ?? 'unknown',
    text: typeof said === 'string' ? said : said === undefined || said === null ? '' : jsonText(said, mostResult),
    ...((isFailed || (typeof exit === 'number' && exit !== 0)) && { failed: true }),
    ...(end !== undefined && { at: end }),
  };
}

/** Of the whole answer. opencode counts what was cached and what was thought apart. */
function readUsage(tokens: Fields): JsonObject | undefined {
  const cache = objectIn(tokens, 'cache');
  const cachedTokens = countIn(cache, 'read') ?? 0;
  const inputTokens = (countIn(tokens, 'input') ?? 0) + cachedTokens + (countIn(cache, 'write') ?? 0);
  const outputTokens = (countIn(tokens, 'output') ?? 0) + (countIn(tokens, 'reasoning') ?? 0);
  return inputTokens + outputTokens === 0 ? undefined : { inputTokens, outputTokens, cachedTokens };
}

function addUsage(entry: TranscriptEntry, usage: JsonObject): void {
  if (entry.kind === 'message') entry.usage = usage;
  else entry.meta = { ...entry.meta, usage };
}

function isAborted(info: Fields): boolean {
  return textIn(objectIn(info, 'error'), 'name') === 'MessageAbortedError';
}

function skip(reason: SkipReason, what: string): SkippedNote {
  return { type: 'skipped', reason, what };
}
