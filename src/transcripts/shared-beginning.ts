// A session that begins with the entries of another one, as a fork does: the shared part is stored once, and the new conversation is a fork
// of the old in the store too.
import type { Conversation } from '../model/conversation.ts';
import type { Entry } from '../model/entry.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import { readImportState } from './import-state.ts';
import { foreignId } from './known-entries.ts';

const pageSize = 1000;

/** The imported conversations of an agent by the id of their first entry. */
export class Beginnings {
  readonly #store: ConversationStore;
  readonly #agent: string;
  #found: Promise<Map<string, Conversation>> | undefined;

  constructor(store: ConversationStore, agent: string) {
    this.#store = store;
    this.#agent = agent;
  }

  async find(first: string): Promise<Conversation | undefined> {
    this.#found ??= this.#load();
    return (await this.#found).get(first);
  }

  async add(first: string, conversation: Conversation): Promise<void> {
    this.#found ??= this.#load();
    const found = await this.#found;
    if (!found.has(first)) found.set(first, conversation);
  }

  async #load(): Promise<Map<string, Conversation>> {
    const found = new Map<string, Conversation>();
    let cursor: string | undefined;
    do {
      const query = { agent: this.#agent, limit: pageSize, ...(cursor !== undefined && { cursor }) };
      const page = await this.#store.list(query);
      for (const conversation of page.items) {
        const first = readImportState(conversation)?.first;
        // The one that is no fork holds the entries.
        if (first !== undefined && (!found.has(first) || !conversation.forkedFrom)) found.set(first, conversation);
      }
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return found;
  }
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
