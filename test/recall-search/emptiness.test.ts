// Nothing is better than something that has nothing to do with the question, and the reason is said.
import { describe, expect, it } from 'vitest';
import { createHashingEmbedder } from '../../src/testing/hashing-embedder.ts';
import { createBench } from './workbench.ts';

const talk = [
  'Please make the robot navigate to the sofa.',
  'On my way: the path is planned, two minutes to go.',
  '帮我设置导航到沙发',
  '好的，正在规划路径。',
  'How long will the database migration take?',
  'The migration takes about two hours.',
];

describe.each([
  ['by words', undefined],
  ['by words and meaning', createHashingEmbedder()],
])('%s', (_, embedder) => {
  it.each([
    'the',
    'what',
    '的',
    '什么',
    '为什么',
    'how do you',
    '你们怎么样',
    '...',
    '?!',
    '  ，。',
    'continue',
    '继续',
    'hello',
  ])('a question that says nothing (%j) finds nothing', async (text) => {
    const { say, engine, find } = await createBench({ ...(embedder && { embedder }) });
    await say(talk);
    await engine.catchUp();
    expect(await find(text)).toEqual({
      hits: [],
      groups: [],
      searched: { conversations: 1, entries: 6, complete: true },
      emptyBecause: 'nothing-asked',
    });
  });
});

describe('by words', () => {
  it.each([
    'who painted the ceiling of the Sistine Chapel',
    '法国大革命是哪一年爆发的',
    'how long should I boil an egg',
    '推荐几本适合五岁孩子的绘本',
    'qwertzuiop',
  ])('an unrelated question (%j) finds nothing', async (text) => {
    const { say, find } = await createBench();
    await say(talk);
    expect(await find(text)).toMatchObject({ hits: [], emptyBecause: 'below-threshold' });
  });

  it.each([
    ['灯塔执照过期，港口罢工，还能补办续期吗', ['灯塔谁来管', '港口那边的办公室负责。']],
    [
      'does the lighthouse permit lapse when the harbour office strikes, floods or relocates?',
      ['Who looks after the lighthouse?', 'The harbour master does.'],
    ],
  ])('what a question and its answer say together answers %j', async (question, exchange) => {
    const { say, texts } = await createBench();
    await say(talk);
    await say(exchange);
    expect((await texts(question)).sort()).toEqual([...exchange].sort());
    const { say: sayApart, texts: textsApart } = await createBench();
    await sayApart(talk);
    for (const text of exchange) await sayApart([text]);
    expect(await textsApart(question)).toEqual([]);
  });

  it('a quotation of stop words is looked for as it stands', async () => {
    const { say, texts } = await createBench();
    await say(['To be or not to be, that is the question.', 'Not to be.']);
    expect(await texts('"to be or not to be"')).toEqual(['To be or not to be, that is the question.']);
  });
});

describe('the reason', () => {
  it('is that nothing is stored', async () => {
    const { find, say, store } = await createBench({ privateProjects: ['git:secret'] });
    const nothing = {
      hits: [],
      groups: [],
      searched: { conversations: 0, entries: 0, complete: true },
      emptyBecause: 'nothing-stored',
    };
    expect(await find('walrus')).toEqual(nothing);
    expect(await find('')).toEqual(nothing);
    // What may not be seen is nothing, too.
    await say(['The walrus.'], { project: 'git:secret' });
    expect(await find('walrus')).toEqual(nothing);
    const asking = await say(['Where is the walrus?']);
    expect(await find('walrus', { except: asking })).toEqual(nothing);
    await store.trash(asking);
    expect((await find('walrus')).emptyBecause).toBe('nothing-stored');
    const { id } = await store.create({ policy: { kind: 'headers-only' } });
    await store.append(id, { kind: 'message', role: 'user', text: 'The walrus.' });
    expect((await find('walrus')).emptyBecause).toBe('nothing-stored');
  });

  it('is that filters leave out what there is', async () => {
    const { find, say } = await createBench();
    await say(['The walrus is a mascot.'], { project: 'git:a' });
    for (const filter of [{ project: 'git:b' }, { role: 'tool' as const }, { since: Date.UTC(2030, 0) }, { projects: [] }]) {
      expect((await find('walrus', filter)).emptyBecause).toBe('filtered');
      expect((await find('penguin', filter)).emptyBecause).toBe('below-threshold');
    }
  });
});
