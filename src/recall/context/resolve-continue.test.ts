import { expect, it, onTestFinished } from 'vitest';
import type { NewConversation } from '../../model/conversation.ts';
import type { NewEntry } from '../../model/entry.ts';
import type { ConversationId } from '../../model/id.ts';
import { ConversationStore } from '../../store/conversation-store.ts';
import { MemoryDriver } from '../../store/drivers/memory/memory-driver.ts';
import { readIntent } from '../intent/continue-intent.ts';
import { createScanRecall } from '../scan-recall.ts';
import { type ResolveContinueRequest, resolveContinue } from './resolve-continue.ts';

const minute = 60_000;
const hour = 60 * minute;
const now = Date.UTC(2026, 2, 4, 12);

async function openHouse() {
  const store = await ConversationStore.open({ driver: new MemoryDriver(), clock: () => now });
  onTestFinished(() => store.close());
  /** A conversation of these texts, user and assistant in turn, the last one so long ago. */
  const say = async (ago: number, texts: (string | NewEntry)[], given: NewConversation = {}) => {
    const { id } = await store.create({ createdAt: now - ago - hour, ...given });
    for (const [i, text] of texts.entries()) {
      const at = now - ago - (texts.length - 1 - i) * minute;
      const role = i % 2 === 0 ? ('user' as const) : ('assistant' as const);
      await store.append(id, typeof text === 'string' ? { kind: 'message', role, text, at } : { ...text, at });
    }
    return id;
  };
  const resolve = async (text: string, more: Partial<ResolveContinueRequest> = {}) => {
    const intent = readIntent(text, { now });
    const recall = createScanRecall(store, { clock: () => now });
    return resolveContinue({ store, recall, now, intent, asked: text, ...more });
  };
  const idsOf = async (text: string, more: Partial<ResolveContinueRequest> = {}): Promise<ConversationId[] | string> => {
    const answer = await resolve(text, more);
    if (answer.kind === 'none') return answer.why;
    return (answer.kind === 'one' ? [answer.source] : answer.sources).map(({ conversationId }) => conversationId);
  };
  return { store, say, resolve, idsOf };
}

it('names the conversation, the project, when it was and why', async () => {
  const { say, resolve } = await openHouse();
  const id = await say(10 * minute, ['帮我设置导航到沙发', '已规划路径。下一步：避开地毯'], {
    project: 'path:/project/foo',
    title: '导航',
  });
  expect(await resolve('继续刚才的任务')).toMatchObject({
    kind: 'one',
    source: {
      conversationId: id,
      title: '导航',
      project: 'path:/project/foo',
      projectName: 'foo',
      at: now - 10 * minute,
      why: ['newest', 'open-work'],
      open: [{ kind: 'next-step', text: '下一步：避开地毯' }],
    },
  });
});

it('prefers the project the person is in, but the newest elsewhere where that one is far older', async () => {
  const { say, idsOf } = await openHouse();
  const elsewhere = await say(30 * minute, ['Fix the parser', 'Fixed.'], { project: 'path:/a' });
  const here = await say(50 * minute, ['Fix the lexer', 'Fixed.'], { project: 'path:/b' });
  const old = await say(240 * hour, ['Fix the printer', 'Fixed.'], { project: 'path:/c' });
  expect(await idsOf('continue', { hereProject: 'path:/b' })).toEqual([here]);
  expect(await idsOf('continue', { hereProject: 'path:/c' })).toEqual([elsewhere]);
  expect(await idsOf('continue', { hereProject: 'path:/new' })).toEqual([elsewhere]);
  expect(await idsOf('continue what we did in the other project', { hereProject: 'path:/b' })).toEqual([elsewhere]);
  expect(await idsOf('continue the printer work', { hereProject: 'path:/b' })).toEqual([old]);
});

it('lets work that stopped in the middle go before work that is done', async () => {
  const { say, idsOf } = await openHouse();
  await say(40 * minute, ['Name three rivers', 'Rhine, Danube, Elbe.']);
  const cut: NewEntry = { kind: 'message', role: 'assistant', text: 'The first part is', interrupted: true };
  const open = await say(50 * minute, ['Write the report', cut]);
  expect(await idsOf('continue')).toEqual([open]);
});

it('offers both where two are close', async () => {
  const { say, idsOf } = await openHouse();
  const one = await say(60 * minute, ['Fix the parser', 'Fixed.'], { project: 'path:/a' });
  const two = await say(62 * minute, ['Fix the lexer', 'Fixed.'], { project: 'path:/b' });
  expect(await idsOf('where were we?')).toEqual([one, two]);
});

it('goes by the words for a time', async () => {
  const { say, idsOf } = await openHouse();
  await say(hour, ['Fix the parser', 'Fixed.']);
  const yesterday = await say(26 * hour, ['Fix the lexer', 'Fixed.']);
  expect(await idsOf("continue yesterday's work")).toEqual([yesterday]);
  expect(await idsOf('continue what we did last month')).toBe('nothing-then');
});

it('never answers with the conversation that asks, one that only asked to go on, or one without words', async () => {
  const { store, say, idsOf } = await openHouse();
  const asking = await say(minute, ['Paint the fence', 'Which colour?']);
  await say(2 * minute, ['continue']);
  await store.create({});
  expect(await idsOf('continue', { except: asking })).toBe('nothing-said');
  const work = await say(hour, ['Paint the door', 'Done.']);
  expect(await idsOf('continue', { except: asking })).toEqual([work]);
  expect(await idsOf('continue painting the fence', { except: asking })).not.toContain(asking);
});

it('never answers with a sub-agent of the conversation that asks', async () => {
  const { say, idsOf } = await openHouse();
  const asking = await say(minute, ['Paint the fence', 'Which colour?'], { key: 'one' });
  const parent = { kind: 'sub-agent', id: 'one', key: 'one' };
  for (let i = 2; i < 30; i++) await say(i * minute, ['Paint the fence', 'Which brush?'], { meta: { parent } });
  const work = await say(hour, ['Paint the fence of the neighbour', 'Done.']);
  for (const words of ['continue', 'continue painting the fence']) {
    expect(await idsOf(words, { except: asking })).toEqual([work]);
    expect(await idsOf(words, { exceptKeys: ['one'] })).toEqual([work]);
  }
});

it('does not guess where what was named is nowhere', async () => {
  const { say, idsOf } = await openHouse();
  const newest = await say(5 * minute, ['Fix the parser', 'Fixed.']);
  expect(await idsOf('continue with the wedding invitations')).toBe('nothing-about-it');
  expect(await idsOf('继续刚才那个婚礼请柬')).toEqual([newest]);
});

it('breaks a tie between two that hold the same words by which is newer', async () => {
  const { say, idsOf } = await openHouse();
  await say(300 * hour, ['设置导航到沙发', '已完成。']);
  const newer = await say(2 * hour, ['设置导航到沙发', '已完成。']);
  expect(await idsOf('继续导航那个任务')).toEqual([newer]);
});

it('does not go on with a question that only got quotations', async () => {
  const { say, idsOf } = await openHouse();
  const work = await say(3 * hour, ['fix the login page', 'Half of it is done. Next step: the redirect'], { project: 'git:a' });
  const turnId = 't1';
  await say(
    minute,
    [
      { kind: 'message', role: 'user', text: 'What is the capital of France', turnId },
      { kind: 'message', role: 'assistant', text: 'Nothing fits.', model: 'offline', turnId },
    ],
    { project: 'git:b' },
  );
  expect(await idsOf('continue', { hereProject: 'git:b' })).toEqual([work]);
});
