// One turn of a conversation, from the words that begin it to the record of its end. However it ends, it gives back what it took: its
// place among the tasks and the session's single flight.
import type { NewEntry } from '../../model/entry.ts';
import { type ConversationId, createTaskId, type EntryId, type TaskId } from '../../model/id.ts';
import type { FinishReason, TextModel, TokenUsage } from '../../model/ports/text-model.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import { type AgentError, toAgentError } from '../agent-error.ts';
import type { ApprovalRequest } from '../approvals/approvals.ts';
import type { HistoryStore, PlacedItem } from '../history/history-store.ts';
import type { MessageEntry } from '../message-input.ts';
import type { RolloutRecorder } from '../rollout/rollout-recorder.ts';
import { type EventBody, type EventOrigin, formatSubId } from '../runtime-event.ts';
import type { SessionParts } from '../session-parts.ts';
import { createSpanId, createTraceId } from '../trace-id.ts';
import { relayAbort } from './turn-abort.ts';
import type { TurnContext } from './turn-context.ts';
import { createTally, runTurn, type TurnTally } from './turn-loop.ts';

export interface MessageOptions {
  /** Cancels the turn: the model call, the running command and the MCP call. */
  signal?: AbortSignal;
  /** Ends the turn after so many milliseconds with the code `timeout`. */
  timeout?: number;
}

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

/** The conversation, as its turn sees it. What may change while the turn is at work is asked for each time. */
export interface TurnHost {
  readonly id: ConversationId;
  /** Whom the list of tasks names, without holding it. */
  readonly owner: object;
  readonly model: TextModel;
  readonly instructions?: string | undefined;
  readonly maxSteps: number;
  readonly recorder: RolloutRecorder;
  /** What was said while a turn was at work: saved, and not shown to a model yet. */
  readonly pending: PlacedItem[];
  /** Aborted when somebody else became the writer. */
  readonly lost: AbortSignal;
  shownHistory(): HistoryStore;
  loadTools(signal: AbortSignal): Promise<ToolRegistry>;
  tell(body: EventBody, origin: Partial<EventOrigin>): void | Promise<void>;
  /** The turn takes no more words; what is left of it is its record. */
  onEnding(turn: Turn): void;
  onEnded(): void;
}

type Emit = TurnContext['emit'];

export class Turn {
  readonly turnId: string;
  readonly taskId: TaskId;
  /** What its events carry. */
  readonly origin: Required<Pick<EventOrigin, 'taskId' | 'traceId' | 'spanId' | 'subId'>>;
  /** Settles when the turn has ended and that is recorded. */
  readonly output: Promise<FinalOutput>;
  readonly #host: TurnHost;
  readonly #session: SessionParts;
  readonly #abort = new AbortController();
  readonly #stopListening: () => void;
  readonly #startedAt: number;
  readonly #tally: TurnTally = createTally();
  readonly #entries: EntryId[] = [];
  #takesInput = true;
  /** Its beginning is in the log, so its end must be too. */
  #isRecorded = false;

