// Plays operations on one place for data through two stores, as two processes would, and says what came of each in words that are
// the same for every driver: ids are replaced by the order of creation, fields are sorted.
import { isContinuoError } from '../../src/model/error.ts';
import { type ConversationId, createConversationId, formatEntryId } from '../../src/model/id.ts';
import type { ListQuery } from '../../src/model/list-query.ts';
import type { StoreDriver } from '../../src/model/ports/store-driver.ts';
import { ConversationStore } from '../../src/store/conversation-store.ts';
import type { Lease } from '../../src/store/lease.ts';
import { hour, type Operation, start } from './operations.ts';

const nobody = createConversationId(0);

export class Player {
  readonly #createDriver: () => StoreDriver;
  readonly #stores: ConversationStore[] = [];
  readonly #ids: ConversationId[] = [];
  readonly #leases = new Map<string, Lease>();
  #now = start;

  private constructor(createDriver: () => StoreDriver) {
    this.#createDriver = createDriver;
  }

  static async open(createDriver: () => StoreDriver): Promise<Player> {
    const player = new Player(createDriver);
    for (const i of [0, 1]) player.#stores[i] = await player.#open();
    return player;
  }

  /** What came of it: the result or the refusal. */
  async play(operation: Operation): Promise<unknown> {
    const store = this.#stores[operation.store] as ConversationStore;
    return this.#describe(() => this.#act(store, operation));
  }

  /** Everything that can be seen, through the given store. */
  async describeAll(which: 0 | 1): Promise<unknown> {
    const store = this.#stores[which] as ConversationStore;
    const { items } = await store.list({ trash: 'include', limit: 1000 });
    const state: Record<string, unknown> = { list: items };
    for (const [i, id] of this.#ids.entries()) {
      state[`entries of ${i}`] = await this.#describe(() => collect(store.readAll(id)));
      state[`tail of ${i}`] = await this.#describe(() => store.tail(id, 3));
      state[`conversation ${i}`] = await this.#describe(() => store.get(id));
      state[`draft of ${i}`] = await this.#describe(() => store.findDraft(id));
      state[`lease of ${i}`] = await this.#describe(() => store.findLease(id));
    }
    const { bytesOnDisk: _bytes, ...stats } = await store.stats();
    return this.#normalise({ ...state, stats, sweep: await store.planSweep() });
  }

  async close(): Promise<void> {
    for (const store of this.#stores) await store.close();
  }

  #open(): Promise<ConversationStore> {
    return ConversationStore.open({
      driver: this.#createDriver(),
      clock: () => this.#now,
      redactor: false,
      trashGrace: 10 * hour,
      onProblem: (problem) => {
        throw new Error(`damage where there is none: ${JSON.stringify(problem)}`);
      },
    });
  }

