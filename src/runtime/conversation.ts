// A conversation at work: its own history, input, tools, model and policy, on the session's shared parts. It holds the right to
// write for as long as it is open. State changes are synchronous; whatever has to wait works on a snapshot.
import { settlesWithin } from '../base/settles-within.ts';
import type { NewEntry } from '../model/entry.ts';
import { ContinuoError } from '../model/error.ts';
import type { ConversationId } from '../model/id.ts';
import type { TextModel } from '../model/ports/text-model.ts';
import type { Tool, ToolSpec } from '../model/ports/tool.ts';
import type { StoragePolicy } from '../model/storage-policy.ts';
import type { Lease } from '../store/lease.ts';
import type { McpView } from '../tools/mcp/mcp-view.ts';
import { toAgentError } from './agent-error.ts';
import { ConversationTools } from './conversation-tools.ts';
import { type Compaction, isCompacted, planCompaction, readMaterial, type Uncompaction } from './history/compaction.ts';
import { compactionUndo } from './history/compaction-mark.ts';
import { tokensOf } from './history/history-segment.ts';
import type { HistoryLimits, HistoryStore, PlacedItem } from './history/history-store.ts';
import { loadHistory, saidDuringTurn } from './history/load-history.ts';
import type { Summarise } from './history/summarise.ts';
import { type MessageEntry, type MessageInput, toMessageEntry } from './message-input.ts';
import { RolloutRecorder } from './rollout/rollout-recorder.ts';
import type { EventBody, EventOrigin } from './runtime-event.ts';
import type { SessionParts } from './session-parts.ts';
import { type FinalOutput, type MessageOptions, Turn, type TurnHost } from './turn/turn.ts';

export interface ConversationParts {
  id: ConversationId;
  policy: StoragePolicy;
  model: TextModel;
  instructions?: string;
  builtinTools: readonly Tool[];
  mcp?: McpView;
  history: HistoryStore;
  lease: Lease;
  summarise?: Summarise;
  maxSteps: number;
  closeTimeout: number;
  onClosed(): void;
}

export class Conversation {
  readonly id: ConversationId;
  readonly policy: StoragePolicy;
  readonly #session: SessionParts;
  readonly #parts: ConversationParts;
  readonly #recorder: RolloutRecorder;
  #history: HistoryStore;
  #model: TextModel;
  readonly #tools: ConversationTools;
  readonly #pending: PlacedItem[] = [];
  #turn: Turn | undefined;
  /** The history is being read or exchanged: nobody may speak meanwhile. */
  #changing: Promise<unknown> | undefined;
  #closing: Promise<void> | undefined;

