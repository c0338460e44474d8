import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConversationId } from '../../model/id.ts';
import type { StoragePolicy } from '../../model/storage-policy.ts';
import { openStore } from '../../open-store.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { ApprovalGrants, type GrantStore } from './approval-grants.ts';
import { listStoredGrants, revokeStoredGrant, StoreGrants } from './store-grants.ts';

const gitStatus = ['git', 'status'];
let home: string;
let store: ConversationStore;
let time: number;
let root: ConversationId;
let other: ConversationId;
const opened: { close(): unknown }[] = [];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'continuo-grants-'));
  store = await openStore({ home });
  time = 1000;
  root = (await store.create({ title: 'root' })).id;
  other = (await store.create({ title: 'other' })).id;
});

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
  await store.close();
  await rm(home, { recursive: true, force: true });
});

describe('a grant', () => {
  it('for the whole session counts in all its conversations, one for a conversation in that one only', async () => {
    const grants = createGrants();
    const wide = await grants.grant({ path: ['ls'] });
    const narrow = await grants.grant({ path: gitStatus, conversation: other });
    expect(wide).toEqual({ id: expect.stringMatching(/^apv_/), key: { path: ['ls'] }, createdAt: 1000, heldBy: root });
    expect(await grants.check(['ls', '-l'], root)).toEqual(wide);
    expect(await grants.check(['ls', '-l'], other)).toEqual(wide);
    expect(await grants.check(['git', 'status', '-s'], other)).toEqual(narrow);
    expect(await grants.check(['git', 'status'], root)).toBeUndefined();
    expect(await grants.check(['git', 'push'], other)).toBeUndefined();
    expect(await grants.list()).toEqual([wide, narrow]);
  });

  it('for exact words does not count for what begins with them', async () => {
    const grants = createGrants();
    await grants.grant({ path: ['rm', '-r', 'build'], exact: true });
    expect(await grants.check(['rm', '-r', 'build'], root)).toBeDefined();
    expect(await grants.check(['rm', '-r', 'build', '/'], root)).toBeUndefined();
  });

  it('for a program that runs other texts counts word for word only', async () => {
    const grants = createGrants();
    await grants.grant({ path: ['bash'] });
    expect(await grants.check(['bash', '-c', 'rm x'], root)).toBeUndefined();
  });

  it('ends at its time, whether or not it was swept away', async () => {
    const grants = createGrants();
    const { id } = await grants.grant({ path: ['ls'], expiresAt: 2000 });
    expect((await grants.check(['ls'], root, 1999))?.id).toBe(id);
    expect(await grants.check(['ls'], root, 2000)).toBeUndefined();
    time = 2000;
    expect(await grants.check(['ls'], root)).toBeUndefined();
    expect(await grants.list()).toEqual([]);
    expect((await listStoredGrants(store)).length).toBe(1);
    expect(await grants.sweep()).toBe(1);
    expect(await listStoredGrants(store)).toEqual([]);
  });

  it('that has no sensible end has ended', async () => {
    const grants = createGrants(null);
    await grants.grant({ path: ['ls'], expiresAt: Number.NaN });
    expect(await grants.check(['ls'], root)).toBeUndefined();
  });

  it('is swept away in the background', async () => {
    const grants = createGrants(new StoreGrants(store), { sweepInterval: 5 });
    await grants.grant({ path: ['ls'], expiresAt: 2000 });
    time = 3000;
    await expect.poll(() => listStoredGrants(store)).toEqual([]);
    grants.close();
  });

  it('without words is refused: it would allow everything', async () => {
    await expect(createGrants().grant({ path: [] })).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it('can be taken back, which counts at once', async () => {
    const grants = createGrants();
    const { id } = await grants.grant({ path: ['ls'] });
    await grants.revoke(id);
    expect(await grants.check(['ls'], root)).toBeUndefined();
    await expect(grants.revoke(id)).rejects.toMatchObject({ code: 'approval-not-found' });
  });
});

describe('over a resume', () => {
  it('grants are there again, those of the session with its root and those of a conversation with it', async () => {
    const before = createGrants();
    const wide = await before.grant({ path: ['ls'], expiresAt: 5000 });
    const narrow = await before.grant({ path: gitStatus, conversation: other, exact: true });
    before.close();
    const after = createGrants();
    expect(await after.check(['ls'], other)).toEqual(wide);
    expect(await after.check(gitStatus, other)).toEqual(narrow);
  });

  it('a conversation that was the root of another session brings its own grants only', async () => {
    const before = createGrants();
    await before.grant({ path: ['ls'] });
    await before.grant({ path: gitStatus, conversation: root });
    before.close();
    const elsewhere = createGrants(undefined, { root: other });
    expect(await elsewhere.check(['ls'], root)).toBeUndefined();
    expect(await elsewhere.check(gitStatus, root)).toBeDefined();
    expect(await elsewhere.check(gitStatus, other)).toBeUndefined();
  });

  it('a fork has inherited nothing', async () => {
    const grants = createGrants();
    await grants.grant({ path: ['ls'] });
    await grants.grant({ path: gitStatus, conversation: root });
    const fork = await store.fork(root);
    expect(Object.keys(fork.meta).length).toBe(2);
    const inFork = createGrants(undefined, { root: fork.id });
    expect(await inFork.check(['ls'], fork.id)).toBeUndefined();
    expect(await inFork.check(gitStatus, fork.id)).toBeUndefined();
    expect(await inFork.list()).toEqual([]);
    expect((await listStoredGrants(store)).length).toBe(2);
  });

  it('other data of the conversation stays as it is', async () => {
    await store.putMeta(root, { mine: 1 });
    const grants = createGrants();
    const { id } = await grants.grant({ path: ['ls'] });
    await grants.revoke(id);
    expect((await store.get(root)).meta).toEqual({ mine: 1 });
  });
});

describe('where text may not be kept', () => {
  it.each<StoragePolicy>([{ kind: 'headers-only' }, { kind: 'none' }])(
    '($kind) a grant ends with the session',
    async (policy) => {
      const quiet = await store.create({ policy });
      const grants = createGrants(undefined, { root: quiet.id });
      const { id } = await grants.grant({ path: ['ls'] });
      expect((await grants.check(['ls'], other))?.id).toBe(id);
      expect((await grants.list()).map((grant) => grant.id)).toEqual([id]);
      expect((await store.get(quiet.id)).meta).toEqual({});
      expect(await createGrants(undefined, { root: quiet.id }).check(['ls'], quiet.id)).toBeUndefined();
      await grants.revoke(id);
      expect(await grants.check(['ls'], other)).toBeUndefined();
    },
  );

  it('what one conversation was allowed ends with its close, what the session was allowed does not', async () => {
    const grants = createGrants(null);
    await grants.grant({ path: ['ls'] });
    await grants.grant({ path: gitStatus, conversation: other });
    grants.forget(other);
    grants.forget(root);
    expect(await grants.check(gitStatus, other)).toBeUndefined();
    expect(await grants.check(['ls'], other)).toBeDefined();
  });

  it('a grant that could not be kept counts for the session, and the fault is told', async () => {
    const problems: unknown[] = [];
    const broken: GrantStore = {
      load: async () => [],
      save: async () => {
        throw new Error('disk full');
      },
      remove: async () => false,
    };
    const grants = createGrants(broken, { onProblem: (error) => problems.push(error) });
    await grants.grant({ path: ['ls'] });
    expect(await grants.check(['ls'], root)).toBeDefined();
    expect(problems).toEqual([new Error('disk full')]);
  });
});

describe('between processes', () => {
  it('a grant taken back elsewhere counts for nothing here, from the next use on', async () => {
    const grants = createGrants();
    const { id } = await grants.grant({ path: ['ls'] });
    const elsewhere = await openStore({ home });
    opened.push(elsewhere);
    expect(await listStoredGrants(elsewhere)).toEqual([
      { id, key: { path: ['ls'] }, createdAt: 1000, heldBy: root, title: 'root' },
    ]);
    const revoked = await revokeStoredGrant(elsewhere, id.slice(4, 24));
    expect(revoked.id).toBe(id);
    expect(await grants.check(['ls'], root)).toBeUndefined();
    await expect(revokeStoredGrant(elsewhere, id)).rejects.toMatchObject({ code: 'approval-not-found' });
  });

  it('grants given at the same time do not undo each other', async () => {
    const elsewhere = await openStore({ home });
    opened.push(elsewhere);
    const here = createGrants();
    const there = createGrants(new StoreGrants(elsewhere));
    const words = Array.from({ length: 20 }, (_, i) => `w${i}`);
    await Promise.all(words.map((word, i) => (i % 2 ? here : there).grant({ path: [word] })));
    expect((await here.list()).map(({ key }) => key.path[0]).sort()).toEqual([...words].sort());
  });
});

describe('stored grants', () => {
  it('are taken back by the beginning of their id, if it fits one', async () => {
    const grants = createGrants();
    const first = await grants.grant({ path: ['a'] });
    const second = await grants.grant({ path: ['b'], conversation: other });
    await expect(revokeStoredGrant(store, '0')).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(revokeStoredGrant(store, '')).rejects.toMatchObject({ code: 'approval-not-found' });
    await expect(revokeStoredGrant(store, 'apv_zzz')).rejects.toMatchObject({ code: 'approval-not-found' });
    expect((await listStoredGrants(store)).map(({ id }) => id)).toEqual([second.id, first.id]);
    expect((await revokeStoredGrant(store, first.id)).id).toBe(first.id);
    expect((await listStoredGrants(store)).map(({ id }) => id)).toEqual([second.id]);
  });

  it('that are not wholly understood allow nothing', async () => {
    const whole = { path: ['ls'], createdAt: 1, heldBy: root };
    const damaged = {
      a: 'yes',
      b: null,
      c: [whole],
      d: { ...whole, path: [] },
      e: { ...whole, path: 'ls' },
      f: { ...whole, path: ['ls', 1] },
      g: { ...whole, heldBy: 'me' },
      h: { ...whole, expiresAt: 'never' },
      i: { ...whole, exact: 'no' },
      j: { ...whole, conversation: 7 },
      k: { ...whole, onlyOnMondays: true },
      l: { path: ['ls'], heldBy: root },
    };
    await store.putMeta(root, Object.fromEntries(Object.entries(damaged).map(([name, value]) => [`approval:${name}`, value])));
    expect(await createGrants().check(['ls'], root)).toBeUndefined();
    expect(await listStoredGrants(store)).toEqual([]);
    await store.putMeta(root, { 'approval:x': whole });
    expect((await createGrants().check(['ls'], root))?.id).toBe('x');
  });

  it('of a conversation that is gone are gone', async () => {
    const grants = createGrants();
    await grants.grant({ path: ['ls'], conversation: other });
    await store.trash(other);
    await store.purge(other);
    expect(await grants.check(['ls'], other)).toBeUndefined();
  });
});

function createGrants(
  grantStore: GrantStore | null = new StoreGrants(store),
  options: { root?: ConversationId; sweepInterval?: number; onProblem?: (error: unknown) => void } = {},
): ApprovalGrants {
  const grants = new ApprovalGrants({ root, clock: () => time, ...(grantStore && { store: grantStore }), ...options });
  opened.push(grants);
  return grants;
}
