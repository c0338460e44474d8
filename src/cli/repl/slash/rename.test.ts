import { describe, expect, it } from 'vitest';
import { openTalk } from '../../../../test/support/talk-host.ts';

describe('/rename', () => {
  it('gives a title, asks for one, and takes it away', async () => {
    const changed: string[] = [];
    const { type, talk, store, answers, asked } = await openTalk('en', { changed: () => void changed.push('changed') });
    const { id } = await talk('Hello');
    expect(await type('/rename The  harbour')).toEqual([expect.stringMatching(/^done: cnv_\w+ is now called "The harbour"\.$/)]);
    expect((await store.get(id)).title).toBe('The harbour');
    answers.push('Asked for');
    await type('/title');
    expect((await store.get(id)).title).toBe('Asked for');
    answers.push('  ');
    expect(await type('/rename')).toEqual([expect.stringMatching(/^done: cnv_\w+ has no title any more\.$/)]);
    expect((await store.get(id)).title).toBeUndefined();
    expect([asked, changed.length]).toEqual([Array(2).fill('Title (empty takes it away):'), 3]);
  });

  it('changes nothing where the person turns away, or where nothing was said', async () => {
    const { type, talk, store } = await openTalk('zh');
    expect(await type('/rename 港口')).toEqual(['warning: 还没有说过话，没有可操作的内容。']);
    const { id } = await talk('你好');
    expect(await type('/rename')).toEqual(['note: 什么都没有改变。']);
    expect((await store.get(id)).title).toBeUndefined();
    await type('/rename 港口');
    expect((await store.get(id)).title).toBe('港口');
  });
});
