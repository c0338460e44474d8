import { expect, it } from 'vitest';
import { openTalk } from '../../../../test/support/talk-host.ts';

it('/uncompact brings back what was compacted twice, with what was said in between', async () => {
  const { type, talk } = await openTalk();
  const conversation = await talk('Where is the harbour?');
  await type('/compact');
  await talk('And the crane?');
  await type('/compact');
  expect(conversation.history.items).toBe(0);
  expect(await type('/uncompact')).toEqual([expect.stringMatching(/^done: The model reads 4 entries again/)]);
  expect(conversation.history).toMatchObject({ items: 4, dropped: 0 });
});
