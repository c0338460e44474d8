// Appending and reading entries.
import assert from 'node:assert/strict';
import type { Entry, NewEntry } from '../../model/entry.ts';
import { formatEntryId } from '../../model/id.ts';
import { assertRefused, type ConformanceCase, createManualClock, say, texts } from './harness.ts';

export const entryCases: ConformanceCase[] = [
  {
    name: 'gives back every kind of entry exactly as it was appended, also from another instance',
    async run({ open }) {
      const clock = createManualClock();
      const store = await open({ clock });
      const { id } = await store.create();
      const given: NewEntry[] = [
        {
          kind: 'message',
          role: 'user',
          text: 'line\nnext \u2028 \u0000 "quote" 中文 sofa \ud83d',
          author: { id: 'u1', name: '小明' },
          turnId: 't1',
          meta: { cwd: '/tmp', n: [1.5, null, true] },
        },
        {
          kind: 'message',
          role: 'assistant',
          text: '',
          model: 'm',
          usage: { inputTokens: 3, outputTokens: 0 },
          interrupted: true,
        },
        { kind: 'message', role: 'system', text: 'rules', at: 12_345 },
        { kind: 'thinking', text: 'hm', model: 'm' },
        { kind: 'tool-call', callId: 'c1', tool: 'read_file', input: { path: 'a', deep: { list: [[]] } } },
        { kind: 'tool-call', callId: 'c2', tool: 'now', input: null },
        { kind: 'tool-result', callId: 'c1', tool: 'read_file', text: 'content', output: { bytes: 7 }, failed: true },
        { kind: 'summary', text: 'so far', covers: { from: 1, to: 4 } },
        { kind: 'label', name: 'checkpoint', text: '' },
        {
          kind: 'event',
          name: 'turn-end',
          code: 'cancelled',
          counts: { calls: 2, seconds: 1.25 },
          text: '停',
          meta: { by: 'ann' },
        },
      ];
      const { entries } = await store.append(id, given);
      const expected = given.map((entry, i) => ({
        ...entry,
        // A lone surrogate is not text; it becomes U+FFFD.
        ...('text' in entry && { text: entry.text.replace('\ud83d', '\ufffd') }),
        id: formatEntryId(id, i + 1),
        conversationId: id,
        seq: i + 1,
        at: entry.at ?? clock(),
      }));
      assert.deepEqual(entries, expected);
      const other = await open({ clock });
      assert.deepEqual((await other.read(id)).items, expected);
      assert.deepEqual(await other.findEntry(formatEntryId(id, 5)), expected[4]);
      assert.equal(await other.findEntry(formatEntryId(id, 99)), undefined);
    },
  },
  {
    name: 'reads forward, backward, from the tail and between two places',
    async run({ open }) {
      const store = await open();
      const { id } = await store.create();
      await store.append(
        id,
        Array.from({ length: 30 }, (_, i) => say(`m${i + 1}`)),
      );
      const seqs = (entries: Entry[]) => entries.map((entry) => entry.seq);
      assert.deepEqual(seqs((await store.read(id, { limit: 3 })).items), [1, 2, 3]);
      assert.deepEqual(seqs((await store.read(id, { order: 'backward', limit: 3 })).items), [30, 29, 28]);
      assert.deepEqual(seqs((await store.read(id, { after: 10, before: 14 })).items), [11, 12, 13]);
      assert.deepEqual(seqs((await store.read(id, { order: 'backward', after: 10, before: 14 })).items), [13, 12, 11]);
      assert.deepEqual(seqs((await store.read(id, { after: 30 })).items), []);
      for (const limit of [0, -1, 1.5, Number.NaN]) await assertRefused(store.read(id, { limit }), 'invalid-input');
      await assertRefused(store.tail(id, 10_001), 'invalid-input');
      assert.deepEqual(seqs(await store.tail(id, 4)), [27, 28, 29, 30]);
      assert.deepEqual(
        seqs(await store.tail(id, 100)),
        Array.from({ length: 30 }, (_, i) => i + 1),
      );
      const page = await store.read(id, { order: 'backward', limit: 20 });
      const rest = await store.read(id, page.next);
      assert.deepEqual([seqs(rest.items), rest.next], [[10, 9, 8, 7, 6, 5, 4, 3, 2, 1], undefined]);
      assert.equal((await texts(store, id)).length, 30);
    },
  },
  {
    name: 'reads the same across every boundary of a long conversation that grew in pieces',
    async run({ open }) {
      const store = await open();
      const { id } = await store.create();
      const noise = await store.create();
      for (let i = 0; i < 50; i++) {
        await Promise.all([
          store.append(
            id,
            Array.from({ length: 100 }, (_, j) => say(`m${i * 100 + j + 1}`)),
          ),
          store.append(noise.id, say('noise')),
        ]);
      }
      const fresh = await open();
      for (const reader of [store, fresh]) {
        const all = await texts(reader, id);
        assert.deepEqual(
          all,
          Array.from({ length: 5000 }, (_, i) => `m${i + 1}`),
        );
        for (const seq of [1, 255, 256, 257, 2047, 2048, 2049, 4095, 4096, 4097, 4999, 5000]) {
          const around = (await reader.read(id, { after: seq - 2, before: seq + 2 })).items.map((entry) => entry.seq);
          assert.deepEqual(
            around,
            [seq - 1, seq, seq + 1].filter((n) => n >= 1 && n <= 5000),
          );
        }
        assert.deepEqual(
          (await reader.tail(id, 3)).map((entry) => entry.seq),
          [4998, 4999, 5000],
        );
        assert.equal((await reader.get(id)).lastSeq, 5000);
      }
    },
  },
  {
    name: 'keeps the order of calls when many are made at once',
    async run({ open }) {
      const store = await open();
      const { id } = await store.create();
      await Promise.all(Array.from({ length: 500 }, (_, i) => store.append(id, say(`m${i}`))));
      assert.deepEqual(
        await texts(store, id),
        Array.from({ length: 500 }, (_, i) => `m${i}`),
      );
    },
  },
  {
    name: 'interleaves two instances without loss and with dense positions',
    async run({ open }) {
      const [one, two] = [await open(), await open()];
      const { id } = await one.create();
      await Promise.all(Array.from({ length: 200 }, (_, i) => (i % 2 ? one : two).append(id, say(`${i % 2}:${i}`))));
      const entries = (await one.read(id, { limit: 1000 })).items;
      assert.deepEqual(
        entries.map((entry) => entry.seq),
        Array.from({ length: 200 }, (_, i) => i + 1),
      );
      for (const parity of ['0', '1']) {
        const own = entries.flatMap((entry) =>
          'text' in entry && entry.text.startsWith(parity) ? [Number(entry.text.slice(2))] : [],
        );
        assert.deepEqual(
          own,
          [...own].sort((a, b) => a - b),
        );
        assert.equal(own.length, 100);
      }
    },
  },
  {
    name: 'appends only where the conversation still is as expected',
    async run({ open }) {
      const [one, two] = [await open(), await open()];
      const { id } = await one.create();
      await one.append(id, say('first'), { expectedSeq: 0 });
      await two.append(id, say('second'), { expectedSeq: 1 });
      const details = await assertRefused(one.append(id, say('late'), { expectedSeq: 1 }), 'seq-conflict');
      assert.deepEqual([details.expected, details.actual], [1, 2]);
      const outcomes = await Promise.allSettled([
        one.append(id, say('a'), { expectedSeq: 2 }),
        one.append(id, say('b'), { expectedSeq: 2 }),
        one.append(id, say('c')),
      ]);
      assert.deepEqual(
        outcomes.map((outcome) => outcome.status),
        ['fulfilled', 'rejected', 'fulfilled'],
      );
      assert.deepEqual(await texts(two, id), ['first', 'second', 'a', 'c']);
    },
  },
  {
    name: 'moves activity with the newest moment said, never back',
    async run({ open }) {
      const clock = createManualClock();
      const store = await open({ clock });
      const { id } = await store.create();
      const start = clock();
      await store.append(id, { ...say('imported long ago'), at: start - 10_000 });
      assert.equal((await store.get(id)).activeAt, start);
      clock.advance(50);
      await store.append(id, say('now'));
      clock.advance(-40);
      await store.append(id, say('the clock went back'));
      const { activeAt, lastSeq } = await (await open()).get(id);
      assert.deepEqual([activeAt, lastSeq], [start + 50, 3]);
    },
  },
  {
    name: 'keeps a very long text whole',
    async run({ open }) {
      const store = await open();
      const { id } = await store.create();
      const long = `${'长文本 long text 🛋️ '.repeat(100_000)}end`;
      await store.append(id, [say('before'), say(long), say('after')]);
      const fresh = await open();
      assert.deepEqual(
        (await texts(fresh, id)).map((text) => text.length),
        [6, long.length, 5],
      );
      assert.equal((await texts(fresh, id))[1], long);
    },
  },
  {
    name: 'accepts an empty append and stores nothing',
    async run({ open }) {
      const store = await open();
      const { id } = await store.create();
      assert.deepEqual(await store.append(id, []), { entries: [], masked: 0 });
      assert.equal((await store.get(id)).lastSeq, 0);
      assert.deepEqual((await store.read(id)).items, []);
    },
  },
  {
    name: 'refuses everything after close, and close waits for what was under way',
    async run({ open }) {
      const store = await open();
      const { id } = await store.create();
      const pending = Array.from({ length: 20 }, (_, i) => store.append(id, say(`m${i}`)));
      await store.close();
      await store.close();
      assert.deepEqual(
        (await Promise.all(pending)).map(({ entries }) => entries[0]?.seq),
        Array.from({ length: 20 }, (_, i) => i + 1),
      );
      await assertRefused(store.append(id, say('late')), 'store-closed');
      await assertRefused(store.list(), 'store-closed');
    },
  },
];
