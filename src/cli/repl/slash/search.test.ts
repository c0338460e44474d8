import { describe, expect, it } from 'vitest';
import { openTalk } from '../../../../test/support/talk-host.ts';

describe('/search', () => {
  it('shows passages of every conversation, with the conversation they are from', async () => {
    const { type, keep } = await openTalk();
    await keep('The harbour crane is painted green', { title: 'Cranes' });
    await keep('Nothing of the kind');
    const told = (await type('/search harbour  crane')).join('\n');
    expect(told).toMatch(/^plain: cnv_\w+ {2}Cranes {2}/);
    expect(told).toContain('The harbour crane is painted green');
    // One short line without a stop is typed as requests are: it brings its answer along.
    expect(told).toContain('Noted.');
    expect(told).toMatch(/note: \n2 passages in 1 conversation/);
  });

  it('brings no answer along for a sentence with its stop', async () => {
    const { type, keep } = await openTalk();
    await keep('The harbour crane is painted green.', { title: 'Cranes' });
    const told = (await type('/search harbour crane')).join('\n');
    expect(told).toContain('The harbour crane is painted green.');
    expect(told).not.toContain('Noted.');
    expect(told).toMatch(/note: \n1 passage in 1 conversation/);
  });

  it('says where nothing was found, in Chinese as well', async () => {
    const { type, keep } = await openTalk('zh');
    await keep('一句话');
    expect((await type('/search unheardof'))[0]).toMatch(/^plain: .*\p{Script=Han}/u);
  });

  it('needs words', async () => {
    expect(await (await openTalk()).type('/search')).toEqual(['warning: Use it like this: /search WORDS']);
    expect(await (await openTalk('zh')).type('/search')).toEqual(['warning: 用法：/search 关键词']);
  });
});
