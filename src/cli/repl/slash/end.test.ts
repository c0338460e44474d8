import { expect, it } from 'vitest';
import { openTalk } from '../../../../test/support/talk-host.ts';

it('/end leaves the team or the conversation and not the application', async () => {
  const { type, calls } = await openTalk();
  expect(await type('/end')).toEqual([]);
  expect(await type('/stop')).toEqual([]);
  expect(calls).toEqual([
    ['leave', { quits: false }],
    ['leave', { quits: false }],
  ]);
});

it('/end takes nothing after its name', async () => {
  const { type, calls } = await openTalk('zh');
  expect(await type('/end now')).toEqual(['warning: 用法：/end']);
  expect(calls).toEqual([]);
});
