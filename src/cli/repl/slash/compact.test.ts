import { describe, expect, it } from 'vitest';
import { openTalk } from '../../../../test/support/talk-host.ts';

describe('/compact and /uncompact', () => {
  it('shows the model a summary, and everything again, and loses no entry', async () => {
    const { type, talk, store } = await openTalk();
    const conversation = await talk('Where is the harbour?', 'Paint the harbour crane green');
    const before = await store.tail(conversation.id, 100);
    const [summary, done] = await type('/compact');
    expect(summary).toMatch(/^note: [\s\S]*harbour/);
    expect(done).toMatch(/^done: From now on the model reads a summary: about \d+ instead of \d+ tokens\. .*\/uncompact/);
    expect(conversation.history.items).toBe(0);
    expect(await type('/compact')).toEqual(['note: Nothing was said since it was last compacted.']);
    expect(await type('/uncompact')).toEqual([
      expect.stringMatching(/^done: The model reads 4 entries again, about \d+ tokens\.$/),
    ]);
    expect(conversation.history.items).toBe(4);
    expect((await store.tail(conversation.id, 100)).slice(0, before.length)).toEqual(before);
    expect(await type('/uncompact')).toEqual(['note: Nothing is compacted.']);
  });

  it('speak Chinese', async () => {
    const { type, talk } = await openTalk('zh');
    expect(await type('/compact')).toEqual(['warning: 还没有说过话，没有可操作的内容。']);
    await talk('港口在哪里？');
    expect((await type('/compact')).at(-1)).toMatch(/^done: 从现在起模型读摘要：约 \d+ 个 token/);
    expect(await type('/uncompact')).toEqual([expect.stringMatching(/^done: 模型又能读到 2 条内容，约 \d+ 个 token。$/)]);
    expect(await type('/uncompact')).toEqual(['note: 没有压缩过的内容。']);
  });

  it('say where they cannot work: for a team, in a talk without them, with words behind', async () => {
    const { type, talk, host } = await openTalk();
    await talk('Hello');
    expect(await type('/compact all')).toEqual(['warning: Use it like this: /compact']);
    delete host.compact;
    delete host.uncompact;
    expect(await type('/compact')).toEqual(['warning: /compact does not work in this talk.']);
    expect(await type('/uncompact')).toEqual(['warning: /uncompact does not work in this talk.']);
    Object.defineProperty(host, 'current', { value: { ...host.current, kind: 'team' } });
    for (const name of ['compact', 'uncompact'])
      expect(await type(`/${name}`)).toEqual([expect.stringMatching(`^warning: /${name} is for conversations with a model`)]);
  });
});
