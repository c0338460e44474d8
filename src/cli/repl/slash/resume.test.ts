import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTalk } from '../../../../test/support/talk-host.ts';
import { sessionKey } from '../../../team/team-log.ts';
import type { Question } from '../repl-host.ts';

describe('/resume', () => {
  it('goes on with the one that is named', async () => {
    const { type, keep, calls } = await openTalk();
    const id = await keep('The harbour');
    expect([await type(`/resume ${id}`), await type('/open latest')]).toEqual([[], []]);
    expect(calls).toEqual([
      ['open', id],
      ['open', id],
    ]);
  });

  it('offers those of this folder, newest first, without the one that is open', async () => {
    const { type, keep, talk, calls, asked, answers } = await openTalk();
    await keep('Elsewhere', { project: '/somewhere/else' });
    const first = await keep('The harbour', { title: 'Cranes' });
    await keep('The weather');
    await talk('Open now');
    answers.push('2');
    expect(await type('/resume')).toEqual([]);
    const [question] = asked as Question[];
    expect(question?.lines).toEqual(['Which conversation?']);
    expect(question?.choices.map(({ key, label }) => [key, label.split(' · ')[0]])).toEqual([
      ['1', 'The weather'],
      ['2', 'Cranes'],
    ]);
    expect(calls).toEqual([['open', first]]);
  });

  it('offers those behind many in which nothing was said', async () => {
    const { type, keep, store, host, asked } = await openTalk();
    await keep('The harbour');
    const { key } = await host.here();
    for (let i = 0; i < 25; i++) await store.create({ project: key });
    await type('/resume');
    expect((asked as Question[])[0]?.choices.map(({ label }) => label.split(' · ')[0])).toEqual(['The harbour']);
  });

  it('offers those of all projects, and changes nothing where the person turns away', async () => {
    const { type, keep, calls, asked } = await openTalk('zh');
    await keep('别处', { project: '/somewhere/else' });
    expect(await type('/resume')).toEqual(['note: 这个文件夹没有其他对话。查看全部：/resume all']);
    expect(await type('/resume all')).toEqual(['note: 什么都没有改变。']);
    expect(asked).toMatchObject([{ lines: ['接着聊哪个对话（所有项目）？'], choices: [{ key: '1' }] }]);
    expect(calls).toEqual([]);
  });

  it('stays where it is for the one that is open already, and says where there is none', async () => {
    const { type, talk, calls } = await openTalk();
    expect(await type('/resume all')).toEqual(['note: There is no other conversation.']);
    const { id } = await talk('Hello');
    expect(await type(`/resume ${id}`)).toEqual(['note: That one is open already.']);
    expect(await type('/resume a b')).toEqual(['warning: Use it like this: /resume · /resume all · /resume ID']);
    expect(calls).toEqual([]);
  });

  it('seats the team of a conversation where its file is in the folder', async () => {
    const { type, store, calls, folder } = await openTalk();
    const { id } = await store.create({ team: 'review', key: sessionKey('ses_42') });
    const before = process.cwd();
    process.chdir(folder);
    onTestFinished(() => process.chdir(before));
    expect(await type(`/resume ${id}`)).toEqual([
      expect.stringMatching(/^warning: That conversation belongs to the team review/),
    ]);
    const members = [
      { kind: 'human', id: 'max', name: 'Max' },
      { kind: 'model', id: 'ana', name: 'Ana' },
    ];
    writeFileSync(join(folder, 'team.json'), JSON.stringify({ id: 'review', members }));
    expect(await type(`/resume ${id}`)).toEqual([]);
    expect(calls).toEqual([['deploy', 'review', { file: 'team.json', resumeSessionId: 'ses_42' }]]);
  });
});
