// A running container of conversations that share events, approvals, MCP connections and the single flight. Each conversation has
// its own history, tools, model and policy. Whoever needs one conversation only uses the session as if it were that one.
import { type Clock, systemClock } from '../base/clock.ts';
import type { Conversation as ConversationRecord, NewConversation } from '../model/conversation.ts';
import { ContinuoError } from '../model/error.ts';
import { type ConversationId, createSessionId, type SessionId, type TaskId } from '../model/id.ts';
import type { TextModel } from '../model/ports/text-model.ts';
import type { Tool } from '../model/ports/tool.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import type { McpConnectionPool, McpViewOptions } from '../tools/mcp/mcp-pool.ts';
import { toAgentError } from './agent-error.ts';
import { SessionApprovals, type SessionApprovalsOptions } from './approvals/session-approvals.ts';
import { Conversation } from './conversation.ts';
import { EventBus } from './event-bus.ts';
import { defaultHistoryLimits, type HistoryLimits, HistoryStore } from './history/history-store.ts';
import { loadHistory } from './history/load-history.ts';
import type { Summarise } from './history/summarise.ts';
import type { MessageInput } from './message-input.ts';
import { Metrics } from './metrics.ts';
import { attachNotifier, type Notifier } from './notifier/notifier.ts';
import { recordInterruption, recoverDraft } from './recover-interrupted.ts';
import type { SessionParts } from './session-parts.ts';
import { SingleFlight } from './single-flight.ts';
import { TaskRegistry } from './task-registry.ts';
import type { FinalOutput, MessageOptions } from './turn/turn.ts';

const defaultMaxSteps = 100;
const defaultCloseTimeout = 5000;

/** What a conversation gets where it is not given something of its own. */
export interface ConversationDefaults {
  model: TextModel;
  /** Standing instructions for the model. */
  instructions?: string;
  /** In the order the model is told about them. */
  tools?: readonly Tool[];
  /** Which MCP servers it sees, and what of them. */
  mcp?: McpViewOptions;
  history?: Partial<HistoryLimits>;
  /** Writes a summary of what the history had to let go. */
  summarise?: Summarise;
  /** Calls of the model in one turn; default 100. */
  maxSteps?: number;
  /** How long closing waits for a turn that was cancelled, in milliseconds; default 5 seconds. */
  closeTimeout?: number;
}

export interface SessionOptions extends ConversationDefaults {
  store: ConversationStore;
  /** Who lets tools do what needs permission. Without it nothing of the kind is allowed. */
  approvals?: SessionApprovalsOptions;
  /** Tells a person about long turns that ended and about questions. */
  notifier?: Notifier;
  /** Connections to MCP servers, shared by the conversations. The session closes it. */
  mcpPool?: McpConnectionPool;
  clock?: Clock;
  /** How this session is named to others who want to write. */
  owner?: string;
  /** The conversation that is meant where none is named; made on first use if left out. */
  root?: OpenOptions;
}

export interface OpenOptions extends Partial<ConversationDefaults> {
  /** Goes on with a stored conversation, found by its id or key. */
  resume?: string;
  /** Data of a new conversation: title, project, policy; a function is asked when it is made. */
  create?: NewConversation | (() => Promise<NewConversation>);
  /** How long to wait for another writer to let go, in milliseconds. */
  waitForWriter?: number;
}

export class Session {
  readonly id: SessionId;
  readonly events: EventBus;
  readonly metrics: Metrics;
  readonly approvals: SessionApprovals;
  readonly #options: SessionOptions;
  readonly #parts: SessionParts;
  readonly #conversations = new Map<ConversationId, Conversation>();
  readonly #opening = new Map<ConversationId, Promise<Conversation>>();
  readonly #notices: { close(): Promise<void> } | undefined;
  #root: Promise<Conversation> | undefined;
  #closing: Promise<void> | undefined;

