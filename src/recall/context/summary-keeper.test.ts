import { expect, it, onTestFinished } from 'vitest';
import type { ConversationId } from '../../model/id.ts';
import { ConversationStore } from '../../store/conversation-store.ts';
import { MemoryDriver } from '../../store/drivers/memory/memory-driver.ts';
import { SummaryKeeper, type SummaryKeeperOptions } from './summary-keeper.ts';

async function openHouse(options: Partial<SummaryKeeperOptions> = {}) {
  const store = await ConversationStore.open({ driver: new MemoryDriver() });
  onTestFinished(() => store.close());
  const { id } = await store.create({});
  const say = async (...texts: string[]) => {
    for (const text of texts) await store.append(id, { kind: 'message', role: 'user', text });
  };
  const summaries = async (of: ConversationId = id) =>
    (await store.tail(of, 100)).flatMap((entry) => (entry.kind === 'summary' ? [[entry.text, entry.meta?.by]] : []));
  const keeper = new SummaryKeeper({ store, threshold: 2, pause: 20, ...options });
  return { store, id, say, summaries, keeper };
}

it('writes after the turn and a pause, not before', async () => {
  const { id, say, summaries, keeper } = await openHouse();
  await say('Please paint the fence green.', 'The gate stays white.');
  keeper.turnEnded(id);
  expect(await summaries()).toEqual([]);
  await expect.poll(summaries).toEqual([[expect.stringContaining('paint the fence green'), 'extractive']]);
  await keeper.close({ isTalk: true });
  expect(await summaries()).toHaveLength(1);
});

it('cuts a model off when it closes, and keeps the summary in the words of the conversation', async () => {
  let started: () => void = () => undefined;
  const isStarted = new Promise<void>((resolve) => {
    started = resolve;
  });
  const told: unknown[] = [];
  const never = () => new Promise<string>(() => started());
  const { id, say, summaries, keeper } = await openHouse({ writer: never, onWriterFailed: (error) => told.push(error) });
  await say('Please paint the fence green.', 'The gate stays white.');
  keeper.turnEnded(id);
  await isStarted;
  // The model never ends: without the cut, nor would this.
  await keeper.close({ isTalk: true });
  expect(await summaries()).toEqual([[expect.stringContaining('paint the fence green'), 'extractive']]);
  expect(told).toEqual([]);
});

it('leaves out what only quotes, and questions that got nothing else', async () => {
  const { store, id, say, summaries, keeper } = await openHouse();
  await store.append(id, [
    { kind: 'message', role: 'user', text: 'Where is the fence?', turnId: 't' },
    { kind: 'message', role: 'assistant', text: 'Please paint the fence.', model: 'offline', turnId: 't' },
  ]);
  keeper.turnEnded(id);
  await keeper.settle(AbortSignal.timeout(1000));
  expect(await summaries()).toEqual([]);
  await say('The gate stays white.', 'The roof is red.');
  keeper.turnEnded(id);
  await keeper.close({ isTalk: false });
  const [[text] = []] = await summaries();
  expect(text).toContain('gate stays white');
  expect(text).not.toContain('fence');
});

it('goes on where the conversation is gone', async () => {
  const problems: unknown[] = [];
  const { store, id, say, keeper } = await openHouse({ onProblem: (error) => problems.push(error) });
  await say('Please paint the fence green.', 'The gate stays white.');
  await store.trash(id);
  keeper.turnEnded(id);
  await keeper.close({ isTalk: true });
  await keeper.close({ isTalk: true });
  expect(problems).toEqual([]);
});
