// A conversation at work: its own history, input, tools, model and policy, on the session's shared parts. It holds the right to
// write for as long as it is open. State changes are synchronous; whatever has to wait works on a snapshot.
import { settlesWithin } from '../base/settles-within.ts';
import type { NewEntry } from '../model/entry.ts';
import { ContinuoError } from '../model/error.ts';
import { type ConversationId, createTaskId, type EntryId, type TaskId } from '../model/id.ts';
import type { FinishReason, TextModel, TokenUsage } from '../model/ports/text-model.ts';
import type { Tool, ToolSpec } from '../model/ports/tool.ts';
import type { StoragePolicy } from '../model/storage-policy.ts';
import type { Lease } from '../store/lease.ts';
import type { McpView } from '../tools/mcp/mcp-view.ts';
import { createToolRegistry, type ToolRegistry } from '../tools/registry.ts';
import { type AgentError, toAgentError } from './agent-error.ts';
import type { ApprovalRequest } from './approvals/approvals.ts';
import { type Compaction, isCompacted, planCompaction, readMaterial, type Uncompaction } from './history/compaction.ts';
import { compactionUndo } from './history/compaction-mark.ts';
import { tokensOf } from './history/history-segment.ts';
import type { HistoryLimits, HistoryStore, PlacedItem } from './history/history-store.ts';
import { loadHistory, saidDuringTurn } from './history/load-history.ts';
import type { Summarise } from './history/summarise.ts';
import { type MessageEntry, type MessageInput, toMessageEntry } from './message-input.ts';
import { RolloutRecorder } from './rollout/rollout-recorder.ts';
import { type EventBody, type EventOrigin, formatSubId } from './runtime-event.ts';
import type { SessionParts } from './session-parts.ts';
import { createSpanId, createTraceId } from './trace-id.ts';
import { relayAbort } from './turn/turn-abort.ts';
import type { TurnContext } from './turn/turn-context.ts';
import { createTally, runTurn, type TurnTally } from './turn/turn-loop.ts';

export interface MessageOptions {
  /** Cancels the turn: the model call, the running command and the MCP call. */
  signal?: AbortSignal;
  /** Ends the turn after so many milliseconds with the code `timeout`. */
  timeout?: number;
}

/** How long something may take before people are told what is waited for, in milliseconds. */
const silentWait = 2000;

/** What a turn came to. */
export interface FinalOutput {
  text: string;
  turnId: string;
  taskId: TaskId;
  traceId: string;
  finish?: FinishReason;
  usage: Required<TokenUsage>;
  steps: number;
  toolCalls: number;
  milliseconds: number;
  /** What the turn left in the log. */
  entries: EntryId[];
}

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

interface RunningTurn {
  turnId: string;
  taskId: TaskId;
  /** What its events carry. */
  origin: Required<Pick<EventOrigin, 'taskId' | 'traceId' | 'spanId' | 'subId'>>;
  abort: AbortController;
  startedAt: number;
  milliseconds?: number;
  /** False once the turn has decided to end: what is said then starts a turn of its own. */
  takesInput: boolean;
  /** Its beginning is in the log, so its end must be too. */
  isRecorded: boolean;
  tally: TurnTally;
  entries: EntryId[];
  output: Promise<FinalOutput>;
}

export class Conversation {
  readonly id: ConversationId;
  readonly policy: StoragePolicy;
  readonly #session: SessionParts;
  readonly #parts: ConversationParts;
  readonly #recorder: RolloutRecorder;
  #history: HistoryStore;
  #model: TextModel;
  readonly #warned = new Set<string>();
  #pending: PlacedItem[] = [];
  #turn: RunningTurn | undefined;
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
    return (await this.#loadTools()).specs;
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

  async #joinTurn({ turnId }: RunningTurn, entry: MessageEntry): Promise<FinalOutput> {
    this.#pending.push(...(await this.#recorder.record([{ ...entry, turnId, meta: { [saidDuringTurn]: true } }])));
    // The turn may have come to its end meanwhile: then the words, which are saved, begin the next one.
    const current = this.#turn;
    return current?.takesInput ? current.output : this.#startTurn(undefined, {});
  }

