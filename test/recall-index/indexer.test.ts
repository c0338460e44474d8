// The index follows the log: what is said is found, what goes is gone, and nothing is done twice.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ContinuoError } from '../../src/model/error.ts';
import type { ConversationId } from '../../src/model/id.ts';
import type { ListQuery } from '../../src/model/list-query.ts';
import { searchLexical } from '../../src/recall/index/lexical-search.ts';
import { subjectNames } from '../support/store-subjects.ts';
import { createWorkbench, start } from './workbench.ts';

const nothing = { entries: 0, documents: 0, complete: true, scrubbed: true };

describe('catching up', () => {
  it.each(subjectNames)('%s: indexes what is missing and then has nothing to do', async (subject) => {
    const { indexer, say, find } = await createWorkbench({ subject });
    const one = await say(['数据库迁移分三步走', 'openStore opens it'], { title: 'one' });
    expect(await indexer.catchUp()).toEqual({ ...nothing, entries: 2, documents: 2 });
    expect(await indexer.catchUp()).toEqual(nothing);
    await say(['再说一次迁移'], one);
    const progress: [number, number][] = [];
    expect(await indexer.catchUp({ onProgress: (done, total) => progress.push([done, total]) })).toEqual({
      ...nothing,
      entries: 1,
      documents: 1,
    });
    expect(progress).toEqual([
      [0, 1],
      [1, 1],
    ]);
    expect(find('迁移')).toEqual([
      [one, 3],
      [one, 1],
    ]);
    const { bytes, ...status } = await indexer.status();
    expect(bytes).toBeGreaterThan(4096);
    expect(status).toEqual({
      documents: 3,
      conversations: 1,
      behind: { entries: 0, conversations: 0 },
      reconciledAt: start + 180_000,
    });
  });

  it('tells of a candidate where, when, by whom and by which words', async () => {
    const { indexer, index, say } = await createWorkbench();
    const id = await say(['我们用 SQLite 做缓存'], { project: 'path:/a' });
    await say(['别的话']);
    await indexer.catchUp();
    const { candidates, complete } = searchLexical(index.database, '缓存 sqlite 天气');
    expect(complete).toBe(true);
    expect(candidates).toEqual([
      {
        document: 1,
        conversationId: id,
        holderId: id,
        seq: 1,
        at: start + 60_000,
        kind: 'message',
        role: 'user',
        score: expect.any(Number),
        terms: expect.arrayContaining(['缓存', 'sqlite']),
        around: [],
        coverage: expect.closeTo(0.47, 1),
      },
    ]);
  });

  it('indexes messages, summaries and tools, but not thinking, system prompts, labels, events and echoes', async () => {
    const { indexer, say, find } = await createWorkbench();
    const id = await say([
      { kind: 'message', role: 'user', text: 'pelican' },
      { kind: 'message', role: 'system', text: 'pelican' },
      { kind: 'thinking', text: 'pelican' },
      { kind: 'tool-call', callId: 'c', tool: 'search', input: { query: ['pelican', 1] } },
      { kind: 'tool-result', callId: 'c', text: `${'x '.repeat(20_000)}pelican` },
      { kind: 'tool-result', callId: 'c', tool: 'recall', text: 'pelican' },
      { kind: 'summary', text: 'pelican', covers: { from: 1, to: 2 } },
      { kind: 'label', name: 'topic', text: 'pelican' },
      { kind: 'event', name: 'turn-end', text: 'pelican' },
      { kind: 'message', role: 'assistant', model: 'offline', text: 'pelican' },
    ]);
    await indexer.catchUp();
    const seqs = (filters = {}) =>
      find('pelican', filters)
        .map(([, seq]) => seq)
        .sort((a, b) => a - b);
    expect(seqs()).toEqual([1, 4, 5, 7]);
    expect([seqs({ role: 'user' }), seqs({ role: 'tool' }), seqs({ role: ['summary', 'user'] })]).toEqual([[1], [4, 5], [1, 7]]);
    expect(find('search', { conversation: id })).toEqual([[id, 4]]);
  });

  it('keeps nothing of policies that keep no words', async () => {
    const { indexer, say, find } = await createWorkbench();
    await say(['heron'], { policy: { kind: 'headers-only' } });
    await say(['heron'], { policy: { kind: 'none' } });
    const kept = await say(['heron']);
    await indexer.catchUp();
    expect(find('heron')).toEqual([[kept, 1]]);
    expect((await indexer.status()).behind).toEqual({ entries: 0, conversations: 0 });
  });

  it('can be stopped in the middle and goes on where it was', async () => {
    const { store, indexer } = await createWorkbench();
    const entries = Array.from({ length: 9000 }, (_, i) => ({
      kind: 'message' as const,
      role: 'user' as const,
      text: `gull ${i}`,
    }));
    const { id } = await store.create();
    await store.append(id, entries);
    const stop = new AbortController();
    const stopped = indexer.catchUp({ signal: stop.signal, onProgress: (done) => done > 0 && stop.abort() });
    await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
    const { documents, behind } = await indexer.status();
    expect(documents).toBeGreaterThan(0);
    expect(documents + behind.entries).toBe(9000);
    expect((await indexer.catchUp()).documents).toBe(behind.entries);
  });

  it('recent: takes in what was just said without going through all conversations', async () => {
    const { store, indexer, say, find } = await createWorkbench();
    for (let i = 0; i < 230; i++) await say(['old'], { title: `${i}` });
    await indexer.catchUp();
    const id = await say(['albatross']);
    const asked: ListQuery[] = [];
    const list = store.list.bind(store);
    store.list = (query) => {
      asked.push(query ?? {});
      return list(query);
    };
    expect((await indexer.catchUp({ scope: 'recent' })).documents).toBe(1);
    expect([asked.length, find('albatross')]).toEqual([2, [[id, 1]]]);
  });

  it('starts a conversation again whose log went back', async () => {
    const first = await createWorkbench();
    await first.say(['magpie one', 'magpie two']);
    await first.indexer.catchUp();
    const { id } = (await first.store.list()).items[0] as { id: ConversationId };
    first.index.database.prepare('UPDATE conversations SET watermark = 9').run();
    expect((await first.indexer.catchUp()).documents).toBe(2);
    expect(first.find('magpie').sort()).toEqual([
      [id, 1],
      [id, 2],
    ]);
  });
});

