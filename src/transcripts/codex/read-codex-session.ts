// Reads a session of Codex, of 0.80 as of 0.166. Everything said is there twice, as an item of the model's interface (`response_item`) and as
// an event (`event_msg`). Taken are the user's words from the events, where they stand alone, and all else from the items, in whose
// order it happened. Ids are made from what every version has, so that a file that was migrated is still the same session.
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../base/json.ts';
import { defined, type Fields, listIn, momentIn, objectIn, textIn, wordIn } from '../fields.ts';
import { codexSummaryFrame, unframeSummary } from '../framed-summary.ts';
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
import { CodexCalls, joinTexts, readUsage } from './codex-items.ts';

export function readCodexSession(source: TranscriptSource, options: ReadTranscriptOptions = {}): AsyncGenerator<TranscriptItem> {
  return readJsonSession(source.path, options, (state) => new CodexSession(state));
}

interface Said {
  entry: TranscriptEntry;
  /** What makes it this one and no other, where the moment and the text do not. */
  id?: string | undefined;
}
type Left = { reason: SkipReason; what: string };
type Read = Said | Left | { header: TranscriptHeader };

class CodexSession implements RecordReader {
  readonly #calls: CodexCalls;
  #turn: string | undefined;
  #model: string | undefined;
  #cwd: string | undefined;
  #moved: string | undefined;
  /** The model has said its summary; the record that repeats it is still to come. */
  #isCompacting: boolean;
  #countsByRecord: boolean;
  #total: number;

  constructor(state: Fields) {
    this.#calls = new CodexCalls(state);
    this.#turn = textIn(state, 'turn');
    this.#model = textIn(state, 'model');
    this.#cwd = textIn(state, 'cwd');
    this.#moved = textIn(state, 'moved');
    this.#isCompacting = state.isCompacting === true;
    this.#countsByRecord = state.countsByRecord === true;
    this.#total = typeof state.total === 'number' ? state.total : 0;
  }

  state(): JsonObject {
    return defined({
      ...this.#calls.state(),
      turn: this.#turn,
      model: this.#model,
      cwd: this.#cwd,
      moved: this.#moved,
      isCompacting: this.#isCompacting,
      countsByRecord: this.#countsByRecord,
      total: this.#total,
    }) as JsonObject;
  }

