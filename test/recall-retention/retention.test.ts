// Tidying up by age and by number, over every durable store.
import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../src/model/conversation.ts';
import type { ConversationId } from '../../src/model/id.ts';
import { writeSummary } from '../../src/recall/context/write-summary.ts';
import { applyRetention } from '../../src/recall/retention/apply-retention.ts';
import { planRetention } from '../../src/recall/retention/plan-retention.ts';
import { listRetention, type RetentionRecord } from '../../src/recall/retention/retention-note.ts';
import type { ConversationStore } from '../../src/store/conversation-store.ts';
import { subjectNames } from '../support/store-subjects.ts';
import { createWorkbench, day, settingsWith } from './workbench.ts';

const yes = { confirmed: true };
const settings = settingsWith();

async function living(store: ConversationStore): Promise<ConversationId[]> {
  return (await store.list({ limit: 1000 })).items.map(({ id }) => id);
}

async function ledger(store: ConversationStore): Promise<RetentionRecord[]> {
  const records: RetentionRecord[] = [];
  for await (const record of listRetention(store)) records.push(record);
  return records;
}

const itemOf = ({ id, title, activeAt, lastSeq }: Conversation, reason: string) => ({
  id,
  ...(title !== undefined && { title }),
  reason,
  usedAt: activeAt,
  activeAt,
  lastSeq,
});

describe.each(subjectNames)('%s: what was not used for the retention period', (subject) => {
  it('goes although it was summed up since: a summary is no use', async () => {
    const { store, keep, now, clock } = await createWorkbench(subject);
    const old = await keep(60, ['Please paint the fence green.', 'The gate stays white.']);
    expect(await writeSummary(store, old.id)).toMatchObject({ isNew: true });
    const summed = await store.get(old.id);
    expect(summed.activeAt).toBe(old.activeAt);
    const plan = await planRetention({ store, now, settings });
    expect(plan.trash).toEqual([itemOf(summed, 'old')]);
    expect((await applyRetention(plan, { store, clock, ...yes })).trashed.map(({ id }) => id)).toEqual([old.id]);
  });

  it('is shown exactly, changes nothing until it is applied, then goes with its reason and comes back by restoring', async () => {
    const { store, keep, now, clock, open } = await createWorkbench(subject);
    const ancient = await keep(90, ['a', 'b'], { title: 'ancient' });
    const old = await keep(31, ['c']);
    const young = await keep(29, ['d']);
    const plan = await planRetention({ store, now, settings });
    expect(plan).toEqual({
      at: now,
      settings,
      conversations: 3,
      trash: [itemOf(ancient, 'old'), itemOf(old, 'old')],
      kept: {},
      aboveLimit: 0,
      complete: true,
    });
    expect(await living(store)).toEqual([young.id, old.id, ancient.id]);
    expect(await ledger(store)).toEqual([]);

    const progress: number[][] = [];
    const onProgress = (done: number, total: number) => void progress.push([done, total]);
    expect(await applyRetention(plan, { store, clock, ...yes, onProgress })).toEqual({ at: now, trashed: plan.trash, left: [] });
    expect(progress).toEqual([
      [1, 2],
      [2, 2],
    ]);
    expect(await living(store)).toEqual([young.id]);
    const noted = { reason: 'old', at: now, purgeAfter: now + 30 * day };
    expect(await ledger(await open())).toEqual([
      { id: old.id, usedAt: old.activeAt, ...noted },
      { id: ancient.id, title: 'ancient', usedAt: ancient.activeAt, ...noted },
    ]);
    expect(await planRetention({ store, now, settings })).toMatchObject({ trash: [], kept: {}, conversations: 1 });

    const restored = await store.restore(ancient.id);
    expect({ ...restored, meta: {} }).toEqual(ancient);
    expect((await store.read(ancient.id)).items).toHaveLength(2);
    expect((await ledger(store)).map(({ id }) => id)).toEqual([old.id]);
  });

  it('stays after it was restored, until it was used and grew old again', async () => {
    const { store, keep, now, clock } = await createWorkbench(subject);
    const { id } = await keep(90, ['a']);
    await applyRetention(await planRetention({ store, now, settings }), { store, clock, ...yes });
    await store.restore(id);
    const later = now + 365 * day;
    clock.set(later);
    expect(await planRetention({ store, now: later, settings })).toMatchObject({ trash: [], kept: { restored: 1 } });
    await store.append(id, { kind: 'message', role: 'user', text: 'used' });
    clock.set(later + 31 * day);
    const plan = await planRetention({ store, now: clock(), settings });
    expect(plan.trash.map((item) => item.id)).toEqual([id]);
    // Trashed by hand, although it has a note of an earlier time.
    await store.trash(id);
    expect(await ledger(store)).toEqual([]);
  });

  it('stays where it is pinned, in use, has a key or forks, or was stored a short while ago', async () => {
    const { store, keep, now, clock, open } = await createWorkbench(subject);
    await keep(99, ['x'], { pinned: true });
    await keep(98, ['x'], { key: 'feishu:1' });
    const held = await keep(97, ['x']);
    const origin = await keep(96, ['x']);
    clock.set(now - 95 * day);
    const fork = await store.fork(origin.id);
    await store.trash(fork.id);
    clock.set(now);
    const lease = await (await open()).acquireLease(held.id);
    // Said a year ago, imported today.
    const imported = await store.create({ createdAt: now - 365 * day });
    await store.append(imported.id, { kind: 'message', role: 'user', text: 'long ago', at: now - 365 * day });
    const plan = await planRetention({ store, now, settings: settingsWith({ maxConversations: 1 }) });
    expect(plan).toEqual({
      at: now,
      settings: settingsWith({ maxConversations: 1 }),
      conversations: 5,
      trash: [],
      kept: { pinned: 1, keyed: 1, active: 1, forked: 1, recent: 1 },
      aboveLimit: 4,
      complete: true,
    });
    await lease.release();
    expect((await planRetention({ store, now, settings })).trash.map(({ id }) => id)).toEqual([held.id]);
  });

  it('is looked at again before it goes: what was used, pinned, forked, leased, trashed or purged since is left alone', async () => {
    const { store, keep, now, clock, open } = await createWorkbench(subject);
    const names = ['used', 'pinned', 'forked', 'active', 'gone', 'gone', 'goes'] as const;
    const all: Conversation[] = [];
    for (const [i, name] of names.entries()) all.push(await keep(99 - i, [name], { title: name }));
    const ids = all.map(({ id }) => id) as [ConversationId, ...ConversationId[]];
    const plan = await planRetention({ store, now, settings });
    expect(plan.trash.map(({ id }) => id)).toEqual(ids);
    const other = await open();
    await other.append(ids[0], { kind: 'message', role: 'user', text: 'again', at: now - 99 * day });
    await other.pin(ids[1] as ConversationId);
    await other.fork(ids[2] as ConversationId);
    await other.acquireLease(ids[3] as ConversationId);
    await other.trash(ids[4] as ConversationId);
    await other.trash(ids[5] as ConversationId);
    await other.purge(ids[5] as ConversationId);
    const result = await applyRetention(plan, { store, clock, ...yes });
    expect(result).toEqual({
      at: now,
      trashed: plan.trash.slice(6),
      left: names.slice(0, 6).map((reason, i) => ({ id: ids[i], reason })),
    });
    expect((await ledger(store)).map(({ id }) => id)).toEqual([ids[6]]);
    expect((await store.get(ids[4] as ConversationId)).meta).toEqual({});
    // The lease it took for a moment is given back.
    await store.restore(ids[6] as ConversationId);
    expect(await other.findLease(ids[6] as ConversationId)).toBeUndefined();
    await other.append(ids[6] as ConversationId, { kind: 'message', role: 'user', text: 'on' });
  });
});

