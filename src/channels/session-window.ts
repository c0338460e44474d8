// The newest messages of one session, kept in memory. Holds the newest of every role and, apart from them, the newest user and
// assistant messages, so that neither a long history nor a flood of system messages makes reading dearer.
// Invariant: it shows exactly what the log showed at position `lastSeq`.
import type { Entry } from '../model/entry.ts';
import type { ConversationId } from '../model/id.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import type { ChatMessage, SessionMessage } from './channel-session.ts';
import { clearedLabel, clearUndoneLabel, isLabel, readVisible } from './visible-entries.ts';

/** Loading looks at so many entries per message it may hold, then stops: other kinds of entries must not make it endless. */
const entriesPerMessage = 4;
const bytesPerMessage = 120;

export class SessionWindow {
  readonly #size: number;
  #lastSeq: number;
  #all: SessionMessage[] = [];
  #chat: SessionMessage[] = [];
  /** Whether `#chat` is all there is to see. */
  #complete = true;
  #snapshot: readonly SessionMessage[] | undefined;

  private constructor(size: number, lastSeq: number) {
    this.#size = size;
    this.#lastSeq = lastSeq;
  }

  /** The window as of the given position. */
  static async load(store: ConversationStore, id: ConversationId, lastSeq: number, size: number): Promise<SessionWindow> {
    const window = new SessionWindow(size, lastSeq);
    if (lastSeq === 0) return window;
    let looked = 0;
    for await (const entry of readVisible(store, id, { before: lastSeq + 1, pageSize: size })) {
      const message = toMessage(entry);
      if (message) window.#all.push(message);
      looked += 1;
      if (window.#all.length === size || looked === size * entriesPerMessage) {
        window.#complete = false;
        break;
      }
    }
    window.#all.reverse();
    window.#chat = window.#all.filter(isChat);
    return window;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Every role, oldest first. The same frozen array until something changes. */
  get messages(): readonly SessionMessage[] {
    this.#snapshot ??= Object.freeze([...this.#all]);
    return this.#snapshot;
  }

  /** About how much memory it takes. */
  get bytes(): number {
    const older = this.#chat.length - this.#all.filter(isChat).length;
    let bytes = 0;
    for (const message of this.#all) bytes += bytesPerMessage + 2 * message.content.length;
    for (let i = 0; i < older; i++) bytes += bytesPerMessage + 2 * (this.#chat[i] as SessionMessage).content.length;
    return bytes;
  }

  /** The last `count` user and assistant messages, read from the log where the window does not reach. */
  async recent(store: ConversationStore, id: ConversationId, count: number): Promise<ChatMessage[]> {
    if (count === 0) return [];
    if (this.#chat.length >= count || this.#complete) return copies(this.#chat.slice(-count));
    const found: SessionMessage[] = [];
    let complete = true;
    for await (const entry of readVisible(store, id, { before: this.#lastSeq + 1, pageSize: Math.max(count, this.#size) })) {
      const message = toMessage(entry);
      if (message && isChat(message)) found.push(message);
      if (found.length === count) {
        complete = false;
        break;
      }
    }
    found.reverse();
    if (count <= this.#size) {
      this.#chat = found;
      this.#complete = complete;
    }
    return copies(found);
  }

  /** Takes in entries that follow directly; false, and nothing changed, where others were said in between. */
  extend(entries: readonly Entry[]): boolean {
    if (entries[0] !== undefined && entries[0].seq !== this.#lastSeq + 1) return false;
    for (const entry of entries) this.#take(entry);
    return true;
  }

  /** Takes in what anybody appended up to the position; false where it has to be loaded anew instead. */
  async catchUp(store: ConversationStore, id: ConversationId, lastSeq: number): Promise<boolean> {
    const page = await store.read(id, { after: this.#lastSeq, limit: this.#size });
    if (page.next || page.items.some((entry) => isLabel(entry, clearUndoneLabel))) return false;
    for (const entry of page.items) this.#take(entry);
    this.#lastSeq = Math.max(this.#lastSeq, lastSeq);
    return true;
  }

  /** Forgets what was said before the moment. */
  forgetBefore(moment: number): void {
    const isKept = (message: SessionMessage) => message.timestamp >= moment;
    if (this.#all.every(isKept) && this.#chat.every(isKept)) return;
    this.#all = this.#all.filter(isKept);
    this.#chat = this.#chat.filter(isKept);
    this.#snapshot = undefined;
  }

  #take(entry: Entry): void {
    this.#lastSeq = entry.seq;
    const message = toMessage(entry);
    if (isLabel(entry, clearedLabel)) {
      this.#all = [];
      this.#chat = [];
      this.#complete = true;
    } else if (message) {
      this.#all.push(message);
      if (this.#all.length > this.#size) this.#all.shift();
      if (isChat(message)) this.#chat.push(message);
      if (this.#chat.length > this.#size) {
        this.#chat.shift();
        this.#complete = false;
      }
    }
    this.#snapshot = undefined;
  }
}

/** The message an entry is; undefined for other entries and where the storage policy withheld the words. */
export function toMessage(entry: Entry): SessionMessage | undefined {
  if (entry.kind !== 'message' || entry.withheld) return undefined;
  return Object.freeze({ role: entry.role, content: entry.text, timestamp: entry.at });
}

function isChat(message: SessionMessage): boolean {
  return message.role !== 'system';
}

function copies(messages: readonly SessionMessage[]): ChatMessage[] {
  return messages.map((message) => ({ ...message })) as ChatMessage[];
}
