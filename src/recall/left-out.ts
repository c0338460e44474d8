// The conversations that are left out because they are asking: those that were named, and the sub-agents they sent out, also those of
// sub-agents. By the log's own word, one conversation at a time, for whoever walks the store's list; the index knows them in
// `listWithSubAgents`.
import type { Conversation } from '../model/conversation.ts';
import type { ConversationId } from '../model/id.ts';
import type { RecallQuery } from '../model/ports/recall.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import { parentKeyOf } from './conversation-marks.ts';

export interface LeftOutQuery {
  /** Never their own answer, nor their sub-agents: usually the conversation that is asking. */
  except?: RecallQuery['except'] | undefined;
  /** The same, named by their keys, stored or not. */
  exceptKeys?: RecallQuery['exceptKeys'] | undefined;
}

/** Nobody sends out sub-agents of sub-agents deeper than this. */
const deepest = 32;

export class LeftOut {
  readonly #store: ConversationStore;
  readonly #ids: Set<string>;
  readonly #keys: Set<string>;
  /** Keys that were looked up and belong to others. */
  readonly #others = new Set<string>();

  private constructor(store: ConversationStore, ids: readonly ConversationId[], keys: readonly string[]) {
    this.#store = store;
    this.#ids = new Set(ids);
    this.#keys = new Set(keys);
  }

  static async find(store: ConversationStore, { except, exceptKeys = [] }: LeftOutQuery): Promise<LeftOut> {
    const ids = listExcept(except);
    const keys = [...exceptKeys];
    for (const id of ids) {
      const key = (await store.find(id))?.key;
      if (key !== undefined) keys.push(key);
    }
    return new LeftOut(store, ids, keys);
  }

  async has(conversation: Conversation): Promise<boolean> {
    if (this.#ids.size === 0 && this.#keys.size === 0) return false;
    const { id, key } = conversation;
    if (this.#ids.has(id) || (key !== undefined && this.#keys.has(key))) return true;
    const parent = parentKeyOf(conversation);
    return parent !== undefined && (await this.#isOwn(parent, 0));
  }

  async #isOwn(key: string, depth: number): Promise<boolean> {
    if (this.#keys.has(key)) return true;
    if (this.#others.has(key) || depth === deepest) return false;
    const conversation = await this.#store.find(key);
    const parent = conversation && parentKeyOf(conversation);
    const isOwn = parent !== undefined && (await this.#isOwn(parent, depth + 1));
    (isOwn ? this.#keys : this.#others).add(key);
    return isOwn;
  }
}

/** One or several, as a list. */
export function listExcept(except: LeftOutQuery['except']): readonly ConversationId[] {
  return except === undefined ? [] : typeof except === 'string' ? [except] : except;
}
