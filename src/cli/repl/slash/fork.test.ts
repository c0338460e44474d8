import { describe, expect, it } from 'vitest';
import { openTalk } from '../../../../test/support/talk-host.ts';

describe('/fork', () => {
  it('branches off at the end and goes on in the branch', async () => {
    const { type, talk, store, calls } = await openTalk();
    const { id } = await talk('One', 'Two');
    const { lastSeq } = await store.get(id);
    const told = await type('/fork');
    const [fork] = (await store.list({ forkedFrom: id })).items;
    expect(calls).toEqual([['open', fork?.id]]);
    expect(fork?.forkedFrom).toMatchObject({ id, seq: lastSeq });
    expect(told).toEqual([
      expect.stringMatching(new RegExp(`^done: cnv_\\w+ shares the first ${lastSeq} entries of cnv_\\w+\\.$`)),
    ]);
  });

  it('branches off at a position or an entry', async () => {
    const { type, talk, store } = await openTalk();
    const { id } = await talk('One', 'Two');
    const [first] = await store.tail(id, 100);
    await type('/fork 3');
    await type(`/fork ${first?.id}`);
    const forks = (await store.list({ forkedFrom: id })).items.map(({ forkedFrom }) => forkedFrom?.seq);
    expect(forks.sort()).toEqual([1, 3]);
  });

  it('does nothing where nothing was said, for a team, or with words that make no sense', async () => {
    const { type, talk, calls, host } = await openTalk();
    expect(await type('/fork')).toEqual(['warning: Nothing was said yet, so there is nothing to do that to.']);
    await talk('One');
    expect(await type('/fork 3 4')).toEqual(['warning: Use it like this: /fork · /fork ENTRY']);
    expect(await type('/fork somewhere')).toEqual([expect.stringMatching(/^error: /)]);
    Object.defineProperty(host, 'current', { value: { ...host.current, kind: 'team' } });
    expect(await type('/fork')).toEqual([expect.stringMatching(/^warning: \/fork is for conversations with a model/)]);
    expect(calls).toEqual([]);
  });
});
