import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createConversationId } from '../model/id.ts';
import type { StoreDriver } from '../model/ports/store-driver.ts';
import { ConversationStore } from '../store/conversation-store.ts';
import { JsonlDriver } from '../store/drivers/jsonl/jsonl-driver.ts';
import { MemoryDriver } from '../store/drivers/memory/memory-driver.ts';
import { SqliteDriver } from '../store/drivers/sqlite/sqlite-driver.ts';
import { getSessionManager, SessionManager, type SessionManagerOptions } from './session-manager.ts';

const start = Date.UTC(2026, 0, 1);
const driverNames = ['memory', 'sqlite', 'jsonl'] as const;
type DriverName = (typeof driverNames)[number];
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A place on disk (or in memory) that stores can be opened on again and again, with a clock of its own. */
async function place(driverName: DriverName) {
  const folder = await mkdtemp(join(tmpdir(), 'sessions-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  const memory = new MemoryDriver();
  const time = { now: start };
  const clock = () => time.now;
  const createDriver = (): StoreDriver => {
    if (driverName === 'memory') return memory;
    return driverName === 'sqlite' ? new SqliteDriver({ folder }) : new JsonlDriver({ folder });
  };
  const openStore = async () => {
    const store = await ConversationStore.open({ driver: createDriver(), clock, redactor: false });
    cleanups.push(() => store.close());
    return store;
  };
  const openManager = async (options: Partial<SessionManagerOptions> = {}) => {
    const store = await openStore();
    return {
      store,
      manager: new SessionManager({ clock, ...options, store, open: undefined, home: undefined } as SessionManagerOptions),
    };
  };
  return { time, openStore, openManager };
}

const contents = (messages: readonly { content: string }[]) => messages.map(({ content }) => content);

describe.each(driverNames)('sessions on the %s driver', (driverName) => {
  it('a new session is empty and stored', async () => {
    const { openManager } = await place(driverName);
    const { manager, store } = await openManager();
    const session = await manager.getOrCreate('feishu:oc_1');
    const conversation = await store.get('feishu:oc_1');
    expect(session).toEqual({
      key: 'feishu:oc_1',
      id: conversation.id,
      messages: [],
      created_at: start,
      updated_at: start,
      metadata: {},
    });
  });

  it('messages, metadata and the active skill are there after everything is opened again', async () => {
    const { time, openManager } = await place(driverName);
    const first = await openManager();
    const session = await first.manager.getOrCreate('feishu:oc_1');
    time.now += 1000;
    await first.manager.addMessage('feishu:oc_1', 'system', 'Be kind.');
    await first.manager.addMessage('feishu:oc_1', 'user', 'Hello');
    time.now += 1000;
    await first.manager.addMessage('feishu:oc_1', 'assistant', 'Hi!', { author: { name: 'minibot' } });
    session.metadata.chatType = 'group';
    session.activeSkill = 'translate';
    await first.manager.save(session);
    await first.manager.close();
    await first.store.close();

    const { manager } = await openManager();
    expect(await manager.getOrCreate('feishu:oc_1')).toEqual({
      key: 'feishu:oc_1',
      id: session.id,
      messages: [
        { role: 'system', content: 'Be kind.', timestamp: start + 1000 },
        { role: 'user', content: 'Hello', timestamp: start + 1000 },
        { role: 'assistant', content: 'Hi!', timestamp: start + 2000 },
      ],
      created_at: start,
      updated_at: start + 2000,
      metadata: { chatType: 'group' },
      activeSkill: 'translate',
    });
    expect(await manager.getMessages('feishu:oc_1')).toEqual([
      { role: 'user', content: 'Hello', timestamp: start + 1000 },
      { role: 'assistant', content: 'Hi!', timestamp: start + 2000 },
    ]);
  });

  it('getMessages gives the last 20 unless told otherwise, oldest first', async () => {
    const { openManager } = await place(driverName);
    const { manager } = await openManager({ windowSize: 10 });
    for (let i = 1; i <= 50; i++) void manager.addMessage('k', i % 2 ? 'user' : 'assistant', `m${i}`);
    const numbered = (from: number) => Array.from({ length: 51 - from }, (_, i) => `m${from + i}`);
    expect(contents(await manager.getMessages('k'))).toEqual(numbered(31));
    expect(contents(await manager.getMessages('k', 3))).toEqual(numbered(48));
    expect(contents(await manager.getMessages('k', 10_000))).toEqual(numbered(1));
    expect(await manager.getMessages('k', 0)).toEqual([]);
    expect(contents((await manager.getOrCreate('k')).messages)).toEqual(numbered(41));
  });

  it('system messages are filtered before counting, however many they are', async () => {
    const { openManager } = await place(driverName);
    const { manager, store } = await openManager();
    for (let i = 1; i <= 30; i++) void manager.addMessage('k', 'user', `m${i}`);
    for (let i = 1; i <= 1000; i++) void manager.addMessage('k', 'system', `s${i}`);
    const expected = Array.from({ length: 20 }, (_, i) => `m${11 + i}`);
    expect(contents(await manager.getMessages('k', 20))).toEqual(expected);
    const cold = new SessionManager({ store });
    expect(contents(await cold.getMessages('k', 20))).toEqual(expected);
    await cold.addMessage('k', 'assistant', 'and on');
    expect(contents(await cold.getMessages('k', 20))).toEqual([...expected.slice(1), 'and on']);
    expect((await cold.getOrCreate('k')).messages).toHaveLength(200);
  });

  it('messages nobody waited for are stored in the order of the calls once save resolves', async () => {
    const { openManager } = await place(driverName);
    const { manager, store } = await openManager();
    const session = await manager.getOrCreate('k');
    const said: string[] = [];
    for (let i = 0; i < 2500; i++) {
      said.push(`m${i}`);
      void manager.addMessage('k', 'user', `m${i}`);
    }
    await manager.save(session);
    const stored: string[] = [];
    for await (const entry of store.readAll(session.id)) stored.push((entry as { text: string }).text);
    expect(stored).toEqual(said);
  });

  it('a session object follows what is added and its messages cannot be changed by hand', async () => {
    const { openManager } = await place(driverName);
    const { manager } = await openManager();
    const session = await manager.getOrCreate('k');
    await manager.addMessage('k', 'user', 'one');
    expect(contents(session.messages)).toEqual(['one']);
    expect(() => (session.messages as unknown[]).push({})).toThrow(TypeError);
    expect(await manager.getOrCreate('k')).toBe(session);
  });

  it('reading a key without a session makes none', async () => {
    const { openManager } = await place(driverName);
    const { manager, store } = await openManager();
    expect(await manager.getMessages('nobody')).toEqual([]);
    await manager.clear('nobody');
    expect([await manager.unclear('nobody'), await manager.delete('nobody'), await store.find('nobody')]).toEqual([
      false,
      false,
      undefined,
    ]);
    expect(manager.cached).toEqual({ sessions: 0, bytes: 0 });
  });

  it('clear hides what was said, in memory and after a restart, and unclear brings it back', async () => {
    const { openManager } = await place(driverName);
    const { manager, store } = await openManager();
    const restarted = async () => contents(await new SessionManager({ store }).getMessages('k'));
    await manager.addMessage('k', 'user', 'one');
    void manager.clear('k');
    void manager.addMessage('k', 'user', 'two');
    expect(contents(await manager.getMessages('k'))).toEqual(['two']);
    expect(await restarted()).toEqual(['two']);
    await manager.clear('k');
    expect([contents(await manager.getMessages('k')), await restarted()]).toEqual([[], []]);
    expect((await store.get('k')).lastSeq).toBe(4);

    expect(await manager.unclear('k')).toBe(true);
    await manager.addMessage('k', 'user', 'three');
    expect([contents(await manager.getMessages('k')), await restarted()]).toEqual([
      ['two', 'three'],
      ['two', 'three'],
    ]);
    expect(await manager.unclear('k')).toBe(true);
    expect([contents(await manager.getMessages('k')), await restarted()]).toEqual([
      ['one', 'two', 'three'],
      ['one', 'two', 'three'],
    ]);
    expect(await manager.unclear('k')).toBe(false);
    await manager.clear('k');
    expect([contents(await manager.getMessages('k')), await restarted()]).toEqual([[], []]);
  });

  it('delete frees the key at once, and the old session can be restored by its id', async () => {
    const { openManager } = await place(driverName);
    const { manager, store } = await openManager();
    await manager.addMessage('k', 'user', 'old');
    const { id } = await manager.getOrCreate('k');
    expect(await manager.delete('k')).toBe(true);
    expect(await manager.delete('k')).toBe(false);
    expect(await manager.getMessages('k')).toEqual([]);
    await manager.addMessage('k', 'user', 'new');
    expect(contents(await manager.getMessages('k'))).toEqual(['new']);
    await store.restore(id);
    expect((await store.tail(id, 10)).map((entry) => (entry as { text: string }).text)).toEqual(['old']);
    expect(contents(await manager.getMessages('k'))).toEqual(['new']);
  });

  it('a session trashed elsewhere gives way to a new one under the same key', async () => {
    const { openManager } = await place(driverName);
    const { manager, store } = await openManager();
    await manager.addMessage('k', 'user', 'old');
    const { id } = await manager.getOrCreate('k');
    await store.trash(id);
    void manager.addMessage('k', 'user', 'one');
    await manager.addMessage('k', 'user', 'two');
    expect(contents(await manager.getMessages('k'))).toEqual(['one', 'two']);
    expect((await store.get(id)).trashedAt).toBe(start);
  });

  it('keys of every kind lead to sessions of their own', async () => {
    const { openManager } = await place(driverName);
    const { manager, store } = await openManager();
    const stranger = await store.create({});
    const keys = ['a:b', 'a_b', 'a%3Ab', 'A:b', '飞书:用户', '👩‍👩‍👧', '../../x', '..', '.', 'x/y', 'x\\y', ' ', 'ü', 'u\u0308'];
    keys.push(
      'k'.repeat(300),
      `${'长'.repeat(1023)}一`,
      `${'长'.repeat(1023)}二`,
      stranger.id,
      createConversationId(start),
      '__proto__',
    );
    for (const key of keys) await manager.addMessage(key, 'user', `in ${key}`);
    const cold = new SessionManager({ store });
    for (const key of keys) expect(contents(await cold.getMessages(key))).toEqual([`in ${key}`]);
    expect((await store.get(stranger.id)).lastSeq).toBe(0);
    expect(await cold.delete(stranger.id)).toBe(true);
    expect((await store.get(stranger.id)).trashedAt).toBeUndefined();
  });

  it('what is not a key, a role or a message is refused with a code', async () => {
    const { openManager } = await place(driverName);
    const { manager } = await openManager();
    const invalid = expect.objectContaining({ code: 'invalid-input' });
    await expect(manager.getOrCreate('')).rejects.toEqual(invalid);
    await expect(manager.addMessage('k'.repeat(1025), 'user', 'x')).rejects.toEqual(invalid);
    await expect(manager.addMessage('k', 'tool' as never, 'x')).rejects.toEqual(invalid);
    await expect(manager.addMessage('k', 'user', 7 as never)).rejects.toEqual(invalid);
    await expect(manager.clear('')).rejects.toEqual(invalid);
    await expect(manager.getMessages('k', -1)).rejects.toEqual(invalid);
    await expect(manager.getMessages('k', 2.5)).rejects.toEqual(invalid);
    expect(await manager.listSessions()).toEqual([]);
  });

  it('two managers on one store see what the other says, saves, clears and deletes', async () => {
    const { openManager } = await place(driverName);
    const { manager: one } = await openManager();
    const { manager: two } = await openManager();
    const mine = await one.getOrCreate('k');
    const yours = await two.getOrCreate('k');
    expect(yours.id).toBe(mine.id);
    await one.addMessage('k', 'user', 'a');
    await two.addMessage('k', 'assistant', 'b');
    await one.addMessage('k', 'user', 'c');
    expect([contents(mine.messages), contents(await two.getMessages('k'))]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ]);

    mine.metadata.left = 1;
    yours.metadata.right = 2;
    yours.activeSkill = 'search';
    await one.save(mine);
    await two.save(yours);
    expect((await one.getOrCreate('k')).metadata).toEqual({ left: 1, right: 2 });
    expect([mine.activeSkill, yours.metadata]).toEqual(['search', { left: 1, right: 2 }]);
    delete mine.metadata.right;
    await one.save(mine);
    await two.getOrCreate('k');
    expect(yours.metadata).toEqual({ left: 1 });

    await one.clear('k');
    expect(await two.getMessages('k')).toEqual([]);
    await two.unclear('k');
    expect(contents(await one.getMessages('k'))).toEqual(['a', 'b', 'c']);
    await one.delete('k');
    await two.addMessage('k', 'user', 'd');
    expect([contents(await one.getMessages('k')), contents(await two.getMessages('k'))]).toEqual([['d'], ['d']]);
  });

  it('a window that fell far behind shows the newest messages again', async () => {
    const { openManager } = await place(driverName);
    const { manager: one } = await openManager({ windowSize: 5 });
    const { manager: two } = await openManager();
    await one.addMessage('k', 'user', 'first');
    for (let i = 1; i <= 20; i++) void two.addMessage('k', 'user', `m${i}`);
    await two.save(await two.getOrCreate('k'));
    expect(contents((await one.getOrCreate('k')).messages)).toEqual(['m16', 'm17', 'm18', 'm19', 'm20']);
  });

  it('two managers that make the same session at the same moment make one', async () => {
    const { openManager } = await place(driverName);
    const { manager: one } = await openManager();
    const { manager: two, store } = await openManager();
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        Promise.all([one.addMessage(`k${i}`, 'user', 'a'), two.addMessage(`k${i}`, 'user', 'b')]),
      ),
    );
    expect((await store.list({})).items.map(({ key, lastSeq }) => ({ key, lastSeq }))).toHaveLength(20);
    for (let i = 0; i < 20; i++) expect(contents(await one.getMessages(`k${i}`)).sort()).toEqual(['a', 'b']);
  });

  it('listSessions gives every session, or pages of them, and nothing this manager did not make', async () => {
    const { time, openManager } = await place(driverName);
    const { manager, store } = await openManager();
    await store.create({ key: 'imported', title: 'not a session' });
    const sessions = [];
    for (let i = 1; i <= 5; i++) {
      time.now += 1000;
      await manager.addMessage(`k${i}`, 'user', `Hello ${i}`);
      sessions.unshift({
        key: `k${i}`,
        id: (await manager.getOrCreate(`k${i}`)).id,
        created_at: time.now,
        updated_at: time.now,
        pinned: false,
        entryCount: 1,
      });
    }
    expect(await manager.listSessions()).toEqual(sessions);
    const first = await manager.listSessions({ limit: 3, preview: true });
    expect(first).toEqual({
      items: sessions.slice(0, 3).map((session, i) => ({ ...session, preview: `Hello ${5 - i}` })),
      nextCursor: expect.any(String),
    });
    const second = await manager.listSessions({ limit: 3, cursor: first.nextCursor as string });
    expect(second.items).toEqual(sessions.slice(3));
    expect(await new SessionManager({ store, owner: 'another bot' }).listSessions()).toEqual([]);
  });

  it('a conversation made elsewhere can be used by its key without becoming this manager’s', async () => {
    const { time, openManager } = await place(driverName);
    const { manager, store } = await openManager();
    const { id } = await store.create({ key: 'imported', meta: { source: 'file' } });
    const session = await manager.getOrCreate('imported');
    session.metadata.seen = true;
    await manager.save(session);
    await manager.unload('imported');
    time.now += 1_000_000;
    expect((await manager.cleanup(1000)).removed).toEqual([]);
    expect(await manager.listSessions()).toEqual([]);
    expect((await store.get(id)).meta).toEqual({ source: 'file', channel: { metadata: { seen: true }, savedAt: start } });
  });
});