describe('a limit on the number of conversations', () => {
  it('takes the oldest, never one of the newest so many, and no more than needed when others went meanwhile', async () => {
    const { store, keep, now, clock } = await createWorkbench('sqlite');
    const all: Conversation[] = [];
    for (let i = 0; i < 8; i += 1) all.push(await keep(29 - i, ['x'], i === 2 ? { pinned: true } : {}));
    const limited = settingsWith({ maxConversations: 5 });
    const plan = await planRetention({ store, now, settings: limited });
    const [first, second, third] = all as [Conversation, Conversation, Conversation];
    expect(plan).toEqual({
      at: now,
      settings: limited,
      conversations: 8,
      trash: [itemOf(first, 'over-limit'), itemOf(second, 'over-limit')],
      kept: { pinned: 1 },
      aboveLimit: 1,
      complete: true,
    });
    await store.trash(third.id);
    await store.trash((all[3] as Conversation).id);
    const { trashed, left } = await applyRetention(plan, { store, clock, ...yes });
    expect([trashed.map(({ id }) => id), left]).toEqual([[first.id], [{ id: second.id, reason: 'limit-kept' }]]);
    expect((await store.stats()).conversations - (await store.stats()).trashed).toBe(5);
  });

  it('does not count what the strategy takes', async () => {
    const { store, keep, now } = await createWorkbench('jsonl');
    const old = await keep(60, ['x']);
    for (let i = 0; i < 3; i += 1) await keep(20 - i, ['x']);
    const plan = await planRetention({ store, now, settings: settingsWith({ maxConversations: 3 }) });
    expect([plan.trash, plan.aboveLimit]).toEqual([[itemOf(old, 'old')], 0]);
  });
});

describe('without being asked for', () => {
  it('nothing goes before it was announced, nor where it is switched off', async () => {
    const { store, keep, now, clock } = await createWorkbench('sqlite');
    const { id } = await keep(60, ['x']);
    const tryWith = async (enable: boolean | undefined, announcedAt?: number) => {
      const plan = await planRetention({ store, now, settings: settingsWith(enable === undefined ? {} : { enable }) });
      const consent = announcedAt === undefined ? {} : { announcedAt };
      const result = await applyRetention(plan, { store, clock, ...consent });
      return [result.waiting, result.trashed.length];
    };
    expect(await tryWith(undefined)).toEqual(['not-announced', 0]);
    expect(await tryWith(false)).toEqual(['disabled', 0]);
    expect(await tryWith(false, now - day)).toEqual(['disabled', 0]);
    expect((await store.get(id)).trashedAt).toBeUndefined();
    expect(await tryWith(undefined, now - day)).toEqual([undefined, 1]);
  });

  it('settings that would empty the store by a slip are refused', async () => {
    const { store, now } = await createWorkbench('sqlite');
    const wrong = [{ retentionDays: 0 }, { retentionDays: Number.NaN }, { minSimilarity: 1.1 }, { maxConversations: -1 }];
    for (const change of [...wrong, { strategy: 'all' as never }]) {
      await expect(planRetention({ store, now, settings: settingsWith(change) })).rejects.toMatchObject({
        code: 'invalid-input',
      });
    }
  });
});
