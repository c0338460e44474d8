// The one way a turn writes: what was said and what happened go into the conversation's own log, where the storage policy, the
// masking of secrets, encryption, backups and purging apply to it like to every other entry. A rollout is that log played back.
import type { Entry, NewEntry } from '../../model/entry.ts';
import { ContinuoError } from '../../model/error.ts';
import type { ConversationId } from '../../model/id.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { PlacedItem } from '../history/history-store.ts';

export class RolloutRecorder {
  readonly #store: ConversationStore;
  readonly #id: ConversationId;
  readonly #onAppend: (entry: Entry) => void | Promise<void>;
  #stopped = false;

  constructor(store: ConversationStore, id: ConversationId, onAppend: (entry: Entry) => void | Promise<void>) {
    this.#store = store;
    this.#id = id;
    this.#onAppend = onAppend;
  }

  /** Makes the entries durable. Returns them as they were said, with their places in the log where the policy keeps them. */
  async record(entries: readonly NewEntry[], options: { endsDraft?: boolean } = {}): Promise<PlacedItem[]> {
    this.#assertRecording();
    const { entries: stored } = await this.#store.append(this.#id, entries, options);
    for (const entry of stored) await this.#onAppend(entry);
    if (stored.length !== entries.length) return entries.map((item) => ({ item }));
    return entries.map((item, index) => {
      const { id, seq } = stored[index] as Entry;
      return { item, id, seq };
    });
  }

  /** The answer so far, for the case that this process dies before its end. */
  async recordDraft(entry: NewEntry): Promise<void> {
    this.#assertRecording();
    await this.#store.putDraft(this.#id, entry);
  }

  /** From now on nothing is written: a turn that did not stop when it was told has no say any more. */
  stop(): void {
    this.#stopped = true;
  }

  #assertRecording(): void {
    if (this.#stopped) throw new ContinuoError('conversation-closed', { id: this.#id });
  }
}
