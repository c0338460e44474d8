// Writes a conversation as a session Claude Code can resume: a chain of `user` and `assistant` records, one per content block.
// What the model's interface would refuse is left out: thinking without its signature, results without their calls. A call without a
// result gets one that says so, an answer to nothing a prompt that says so.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { defined, isFields, textIn } from '../fields.ts';
import { claudeSummaryFrame, frameSummary } from '../framed-summary.ts';
import { formatToolName, OutgoingCalls } from '../outgoing-calls.ts';
import type { OutgoingEntry, OutgoingSession, WriteTarget, WrittenTranscript } from '../transcript-format.ts';
import { LostEntries, writeSessionFile } from '../write-session-file.ts';

/** The version whose files these are written after. */
const version = '2.1.325';
const longestFolder = 200;
const longestToolName = 128;
const nothingAsked = 'The assistant spoke first.';

export async function writeClaudeSession(
  session: OutgoingSession,
  { root, id = randomUUID() }: WriteTarget,
): Promise<WrittenTranscript> {
  const path = join(root, folderName(session.cwd), `${id}.jsonl`);
  const chain = new ClaudeChain(session, id);
  await writeSessionFile(path, chain.records());
  return { id, files: [path], entries: chain.entries, lost: chain.lost.counts };
}

/** As Claude Code names the folder of a project: by it the session is listed there, and found by versions that look nowhere else. */
function folderName(cwd: string): string {
  const name = cwd.replace(/[^A-Za-z0-9]/g, '-');
  return name.length <= longestFolder ? name : `${name.slice(0, longestFolder)}-${shortHash(cwd)}`;
}

function shortHash(text: string): string {
  let hash = 0;
  for (let index = 0; index < text.length; index += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  return Math.abs(hash).toString(36);
}

class ClaudeChain {
  readonly lost = new LostEntries();
  entries = 0;
  readonly #session: OutgoingSession;
  readonly #id: string;
  readonly #calls = new OutgoingCalls();
  #parent: string | null = null;
  #cwd: string;
  #branch: string | undefined;
  #answer = '';
  #usage: object = {};

  constructor(session: OutgoingSession, id: string) {
    this.#session = session;
    this.#id = id;
    this.#cwd = session.cwd;
    this.#branch = session.branch;
  }

  async *records(): AsyncGenerator<object> {
    const { title: customTitle } = this.#session;
    if (customTitle !== undefined) yield { type: 'custom-title', customTitle, sessionId: this.#id };
    let last = this.#session.createdAt;
    for await (const entry of this.#session.entries) {
      last = entry.at;
      // What somebody says ends the calls before it.
      if (entry.kind === 'message' && entry.role === 'user') yield* this.#closeCalls(entry.at);
      const records = this.#translate(entry);
      if (records.length === 0) this.lost.add(entry.kind === 'message' ? `${entry.role} message` : entry.kind);
      else this.entries += 1;
      yield* records;
    }
    yield* this.#closeCalls(last);
  }

  #translate(entry: OutgoingEntry): object[] {
    this.#move(entry);
    if (entry.kind === 'message' && entry.role === 'user') return [this.#user(entry.at, entry.text)];
    if (entry.kind === 'message' && entry.role === 'assistant') return this.#answered(entry, { type: 'text', text: entry.text });
    if (entry.kind === 'thinking') {
      const signature = textIn(entry.meta ?? {}, 'signature');
      // Masked words do not match their signature any more.
      if (signature === undefined || 'masked' in entry) return [];
      return this.#answered(entry, { type: 'thinking', thinking: entry.text, signature });
    }
    if (entry.kind === 'tool-call') {
      const { tool, input } = entry;
      const call = { id: this.#calls.open(entry.callId), name: formatToolName(tool, longestToolName) };
      return this.#answered(entry, { type: 'tool_use', ...call, input: isFields(input) ? input : { input } });
    }
    if (entry.kind === 'tool-result') {
      const id = this.#calls.settle(entry.callId);
      return id === undefined ? [] : [this.#result(entry.at, id, entry.text, entry.failed === true)];
    }
    return entry.kind === 'summary' ? this.#summary(entry.at, entry.text) : [];
  }

  *#closeCalls(at: number): Generator<object> {
    for (const id of this.#calls.settleAll()) yield this.#result(at, id, 'No result was recorded.', true);
  }

  #user(at: number, content: string, more: object = {}): object {
    return this.#link({ at, type: 'user', message: { role: 'user', content }, ...more });
  }

  #result(at: number, tool_use_id: string, content: string, is_error: boolean): object {
    return this.#link({
      at,
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id, content, is_error }] },
    });
  }

  /** The first word is the user's, whoever spoke first. */
  #answered(entry: OutgoingEntry, block: object): object[] {
    const isFirst = this.#parent === null;
    return [...(isFirst ? [this.#user(entry.at, nothingAsked, { isMeta: true })] : []), this.#assistant(entry, block)];
  }

  #assistant(entry: OutgoingEntry, block: object): object {
    const usage = 'usage' in entry && entry.usage ? entry.usage : isFields(entry.meta?.usage) ? entry.meta.usage : undefined;
    // Usage is given once an answer: a new one begins an answer.
    if (usage || this.#answer === '') {
      this.#answer = `msg_${randomUUID().replaceAll('-', '')}`;
      this.#usage = formatUsage(usage);
    }
    const model = ('model' in entry ? entry.model : undefined) ?? this.#session.model ?? 'unknown';
    const message = { id: this.#answer, type: 'message', role: 'assistant', model, content: [block], usage: this.#usage };
    return this.#link({ at: entry.at, type: 'assistant', message: { ...message, stop_reason: null, stop_sequence: null } });
  }

  #summary(at: number, text: string): object[] {
    const logicalParentUuid = this.#parent;
    this.#parent = null;
    const boundary = { at, type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', level: 'info' };
    const head = this.#link({ ...boundary, logicalParentUuid, compactMetadata: { trigger: 'manual' } });
    const content = frameSummary(claudeSummaryFrame, text);
    return [head, this.#user(at, content, { isCompactSummary: true, isVisibleInTranscriptOnly: true })];
  }

  #move({ meta }: OutgoingEntry): void {
    this.#cwd = textIn(meta ?? {}, 'cwd') ?? this.#cwd;
    this.#branch = textIn(meta ?? {}, 'branch') ?? this.#branch;
  }

  /** A record after the one before it. */
  #link({ at, type, ...own }: { at: number; type: string; [field: string]: unknown }): object {
    if (type === 'user') this.#answer = '';
    const uuid = randomUUID();
    const parentUuid = this.#parent;
    this.#parent = uuid;
    return defined({
      parentUuid,
      isSidechain: false,
      type,
      ...own,
      uuid,
      timestamp: new Date(at).toISOString(),
      userType: 'external',
      entrypoint: 'cli',
      cwd: this.#cwd,
      sessionId: this.#id,
      version,
      gitBranch: this.#branch,
    });
  }
}

function formatUsage(usage: { inputTokens?: unknown; outputTokens?: unknown; cachedTokens?: unknown } | undefined): object {
  const count = (value: unknown) => (typeof value === 'number' ? value : 0);
  const cached = count(usage?.cachedTokens);
  return {
    input_tokens: Math.max(0, count(usage?.inputTokens) - cached),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: count(usage?.outputTokens),
  };
}
