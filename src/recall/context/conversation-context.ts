// One conversation at work in one project, and every earlier one that may be seen from there. Every message is in the log the moment
// it is added; summaries come later and nobody waits for them. What is shown of other conversations is quoted history.
import { type Clock, systemClock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Conversation } from '../../model/conversation.ts';
import type { Entry, NewEntry } from '../../model/entry.ts';
import { ContinuoError } from '../../model/error.ts';
import { type ConversationId, parseConversationId } from '../../model/id.ts';
import type { Recall } from '../../model/ports/recall.ts';
import type { StoragePolicy } from '../../model/storage-policy.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { checkText } from '../search/check-query.ts';
import { detectLanguage } from '../summary/language.ts';
import { type OpenWork, openWork } from '../summary/open-work.ts';
import { Visibility } from '../visibility.ts';
import { readEnd } from './conversation-passages.ts';
import { nearOnly, type PreparedContext, prepareContext } from './prepare-context.ts';
import { placeOfPath, projectOfPath } from './project-path.ts';
import { quoteHistory } from './quote-history.ts';
import type { QuotedPassage } from './quoted-passage.ts';
import { findRelated, type RelatedConversation } from './related-conversations.ts';
import { openSessionConversation } from './session-conversation.ts';
import { type SummaryWriter, type WrittenSummary, writeSummary } from './write-summary.ts';

export interface ConversationContextOptions {
  store: ConversationStore;
  recall: Recall;
  /** Of what is found, only what is at least so near to the best, from 0 to 1. Default 0.7. */
  similarityThreshold?: number;
  /** At most so many conversations. Default 5. */
  maxResults?: number;
  /** After so many messages a summary is written. Default 10; 0 for never by itself. */
  autoSummaryThreshold?: number;
  /** Default 5. */
  maxTopics?: number;
  /** Whether topics are extracted with a summary. Default true. */
  autoExtract?: boolean;
  /** Writes summaries in place of the conversation's own sentences, which are taken where it fails. */
  writer?: SummaryWriter;
  /** Told why the writer did not write one. */
  onWriterFailed?: (error: unknown) => void;
  /** Keys of the projects whose text never reaches another one; a function where they may change. */
  privateProjects?: Iterable<string> | (() => Iterable<string>);
  /** What quoted history may cost, in tokens. Default 2,000. */
  tokenBudget?: number;
  /** Minutes the person's clock is ahead of UTC. Default: this machine's. */
  offsetMinutes?: number;
  clock?: Clock;
  /** Told about a summary that could not be written in the background. */
  onProblem?: (error: unknown) => void;
}

export interface StartOptions {
  /** The project's key, where it is known; otherwise made from the path. */
  project?: string;
  /** Where the project is recognised by, kept in `meta.place`. */
  place?: JsonObject;
  title?: string;
  agent?: string;
  policy?: StoragePolicy;
}

export interface RestoredContext {
  conversation: Conversation;
  /** What may be quoted of it, oldest first. */
  messages: (Entry & { kind: 'message' })[];
  open: OpenWork[];
  /** The same as a section for a prompt. */
  section: string;
}

export type AssistantMessageOptions = Pick<Extract<NewEntry, { kind: 'message' }>, 'model' | 'usage' | 'interrupted'>;

const defaultBudget = 2000;
const restoredMessages = 1000;
const presentMessages = 100;

export class ConversationContext {
  readonly #options: ConversationContextOptions;
  readonly #store: ConversationStore;
  readonly #clock: Clock;
  readonly #inFlight = new Set<Promise<unknown>>();
  #current: Conversation | undefined;
  #prepared: { asked: string; recalled: ConversationId[] } | undefined;
  #unsummarised = 0;
  #summarising: Promise<unknown> | undefined;

  constructor(options: ConversationContextOptions) {
    this.#options = options;
    this.#store = options.store;
    this.#clock = options.clock ?? systemClock;
  }

  /** The conversation at work; undefined before `startConversation`. */
  get current(): Conversation | undefined {
    return this.#current;
  }