  constructor(session: SessionParts, parts: ConversationParts) {
    this.id = parts.id;
    this.policy = parts.policy;
    this.#session = session;
    this.#parts = parts;
    this.#history = parts.history;
    this.#model = parts.model;
    this.#recorder = new RolloutRecorder(session.store, parts.id, (entry) => this.tell({ type: 'entry-append', entry }));
    this.#tools = new ConversationTools(parts.builtinTools, parts.mcp, ({ code, message, details }) => {
      void this.tell({ type: 'warning', code, message, details });
    });
  }

  get model(): TextModel {
    return this.#model;
  }

  /** From the next step on, another model answers. */
  set model(model: TextModel) {
    this.#model = model;
  }

  get isRunning(): boolean {
    return this.#turn !== undefined;
  }

  /** What the next model call would be shown of the past. */
  get history(): { items: number; tokens: number; dropped: number; limits: HistoryLimits } {
    const { items, tokens, dropped, limits } = this.#history;
    return { items, tokens, dropped, limits };
  }

  /** The tools a model is told about, always in the same order. */
  async listTools(): Promise<readonly ToolSpec[]> {
    return (await this.#tools.load()).specs;
  }

  /**
   * Saves the words, has them answered and resolves with the settled answer. Said while a turn of this conversation is at work,
   * they go into that turn's next step. Rejects with an AgentError; what had been said by then is saved.
   */
  async message(input: MessageInput, options: MessageOptions = {}): Promise<FinalOutput> {
    while (this.#changing !== undefined) await this.#changing.catch(() => undefined);
    if (this.#closing !== undefined) throw new ContinuoError('conversation-closed', { id: this.id });
    const entry = toMessageEntry(input);
    const turn = this.#turn;
    return turn?.takesInput ? this.#joinTurn(turn, entry) : this.#startTurn(entry, options);
  }

  /** Stops the turn at work; false where there is none. */
  cancel(): boolean {
    return this.#turn !== undefined && this.#session.tasks.cancel(this.#turn.taskId, new ContinuoError('cancelled'));
  }

  /** Shows the model more or less of the past. What was trimmed comes back from the log. */
  async setHistoryLimits(limits: HistoryLimits): Promise<void> {
    this.#assertIdle();
    await this.#exchangeHistory(undefined, limits);
  }

  /**
   * Has a summary stand for everything said so far in what a model is shown; undefined where nothing was said since the last. The log
   * keeps all of it, and {@link uncompact} shows it again.
   */
  async compact({ signal }: { signal?: AbortSignal } = {}): Promise<Compaction | undefined> {
    this.#assertIdle();
    const { summarise } = this.#parts;
    const { limits } = this.#history;
    const onSummariserFailed = (error: unknown) => this.#warnOf(error);
    const material = await this.#alone(() => readMaterial(this.#session.store, this.id, limits));
    const planned = await planCompaction(material, { summarise, signal, onSummariserFailed });
    if (!planned) return undefined;
    const { entry, ...facts } = planned;
    return { ...facts, ...(await this.#exchangeHistory(entry, limits)) };
  }

  /** Shows the model what was said as if no summary had taken its place, as far as the limits reach; undefined where none had. */
  async uncompact(): Promise<Uncompaction | undefined> {
    this.#assertIdle();
    const { limits } = this.#history;
    if (!(await isCompacted(this.#session.store, this.id, limits))) return undefined;
    const figures = await this.#exchangeHistory(compactionUndo, limits);
    return { items: this.#history.items, ...figures };
  }

  /** Cancels what runs and waits for it, at most the given time; then it is cut off and that is recorded. Safe to call again. */
  close(options: { timeout?: number } = {}): Promise<void> {
    this.#closing ??= this.#close(options.timeout ?? this.#parts.closeTimeout);
    return this.#closing;
  }

  /** Publishes something about this conversation, and about its turn while one is at work. */
  tell(body: EventBody, origin: Partial<EventOrigin> = this.#turn?.origin ?? {}): void | Promise<void> {
    const { events, sessionId, clock } = this.#session;
    return events.publish({ at: clock(), sessionId, conversationId: this.id, ...origin, ...body });
  }

  #assertIdle(): void {
    if (this.#turn) throw new ContinuoError('conversation-busy', { id: this.id });
  }

  /** Notes the entry down and shows the model what the log then says is to be shown. */
  #exchangeHistory(
    entry: NewEntry | undefined,
    limits: HistoryLimits,
  ): Promise<Pick<Compaction, 'tokensBefore' | 'tokensAfter'>> {
    return this.#alone(async () => {
      const tokensBefore = this.#countShownTokens();
      if (entry) await this.#recorder.record([entry]);
      const keepsDropped = this.#parts.summarise !== undefined;
      this.#history = (await loadHistory(this.#session.store, this.id, limits, { keepsDropped })).history;
      return { tokensBefore, tokensAfter: this.#countShownTokens() };
    });
  }

  /** Does something short while nobody speaks; a turn at work ends first, and what is said meanwhile waits. */
  async #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let busy = this.#busyWith(); busy !== undefined; busy = this.#busyWith()) await busy.catch(() => undefined);
    const working = work();
    this.#changing = working;
    try {
      return await working;
    } finally {
      this.#changing = undefined;
    }
  }

  #busyWith(): Promise<unknown> | undefined {
    return this.#turn === undefined ? this.#changing : this.#turn.output;
  }

  #countShownTokens(): number {
    let tokens = 0;
    for (const item of this.#history.buildView()) tokens += tokensOf(item);
    return tokens;
  }

  async #joinTurn({ turnId }: Turn, entry: MessageEntry): Promise<FinalOutput> {
    this.#pending.push(...(await this.#recorder.record([{ ...entry, turnId, meta: { [saidDuringTurn]: true } }])));
    // The turn may have come to its end meanwhile: then the words, which are saved, begin the next one.
    const current = this.#turn;
    return current?.takesInput ? current.output : this.#startTurn(undefined, {});
  }

  /** Without input the turn takes up what is pending. */
  #startTurn(entry: MessageEntry | undefined, options: MessageOptions): Promise<FinalOutput> {
    const turn = new Turn(this.#session, this.#asTurnHost(), entry, options);
    this.#turn = turn;
    return turn.output;
  }

  #asTurnHost(): TurnHost {
    const { id, instructions, maxSteps, lease } = this.#parts;
    const currentModel = () => this.#model;
    return {
      id,
      owner: this,
      get model() {
        return currentModel();
      },
      instructions,
      maxSteps,
      recorder: this.#recorder,
      pending: this.#pending,
      lost: lease.lost,
      shownHistory: () => this.#history,
      loadTools: (signal) => this.#tools.load(signal),
      tell: (body, origin) => this.tell(body, origin),
      onEnding: (turn) => {
        if (this.#turn === turn) this.#turn = undefined;
      },
      onEnded: () => this.#summariseLater(),
    };
  }

  /** A summary of what was trimmed, in the background: no turn waits for it, and a failure only means there is none. */
  #summariseLater(): void {
    const { summarise } = this.#parts;
    const dropped = summarise && this.#history.takeDropped();
    if (!summarise || !dropped) return;
    const history = this.#history;
    const work = async () => {
      const text = await summarise(dropped);
      await this.#recorder.record([{ kind: 'summary', text, covers: { from: dropped.from, to: dropped.to } }]);
      history.summarise(text);
    };
    work().catch((error: unknown) => this.#warnOf(error));
  }

  #warnOf(error: unknown): void {
    const { code, message, details } = toAgentError(error);
    if (this.#closing === undefined) void this.tell({ type: 'warning', code, message, details });
  }

  async #close(timeout: number): Promise<void> {
    const turn = this.#turn;
    const { flight, tasks, approvals, metrics } = this.#session;
    let forced = false;
    if (turn) {
      tasks.cancel(turn.taskId, new ContinuoError('cancelled'));
      forced = !(await settlesWithin(turn.output, timeout));
    }
    if (forced)
      await this.#recorder.record([{ kind: 'event', name: 'conversation-close', code: 'forced', text: '' }]).catch(() => {});
    this.#recorder.stop();
    if (turn) {
      tasks.remove(turn.taskId);
      flight.release(turn.taskId);
    }
    try {
      await this.#tools.release();
    } finally {
      await this.#parts.lease.release();
      approvals.forget(this.id);
      metrics.close(this.id);
      this.#parts.onClosed();
      await this.tell({ type: 'conversation-close', forced });
    }
  }
}
