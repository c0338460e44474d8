// Writes a conversation as a session pi can resume: one branch, from the first record to the last. Answers are named as of a provider pi does
// not have, so that it takes their thoughts as text for whatever model goes on.
import { randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import { createUuid7 } from '../codex/write-codex-session.ts';
import { isFields } from '../fields.ts';
import {
  type AnswerPart,
  type OutgoingAnswer,
  type OutgoingResult,
  type OutgoingTurn,
  OutgoingTurns,
} from '../outgoing-turns.ts';
import type { OutgoingSession, WriteTarget, WrittenTranscript } from '../transcript-format.ts';
import { writeSessionFile } from '../write-session-file.ts';

const version = 3;
const provider = 'continuo';

/** `root` is the folder `sessions`, or one that holds sessions of all projects without a folder for each. */
export async function writePiSession(session: OutgoingSession, target: WriteTarget): Promise<WrittenTranscript> {
  const { cwd, createdAt } = session;
  const id = target.id ?? createUuid7(createdAt);
  const folder = `--${cwd.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')}--`;
  const name = `${new Date(createdAt).toISOString().replace(/[:.]/g, '-')}_${id}.jsonl`;
  const path = basename(target.root) === 'sessions' ? join(target.root, folder, name) : join(target.root, name);
  const turns = new OutgoingTurns(session);
  const branch = new PiBranch(session, id);
  await writeSessionFile(path, branch.records(turns));
  return { id, files: [path], entries: turns.entries, lost: turns.lost.counts };
}

class PiBranch {
  readonly #session: OutgoingSession;
  readonly #id: string;
  #parent: string | null = null;
  /** Ids are eight digits and need only differ within the file. */
  #next = randomBytes(4).readUInt32BE();

  constructor(session: OutgoingSession, id: string) {
    this.#session = session;
    this.#id = id;
  }

  async *records(turns: OutgoingTurns): AsyncGenerator<object> {
    const { createdAt, cwd, title: name } = this.#session;
    yield { type: 'session', version, id: this.#id, timestamp: new Date(createdAt).toISOString(), cwd };
    if (name !== undefined) yield this.#link('session_info', createdAt, { name });
    for await (const turn of turns.turns()) yield* this.#translate(turn);
  }

  *#translate(turn: OutgoingTurn): Generator<object> {
    if (turn.type === 'results') for (const result of turn.results) yield this.#result(result);
    else if (turn.type === 'answer') yield this.#answer(turn);
    else if (turn.type === 'summary') yield this.#summary(turn.at, turn.text);
    else yield this.#message(turn.at, { role: 'user', content: [{ type: 'text', text: turn.text }] });
  }

  #answer({ at, parts, model = this.#session.model ?? 'unknown', usage }: OutgoingAnswer): object {
    const hasCalls = parts.some(({ kind }) => kind === 'tool-call');
    const { inputTokens = 0, outputTokens: output = 0, cachedTokens: cacheRead = 0 } = usage ?? {};
    const counts = { input: Math.max(0, inputTokens - cacheRead), output, cacheRead, cacheWrite: 0 };
    const totalTokens = counts.input + output + cacheRead;
    return this.#message(at, {
      role: 'assistant',
      content: parts.map(formatPart),
      api: 'openai-completions',
      provider,
      model,
      usage: { ...counts, totalTokens, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 } },
      stopReason: hasCalls ? 'toolUse' : parts.some((part) => 'interrupted' in part && part.interrupted) ? 'aborted' : 'stop',
    });
  }

  #result({ at, callId: toolCallId, tool: toolName, text, failed: isError = false }: OutgoingResult): object {
    return this.#message(at, { role: 'toolResult', toolCallId, toolName, content: [{ type: 'text', text }], isError });
  }

  /** Keeps nothing of what was before it for the model. */
  #summary(at: number, summary: string): object {
    const record = this.#link('compaction', at, { summary });
    return { ...record, firstKeptEntryId: record.id, tokensBefore: 0 };
  }

  #message(at: number, message: object): object {
    return this.#link('message', at, { message: { ...message, timestamp: at } });
  }

  /** A record after the one before it. */
  #link(type: string, at: number, own: object): { id: string } {
    const id = this.#next.toString(16).padStart(8, '0');
    this.#next = (this.#next + 1) >>> 0;
    const parentId = this.#parent;
    this.#parent = id;
    return { type, id, parentId, timestamp: new Date(at).toISOString(), ...own } as { id: string };
  }
}

function formatPart(part: AnswerPart): object {
  if (part.kind === 'thinking') return { type: 'thinking', thinking: part.text };
  if (part.kind === 'message') return { type: 'text', text: part.text };
  const { callId: id, tool: name, input } = part;
  return { type: 'toolCall', id, name, arguments: isFields(input) ? input : { input } };
}