  /** Opens a conversation for the session; the same session in the same project goes on with the one it had. */
  async startConversation(sessionId: string, projectPath?: string, options: StartOptions = {}): Promise<Conversation> {
    await this.persistCurrent();
    const { project = projectOfPath(projectPath), place = placeOfPath(projectPath), ...given } = options;
    this.#current = await openSessionConversation(this.#store, sessionId, {
      ...given,
      ...(project !== undefined && { project }),
      meta: place ? { place } : {},
    });
    this.#unsummarised = 0;
    this.#prepared = undefined;
    return this.#current;
  }

  /** Keeps with it which conversations were quoted to it, where it was prepared for a model just before. */
  addUserMessage(text: string): Promise<Entry | undefined> {
    const recalled = this.#prepared?.asked === text ? this.#prepared.recalled : [];
    this.#prepared = undefined;
    return this.#add({ kind: 'message', role: 'user', text, ...(recalled.length > 0 && { meta: { recalled } }) });
  }

  addAssistantMessage(text: string, options: AssistantMessageOptions = {}): Promise<Entry | undefined> {
    return this.#add({ kind: 'message', role: 'assistant', text, ...options });
  }

  /** Waits until everything that was added is durable; throws where something of it could not be kept. */
  async persistCurrent(): Promise<void> {
    const settled = await Promise.allSettled([...this.#inFlight]);
    const failed = settled.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
    await this.#summarising;
  }

  /** Conversations that hold what was asked for, best first, from every project that may be seen, or from every other one. */
  async findSimilarConversations(
    query: string,
    limit?: number,
    options: { elsewhere?: boolean } = {},
  ): Promise<RelatedConversation[]> {
    checkText('request', query);
    const { recall, maxResults = 5, similarityThreshold = 0.7 } = this.#options;
    const found = await findRelated({
      ...this.#here(),
      store: this.#store,
      recall,
      visibility: this.#visibility(),
      text: query,
      exceptProject: options.elsewhere ? this.#current?.project : undefined,
      limit: limit ?? maxResults,
    });
    return nearOnly(found, similarityThreshold);
  }

  /** An earlier conversation to go on from. One that may not be seen from here is not found. */
  async restoreContext(conversationId: string, options: { tokenBudget?: number } = {}): Promise<RestoredContext> {
    const id = parseConversationId(conversationId);
    const found = await this.#store.find(id);
    const visibility = this.#visibility();
    const isCurrent = id === this.#current?.id;
    if (!found || !(isCurrent || visibility.sees(found))) throw new ContinuoError('conversation-not-found', { id });
    const conversation = await visibility.shown(found);
    const quotable = await visibility.quotable(await this.#store.tail(id, restoredMessages), conversation);
    // All of it expired: not even its title is shown.
    if (quotable.length === 0 && !isCurrent && conversation.policy.kind === 'ttl') {
      throw new ContinuoError('conversation-not-found', { id });
    }
    const messages = quotable.filter((entry) => entry.kind === 'message');
    const section = this.#quote(await readEnd({ store: this.#store, visibility }, conversation), options.tokenBudget, []);
    return { conversation, messages, open: openWork(quotable), section };
  }

  /** One section of several conversations, in the order given. Those that may not be seen from here are left out. */
  async mergeContexts(
    conversations: readonly (ConversationId | Pick<Conversation, 'id'>)[],
    options: { tokenBudget?: number } = {},
  ): Promise<string> {
    const reader = { store: this.#store, visibility: this.#visibility() };
    const passages: QuotedPassage[] = [];
    for (const given of conversations) {
      const conversation = await this.#store.find(typeof given === 'string' ? given : given.id);
      if (!conversation || conversation.id === this.#current?.id || !reader.visibility.sees(conversation)) continue;
      passages.push(...(await readEnd(reader, await reader.visibility.shown(conversation))));
    }
    return this.#quote(passages, options.tokenBudget, await this.#presentTexts());
  }

  /** The request with what should be known for it: quoted history before it where there is some, otherwise the request alone. */
  async prepareAiPrompt(userInput: string, options: { tokenBudget?: number; signal?: AbortSignal } = {}): Promise<string> {
    return (await this.prepareContext(userInput, options)).prompt;
  }

  /** The same with its sources and the reason, also where nothing is recalled. */
  async prepareContext(
    userInput: string,
    options: { tokenBudget?: number; signal?: AbortSignal } = {},
  ): Promise<PreparedContext> {
    checkText('request', userInput);
    const { recall, maxResults = 5, similarityThreshold = 0.7, tokenBudget = defaultBudget } = this.#options;
    const prepared = await prepareContext({
      ...this.#here(),
      store: this.#store,
      recall,
      now: this.#clock(),
      asked: userInput,
      tokenBudget: options.tokenBudget ?? tokenBudget,
      maxResults,
      similarityThreshold,
      offsetMinutes: this.#offsetMinutes(),
      present: await this.#presentTexts(),
      privateProjects: this.#privateProjects(),
      signal: options.signal,
    });
    this.#prepared = { asked: userInput, recalled: prepared.sources.map(({ conversationId }) => conversationId) };
    return prepared;
  }

  /** Waits for what was added, then writes a summary of what is new, and the topics. */
  async saveWithSummary(): Promise<WrittenSummary> {
    const { id } = this.#started();
    await this.persistCurrent();
    this.#unsummarised = 0;
    return writeSummary(this.#store, id, this.#options);
  }

  /** What was said last in the conversation at work, oldest first. */
  async recentMessages(count = presentMessages): Promise<(Entry & { kind: 'message' })[]> {
    if (!this.#current) return [];
    const entries = await this.#store.tail(this.#current.id, count);
    return entries.filter((entry) => entry.kind === 'message' && entry.withheld === undefined) as (Entry & { kind: 'message' })[];
  }

  async #add(entry: NewEntry): Promise<Entry | undefined> {
    const { id } = this.#started();
    const appended = this.#store.append(id, entry);
    this.#inFlight.add(appended);
    const { entries } = await appended.finally(() => this.#inFlight.delete(appended));
    this.#unsummarised += 1;
    this.#summariseLater(id);
    return entries[0];
  }

  /** Never on the path of a message: it is durable already, and the next one does not wait. */
  #summariseLater(id: ConversationId): void {
    const { autoSummaryThreshold = 10, onProblem } = this.#options;
    if (autoSummaryThreshold <= 0 || this.#unsummarised < autoSummaryThreshold || this.#summarising !== undefined) return;
    this.#unsummarised = 0;
    this.#summarising = writeSummary(this.#store, id, this.#options)
      .catch((error: unknown) => onProblem?.(error))
      .finally(() => {
        this.#summarising = undefined;
      });
  }

  #started(): Conversation {
    if (!this.#current) throw new ContinuoError('invalid-input', { what: 'conversation', reason: 'none was started' });
    return this.#current;
  }

  #quote(passages: readonly QuotedPassage[], tokenBudget: number | undefined, present: readonly string[]): string {
    const language = detectLanguage(passages.map(({ text }) => text.slice(0, 200)).join('\n'));
    const budget = tokenBudget ?? this.#options.tokenBudget ?? defaultBudget;
    return quoteHistory(passages, { tokenBudget: budget, language, present, offsetMinutes: this.#offsetMinutes() }).text;
  }

  async #presentTexts(): Promise<string[]> {
    return (await this.recentMessages()).map(({ text }) => text);
  }

  #here(): { hereProject: string | undefined; except: ConversationId | undefined } {
    return { hereProject: this.#current?.project, except: this.#current?.id };
  }

  #visibility(): Visibility {
    const { hereProject } = this.#here();
    return new Visibility({ store: this.#store, now: this.#clock(), hereProject, privateProjects: this.#privateProjects() });
  }

  #privateProjects(): Iterable<string> {
    const { privateProjects = [] } = this.#options;
    return typeof privateProjects === 'function' ? privateProjects() : privateProjects;
  }

  #offsetMinutes(): number {
    return this.#options.offsetMinutes ?? -new Date(this.#clock()).getTimezoneOffset();
  }
}
