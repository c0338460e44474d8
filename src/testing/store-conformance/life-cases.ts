// Forks, trash, purge, storage policies and the sweep.
import assert from 'node:assert/strict';
import type { NewEntry } from '../../model/entry.ts';
import type { StoragePolicy } from '../../model/storage-policy.ts';
import { assertRefused, type ConformanceCase, createManualClock, say, texts } from './harness.ts';

const day = 24 * 60 * 60 * 1000;

export const lifeCases: ConformanceCase[] = [
  {
    name: 'forks at any entry, sharing what came before and nothing after',
    async run({ open }) {
      const store = await open();
      const origin = await store.create({ title: 'origin', tags: ['t'], project: 'p', key: 'k' });
      await store.append(
        origin.id,
        ['a', 'b', 'c', 'd'].map((text) => say(text)),
      );
      const fork = await store.fork(origin.id, { at: 2, title: 'what if' });
      assert.deepEqual(
        [fork.title, fork.tags, fork.project, fork.key, fork.lastSeq, fork.forkedFrom],
        ['what if', ['t'], 'p', undefined, 2, { id: origin.id, seq: 2 }],
      );
      await store.append(fork.id, say('x'));
      await store.append(origin.id, say('e'));
      const nested = await store.fork(fork.id);
      await store.append(nested.id, say('y'));
      const early = await store.fork(nested.id, { at: 1 });
      assert.deepEqual(early.forkedFrom, { id: origin.id, seq: 1 });
      const empty = await store.fork(early.id, { at: 0 });
      const other = await open();
      assert.deepEqual(await texts(other, origin.id), ['a', 'b', 'c', 'd', 'e']);
      assert.deepEqual(await texts(other, fork.id), ['a', 'b', 'x']);
      assert.deepEqual(await texts(other, nested.id), ['a', 'b', 'x', 'y']);
      assert.deepEqual(await texts(other, early.id), ['a']);
      assert.deepEqual(await texts(other, empty.id), []);
      const backward = (await other.read(nested.id, { order: 'backward', limit: 3 })).items;
      assert.deepEqual(
        backward.map((entry) => [entry.seq, entry.conversationId]),
        [
          [4, nested.id],
          [3, fork.id],
          [2, origin.id],
        ],
      );
      assert.deepEqual(
        (await store.list({ forkedFrom: origin.id })).items.map((item) => item.id).sort(),
        [fork.id, early.id].sort(),
      );
      await assertRefused(store.fork(origin.id, { at: 6 }), 'entry-not-found');
      await assertRefused(store.fork(origin.id, { at: -1 }), 'entry-not-found');
    },
  },
  {
    name: 'a trashed conversation leaves the lists, refuses appends, and comes back whole',
    async run({ open }) {
      const store = await open();
      const { id } = await store.create({ title: 'x', key: 'k' });
      await store.append(id, say('kept'));
      const trashed = await store.trash(id);
      assert.equal(typeof trashed.trashedAt, 'number');
      assert.equal((await store.trash(id)).trashedAt, trashed.trashedAt);
      assert.deepEqual((await store.list()).items, []);
      await assertRefused(store.append(id, say('no')), 'conversation-trashed');
      assert.deepEqual(await texts(store, id), ['kept']);
      const other = await open();
      await assertRefused(other.append(id, say('no')), 'conversation-trashed');
      await other.restore(id);
      await store.append(id, say('again'));
      assert.deepEqual(await texts(other, id), ['kept', 'again']);
    },
  },
  {
    name: 'purges only what is in the trash and nothing a fork still needs',
    async run({ open }) {
      const store = await open();
      const origin = await store.create({ key: 'k' });
      await store.append(origin.id, say('shared'));
      const fork = await store.fork(origin.id);
      const nested = await store.fork(fork.id);
      await store.append(fork.id, say('own'));
      await assertRefused(store.purge(origin.id), 'not-in-trash');
      await store.trash(origin.id);
      const refusal = await assertRefused(store.purge(origin.id), 'has-forks');
      assert.deepEqual((refusal.forks as string[]).sort(), [fork.id, nested.id].sort());
      assert.deepEqual(await texts(store, fork.id), ['shared', 'own']);
      const purged = await store.purge(origin.id, { withForks: true });
      assert.deepEqual([...purged].sort(), [origin.id, fork.id, nested.id].sort());
      for (const id of [origin.id, fork.id, nested.id]) {
        assert.equal(await store.find(id), undefined);
        await assertRefused(store.read(id), 'conversation-not-found');
        await assertRefused((await open()).append(id, say('x')), 'conversation-not-found');
      }
      await store.create({ key: 'k' });
      assert.deepEqual((await store.verify()).problems, []);
    },
  },
  {
    name: 'the sweep purges what has been in the trash past its grace period, as announced',
    async run({ open }) {
      const clock = createManualClock();
      const store = await open({ clock, trashGrace: 30 * day });
      const [old, recent, needed] = [await store.create(), await store.create(), await store.create()];
      await store.append(needed.id, say('shared'));
      const fork = await store.fork(needed.id);
      await store.trash(old.id);
      await store.trash(needed.id);
      clock.advance(20 * day);
      await store.trash(recent.id);
      clock.advance(10 * day);
      const plan = await store.planSweep();
      assert.deepEqual(
        [plan.purge.map((item) => item.id), plan.keptForForks.map((item) => item.id), plan.expiring],
        [[old.id], [needed.id], 0],
      );
      assert.deepEqual(await store.sweep(), { purged: [old.id], withheld: 0, removed: 0 });
      assert.equal(await store.find(old.id), undefined);
      assert.deepEqual(await texts(store, fork.id), ['shared']);
      assert.deepEqual((await store.sweep()).purged, []);
    },
  },
  {
    name: 'keeps of an entry what the policy allows: full, headers-only, none',
    async run({ open }) {
      const clock = createManualClock();
      const store = await open({ clock });
      const entry = {
        kind: 'message',
        role: 'user',
        text: 'very private',
        author: { name: 'Ann' },
        meta: { secret: 'plan' },
      } as const;
      const call = { kind: 'tool-call', callId: 'c', tool: 'read', input: { path: '/private' } } as const;
      const kept = async (policy: StoragePolicy) => {
        const { id } = await store.create({ policy });
        const { entries } = await store.append(id, [entry, call]);
        const read = (await (await open()).read(id)).items;
        assert.deepEqual(read, entries);
        return read.map(({ id: _id, conversationId: _c, seq: _s, at: _a, ...rest }) => rest);
      };
      assert.deepEqual(await kept({ kind: 'full' }), [entry, call]);
      assert.deepEqual(await kept({ kind: 'none' }), []);
      const header = await kept({ kind: 'headers-only' });
      assert.deepEqual(header, [
        {
          kind: 'message',
          role: 'user',
          text: '',
          author: { name: 'Ann' },
          withheld: { characters: 12 + '{"meta":{"secret":"plan"}}'.length },
        },
        {
          kind: 'tool-call',
          callId: 'c',
          tool: 'read',
          input: null,
          withheld: { characters: '{"input":{"path":"/private"}}'.length },
        },
      ]);
    },
  },
  {
    name: 'keeps of an event what the policy allows: the minimal record under none, never its words',
    async run({ open }) {
      const clock = createManualClock();
      const store = await open({ clock });
      const record = {
        kind: 'event',
        name: 'turn-end',
        code: 'tool-failed',
        counts: { outputTokens: 12, seconds: 0.5 },
        turnId: 't',
      };
      const event = { ...record, text: 'read_file said no', meta: { path: '/private' } } as NewEntry;
      const short = { kind: 'event', name: 'turn-start', text: '' } as const;
      const withheld = { characters: 'read_file said no'.length + '{"meta":{"path":"/private"}}'.length };
      const kept = async (policy: StoragePolicy) => {
        const { id } = await store.create({ policy });
        const { entries } = await store.append(id, [short, say('very private'), event]);
        const read = (await (await open()).read(id)).items;
        assert.deepEqual(read, entries);
        assert.equal((await store.get(id)).lastSeq, entries.length);
        return read.map(({ id: _id, conversationId: _c, seq: _s, at: _a, ...rest }) => rest);
      };
      const minimal = [
        { ...short, withheld: { characters: 0 } },
        { ...record, text: '', withheld },
      ];
      assert.deepEqual(await kept({ kind: 'full' }), [short, say('very private'), event]);
      assert.deepEqual(await kept({ kind: 'none' }), minimal);
      assert.deepEqual(
        (await kept({ kind: 'headers-only' })).filter(({ kind }) => kind === 'event'),
        minimal,
      );
      const { id } = await store.create({ policy: { kind: 'none' } });
      await store.append(id, event);
      assert.deepEqual(await store.append(id, say('nothing of it')), { entries: [], masked: 0 });
      await store.append(id, short);
      const names = (await (await open()).tail(id, 5)).map((entry) => [entry.seq, entry.kind === 'event' && entry.name]);
      assert.deepEqual(names, [
        [1, 'turn-end'],
        [2, 'turn-start'],
      ]);
      assert.deepEqual((await store.verify()).problems, []);
    },
  },
  {
    name: 'takes text away when its time is up, the header stays or goes as the policy says',
    async run({ open }) {
      const clock = createManualClock();
      const store = await open({ clock });
      const fade = await store.create({ policy: { kind: 'ttl', milliseconds: day, afterwards: 'headers-only' } });
      const vanish = await store.create({ policy: { kind: 'ttl', milliseconds: day, afterwards: 'delete' } });
      const stay = await store.create();
      const all = [fade, vanish, stay];
      for (const { id } of all)
        await store.append(id, [say('old one'), { kind: 'tool-call', callId: 'c', tool: 't', input: 'old input' }]);
      clock.advance(day / 2);
      for (const { id } of all) await store.append(id, say('young'));
      assert.deepEqual(await store.sweep(), { purged: [], withheld: 0, removed: 0 });
      clock.advance(day / 2);
      assert.equal((await store.planSweep()).expiring, 4);
      assert.deepEqual(await store.sweep(), { purged: [], withheld: 2, removed: 2 });
      assert.equal((await store.planSweep()).expiring, 0);
      const other = await open({ clock });
      const faded = (await other.read(fade.id)).items;
      assert.deepEqual(
        faded.map((item) => [item.seq, 'text' in item ? item.text : item.kind === 'tool-call' && item.input, item.withheld]),
        [
          [1, '', { characters: 7 }],
          [2, null, { characters: '{"input":"old input"}'.length }],
          [3, 'young', undefined],
        ],
      );
      assert.deepEqual(
        (await other.read(vanish.id)).items.map((item) => [item.seq, 'text' in item && item.text]),
        [[3, 'young']],
      );
      assert.deepEqual(await texts(other, stay.id), ['old one', 'tool-call', 'young']);
      await store.append(vanish.id, say('next'));
      assert.equal((await other.get(vanish.id)).lastSeq, 4);
      assert.deepEqual(
        (await other.read(vanish.id, { order: 'backward' })).items.map((item) => item.seq),
        [4, 3],
      );
      const report = await other.verify();
      assert.deepEqual([report.problems, report.entries], [[], 3 + 2 + 3]);
    },
  },
  {
    name: 'masks secrets before they are stored and counts them',
    async run({ open }) {
      const store = await open();
      const { id } = await store.create({ title: `key ${fakeToken()}`, meta: { password: 'Corr3ct-h0rse-battery' } });
      const { entries, masked } = await store.append(id, [
        say(`my token is ${fakeToken()} ok`),
        { kind: 'tool-call', callId: 'c', tool: 'run', input: { env: { GITHUB_TOKEN: fakeToken() } } },
        say('nothing here'),
      ]);
      assert.equal(masked, 2);
      assert.deepEqual(
        entries.map((entry) => entry.masked),
        [1, 1, undefined],
      );
      const stored = JSON.stringify([await store.get(id), (await (await open()).read(id)).items]);
      assert.ok(!stored.includes(fakeToken()) && !stored.includes('Corr3ct-h0rse'), stored);
      const plain = await open({ redactor: false });
      await plain.append(id, say(fakeToken()));
      assert.deepEqual((await texts(plain, id)).at(-1), fakeToken());
    },
  },
];

/** Shaped like a GitHub token; put together here so that no scanner takes this file for a leak. */
function fakeToken(): string {
  return ['ghp', 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'].join('_');
}