it("a damaged log is the log's own trouble: the index stays as it is", async () => {
  const { store, indexer, notices, say, find, path } = await createWorkbench();
  await say(['jackdaw']);
  await indexer.catchUp();
  await say(['jackdaw again']);
  const read = store.read.bind(store);
  store.read = () => Promise.reject(new ContinuoError('store-damaged', { path: `${path}.log`, reason: 'a test' }));
  await expect(indexer.catchUp()).rejects.toMatchObject({ code: 'store-damaged' });
  expect([find('jackdaw').length, notices]).toEqual([1, []]);
  store.read = read;
  expect((await indexer.catchUp()).documents).toBe(1);
});

describe('what changes', () => {
  it('trashed is hidden, restored is found again, excluded is taken out and can come back', async () => {
    const { store, indexer, say, find } = await createWorkbench();
    const id = await say(['puffin']);
    await indexer.catchUp();
    await store.trash(id);
    await indexer.refresh(id);
    expect([find('puffin'), (await indexer.status()).documents]).toEqual([[], 1]);
    await store.restore(id);
    await indexer.catchUp();
    expect(find('puffin')).toEqual([[id, 1]]);
    await store.mergeMeta(id, { recall: 'excluded' });
    await indexer.catchUp();
    await say(['puffin again'], id);
    await indexer.catchUp();
    expect([find('puffin'), (await indexer.status()).documents]).toEqual([[], 0]);
    await store.mergeMeta(id, { recall: null });
    await indexer.catchUp();
    expect(find('puffin').length).toBe(2);
  });

  it('project, agent, tag and time narrow a search as they are now', async () => {
    const { store, indexer, say, find, time } = await createWorkbench();
    const one = await say(['osprey'], { project: 'path:/a', agent: 'claude-code' });
    const between = time.now + 1;
    const two = await say(['osprey'], { project: 'path:/b', agent: 'codex', tags: ['x'] });
    await indexer.catchUp();
    const ids = (filters: Parameters<typeof find>[1]) => find('osprey', filters).map(([id]) => id);
    expect(ids({ project: 'path:/a' })).toEqual([one]);
    expect(ids({ project: 'path:/nowhere' })).toEqual([]);
    expect(ids({ projectsHidden: ['path:/a'] })).toEqual([two]);
    expect(ids({ agent: 'codex' })).toEqual([two]);
    expect(ids({ tag: 'x' })).toEqual([two]);
    expect(ids({ since: between })).toEqual([two]);
    expect(ids({ until: between })).toEqual([one]);
    expect(ids({ conversation: one })).toEqual([one]);
    expect(ids({ except: one })).toEqual([two]);
    await store.tag(one, { add: ['y'] });
    await store.tag(two, { remove: ['x'] });
    await indexer.catchUp();
    expect([ids({ tag: 'x' }), ids({ tag: 'y' })]).toEqual([[], [one]]);
  });

  it('text of a time to live is gone from its last moment on, and its document with the next catching up', async () => {
    const { indexer, say, find, time } = await createWorkbench();
    const policy = { kind: 'ttl', milliseconds: 600_000, afterwards: 'headers-only' } as const;
    const id = await say(['ibis'], { policy });
    await indexer.catchUp();
    expect(find('ibis')).toEqual([[id, 1]]);
    time.now += 600_000;
    expect([find('ibis'), (await indexer.status()).documents]).toEqual([[], 1]);
    await indexer.catchUp();
    expect((await indexer.status()).documents).toBe(0);
  });

  it('purged is taken out, and other tables are told in the same transaction', async () => {
    const removed: number[] = [];
    const { store, indexer, say, find } = await createWorkbench({ onRemoved: (_, documents) => removed.push(...documents) });
    const gone = await say(['stork', 'stork']);
    const kept = await say(['stork']);
    await indexer.catchUp();
    await store.trash(gone);
    await store.purge(gone);
    await indexer.catchUp();
    expect([find('stork'), removed]).toEqual([[[kept, 1]], [1, 2]]);
    expect(await indexer.status()).toMatchObject({ documents: 1, conversations: 1 });
  });
});

