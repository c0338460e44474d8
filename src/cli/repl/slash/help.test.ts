import { describe, expect, it } from 'vitest';
import { openTalk } from '../../../../test/support/talk-host.ts';
import { slashCommands } from './slash-table.ts';

describe('/help', () => {
  it('names every command in one line each, and the keys of the talk', async () => {
    const { type } = await openTalk('en', { keys: ['Enter sends.'] });
    const [commands, keys, ...more] = await type('/help');
    const lines = commands?.replace('plain: ', '').split('\n') ?? [];
    expect(lines.map((line) => line.split(' ')[0])).toEqual(slashCommands.map(({ name }) => `/${name}`));
    expect(lines[0]).toBe('/help        The commands, or one of them');
    expect([keys, more]).toEqual(['note: Enter sends.', []]);
  });

  it('explains one command, by any of its names', async () => {
    const { type } = await openTalk();
    const told = ['plain: /quit  Leave; everything is saved\n  /quit', 'note: Also: /exit /q'];
    expect(await type('/help quit')).toEqual(told);
    expect(await type('/? /Q')).toEqual(told);
  });

  it('speaks Chinese', async () => {
    const { type } = await openTalk('zh');
    expect(await type('/帮助 team')).toEqual([
      'plain: /team  部署团队、列出团队、查看谁在发言\n  /team\n  /team list\n  /team status\n  /team deploy 文件',
    ]);
    expect((await type('/help'))[1]).toBe('note: 以 // 开头的行会带一个斜杠发送。');
  });

  it('tells how to be called where there is no such command', async () => {
    const { type } = await openTalk();
    expect(await type('/help nothing')).toEqual(['warning: Use it like this: /help · /help COMMAND']);
    expect(await type('/help a b')).toEqual(['warning: Use it like this: /help · /help COMMAND']);
  });
});
