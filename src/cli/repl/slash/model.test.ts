import { describe, expect, it } from 'vitest';
import { openTalk } from '../../../../test/support/talk-host.ts';

describe('/model', () => {
  it('says which model answers, and takes another', async () => {
    const { type, calls } = await openTalk();
    expect(await type('/model')).toEqual(['plain: Answers come from scripted:model.']);
    expect(await type('/model anthropic:claude')).toEqual(['done: From the next turn on anthropic:claude answers.']);
    expect(calls).toEqual([['model', 'anthropic:claude']]);
  });

  it('says that answers are quotes where no model is set', async () => {
    const { type, host } = await openTalk('zh');
    Object.defineProperty(host, 'current', { value: { ...host.current, model: 'offline' } });
    expect(await type('/model')).toEqual(['plain: 没有设置模型：回答引用已保存的内容。']);
  });

  it('leaves the models of a team to its file, and tells how to be called', async () => {
    const { type, host, calls } = await openTalk();
    expect(await type('/model a b')).toEqual(['warning: Use it like this: /model · /model PROVIDER:MODEL · /model offline']);
    Object.defineProperty(host, 'current', { value: { ...host.current, kind: 'team' } });
    expect(await type('/model a:b')).toEqual(['note: Each member of a team has its own model; the team file names it.']);
    expect(calls).toEqual([]);
  });
});
