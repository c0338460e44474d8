// A session in one project: opens its conversation, finds related ones elsewhere, and sums up when it stops. Bound to the project's
// key, not to its path, so that it is found again wherever the project is.
import type { Clock } from '../../base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Conversation } from '../../model/conversation.ts';
import { createSessionId } from '../../model/id.ts';
import { ConversationContext, type ConversationContextOptions } from '../../recall/context/conversation-context.ts';
import type { RelatedConversation } from '../../recall/context/related-conversations.ts';
import type { WrittenSummary } from '../../recall/context/write-summary.ts';
import { exclusionMark } from '../../recall/conversation-marks.ts';
import { placeSession, type SessionPlace } from './session-place.ts';

export interface SessionProject {
  name: string;
  rootDir: string;
  /** The project's key, where it is known; otherwise the path is all that tells it apart. */
  key?: string;
  /** What the project is recognised by, kept with the conversation. */
  place?: JsonObject;
}

export interface ProjectSessionOptions extends ConversationContextOptions {
  project: SessionProject;
  /** The same id in the same project goes on with the same conversation. Default: a new one. */
  sessionId?: string;
  agent?: string;
  /** Whether a folder without git gets a marker file, by which it is found again when it is moved. Default true. */
  marker?: boolean;
}

export interface StartedSession {
  conversation: Conversation;
  /** What other projects that may be seen hold about this one, best first. */
  related: RelatedConversation[];
  /** The private project the folder looks like, where nobody said so: the conversation is left out of recall. */
  resembles?: string;
}

const relatedLimit = 3;

export class ProjectSession {
  readonly sessionId: string;
  readonly project: SessionProject;
  readonly #context: ConversationContext;
  readonly #agent: string | undefined;
  readonly #marks: boolean;
  readonly #options: ConversationContextOptions;
  #started: Promise<StartedSession> | undefined;
  #stopped: Promise<WrittenSummary> | undefined;

  constructor({ project, sessionId, agent, marker = true, ...options }: ProjectSessionOptions) {
    const clock: Clock = options.clock ?? systemClock;
    this.project = project;
    this.sessionId = sessionId ?? createSessionId(clock());
    this.#agent = agent;
    this.#marks = marker;
    this.#options = options;
    this.#context = new ConversationContext(options);
  }

  /** Once; called again it gives the same answer. */
  start(): Promise<StartedSession> {
    this.#started ??= this.#start();
    return this.#started;
  }

  /** Keeps what is in flight and writes the summary. Does nothing where the session was never started, and nothing twice. */
  async stop(): Promise<WrittenSummary | undefined> {
    if (this.#started === undefined) return undefined;
    await this.#started;
    this.#stopped ??= this.#context.saveWithSummary();
    return this.#stopped;
  }

  conversationContext(): ConversationContext {
    return this.#context;
  }

  async #start(): Promise<StartedSession> {
    const { name, rootDir } = this.project;
    const found = await this.#findPlace();
    const { key = found?.key, place = found?.place } = this.project;
    const conversation = await this.#context.startConversation(this.sessionId, rootDir, {
      ...(key !== undefined && { project: key }),
      ...(place && { place }),
      ...(this.#agent !== undefined && { agent: this.#agent }),
    });
    const resembles = found?.resembles;
    if (resembles !== undefined && conversation.lastSeq === 0)
      await this.#options.store.mergeMeta(conversation.id, exclusionMark(true));
    const related = await this.#context.findSimilarConversations(name, relatedLimit, { elsewhere: true });
    return { conversation, related, ...(resembles !== undefined && { resembles }) };
  }

  /** Who says which project it is, or keeps no markers, is taken at their word. */
  async #findPlace(): Promise<SessionPlace | undefined> {
    const { key, place, rootDir } = this.project;
    if (!this.#marks || key !== undefined || place !== undefined) return undefined;
    const { store, privateProjects: given = [] } = this.#options;
    return placeSession(store, rootDir, typeof given === 'function' ? given() : given);
  }
}