  async #act(store: ConversationStore, operation: Operation): Promise<unknown> {
    switch (operation.do) {
      case 'create':
        return this.#remember(await store.create(operation.input));
      case 'append': {
        const { expectedSeq, endsDraft } = operation;
        const options = { ...(expectedSeq !== undefined && { expectedSeq }), ...(endsDraft !== undefined && { endsDraft }) };
        return store.append(this.#id(operation.to), operation.entries, options);
      }
      case 'put-draft':
        return store.putDraft(this.#id(operation.id), operation.draft);
      case 'find-draft':
        return store.findDraft(this.#id(operation.id));
      case 'delete-draft':
        return store.deleteDraft(this.#id(operation.id));
      case 'append-at-once': {
        const calls = operation.to.map((to, i) =>
          this.#describe(() => store.append(this.#id(to), { kind: 'message', role: 'user', text: `${i} ${operation.text}` })),
        );
        return Promise.all(calls);
      }
      case 'read': {
        const { do: _do, store: _store, from, ...options } = operation;
        return store.read(this.#id(from), options);
      }
      case 'tail':
        return store.tail(this.#id(operation.of), operation.count);
      case 'find-entry':
        return store.findEntry(formatEntryId(this.#id(operation.of), operation.seq));
      case 'find':
        return store.find(operation.key);
      case 'resolve':
        return this.#resolve(store, operation.of, operation.length);
      case 'list':
        return this.#list(store, operation);
      case 'rename':
        return store.rename(this.#id(operation.id), operation.title);
      case 'tag':
        return store.tag(this.#id(operation.id), operation);
      case 'pin':
        return store.pin(this.#id(operation.id), operation.pinned);
      case 'put-meta':
        return store.putMeta(this.#id(operation.id), operation.meta);
      case 'merge-meta':
        return store.mergeMeta(this.#id(operation.id), operation.changes);
      case 'fork': {
        const { at, title } = operation;
        const options = { ...(at !== undefined && { at }), ...(title !== undefined && { title }) };
        return this.#remember(await store.fork(this.#id(operation.id), options));
      }
      case 'trash':
        return store.trash(this.#id(operation.id), { releaseKey: operation.releaseKey });
      case 'restore':
        return store.restore(this.#id(operation.id));
      case 'purge':
        return store.purge(this.#id(operation.id), { withForks: operation.withForks });
      case 'plan-sweep':
        return store.planSweep();
      case 'sweep':
        return store.sweep();
      case 'move-clock':
        this.#now += operation.by;
        return undefined;
      case 'acquire-lease':
        return this.#acquire(store, operation);
      case 'release-lease':
        return this.#leases.get(`${operation.store} ${this.#id(operation.id)}`)?.release();
      case 'find-lease':
        return store.findLease(this.#id(operation.id));
      case 'compress':
        // Nothing that can be seen changes, also where the driver cannot do it.
        return void (await store.compressCold(operation.before).catch((error: unknown) => {
          if (!isContinuoError(error, 'not-supported')) throw error;
        }));
      case 'reopen':
        await store.close();
        this.#stores[operation.store] = await this.#open();
        return undefined;
      case 'verify':
        return store.verify();
    }
  }

  async #acquire(store: ConversationStore, operation: { store: number; id: number; ttl: number }): Promise<unknown> {
    const id = this.#id(operation.id);
    const lease = await store.acquireLease(id, { owner: `store ${operation.store}`, ttl: operation.ttl });
    this.#leases.set(`${operation.store} ${id}`, lease);
    return lease.holder;
  }

  async #list(store: ConversationStore, { query, forkedFrom, pages }: Operation & { do: 'list' }): Promise<unknown> {
    let asked: ListQuery = forkedFrom === undefined ? query : { ...query, forkedFrom: this.#id(forkedFrom) };
    const found: unknown[] = [];
    for (let i = 0; i < pages; i++) {
      const page = await store.list(asked);
      found.push(page.items, page.nextCursor === undefined ? 'the last page' : 'there is more');
      if (page.nextCursor === undefined) break;
      asked = { ...asked, cursor: page.nextCursor };
    }
    return found;
  }

  /** Two places for data have different ids: only the kind of answer can be the same for short prefixes. */
  async #resolve(store: ConversationStore, of: number, length: number): Promise<unknown> {
    const prefix = this.#id(of).slice(0, length);
    if (length >= 30) return store.resolve(prefix);
    await store.resolve(prefix).catch((error: unknown) => {
      if (!isContinuoError(error)) throw error;
    });
    return undefined;
  }

  #id(number: number): ConversationId {
    return this.#ids[number % Math.max(1, this.#ids.length)] ?? nobody;
  }

  #remember<Made extends { id: ConversationId }>(made: Made): Made {
    this.#ids.push(made.id);
    return made;
  }

  async #describe(act: () => Promise<unknown>): Promise<unknown> {
    try {
      return this.#normalise(await act());
    } catch (error) {
      if (!isContinuoError(error) || error.code === 'internal') throw error;
      return this.#normalise({ refused: error.code, details: error.details });
    }
  }

  #normalise(value: unknown): unknown {
    if (value === undefined) return undefined;
    const text = JSON.stringify(value, sortFields).replace(
      /(cnv|ent)_([0-9a-z]{26})/g,
      (_, kind: string, ulid: string) => `${kind}#${this.#ids.indexOf(`cnv_${ulid}` as ConversationId)}`,
    );
    return JSON.parse(text);
  }
}

function sortFields(name: string, value: unknown): unknown {
  // A lease's token is random by nature.
  if (name === 'token') return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
