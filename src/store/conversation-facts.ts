// What about a conversation can never change, and so may be remembered: its policy and whose entries it shares.
import { ContinuoError } from '../model/error.ts';
import { type ConversationId, isConversationId } from '../model/id.ts';
import type { StoreDriver } from '../model/ports/store-driver.ts';
import type { StoragePolicy } from '../model/storage-policy.ts';
import { buildLineage, type Lineage } from './lineage.ts';

const factsKept = 2000;

export interface Facts {
  policy: StoragePolicy;
  lineage: Lineage;
}

export class ConversationFacts {
  readonly #driver: StoreDriver;
  readonly #known = new Map<ConversationId, Facts | Promise<Facts>>();

  constructor(driver: StoreDriver) {
    this.#driver = driver;
  }

  /**
   * A promise only while they are being loaded. It is replaced by the facts themselves before anybody who waits for it goes on, so
   * that a later append cannot overtake an earlier one that had to wait.
   */
  of(id: ConversationId): Facts | Promise<Facts> {
    const known = this.#known.get(id);
    if (known) return known;
    const loading = this.#load(id);
    this.#known.set(id, loading);
    loading.then(
      (facts) => this.#known.set(id, facts),
      () => this.#known.delete(id),
    );
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= factsKept) break;
      this.#known.delete(oldest);
    }
    return loading;
  }

  forget(id: ConversationId): void {
    this.#known.delete(id);
  }

  async #load(id: ConversationId): Promise<Facts> {
    const conversation = isConversationId(id) ? await this.#driver.findConversation(id) : undefined;
    if (!conversation) throw new ContinuoError('conversation-not-found', { id: String(id) });
    const lineage = await buildLineage(conversation, async (origin) => (await this.of(origin)).lineage);
    return { policy: conversation.policy, lineage };
  }
}
