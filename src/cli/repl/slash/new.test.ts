import { expect, it } from 'vitest';
import { openTalk } from '../../../../test/support/talk-host.ts';

it('/new begins a new conversation, with a title where one is given', async () => {
  const { type, calls } = await openTalk();
  expect([await type('/new'), await type('/new The   second try')]).toEqual([[], []]);
  expect(calls).toEqual([
    ['new', {}],
    ['new', { title: 'The second try' }],
  ]);
});
