import { expect, it, onTestFinished } from 'vitest';
import { ConversationStore } from '../../store/conversation-store.ts';
import { MemoryDriver } from '../../store/drivers/memory/memory-driver.ts';
import { createScanRecall } from '../scan-recall.ts';
import { ConversationContext, type ConversationContextOptions } from './conversation-context.ts';

async function openHouse(options: Partial<ConversationContextOptions> = {}) {
  const time = { now: Date.UTC(2026, 2, 4, 9) };
  const clock = () => time.now;
  const store = await ConversationStore.open({ driver: new MemoryDriver(), clock });
  onTestFinished(() => store.close());
  const recall = createScanRecall(store, { clock });
  const create = () => new ConversationContext({ store, recall, clock, offsetMinutes: 0, ...options });
  const textsOf = async (context: ConversationContext, kind = 'message') =>
    (await store.tail(context.current?.id ?? ('' as never), 100)).flatMap((each) =>
      each.kind === kind && 'text' in each ? [each.text] : [],
    );
  return { store, time, create, textsOf };
}

it('keeps every message the moment it is added, and needs a conversation for that', async () => {
  const { create, textsOf } = await openHouse();
  const context = create();
  await expect(context.addUserMessage('Hello')).rejects.toMatchObject({ code: 'invalid-input' });
  await context.startConversation('s1', '/project/foo');
  void context.addUserMessage('one');
  void context.addAssistantMessage('two', { model: 'scripted:model' });
  await context.persistCurrent();
  expect(await textsOf(context)).toEqual(['one', 'two']);
});

it('goes on with the conversation of a session, and opens another one in another project', async () => {
  const { create } = await openHouse();
  const context = create();
  const foo = await context.startConversation('s1', '/project/foo');
  expect([foo.project, foo.meta]).toEqual([
    'path:/project/foo',
    { place: { path: '/project/foo', name: 'foo' }, sessionId: 's1' },
  ]);
  const bar = await context.startConversation('s1', '/project/bar');
  expect(bar.id).not.toBe(foo.id);
  expect((await create().startConversation('s1', '/project/foo')).id).toBe(foo.id);
  expect((await create().startConversation('s1', '/project/bar')).id).toBe(bar.id);
});

it('tells that a message could not be kept', async () => {
  const { store, create } = await openHouse();
  const context = create();
  const { id } = await context.startConversation('s1');
  await store.trash(id);
  const added = context.addUserMessage('lost');
  await expect(context.persistCurrent()).rejects.toMatchObject({ code: 'conversation-trashed' });
  await expect(added).rejects.toMatchObject({ code: 'conversation-trashed' });
});

it('writes a summary after so many messages, builds on it, and names the topics', async () => {
  const { store, create, textsOf } = await openHouse({ autoSummaryThreshold: 4, maxTopics: 2 });
  const context = create();
  const { id } = await context.startConversation('s1', '/project/foo');
  const say = async (asked: string, answered: string) => {
    await context.addUserMessage(asked);
    await context.addAssistantMessage(answered);
  };
  await say('Set up the navigation to the sofa', 'The path to the sofa is planned.');
  expect(await textsOf(context, 'summary')).toEqual([]);
  await say('Avoid the carpet', 'We decided to use a map with zones; the navigation avoids the carpet now.');
  await context.persistCurrent();
  expect(await textsOf(context, 'summary')).toHaveLength(1);
  await say('Is the navigation done?', 'The navigation is fixed and deployed.');
  const { summary, topics, isNew } = await context.saveWithSummary();
  expect(isNew).toBe(true);
  expect(summary).toContain('Asked: Set up the navigation to the sofa');
  expect(summary).toContain('The navigation is fixed and deployed.');
  expect(topics).toHaveLength(2);
  expect((await store.get(id)).meta.topics).toEqual(topics);
  const covers = (await store.tail(id, 100)).flatMap((each) => (each.kind === 'summary' ? [each.covers] : []));
  expect(covers).toEqual([
    { from: 1, to: 4 },
    { from: 1, to: 7 },
  ]);
  expect(await context.saveWithSummary()).toEqual({ summary, topics, isNew: false });
});

