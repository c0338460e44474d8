import { describe, expect, it } from 'vitest';
import { openTalk } from '../../../../test/support/talk-host.ts';

describe('/recall', () => {
  it('shows what the model would be told for these words, from where and why, and leaves out the open conversation', async () => {
    const { type, keep, talk } = await openTalk();
    await keep('The harbour crane is painted green', { title: 'Cranes' });
    await talk('Which colour has the harbour crane?');
    const told = (await type('/recall what colour is the harbour crane')).join('\n');
    expect(told).toContain('what colour is the harbour crane');
    expect(told).toContain('Cranes');
    expect(told).toContain('The harbour crane is painted green');
    expect(told).not.toContain('Which colour has');
  });

  it('asks how to go on where no words are given, and says where there is nothing', async () => {
    const { type, host } = await openTalk('zh');
    const [told, ...more] = await type('/recall');
    expect(told).toContain(host.context.text.recall.goOn);
    expect(more).toEqual([]);
  });
});
