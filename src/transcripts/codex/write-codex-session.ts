// Writes a conversation as a rollout Codex can resume, in the form of 0.80: later versions resume such a file and keep its form. Thinking
// is left out, because the model's interface takes only what it has sealed itself.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { privateFileMode } from '../../base/private-files.ts';
import { defined, textIn } from '../fields.ts';
import { codexSummaryFrame, frameSummary } from '../framed-summary.ts';
import { formatToolName, OutgoingCalls } from '../outgoing-calls.ts';
import { readBeside } from '../session-folder.ts';
import type { OutgoingEntry, OutgoingSession, WriteTarget, WrittenTranscript } from '../transcript-format.ts';
import { LostEntries, writeSessionFile } from '../write-session-file.ts';
import { sessionsFolder, titleIndex } from './codex-home.ts';

const version = '0.80.0';
const longestToolName = 64;
const mostSettingsBytes = 1024 * 1024;

/** `root` is the folder `sessions`. */
export async function writeCodexSession(session: OutgoingSession, target: WriteTarget): Promise<WrittenTranscript> {
  const { createdAt } = session;
  const id = target.id ?? createUuid7(createdAt);
  const [year, month, day, ...time] = localParts(new Date(createdAt));
  const folder = join(target.root, String(year), String(month), String(day));
  const path = join(folder, `rollout-${year}-${month}-${day}T${time.join('-')}-${id}.jsonl`);
  const rollout = new CodexRollout(session, id, await readProvider(target.root));
  await writeSessionFile(path, rollout.records());
  if (session.title !== undefined && basename(target.root) === sessionsFolder) await addTitle(target.root, id, session.title);
  return { id, files: [path], entries: rollout.entries, lost: rollout.lost.counts };
}

/** Names stand in an index beside the sessions of a home, one line after the other. Without its name the session is as good. */
async function addTitle(root: string, id: string, title: string): Promise<void> {
  const line = `${JSON.stringify({ id, thread_name: title, updated_at: new Date().toISOString() })}\n`;
  const flag = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  await writeFile(join(dirname(root), titleIndex), line, { flag, mode: privateFileMode }).catch(() => undefined);
}

/** Codex resumes a session only where it names the provider that is set: in the settings beside the sessions, above all tables. */
async function readProvider(root: string): Promise<string> {
  const settings = await readBeside(join(dirname(root), 'config.toml'), mostSettingsBytes);
  const [above = ''] = settings?.text.split(/^\s*\[/m, 1) ?? [];
  return /^\s*model_provider\s*=\s*(["'])([^"'\\\n]+)\1/m.exec(above)?.[2] ?? 'openai';
}

class CodexRollout {
  readonly lost = new LostEntries();
  entries = 0;
  readonly #session: OutgoingSession;
  readonly #id: string;
  readonly #provider: string;
  readonly #calls = new OutgoingCalls();
  #cwd: string;
  #total = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_output_tokens: 0, total_tokens: 0 };

  constructor(session: OutgoingSession, id: string, provider: string) {
    this.#session = session;
    this.#id = id;
    this.#provider = provider;
    this.#cwd = session.cwd;
  }

  async *records(): AsyncGenerator<object> {
    const { createdAt, cwd, branch } = this.#session;
    const timestamp = new Date(createdAt).toISOString();
    const meta = {
      id: this.#id,
      timestamp,
      cwd,
      originator: 'codex_cli_rs',
      cli_version: version,
      instructions: null,
      source: 'cli',
    };
    const git = branch === undefined ? undefined : { branch };
    yield record(createdAt, 'session_meta', defined({ ...meta, model_provider: this.#provider, git }));
    let last = createdAt;
    for await (const entry of this.#session.entries) {
      last = entry.at;
      yield* this.#moved(entry);
      if (entry.kind === 'message' && entry.role === 'user') yield* this.#closeCalls(entry.at);
      const records = this.#translate(entry);
      if (records.length === 0) this.lost.add(entry.kind === 'message' ? `${entry.role} message` : entry.kind);
      else this.entries += 1;
      yield* records;
    }
    yield* this.#closeCalls(last);
  }

  #translate(entry: OutgoingEntry): object[] {
    const { at } = entry;
    if (entry.kind === 'message' && entry.role === 'user') {
      const content = [{ type: 'input_text', text: entry.text }];
      return [
        record(at, 'response_item', { type: 'message', role: 'user', content }),
        record(at, 'event_msg', { type: 'user_message', message: entry.text, images: [] }),
      ];
    }
    if (entry.kind === 'message' && entry.role === 'assistant') {
      const content = [{ type: 'output_text', text: entry.text }];
      return [
        record(at, 'event_msg', { type: 'agent_message', message: entry.text }),
        record(at, 'response_item', { type: 'message', role: 'assistant', content }),
        ...(entry.usage ? [this.#count(at, entry.usage)] : []),
      ];
    }
    if (entry.kind === 'tool-call') {
      const name = formatToolName(entry.tool, longestToolName);
      const call = { name, arguments: JSON.stringify(entry.input), call_id: this.#calls.open(entry.callId) };
      return [record(at, 'response_item', { type: 'function_call', ...call })];
    }
    if (entry.kind === 'tool-result') {
      const id = this.#calls.settle(entry.callId);
      return id === undefined ? [] : [result(at, id, entry.text)];
    }
    if (entry.kind === 'summary') return [record(at, 'compacted', { message: frameSummary(codexSummaryFrame, entry.text) })];
    if (entry.kind === 'event' && entry.name === 'model-usage') return [this.#count(at, entry.counts ?? {})];
    return [];
  }

  /** Without the model of the turn: Codex would go on with it, whoever's it is. So it passes this record over, and an import reads it. */
  *#moved({ at, meta }: OutgoingEntry): Generator<object> {
    const cwd = textIn(meta ?? {}, 'cwd') ?? this.#cwd;
    if (cwd === this.#cwd) return;
    this.#cwd = cwd;
    yield record(at, 'turn_context', { cwd });
  }

  *#closeCalls(at: number): Generator<object> {
    for (const id of this.#calls.settleAll()) yield result(at, id, 'No result was recorded.');
  }

  #count(at: number, { inputTokens = 0, outputTokens = 0, cachedTokens = 0 }: Record<string, number | undefined>): object {
    const last = {
      input_tokens: inputTokens,
      cached_input_tokens: cachedTokens,
      output_tokens: outputTokens,
      reasoning_output_tokens: 0,
      total_tokens: inputTokens + outputTokens,
    };
    for (const name of Object.keys(last) as (keyof typeof last)[]) this.#total[name] += last[name];
    const info = { total_token_usage: { ...this.#total }, last_token_usage: last, model_context_window: null };
    return record(at, 'event_msg', { type: 'token_count', info, rate_limits: null });
  }
}

function record(at: number, type: string, payload: object): object {
  return { timestamp: new Date(at).toISOString(), type, payload };
}

function result(at: number, call_id: string, output: string): object {
  return record(at, 'response_item', { type: 'function_call_output', call_id, output });
}

/** Year, month, day, hours, minutes, seconds in local time: folders and names are in that. */
function localParts(date: Date): string[] {
  const parts = [date.getMonth() + 1, date.getDate(), date.getHours(), date.getMinutes(), date.getSeconds()];
  return [String(date.getFullYear()).padStart(4, '0'), ...parts.map((part) => String(part).padStart(2, '0'))];
}

/** An id that begins with its moment, as Codex makes them. */
export function createUuid7(moment: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Math.max(0, Math.trunc(moment)), 0, 6);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
