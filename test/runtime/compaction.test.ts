// Compaction is a view: a summary stands for what was said, the log keeps it, and undoing shows it again, also in another process.
import { describe, expect, it } from 'vitest';
import type { NewEntry } from '../../src/model/entry.ts';
import { createGate, openWorkbench } from './workbench.ts';

const textsOf = (prompt: readonly NewEntry[] = []) => prompt.map((item) => ('text' in item ? item.text : item.kind));
const said = [1, 2, 3].flatMap((i) => [`question ${i}`, 'fine']);

async function openTalk(options: Parameters<typeof openWorkbench>[0] = {}) {
  const bench = await openWorkbench(options);
  for (let i = 1; i <= 3; i++) await bench.session.message(`question ${i}`);
  return { ...bench, root: await bench.session.root() };
}

describe('compaction', () => {
  it('has a summary stand for what was said, and keeps every entry', async () => {
    const { session, store, root, model } = await openTalk({ summarise: async ({ items }) => `[${items.length} entries]` });
    const before = await store.tail(root.id, 100);
    const compaction = await root.compact();
    expect(compaction).toEqual({
      summary: '[6 entries]',
      covers: { from: 1, to: 11 },
      by: 'model',
      tokensBefore: expect.any(Number),
      tokensAfter: expect.any(Number),
    });
    expect(compaction?.tokensAfter).toBeLessThan(compaction?.tokensBefore ?? 0);
    await session.message('and?');
    expect(textsOf(model.requests.at(-1)?.prompt)).toEqual(['[6 entries]', 'and?']);
    expect((await store.tail(root.id, 100)).slice(0, before.length)).toEqual(before);
  });

  it('is written in the own sentences of the conversation where nobody summarises, or who does fails', async () => {
    const { root } = await openTalk();
    expect(await root.compact()).toMatchObject({ by: 'extractive', summary: expect.stringContaining('question 1') });
    const failing = await openTalk({ summarise: () => Promise.reject(new Error('no words')) });
    expect(await failing.root.compact()).toMatchObject({ by: 'extractive' });
    expect(failing.heard('warning')).toHaveLength(1);
  });

  it('has nothing to do where nothing was said since', async () => {
    const { root, store } = await openTalk();
    await root.compact();
    const { lastSeq } = await store.get(root.id);
    expect(await root.compact()).toBeUndefined();
    expect((await store.get(root.id)).lastSeq).toBe(lastSeq);
  });

  it('is undone: the model is shown everything again, with what was said meanwhile', async () => {
    const { session, root, model } = await openTalk();
    expect(await root.uncompact()).toBeUndefined();
    await root.compact();
    await session.message('and?');
    expect(await root.uncompact()).toMatchObject({ items: 8 });
    await session.message('everything?');
    expect(textsOf(model.requests.at(-1)?.prompt)).toEqual([...said, 'and?', 'fine', 'everything?']);
    expect(await root.uncompact()).toBeUndefined();
  });

  it('counts again after it was undone, and one undoing takes back every compaction', async () => {
    const { session, root, model } = await openTalk({
      summarise: async ({ items, summary = '' }) => `${summary}[${items.length}]`,
    });
    await root.compact();
    await root.uncompact();
    await root.compact();
    await session.message('and?');
    expect(textsOf(model.requests.at(-1)?.prompt)).toEqual(['[6]', 'and?']);
    await root.compact();
    await session.message('then?');
    expect(textsOf(model.requests.at(-1)?.prompt)).toEqual(['[6][2]', 'then?']);
    await root.uncompact();
    await session.message('all?');
    expect(textsOf(model.requests.at(-1)?.prompt)).toEqual([...said, 'and?', 'fine', 'then?', 'fine', 'all?']);
  });

  it('holds after a resume, and so does its undoing', async () => {
    const first = await openTalk({ summarise: async ({ items }) => `[${items.length}]` });
    await first.root.compact();
    await first.session.close();
    const second = await openWorkbench({ home: first.home, root: { resume: first.root.id } });
    await second.session.message('and?');
    expect(textsOf(second.model.requests[0]?.prompt)).toEqual(['[6]', 'and?']);
    await (await second.session.root()).uncompact();
    await second.session.close();
    const third = await openWorkbench({ home: first.home, root: { resume: first.root.id } });
    await third.session.message('all?');
    expect(textsOf(third.model.requests[0]?.prompt)).toEqual([...said, 'and?', 'fine', 'all?']);
  });

  it('leaves out what is said while the summary is written', async () => {
    const gate = createGate();
    const { session, root, model } = await openTalk({
      summarise: async ({ items }) => {
        await gate.opened;
        return `[${items.length}]`;
      },
    });
    const compacting = root.compact();
    const answering = session.message('meanwhile');
    gate.open();
    await Promise.all([compacting, answering]);
    await session.message('and?');
    expect(textsOf(model.requests.at(-1)?.prompt)).toEqual(['[6]', 'meanwhile', 'fine', 'and?']);
  });

  it('is refused during a turn, and where the policy keeps no summary', async () => {
    const gate = createGate();
    const busy = await openWorkbench({ script: () => ({ text: 'slow', before: () => gate.opened }) as never });
    const root = await busy.session.root();
    const answering = root.message('slow one');
    await expect(root.compact()).rejects.toMatchObject({ code: 'conversation-busy' });
    gate.open();
    await answering;
    const unkept = await openTalk({ root: { create: { policy: { kind: 'none' } } } });
    await expect(unkept.root.compact()).rejects.toMatchObject({ code: 'policy-forbids' });
  });
});
