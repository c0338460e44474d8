import { describe, expect, it, onTestFinished } from 'vitest';
import { createQuickFolder } from '../../../test/support/temporary-folder.ts';
import type { NewEntry } from '../../model/entry.ts';
import { isContinuoError } from '../../model/error.ts';
import { createConversationId, formatEntryId } from '../../model/id.ts';
import type { Recall, RecallHit, RecallQuery } from '../../model/ports/recall.ts';
import type { ModelEvent, ModelRequest } from '../../model/ports/text-model.ts';
import { openStore } from '../../open-store.ts';
import { createOfflineModel, type OfflineModelOptions } from './offline-model.ts';

const conversationId = createConversationId(0);
const at = Date.UTC(2026, 0, 2, 3, 4, 5);
const searched = { conversations: 2, entries: 9, complete: true };

function hitOf(seq: number, text: string, more: Partial<RecallHit> = {}): RecallHit {
  return {
    conversationId,
    entryId: formatEntryId(conversationId, seq),
    at,
    kind: 'message',
    role: 'user',
    text,
    score: 1,
    ...more,
  };
}

function recallOf(hits: RecallHit[], complete = true): Recall & { asked: RecallQuery[] } {
  const asked: RecallQuery[] = [];
  return {
    asked,
    find: async (query) => {
      asked.push(query);
      return { hits, searched: { ...searched, complete } };
    },
  };
}

const requestOf = (question: string, signal = new AbortController().signal): ModelRequest => {
  const prompt: NewEntry[] = [
    { kind: 'message', role: 'user', text: 'an earlier question' },
    { kind: 'message', role: 'assistant', text: 'an earlier answer' },
    { kind: 'message', role: 'user', text: question },
    { kind: 'event', name: 'turn-start', text: '' },
  ];
  return { prompt, tools: [], signal };
};

async function eventsOf(options: OfflineModelOptions, request: ModelRequest): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of createOfflineModel(options).stream(request)) events.push(event);
  return events;
}

async function answerOf(options: OfflineModelOptions, question: string): Promise<string> {
  const events = await eventsOf(options, requestOf(question));
  return events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
}

const nature = 'No language model is configured. What follows are quotations from the conversations stored here, nothing else.';
const hint =
  'For answers by a language model: `continuo config set model.name anthropic:…`, or once with `continuo chat --model anthropic:…`.';

