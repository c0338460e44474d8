import { expect, it } from 'vitest';
import { openTalk } from '../../../../test/support/talk-host.ts';

it('/quit leaves, by any of its names', async () => {
  const { type, calls } = await openTalk();
  for (const line of ['/quit', '/exit', '/q', '/QUIT now']) expect(await type(line)).toEqual([]);
  expect(calls).toEqual(Array(4).fill(['leave', { quits: true }]));
});
