import { expect, it } from 'vitest';
import { openTalk } from '../../../../test/support/talk-host.ts';

it('/pin marks the conversation, and /pin off takes the mark away', async () => {
  const { type, talk, store } = await openTalk();
  const { id } = await talk('Hello');
  expect(await type('/pin')).toEqual([expect.stringMatching(/^done: cnv_\w+ is pinned\.$/)]);
  expect((await store.get(id)).pinned).toBe(true);
  expect(await type('/pin off')).toEqual([expect.stringMatching(/^done: cnv_\w+ is no longer pinned\.$/)]);
  expect((await store.get(id)).pinned).toBe(false);
});

it('/pin tells how to be called, and that nothing was said', async () => {
  const { type } = await openTalk('zh');
  expect(await type('/pin sometimes')).toEqual(['warning: 用法：/pin · /pin off']);
  expect(await type('/pin')).toEqual(['warning: 还没有说过话，没有可操作的内容。']);
});
