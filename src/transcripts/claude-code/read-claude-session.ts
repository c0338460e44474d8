// Reads a session of Claude Code. Said is what stands in `user` and `assistant` records; everything else is the harness's own, or repeats
// it (whole requests, queued prompts). An answer comes in one record per content block, each with the usage of the whole answer.
import { basename, dirname, join } from 'node:path';
import type { JsonObject } from '../../base/json.ts';
import { defined, type Fields, momentIn, objectIn, parseObject, textIn, wordIn } from '../fields.ts';
import { JsonLines, type JsonRecord, translate } from '../json-lines.ts';
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

export async function* readClaudeSession(
  source: TranscriptSource,
  options: ReadTranscriptOptions = {},
): AsyncGenerator<TranscriptItem> {
  const lines = await JsonLines.open(source.path, { ...options, leaveOut });
  try {
    const session = new ClaudeSession(source, lines.state);
    const isBehind = options.from !== undefined && !lines.resumed;
    yield { type: 'header', header: await readBesides(source), ...(isBehind && { resumed: false }) };
    for await (const group of lines.groups()) {
      for (const each of group) {
        if (each.type === 'skipped') yield each;
        else yield* await translate(each, (record) => session.take(record));
      }
      yield lines.checkpoint(session.state());
    }
    yield lines.checkpoint(session.state());
  } finally {
    await lines.close();
  }
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

class ClaudeSession {
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

  async take({ line, value: record }: JsonRecord): Promise<TranscriptItem[]> {
    const type = textIn(record, 'type') ?? '';
    const header = this.#readHeader(record, type);
    const items: TranscriptItem[] = header ? [{ type: 'header', header }] : [];
    const note = noteFor(record, type);
    if (note) return [...items, { type: 'skipped', ...note, line }];
    // Records of the session, and since when its folder is another one than before.
    const moved = this.#readMove(record);
    const isAside = record.isSidechain === true && !this.#isSubAgent;
    const meta = defined({ ...moved, ...(isAside && { sidechain: true }) }) as JsonObject;
    items.push(...(await this.#blocks.read(record, { line, meta })));
    return items;
  }

  /** What is known only now, or changed. */
  #readHeader(record: Fields, type: string): TranscriptHeader | undefined {
    const header: TranscriptHeader = {};
    if (type === 'custom-title') {
      const title = wordIn(record, 'customTitle');
      if (title !== undefined) header.title = title;
    }
    const createdAt = this.#isBegun ? undefined : momentIn(record, 'timestamp');
    if (createdAt !== undefined) {
      header.createdAt = createdAt;
      this.#isBegun = true;
    }
    const cwd = wordIn(record, 'cwd');
    if (cwd !== undefined && this.#cwd === undefined) {
      this.#cwd = cwd;
      this.#branch = wordIn(record, 'gitBranch');
      const agentVersion = wordIn(record, 'version');
      Object.assign(header, defined({ cwd, branch: this.#branch, agentVersion }));
    }
    const model = type === 'assistant' ? wordIn(objectIn(record, 'message'), 'model') : undefined;
    if (model !== undefined && model !== this.#model && model !== '<synthetic>') {
      this.#model = model;
      header.model = model;
    }
    return Object.keys(header).length > 0 ? header : undefined;
  }

  #readMove(record: Fields): { cwd?: string; branch?: string } {
    const moved: { cwd?: string; branch?: string } = {};
    const cwd = wordIn(record, 'cwd');
    const branch = wordIn(record, 'gitBranch');
    if (cwd !== undefined && cwd !== this.#cwd) moved.cwd = this.#cwd = cwd;
    if (branch !== undefined && branch !== this.#branch) moved.branch = this.#branch = branch;
    return moved;
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
