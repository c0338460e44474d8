// A conversation on its way out, as models take it: what the user said, answers with all their parts, and right after an answer the results
// of its calls. Every call has a result, every result its call; what cannot be told so is counted as lost. For agents whose records hold a
// whole answer.
import { countIn, isFields, textIn } from './fields.ts';
import type { OutgoingEntry, OutgoingSession } from './transcript-format.ts';
import { LostEntries } from './write-session-file.ts';

type Kind<K extends OutgoingEntry['kind']> = Extract<OutgoingEntry, { kind: K }>;
export type OutgoingCall = Kind<'tool-call'>;
export type OutgoingResult = Kind<'tool-result'> & { tool: string };
export type AnswerPart = (Kind<'message'> & { role: 'assistant' }) | Kind<'thinking'> | OutgoingCall;

/** Where the conversation was when something was said. */
export interface OutgoingPlace {
  cwd: string;
  branch: string | undefined;
}

export interface OutgoingAnswer {
  type: 'answer';
  place: OutgoingPlace;
  /** When its first part was said: parts have no moment of their own. */
  at: number;
  parts: AnswerPart[];
  model: string | undefined;
  usage: { inputTokens: number; outputTokens: number; cachedTokens: number } | undefined;
}

export type OutgoingTurn =
  | { type: 'user' | 'summary'; place: OutgoingPlace; at: number; text: string }
  | OutgoingAnswer
  | { type: 'results'; place: OutgoingPlace; results: OutgoingResult[] };

export class OutgoingTurns {
  readonly lost = new LostEntries();
  /** How many entries were taken. */
  entries = 0;
  readonly #session: OutgoingSession;
  #place: OutgoingPlace;
  #answer: OutgoingAnswer | undefined;
  readonly #open = new Map<string, OutgoingCall>();
  #results: OutgoingResult[] = [];

  constructor(session: OutgoingSession) {
    this.#session = session;
    this.#place = { cwd: session.cwd, branch: session.branch };
  }

  async *turns(): AsyncGenerator<OutgoingTurn> {
    let last = this.#session.createdAt;
    for await (const entry of this.#session.entries) {
      last = entry.at;
      this.#move(entry);
      if (isPart(entry)) {
        if (!this.#fits(entry)) yield* this.#end(entry.at);
        this.#add(entry);
      } else if (entry.kind === 'tool-result') this.#pair(entry);
      else if (entry.kind === 'summary' || (entry.kind === 'message' && entry.role === 'user')) {
        yield* this.#end(entry.at);
        this.entries += 1;
        const type = entry.kind === 'summary' ? 'summary' : 'user';
        yield { type, place: this.#place, at: entry.at, text: entry.text };
      } else this.#lose(entry);
    }
    yield* this.#end(last);
  }

  /** Whether it is one more part of the answer at hand. Usage comes with the first part of an answer. */
  #fits(part: AnswerPart): boolean {
    return this.#answer === undefined || (this.#results.length === 0 && usageOf(part) === undefined);
  }

  #add(part: AnswerPart): void {
    if (part.kind === 'tool-call') {
      if (part.callId === '' || this.#open.has(part.callId)) {
        this.#lose(part);
        return;
      }
      this.#open.set(part.callId, part);
    }
    this.#answer ??= { type: 'answer', place: this.#place, at: part.at, parts: [], model: undefined, usage: usageOf(part) };
    if ('model' in part) this.#answer.model ??= part.model;
    this.#answer.parts.push(part);
    this.entries += 1;
  }

  #pair(result: Kind<'tool-result'>): void {
    const call = this.#open.get(result.callId);
    if (!call) {
      this.#lose(result);
      return;
    }
    this.#open.delete(result.callId);
    this.#results.push({ ...result, tool: call.tool });
    this.entries += 1;
  }

  *#end(at: number): Generator<OutgoingTurn> {
    if (!this.#answer) return;
    const missing = { kind: 'tool-result', text: 'No result was recorded.', failed: true, at } as const;
    for (const { callId, tool } of this.#open.values()) this.#results.push({ ...missing, callId, tool });
    yield this.#answer;
    const { place } = this.#answer;
    if (this.#results.length > 0) yield { type: 'results', place, results: this.#results };
    this.#answer = undefined;
    this.#results = [];
    this.#open.clear();
  }

  #move({ meta = {} }: OutgoingEntry): void {
    const { cwd, branch } = this.#place;
    if ('cwd' in meta || 'branch' in meta)
      this.#place = { cwd: textIn(meta, 'cwd') ?? cwd, branch: textIn(meta, 'branch') ?? branch };
  }

  #lose(entry: OutgoingEntry): void {
    this.lost.add(entry.kind === 'message' ? `${entry.role} message` : entry.kind);
  }
}

function isPart(entry: OutgoingEntry): entry is AnswerPart {
  return entry.kind === 'thinking' || entry.kind === 'tool-call' || (entry.kind === 'message' && entry.role === 'assistant');
}

function usageOf(part: AnswerPart): OutgoingAnswer['usage'] {
  const usage = part.kind === 'message' && part.usage ? part.usage : part.meta?.usage;
  if (!isFields(usage)) return undefined;
  const [inputTokens = 0, outputTokens = 0, cachedTokens = 0] = ['inputTokens', 'outputTokens', 'cachedTokens'].map((name) =>
    countIn(usage, name),
  );
  return { inputTokens, outputTokens, cachedTokens };
}