  private constructor(options: SessionOptions) {
    const clock = options.clock ?? systemClock;
    this.id = createSessionId(clock());
    this.events = new EventBus({ sessionId: this.id, clock });
    this.metrics = new Metrics();
    this.approvals = new SessionApprovals(options.approvals ?? {}, {
      store: options.store,
      clock,
      onRequest: ({ conversationId, signal: _signal, ...question }) =>
        this.find(conversationId)?.tell({ type: 'tool-approval-request', ...question }),
      onDecision: ({ conversationId, tool: _tool, ...decided }) =>
        this.find(conversationId)?.tell({ type: 'tool-approval', ...decided }),
      onProblem: (error) => this.#warn(error),
    });
    this.#notices = options.notifier && attachNotifier(this.events, options.notifier);
    this.#options = options;
    this.#parts = {
      sessionId: this.id,
      store: options.store,
      clock,
      events: this.events,
      flight: new SingleFlight(),
      tasks: new TaskRegistry(),
      approvals: this.approvals,
      metrics: this.metrics,
    };
  }

  static create(options: SessionOptions): Session {
    return new Session(options);
  }

  /** The conversation that is meant where none is named. */
  root(): Promise<Conversation> {
    this.#root ??= this.#openRoot();
    return this.#root;
  }

  /** Says something in the root conversation. */
  async message(input: MessageInput, options: MessageOptions = {}): Promise<FinalOutput> {
    return (await this.root()).message(input, options);
  }

  /** Opens a conversation: a new one, or a stored one to go on with. One that is open here already is returned as it is. */
  async open(options: OpenOptions = {}): Promise<Conversation> {
    this.#assertOpen();
    const { store } = this.#parts;
    const record = options.resume === undefined ? await this.#create(options.create) : await store.get(options.resume);
    const present = this.#conversations.get(record.id) ?? this.#opening.get(record.id);
    if (present) return present;
    const opening = this.#openRecord(record, options).finally(() => this.#opening.delete(record.id));
    this.#opening.set(record.id, opening);
    const conversation = await opening;
    if (this.#closing !== undefined) {
      await conversation.close();
      throw new ContinuoError('session-closed');
    }
    await conversation.tell({ type: 'conversation-open', resumed: options.resume !== undefined });
    return conversation;
  }

  find(id: ConversationId): Conversation | undefined {
    return this.#conversations.get(id);
  }

  get conversations(): readonly Conversation[] {
    return [...this.#conversations.values()];
  }

  /** The turn at work. */
  get running(): TaskId | undefined {
    return this.#parts.flight.running;
  }

  /** Stops a turn by its id; false where there is none. */
  cancel(taskId: TaskId): boolean {
    return this.#parts.tasks.cancel(taskId, new ContinuoError('cancelled'));
  }

  /** Closes every conversation, gives back the connections and ends the events. The store stays open: it is the caller's. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #create(create: OpenOptions['create']): Promise<ConversationRecord> {
    return this.#parts.store.create(typeof create === 'function' ? await create() : create);
  }

  async #openRoot(): Promise<Conversation> {
    try {
      return await this.open(this.#options.root);
    } catch (error) {
      this.#root = undefined;
      throw error;
    }
  }

  async #openRecord(record: ConversationRecord, options: OpenOptions): Promise<Conversation> {
    if (record.trashedAt !== undefined) throw new ContinuoError('conversation-trashed', { id: record.id });
    const { store } = this.#parts;
    const given: ConversationDefaults = { ...this.#options, ...options };
    const limits = { ...limitsFor(given.model), ...this.#options.history, ...options.history };
    const { owner } = this.#options;
    const wait = options.waitForWriter ?? 0;
    const lease = await store.acquireLease(record.id, { wait, ...(owner !== undefined && { owner }) });
    try {
      const history = await this.#loadHistory(record, limits, given.summarise !== undefined);
      const mcp = given.mcp && this.#options.mcpPool?.view(this.#withMetrics(given.mcp, record.id));
      const conversation = new Conversation(this.#parts, {
        id: record.id,
        policy: record.policy,
        model: given.model,
        builtinTools: given.tools ?? [],
        history,
        lease,
        maxSteps: given.maxSteps ?? defaultMaxSteps,
        closeTimeout: given.closeTimeout ?? defaultCloseTimeout,
        onClosed: () => this.#conversations.delete(record.id),
        ...(given.instructions !== undefined && { instructions: given.instructions }),
        ...(given.summarise && { summarise: given.summarise }),
        ...(mcp && { mcp }),
      });
      this.approvals.anchorAt(record.id);
      this.#conversations.set(record.id, conversation);
      return conversation;
    } catch (error) {
      await lease.release();
      throw error;
    }
  }

  #withMetrics(options: McpViewOptions, id: ConversationId): McpViewOptions {
    return {
      ...options,
      onCall: (call) => {
        this.metrics.countMcpCall(id, call);
        options.onCall?.(call);
      },
    };
  }

  async #loadHistory({ id, lastSeq }: ConversationRecord, limits: HistoryLimits, keepsDropped: boolean): Promise<HistoryStore> {
    const { store } = this.#parts;
    const recovered = await recoverDraft(store, id);
    if (lastSeq === 0 && !recovered) return new HistoryStore(limits, { keepsDropped });
    const { history, unfinishedTurn } = await loadHistory(store, id, limits, { keepsDropped });
    if (unfinishedTurn !== undefined) await recordInterruption(store, id, unfinishedTurn);
    return history;
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.conversations.map((conversation) => conversation.close()));
    await this.#options.mcpPool?.close();
    this.approvals.close();
    await this.#notices?.close();
    this.events.close();
  }

  #warn(error: unknown): void {
    const { code, message, details } = toAgentError(error);
    void this.events.publish({ type: 'warning', code, message, details, at: this.#parts.clock(), sessionId: this.id });
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw new ContinuoError('session-closed');
  }
}

/** What a model can read is not all for the past: the answer and the tools need room too. */
function limitsFor({ contextTokens }: TextModel): HistoryLimits {
  const { maxItems, maxTokens } = defaultHistoryLimits;
  return { maxItems, maxTokens: contextTokens === undefined ? maxTokens : Math.min(maxTokens, Math.floor(contextTokens / 2)) };
}
