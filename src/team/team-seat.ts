// A team at its table: the session's log, what everybody knows, and the snapshot beside it. Whatever is said goes into the log first and
// is known only then.
import type { Clock } from '../base/clock.ts';
import type { NewConversation } from '../model/conversation.ts';
import { type ContinuoError, isContinuoError } from '../model/error.ts';
import {
  type ConversationMessage,
  type SessionSnapshot,
  type SessionSpeaker,
  snapshotVersion,
} from '../snapshot/session-snapshot.ts';
import type { StorageService } from '../snapshot/storage-service.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import { ContextManager } from './context-manager.ts';
import type { Speaker } from './members/speaker.ts';
import { PromptBuilder } from './prompt-builder.ts';
import { resumeSession } from './resume-session.ts';
import { RoutingQueue } from './routing/routing-queue.ts';
import { SessionLog } from './session-log.ts';
import { SnapshotSaver } from './snapshot-saver.ts';
import type { AiMember, Team, TeamMember } from './team-definition.ts';
import type { TeamEventBody } from './team-event.ts';
import type { Saying } from './team-log.ts';
import { toTold } from './told.ts';

export interface SeatOptions {
  store: ConversationStore;
  storage: StorageService | undefined;
  createSpeaker: (member: AiMember) => Speaker | Promise<Speaker>;
  clock: Clock;
  conversation: NewConversation | (() => Promise<NewConversation>) | undefined;
  owner: string;
  waitForWriter: number | undefined;
  tell(body: TeamEventBody): void;
}

const summaryLength = 100;

export class TeamSeat {
  readonly team: Team;
  readonly sessionId: string;
  readonly log: SessionLog;
  readonly context = new ContextManager();
  readonly prompts: PromptBuilder;
  readonly queue = new RoutingQueue();
  /** By member: the session that its own program keeps. */
  programSessions: Record<string, string> = {};
  readonly #options: SeatOptions;
  readonly #saver: SnapshotSaver;
  readonly #speakers = new Map<string, Promise<Speaker>>();
  #createdAt: string;
  #sinceSave = 0;

  constructor(team: Team, sessionId: string, options: SeatOptions) {
    const { store, clock, conversation, owner, waitForWriter, tell } = options;
    this.team = team;
    this.sessionId = sessionId;
    this.#options = options;
    this.#createdAt = new Date(clock()).toISOString();
    const wait = waitForWriter === undefined ? {} : { waitForWriter };
    const create = async () => ({
      ...(typeof conversation === 'function' ? await conversation() : conversation),
      team: team.id,
    });
    this.log = new SessionLog({ store, clock, sessionId, create, owner, ...wait });
    this.prompts = new PromptBuilder(team);
    if (team.task !== undefined) this.context.setTeamTask(team.task);
    this.#saver = new SnapshotSaver({
      save: () => this.#writeSnapshot(),
      onSaved: ({ path, outcome, messages }) =>
        tell({ type: outcome === 'kept-newer' ? 'save-skipped' : 'saved', path, messages }),
      onFailed: (error) => tell({ type: 'save-failed', error: toTold(error) }),
    });
  }

  /** Takes up the session of this id. What was wrong and could be done without comes back. */
  async resume(): Promise<ContinuoError[]> {
    const { store, storage } = this.#options;
    const { log, sessionId, team } = this;
    try {
      const { warnings, ...state } = await resumeSession({ store, storage, log, teamId: team.id, sessionId });
      this.context.importSnapshot({ teamTask: state.teamTask, messages: state.messages });
      this.#createdAt = state.createdAt;
      this.programSessions = state.programSessions;
      return warnings;
    } catch (error) {
      await log.close();
      throw error;
    }
  }

  /** Makes it durable, then known. */
  async record(
    saying: Saying,
    teamTask: string | undefined,
    options: { endsDraft?: boolean } = {},
  ): Promise<ConversationMessage> {
    const { log, context, team } = this;
    const { tell } = this.#options;
    // The task of the file is told to the log with the first word, so that the log alone is enough to go on.
    const first = log.conversationId === undefined && context.teamTask !== null ? context.teamTask : undefined;
    const recorded = await log.record(saying, teamTask ?? first, options);
    context.addMessage(recorded.message);
    if (recorded.teamTask !== undefined) context.setTeamTask(recorded.teamTask);
    tell({ type: 'message', message: recorded.message });
    if (teamTask !== undefined && recorded.teamTask !== undefined)
      tell({ type: 'task-changed', teamTask: recorded.teamTask, by: saying.speaker.id });
    this.#sinceSave += 1;
    if (team.limits.saveEvery !== undefined && this.#sinceSave >= team.limits.saveEvery) this.requestSave();
    return recorded.message;
  }

  speakerFor(member: AiMember): Promise<Speaker> {
    const known = this.#speakers.get(member.id);
    if (known !== undefined) return known;
    const made = Promise.resolve().then(() => this.#options.createSpeaker(member));
    this.#speakers.set(member.id, made);
    // What could not be had may be there the next time.
    made.catch(() => this.#speakers.delete(member.id));
    return made;
  }

  /** Saves soon, beside whatever goes on. Where nothing was said, or nothing may be kept, there is nothing to save. */
  requestSave(): void {
    const { log, context } = this;
    if (!this.#options.storage || !log.keepsWords || log.conversationId === undefined || context.messages.length === 0) return;
    this.#sinceSave = 0;
    this.#saver.request();
  }

  /** Waits until everything that shall be in the snapshot is. */
  flush(): Promise<void> {
    return this.#saver.flush();
  }

  buildSnapshot(): SessionSnapshot {
    const context = this.context.exportSnapshot();
    const last = context.messages.at(-1);
    const subject = context.teamTask ?? context.messages[0]?.content;
    const { conversationId } = this.log;
    return {
      schemaVersion: snapshotVersion,
      teamId: this.team.id,
      sessionId: this.sessionId,
      createdAt: this.#createdAt,
      updatedAt: new Date(this.#options.clock()).toISOString(),
      context,
      metadata: {
        ...(last && { lastSpeakerId: last.speaker.id }),
        messageCount: context.messages.length,
        ...(subject !== undefined && { summary: subject.replace(/\s+/g, ' ').trim().slice(0, summaryLength).toWellFormed() }),
        // By what the snapshot holds, not by what the log holds: something may be durable and not known here yet.
        ...(conversationId !== undefined && { log: { conversationId, seq: last?.seq ?? 0 } }),
        ...(Object.keys(this.programSessions).length > 0 && { programSessions: { ...this.programSessions } }),
      },
    };
  }

  async #writeSnapshot() {
    const storage = this.#options.storage as StorageService;
    await this.#requireKept();
    const snapshot = this.buildSnapshot();
    const outcome = await storage.saveSession(this.team.id, snapshot);
    try {
      await this.#requireKept();
    } catch (error) {
      // Purged while it was written: the store has taken away everything else by now.
      if (isContinuoError(error, 'conversation-not-found')) await storage.eraseSession(this.team.id, this.sessionId);
      throw error;
    }
    return { ...outcome, messages: snapshot.context.messages.length };
  }

  /** What was purged must not come back by way of a file, and what was converted is kept by another key now. */
  async #requireKept(): Promise<void> {
    const { conversationId } = this.log;
    if (conversationId !== undefined) await this.#options.store.read(conversationId, { order: 'backward', limit: 1 });
  }
}

export function speakerOf({ id, name, displayName, kind }: TeamMember): SessionSpeaker {
  return { id, name, displayName, type: kind === 'human' ? 'human' : 'ai' };
}
