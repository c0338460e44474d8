// History guard rails: the model is shown a window, the log keeps everything, and what was trimmed can be shown again.
import { describe, expect, it } from 'vitest';
import type { NewEntry } from '../../src/model/entry.ts';
import { openStore } from '../../src/open-store.ts';
import { writeSummary } from '../../src/recall/context/write-summary.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';
import { openWorkbench } from './workbench.ts';

const textsOf = (prompt: readonly NewEntry[]) => prompt.map((item) => ('text' in item ? item.text : item.kind));

describe('history guard rails', () => {
  it('trim the oldest, tell so, and lose nothing of the log', async () => {
    const { session, store, model, heard } = await openWorkbench({ history: { maxItems: 6 } });
    for (let i = 1; i <= 10; i++) await session.message(`question ${i}`);
    const root = await session.root();
    expect(textsOf(model.requests.at(-1)?.prompt ?? [])).toEqual([
      expect.stringContaining('not shown'),
      'fine',
      'question 8',
      'fine',
      'question 9',
      'fine',
      'question 10',
    ]);
    expect(heard('history-trim').length).toBeGreaterThan(0);
    const log = (await store.tail(root.id, 1000)).filter((entry) => entry.kind === 'message');
    expect(log).toHaveLength(20);
  });

  it('show again what was trimmed when they are widened', async () => {
    const { session, model } = await openWorkbench({ history: { maxItems: 4 } });
    for (let i = 1; i <= 10; i++) await session.message(`question ${i}`);
    const root = await session.root();
    await root.setHistoryLimits({ maxItems: 1000, maxTokens: 100_000 });
    await session.message('everything?');
    expect(model.requests.at(-1)?.prompt).toHaveLength(21);
  });

  it('put a summary in the place of what was trimmed, also after a resume', async () => {
    const summarise = async ({ items, summary }: { items: readonly NewEntry[]; summary: string | undefined }) =>
      `${summary ?? ''}[${items.length} entries]`;
    const bench = await openWorkbench({ history: { maxItems: 4 }, summarise });
    for (let i = 1; i <= 4; i++) await bench.session.message(`question ${i}`);
    const { id } = await bench.session.root();
    await expect
      .poll(async () => (await bench.store.tail(id, 50)).filter((entry) => entry.kind === 'summary').length)
      .toBeGreaterThan(0);
    await bench.session.close();
    const again = await openWorkbench({ home: bench.home, root: { resume: id }, history: { maxItems: 10 } });
    await again.session.message('and?');
    const prompt = again.model.requests[0]?.prompt ?? [];
    expect(prompt[0]).toMatchObject({ kind: 'summary', text: expect.stringMatching(/^\[\d entries\]/) });
    expect(textsOf(prompt).at(-1)).toBe('and?');
    expect((await again.store.tail(id, 100)).filter((entry) => entry.kind === 'message')).toHaveLength(10);
  });

  it('show what was said although a summary stands beside it, and the summary where they leave something out', async () => {
    const bench = await openWorkbench();
    for (let i = 1; i <= 4; i++) await bench.session.message(`question ${i}`);
    const { id } = await bench.session.root();
    await bench.session.close();
    await writeSummary(bench.store, id);
    const wide = await openWorkbench({ home: bench.home, root: { resume: id } });
    await wide.session.message('and?');
    expect(textsOf(wide.model.requests[0]?.prompt ?? [])).toEqual([
      ...[1, 2, 3, 4].flatMap((i) => [`question ${i}`, 'fine']),
      'and?',
    ]);
    await wide.session.close();
    const narrow = await openWorkbench({ home: bench.home, root: { resume: id }, history: { maxItems: 4 } });
    await narrow.session.message('and then?');
    const [first, ...rest] = narrow.model.requests[0]?.prompt ?? [];
    expect(first).toMatchObject({ kind: 'summary', text: expect.stringContaining('question 1') });
    expect(textsOf(rest).at(-1)).toBe('and then?');
  });

  it('go on without a summary where the summariser fails', async () => {
    const { session, heard } = await openWorkbench({
      history: { maxItems: 4 },
      summarise: () => Promise.reject(new Error('no words')),
    });
    for (let i = 1; i <= 6; i++) expect((await session.message(`question ${i}`)).text).toBe('fine');
    await expect.poll(() => heard('warning').length).toBeGreaterThan(0);
  });

  it('resume a very long conversation with its window only', async () => {
    const home = createQuickFolder('long');
    const store = await openStore({ home });
    const { id } = await store.create();
    const page = Array.from(
      { length: 5000 },
      (_, i): NewEntry => ({ kind: 'message', role: i % 2 ? 'assistant' : 'user', text: `line ${i}` }),
    );
    for (let i = 0; i < 4; i++) await store.append(id, page);
    await store.close();
    const { session, model } = await openWorkbench({ home, root: { resume: id }, history: { maxItems: 50 } });
    await session.message('where were we?');
    const prompt = model.requests[0]?.prompt ?? [];
    expect(prompt.length).toBeLessThanOrEqual(51);
    expect(prompt.at(-2)).toMatchObject({ text: 'line 4999' });
  });
});
