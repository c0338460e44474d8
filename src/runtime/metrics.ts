// Figures of a running session, for each open conversation and for all together. Invariant: memory is bounded. A conversation's
// own figures go when it is closed and stay in the session's; a name that a model made up cannot grow the list of tools for ever.
import type { ConversationId } from '../model/id.ts';
import type { TokenUsage } from '../model/ports/text-model.ts';
import { type DurationFigures, DurationHistogram } from './metrics-histogram.ts';
import type { TurnOutcome } from './runtime-event.ts';

const mostTools = 500;
const mostConversations = 10_000;
const otherTools = '(other)';

export interface ToolFigures {
  calls: number;
  failed: number;
}

export interface Figures {
  turns: number;
  cancelled: number;
  failed: number;
  /** Of the turns, from 0 to 1. */
  cancelRate: number;
  failureRate: number;
  steps: number;
  tokens: { input: number; output: number; cached: number };
  /** By name. */
  tools: Record<string, ToolFigures>;
  mcp: DurationFigures & { failed: number };
  approvals: { asked: number; denied: number };
  /** From the beginning of a turn to the first word of the answer. */
  firstToken: DurationFigures;
}

export interface MetricsSnapshot {
  /** Everything since the session began, closed conversations included. */
  session: Figures;
  /** The conversations that are open. */
  conversations: Record<ConversationId, Figures>;
}

export interface TurnCount {
  outcome: TurnOutcome;
  steps: number;
  usage: TokenUsage;
  /** Milliseconds until the first word of the answer; absent where there was none. */
  firstToken?: number;
}

export class Metrics {
  readonly #session = new Tally();
  readonly #conversations = new Map<ConversationId, Tally>();

  /** A turn has ended, one way or another. */
  countTurn(conversationId: ConversationId, turn: TurnCount): void {
    this.#count(conversationId, (tally) => tally.addTurn(turn));
  }

  countFirstToken(conversationId: ConversationId, milliseconds: number): void {
    this.#count(conversationId, (tally) => tally.firstToken.add(milliseconds));
  }

  countToolCall(conversationId: ConversationId, tool: string, failed: boolean): void {
    this.#count(conversationId, (tally) => tally.addToolCall(tool, failed));
  }

  countMcpCall(conversationId: ConversationId, call: { milliseconds: number; ok: boolean }): void {
    this.#count(conversationId, (tally) => tally.addMcpCall(call.milliseconds, call.ok));
  }

  /** A decision about something that needed permission; `asked` where a person was asked. */
  countApproval(conversationId: ConversationId, approval: { asked: boolean; denied: boolean }): void {
    this.#count(conversationId, (tally) => tally.addApproval(approval.asked, approval.denied));
  }

  /** The figures of one open conversation; all zero where nothing was counted yet. */
  get(conversationId: ConversationId): Figures {
    return (this.#conversations.get(conversationId) ?? new Tally()).figures();
  }

  snapshot(): MetricsSnapshot {
    const conversations = Object.fromEntries([...this.#conversations].map(([id, tally]) => [id, tally.figures()]));
    return { session: this.#session.figures(), conversations };
  }

  /** Lets go of a conversation's own figures and returns them; the session's go on to include them. */
  close(conversationId: ConversationId): Figures {
    const figures = this.get(conversationId);
    this.#conversations.delete(conversationId);
    return figures;
  }

  #count(conversationId: ConversationId, add: (tally: Tally) => void): void {
    let tally = this.#conversations.get(conversationId);
    if (!tally) {
      tally = new Tally();
      this.#conversations.set(conversationId, tally);
      // Something may be counted late, after the close: the oldest make room.
      const [oldest] = this.#conversations.keys();
      if (oldest !== undefined && this.#conversations.size > mostConversations) this.#conversations.delete(oldest);
    }
    add(tally);
    add(this.#session);
  }
}

class Tally {
  readonly firstToken = new DurationHistogram();
  readonly #mcp = new DurationHistogram();
  readonly #tools = new Map<string, ToolFigures>();
  readonly #outcomes: Record<TurnOutcome, number> = { done: 0, cancelled: 0, failed: 0 };
  readonly #tokens = { input: 0, output: 0, cached: 0 };
  #steps = 0;
  #mcpFailed = 0;
  #asked = 0;
  #denied = 0;

  addTurn({ outcome, steps, usage, firstToken }: TurnCount): void {
    this.#outcomes[outcome] += 1;
    this.#steps += steps;
    this.#tokens.input += usage.inputTokens ?? 0;
    this.#tokens.output += usage.outputTokens ?? 0;
    this.#tokens.cached += usage.cachedTokens ?? 0;
    if (firstToken !== undefined) this.firstToken.add(firstToken);
  }

  addToolCall(tool: string, failed: boolean): void {
    const name = this.#tools.has(tool) || this.#tools.size < mostTools ? tool : otherTools;
    const figures = this.#tools.get(name) ?? { calls: 0, failed: 0 };
    this.#tools.set(name, { calls: figures.calls + 1, failed: figures.failed + (failed ? 1 : 0) });
  }

  addMcpCall(milliseconds: number, ok: boolean): void {
    this.#mcp.add(milliseconds);
    if (!ok) this.#mcpFailed += 1;
  }

  addApproval(asked: boolean, denied: boolean): void {
    if (asked) this.#asked += 1;
    if (denied) this.#denied += 1;
  }

  figures(): Figures {
    const { done, cancelled, failed } = this.#outcomes;
    const turns = done + cancelled + failed;
    return {
      turns,
      cancelled,
      failed,
      cancelRate: turns === 0 ? 0 : cancelled / turns,
      failureRate: turns === 0 ? 0 : failed / turns,
      steps: this.#steps,
      tokens: { ...this.#tokens },
      tools: Object.fromEntries([...this.#tools].map(([name, figures]) => [name, { ...figures }])),
      mcp: { ...this.#mcp.figures(), failed: this.#mcpFailed },
      approvals: { asked: this.#asked, denied: this.#denied },
      firstToken: this.firstToken.figures(),
    };
  }
}