describe('the offline provider', () => {
  it('quotes what was said, with who, when, where and the ids', async () => {
    const recall = recallOf([
      hitOf(4, 'We take SQLite.\n```sql\nselect 1\n```', {
        role: 'assistant',
        title: 'Storage\nIgnore this',
        project: 'continuo',
      }),
      hitOf(2, 'SQLite or JSONL?'),
    ]);
    expect(await answerOf({ recall }, 'What about SQLite?')).toBe(
      [
        nature,
        '',
        '2 passages fit, the best first:',
        '',
        `1. said by the assistant on 2026-01-02 03:04 UTC, in "Storage Ignore this", project "continuo" (${conversationId}, ${formatEntryId(conversationId, 4)})`,
        '',
        '````',
        'We take SQLite.',
        '```sql',
        'select 1',
        '```',
        '````',
        '',
        `2. said by the user on 2026-01-02 03:04 UTC, in a conversation without a title (${conversationId}, ${formatEntryId(conversationId, 2)})`,
        '',
        '```',
        'SQLite or JSONL?',
        '```',
        '',
        'Looked through: 9 entries of 2 conversations, all there are.',
        hint,
        '',
      ].join('\n'),
    );
    expect(recall.asked).toEqual([{ text: 'What about SQLite?', limit: 10, signal: expect.any(AbortSignal) }]);
  });

  it('speaks Chinese where the question does', async () => {
    const recall = recallOf([hitOf(1, '缓存先不做。', { title: '设计', project: '甲' })]);
    const answer = await answerOf({ recall, hasModelHint: false }, '缓存怎么定的？');
    expect(answer).toBe(
      [
        '没有配置语言模型。以下只是这里保存的对话的原文引用，没有别的内容。',
        '',
        '找到 1 段相符的内容，最相关的在前：',
        '',
        `1. 用户说，2026-01-02 03:04 UTC，对话“设计”，项目“甲” (${conversationId}, ${formatEntryId(conversationId, 1)})`,
        '',
        '```',
        '缓存先不做。',
        '```',
        '',
        '查找范围：2 个对话的 9 条记录，即全部内容。',
        '',
      ].join('\n'),
    );
    expect((await answerOf({ recall, language: 'en' }, '缓存')).startsWith(nature)).toBe(true);
    expect((await answerOf({ recall, language: 'zh' }, 'cache')).startsWith('没有配置语言模型。')).toBe(true);
  });

  it('says honestly that nothing was found, where it looked and how to configure a model', async () => {
    expect(await answerOf({ recall: recallOf([], false) }, 'What is a monad?')).toBe(
      [
        nature,
        '',
        'Nothing that was said before fits "What is a monad?".',
        '',
        'Looked through: 9 entries of 2 conversations; older ones were not looked at.',
        hint,
        '',
      ].join('\n'),
    );
    expect(await answerOf({ recall: recallOf([]) }, '什么是单子？')).toContain('以前说过的话里没有与“什么是单子？”相符的内容。');
  });

  it('quotes nothing where nothing may be recalled, and says so', async () => {
    const said = 'No language model is configured, and recall is off: there is nothing to answer with. What was said is stored.';
    expect(await answerOf({ recall: undefined }, 'continue')).toBe(`${said}\n${hint}\n`);
    expect(await answerOf({ recall: undefined, hasModelHint: false }, 'What is a monad?')).toBe(`${said}\n`);
  });

  it('does not say how far it searched where it was known what is meant', async () => {
    const answer = await answerOf({ recall: recallOf([hitOf(1, 'a')], false), isResolved: () => true }, 'go on with the letters');
    expect(answer).toContain('One passage fits:');
    expect(answer).not.toContain('Looked through');
  });

  it('does not take the question itself for an answer', async () => {
    const recall = recallOf([
      hitOf(9, 'What is  a monad?'),
      hitOf(8, 'continue'),
      hitOf(3, 'What is a monad?', { role: 'assistant' }),
    ]);
    const answer = await answerOf({ recall }, 'What is a monad?');
    expect(answer).toContain('One passage fits:');
    expect(answer).toContain(formatEntryId(conversationId, 3));
  });

  it.each([
    'continue',
    'Please continue.',
    'ok, go on',
    'where were we?',
    'hi',
    '',
    '继续',
    '请继续。',
    '上次聊到哪了？',
    '我们说到哪里了',
    '接着来吧',
  ])('shows how the newest conversations ended for %j', async (question) => {
    const recall = recallOf([hitOf(1, 'a question'), hitOf(2, 'an answer', { role: 'assistant' })]);
    const answer = await answerOf({ recall }, question);
    expect(recall.asked[0]?.text).toBe('');
    expect(answer).toMatch(/The newest conversations ended like this:|最近的对话停在这里：/);
    expect(await answerOf({ recall: recallOf([]), language: 'en' }, question)).toBe(
      `${nature}\n\nThere is no earlier conversation to quote from.\n\n${hint}\n`,
    );
  });

  it.each(['continue the migration of the database', '继续数据库的迁移', 'next.js', '好的缓存'])(
    'looks for %j',
    async (question) => {
      const recall = recallOf([]);
      await answerOf({ recall }, question);
      expect(recall.asked[0]?.text).toBe(question);
    },
  );

  it('comes in several pieces and ends with finish and no usage', async () => {
    const events = await eventsOf({ recall: recallOf([hitOf(1, 'a'), hitOf(2, 'b')]) }, requestOf('letters'));
    expect(events.slice(0, -1).map(({ type }) => type)).toEqual(Array(5).fill('text-delta'));
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop', usage: {} });
    expect(createOfflineModel({ recall: recallOf([]) }).id).toBe('offline');
  });

  it('stops when it is aborted, before and in the middle', async () => {
    const before = await eventsOf({ recall: recallOf([]) }, requestOf('x', AbortSignal.abort())).catch((error: unknown) => error);
    expect(isContinuoError(before, 'cancelled')).toBe(true);
    const controller = new AbortController();
    const recall: Recall = {
      find: async () => {
        controller.abort();
        throw new Error('aborted');
      },
    };
    const during = await eventsOf({ recall }, requestOf('x', controller.signal)).catch((error: unknown) => error);
    expect(isContinuoError(during, 'cancelled')).toBe(true);
  });

  it('codes what goes wrong below', async () => {
    const recall: Recall = { find: () => Promise.reject(new Error('no luck')) };
    const refused = await eventsOf({ recall }, requestOf('x')).catch((error: unknown) => error);
    expect(isContinuoError(refused, 'model-failed') && refused.details).toEqual({ provider: 'offline', reason: 'no luck' });
  });

  it('answers from a real store', async () => {
    const store = await openStore({ home: createQuickFolder('offline') });
    onTestFinished(() => store.close());
    const { id } = await store.create({ title: '部署' });
    const [said] = (await store.append(id, { kind: 'message', role: 'user', text: '灰度发布先放百分之五。' })).entries;
    const recall: Recall = {
      find: async () => {
        const [entry] = await store.tail(id, 1);
        return { hits: entry ? [{ ...hitOf(1, 'text' in entry ? entry.text : ''), entryId: entry.id }] : [], searched };
      },
    };
    const answer = await answerOf({ recall }, '灰度发布怎么做？');
    expect(answer).toContain('```\n灰度发布先放百分之五。\n```');
    expect(answer).toContain(said?.id);
  });
});
