// Reads a session of Claude Code. Said is what stands in `user` and `assistant` records; everything else is the harness's own, or repeats
// it (whole requests, queued prompts). An answer comes in one record per content block, each with the usage of the whole answer.
import { basename, dirname, join } from 'node:path';
import type { JsonObject } from '../../base/json.ts';
import { defined, type Fields, momentIn, objectIn, parseObject, textIn, wordIn } from '../fields.ts';
import type { JsonRecord } from '../json-lines.ts';
import { type RecordReader, readJsonSession } from '../read-json-session.ts';
import { readBeside } from '../session-folder.ts';
import type {
  ReadTranscriptOptions,
  SkippedNote,
  SkipReason,
  TranscriptHeader,
  TranscriptItem,
  TranscriptSource,
} from '../transcript-format.ts';
import { ClaudeBlocks } from './claude-blocks.ts';

const mostBeside = 64 * 1024;
const copies = /^\{"type":"(api-request(?:-[a-z]+)?)"/;
const harnessTypes = new Set([
  'attachment',
  'system',
  'summary',
  'agent-name',
  'mode',
  'permission-mode',
  'tools-used',
  'atis-latch',
  'cost-state',
  'file-history-snapshot',
  'file-history-delta',
  'progress',
]);
const repeats = new Set(['queue-operation', 'last-prompt', 'api-request', 'api-request-shape', 'api-request-blob']);

export function readClaudeSession(source: TranscriptSource, options: ReadTranscriptOptions = {}): AsyncGenerator<TranscriptItem> {
  const header = () => readBesides(source);
  return readJsonSession(source.path, { ...options, leaveOut, header }, (state) => new ClaudeSession(source, state));
}

/** Whole requests are known by how their lines begin: they are most of a file, and not worth parsing. */
function leaveOut(head: string): { reason: SkipReason; what: string } | undefined {
  const copy = copies.exec(head)?.[1];
  return copy === undefined ? undefined : { reason: 'repeat', what: copy };
}

/** What stands in small files beside the session: its title, or what a sub-agent was started for. */
async function readBesides({ id, path }: TranscriptSource): Promise<TranscriptHeader> {
  const stem = path.slice(0, -'.jsonl'.length);
  const [session, agent] = id.split('/');
  if (agent === undefined || session === undefined) {
    const beside = await readBeside(join(stem, 'custom-title.json'), mostBeside);
    return defined({ title: beside && wordIn(parseObject(beside.text) ?? {}, 'customTitle') }) as TranscriptHeader;
  }
  const beside = await readBeside(`${stem}.meta.json`, mostBeside);
  const meta = (beside && parseObject(beside.text)) ?? {};
  const callId = wordIn(meta, 'toolUseId');
  const title = wordIn(meta, 'description');
  return { ...(title !== undefined && { title }), parent: { kind: 'sub-agent', id: session, ...(callId && { callId }) } };
}

class ClaudeSession implements RecordReader {
  readonly #blocks: ClaudeBlocks;
  readonly #isSubAgent: boolean;
  #cwd: string | undefined;
  #branch: string | undefined;
  #model: string | undefined;
  #isBegun: boolean;

  constructor(source: TranscriptSource, state: Fields) {
    this.#isSubAgent = source.id.includes('/');
    this.#blocks = new ClaudeBlocks(besideFolder(source.path), state);
    this.#cwd = textIn(state, 'cwd');
    this.#branch = textIn(state, 'branch');
    this.#model = textIn(state, 'model');
    this.#isBegun = state.isBegun === true;
  }

  state(): JsonObject {
    return defined({
      ...this.#blocks.state(),
      cwd: this.#cwd,
      branch: this.#branch,
      model: this.#model,
      isBegun: this.#isBegun,
    }) as JsonObject;
  }

  take({ line, value: record }: JsonRecord): TranscriptItem[] | Promise<TranscriptItem[]> {
    const type = textIn(record, 'type') ?? '';
    const header = this.#readHeader(record, type);
    const items: TranscriptItem[] = header ? [{ type: 'header', header }] : [];
    const note = noteFor(record, type);
    if (note) {
      items.push({ type: 'skipped', ...note, line });
      return items;
    }
    const moved = this.#readMove(record);
    const isAside = record.isSidechain === true && !this.#isSubAgent;
    const meta = isAside ? { ...moved, sidechain: true } : moved;
    const kept = this.#blocks.findKeptResult(record);
    if (kept === undefined) return this.#blocks.read(record, { line, meta, items });
    return kept.then((result) => this.#blocks.read(record, { line, meta, items, result }));
  }

  /** What is known only now, or changed. */
  #readHeader(record: Fields, type: string): TranscriptHeader | undefined {
    const header: TranscriptHeader = {};
    let isNews = false;
    if (type === 'custom-title') {
      const title = wordIn(record, 'customTitle');
      if (title !== undefined) {
        header.title = title;
        isNews = true;
      }
    }
    const createdAt = this.#isBegun ? undefined : momentIn(record, 'timestamp');
    if (createdAt !== undefined) {
      header.createdAt = createdAt;
      this.#isBegun = true;
      isNews = true;
    }
    const cwd = wordIn(record, 'cwd');
    if (cwd !== undefined && this.#cwd === undefined) {
      this.#cwd = cwd;
      this.#branch = wordIn(record, 'gitBranch');
      const agentVersion = wordIn(record, 'version');
      Object.assign(header, defined({ cwd, branch: this.#branch, agentVersion }));
      isNews = true;
    }
    const model = type === 'assistant' ? wordIn(objectIn(record, 'message'), 'model') : undefined;
    if (model !== undefined && model !== this.#model && model !== '<synthetic>') {
      this.#model = model;
      header.model = model;
      isNews = true;
    }
    return isNews ? header : undefined;
  }

  /** Since when the session's folder is another one than before. */
  #readMove(record: Fields): JsonObject | undefined {
    const cwd = wordIn(record, 'cwd') ?? this.#cwd;
    const branch = wordIn(record, 'gitBranch') ?? this.#branch;
    if (cwd === this.#cwd && branch === this.#branch) return undefined;
    const moved = { ...(cwd !== this.#cwd && { cwd }), ...(branch !== this.#branch && { branch }) };
    this.#cwd = cwd;
    this.#branch = branch;
    return moved as JsonObject;
  }
}

/** Why a record is none of what was said. */
function noteFor(record: Fields, type: string): Omit<SkippedNote, 'type'> | undefined {
  if (type === 'user') {
    if (record.isMeta === true) return { reason: 'harness', what: 'user/meta' };
    if (wordIn(objectIn(record, 'origin'), 'kind') === 'task-notification')
      return { reason: 'harness', what: 'user/task-notification' };
    if (record.isVisibleInTranscriptOnly === true && record.isCompactSummary !== true)
      return { reason: 'harness', what: 'user/transcript-only' };
    return undefined;
  }
  if (type === 'assistant') {
    const isSynthetic = record.isApiErrorMessage === true || objectIn(record, 'message').model === '<synthetic>';
    return isSynthetic ? { reason: 'harness', what: 'assistant/synthetic' } : undefined;
  }
  if (type === 'custom-title') return { reason: 'harness', what: type };
  if (repeats.has(type)) return { reason: 'repeat', what: type };
  const subtype = textIn(objectIn(record, 'attachment'), 'type') ?? textIn(record, 'subtype');
  const what = subtype === undefined ? type || 'record without type' : `${type}/${subtype}`;
  return { reason: harnessTypes.has(type) ? 'harness' : 'unknown', what };
}

/** The session's own folder: beside its file, or around that of a sub-agent. */
function besideFolder(path: string): string {
  return basename(dirname(path)) === 'subagents' ? dirname(dirname(path)) : path.slice(0, -'.jsonl'.length);
}
