import { describe, expect, it } from 'vitest';
import type { Conversation, ConversationPatch } from '../model/conversation.ts';
import { ContinuoError } from '../model/error.ts';
import type { ConversationId } from '../model/id.ts';
import type { AppendOutcome, AppendRequest, EntryRange, EntryRecord } from '../model/ports/store-driver.ts';
import { ConversationStore } from '../store/conversation-store.ts';
import { MemoryDriver } from '../store/drivers/memory/memory-driver.ts';
import { SessionManager, type SessionManagerOptions } from './session-manager.ts';

/** A real driver that counts what it is asked for, and whose disk can be full. */
class WatchedDriver extends MemoryDriver {
  readEntriesCalls = 0;
  recordsRead = 0;
  appends = 0;
  isFull = false;

  override async readEntries(id: ConversationId, range: EntryRange): Promise<EntryRecord[]> {
    const records = await super.readEntries(id, range);
    this.readEntriesCalls += 1;
    this.recordsRead += records.length;
    return records;
  }

  override async append(batch: readonly AppendRequest[]): Promise<AppendOutcome[]> {
    this.#assertSpace();
    this.appends += 1;
    return super.append(batch);
  }

  override async updateConversation(id: ConversationId, patch: ConversationPatch): Promise<Conversation | undefined> {
    this.#assertSpace();
    return super.updateConversation(id, patch);
  }

  async costOf(action: () => Promise<unknown>): Promise<{ calls: number; records: number }> {
    const before = { calls: this.readEntriesCalls, records: this.recordsRead };
    await action();
    return { calls: this.readEntriesCalls - before.calls, records: this.recordsRead - before.records };
  }

  #assertSpace(): void {
    if (this.isFull) throw new ContinuoError('disk-full', { path: '/full' });
  }
}

/** Finds keys at once; the memory driver looks through all conversations for one. */
class KeyIndexedDriver extends MemoryDriver {
  readonly #ids = new Map<string, ConversationId>();

  override async insertConversation({ key, ...rest }: Conversation): Promise<void> {
    if (key !== undefined) this.#ids.set(key, rest.id);
    await super.insertConversation(rest);
  }

  override async findByKey(key: string): Promise<Conversation | undefined> {
    const id = this.#ids.get(key);
    const found = id && (await super.findConversation(id));
    return found && { ...found, key };
  }
}

async function setUp(options: Omit<Partial<SessionManagerOptions>, 'store' | 'open' | 'home'> = {}) {
  const driver = new WatchedDriver();
  const store = await ConversationStore.open({ driver, redactor: false });
  const create = () => new SessionManager({ store, ...options });
  return { driver, store, manager: create(), create };
}

describe('the cost of a session', () => {
  it('does not grow with the length of its history', async () => {
    const { driver, store, create } = await setUp();
    for (const [key, length] of [['short', 300] as const, ['long', 10_000] as const]) {
      const { id } = await create().getOrCreate(key);
      const text = (n: number) => ({ kind: 'message', role: 'user', text: `m${n}` }) as const;
      await store.append(
        id,
        Array.from({ length }, (_, n) => text(n + 1)),
      );
    }
    const costs = async (key: string) => {
      const manager = create();
      return {
        cold: await driver.costOf(async () => expect(await manager.getMessages(key)).toHaveLength(20)),
        warm: await driver.costOf(() => manager.getMessages(key)),
        open: await driver.costOf(() => manager.getOrCreate(key)),
        add: await driver.costOf(() => manager.addMessage(key, 'user', 'one more')),
        after: await driver.costOf(async () => expect((await manager.getMessages(key)).at(-1)?.content).toBe('one more')),
        coldAdd: await driver.costOf(() => create().addMessage(key, 'user', 'and one')),
      };
    };
    const nothing = { calls: 0, records: 0 };
    const window = { calls: 1, records: 201 };
    const expected = { cold: window, warm: nothing, open: nothing, add: nothing, after: nothing, coldAdd: window };
    expect([await costs('short'), await costs('long')]).toEqual([expected, expected]);
  });

  it('a flood of system messages is read through once, not at every look', async () => {
    const { driver, manager } = await setUp();
    for (let i = 0; i < 20; i++) void manager.addMessage('k', 'user', `m${i}`);
    for (let i = 0; i < 1000; i++) void manager.addMessage('k', 'system', `s${i}`);
    await manager.getMessages('k');
    await manager.unload('k');
    expect((await driver.costOf(() => manager.getMessages('k'))).calls).toBeLessThanOrEqual(7);
    expect(await driver.costOf(() => manager.getMessages('k'))).toEqual({ calls: 0, records: 0 });
    await manager.addMessage('k', 'system', 'one more');
    expect(await driver.costOf(() => manager.getMessages('k'))).toEqual({ calls: 0, records: 0 });
  });

  it('entries of other kinds do not make opening a session endless', async () => {
    const { driver, store, create } = await setUp({ windowSize: 10 });
    const { id } = await create().getOrCreate('k');
    await store.append(id, { kind: 'message', role: 'user', text: 'the only one' });
    await store.append(
      id,
      Array.from({ length: 5000 }, () => ({ kind: 'thinking', text: 'hm' }) as const),
    );
    const manager = create();
    expect(await driver.costOf(() => manager.getOrCreate('k'))).toEqual({ calls: 4, records: 44 });
    expect((await manager.getMessages('k')).map(({ content }) => content)).toEqual(['the only one']);
  });

  it('messages that wait together are written together', async () => {
    const { driver, manager } = await setUp();
    await manager.getOrCreate('k');
    driver.appends = 0;
    await Promise.all(Array.from({ length: 500 }, (_, i) => manager.addMessage('k', 'user', `m${i}`)));
    expect(driver.appends).toBeLessThanOrEqual(3);
  });
});

