import { expect, it, onTestFinished } from 'vitest';
import { ConversationStore } from '../../store/conversation-store.ts';
import { MemoryDriver } from '../../store/drivers/memory/memory-driver.ts';
import { ConversationDb } from './conversation-db.ts';

const start = Date.UTC(2026, 2, 4, 9);

async function openDatabase() {
  const store = await ConversationStore.open({ driver: new MemoryDriver(), clock: () => start });
  onTestFinished(() => store.close());
  return { store, database: new ConversationDb(store) };
}

const messages = [
  { role: 'user' as const, content: '帮我设置导航到沙发', timestamp: start + 1 },
  { role: 'assistant' as const, content: '好的，正在设置导航到沙发...', timestamp: start + 2 },
];

it('saves a conversation, and saved again only what is new', async () => {
  const { store, database } = await openDatabase();
  const given = { sessionId: 's1', projectPath: '/project/foo', messages, createdAt: start };
  const first = await database.saveConversation(given);
  expect(first).toEqual({
    id: first.id,
    sessionId: 's1',
    projectPath: '/project/foo',
    messages: messages.map((message, i) => ({ id: first.messages[i]?.id, conversationId: first.id, ...message })),
    topics: [],
    createdAt: start,
    updatedAt: start + 2,
  });
  const more = [...messages, { role: 'user' as const, content: '继续' }];
  const second = await database.saveConversation({ ...given, messages: more, summary: '导航到沙发', topics: ['导航'] });
  await database.saveConversation({ ...given, messages: more, summary: '导航到沙发' });
  expect([second.id, second.summary, second.topics]).toEqual([first.id, '导航到沙发', ['导航']]);
  expect((await database.loadMessages(first.id)).map(({ content }) => content)).toEqual(more.map(({ content }) => content));
  expect((await database.loadMessages(first.id, { limit: 1 })).map(({ content }) => content)).toEqual(['继续']);
  expect((await store.get(first.id)).lastSeq).toBe(4);
});

it('changes nothing that was said', async () => {
  const { database } = await openDatabase();
  await database.saveConversation({ sessionId: 's1', messages });
  const other = [{ role: 'user' as const, content: 'Something else' }];
  await expect(database.saveConversation({ sessionId: 's1', messages: other })).rejects.toMatchObject({ code: 'invalid-input' });
  await expect(database.saveConversation({ sessionId: 's1', messages: [] })).rejects.toMatchObject({ code: 'invalid-input' });
});

it('takes a masked secret for what was given', async () => {
  const { database } = await openDatabase();
  const secret = [{ role: 'user' as const, content: 'my key is sk-ant-REDACTED' }];
  const first = await database.saveConversation({ sessionId: 's1', messages: secret });
  const second = await database.saveConversation({ sessionId: 's1', messages: secret });
  expect(second).toEqual(first);
  expect(first.messages[0]?.content).not.toContain('0123456789');
});

it('finds the newest conversation of a session, and none of one that never was', async () => {
  const { database } = await openDatabase();
  const foo = await database.saveConversation({ sessionId: 's1', projectPath: '/project/foo', messages });
  expect((await database.getBySession('s1'))?.id).toBe(foo.id);
  const later = messages.map((message) => ({ ...message, timestamp: start + 100 }));
  const bar = await database.saveConversation({ sessionId: 's1', projectPath: '/project/bar', messages: later });
  expect((await database.getBySession('s1'))?.id).toBe(bar.id);
  expect(await database.getBySession('s2')).toBeUndefined();
});