it('extracts no topics and writes no summary by itself where that is not wanted', async () => {
  const { store, create, textsOf } = await openHouse({ autoSummaryThreshold: 0, autoExtract: false });
  const context = create();
  const { id } = await context.startConversation('s1');
  for (let i = 0; i < 20; i++) await context.addUserMessage(`Message ${i} about navigation`);
  await context.persistCurrent();
  expect(await textsOf(context, 'summary')).toEqual([]);
  await context.saveWithSummary();
  expect((await store.get(id)).meta.topics).toBeUndefined();
});

it('finds, restores and merges earlier conversations, within the tokens that are given', async () => {
  const { time, create } = await openHouse();
  const earlier = create();
  const sofa = await earlier.startConversation('s1', '/project/foo');
  await earlier.addUserMessage('Make the robot navigate to the sofa');
  await earlier.addAssistantMessage('The path to the sofa is planned. Next step: tune the speed.');
  const tea = await earlier.startConversation('s2', '/project/kitchen');
  await earlier.addUserMessage('How long does green tea take?');
  await earlier.addAssistantMessage('Two minutes at 80 degrees.');
  time.now += 3_600_000;
  const context = create();
  await context.startConversation('s3', '/project/bar');
  const found = await context.findSimilarConversations('robot path to the sofa', 3);
  expect(found.map(({ conversation }) => conversation.id)).toEqual([sofa.id]);
  const restored = await context.restoreContext(sofa.id);
  expect(restored.messages.map(({ text }) => text)).toEqual([
    'Make the robot navigate to the sofa',
    'The path to the sofa is planned. Next step: tune the speed.',
  ]);
  expect(restored.open.map(({ text }) => text)).toEqual(['Next step: tune the speed.']);
  expect(restored.section).toContain('> Make the robot navigate to the sofa');
  const merged = await context.mergeContexts([sofa, tea.id]);
  expect(merged).toContain('> Make the robot navigate to the sofa');
  expect(merged).toContain('> Two minutes at 80 degrees.');
  expect(await context.mergeContexts([sofa.id], { tokenBudget: 0 })).toBe('');
  expect(await context.mergeContexts([])).toBe('');
});

it('says why it quotes, and leaves a request alone that has nothing to do with anything', async () => {
  const { time, create } = await openHouse();
  const earlier = create();
  const { id } = await earlier.startConversation('s1', '/project/foo');
  await earlier.addUserMessage('Make the robot navigate to the sofa');
  await earlier.addAssistantMessage('The path to the sofa is planned.');
  time.now += 3_600_000;
  const context = create();
  await context.startConversation('s2', '/project/bar');
  const reasonOf = async (asked: string, tokenBudget = 2000) => {
    const { why, sources } = await context.prepareContext(asked, { tokenBudget });
    return [why, sources.map(({ conversationId }) => conversationId)];
  };
  expect(await reasonOf('continue')).toEqual(['continues', [id]]);
  expect(await reasonOf('is the path to the sofa planned?')).toEqual(['found', [id]]);
  expect(await reasonOf('who painted the Mona Lisa?')).toEqual(['nothing-about-it', []]);
  expect(await reasonOf('hello')).toEqual(['nothing-asked', []]);
  expect(await reasonOf('continue', 40)).toEqual(['does-not-fit', []]);
  expect(await context.prepareAiPrompt('who painted the Mona Lisa?')).toBe('who painted the Mona Lisa?');
  await context.addUserMessage('Make the robot navigate to the sofa');
  await context.addAssistantMessage('The path to the sofa is planned.');
  expect(await reasonOf('is the path to the sofa planned?')).toEqual(['already-present', []]);
});
