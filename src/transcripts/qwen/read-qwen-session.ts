// Reads a session of Qwen Code: a chain of records with the content of Google's interface. What `system` records say is the program's own, or
// repeats an answer (telemetry). The records are a tree: a rewind leaves a branch behind, which stays what was said.
import type { JsonObject } from '../../base/json.ts';
import {
  countIn,
  defined,
  type Fields,
  isFields,
  jsonIn,
  listIn,
  momentIn,
  objectIn,
  parseObject,
  textIn,
  wordIn,
} from '../fields.ts';
import { isSnapshot, openSnapshot } from '../gemini/gemini-messages.ts';
import { partsOf, responseIn, wordsOf } from '../gemini/gemini-parts.ts';
import type { JsonRecord } from '../json-lines.ts';
import { type RecordReader, readJsonSession } from '../read-json-session.ts';
import { readBeside } from '../session-folder.ts';
import type {
  ReadTranscriptOptions,
  SkipReason,
  TranscriptEntry,
  TranscriptHeader,
  TranscriptItem,
  TranscriptSource,
} from '../transcript-format.ts';

const mostBeside = 64 * 1024;
/** What users say, beside plain records without a subtype. */
const spoken = new Set(['mid_turn_user_message', 'realtime_message']);

export function readQwenSession(source: TranscriptSource, options: ReadTranscriptOptions = {}): AsyncGenerator<TranscriptItem> {
  const header = () => readBesides(source);
  return readJsonSession(source.path, { ...options, header }, (state) => new QwenSession(state));
}

/** What a sub-agent was started for, and by whom. */
async function readBesides({ id, path }: TranscriptSource): Promise<TranscriptHeader> {
  const [session, agent] = id.split('/');
  if (agent === undefined || session === undefined) return {};
  const beside = await readBeside(`${path.slice(0, -'.jsonl'.length)}.meta.json`, mostBeside);
  const meta = (beside && parseObject(beside.text)) ?? {};
  const above = wordIn(meta, 'parentAgentId');
  const callId = wordIn(meta, 'toolUseId');
  const parent = { kind: 'sub-agent', id: above === undefined ? session : `${session}/${above}`, ...(callId && { callId }) };
  return defined({ title: wordIn(meta, 'description'), model: wordIn(meta, 'model'), parent }) as TranscriptHeader;
}

type Read = { entry: TranscriptEntry } | { reason: SkipReason; what: string };

class QwenSession implements RecordReader {
  #turn: string | undefined;
  #cwd: string | undefined;
  #branch: string | undefined;
  #model: string | undefined;
  #origin: string | undefined;
  #isBegun: boolean;

  constructor(state: Fields) {
    this.#turn = textIn(state, 'turn');
    this.#cwd = textIn(state, 'cwd');
    this.#branch = textIn(state, 'branch');
    this.#model = textIn(state, 'model');
    this.#origin = textIn(state, 'origin');
    this.#isBegun = state.isBegun === true;
  }

  state(): JsonObject {
    return defined({
      turn: this.#turn,
      cwd: this.#cwd,
      branch: this.#branch,
      model: this.#model,
      origin: this.#origin,
      isBegun: this.#isBegun,
    }) as JsonObject;
  }

  take({ line, value: record }: JsonRecord): TranscriptItem[] {
    const type = textIn(record, 'type') ?? '';
    const items: TranscriptItem[] = [];
    const header = this.#readHeader(record, type);
    if (Object.keys(header).length > 0) items.push({ type: 'header', header });
    const uuid = wordIn(record, 'uuid') ?? `line-${line}`;
    const reads = this.#read(record, type, uuid);
    if (reads.length === 0) items.push({ type: 'skipped', reason: 'empty', what: type, line });
    const at = momentIn(record, 'timestamp');
    let index = 0;
    for (const read of reads) {
      if (!('entry' in read)) {
        items.push({ type: 'skipped', ...read, line });
        continue;
      }
      const { entry } = read;
      if (at !== undefined) entry.at = at;
      if (this.#turn !== undefined) entry.turnId = this.#turn;
      const moved = this.#readMove(record);
      if (moved) entry.meta = { ...moved, ...entry.meta };
      items.push({ type: 'entry', id: index === 0 ? uuid : `${uuid}.${index}`, entry });
      index += 1;
    }
    return items;
  }

  #read(record: Fields, type: string, uuid: string): Read[] {
    const parts = partsOf(objectIn(record, 'message').parts);
    if (type === 'user') return [this.#readUser(record, parts, uuid)];
    if (type === 'assistant') return this.#readAnswer(record, parts);
    if (type === 'tool_result') return readResults(record, parts);
    if (type === 'system') return [readSystem(record)];
    return [{ reason: 'unknown', what: type || 'record without type' }];
  }

  #readUser(record: Fields, parts: readonly Fields[], uuid: string): Read {
    const subtype = textIn(record, 'subtype');
    if (subtype !== undefined && !spoken.has(subtype)) return { reason: 'harness', what: `user/${subtype}` };
    if (record.provenance === 'system') return { reason: 'harness', what: 'user/system' };
    const text = wordsOf(parts);
    if (text.trim() === '') return { reason: 'empty', what: 'user' };
    if (/^\s*<(?:system-reminder|task-notification|session_context)>/.test(text))
      return { reason: 'harness', what: 'user/reminder' };
    this.#turn = uuid;
    return { entry: { kind: 'message', role: 'user', text } };
  }

