// Leads a team: who speaks next, what they are told, what is kept. Every message is in the log before anything else happens with it;
// a member that fails does not sink the round; and after a resume nothing runs until a human speaks.
import { type Clock, systemClock } from '../base/clock.ts';
import { createUlid } from '../base/id.ts';
import type { NewConversation } from '../model/conversation.ts';
import { ContinuoError, isContinuoError } from '../model/error.ts';
import { createSessionId } from '../model/id.ts';
import type { StoragePolicy } from '../model/storage-policy.ts';
import type { ConversationMessage, SessionSnapshot } from '../snapshot/session-snapshot.ts';
import type { StorageService } from '../snapshot/storage-service.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import type { ContextManager } from './context-manager.ts';
import type { Speaker } from './members/speaker.ts';
import { parseMarkers } from './routing/parse-markers.ts';
import { resolveNames } from './routing/resolve-names.ts';
import { takeTurn } from './take-turn.ts';
import { type AiMember, findMember, firstHuman, type Team, type TeamMember } from './team-definition.ts';
import type { TeamEventBody, TeamListener, Told, WaitReason } from './team-event.ts';
import { isGuest } from './team-log.ts';
import { speakerOf, TeamSeat } from './team-seat.ts';
import { toTold } from './told.ts';

export type TeamStatus = 'idle' | 'active' | 'paused' | 'completed';

export interface CoordinatorOptions {
  store: ConversationStore;
  /** Where snapshots go; without it the log alone is resumed from. */
  storage?: StorageService;
  /** Who speaks for a member. Called once for each; what it throws is that member's failure. */
  createSpeaker: (member: AiMember) => Speaker | Promise<Speaker>;
  clock?: Clock;
  /** What a new conversation is made with beside the team: the project, a policy; a function is asked when it is made. */
  conversation?: NewConversation | (() => Promise<NewConversation>);
  owner?: string;
  waitForWriter?: number;
}

export interface SetTeamOptions {
  resumeSessionId?: string;
}

export interface TeamSession {
  sessionId: string;
  resumed: boolean;
  /** Who spoke in the history and is not in the team any more. */
  left: { id: string; name: string; messages: number }[];
}

export interface SendOptions {
  /** Which human speaks; the one that is waited for if left out. */
  from?: string;
  /** Cancels the members' work, not the message. */
  signal?: AbortSignal;
}

/** How the members left it. */
export interface TurnOutcome {
  reason: WaitReason;
  waitingForRoleId: string | undefined;
  /** What was said in this turn, the human's words first. */
  messages: ConversationMessage[];
  failed: { member: string; error: Told }[];
}

interface Running {
  outcome: Promise<TurnOutcome>;
  abort: AbortController;
  said: ConversationMessage[];
  failed: TurnOutcome['failed'];
}

export class Coordinator {
  readonly #options: CoordinatorOptions;
  readonly #clock: Clock;
  readonly #listeners = new Set<TeamListener>();
  #seat: TeamSeat | undefined;
  #status: TeamStatus = 'idle';
  #waitingForRoleId: string | undefined;
  #running: Running | undefined;
  #stopping: Promise<void> | undefined;