  /** Without words it takes up what is pending. It is at work from now on. */
  constructor(session: SessionParts, host: TurnHost, entry: MessageEntry | undefined, options: MessageOptions) {
    this.#session = session;
    this.#host = host;
    this.#stopListening = relayAbort(this.#abort, { ...options, lost: host.lost });
    this.#startedAt = session.clock();
    this.taskId = createTaskId(this.#startedAt);
    this.turnId = `trn_${this.taskId.slice(4)}`;
    const { taskId } = this;
    const subId = formatSubId(host.id, taskId);
    this.origin = { taskId, traceId: createTraceId(), spanId: createSpanId(), subId };
    session.tasks.insert({
      taskId,
      conversationId: host.id,
      subId,
      startedAt: this.#startedAt,
      owner: new WeakRef(host.owner),
      abort: this.#abort,
    });
    this.output = this.#run(entry);
  }

  /** False once the turn has decided to end: what is said then starts a turn of its own. */
  get takesInput(): boolean {
    return this.#takesInput;
  }

  async #run(entry: MessageEntry | undefined): Promise<FinalOutput> {
    const { signal } = this.#abort;
    const emit = this.#createEmitter();
    let failure: AgentError | undefined;
    try {
      await this.#begin(entry, emit);
      await runTurn(await this.#createContext(emit), this.#tally);
    } catch (caught) {
      failure = toAgentError(signal.aborted ? signal.reason : caught);
    }
    this.#stopListening();
    const milliseconds = await this.#end(failure, emit).finally(() => this.#host.onEnded());
    const { text, usage, steps, toolCalls, finish } = this.#tally;
    const { turnId, taskId } = this;
    const { traceId } = this.origin;
    const entries = this.#entries;
    return { text, turnId, taskId, traceId, usage, steps, toolCalls, milliseconds, entries, ...(finish && { finish }) };
  }

  async #begin(entry: MessageEntry | undefined, emit: Emit): Promise<void> {
    const { flight } = this.#session;
    const { turnId, taskId } = this;
    const said: NewEntry[] = entry === undefined ? [] : [{ ...entry, turnId }];
    const start: NewEntry = { kind: 'event', name: 'turn-start', text: '', turnId };
    // The words are saved at once also when another conversation has the turn; mostly nobody has, and one commit holds both.
    const isFree = flight.tryAcquire(taskId);
    this.#show(await this.#record(isFree ? [...said, start] : said), emit);
    if (!isFree) {
      await flight.acquire(taskId, this.#abort.signal);
      await this.#record([start]);
    }
    this.#isRecorded = true;
    await emit({ type: 'turn-start', turnId });
  }

  /** Gives the turn free on every way out. Returns how long it took, or throws what it failed with. */
  async #end(failure: AgentError | undefined, emit: Emit): Promise<number> {
    const { flight, tasks, clock, metrics } = this.#session;
    const { turnId, taskId } = this;
    // From here on nobody joins: a word said now starts a turn of its own, behind this one.
    this.#takesInput = false;
    this.#host.onEnding(this);
    const milliseconds = clock() - this.#startedAt;
    let error = failure;
    try {
      if (this.#isRecorded) await this.#recordEnd(milliseconds, error);
    } catch (caught) {
      error ??= toAgentError(caught);
    } finally {
      tasks.remove(taskId);
      flight.release(taskId);
    }
    const outcome = error === undefined ? 'done' : error.kind === 'cancelled' ? 'cancelled' : 'failed';
    const { text, usage, steps, toolCalls, firstToken } = this.#tally;
    metrics.countTurn(this.#host.id, { outcome, steps, usage, ...(firstToken !== undefined && { firstToken }) });
    const told = error && { error: { code: error.code, message: error.message, details: error.details, kind: error.kind } };
    await emit({ type: 'turn-end', turnId, outcome, text, usage, steps, toolCalls, milliseconds, ...told });
    if (error) throw error;
    return milliseconds;
  }

  /** A subscriber that is waited for must not hold a turn that is to stop. */
  #createEmitter(): Emit {
    const { signal } = this.#abort;
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    return (body) => {
      const room = this.#host.tell(body, this.origin);
      return room === undefined || signal.aborted ? undefined : Promise.race([room, aborted]);
    };
  }

  async #createContext(emit: Emit): Promise<TurnContext> {
    const { turnId } = this;
    const { signal } = this.#abort;
    const host = this.#host;
    const { id, instructions, maxSteps, recorder } = host;
    return {
      conversationId: id,
      turnId,
      get model() {
        return host.model;
      },
      ...(instructions !== undefined && { instructions }),
      tools: await host.loadTools(signal),
      history: host.shownHistory(),
      signal,
      maxSteps,
      emit,
      record: async (said, options) => this.#show(await this.#record(said, options), emit),
      recordDraft: (text) =>
        recorder.recordDraft({ kind: 'message', role: 'assistant', text, model: host.model.id, turnId, interrupted: true }),
      drainInput: () => this.#drainInput(emit),
      endInput: () => {
        this.#takesInput = host.pending.length > 0;
        return !this.#takesInput;
      },
      approve: (request) => this.#approve(request),
      countToolCall: (tool, failed) => this.#session.metrics.countToolCall(id, tool, failed),
    };
  }

  async #drainInput(emit: Emit): Promise<boolean> {
    const { pending, recorder } = this.#host;
    const { turnId } = this;
    const waiting = pending.splice(0);
    if (waiting.length === 0) return false;
    await recorder.record([{ kind: 'event', name: 'input-drain', text: '', counts: { messages: waiting.length }, turnId }]);
    this.#show(waiting, emit);
    await emit({ type: 'input-drain', count: waiting.length });
    return true;
  }

  async #approve(request: ApprovalRequest): Promise<boolean> {
    const { approvals, metrics } = this.#session;
    const { id, recorder } = this.#host;
    const { turnId } = this;
    const { decision, by } = await approvals.decide(request);
    metrics.countApproval(id, { asked: by === 'person', denied: decision === 'denied' });
    const { callId, tool, access } = request;
    const meta = { callId, tool, by };
    await recorder.record([{ kind: 'event', name: 'tool-approval', code: decision, text: access.summary, turnId, meta }]);
    return decision === 'allowed';
  }

  async #record(said: readonly NewEntry[], options: { endsDraft?: boolean } = {}): Promise<PlacedItem[]> {
    if (said.length === 0) return [];
    const placed = await this.#host.recorder.record(said, options);
    for (const { id } of placed) if (id !== undefined) this.#entries.push(id);
    return placed;
  }

  /** Lets the model see them from now on. */
  #show(placed: readonly PlacedItem[], emit: Emit): void {
    const spoken = placed.filter(
      ({ item }) => item.kind === 'message' || item.kind === 'tool-call' || item.kind === 'tool-result',
    );
    const trim = this.#host.shownHistory().append(spoken);
    if (trim) void emit({ type: 'history-trim', ...trim });
  }

  async #recordEnd(milliseconds: number, error: AgentError | undefined): Promise<void> {
    const { steps, toolCalls, usage } = this.#tally;
    const counts = { steps, toolCalls, milliseconds, ...usage };
    const text = error?.message ?? '';
    await this.#record([{ kind: 'event', name: 'turn-end', code: error?.code ?? 'done', counts, text, turnId: this.turnId }]);
  }
}