  #readAnswer(record: Fields, parts: readonly Fields[]): Read[] {
    const named = wordIn(record, 'model');
    const model = named !== undefined && { model: named };
    const reads = parts.map((part): Read => {
      if (isFields(part.functionCall)) {
        const call = part.functionCall;
        const callId = wordIn(call, 'id') ?? '';
        return {
          entry: { kind: 'tool-call', callId, tool: wordIn(call, 'name') ?? 'unknown', input: jsonIn(call, 'args') ?? {} },
        };
      }
      if (part.thought === true) {
        const text = textIn(part, 'text') ?? '';
        return text.trim() === '' ? { reason: 'empty', what: 'thought' } : { entry: { kind: 'thinking', text, ...model } };
      }
      const text = wordsOf([part]);
      if (text.trim() === '') return { reason: 'empty', what: 'text' };
      return { entry: { kind: 'message', role: 'assistant', text, ...model } };
    });
    const usage = readUsage(objectIn(record, 'usageMetadata'));
    const first = reads.find((read) => 'entry' in read)?.entry;
    if (usage && first?.kind === 'message') first.usage = usage;
    else if (usage && first) first.meta = { usage };
    return reads;
  }

  /** What is known only now, or changed. */
  #readHeader(record: Fields, type: string): TranscriptHeader {
    const header: TranscriptHeader = {};
    const createdAt = this.#isBegun ? undefined : momentIn(record, 'timestamp');
    if (createdAt !== undefined) {
      header.createdAt = createdAt;
      this.#isBegun = true;
    }
    const cwd = wordIn(record, 'cwd');
    if (cwd !== undefined && this.#cwd === undefined) {
      this.#cwd = cwd;
      this.#branch = wordIn(record, 'gitBranch');
      Object.assign(header, defined({ cwd, branch: this.#branch, agentVersion: wordIn(record, 'version') }));
    }
    const model = type === 'assistant' ? wordIn(record, 'model') : undefined;
    if (model !== undefined && model !== this.#model) header.model = this.#model = model;
    const payload = type === 'system' ? objectIn(record, 'systemPayload') : {};
    const title = record.subtype === 'custom_title' ? wordIn(payload, 'customTitle') : undefined;
    if (title !== undefined) header.title = title;
    const above = record.subtype === 'parent_session' ? wordIn(payload, 'parentSessionId') : undefined;
    const fork = wordIn(objectIn(record, 'forkedFrom'), 'sessionId');
    const origin = above ?? fork;
    if (origin !== undefined && this.#origin === undefined) {
      this.#origin = origin;
      header.parent = { kind: above === undefined ? 'fork' : 'sub-agent', id: origin };
    }
    return header;
  }

  /** Since when the session's folder or branch is another one than before. */
  #readMove(record: Fields): JsonObject | undefined {
    const cwd = wordIn(record, 'cwd') ?? this.#cwd;
    const branch = wordIn(record, 'gitBranch') ?? this.#branch;
    if (cwd === this.#cwd && branch === this.#branch) return undefined;
    const moved = { ...(cwd !== this.#cwd && { cwd }), ...(branch !== this.#branch && { branch }) };
    this.#cwd = cwd;
    this.#branch = branch;
    return defined(moved) as JsonObject;
  }
}

function readResults(record: Fields, parts: readonly Fields[]): Read[] {
  const outcome = objectIn(record, 'toolCallResult');
  const isOver = outcome.status === 'error' || outcome.status === 'cancelled';
  const responses = parts.map(responseIn).filter((response) => response !== undefined);
  return responses.map(({ callId, tool, text, isFailed }): Read => {
    const more = { ...(tool !== undefined && { tool }), ...((isFailed || isOver) && { failed: true }) };
    return { entry: { kind: 'tool-result', callId: callId || (wordIn(outcome, 'callId') ?? ''), text, ...more } };
  });
}

function readSystem(record: Fields): Read {
  const subtype = textIn(record, 'subtype') ?? 'system';
  const payload = objectIn(record, 'systemPayload');
  if (subtype === 'rewind') return { entry: { kind: 'event', name: 'conversation-rewind', text: '' } };
  if (subtype === 'chat_compression') {
    const texts = listIn(payload, 'compressedHistory')
      .filter(isFields)
      .map((content) => wordsOf(partsOf(content.parts)));
    const text = texts.find(isSnapshot) ?? texts[0] ?? '';
    if (text.trim() !== '') return { entry: { kind: 'summary', text: openSnapshot(text) } };
  }
  return { reason: subtype === 'ui_telemetry' ? 'repeat' : 'harness', what: `system/${subtype}` };
}

/** Some providers count thoughts among the answer's tokens and some do not; the total is always whole. */
function readUsage(counts: Fields): { inputTokens: number; outputTokens: number; cachedTokens: number } | undefined {
  const inputTokens = countIn(counts, 'promptTokenCount') ?? 0;
  const answered = countIn(counts, 'candidatesTokenCount') ?? 0;
  const outputTokens = Math.max(answered, (countIn(counts, 'totalTokenCount') ?? 0) - inputTokens);
  if (inputTokens + outputTokens === 0) return undefined;
  return { inputTokens, outputTokens, cachedTokens: countIn(counts, 'cachedContentTokenCount') ?? 0 };
}