  constructor(options: CoordinatorOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  get status(): TeamStatus {
    return this.#status;
  }

  /** The human whose word is waited for; undefined while members work. */
  get waitingForRoleId(): string | undefined {
    return this.#waitingForRoleId;
  }

  /** What is kept of the conversation; undefined until something was said. */
  get policy(): StoragePolicy | undefined {
    return this.#seat?.log.policy;
  }

  /** Ids of those who speak next, in order. */
  get routingQueue(): readonly string[] {
    return this.#seat?.queue.waiting.map(({ id }) => id) ?? [];
  }

  get team(): Team | undefined {
    return this.#seat?.team;
  }

  get sessionId(): string | undefined {
    return this.#seat?.sessionId;
  }

  /** The conversation of the store; undefined until something was said. */
  get conversationId(): string | undefined {
    return this.#seat?.log.conversationId;
  }

  get context(): ContextManager | undefined {
    return this.#seat?.context;
  }

  /** Calls back for everything that happens; returns the way to stop. A listener that throws is passed over. */
  listen(listener: TeamListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Seats a team for a new session, or for one that goes on. Afterwards nothing runs and the first human is waited for. */
  async setTeam(team: Team, options: SetTeamOptions = {}): Promise<TeamSession> {
    await this.stop();
    const { resumeSessionId } = options;
    const seat = this.#createSeat(team, resumeSessionId ?? createSessionId(this.#clock()));
    const warnings = resumeSessionId === undefined ? [] : await seat.resume();
    const left = findLeft(team, seat.context.messages);
    this.#seat = seat;
    this.#status = 'paused';
    this.#waitingForRoleId = firstHuman(team)?.id;
    const { conversationId } = seat.log;
    const facts = { resumed: resumeSessionId !== undefined, messages: seat.context.messages.length };
    this.#tell({ type: 'session-started', ...(conversationId !== undefined && { conversationId }), ...facts });
    for (const error of warnings) this.#tell({ type: 'warning', error: toTold(error) });
    for (const { id, name, messages } of left) this.#tell({ type: 'member-left', member: id, name, messages });
    return { sessionId: seat.sessionId, resumed: facts.resumed, left };
  }

  /** Begins: with words they are sent, without them the first human is waited for. */
  async start(text?: string, options: SendOptions = {}): Promise<TurnOutcome> {
    const seat = this.#requireSeat();
    if (text !== undefined) return this.sendMessage(text, options);
    this.#waitFor(firstHuman(seat.team)?.id, seat.context.messages.length > 0 ? 'resumed' : 'started');
    return { reason: 'started', waitingForRoleId: this.#waitingForRoleId, messages: [], failed: [] };
  }

  /**
   * A human's word: saved at once, then the members speak. Resolves when a human is waited for again. Said while members speak, it is
   * what the next of them reads.
   */
  async sendMessage(text: string, options: SendOptions = {}): Promise<TurnOutcome> {
    const seat = this.#requireSeat();
    const human = this.#findHuman(seat, options.from);
    const { text: rest, next, teamTask, todos } = parseMarkers(text);
    const words = rest === '' ? (teamTask ?? '') : rest;
    if (words.trim() === '' && next.length === 0)
      throw new ContinuoError('invalid-input', { what: 'message', reason: 'there is nothing in it' });
    const { ids, unknown } = resolveNames(next, seat.team.members);
    const saying = { speaker: speakerOf(human), text: words, next: ids, unknown, turnId: `trn_${createUlid(this.#clock())}` };
    const message = await seat.record(saying, teamTask);
    if (todos) this.#tell({ type: 'todo', member: human.id, todos });
    if (unknown.length > 0) this.#tell({ type: 'routing-skipped', member: human.id, unknown, repeated: [] });
    // Who was told to stop is not told of what is said now: it begins a turn of its own.
    if (this.#running?.abort.signal.aborted) await this.#running.outcome.catch(() => undefined);
    this.#route(seat, ids, unknown.length > 0);
    if (this.#running) {
      this.#running.said.push(message);
      return this.#running.outcome;
    }
    return this.#begin(seat, message, saying.turnId, options.signal);
  }

  /** Stops who speaks and forgets who was to speak; what was said is kept. False where nobody speaks. */
  cancel(): boolean {
    if (!this.#running) return false;
    this.#running.abort.abort(new ContinuoError('cancelled'));
    return true;
  }

  /** Comes to rest: who speaks is stopped, the snapshot is written. The session can go on with the next message. */
  async pause(): Promise<void> {
    const seat = this.#seat;
    if (!seat || this.#status === 'completed') return;
    await this.#settle();
    await this.#save(seat);
  }

  /** Ends the session: at rest, saved, and free for others to take up. Safe to call again, also while it is being done. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop().finally(() => {
      this.#stopping = undefined;
    });
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    const seat = this.#seat;
    if (!seat || this.#status === 'completed') return;
    await this.#settle();
    await this.#save(seat);
    this.#status = 'completed';
    this.#waitingForRoleId = undefined;
    seat.queue.clear();
    await seat.log.close();
    this.#tell({ type: 'session-stopped' });
  }

  /** Waits until everything that shall be in the snapshot is. */
  async flush(): Promise<void> {
    await this.#seat?.flush();
  }

  /** The session as it would be saved now. */
  exportSnapshot(): SessionSnapshot {
    return this.#requireSeat().buildSnapshot();
  }

  #createSeat(team: Team, sessionId: string): TeamSeat {
    const { store, storage, createSpeaker, conversation, owner = 'continuo team', waitForWriter } = this.#options;
    const tell = (body: TeamEventBody) => this.#tell(body, sessionId);
    return new TeamSeat(team, sessionId, {
      store,
      storage,
      createSpeaker,
      clock: this.#clock,
      conversation,
      owner,
      waitForWriter,
      tell,
    });
  }

  /** Whom the human's words are for: those they name; else those who still wait; else everybody in order. */
  #route({ queue, team }: TeamSeat, ids: readonly string[], namedUnknown: boolean): void {
    if (ids.length > 0 || namedUnknown) {
      queue.clear();
      queue.add(ids, 1);
    } else if (queue.waiting.length > 0) queue.restart();
    else {
      queue.clear();
      queue.add(team.order, 1);
    }
  }

  #begin(seat: TeamSeat, message: ConversationMessage, turnId: string, given: AbortSignal | undefined): Promise<TurnOutcome> {
    const abort = new AbortController();
    const running: Running = { abort, said: [message], failed: [], outcome: undefined as never };
    const stop = () => abort.abort(new ContinuoError('cancelled', {}, { cause: given?.reason }));
    const lose = () => abort.abort(seat.log.lost?.reason);
    if (given?.aborted) stop();
    given?.addEventListener('abort', stop, { once: true });
    seat.log.lost?.addEventListener('abort', lose, { once: true });
    this.#running = running;
    this.#status = 'active';
    this.#waitingForRoleId = undefined;
    running.outcome = this.#run(seat, running, turnId).finally(() => {
      given?.removeEventListener('abort', stop);
      seat.log.lost?.removeEventListener('abort', lose);
    });
    return running.outcome;
  }

  async #run(seat: TeamSeat, running: Running, turnId: string): Promise<TurnOutcome> {
    let end: { reason: WaitReason; human: string | undefined };
    try {
      end = await this.#runQueue(seat, running, turnId);
    } catch (error) {
      this.#rest(seat, firstHuman(seat.team)?.id, 'failed');
      throw error;
    }
    this.#rest(seat, end.human, end.reason);
    const { said: messages, failed } = running;
    return { reason: end.reason, waitingForRoleId: end.human, messages, failed };
  }