  /** Without input the turn takes up what is pending. */
  #startTurn(entry: MessageEntry | undefined, options: MessageOptions): Promise<FinalOutput> {
    const startedAt = this.#session.clock();
    const taskId = createTaskId(startedAt);
    const subId = formatSubId(this.id, taskId);
    const abort = new AbortController();
    this.#session.tasks.insert({ taskId, conversationId: this.id, subId, startedAt, owner: new WeakRef(this), abort });
    const turn: RunningTurn = {
      turnId: `trn_${taskId.slice(4)}`,
      taskId,
      origin: { taskId, traceId: createTraceId(), spanId: createSpanId(), subId },
      abort,
      startedAt,
      takesInput: true,
      isRecorded: false,
      tally: createTally(),
      entries: [],
      output: undefined as never,
    };
    this.#turn = turn;
    turn.output = this.#runTurn(turn, entry, options);
    return turn.output;
  }

  async #runTurn(turn: RunningTurn, entry: MessageEntry | undefined, options: MessageOptions): Promise<FinalOutput> {
    const { abort } = turn;
    const stopListening = relayAbort(abort, { ...options, lost: this.#parts.lease.lost });
    const emit = this.#createEmitter(turn);
    let error: AgentError | undefined;
    try {
      await this.#beginTurn(turn, entry, emit);
      await runTurn(await this.#createContext(turn, emit), turn.tally);
    } catch (caught) {
      error = toAgentError(abort.signal.aborted ? abort.signal.reason : caught);
    }
    stopListening();
    error = await this.#endTurn(turn, error, emit);
    this.#summariseLater();
    if (error) throw error;
    const { turnId, taskId, origin, tally, entries, milliseconds = 0 } = turn;
    const { text, usage, steps, toolCalls, finish } = tally;
    const { traceId } = origin;
    return { text, turnId, taskId, traceId, usage, steps, toolCalls, milliseconds, entries, ...(finish && { finish }) };
  }

  async #beginTurn(turn: RunningTurn, entry: MessageEntry | undefined, emit: TurnContext['emit']): Promise<void> {
    const { flight } = this.#session;
    const { turnId, taskId, abort } = turn;
    const said: NewEntry[] = entry === undefined ? [] : [{ ...entry, turnId }];
    const start: NewEntry = { kind: 'event', name: 'turn-start', text: '', turnId };
    // The words are saved at once also when another conversation has the turn; mostly nobody has, and one commit holds both.
    const isFree = flight.tryAcquire(taskId);
    this.#show(await this.#record(turn, isFree ? [...said, start] : said), emit);
    if (!isFree) {
      await flight.acquire(taskId, abort.signal);
      await this.#record(turn, [start]);
    }
    turn.isRecorded = true;
    await emit({ type: 'turn-start', turnId });
  }

  /** Gives the turn free on every way out, and returns what it failed with. */
  async #endTurn(turn: RunningTurn, failure: AgentError | undefined, emit: TurnContext['emit']): Promise<AgentError | undefined> {
    const { flight, tasks, clock, metrics } = this.#session;
    const { turnId, taskId, tally } = turn;
    // From here on nobody joins: a word said now starts a turn of its own, behind this one.
    turn.takesInput = false;
    if (this.#turn === turn) this.#turn = undefined;
    const milliseconds = clock() - turn.startedAt;
    turn.milliseconds = milliseconds;
    let error = failure;
    try {
      if (turn.isRecorded) await this.#recordEnd(turn, milliseconds, error);
    } catch (caught) {
      error ??= toAgentError(caught);
    } finally {
      tasks.remove(taskId);
      flight.release(taskId);
    }
    const outcome = error === undefined ? 'done' : error.kind === 'cancelled' ? 'cancelled' : 'failed';
    const { text, usage, steps, toolCalls, firstToken } = tally;
    metrics.countTurn(this.id, { outcome, steps, usage, ...(firstToken !== undefined && { firstToken }) });
    const told = error && { error: { code: error.code, message: error.message, details: error.details, kind: error.kind } };
    await emit({ type: 'turn-end', turnId, outcome, text, usage, steps, toolCalls, milliseconds, ...told });
    return error;
  }

  /** A subscriber that is waited for must not hold a turn that is to stop. */
  #createEmitter({ origin, abort: { signal } }: RunningTurn): TurnContext['emit'] {
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    return (body) => {
      const room = this.tell(body, origin);
      return room === undefined || signal.aborted ? undefined : Promise.race([room, aborted]);
    };
  }

  async #createContext(turn: RunningTurn, emit: TurnContext['emit']): Promise<TurnContext> {
    const { instructions, maxSteps } = this.#parts;
    const { turnId, abort } = turn;
    const currentModel = () => this.#model;
    return {
      conversationId: this.id,
      turnId,
      get model() {
        return currentModel();
      },
      ...(instructions !== undefined && { instructions }),
      tools: await this.#loadTools(abort.signal),
      history: this.#history,
      signal: abort.signal,
      maxSteps,
      emit,
      record: async (said, options) => this.#show(await this.#record(turn, said, options), emit),
      recordDraft: (text) =>
        this.#recorder.recordDraft({
          kind: 'message',
          role: 'assistant',
          text,
          model: this.#model.id,
          turnId,
          interrupted: true,
        }),
      drainInput: () => this.#drainInput(turnId, emit),
      endInput: () => {
        turn.takesInput = this.#pending.length > 0;
        return !turn.takesInput;
      },
      approve: (request) => this.#approve(request, turnId),
      countToolCall: (tool, failed) => this.#session.metrics.countToolCall(this.id, tool, failed),
    };
  }

  async #drainInput(turnId: string, emit: TurnContext['emit']): Promise<boolean> {
    const waiting = this.#pending.splice(0);
    if (waiting.length === 0) return false;
    await this.#recorder.record([{ kind: 'event', name: 'input-drain', text: '', counts: { messages: waiting.length }, turnId }]);
    this.#show(waiting, emit);
    await emit({ type: 'input-drain', count: waiting.length });
    return true;
  }

  async #approve(request: ApprovalRequest, turnId: string): Promise<boolean> {
    const { approvals, metrics } = this.#session;
    const { decision, by } = await approvals.decide(request);
    metrics.countApproval(this.id, { asked: by === 'person', denied: decision === 'denied' });
    const { callId, tool, access } = request;
    const meta = { callId, tool, by };
    await this.#recorder.record([{ kind: 'event', name: 'tool-approval', code: decision, text: access.summary, turnId, meta }]);
    return decision === 'allowed';
  }

  async #record(turn: RunningTurn, said: readonly NewEntry[], options: { endsDraft?: boolean } = {}): Promise<PlacedItem[]> {
    if (said.length === 0) return [];
    const placed = await this.#recorder.record(said, options);
    for (const { id } of placed) if (id !== undefined) turn.entries.push(id);
    return placed;
  }

  /** Lets the model see them from now on. */
  #show(placed: readonly PlacedItem[], emit: TurnContext['emit']): void {
    const spoken = placed.filter(
      ({ item }) => item.kind === 'message' || item.kind === 'tool-call' || item.kind === 'tool-result',
    );
    const trim = this.#history.append(spoken);
    if (trim) void emit({ type: 'history-trim', ...trim });
  }

  async #recordEnd(turn: RunningTurn, milliseconds: number, error: AgentError | undefined): Promise<void> {
    const { turnId, tally } = turn;
    const counts = { steps: tally.steps, toolCalls: tally.toolCalls, milliseconds, ...tally.usage };
    const text = error?.message ?? '';
    await this.#record(turn, [{ kind: 'event', name: 'turn-end', code: error?.code ?? 'done', counts, text, turnId }]);
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

  async #loadTools(signal?: AbortSignal): Promise<ToolRegistry> {
    const { builtinTools, mcp } = this.#parts;
    if (!mcp) return createToolRegistry(builtinTools, []);
    const patience = setTimeout(() => {
      for (const server of mcp.starting()) this.#warnOnce(new ContinuoError('mcp-waiting', { server }));
    }, silentWait);
    try {
      const tools = await mcp.tools(signal);
      // A server that does not answer costs its tools, not the turn.
      for (const { server, reason, code } of mcp.problems())
        this.#warnOnce(new ContinuoError(code === undefined ? 'mcp-remark' : 'mcp-failed', { server, reason }));
      return createToolRegistry(builtinTools, tools);
    } finally {
      clearTimeout(patience);
    }
  }

  /** A server that stays away gives another reason every time, and is told of once; remarks about it are told each. */
  #warnOnce({ code, message, details }: ContinuoError): void {
    const subject = code === 'mcp-remark' ? message : `${code} ${details.server}`;
    if (this.#warned.has(subject)) return;
    this.#warned.add(subject);
    void this.tell({ type: 'warning', code, message, details });
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
      await this.#parts.mcp?.release();
    } finally {
      await this.#parts.lease.release();
      approvals.forget(this.id);
      metrics.close(this.id);
      this.#parts.onClosed();
      await this.tell({ type: 'conversation-close', forced });
    }
  }
}
