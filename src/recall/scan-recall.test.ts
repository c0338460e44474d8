import { describe, expect, it, onTestFinished } from 'vitest';
import { createQuickFolder } from '../../test/support/temporary-folder.ts';
import type { NewConversation } from '../model/conversation.ts';
import type { NewEntry } from '../model/entry.ts';
import { isContinuoError } from '../model/error.ts';
import { type DriverName, openStore } from '../open-store.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import { createScanRecall, type ScanRecallOptions } from './scan-recall.ts';

const start = Date.UTC(2026, 0, 1);

async function setUp(options: ScanRecallOptions & { driver?: DriverName } = {}) {
  const { driver = 'jsonl', ...limits } = options;
  const time = { now: start };
  const store = await openStore({ home: createQuickFolder('recall'), driver, clock: () => time.now });
  onTestFinished(() => store.close());
  /** A conversation of these texts, user and assistant in turn, a minute apart. */
  const say = async (texts: (string | NewEntry)[], more: NewConversation = {}) => {
    const { id } = await store.create(more);
    for (const [i, text] of texts.entries()) {
      time.now += 60_000;
      const role = i % 2 === 0 ? ('user' as const) : ('assistant' as const);
      await store.append(id, typeof text === 'string' ? { kind: 'message', role, text } : text);
    }
    return id;
  };
  const recall = createScanRecall(store, { clock: () => time.now, ...limits });
  const textsFor = async (text: string, more = {}) => (await recall.find({ text, ...more })).hits.map((hit) => hit.text);
  return { store, time, say, recall, textsFor };
}