describe('saving', () => {
  it('writes only what changed, keeps the time of the change, and works for a session that left the memory', async () => {
    const { time, openManager } = await place('memory');
    const { manager, store } = await openManager();
    const session = await manager.getOrCreate('k');
    time.now += 5000;
    await manager.save(session);
    expect(session.updated_at).toBe(start);
    await manager.unload('k');
    expect(manager.getAllSessions()).toEqual([]);
    session.metadata.step = 2;
    await manager.save(session);
    expect((await store.get('k')).meta).toEqual({ channel: { owner: 'sessions', metadata: { step: 2 }, savedAt: start + 5000 } });
    const again = await manager.getOrCreate('k');
    expect([again.metadata, again.updated_at]).toEqual([{ step: 2 }, start + 5000]);
    await manager.save({ ...again, activeSkill: 'draw' });
    expect(again.activeSkill).toBe('draw');
  });

  it('a session saved after it was deleted begins a new one with all it had', async () => {
    const { openManager } = await place('memory');
    const { manager } = await openManager();
    const session = await manager.getOrCreate('k');
    session.metadata.name = 'Ada';
    await manager.save(session);
    await manager.delete('k');
    await manager.save(session);
    const next = await manager.getOrCreate('k');
    expect([next.id === session.id, next.metadata]).toEqual([false, { name: 'Ada' }]);
  });

  it('metadata that is not JSON is refused, and the session stays usable', async () => {
    const { openManager } = await place('memory');
    const { manager } = await openManager();
    const session = await manager.getOrCreate('k');
    session.metadata.when = new Date() as never;
    await expect(manager.save(session)).rejects.toMatchObject({ code: 'invalid-input' });
    session.metadata = undefined as never;
    await expect(manager.save(session)).rejects.toMatchObject({ code: 'invalid-input' });
    session.metadata = { when: 'now' };
    await manager.save(session);
  });

  it('a session purged elsewhere cannot be saved, and does not stand in the way of closing', async () => {
    const { openManager } = await place('memory');
    const { manager, store } = await openManager();
    const session = await manager.getOrCreate('k');
    session.metadata.draft = true;
    await store.trash(session.id);
    await store.purge(session.id);
    await expect(manager.unload('k')).rejects.toMatchObject({ code: 'conversation-not-found' });
    await manager.close();
  });

  it('what other programs wrote into the conversation is kept or passed over', async () => {
    const { openManager } = await place('memory');
    const { manager, store } = await openManager();
    const { id } = await store.create({
      key: 'k',
      meta: { channel: { metadata: 'text', activeSkill: 7, savedAt: 'now', more: 1 } },
    });
    const session = await manager.getOrCreate('k');
    expect(session).toEqual({ key: 'k', id, messages: [], created_at: start, updated_at: start, metadata: {} });
    session.activeSkill = 'draw';
    await manager.save(session);
    expect((await store.get('k')).meta).toEqual({ channel: { metadata: {}, activeSkill: 'draw', savedAt: start, more: 1 } });
    await store.putMeta(id, { channel: ['not', 'an', 'object'] });
    expect((await manager.getOrCreate('k')).activeSkill).toBeUndefined();
  });

  it('unload saves first', async () => {
    const { openManager } = await place('memory');
    const { manager, store } = await openManager();
    (await manager.getOrCreate('k')).metadata.draft = true;
    void manager.addMessage('k', 'user', 'kept');
    await manager.unload('k');
    expect(manager.cached).toEqual({ sessions: 0, bytes: 0 });
    const again = await new SessionManager({ store }).getOrCreate('k');
    expect([contents(again.messages), again.metadata]).toEqual([['kept'], { draft: true }]);
  });

  it('close saves everything, refuses more, and closes only a store it opened itself', async () => {
    const { openStore } = await place('memory');
    const store = await openStore();
    const opened: ConversationStore[] = [];
    const manager = new SessionManager({
      open: async () => {
        opened.push(await openStore());
        return opened[0] as ConversationStore;
      },
    });
    (await manager.getOrCreate('k')).metadata.draft = true;
    void manager.addMessage('k', 'user', 'kept');
    await manager.close();
    await manager.close();
    expect(opened).toHaveLength(1);
    await expect(opened[0]?.find('k')).rejects.toMatchObject({ code: 'store-closed' });
    await expect(manager.getOrCreate('k')).rejects.toMatchObject({ code: 'store-closed' });
    await expect(manager.listSessions()).rejects.toMatchObject({ code: 'store-closed' });

    const borrower = new SessionManager({ store });
    expect((await borrower.getOrCreate('k')).metadata).toEqual({ draft: true });
    await borrower.close();
    expect((await store.get('k')).lastSeq).toBe(1);
  });

  it('a store that could not be opened is tried again', async () => {
    const { openStore } = await place('memory');
    let attempts = 0;
    const open = async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('not yet');
      return openStore();
    };
    const manager = new SessionManager({ open });
    await expect(manager.getOrCreate('k')).rejects.toThrow('not yet');
    await manager.addMessage('k', 'user', 'x');
    expect(attempts).toBe(2);
  });
});

describe('getSessionManager', () => {
  it('gives one manager per store or home, without options the first one, and a new one after close', async () => {
    const { openStore } = await place('memory');
    const store = await openStore();
    expect(() => getSessionManager()).toThrow(expect.objectContaining({ code: 'invalid-input' }));
    const manager = getSessionManager({ store });
    const atHome = getSessionManager({ open: openStore, home: '/a' });
    expect(getSessionManager({ store })).toBe(manager);
    expect(getSessionManager()).toBe(manager);
    expect(getSessionManager({ open: async () => openStore(), home: '/b/../a' })).toBe(atHome);
    expect(getSessionManager({ open: openStore, home: '/b' })).not.toBe(atHome);
    await manager.close();
    expect(getSessionManager({ store })).not.toBe(manager);
    await Promise.all(
      [getSessionManager({ store }), atHome, getSessionManager({ open: openStore, home: '/b' })].map((m) => m.close()),
    );
    expect(() => getSessionManager()).toThrow();
  });
});

it('says at once that it needs a store', () => {
  for (const options of [undefined, {}, { store: undefined }]) {
    expect(() => new SessionManager(options as never)).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  }
});
