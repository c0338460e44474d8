// Making, finding, changing and listing conversations.
import assert from 'node:assert/strict';
import type { ListQuery } from '../../model/list-query.ts';
import { assertRefused, type ConformanceCase, createManualClock, say } from './harness.ts';

export const conversationCases: ConformanceCase[] = [
  {
    name: 'gives back a conversation exactly as it was created, also from another instance',
    async run({ open }) {
      const clock = createManualClock();
      const store = await open({ clock });
      const created = await store.create({
        title: '导航到沙发 🛋️ "quoted"\n',
        key: 'feishu:oc_1',
        project: '/项目/foo bar',
        team: 'review',
        agent: 'claude-code',
        tags: ['b', 'a', 'b'],
        pinned: true,
        policy: { kind: 'ttl', milliseconds: 5000, afterwards: 'delete' },
        meta: { nested: { deep: [1, null, 'x'] } },
      });
      const { id } = created;
      assert.deepEqual(created, {
        id,
        title: '导航到沙发 🛋️ "quoted"\n',
        key: 'feishu:oc_1',
        project: '/项目/foo bar',
        team: 'review',
        agent: 'claude-code',
        tags: ['b', 'a'],
        pinned: true,
        policy: { kind: 'ttl', milliseconds: 5000, afterwards: 'delete' },
        meta: { nested: { deep: [1, null, 'x'] } },
        createdAt: clock(),
        activeAt: clock(),
        lastSeq: 0,
      });
      const other = await open({ clock });
      assert.deepEqual(await other.get(id), created);
      assert.deepEqual(await other.get('feishu:oc_1'), created);
      assert.equal(await other.find('feishu:oc_2'), undefined);
    },
  },
  {
    name: 'refuses a key that is in use, also one in the trash, and frees it when asked to',
    async run({ open }) {
      const store = await open();
      const first = await store.create({ key: 'k' });
      assert.equal((await assertRefused(store.create({ key: 'k' }), 'key-taken')).holder, first.id);
      await store.trash(first.id);
      await assertRefused(store.create({ key: 'k' }), 'key-taken');
      const released = await store.trash(first.id, { releaseKey: true });
      assert.equal(released.key, undefined);
      const second = await store.create({ key: 'k' });
      await store.append(second.id, say('new'));
      assert.equal((await store.get('k')).id, second.id);
      await store.restore(first.id);
      assert.equal((await store.get(first.id)).key, undefined);
    },
  },
  {
    name: 'keeps keys apart that look alike',
    async run({ open }) {
      const store = await open();
      const keys = [
        'a:b',
        'a_b',
        'A:b',
        'a%3ab',
        '../a',
        '..',
        '.',
        'a/b',
        'ключ',
        '微信:用户',
        '微信：用户',
        '🛋️',
        'con',
        'é',
        'e\u0301',
        'k'.repeat(300),
        '长'.repeat(300),
      ];
      const ids = new Map<string, string>();
      for (const key of keys) ids.set(key, (await store.create({ key })).id);
      const other = await open();
      for (const key of keys) {
        const found = await other.get(key);
        assert.deepEqual([found.key, found.id], [key, ids.get(key)]);
      }
      assert.equal(new Set(ids.values()).size, keys.length);
    },
  },
  {
    name: 'refuses bad input with the place of the mistake',
    async run({ open }) {
      const store = await open();
      const details = await assertRefused(store.create({ tags: ['ok', 7 as never] }), 'invalid-input');
      assert.match(String(details.reason), /tags\.1/);
      await assertRefused(store.create({ nonsense: true } as never), 'invalid-input');
      await assertRefused(store.create({ key: '' }), 'invalid-input');
      const { id } = await store.create();
      await assertRefused(store.append(id, { kind: 'message', role: 'robot', text: 'x' } as never), 'invalid-input');
      await assertRefused(store.append(id, [say('fine'), { kind: 'nothing' } as never]), 'invalid-input');
      const circular: Record<string, unknown> = {};
      circular.self = circular;
      for (const input of [circular, new Date(), 10n]) {
        await assertRefused(
          store.append(id, { kind: 'tool-call', callId: 'c', tool: 't', input: input as never }),
          'invalid-input',
        );
      }
      await assertRefused(store.append(id, { ...say('far off'), at: 9e15 }), 'invalid-input');
      await assertRefused(store.append(id, undefined as never), 'invalid-input');
      await assertRefused(store.append(undefined as never, say('whereto?')), 'conversation-not-found');
      await assertRefused(store.acquireLease(id, { ttl: -1 }), 'invalid-input');
      assert.equal((await store.get(id)).lastSeq, 0);
    },
  },
  {
    name: 'renames, tags and pins, and says so when there is nothing to change',
    async run({ open }) {
      const store = await open();
      const { id } = await store.create({ title: 'old', tags: ['keep', 'drop'] });
      await store.append(id, say('one'));
      assert.equal((await store.rename(id, '新标题')).title, '新标题');
      assert.deepEqual((await store.tag(id, { add: ['new', 'keep'], remove: ['drop', 'absent'] })).tags, ['keep', 'new']);
      assert.equal((await store.pin(id)).pinned, true);
      assert.equal((await store.pin(id, false)).pinned, false);
      assert.equal('title' in (await store.rename(id, '')), false);
      assert.deepEqual((await store.putMeta(id, { a: 1 })).meta, { a: 1 });
      const after = await (await open()).get(id);
      assert.deepEqual(
        [after.tags, after.pinned, after.title, after.lastSeq, after.meta],
        [['keep', 'new'], false, undefined, 1, { a: 1 }],
      );
      const gone = `cnv_${'0'.repeat(26)}` as never;
      await assertRefused(store.rename(gone, 'x'), 'conversation-not-found');
      await assertRefused(store.append(gone, say('x')), 'conversation-not-found');
      await assertRefused(store.read(gone), 'conversation-not-found');
    },
  },
  {
    name: 'says anew where a conversation belongs, masks what it is told and leaves the rest alone',
    async run({ open }) {
      const clock = createManualClock();
      const store = await open({ clock });
      const created = await store.create({ project: 'path:/old', agent: 'claude', team: 'red', title: 'kept', meta: { a: 1 } });
      const { id } = created;
      await store.append(id, say('one'));
      const { activeAt } = await store.get(id);
      clock.advance(1000);
      const moved = await store.assign(id, { project: 'git:1f2e', agent: null });
      const { agent: _agent, ...rest } = created;
      assert.deepEqual(moved, { ...rest, project: 'git:1f2e', activeAt, lastSeq: 1 });
      const other = await open({ clock });
      assert.deepEqual(await other.get(id), moved);
      assert.deepEqual(await other.assign(id, {}), moved);
      const ids = async (project: string) => (await other.list({ project })).items.map((item) => item.id);
      assert.deepEqual([await ids('path:/old'), await ids('git:1f2e')], [[], [id]]);
      const masked = await store.assign(id, { team: 'ghp_012345678901234567890123456789abcdef', project: null });
      assert.equal('project' in masked, false);
      assert.equal(masked.team?.includes('0123456789'), false);
      await assertRefused(store.assign(id, { project: '' }), 'invalid-input');
      await assertRefused(store.assign(id, { title: 'no' } as never), 'invalid-input');
      await assertRefused(store.assign(id, { title: null } as never), 'invalid-input');
      await assertRefused(store.assign(`cnv_${'0'.repeat(26)}` as never, { agent: 'x' }), 'conversation-not-found');
      assert.deepEqual(await store.get(id), masked);
    },
  },
  {
    name: 'takes a note along into the trash, in one step',
    async run({ open }) {
      const store = await open();
      const { id } = await store.create({ meta: { kept: true, gone: 1 } });
      const trashed = await store.trash(id, { meta: { why: 'old', gone: null }, at: 1_700_000_000_000 });
      assert.deepEqual([trashed.meta, trashed.trashedAt], [{ kept: true, why: 'old' }, 1_700_000_000_000]);
      assert.equal((await store.trash(id, { at: 1_800_000_000_000 })).trashedAt, 1_700_000_000_000);
      assert.deepEqual(await (await open()).get(id), trashed);
    },
  },
  {
    name: 'two instances that tag at once both win',
    async run({ open }) {
      const [one, two] = [await open(), await open()];
      const { id } = await one.create();
      await Promise.all(Array.from({ length: 10 }, (_, i) => (i % 2 ? one : two).tag(id, { add: [`tag-${i}`] })));
      assert.equal((await one.get(id)).tags.length, 10);
    },
  },
  {
    name: 'two instances that change different fields of the free-form data at once both win',
    async run({ open }) {
      const [one, two] = [await open(), await open()];
      const { id } = await one.create({ meta: { kept: { deep: [1] }, gone: 1, '': 'empty' } });
      await Promise.all(Array.from({ length: 10 }, (_, i) => (i % 2 ? one : two).mergeMeta(id, { [`field-${i}`]: { i } })));
      const changed = await two.mergeMeta(id, { gone: null, absent: null, '': null, 'field-3': [null], ['__proto__']: 'plain' });
      const fields = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`field-${i}`, i === 3 ? [null] : { i }]));
      const expected = { kept: { deep: [1] }, ...fields, ['__proto__']: 'plain' };
      assert.deepEqual([changed.meta, (await one.get(id)).meta], [expected, expected]);
      assert.deepEqual((await one.mergeMeta(id, {})).meta, expected);
      await assertRefused(one.mergeMeta(id, { when: new Date() as never }), 'invalid-input');
      await assertRefused(one.mergeMeta(`cnv_${'0'.repeat(26)}` as never, { a: 1 }), 'conversation-not-found');
      const masked = await one.mergeMeta(id, { password: 'Corr3ct-h0rse-battery' });
      assert.ok(!JSON.stringify(masked).includes('Corr3ct-h0rse'));
    },
  },
  {
    name: 'resolves a unique beginning of an id and names the ambiguity otherwise',
    async run({ open }) {
      const store = await open();
      const conversations = [];
      for (let i = 0; i < 5; i++) conversations.push(await store.create());
      const { id } = conversations[2] as { id: string };
      assert.equal((await store.resolve(id)).id, id);
      assert.equal((await store.resolve(id.slice(0, 20))).id, id);
      assert.equal((await store.resolve(id.slice(4, 20).toUpperCase())).id, id);
      assert.equal((await assertRefused(store.resolve('cnv_0'), 'ambiguous-id')).count, 5);
      await assertRefused(store.resolve('zzz'), 'conversation-not-found');
      await assertRefused(store.resolve(''), 'conversation-not-found');
    },
  },
  {
    name: 'lists the newest activity first and pages without loss or repetition',
    async run({ open }) {
      const clock = createManualClock();
      const store = await open({ clock });
      const ids: string[] = [];
      for (let i = 0; i < 25; i++) {
        ids.push((await store.create({ title: `c${i}` })).id);
        if (i % 3 === 0) clock.advance(10);
      }
      clock.advance(1000);
      await store.append(ids[4] as never, say('wakes up'));
      const listed: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await store.list({ limit: 7, ...(cursor !== undefined && { cursor }) });
        listed.push(...page.items.map((item) => item.id));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      assert.equal(listed[0], ids[4]);
      assert.deepEqual([...listed].sort(), [...ids].sort());
      const rest = listed.slice(1).map((id) => ids.indexOf(id));
      const times = await Promise.all(listed.map(async (id) => (await store.get(id)).activeAt));
      assert.deepEqual(
        times,
        [...times].sort((a, b) => b - a),
      );
      assert.equal(rest.length, 24);
      await assertRefused(store.list({ cursor: 'nonsense' }), 'invalid-cursor');
      await assertRefused(store.list({ limit: 0 }), 'invalid-input');
    },
  },
  {
    name: 'narrows a list by every filter',
    async run({ open }) {
      const clock = createManualClock();
      const store = await open({ clock });
      const early = clock();
      const a = await store.create({ title: 'Alpha Login', project: 'p1', agent: 'codex', tags: ['x', 'y'] });
      clock.advance(100);
      const b = await store.create({ title: '登录问题 ÄRGER', project: 'p2', team: 't', key: 'k:1', tags: ['y'], pinned: true });
      clock.advance(100);
      const c = await store.create({ project: 'p1', agent: 'claude' });
      const d = await store.create({ title: 'thrown away', project: 'p1' });
      await store.trash(d.id);
      await store.append(a.id, say('later'));
      const ask = async (query: ListQuery) => (await store.list(query)).items.map((item) => item.id);
      assert.deepEqual(
        await ask({}),
        [c.id, a.id, b.id].sort((x, y) => (x === b.id ? 1 : y === b.id ? -1 : x < y ? 1 : -1)),
      );
      assert.deepEqual((await ask({ project: 'p1' })).sort(), [a.id, c.id].sort());
      assert.deepEqual(await ask({ agent: 'codex' }), [a.id]);
      assert.deepEqual(await ask({ team: 't' }), [b.id]);
      assert.deepEqual(await ask({ key: 'k:1' }), [b.id]);
      assert.deepEqual(await ask({ tag: 'x' }), [a.id]);
      assert.deepEqual(await ask({ tag: 'y' }), [a.id, b.id]);
      assert.deepEqual(await ask({ pinned: true }), [b.id]);
      assert.deepEqual((await ask({ pinned: false })).sort(), [a.id, c.id].sort());
      assert.deepEqual(await ask({ title: 'login' }), [a.id]);
      assert.deepEqual(await ask({ title: '登录' }), [b.id]);
      assert.deepEqual(await ask({ title: 'ärger' }), [b.id]);
      assert.deepEqual(await ask({ title: '%' }), []);
      assert.deepEqual((await ask({ since: early + 200 })).sort(), [a.id, c.id].sort());
      assert.deepEqual(await ask({ before: early + 200 }), [b.id]);
      assert.deepEqual(await ask({ trash: 'only' }), [d.id]);
      assert.equal((await ask({ trash: 'include' })).length, 4);
      assert.deepEqual(await ask({ project: 'p1', tag: 'y', since: early }), [a.id]);
      assert.deepEqual(await ask({ project: 'nowhere' }), []);
    },
  },
];
