// Writes a conversation as a session Qwen Code can resume: a chain of records, one for an answer with all its parts, one for each result.
// A summary is the record of a compression: resumed, the conversation goes on from it.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { defined, isFields } from '../fields.ts';
import {
  type AnswerPart,
  type OutgoingAnswer,
  type OutgoingPlace,
  type OutgoingResult,
  type OutgoingTurn,
  OutgoingTurns,
} from '../outgoing-turns.ts';
import type { OutgoingSession, WriteTarget, WrittenTranscript } from '../transcript-format.ts';
import { writeSessionFile } from '../write-session-file.ts';

/** The version whose files these are written after. */
const version = '0.24.4';

/** `root` is the folder `projects`. */
export async function writeQwenSession(
  session: OutgoingSession,
  { root, id = randomUUID() }: WriteTarget,
): Promise<WrittenTranscript> {
  const path = join(root, session.cwd.replace(/[^A-Za-z0-9]/g, '-'), 'chats', `${id}.jsonl`);
  const turns = new OutgoingTurns(session);
  const chain = new QwenChain(session, id);
  await writeSessionFile(path, chain.records(turns));
  return { id, files: [path], entries: turns.entries, lost: turns.lost.counts };
}

class QwenChain {
  readonly #session: OutgoingSession;
  readonly #id: string;
  #parent: string | null = null;
  #place: OutgoingPlace;

  constructor(session: OutgoingSession, id: string) {
    this.#session = session;
    this.#id = id;
    this.#place = { cwd: session.cwd, branch: session.branch };
  }

  async *records(turns: OutgoingTurns): AsyncGenerator<object> {
    const { title, createdAt } = this.#session;
    for await (const turn of turns.turns()) yield* this.#translate(turn);
    const systemPayload = { customTitle: title, titleSource: 'manual' };
    if (title !== undefined) yield this.#link(createdAt, 'system', 'system', { subtype: 'custom_title', systemPayload });
  }

  *#translate(turn: OutgoingTurn): Generator<object> {
    this.#place = turn.place;
    if (turn.type === 'results') for (const result of turn.results) yield this.#result(result);
    else if (turn.type === 'answer') yield this.#answer(turn);
    else if (turn.type === 'summary') yield this.#summary(turn.at, turn.text);
    else yield this.#link(turn.at, 'user', 'real_user', { message: { role: 'user', parts: [{ text: turn.text }] } });
  }

  #answer({ at, parts, model, usage }: OutgoingAnswer): object {
    const message = { role: 'model', parts: parts.map(formatPart) };
    const usageMetadata = usage && {
      promptTokenCount: usage.inputTokens,
      candidatesTokenCount: usage.outputTokens,
      thoughtsTokenCount: 0,
      totalTokenCount: usage.inputTokens + usage.outputTokens,
      cachedContentTokenCount: usage.cachedTokens,
    };
    return this.#link(at, 'assistant', 'assistant_output', { model: model ?? this.#session.model, message, usageMetadata });
  }

  #result({ at, callId, tool, text, failed }: OutgoingResult): object {
    const response = failed ? { error: text } : { output: text };
    const message = { role: 'user', parts: [{ functionResponse: { id: callId, name: tool, response } }] };
    const toolCallResult = { callId, status: failed ? 'error' : 'success', resultDisplay: text };
    return this.#link(at, 'tool_result', 'tool_result', { message, toolCallResult });
  }

  #summary(at: number, summary: string): object {
    const compressedHistory = [
      { role: 'user', parts: [{ text: `<state_snapshot>\n${summary}\n</state_snapshot>` }] },
      { role: 'model', parts: [{ text: 'Got it. Thanks for the additional context!' }] },
    ];
    const info = { originalTokenCount: 0, newTokenCount: 0, compressionStatus: 1 };
    return this.#link(at, 'system', 'system', { subtype: 'chat_compression', systemPayload: { info, compressedHistory } });
  }

  /** A record after the one before it. */
  #link(at: number, type: string, provenance: string, own: object): object {
    const uuid = randomUUID();
    const parentUuid = this.#parent;
    this.#parent = uuid;
    const { cwd, branch: gitBranch } = this.#place;
    const timestamp = new Date(at).toISOString();
    return defined({ uuid, parentUuid, sessionId: this.#id, timestamp, type, provenance, cwd, version, gitBranch, ...own });
  }
}

function formatPart(part: AnswerPart): object {
  if (part.kind === 'thinking') return { text: part.text, thought: true };
  if (part.kind === 'message') return { text: part.text };
  const { callId: id, tool: name, input } = part;
  return { functionCall: { id, name, args: isFields(input) ? input : { input } } };
}
