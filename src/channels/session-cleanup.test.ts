import { describe, expect, it } from 'vitest';
import type { ConversationPatch } from '../model/conversation.ts';
import type { ConversationId } from '../model/id.ts';
import { ConversationStore } from '../store/conversation-store.ts';
import { MemoryDriver } from '../store/drivers/memory/memory-driver.ts';
import type { CleanupReport } from './session-cleanup.ts';
import { SessionManager } from './session-manager.ts';

const start = Date.UTC(2026, 0, 1);
const day = 24 * 60 * 60 * 1000;

async function setUp() {
  const time = { now: start };
  const clock = () => time.now;
  const store = await ConversationStore.open({ driver: new MemoryDriver(), clock, redactor: false });
  const manager = new SessionManager({ store, clock });
  /** Makes sessions and lets them grow old. */
  const old = async (...keys: string[]) => {
    for (const key of keys) await manager.addMessage(key, 'user', `in ${key}`);
    time.now += 8 * day;
  };
  return { time, clock, store, manager, old };
}

const keysOf = ({ removed, kept }: CleanupReport) => ({
  removed: removed.map(({ key, reason }) => `${key} ${reason}`).sort(),
  kept: kept.map(({ key, reason }) => `${key} ${reason}`).sort(),
});

describe('cleanup', () => {
  it('puts sessions into the trash that were quiet for too long, and no others', async () => {
    const { manager, store, old } = await setUp();
    await old('quiet');
    await manager.addMessage('lively', 'user', 'hello');
    const { id } = await store.get('quiet');
    const removed = [{ key: 'quiet', id, updated_at: start, reason: 'inactive' }];
    const preview = { at: start + 8 * day, cutoff: start + day, dryRun: true, removed, kept: [] };
    expect(await manager.previewCleanup(7 * day)).toEqual(preview);
    expect(await manager.cleanup(7 * day, { dryRun: true })).toEqual(preview);
    expect((await store.get(id)).trashedAt).toBeUndefined();

    expect(await manager.cleanup(7 * day)).toEqual({ ...preview, dryRun: false });
    expect((await store.get(id)).trashedAt).toBe(start + 8 * day);
    expect((await manager.listSessions()).map(({ key }) => key)).toEqual(['lively']);
    expect(manager.getAllSessions().map(({ key }) => key)).toEqual(['lively']);
    expect(keysOf(await manager.cleanup(7 * day))).toEqual({ removed: [], kept: [] });
  });

  it('a session that was cleaned up comes back whole when it is restored, and gives way to a new one when it is not', async () => {
    const { manager, store, old } = await setUp();
    await old('a', 'b');
    const [a, b] = [await store.get('a'), await store.get('b')];
    await manager.cleanup(7 * day);
    await store.restore(a.id);
    await manager.addMessage('a', 'user', 'again');
    await manager.addMessage('b', 'user', 'anew');
    expect((await manager.getMessages('a')).map(({ content }) => content)).toEqual(['in a', 'again']);
    expect((await manager.getMessages('b')).map(({ content }) => content)).toEqual(['anew']);
    expect((await store.get(b.id)).trashedAt).toBe(start + 8 * day);
  });

  it('never touches what is pinned, leased, unsaved or in use, nor what others made', async () => {
    const { time, clock, manager, store, old } = await setUp();
    await store.create({ key: 'imported' });
    await new SessionManager({ store, clock, owner: 'another bot' }).addMessage('theirs', 'user', 'x');
    const kept = await manager.getOrCreate('saved');
    await old('pinned', 'leased', 'unsaved', 'read', 'quiet');
    await store.pin((await store.get('pinned')).id);
    (await manager.getOrCreate('unsaved')).metadata.draft = true;
    kept.metadata.step = 1;
    await manager.save(kept);
    await manager.unload('saved');
    time.now += day;
    await manager.getMessages('read');
    time.now += 60_000;
    const lease = await store.acquireLease((await store.get('leased')).id);
    expect(keysOf(await manager.cleanup(7 * day))).toEqual({
      removed: ['quiet inactive'],
      kept: ['leased locked', 'pinned pinned', 'read in-use', 'unsaved in-use'],
    });
    await lease.release();
    time.now += 60 * 60_000;
    expect(keysOf(await manager.cleanup(7 * day)).removed).toEqual(['leased inactive', 'read inactive']);
    expect((await manager.listSessions()).map(({ key }) => key).sort()).toEqual(['pinned', 'saved', 'unsaved']);
    expect((await store.list({})).items.map(({ key }) => key)).toEqual(expect.arrayContaining(['imported', 'theirs']));
  });

  it('leaves alone what came to life between the preview and the deed', async () => {
    const { time, clock, manager, store, old } = await setUp();
    await old('written', 'pinned', 'read', 'quiet');
    const other = new SessionManager({ store, clock });
    const schedule = manager.scheduleCleanup({
      every: day,
      maxAge: 7 * day,
      onPreview: async ({ removed }) => {
        expect(removed).toHaveLength(4);
        await other.addMessage('written', 'user', 'still here');
        await store.pin((await store.get('pinned')).id);
        time.now += 1;
        await manager.getMessages('read');
      },
    });
    expect(keysOf((await schedule.run()) as CleanupReport)).toEqual({
      removed: ['quiet inactive'],
      kept: ['pinned active-again', 'read active-again', 'written active-again'],
    });
    await schedule.stop();
  });

  it('brings back at once what somebody wrote in at the very last moment', async () => {
    class LateWriter extends MemoryDriver {
      override async updateConversation(id: ConversationId, patch: ConversationPatch) {
        const isTrashing = typeof patch.trashedAt === 'number';
        if (isTrashing) await store.append(id, { kind: 'message', role: 'user', text: 'wait!' });
        return super.updateConversation(id, patch);
      }
    }
    const time = { now: start };
    const store = await ConversationStore.open({ driver: new LateWriter(), clock: () => time.now, redactor: false });
    const manager = new SessionManager({ store, clock: () => time.now });
    await manager.addMessage('k', 'user', 'hello');
    time.now += 8 * day;
    expect(keysOf(await manager.cleanup(7 * day))).toEqual({ removed: [], kept: ['k active-again'] });
    expect((await manager.getMessages('k')).map(({ content }) => content)).toEqual(['hello', 'wait!']);
  });

  it('a message that comes while its session is cleaned up is stored', async () => {
    const { manager, old } = await setUp();
    await old('a', 'b', 'c');
    await Promise.all([manager.cleanup(7 * day), ...['a', 'b', 'c'].map((key) => manager.addMessage(key, 'user', 'now'))]);
    for (const key of ['a', 'b', 'c']) expect((await manager.getMessages(key)).at(-1)?.content).toBe('now');
  });

  it('goes through more sessions than fit on one page', async () => {
    const { manager, old } = await setUp();
    await old(...Array.from({ length: 1200 }, (_, i) => `k${i}`));
    expect((await manager.cleanup(7 * day)).removed).toHaveLength(1200);
    expect(await manager.listSessions()).toEqual([]);
    expect(manager.cached).toEqual({ sessions: 0, bytes: 0 });
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY, '7d'])('refuses the age %s', async (maxAge) => {
    const { manager } = await setUp();
    await expect(manager.cleanup(maxAge as number)).rejects.toMatchObject({ code: 'invalid-input' });
    expect(() => manager.scheduleCleanup({ every: 1000, maxAge: maxAge as number })).toThrow();
  });
});

