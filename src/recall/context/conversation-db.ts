// The store by the names and shapes of the design that asked for one database of conversations over every directory. Thin: everything
// is kept by ConversationStore. Times are milliseconds since 1970.
import type { Conversation } from '../../model/conversation.ts';
import type { Entry, NewEntry, Role } from '../../model/entry.ts';
import { ContinuoError } from '../../model/error.ts';
import { type ConversationId, type EntryId, parseConversationId } from '../../model/id.ts';
import { parsePlace } from '../../project/project-place.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { summaryMark } from '../summary/summary-mark.ts';
import { placeOfPath, projectOfPath } from './project-path.ts';
import { findSessionConversation, openSessionConversation } from './session-conversation.ts';
import { findSummary } from './write-summary.ts';

export interface ConversationMessage {
  id: EntryId;
  conversationId: ConversationId;
  role: Role;
  content: string;
  timestamp: number;
}

export interface ConversationRecord {
  id: ConversationId;
  sessionId: string;
  projectPath?: string;
  messages: ConversationMessage[];
  summary?: string;
  topics: string[];
  createdAt: number;
  updatedAt: number;
}

/** What can be saved: the messages so far, and what is known about them. */
export interface ConversationToSave {
  sessionId: string;
  projectPath?: string;
  messages: readonly { role: Role; content: string; timestamp?: number }[];
  summary?: string;
  topics?: readonly string[];
  createdAt?: number;
}

export class ConversationDb {
  readonly #store: ConversationStore;

  constructor(store: ConversationStore) {
    this.#store = store;
  }

  /** Keeps the messages that are not kept yet. Those that are must be the first ones: the log is never changed. */
  async saveConversation(given: ConversationToSave): Promise<ConversationRecord> {
    const { sessionId, projectPath, messages, summary, topics, createdAt } = given;
    const project = projectOfPath(projectPath);
    const place = placeOfPath(projectPath);
    const { id } = await openSessionConversation(this.#store, sessionId, {
      ...(project !== undefined && { project }),
      ...(createdAt !== undefined && { createdAt }),
      meta: place ? { place } : {},
    });
    const { lastSeq } = await this.#store.get(id);
    const kept = await this.#messageEntries(id);
    if (kept.some((entry, i) => !isSame(entry, messages[i]))) {
      throw new ContinuoError('invalid-input', { what: 'conversation', reason: 'other messages are stored for this session' });
    }
    const entries = messages.slice(kept.length).map(toEntry);
    const written = entries.length > 0 ? (await this.#store.append(id, entries, { expectedSeq: lastSeq })).entries : [];
    const to = written.at(-1)?.seq ?? lastSeq;
    const previous = await findSummary(this.#store, id);
    if (summary !== undefined && summary !== '' && summary !== previous?.text && to > 0) {
      const at = (written.at(-1) ?? kept.at(-1))?.at;
      const stamp = { ...(at !== undefined && { at }), meta: summaryMark('given') };
      await this.#store.append(id, { kind: 'summary', text: summary, covers: { from: 1, to }, ...stamp });
    }
    if (topics) await this.#store.mergeMeta(id, { topics: [...topics] });
    return this.#toRecord(await this.#store.get(id));
  }

  /** The conversation of a session that was active last. */
  async getBySession(sessionId: string): Promise<ConversationRecord | undefined> {
    const found = await findSessionConversation(this.#store, sessionId);
    return found && this.#toRecord(found);
  }

  /** In the order they were said: all of them, or the last so many. */
  async loadMessages(conversationId: string, options: { limit?: number } = {}): Promise<ConversationMessage[]> {
    const id = parseConversationId(conversationId);
    await this.#store.get(id);
    const messages = (await this.#messageEntries(id)).map(toMessage);
    return options.limit === undefined ? messages : messages.slice(Math.max(0, messages.length - options.limit));
  }

  async #messageEntries(id: ConversationId): Promise<MessageEntry[]> {
    const entries: MessageEntry[] = [];
    for await (const entry of this.#store.readAll(id)) if (entry.kind === 'message') entries.push(entry);
    return entries;
  }

  async #toRecord(conversation: Conversation): Promise<ConversationRecord> {
    const { id, key, meta, createdAt, activeAt } = conversation;
    const path = parsePlace(meta.place)?.path;
    const summary = (await findSummary(this.#store, id))?.text;
    return {
      id,
      sessionId: typeof meta.sessionId === 'string' ? meta.sessionId : (key ?? id),
      ...(path !== undefined && { projectPath: path }),
      messages: await this.loadMessages(id),
      ...(summary !== undefined && { summary }),
      topics: Array.isArray(meta.topics) ? meta.topics.filter((topic) => typeof topic === 'string') : [],
      createdAt,
      updatedAt: activeAt,
    };
  }
}

type MessageEntry = Entry & { kind: 'message' };

/** Where a secret was masked or the text withheld, the store holds other words than were given. */
function isSame(entry: MessageEntry, given: ConversationToSave['messages'][number] | undefined): boolean {
  if (entry.role !== given?.role) return false;
  return entry.masked !== undefined || entry.withheld !== undefined || entry.text === given.content;
}

function toEntry({ role, content, timestamp }: ConversationToSave['messages'][number]): NewEntry {
  return { kind: 'message', role, text: content, ...(timestamp !== undefined && { at: timestamp }) };
}

function toMessage({ id, conversationId, role, text, at }: MessageEntry): ConversationMessage {
  return { id, conversationId, role, content: text, timestamp: at };
}
