// Reads a session of GitHub Copilot CLI, or one sub-agent's part of it. The file is a log of events; said is what stands in `user.message`,
// `assistant.message` (words, thinking and calls together) and `tool.execution_complete`. What a model call cost comes right before its answer.
import type { JsonObject } from '../../base/json.ts';
import { defined, type Fields, momentIn, objectIn, textIn, wordIn } from '../fields.ts';
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
import { CopilotCalls } from './copilot-calls.ts';
import { CopilotUsage } from './copilot-usage.ts';

export async function* readCopilotSession(
  source: TranscriptSource,
  options: ReadTranscriptOptions = {},
): AsyncGenerator<TranscriptItem> {
  const items = readJsonSession(source.path, { ...options, leaveOut }, (state) => new CopilotSession(source, state));
  // What is left out of the file is told once, with the session itself.
  for await (const item of items) if (item.type !== 'skipped' || source.part === undefined) yield item;
}

/** Prompts of the system are long, and not worth parsing. */
function leaveOut(head: string): { reason: SkipReason; what: string } | undefined {
  const type = /^\{"type":"(system\.message|session\.shutdown)"/.exec(head)?.[1];
  return type === undefined ? undefined : { reason: 'harness', what: type };
}

const harnessTypes = /^(?:system|session|permission|subagent|hook|skill|external_tool|elicitation|command|exit_plan_mode)\./;
const harnessNames = new Set(['assistant.turn_start', 'assistant.turn_end', 'assistant.intent', 'assistant.usage', 'abort']);

type Read = TranscriptItem[] | { reason: SkipReason; what: string };

class CopilotSession implements RecordReader {
  readonly #session: string;
  readonly #agent: string | undefined;
  readonly #calls: CopilotCalls;
  readonly #usage: CopilotUsage;
  #cwd: string | undefined;
  #branch: string | undefined;
  #model: string | undefined;
  #turn: string | undefined;
  #moved: { cwd?: string; branch?: string } | undefined;

  constructor({ id, part }: TranscriptSource, state: Fields) {
    this.#session = id.split('/', 1)[0] as string;
    this.#agent = part;
    this.#calls = new CopilotCalls(state);
    this.#usage = new CopilotUsage(state);
    this.#cwd = textIn(state, 'cwd');
    this.#branch = textIn(state, 'branch');
    this.#model = textIn(state, 'model');
    this.#turn = textIn(state, 'turn');
    const moved = objectIn(state, 'moved');
    if ('cwd' in moved || 'branch' in moved) this.#moved = moved as { cwd?: string; branch?: string };
  }

  state(): JsonObject {
    return defined({
      ...this.#calls.state(),
      ...this.#usage.state(),
      cwd: this.#cwd,
      branch: this.#branch,
      model: this.#model,
      turn: this.#turn,
      moved: this.#moved,
    }) as JsonObject;
  }

  take({ line, value: record }: JsonRecord): TranscriptItem[] {
    const type = textIn(record, 'type') ?? '';
    const data = objectIn(record, 'data');
    const context = this.#readContext(type, data, record);
    if (wordIn(record, 'agentId') !== this.#agent) return this.#agent === undefined ? [] : context;
    const read = this.#read(type, data, record, line);
    if ('reason' in read) return [...context, { type: 'skipped', ...read, line }];
    const at = momentIn(record, 'timestamp');
    for (const item of read) {
      if (item.type !== 'entry') continue;
      if (at !== undefined) item.entry.at = at;
      if (this.#turn !== undefined) item.entry.turnId = this.#turn;
      if (this.#moved) item.entry.meta = { ...item.entry.meta, ...this.#moved };
      this.#moved = undefined;
    }
    return [...context, ...read];
  }

  /** Where and with what it runs: said by the session for all that speak in it. */
  #readContext(type: string, data: Fields, record: Fields): TranscriptItem[] {
    if (type === 'session.start') return this.#readStart(data, record);
    if (type === 'subagent.started' && this.#agent !== undefined && wordIn(record, 'agentId') === this.#agent)
      return header({
        ...this.#parentOf(data),
        createdAt: momentIn(record, 'timestamp'),
        model: this.#changeModel(wordIn(data, 'model')),
      });
    if (this.#agent !== undefined) return [];
    if (type === 'session.resume') this.#move(objectIn(data, 'context'));
    else if (type === 'session.context_changed') this.#move(data);
    else if (type === 'session.title_changed') return header({ title: wordIn(data, 'title') });
    else if (type === 'session.model_change' && record.agentId === undefined)
      return header({ model: this.#changeModel(wordIn(data, 'newModel')) });
    return [];
  }

  #readStart(data: Fields, record: Fields): TranscriptItem[] {
    const context = objectIn(data, 'context');
    this.#cwd = wordIn(context, 'cwd');
    this.#branch = wordIn(context, 'branch');
    const common = { cwd: this.#cwd, branch: this.#branch, agentVersion: wordIn(data, 'copilotVersion') };
    if (this.#agent !== undefined) return header({ ...common, parent: { kind: 'sub-agent', id: this.#session } });
    const createdAt = momentIn(data, 'startTime') ?? momentIn(record, 'timestamp');
    return header({ ...common, createdAt, model: this.#changeModel(wordIn(data, 'selectedModel')) });
  }

  #parentOf(data: Fields): Pick<TranscriptHeader, 'parent'> & { title: string | undefined } {
    const callId = wordIn(data, 'toolCallId');
    const parent = { kind: 'sub-agent' as const, id: this.#session, ...(callId !== undefined && { callId }) };
    return { parent, title: wordIn(data, 'agentDescription') ?? wordIn(data, 'agentDisplayName') };
  }

  #move(context: Fields): void {
    const cwd = wordIn(context, 'cwd') ?? this.#cwd;
    const branch = wordIn(context, 'branch') ?? this.#branch;
    if (cwd !== this.#cwd || branch !== this.#branch)
      this.#moved = defined({
        ...this.#moved,
        cwd: cwd === this.#cwd ? this.#moved?.cwd : cwd,
        branch: branch === this.#branch ? this.#moved?.branch : branch,
      });
    this.#cwd = cwd;
    this.#branch = branch;
  }

  #changeModel(model: string | undefined): string | undefined {
    if (model === undefined || model === this.#model) return undefined;
    this.#model = model;
    return model;
  }

  #read(type: string, data: Fields, record: Fields, line: number): Read {
    const id = wordIn(record, 'id') ?? `line-${line}`;
    if (type === 'user.message') return this.#readPrompt(data, id);
    if (type === 'assistant.message') return this.#readAnswer(data, id);
    if (type === 'tool.execution_start') return this.#calls.readStart(data, id) ?? { reason: 'repeat', what: type };
    if (type === 'tool.execution_complete') return this.#calls.readEnd(data, id);
    if (type === 'session.usage_record') return this.#usage.note(objectIn(data, 'usage'), id);
    const summary = type === 'session.compaction_complete' && data.success !== false ? wordIn(data, 'summaryContent') : undefined;
    if (summary !== undefined) return [{ type: 'entry', id, entry: { kind: 'summary', text: summary } }];
    const isKnown = harnessTypes.test(type) || harnessNames.has(type);
    return { reason: isKnown ? 'harness' : 'unknown', what: type || 'record without type' };
  }

  #readPrompt(data: Fields, id: string): Read {
    const source = wordIn(data, 'source');
    // A sub-agent's prompts come from the agent that started it; in the session itself a source means that no person said it.
    if (source !== undefined && source !== 'user' && this.#agent === undefined)
      return { reason: 'harness', what: `user.message/${source}` };
    const text = textIn(data, 'content') ?? '';
    this.#turn = wordIn(data, 'interactionId') ?? this.#turn;
    if (text.trim() === '') return { reason: 'empty', what: 'user.message' };
    return [{ type: 'entry', id, entry: { kind: 'message', role: 'user', text } }];
  }

  #readAnswer(data: Fields, id: string): Read {
    const { items, usage } = this.#usage.take(wordIn(data, 'apiCallId'));
    const model = wordIn(data, 'model');
    const changed = this.#changeModel(model);
    const said: { id: string; entry: TranscriptEntry }[] = [];
    const thought = textIn(data, 'reasoningText') ?? '';
    if (thought.trim() !== '')
      said.push({ id: `${id}.thinking`, entry: { kind: 'thinking', text: thought, ...(model && { model }) } });
    const text = textIn(data, 'content') ?? '';
    if (text.trim() !== '') said.push({ id, entry: { kind: 'message', role: 'assistant', text, ...(model && { model }) } });
    said.push(...this.#calls.readRequests(data, id));
    const first = said[0]?.entry;
    if (!first) return items.length > 0 ? items : { reason: 'empty', what: 'assistant.message' };
    if (usage && first.kind === 'message') first.usage = usage;
    else if (usage) first.meta = { ...first.meta, usage };
    return [...items, ...header({ model: changed }), ...said.map((each): TranscriptItem => ({ type: 'entry', ...each }))];
  }
}

function header(given: { [K in keyof TranscriptHeader]: TranscriptHeader[K] | undefined }): TranscriptItem[] {
  const known = defined(given) as TranscriptHeader;
  return Object.keys(known).length > 0 ? [{ type: 'header', header: known }] : [];
}