describe('forks', () => {
  it('share what is indexed once: found in the origin, from the fork, and through the fork when the origin is in the trash', async () => {
    const { store, indexer, say, find } = await createWorkbench();
    const origin = await say(['crane one', 'crane two', 'crane three'], { project: 'path:/a' });
    const fork = (await store.fork(origin, { at: 2 })).id;
    await say(['crane four'], fork);
    const second = (await store.fork(fork)).id;
    expect((await indexer.catchUp()).documents).toBe(4);
    const seqs = (filters = {}) =>
      find('crane', filters).map(([id, seq]) => `${id === origin ? 'o' : id === fork ? 'f' : 's'}${seq}`);
    expect(seqs().sort()).toEqual(['f3', 'o1', 'o2', 'o3']);
    expect(seqs({ conversation: fork }).sort()).toEqual(['f1', 'f2', 'f3']);
    expect(seqs({ conversation: second }).sort()).toEqual(['s1', 's2', 's3']);
    expect(seqs({ except: fork }).sort()).toEqual(['o3']);
    await store.trash(origin);
    await indexer.catchUp();
    expect(seqs().sort()).toEqual(['f1', 'f2', 'f3'].sort());
    await store.mergeMeta(origin, { recall: 'excluded' });
    await indexer.catchUp();
    expect(seqs()).toEqual(['f3']);
  });
});

describe('in the background', () => {
  it('finds what is said soon after, takes out what goes, and stops', async () => {
    const { store, indexer, say, find } = await createWorkbench({ debounce: 10, reconcileEvery: 50 });
    await say(['swift before']);
    indexer.start();
    await until(() => find('swift').length === 1);
    const id = await say(['swift after']);
    await until(() => find('swift').length === 2);
    await store.trash(id);
    await store.purge(id);
    await until(() => find('swift').length === 1);
    await indexer.stop();
    await say(['swift too late']);
    await sleep(100);
    expect(find('swift').length).toBe(1);
    expect((await indexer.catchUp()).documents).toBe(1);
  });
});

async function until(holds: () => boolean): Promise<void> {
  await expect.poll(holds, { interval: 10 }).toBe(true);
}
