// What several writers and readers see of each other: leases, watching, statistics, verification, backup.
import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConversationId } from '../../model/id.ts';
import { assertRefused, type ConformanceCase, createManualClock, say, texts } from './harness.ts';

export const sharedCases: ConformanceCase[] = [
  {
    name: 'lets only the holder of a lease write, names the holder to others, and others may read or fork',
    async run({ open }) {
      const [one, two] = [await open(), await open()];
      const { id } = await one.create();
      const lease = await one.acquireLease(id, { owner: 'editor' });
      await one.append(id, say('mine'));
      const details = await assertRefused(two.append(id, say('not yours')), 'conversation-locked');
      assert.deepEqual([details.owner, details.pid, details.host], ['editor', process.pid, hostname()]);
      await assertRefused(two.acquireLease(id), 'conversation-locked');
      assert.equal((await two.findLease(id))?.owner, 'editor');
      assert.deepEqual(await texts(two, id), ['mine']);
      const fork = await two.fork(id);
      await two.append(fork.id, say('elsewhere'));
      await lease.release();
      await lease.release();
      assert.equal(await two.findLease(id), undefined);
      await two.append(id, say('now mine'));
      assert.deepEqual(await texts(one, id), ['mine', 'now mine']);
    },
  },
  {
    name: 'waits for a lease when asked to',
    async run({ open }) {
      const [one, two] = [await open(), await open()];
      const { id } = await one.create();
      const held = await one.acquireLease(id);
      const waiting = two.acquireLease(id, { owner: 'second', wait: 10_000 });
      await sleep(50);
      await held.release();
      const lease = await waiting;
      assert.equal((await one.findLease(id))?.owner, 'second');
      await lease.release();
      const cancelled = one.acquireLease(id);
      await (await cancelled).release();
    },
  },
  {
    name: 'takes over from an owner that let its lease expire, and the old owner learns of it',
    async run({ open }) {
      const clock = createManualClock();
      const [one, two] = [await open({ clock }), await open({ clock })];
      const { id } = await one.create();
      const stale = await one.acquireLease(id, { ttl: 300 });
      clock.advance(301);
      const fresh = await two.acquireLease(id, { owner: 'successor', ttl: 60_000 });
      await two.append(id, say('taken over'));
      if (!stale.lost.aborted) await new Promise((resolve) => stale.lost.addEventListener('abort', resolve, { once: true }));
      await assertRefused(one.append(id, say('ghost')), 'lease-lost');
      await stale.release();
      await assertRefused(one.append(id, say('still not')), 'conversation-locked');
      await fresh.release();
      await one.append(id, say('free again'));
      assert.deepEqual(await texts(two, id), ['taken over', 'free again']);
    },
  },
  {
    name: 'takes over at once from an owner whose process is dead',
    async run({ driver, open }) {
      const store = await open();
      const { id } = await store.create();
      const raw = driver();
      await raw.open();
      const now = Date.now();
      const dead = { conversationId: id, token: 'dead', owner: 'crashed', pid: 2 ** 22 + 1, host: hostname(), acquiredAt: now };
      await raw.acquireLease({ ...dead, expiresAt: now + 3_600_000, now });
      await assertRefused(store.append(id, say('locked')), 'conversation-locked');
      const lease = await store.acquireLease(id);
      await store.append(id, say('alive'));
      await lease.release();
      const elsewhere = { ...dead, token: 'far', host: 'another-machine' };
      await raw.acquireLease({ ...elsewhere, expiresAt: now + 3_600_000, now });
      await assertRefused(store.acquireLease(id), 'conversation-locked');
      await raw.close();
    },
  },
  {
    name: 'shows watchers what anybody appends, in order and once',
    async run({ open }) {
      const [one, two] = [await open(), await open()];
      const { id } = await one.create();
      await one.append(id, say('before'));
      const stop = new AbortController();
      const seen: string[] = [];
      const watching = (async () => {
        for await (const entry of two.watch(id, { after: 0, signal: stop.signal })) {
          seen.push('text' in entry ? entry.text : '');
          if (seen.length === 6) stop.abort();
        }
      })();
      const noticed = new Map<ConversationId, number>();
      const stopAll = new AbortController();
      const noticing = (async () => {
        for await (const notice of two.watchAll({ signal: stopAll.signal })) {
          noticed.set(notice.conversationId, notice.lastSeq);
          if (notice.conversationId === id && notice.lastSeq === 6) stopAll.abort();
        }
      })();
      await sleep(20);
      await one.append(id, [say('a'), say('b')]);
      await two.append(id, say('c'));
      await sleep(150);
      await one.append(id, say('d'));
      await one.append(id, say('e'));
      await Promise.race([Promise.all([watching, noticing]), sleep(10_000).then(() => assert.fail(`seen only ${seen.join()}`))]);
      assert.deepEqual(seen, ['before', 'a', 'b', 'c', 'd', 'e']);
      assert.equal(noticed.get(id), 6);
    },
  },
  {
    name: 'a watcher ends when its store is closed',
    async run({ open }) {
      const store = await open();
      const { id } = await store.create();
      const watching = (async () => {
        for await (const _ of store.watch(id)) assert.fail('nothing was said');
      })();
      await sleep(20);
      await store.close();
      await Promise.race([watching, sleep(5000).then(() => assert.fail('still watching'))]);
    },
  },
  {
    name: 'counts what is stored and finds nothing wrong with it',
    async run({ open }) {
      const store = await open();
      const a = await store.create({ agent: 'codex', project: 'p', pinned: true });
      const b = await store.create({ agent: 'codex' });
      const c = await store.create({ agent: 'claude' });
      await store.append(a.id, [say('1'), say('2')]);
      await store.append(b.id, say('3'));
      const fork = await store.fork(a.id);
      await store.append(fork.id, say('4'));
      await store.trash(c.id);
      const { bytesOnDisk, ...stats } = await (await open()).stats();
      assert.deepEqual(stats, {
        conversations: 4,
        trashed: 1,
        pinned: 1,
        entries: 4,
        byAgent: [
          { name: 'codex', conversations: 3 },
          { name: 'claude', conversations: 1 },
        ],
        byProject: [{ name: 'p', conversations: 2 }],
      });
      assert.ok(bytesOnDisk >= 0);
      const ticks: number[] = [];
      const report = await store.verify((done) => ticks.push(done));
      assert.deepEqual(report, { conversations: 4, entries: 4, problems: [] });
    },
  },
  {
    name: 'backs up while others write, or says that it cannot',
    async run({ driver, open, folder }) {
      const store = await open();
      const { id } = await store.create({ title: 'saved' });
      await store.append(
        id,
        Array.from({ length: 300 }, (_, i) => say(`m${i}`)),
      );
      const target = join(folder, 'backup');
      if (!driver().supports.backup) {
        await assertRefused(store.backup(target), 'not-supported');
        return;
      }
      let writing = true;
      const others = (async () => {
        const writer = await open();
        for (let i = 0; writing; i++) await writer.append(id, say(`during ${i}`));
      })();
      const manifest = await store.backup(target);
      writing = false;
      await others;
      assert.equal(manifest.driver, store.driverName);
      assert.ok(manifest.files.length > 0);
      await assertRefused(store.backup(target), 'backup-exists');
    },
  },
  {
    name: 'packs old text without changing what is read, or says that it cannot',
    async run({ driver, open }) {
      const clock = createManualClock();
      const store = await open({ clock });
      const { id } = await store.create();
      const wordy = (i: number) => `This is message number ${i} and it repeats itself, it repeats itself. 重复的内容。`;
      await store.append(
        id,
        Array.from({ length: 300 }, (_, i) => ({ ...say(wordy(i)), meta: { i } })),
      );
      const before = (await store.read(id, { limit: 1000 })).items;
      if (!driver().supports.coldCompression) {
        await assertRefused(store.compressCold(clock() + 1), 'not-supported');
        return;
      }
      clock.advance(1000);
      await store.append(id, say('fresh'));
      const result = await store.compressCold(clock() - 500);
      assert.equal(result.entries, 300);
      assert.ok(result.bytesAfter * 2 < result.bytesBefore, JSON.stringify(result));
      const after = (await (await open({ clock })).read(id, { limit: 1000 })).items;
      assert.deepEqual(after.slice(0, 300), before);
      assert.equal(after.length, 301);
      assert.deepEqual((await store.compressCold(clock() - 500)).entries, 0);
      assert.deepEqual((await store.verify()).problems, []);
      const fork = await store.fork(id, { at: 150 });
      assert.equal((await texts(store, fork.id)).length, 150);
      await store.trash(id);
      await store.purge(id, { withForks: true });
      assert.equal((await store.stats()).entries, 0);
    },
  },
];