describe('recall by a scan', () => {
  it.each<DriverName>(['jsonl', 'sqlite'])('tells what was said, where, when and by whom (%s)', async (driver) => {
    const { store, say, recall } = await setUp({ driver });
    const id = await say(['Which database do we take?', 'We take SQLite for the log.'], {
      title: 'Storage',
      project: 'continuo',
    });
    await say(['How is the weather?', 'Sunny.']);
    const { groups, ...answer } = await recall.find({ text: 'what did we say about sqlite?' });
    expect(groups?.map(({ conversationId, hits }) => [conversationId, hits])).toEqual([[id, answer.hits]]);
    expect(answer).toEqual({
      hits: [
        {
          conversationId: id,
          entryId: (await store.tail(id, 1))[0]?.id,
          at: start + 120_000,
          kind: 'message',
          role: 'assistant',
          title: 'Storage',
          project: 'continuo',
          text: 'We take SQLite for the log.',
          highlights: [{ start: 8, end: 14 }],
          score: expect.any(Number),
        },
      ],
      searched: { conversations: 2, entries: 4, complete: true },
    });
  });

  it.each([
    ['缓存', '我们决定先不用缓存，等上线以后再看。'],
    ['我们之前说过的数据库迁移方案是什么？', '数据库迁移分三步走。'],
    ['目的', '这次改造的目的是减少等待。'],
    ['税', '税率按百分之六计算。'],
    ['openStore 怎么用', '用 openStore 打开主目录。'],
    ['driver mismatch', 'The code is driver_mismatch, thrown by openHome().'],
    ['how do we handle retries', 'A retry waits twice as long each time.'],
    ['policy', 'There are four storage policies.'],
    ['ＡＰＩ', 'The api is small.'],
    ['データベース', 'データベースを選びました。'],
  ])('finds what %j asks for, and that alone', async (question, text) => {
    const { say, textsFor } = await setUp();
    await say([
      '早上好，今天做什么？',
      '先写测试。',
      text,
      '好的。',
      'Restore the window please',
      'Done: whether it fits or not, it is 上线.',
    ]);
    expect((await textsFor(question))[0]).toBe(text);
    expect(await textsFor(question)).toHaveLength(1);
  });

  it.each(['what did you say?', '你们说过什么？', 'the of and', '??? !!!', 'quantum chromodynamics', '量子力学'])(
    'finds nothing for %j',
    async (question) => {
      const { say, textsFor } = await setUp();
      await say(['我们说过什么，你还记得吗？', 'What did you say about the tests?', '物理学家', 'a quantity of story']);
      expect(await textsFor(question)).toEqual([]);
    },
  );

  it('takes words and parts of identifiers whole', async () => {
    const { say, textsFor } = await setUp();
    await say(['restore the category', 'scatter', 'openCat and cat_food', 'Cats!']);
    expect(await textsFor('cat')).toEqual(['openCat and cat_food', 'Cats!']);
  });

  it('brings the answer along with a question that is found, and puts questions last that nobody answered', async () => {
    const { say, textsFor } = await setUp();
    await say(['灰度发布比例怎么定？', '我看一下。', '好', '先放百分之五。']);
    const call = { kind: 'tool-call', callId: '1', tool: 'read_file', input: {} } as const;
    await say(['灰度发布何时开始？', '我先查日历。', call, '下周一。', '谢谢', '不客气。']);
    await say(['灰度发布先放多少？']);
    expect(await textsFor('灰度发布')).toEqual([
      '灰度发布何时开始？',
      '下周一。',
      '灰度发布比例怎么定？',
      '我看一下。',
      '灰度发布先放多少？',
    ]);
  });

  it('weighs rare words more, and lets the newest win a tie', async () => {
    const { say, textsFor } = await setUp();
    for (let i = 0; i < 5; i++) await say([`server number ${i} is up`]);
    await say(['the zeppelin is late']);
    await say(['same words']);
    await say(['same words']);
    expect((await textsFor('server zeppelin'))[0]).toBe('the zeppelin is late');
    const { say: sayAgain, recall } = await setUp();
    const older = await sayAgain(['same words']);
    const newer = await sayAgain(['same words']);
    expect((await recall.find({ text: 'words' })).hits.map((hit) => hit.conversationId)).toEqual([newer, older]);
  });

  it('leaves out the trash, other projects, the asking conversation and what it shares with its origin', async () => {
    const { store, say, recall } = await setUp();
    const here = await say(['the needle is mine'], { project: 'a' });
    const fork = await store.fork(here);
    await store.append(fork.id, { kind: 'message', role: 'user', text: 'the needle in the fork' });
    const other = await say(['the needle of b'], { project: 'b' });
    const gone = await say(['the needle in the trash'], { project: 'a' });
    await store.trash(gone);
    const find = async (more: object) => (await recall.find({ text: 'needle', ...more })).hits.map((hit) => hit.text).sort();
    expect(await find({})).toEqual(['the needle in the fork', 'the needle is mine', 'the needle of b']);
    expect(await find({ project: 'b' })).toEqual(['the needle of b']);
    expect(await find({ except: here })).toEqual(['the needle in the fork', 'the needle of b']);
    expect(await find({ except: fork.id })).toEqual(['the needle of b']);
    expect(await find({ except: other, limit: 1 })).toHaveLength(1);
    expect(await find({ except: [fork.id, other] })).toEqual([]);
    await store.trash(here);
    const hits = (await recall.find({ text: 'needle mine' })).hits.map(({ text, conversationId }) => [text, conversationId]);
    expect(hits[0]).toEqual(['the needle is mine', fork.id]);
  });

  it('leaves out the sub-agents of the asking conversation, also those of sub-agents and of a session that is not stored', async () => {
    const { say, recall } = await setUp();
    const sentBy = (key: string) => ({ meta: { parent: { kind: 'sub-agent', id: key, key } } });
    const asking = await say(['the needle is mine'], { key: 'one' });
    await say(['the needle of a sub-agent'], { key: 'one/a', ...sentBy('one') });
    await say(['the needle of its sub-agent'], sentBy('one/a'));
    await say(['the needle of a stranger'], sentBy('two'));
    const find = async (more: object) => (await recall.find({ text: 'needle', ...more })).hits.map((hit) => hit.text).sort();
    expect(await find({})).toHaveLength(4);
    expect(await find({ except: asking })).toEqual(['the needle of a stranger']);
    expect(await find({ except: asking, exceptKeys: ['two'] })).toEqual([]);
    expect(await find({ text: '', except: asking })).toEqual(['the needle of a stranger']);
  });

  it('never returns what a policy withholds, nor what its time is over for', async () => {
    const { time, say, textsFor } = await setUp();
    await say(['needle withheld'], { policy: { kind: 'headers-only' } });
    await say(['needle never kept'], { policy: { kind: 'none' } });
    await say(['needle for an hour'], { policy: { kind: 'ttl', milliseconds: 3_600_000, afterwards: 'headers-only' } });
    expect(await textsFor('needle')).toEqual(['needle for an hour']);
    time.now += 3_600_000;
    expect(await textsFor('needle')).toEqual([]);
  });

  it('goes on where a conversation is purged under its hands', async () => {
    const { store, say } = await setUp();
    await say(['the needle stays']);
    const gone = await say(['the needle goes']);
    const list: ConversationStore['list'] = async (query) => {
      const page = await store.list(query);
      await store.trash(gone);
      await store.purge(gone);
      return page;
    };
    const read = store.read.bind(store);
    const shaky = { list, read, find: store.find.bind(store), findEntry: store.findEntry.bind(store) };
    const { hits } = await createScanRecall(shaky as unknown as ConversationStore).find({ text: 'needle' });
    expect(hits.map(({ text }) => text)).toEqual(['the needle stays']);
  });

  it('does not quote quotations, instructions, thoughts and events', async () => {
    const { say, textsFor } = await setUp();
    await say([
      { kind: 'message', role: 'system', text: 'needle of the system' },
      { kind: 'message', role: 'assistant', text: 'needle quoted offline', model: 'offline' },
      { kind: 'tool-result', callId: '1', tool: 'recall', text: 'needle quoted by the tool' },
      { kind: 'thinking', text: 'needle thought' },
      { kind: 'event', name: 'turn-end', text: 'needle event' },
      { kind: 'tool-result', callId: '2', tool: 'read_file', text: 'needle in a file' },
      { kind: 'summary', text: 'needle summed up', covers: { from: 1, to: 2 } },
    ]);
    expect(await textsFor('needle')).toEqual(['needle summed up', 'needle in a file']);
  });

  it('cuts passages at sentences around the match', async () => {
    const { say, textsFor } = await setUp();
    const filler = 'This sentence is only here to be long enough. '.repeat(20);
    await say([
      `${filler}The needle lies here. ${filler}`,
      `${'这句话只是为了凑字数。'.repeat(60)}针在海里。${'后面还有很多话。'.repeat(60)}`,
    ]);
    const [english] = await textsFor('needle');
    expect(english).toMatch(/^…The needle lies here\. (?:This sentence is only here to be long enough\. ?)+…$/);
    expect((english as string).length).toBeLessThan(450);
    const [chinese] = await textsFor('海里');
    expect(chinese).toMatch(/^…针在海里。(?:后面还有很多话。)+…$/);
    await say([`${'😀'.repeat(700)}haystack${'😀'.repeat(700)}`]);
    const [odd] = await textsFor('haystack');
    expect(odd).toMatch(/^…(?:😀)+haystack(?:😀)+…$/u);
  });

  it('says what it did not look through', async () => {
    const { say, recall } = await setUp({ maxConversations: 2, maxEntries: 3 });
    await say(['needle of the oldest']);
    await say(['needle at the start', 'b', 'c', 'd']);
    await say(['x', 'needle here']);
    const answer = await recall.find({ text: 'needle' });
    expect(answer.hits.map((hit) => hit.text)).toEqual(['needle here']);
    expect(answer.searched).toEqual({ conversations: 2, entries: 5, complete: false, incompleteBecause: 'newest-only' });
  });

  it('leaves out questions that were answered with quotations only, and counts what could be quoted', async () => {
    const { say, recall } = await setUp();
    const [turnId, model] = ['trn_1', 'offline'];
    await say([
      { kind: 'message', role: 'user', text: 'Where is the needle?', turnId },
      { kind: 'event', name: 'turn-start', text: '', turnId },
      { kind: 'message', role: 'assistant', text: 'needle quoted offline', turnId, model },
      { kind: 'event', name: 'turn-end', text: '', turnId },
      { kind: 'message', role: 'user', text: 'The needle is in the drawer.', turnId: 'trn_2' },
      { kind: 'message', role: 'assistant', text: 'needle quoted again', turnId: 'trn_2', model },
    ]);
    const { hits, searched } = await recall.find({ text: 'needle' });
    expect(hits.map(({ text }) => text)).toEqual(['The needle is in the drawer.']);
    expect(searched).toEqual({ conversations: 1, entries: 1, complete: true });
  });

  it('returns the newest exchanges for an empty text', async () => {
    const { say, recall } = await setUp();
    await say(['first question', 'first answer']);
    await say([
      'second question',
      'second answer',
      '继续',
      { kind: 'message', role: 'assistant', text: 'quoted', model: 'offline' },
    ]);
    await say(['where were we?']);
    const { hits, searched } = await recall.find({ text: ' ', limit: 3 });
    expect(hits.map(({ text, role, score }) => [text, role, score])).toEqual([
      ['second question', 'user', 3],
      ['second answer', 'assistant', 2],
      ['first question', 'user', 1],
    ]);
    expect(searched.complete).toBe(false);
  });

  it('lets others work, and stops when it is aborted', async () => {
    const { store, recall } = await setUp({ maxEntries: 5000 });
    for (let i = 0; i < 4; i++) {
      const { id } = await store.create();
      const text = `needle ${'straw '.repeat(100)}`;
      await store.append(
        id,
        Array.from({ length: 2500 }, () => ({ kind: 'message', role: 'user', text }) as const),
      );
    }
    let turns = 0;
    let onTurn = (): void => undefined;
    let immediate = setImmediate(function count() {
      turns += 1;
      onTurn();
      immediate = setImmediate(count);
    });
    onTestFinished(() => clearImmediate(immediate));
    const answer = await recall.find({ text: 'needle', limit: 2 });
    expect(answer.searched).toEqual({ conversations: 4, entries: 10_000, complete: true });
    expect(answer.hits).toHaveLength(2);
    // Others had their turn at least once in a few hundred entries.
    expect(turns).toBeGreaterThan(20);
    const controller = new AbortController();
    turns = 0;
    onTurn = () => turns === 5 && controller.abort();
    const refused = await recall.find({ text: 'needle', signal: controller.signal }).catch((error: unknown) => error);
    expect(isContinuoError(refused, 'cancelled')).toBe(true);
  });
});
