import { describe, expect, it } from 'vitest';
import { openTalk } from '../../../../test/support/talk-host.ts';
import { StoreGrants } from '../../../runtime/approvals/store-grants.ts';

describe('/approvals', () => {
  it('lists what is allowed for good, and takes one back by the beginning of its id', async () => {
    const { type, talk, store, complete } = await openTalk();
    const { id } = await talk('Hello');
    expect(await type('/approvals')).toEqual([expect.stringMatching(/^note: Nothing is allowed for good\./)]);
    const key = { path: ['git', 'status'], conversation: id };
    await new StoreGrants(store).save(id, { id: 'apv_0123456789abcdef', key, createdAt: Date.now(), heldBy: id });
    const [table, hint] = await type('/approvals');
    expect(table).toMatch(/^plain: ID +ALLOWED[\s\S]*apv_0123456789 +git status/);
    expect(hint).toBe('note: Take one back: /approvals revoke ID');
    expect(await complete('/approvals revoke ')).toEqual(['apv_0123456789abcdef']);
    expect(await type('/approvals revoke 0123')).toEqual(['done: Taken back: git status']);
    expect(await new StoreGrants(store).load(id)).toEqual([]);
  });

  it('also knows what is held in memory only', async () => {
    const { id: heldBy } = { id: 'cnv_01hzzzzzzzzzzzzzzzzzzzzzzz' as never };
    const revoked: string[] = [];
    const { type } = await openTalk('zh', {
      listApprovals: async () => [{ id: 'apv_memory', key: { path: ['ls'] }, createdAt: 1, heldBy }],
      revokeApproval: async (id) => void revoked.push(id),
    });
    expect((await type('/approvals'))[0]).toContain('ls');
    expect(await type('/approvals revoke apv_mem')).toEqual([expect.stringMatching(/^done: .*\p{Script=Han}.*ls/u)]);
    expect(revoked).toEqual(['apv_memory']);
  });

  it('asks for more of an id that fits several, and takes a whole one as it is', async () => {
    const heldBy = 'cnv_01hzzzzzzzzzzzzzzzzzzzzzzz' as never;
    const grant = (id: string) => ({ id, key: { path: [id] }, createdAt: 1, heldBy });
    const revoked: string[] = [];
    const { type } = await openTalk('en', {
      listApprovals: async () => [grant('apv_12'), grant('apv_1234')],
      revokeApproval: async (id) => void revoked.push(id),
    });
    expect(await type('/approvals revoke 1')).toEqual([expect.stringMatching(/^error: .*give more characters/)]);
    expect(await type('/approvals revoke 12')).toEqual(['done: Taken back: apv_12']);
    expect(revoked).toEqual(['apv_12']);
  });

  it('says which words make sense, and that there is no such approval', async () => {
    const { type } = await openTalk();
    const usage = ['warning: Use it like this: /approvals · /approvals revoke ID'];
    expect([await type('/approvals revoke'), await type('/approvals all'), await type('/approvals revoke a b')]).toEqual([
      usage,
      usage,
      usage,
    ]);
    expect(await type('/approvals revoke apv_nothing')).toEqual([expect.stringMatching(/^error: Error: .*apv_nothing/)]);
  });
});