describe('the memory for sessions', () => {
  it('stays within its number of sessions under 5,000 keys', async () => {
    const store = await ConversationStore.open({ driver: new KeyIndexedDriver(), redactor: false });
    const manager = new SessionManager({ store, maxSessions: 100 });
    let most = 0;
    for (let i = 0; i < 5000; i++) {
      const adding = manager.addMessage(`k${i}`, 'user', 'hello');
      most = Math.max(most, manager.cached.sessions);
      await adding;
    }
    expect([most, manager.cached.sessions]).toEqual([100, 100]);
    expect(manager.getAllSessions().map(({ key }) => key)).toEqual(Array.from({ length: 100 }, (_, i) => `k${4900 + i}`));
    expect((await manager.getMessages('k0')).map(({ content }) => content)).toEqual(['hello']);
  });

  it('stays within it when all come at once, as soon as they are done', async () => {
    const { manager } = await setUp({ maxSessions: 100 });
    await Promise.all(Array.from({ length: 1000 }, (_, i) => manager.addMessage(`k${i}`, 'user', 'hello')));
    expect(manager.cached.sessions).toBe(100);
    expect(await manager.listSessions()).toHaveLength(1000);
  });

  it('stays within its number of bytes, and forgets the least recently used first', async () => {
    const { manager } = await setUp({ maxBytes: 100_000 });
    for (const key of ['a', 'b', 'c']) await manager.addMessage(key, 'user', 'x'.repeat(15_000));
    await manager.getMessages('a');
    await manager.addMessage('d', 'user', 'x'.repeat(15_000));
    expect(manager.getAllSessions().map(({ key }) => key)).toEqual(['c', 'a', 'd']);
    expect(manager.cached.bytes).toBeLessThanOrEqual(100_000);
    await manager.addMessage('e', 'user', 'x'.repeat(200_000));
    expect(manager.getAllSessions().map(({ key }) => key)).toEqual(['e']);
  });

  it('a session with unsaved changes is saved before it is forgotten', async () => {
    const { manager, store } = await setUp({ maxSessions: 1 });
    const session = await manager.getOrCreate('a');
    session.metadata.draft = 1;
    await manager.getOrCreate('b');
    await manager.getOrCreate('c');
    expect(manager.getAllSessions().map(({ key }) => key)).toEqual(['c']);
    expect((await new SessionManager({ store }).getOrCreate('a')).metadata).toEqual({ draft: 1 });
  });

  it('a session that cannot be saved stays, the failure is told, and it goes when the disk has room again', async () => {
    const failures: unknown[] = [];
    const onError = (error: unknown, context: object) => failures.push({ code: (error as ContinuoError).code, ...context });
    const { driver, manager, store } = await setUp({ maxSessions: 1, onError });
    const session = await manager.getOrCreate('a');
    session.metadata.draft = 1;
    driver.isFull = true;
    for (const key of ['b', 'c', 'd']) await manager.getOrCreate(key);
    expect(failures).toEqual([{ code: 'disk-full', during: 'eviction', key: 'a' }]);
    expect(manager.getAllSessions()).toContain(session);
    expect(await manager.getOrCreate('a')).toBe(session);
    driver.isFull = false;
    await manager.getOrCreate('e');
    await manager.getOrCreate('f');
    expect(manager.cached.sessions).toBe(1);
    expect((await new SessionManager({ store }).getOrCreate('a')).metadata).toEqual({ draft: 1 });
  });
});

describe('a disk that is full', () => {
  it('rejects the message, and save tells callers who did not wait', async () => {
    const { driver, manager } = await setUp();
    const session = await manager.getOrCreate('k');
    await manager.addMessage('k', 'user', 'before');
    driver.isFull = true;
    await expect(manager.addMessage('k', 'user', 'lost')).rejects.toMatchObject({ code: 'disk-full' });
    void manager.addMessage('k', 'user', 'lost too');
    void manager.clear('k');
    await expect(manager.save(session)).rejects.toMatchObject({ code: 'disk-full' });
    driver.isFull = false;
    await manager.addMessage('k', 'user', 'after');
    await manager.save(session);
    expect((await manager.getMessages('k')).map(({ content }) => content)).toEqual(['before', 'after']);
  });

  it('a failure nobody asked about is told by unload and by close', async () => {
    const { driver, manager } = await setUp();
    await manager.getOrCreate('a');
    await manager.getOrCreate('b');
    driver.isFull = true;
    void manager.addMessage('a', 'user', 'lost');
    await expect(manager.unload('a')).rejects.toMatchObject({ code: 'disk-full' });
    await manager.unload('a');
    void manager.addMessage('b', 'user', 'lost');
    await expect(manager.close()).rejects.toMatchObject({ code: 'disk-full' });
  });
});
