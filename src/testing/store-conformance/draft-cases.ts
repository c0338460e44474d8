// Drafts: an answer in the making that survives whoever was writing it.
import assert from 'node:assert/strict';
import type { NewEntry } from '../../model/entry.ts';
import { assertRefused, type ConformanceCase, createManualClock, say, texts } from './harness.ts';

const hour = 60 * 60 * 1000;

export const draftCases: ConformanceCase[] = [
  {
    name: 'gives back the last draft exactly as it was put, also from another instance, and never as an entry',
    async run({ open }) {
      const clock = createManualClock();
      const store = await open({ clock });
      const { id } = await store.create();
      await store.append(id, say('question'));
      assert.equal(await store.findDraft(id), undefined);
      const draft: NewEntry = {
        kind: 'message',
        role: 'assistant',
        text: 'line\nnext \u2028 \u0000 "quote" 中文 🛋️',
        model: 'm',
        turnId: 't1',
        interrupted: true,
        usage: { outputTokens: 3 },
        meta: { deep: [1, null] },
      };
      await store.putDraft(id, { ...draft, text: 'the first words, which are replaced by others' });
      await store.putDraft(id, draft);
      const expected = { ...draft, at: clock(), after: 1 };
      const other = await open({ clock });
      assert.deepEqual([await store.findDraft(id), await other.findDraft(id)], [expected, expected]);
      assert.deepEqual(
        [await texts(other, id), (await other.get(id)).lastSeq, (await other.stats()).entries],
        [['question'], 1, 1],
      );
      clock.advance(5);
      await other.append(id, say('meanwhile'));
      assert.deepEqual(await store.findDraft(id), expected);
      await store.putDraft(id, { kind: 'tool-call', callId: 'c', tool: 't', input: { a: 1 }, at: 7 });
      const call = { kind: 'tool-call', callId: 'c', tool: 't', input: { a: 1 }, at: 7, after: 2 };
      assert.deepEqual(await other.findDraft(id), call);
      assert.deepEqual((await store.verify()).problems, []);
    },
  },
  {
    name: 'is what the next append can store as it is, and goes with the append that ends it',
    async run({ open }) {
      const [one, two] = [await open(), await open()];
      const { id } = await one.create();
      await one.putDraft(id, { ...say('half an', 'assistant'), turnId: 't' });
      const { after, ...draft } = (await two.findDraft(id)) ?? assert.fail('no draft');
      assert.equal(after, 0);
      const { entries } = await two.append(id, draft, { endsDraft: true });
      assert.deepEqual(
        entries.map(({ seq, at }) => ({ seq, at })),
        [{ seq: 1, at: draft.at }],
      );
      assert.deepEqual([await one.findDraft(id), await two.findDraft(id)], [undefined, undefined]);
      await two.append(id, say('no draft to end'), { endsDraft: true });
      await one.putDraft(id, say('again', 'assistant'));
      await one.append(id, say('another voice'));
      assert.equal((await two.findDraft(id))?.after, 2);
      await assertRefused(one.append(id, say('late'), { endsDraft: true, expectedSeq: 2 }), 'seq-conflict');
      assert.notEqual(await two.findDraft(id), undefined);
      await one.deleteDraft(id);
      await one.deleteDraft(id);
      assert.deepEqual(
        [await two.findDraft(id), await texts(two, id)],
        [undefined, ['half an', 'no draft to end', 'another voice']],
      );
    },
  },
  {
    name: 'keeps drafts and entries in the order they were asked for, however many wait together',
    async run({ open }) {
      const store = await open();
      const ids = await Promise.all(Array.from({ length: 20 }, async () => (await store.create()).id));
      await Promise.all(
        ids.flatMap((id, i) => [
          ...Array.from({ length: 10 }, (_, j) => store.putDraft(id, say(`draft ${j} of ${i}`, 'assistant'))),
          store.append(id, say(`answer ${i}`, 'assistant'), { endsDraft: true }),
          ...(i % 2 ? [store.putDraft(id, say(`next of ${i}`, 'assistant'))] : []),
        ]),
      );
      const other = await open();
      for (const [i, id] of ids.entries()) {
        const draft = await other.findDraft(id);
        assert.deepEqual(
          [draft && 'text' in draft && draft.text, draft?.after],
          i % 2 ? [`next of ${i}`, 1] : [undefined, undefined],
        );
        assert.deepEqual(await texts(other, id), [`answer ${i}`]);
      }
    },
  },
  {
    name: 'refuses a draft as it would refuse the entry, and masks it',
    async run({ open }) {
      const [one, two] = [await open(), await open()];
      const { id } = await one.create();
      await assertRefused(one.putDraft(id, { kind: 'nothing' } as never), 'invalid-input');
      await assertRefused(one.putDraft(`cnv_${'0'.repeat(26)}` as never, say('x')), 'conversation-not-found');
      const lease = await one.acquireLease(id, { owner: 'editor' });
      await one.putDraft(id, say('mine'));
      await assertRefused(two.putDraft(id, say('not yours')), 'conversation-locked');
      await assertRefused(two.deleteDraft(id), 'conversation-locked');
      await lease.release();
      const token = ['ghp', 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'].join('_');
      await two.putDraft(id, say(`my token is ${token} ok`));
      assert.ok(!JSON.stringify(await one.findDraft(id)).includes(token));
      await one.trash(id);
      await assertRefused(two.putDraft(id, say('too late')), 'conversation-trashed');
      assert.notEqual(await two.findDraft(id), undefined);
    },
  },
  {
    name: 'keeps no draft where the policy keeps no words',
    async run({ open }) {
      const store = await open();
      for (const kind of ['headers-only', 'none'] as const) {
        const { id } = await store.create({ policy: { kind } });
        await store.putDraft(id, say('very private', 'assistant'));
        await assertRefused(store.putDraft(id, { kind: 'nothing' } as never), 'invalid-input');
        assert.equal(await store.findDraft(id), undefined);
        const { entries } = await store.append(id, say('very private', 'assistant'), { endsDraft: true });
        assert.equal(entries.length, kind === 'none' ? 0 : 1);
        await store.deleteDraft(id);
      }
    },
  },
  {
    name: 'takes a draft away when its time is up, with its conversation, and keeps it from forks',
    async run({ open }) {
      const clock = createManualClock();
      const store = await open({ clock });
      for (const afterwards of ['headers-only', 'delete'] as const) {
        const { id } = await store.create({ policy: { kind: 'ttl', milliseconds: hour, afterwards } });
        const stays = await store.create();
        await store.putDraft(id, say('for an hour', 'assistant'));
        await store.putDraft(stays.id, say('for ever', 'assistant'));
        clock.advance(hour - 1);
        assert.deepEqual([(await store.planSweep()).expiring, (await store.sweep()).removed], [0, 0]);
        clock.advance(1);
        assert.equal((await store.planSweep()).expiring, 1);
        assert.deepEqual(await store.sweep(), { purged: [], withheld: 0, removed: 1 });
        assert.deepEqual([await store.findDraft(id), (await store.get(id)).lastSeq], [undefined, 0]);
        const fork = await store.fork(stays.id);
        assert.equal(await store.findDraft(fork.id), undefined);
        await store.trash(fork.id);
        await store.purge(fork.id);
        assert.notEqual(await store.findDraft(stays.id), undefined);
        await store.trash(stays.id);
        await store.purge(stays.id);
        assert.equal(await (await open({ clock })).findDraft(stays.id), undefined);
      }
      assert.deepEqual((await store.verify()).problems, []);
    },
  },
  {
    name: 'takes any length of text, growing and shrinking, without growing itself',
    async run({ open, driver }) {
      const store = await open({ redactor: false });
      const { id } = await store.create();
      const text = 'Ein Satz, der wächst. 一句话。 '.repeat(2000);
      const other = await open();
      for (const length of [1, 500, 2100, 2101, 50_000, 49_999, 10, 0, text.length]) {
        await store.putDraft(id, say(text.slice(0, length), 'assistant'));
        const found = await other.findDraft(id);
        assert.equal(found && 'text' in found && found.text, text.slice(0, length));
      }
      const puts = 1000;
      for (let i = 1; i <= puts; i++) await store.putDraft(id, say(text.slice(0, (50_000 / puts) * i), 'assistant'));
      const { bytesOnDisk } = await store.stats();
      assert.ok(bytesOnDisk < 1_000_000 + 100_000 || !driver().supports.durable, `${bytesOnDisk} bytes`);
      const fresh = await open();
      const found = await fresh.findDraft(id);
      assert.equal(found && 'text' in found && found.text, text.slice(0, 50_000));
    },
  },
];
