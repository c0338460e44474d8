// Tidying up by similarity: what stands in a newer conversation, and what relates to nothing.
import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../src/model/conversation.ts';
import type { Recall, RecallHit } from '../../src/model/ports/recall.ts';
import { applyRetention } from '../../src/recall/retention/apply-retention.ts';
import { planRetention } from '../../src/recall/retention/plan-retention.ts';
import { createScanRecall } from '../../src/recall/scan-recall.ts';
import { createWorkbench, day, settingsWith } from './workbench.ts';

const settings = settingsWith({ strategy: 'similarity' });

const question = 'How do we keep the migration of the billing tables from locking every writer for minutes?';
const answer =
  'Add the column without a default, fill it in batches of a thousand rows, then set the constraint as not valid first.';
const chinese = '我们把沙发导航的地图缓存到本地，断网的时候也能继续走，重新联网以后再和服务器同步一次。';

describe('what stands in a newer conversation of the same project', () => {
  it('goes, and says where it stands; the newest that holds it stays', async () => {
    const { store, keep, now } = await createWorkbench('sqlite');
    const first = await keep(20, [question, chinese], { project: 'git:1' });
    const second = await keep(15, [question, chinese, answer], { project: 'git:1' });
    const newest = await keep(1, ['What we know so far:', `${question}\n\n${chinese}`, answer], { project: 'git:1' });
    const plan = await planRetention({ store, now, settings });
    const expected = ({ id, activeAt, lastSeq }: Conversation) => ({
      id,
      project: 'git:1',
      reason: 'contained',
      within: newest.id,
      usedAt: activeAt,
      activeAt,
      lastSeq,
    });
    expect(plan).toEqual({
      at: now,
      settings,
      conversations: 3,
      trash: [expected(first), expected(second)],
      kept: {},
      aboveLimit: 0,
      complete: true,
      tooFew: 10,
    });
  });

  it.each<[string, readonly string[], Parameters<Awaited<ReturnType<typeof createWorkbench>>['keep']>[2], object]>([
    ['one of its entries says something else', [question, 'And then we drop the old table on Friday.'], {}, {}],
    ['a short answer of it is missing', [question, 'yes, delete'], {}, {}],
    ['it belongs to another project', [question, answer], { project: 'git:2' }, {}],
    ['not all of its text is kept', [question, answer], { policy: { kind: 'headers-only' } }, {}],
    ['its text expires', [question, answer], { policy: { kind: 'ttl', milliseconds: 999 * day, afterwards: 'delete' } }, {}],
    ['it says nothing', [], {}, {}],
    ['it is pinned', [question, answer], { pinned: true }, { pinned: 1 }],
  ])('but it stays where %s', async (_name, texts, input, kept) => {
    const { store, keep, now } = await createWorkbench('sqlite');
    await keep(20, texts, input);
    await keep(1, [question, answer]);
    expect(await planRetention({ store, now, settings })).toMatchObject({ trash: [], kept });
  });

  it('stays where the newer one is left out of recall, is young itself, or is the older of the two', async () => {
    const { store, keep, now } = await createWorkbench('jsonl');
    await keep(30, [question, answer, chinese]);
    await keep(20, [question, answer]);
    await keep(5, [chinese]);
    await keep(1, [question, answer, chinese, 'x'], { meta: { recall: 'excluded' } });
    expect((await planRetention({ store, now, settings })).trash).toEqual([]);
  });

  it('is left alone where the newer one is gone by then', async () => {
    const { store, keep, now, clock } = await createWorkbench('sqlite');
    const older = await keep(20, [question]);
    const newer = await keep(1, [question, answer]);
    const plan = await planRetention({ store, now, settings });
    expect(plan.trash.map(({ id, within }) => [id, within])).toEqual([[older.id, newer.id]]);
    await store.trash(newer.id);
    const { trashed, left } = await applyRetention(plan, { store, clock, confirmed: true });
    expect([trashed, left]).toEqual([[], [{ id: older.id, reason: 'within-gone' }]]);
  });

  it('stays where it is one of many of a kind that differ in one entry: they are related, but none holds another', async () => {
    const { store, keep, now } = await createWorkbench('sqlite');
    const report = 'Daily report: the build is green, the deployment went through, nobody was paged over the weekend at all.';
    for (let i = 0; i < 60; i += 1) await keep(80 - i, [report, question, `Today the answer to everything was number ${i}.`]);
    expect((await planRetention({ store, now, settings })).trash).toEqual([]);
  });
});

describe('what relates to nothing', () => {
  const subjects = ['billing migration locks', 'parser recursion depth', 'kitchen lamp wiring'];
  const about = (i: number) =>
    `${subjects[i % 3]}: attempt ${['one', 'two', 'three', 'four'][i % 4]} at the ${subjects[i % 3]} went on`;

  it('goes when it was not used for the retention period, and says how near the nearest is', async () => {
    const { store, keep, now } = await createWorkbench('sqlite');
    const lone = await keep(60, [
      'Zebra migration across the Okavango delta follows rainfall: herds leave the northern floodplain in November, walk south-east to',
      'the salt pans of Makgadikgadi, graze on mineral-rich grass until March, and return when ephemeral waterholes dry out.',
    ]);
    for (let i = 0; i < 12; i += 1) await keep(50 - i, [about(i)]);
    await keep(20, ['Volcanic basalt columns near Giants Causeway']);
    const plan = await planRetention({ store, now, settings });
    expect(plan.trash.map(({ id, reason }) => [id, reason])).toEqual([[lone.id, 'unrelated']]);
    const { similarity = 1 } = plan.trash[0] ?? {};
    expect([similarity > 0, similarity < settings.minSimilarity]).toEqual([true, true]);
    const lenient = await planRetention({ store, now, settings: { ...settings, minSimilarity: 0 } });
    expect(lenient.trash).toEqual([]);
  });

  it('stays where recall finds something like it, and where there is little to compare it with', async () => {
    const { store, keep, now } = await createWorkbench('sqlite');
    const lone = await keep(60, ['Zebra herds of the Okavango delta']);
    expect((await planRetention({ store, now, settings })).trash).toEqual([]);
    for (let i = 0; i < 12; i += 1) await keep(50 - i, [about(i)]);
    expect((await planRetention({ store, now, settings, recall: createScanRecall(store) })).trash.map(({ id }) => id)).toEqual([
      lone.id,
    ]);
    const asked: unknown[] = [];
    const recall: Recall = {
      async find(query) {
        asked.push(query);
        return { hits: [{} as RecallHit], searched: { conversations: 1, entries: 1, complete: true } };
      },
    };
    expect(await planRetention({ store, now, settings, recall })).toMatchObject({ trash: [], kept: { related: 1 } });
    expect(asked).toEqual([{ text: expect.stringContaining('zebra'), except: lone.id, limit: 1 }]);
  });
});
