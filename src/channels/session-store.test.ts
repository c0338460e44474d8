// What sessions owe to the store they stand on: masked secrets, storage policies and the one writer.
import { describe, expect, it } from 'vitest';
import { ConversationStore } from '../store/conversation-store.ts';
import { MemoryDriver } from '../store/drivers/memory/memory-driver.ts';
import { SessionManager, type SessionManagerOptions } from './session-manager.ts';

const start = Date.UTC(2026, 0, 1);
const secret = `ghp_${'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5'}`;

async function setUp(defaults: NonNullable<SessionManagerOptions['defaults']> = {}) {
  const time = { now: start };
  const clock = () => time.now;
  const driver = new MemoryDriver();
  const store = await ConversationStore.open({ driver, clock });
  return { time, clock, driver, store, manager: new SessionManager({ store, clock, defaults }) };
}

const contents = (messages: readonly { content: string }[]) => messages.map(({ content }) => content);

describe('secrets', () => {
  it('are masked in what a session shows, as they are in the log', async () => {
    const { manager } = await setUp();
    const session = await manager.getOrCreate('k');
    await manager.addMessage('k', 'user', `my token is ${secret}`);
    const shown = [...contents(session.messages), ...contents(await manager.getMessages('k'))];
    expect(shown).toHaveLength(2);
    expect(shown.join()).toContain('[masked:');
    expect(shown.join()).not.toContain(secret);
  });

  it('stay readable in the metadata of the caller who set them, and are masked for everybody else', async () => {
    const { manager, store } = await setUp();
    const session = await manager.getOrCreate('k');
    session.metadata.token = secret;
    await manager.save(session);
    const { meta } = await store.get('k');
    expect(JSON.stringify(meta)).not.toContain(secret);
    await manager.save(session);
    expect((await manager.getOrCreate('k')).metadata.token).toBe(secret);
    expect((await store.get('k')).meta).toEqual(meta);
  });
});

describe('what other programs keep beside a session', () => {
  it('stays, also what they write between the look and the save', async () => {
    const { manager, store, driver } = await setUp();
    const session = await manager.getOrCreate('k');
    await store.mergeMeta(session.id, { grants: { one: 1 } });
    const update = driver.updateConversation.bind(driver);
    driver.updateConversation = async (id, patch) => {
      driver.updateConversation = update;
      await store.mergeMeta(id, { grants: { two: 2 } });
      return update(id, patch);
    };
    session.metadata.topic = 'sofas';
    await manager.save(session);
    const { meta } = await store.get('k');
    expect(meta).toMatchObject({ grants: { two: 2 }, channel: { metadata: { topic: 'sofas' } } });
  });
});

describe('storage policies', () => {
  it('words that were withheld are not shown, but can be cleared and uncleared', async () => {
    const { manager } = await setUp({ policy: { kind: 'headers-only' } });
    await manager.addMessage('k', 'user', 'private');
    await manager.clear('k');
    expect([await manager.getMessages('k'), await manager.unclear('k')]).toEqual([[], true]);
  });

  it('under policy none nothing is kept and nothing is shown', async () => {
    const { manager, store } = await setUp({ policy: { kind: 'none' } });
    await manager.addMessage('k', 'user', 'private');
    expect([await manager.getMessages('k'), (await store.get('k')).lastSeq]).toEqual([[], 0]);
  });

  it('events are in the log and nowhere in a session, whatever the policy', async () => {
    const event = { kind: 'event', name: 'turn-end', text: 'not for people' } as const;
    for (const kind of ['full', 'none'] as const) {
      const { manager, store } = await setUp({ policy: { kind } });
      const session = await manager.getOrCreate('k');
      const said: string[] = [];
      for (let i = 0; i < 3; i++) {
        await store.append(session.id, [event, event]);
        await manager.addMessage('k', 'user', `m${i}`);
        if (kind === 'full') said.push(`m${i}`);
        expect([contents(await manager.getMessages('k')), contents(session.messages)]).toEqual([said, said]);
      }
      const fresh = new SessionManager({ store });
      expect(contents(await fresh.getMessages('k'))).toEqual(said);
      expect(contents((await fresh.getOrCreate('k')).messages)).toEqual(said);
      await manager.clear('k');
      await store.append(session.id, event);
      expect([contents(await manager.getMessages('k')), await manager.unclear('k')]).toEqual(
        kind === 'full' ? [[], true] : [[], false],
      );
      expect(contents(await manager.getMessages('k'))).toEqual(said);
    }
  });

  it('words whose time is up are not shown, swept or not', async () => {
    const { time, manager, store } = await setUp({ policy: { kind: 'ttl', milliseconds: 1000, afterwards: 'delete' } });
    await manager.addMessage('k', 'user', 'early');
    time.now += 900;
    await manager.addMessage('k', 'user', 'late');
    expect(contents(await manager.getMessages('k'))).toEqual(['early', 'late']);
    time.now += 200;
    expect(contents(await manager.getMessages('k'))).toEqual(['late']);
    expect(contents((await manager.getOrCreate('k')).messages)).toEqual(['late']);
    await store.sweep();
    expect(contents(await manager.getMessages('k'))).toEqual(['late']);
    await manager.addMessage('k', 'user', 'later');
    expect(contents(await manager.getMessages('k'))).toEqual(['late', 'later']);
  });
});

describe('a lease', () => {
  it('held elsewhere refuses the message with the name of the holder, and lets read', async () => {
    const { driver, clock, manager } = await setUp();
    await manager.addMessage('k', 'user', 'before');
    const other = await ConversationStore.open({ driver, clock });
    const lease = await other.acquireLease((await other.get('k')).id, { owner: 'another bot' });
    await expect(manager.addMessage('k', 'user', 'refused')).rejects.toMatchObject({
      code: 'conversation-locked',
      details: { owner: 'another bot' },
    });
    expect(contents(await manager.getMessages('k'))).toEqual(['before']);
    await lease.release();
    await manager.addMessage('k', 'user', 'after');
    expect(contents(await manager.getMessages('k'))).toEqual(['before', 'after']);
  });
});
