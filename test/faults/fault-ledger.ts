// What was acknowledged in spite of a fault, to be held against what is there when the fault is gone.
import assert from 'node:assert/strict';
import { type ContinuoError, isContinuoError } from '../../src/model/error.ts';
import type { ConversationId } from '../../src/model/id.ts';
import type { ConversationStore } from '../../src/store/conversation-store.ts';

export class FaultLedger {
  readonly texts = new Map<ConversationId, string[]>();
  readonly #store: ConversationStore;
  #counter = 0;

  constructor(store: ConversationStore) {
    this.#store = store;
  }

  get ids(): ConversationId[] {
    return [...this.texts.keys()];
  }

  async create(key: string): Promise<void> {
    this.texts.set((await this.#store.create({ key })).id, []);
  }

  async append(id: ConversationId): Promise<void> {
    const text = `${++this.#counter} ${'words '.repeat(this.#counter % 300)}`;
    await this.#store.append(id, { kind: 'message', role: 'user', text });
    this.texts.get(id)?.push(text);
  }

  /** So many to every conversation. */
  async appendMany(count: number): Promise<void> {
    for (let i = 0; i < count; i++) for (const id of this.texts.keys()) await this.append(id);
  }

  /** Several writers at once until every one of them was refused. The codes they got, each once. */
  async appendUntilRefused(): Promise<string[]> {
    const codes = new Set<string>();
    const write = async (id: ConversationId) => {
      for (let i = 0; i < 500; i++) {
        const code = await codeOf(this.append(id));
        if (code === 'fine') continue;
        codes.add(code);
        return;
      }
      codes.add('never refused');
    };
    await Promise.all(this.ids.map(write));
    return [...codes];
  }

  /** Exactly the acknowledged texts, in order: none is lost, and none that was refused has appeared after all. */
  async check(store = this.#store): Promise<void> {
    for (const [id, expected] of this.texts) {
      const found: string[] = [];
      for await (const entry of store.readAll(id)) found.push((entry as { text: string }).text);
      assert.deepEqual(found, expected);
    }
  }
}

/** `fine`, or the code of the refusal. An error without a code, or one that blames this program, is passed on. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'fine';
  } catch (error) {
    if (!isContinuoError(error) || error.code === 'internal') throw error;
    return (error as ContinuoError).code;
  }
}
