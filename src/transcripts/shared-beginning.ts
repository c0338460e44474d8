// A session that begins with the entries of another one, as a fork does: the shared part is stored once, and the new conversation is a fork
// of the old in the store too.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Conversation } from '../model/conversation.ts';
import type { Entry } from '../model/entry.ts';
import type { ConversationId } from '../model/id.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import { readImportState } from './import-state.ts';
import { foreignId } from './known-entries.ts';

const pageSize = 1000;
/** Looking again may take so much of the time between two looks: one part in ten. */
const restAfterLook = 10;
/** Whoever stores a session stores something of it in this time, unless it is dead. Milliseconds. */
const defaultPatience = 500;
/** So many times that is waited for one that never comes to its end. */
const mostPatience = 20;

export interface BeginningsOptions {
  signal?: AbortSignal | undefined;
  patience?: number;
}

/**
 * The imported conversations of an agent by the id of their first entry. Others may import at the same time: what they have stored
 * meanwhile is found, too, and what they are just storing is waited for.
 */
export class Beginnings {
  readonly #store: ConversationStore;
  readonly #agent: string;
  readonly #signal: AbortSignal | undefined;
  readonly #patience: number;
  readonly #found = new Map<string, Conversation>();
  /** Those that nobody needs to be waited for. */
  readonly #settled = new Set<ConversationId>();
  #nextLook = Number.NEGATIVE_INFINITY;

  constructor(store: ConversationStore, agent: string, options: BeginningsOptions = {}) {
    this.#store = store;
    this.#agent = agent;
    this.#signal = options.signal;
    this.#patience = options.patience ?? defaultPatience;
  }

  async find(first: string): Promise<Conversation | undefined> {
    if (!this.#found.has(first)) await this.#look();
    const origin = this.#found.get(first);
    return origin && this.#awaitSettled(origin);
  }

  /** One that this import has stored, or has met and knows to be stored. */
  add(first: string, conversation: Conversation): void {
    this.#settled.add(conversation.id);
    this.#put(first, conversation);
  }

  #put(first: string, conversation: Conversation): void {
    // The one that is no fork holds the entries.
    const present = this.#found.get(first);
    if (!present || (present.forkedFrom && !conversation.forkedFrom)) this.#found.set(first, conversation);
  }

  async #look(): Promise<void> {
    const begun = performance.now();
    if (begun < this.#nextLook) return;
    let cursor: string | undefined;
    do {
      const query = { agent: this.#agent, limit: pageSize, ...(cursor !== undefined && { cursor }) };
      const page = await this.#store.list(query);
      for (const conversation of page.items) {
        const first = readImportState(conversation)?.first;
        if (first !== undefined) this.#put(first, conversation);
      }
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    const ended = performance.now();
    this.#nextLook = ended + (ended - begun) * restAfterLook;
  }

  /** The conversation once all of its session is stored, or nobody stores more of it: a dead import holds nobody for long. */
  async #awaitSettled(origin: Conversation): Promise<Conversation> {
    const deadline = performance.now() + this.#patience * mostPatience;
    let latest = origin;
    let silentSince = performance.now();
    while (!this.#settled.has(origin.id)) {
      const now = (await this.#store.find(origin.id)) ?? latest;
      const time = performance.now();
      if (now.lastSeq > latest.lastSeq) silentSince = time;
      latest = now;
      if (isSettled(now) || time - silentSince > this.#patience || time > deadline) this.#settled.add(origin.id);
      else await sleep(20, undefined, this.#signal && { signal: this.#signal });
    }
    return latest;
  }
}

/** Whether its source was read to the end, and everything that stands for is stored. */
function isSettled(conversation: Conversation): boolean {
  const state = readImportState(conversation);
  return state?.size !== undefined && state.seq <= conversation.lastSeq;
}

/** Walks along the origin's entries as long as the session says the same. */
export class SharedBeginning {
  readonly origin: Conversation;
  /** The last position that is shared. */
  seq = 0;
  readonly #entries: AsyncGenerator<Entry>;
  #isOver = false;

  constructor(store: ConversationStore, origin: Conversation) {
    this.origin = origin;
    this.#entries = store.readAll(origin.id);
  }

  /** Whether the session's next entry is the origin's next too. Once it was not, it never is again. */
  async takes(id: string): Promise<boolean> {
    if (this.#isOver) return false;
    const { value, done } = await this.#entries.next();
    if (!done && foreignId(value) === id) {
      this.seq = value.seq;
      return true;
    }
    await this.close();
    return false;
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#entries.return(undefined);
  }
}