  take({ line, value: record }: JsonRecord): TranscriptItem[] {
    const at = momentIn(record, 'timestamp');
    const read = this.#read(record, textIn(record, 'type') ?? '', objectIn(record, 'payload'));
    if ('reason' in read) return [{ type: 'skipped', ...read, line }];
    if ('header' in read) return Object.keys(read.header).length > 0 ? [{ type: 'header', header: read.header }] : [];
    const { entry } = read;
    if (at !== undefined) entry.at = at;
    if (this.#turn !== undefined) entry.turnId = this.#turn;
    if (this.#moved !== undefined) entry.meta = { ...entry.meta, cwd: this.#moved };
    this.#moved = undefined;
    return [{ type: 'entry', id: read.id ?? createId(entry, line), entry }];
  }

  #read(record: Fields, type: string, payload: Fields): Read {
    const kind = textIn(payload, 'type') ?? '';
    if (type === 'response_item') return this.#readItem(record, payload, kind);
    if (type === 'event_msg') return this.#readEvent(payload, kind);
    if (type === 'session_meta') return { header: this.#readMeta(payload) };
    if (type === 'turn_context') return { header: this.#readTurn(payload) };
    if (type === 'compacted') return this.#readCompacted(payload);
    if (type === 'token_usage_record') {
      this.#countsByRecord = true;
      return { entry: readUsage(objectIn(payload, 'usage')), id: idOfUsage(payload) };
    }
    return { reason: type === 'world_state' ? 'harness' : 'unknown', what: type || 'record without type' };
  }

  #readItem(record: Fields, payload: Fields, kind: string): Read {
    if (kind === 'message') {
      const role = textIn(payload, 'role');
      if (role !== 'assistant')
        return { reason: role === 'user' ? 'repeat' : 'harness', what: `message/${role ?? 'without role'}` };
      const text = joinTexts(listIn(payload, 'content'));
      if (text.trim() === '') return { reason: 'empty', what: 'message/assistant' };
      if (objectIn(record, 'metadata').compaction_output === true) {
        this.#isCompacting = true;
        return { entry: { kind: 'summary', text } };
      }
      return { entry: { kind: 'message', role, text, ...(this.#model !== undefined && { model: this.#model }) } };
    }
    if (kind === 'reasoning') {
      const text = joinTexts(listIn(payload, 'summary')) || joinTexts(listIn(payload, 'content'));
      if (text.trim() === '') return { reason: 'empty', what: 'reasoning' };
      return { entry: { kind: 'thinking', text, ...(this.#model !== undefined && { model: this.#model }) } };
    }
    return this.#calls.read(payload, kind) ?? { reason: 'unknown', what: `item/${kind || 'without type'}` };
  }

  #readEvent(payload: Fields, kind: string): Read {
    if (kind === 'user_message') return this.#readUser(textIn(payload, 'message') ?? '', undefined);
    if (kind === 'item_completed') {
      const item = objectIn(payload, 'item');
      const itemKind = textIn(item, 'type') ?? '';
      if (itemKind === 'UserMessage') return this.#readUser(joinTexts(listIn(item, 'content')), wordIn(payload, 'turn_id'));
      this.#calls.note(item);
      return { reason: 'repeat', what: `event/${itemKind || 'item'}` };
    }
    if (kind === 'token_count') return this.#readCount(payload);
    if (kind === 'agent_message' || kind.startsWith('agent_reasoning')) return { reason: 'repeat', what: `event/${kind}` };
    return { reason: 'harness', what: `event/${kind || 'without type'}` };
  }

  #readUser(text: string, turn: string | undefined): Read {
    if (text.trim() === '') return { reason: 'empty', what: 'user message' };
    // Versions without ids of turns begin one with each prompt.
    this.#turn = turn ?? createHash('sha256').update(`${this.#turn} ${text}`).digest('hex').slice(0, 16);
    return { entry: { kind: 'message', role: 'user', text } };
  }

  /** 0.80 counts by event, sometimes the same twice; later versions say it in a record of its own. */
  #readCount(payload: Fields): Read {
    const info = objectIn(payload, 'info');
    const total = Number(objectIn(info, 'total_token_usage').total_tokens ?? 0);
    if (this.#countsByRecord || !(total > this.#total)) return { reason: 'repeat', what: 'event/token_count' };
    this.#total = total;
    return { entry: readUsage(objectIn(info, 'last_token_usage')), id: `usage-${total}` };
  }

  #readMeta(payload: Fields): TranscriptHeader {
    const cwd = wordIn(payload, 'cwd');
    this.#cwd ??= cwd;
    const spawned = objectIn(objectIn(objectIn(payload, 'source'), 'subagent'), 'thread_spawn');
    const parent = wordIn(payload, 'parent_thread_id') ?? wordIn(spawned, 'parent_thread_id');
    const origin = wordIn(payload, 'forked_from_id');
    return defined({
      cwd,
      branch: wordIn(objectIn(payload, 'git'), 'branch'),
      createdAt: momentIn(payload, 'timestamp'),
      agentVersion: wordIn(payload, 'cli_version'),
      title: parent === undefined ? undefined : wordIn(payload, 'agent_nickname'),
      parent:
        parent !== undefined
          ? { kind: 'sub-agent', id: parent }
          : origin !== undefined
            ? { kind: 'fork', id: origin }
            : undefined,
    }) as TranscriptHeader;
  }

  #readTurn(payload: Fields): TranscriptHeader {
    const cwd = wordIn(payload, 'cwd');
    if (cwd !== undefined && cwd !== this.#cwd) this.#moved = cwd;
    this.#cwd = cwd ?? this.#cwd;
    const model = wordIn(payload, 'model');
    if (model === undefined || model === this.#model) return {};
    this.#model = model;
    return { model };
  }

  #readCompacted(payload: Fields): Read {
    const isRepeated = this.#isCompacting;
    this.#isCompacting = false;
    const text = textIn(payload, 'message') ?? '';
    if (isRepeated || text.trim() === '') return { reason: 'repeat', what: 'compacted' };
    return { entry: { kind: 'summary', text: unframeSummary(codexSummaryFrame, text) } };
  }
}

function idOfUsage(payload: Fields): string | undefined {
  const response = wordIn(payload, 'response_id');
  return response === undefined ? undefined : `usage-${response}`;
}

function createId(entry: TranscriptEntry, line: number): string {
  const said = 'text' in entry ? entry.text : '';
  const role = entry.kind === 'message' ? entry.role : entry.kind;
  return createHash('sha256')
    .update(`${role} ${entry.at ?? `line ${line}`} ${said}`)
    .digest('hex')
    .slice(0, 24);
}