describe('scheduled cleanup', () => {
  it('shows what will go, cleans up, and tells what went, until it is stopped', async () => {
    const { manager, old } = await setUp();
    await old('quiet');
    const told: string[] = [];
    const done = await new Promise<CleanupReport>((resolve) => {
      const schedule = manager.scheduleCleanup({
        every: 5,
        maxAge: 7 * day,
        onPreview: ({ dryRun, removed }) => {
          told.push(`preview ${dryRun} ${removed.length}`);
        },
        onDone: (report) => {
          told.push(`done ${report.dryRun} ${report.removed.length}`);
          void schedule.stop().then(() => resolve(report));
        },
      });
    });
    expect(keysOf(done)).toEqual({ removed: ['quiet inactive'], kept: [] });
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(told).toEqual(['preview true 1', 'done false 1']);
  });

  it('a preview answered with false cancels the run', async () => {
    const { manager, old } = await setUp();
    await old('quiet');
    const schedule = manager.scheduleCleanup({ every: day, maxAge: 7 * day, onPreview: () => false });
    expect(await schedule.run()).toBeUndefined();
    expect(await manager.listSessions()).toHaveLength(1);
    await manager.close();
  });

  it('its failures are told and do not end it; two runs never overlap', async () => {
    const failures: unknown[] = [];
    const store = await ConversationStore.open({ driver: new MemoryDriver(), redactor: false });
    const manager = new SessionManager({ store, onError: (error, context) => failures.push({ error, ...context }) });
    let runs = 0;
    const release = withResolvers();
    await new Promise<void>((resolve) => {
      manager.scheduleCleanup({
        every: 2,
        maxAge: day,
        onPreview: async () => {
          runs += 1;
          if (runs === 1) throw new Error('the preview could not be shown');
          setTimeout(resolve, 20);
          await release.promise;
        },
      });
    });
    expect([runs, failures]).toEqual([2, [{ error: expect.any(Error), during: 'cleanup' }]]);
    release.resolve();
    await manager.close();
    const runsAtClose = runs;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(runs).toBe(runsAtClose);
  });

  it.each([0, -5, Number.NaN, 2 ** 31])('refuses the interval %s', async (every) => {
    const { manager } = await setUp();
    expect(() => manager.scheduleCleanup({ every, maxAge: day })).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  });
});

function withResolvers() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