  async #runQueue(seat: TeamSeat, running: Running, turnId: string): Promise<{ reason: WaitReason; human: string | undefined }> {
    const { queue, team } = seat;
    const human = firstHuman(team)?.id;
    for (;;) {
      if (running.abort.signal.aborted) {
        queue.clear();
        const { reason } = running.abort.signal;
        if (!isContinuoError(reason, 'cancelled')) throw reason;
        return { reason: isTimeout(reason.cause) ? 'timeout' : 'cancelled', human };
      }
      const next = queue.next;
      if (!next) return { reason: hasFailed(running) ? 'failed' : 'turn-completed', human };
      if (next.round > team.limits.maxRounds) return { reason: 'round-limit', human };
      queue.take();
      const member = findMember(team, next.id);
      if (member?.kind === 'human') return { reason: 'addressed', human: member.id };
      if (member) await this.#memberTurn(seat, running, member, next.round, turnId);
    }
  }

  async #memberTurn(seat: TeamSeat, running: Running, member: AiMember, round: number, turnId: string): Promise<void> {
    const tell = (body: TeamEventBody) => this.#tell(body, seat.sessionId);
    const { message, error } = await takeTurn(seat, { member, round, turnId, signal: running.abort.signal, tell });
    if (message) running.said.push(message);
    if (error && error.code !== 'cancelled') running.failed.push({ member: member.id, error: toTold(error) });
  }

  #rest(seat: TeamSeat, human: string | undefined, reason: WaitReason): void {
    this.#running = undefined;
    this.#waitFor(human, reason);
    seat.requestSave();
  }

  #waitFor(human: string | undefined, reason: WaitReason): void {
    this.#status = 'paused';
    this.#waitingForRoleId = human;
    if (human !== undefined) this.#tell({ type: 'waiting-for-human', member: human, reason, pending: this.routingQueue });
  }

  /** Stops who speaks and waits for it. */
  async #settle(): Promise<void> {
    const running = this.#running;
    this.cancel();
    await running?.outcome.catch(() => undefined);
  }

  async #save(seat: TeamSeat): Promise<void> {
    seat.requestSave();
    await seat.flush();
  }

  #findHuman({ team }: TeamSeat, from: string | undefined): TeamMember {
    const id = from ?? this.#waitingForRoleId;
    const human = id === undefined ? firstHuman(team) : findMember(team, id);
    if (human?.kind === 'human') return human;
    throw new ContinuoError('invalid-input', { what: 'speaker', reason: 'it must be a human of the team' });
  }

  #requireSeat(): TeamSeat {
    if (this.#seat && this.#status !== 'completed') return this.#seat;
    throw new ContinuoError('invalid-input', { what: 'team', reason: 'no team is seated; call setTeam first' });
  }

  #tell(body: TeamEventBody, sessionId = this.#seat?.sessionId ?? ''): void {
    const event = { ...body, at: this.#clock(), sessionId };
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch {
        // What goes wrong where it is shown must not change what is kept.
      }
    }
  }
}

/** As `AbortSignal.timeout` aborts. */
function isTimeout(cause: unknown): boolean {
  return cause instanceof DOMException && cause.name === 'TimeoutError';
}

function hasFailed({ said, failed }: Running): boolean {
  return failed.length > 0 && !said.some(({ speaker, interrupted }) => speaker.type === 'ai' && !interrupted);
}

function findLeft(team: Team, messages: readonly ConversationMessage[]): TeamSession['left'] {
  const known = new Set(team.members.map(({ id }) => id));
  const left = new Map<string, { id: string; name: string; messages: number }>();
  for (const { speaker } of messages) {
    if (known.has(speaker.id) || speaker.type === 'system' || isGuest(speaker)) continue;
    const seen = left.get(speaker.id);
    left.set(speaker.id, { id: speaker.id, name: speaker.displayName ?? speaker.name, messages: (seen?.messages ?? 0) + 1 });
  }
  return [...left.values()];
}
