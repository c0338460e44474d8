// Questions of the terminal application: what is no answer changes nothing, and the answers there are are told in one line.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { needs } from '../support/require-system.ts';
import { closeScripts, startScript } from './chat-server.ts';
import { Cli } from './cli-program.ts';
import { hasTmux, TerminalScreen } from './terminal-screen.ts';

closeScripts();

const suite = needs(hasTmux, 'tmux, which gives the program a terminal');
const call = { toolCalls: [{ id: 'c1', name: 'run_command', input: { command: 'echo $HOME' } }] };

describe.runIf(suite)('what is no answer', () => {
  it('allows nothing and is told what would be one, at an approval', async () => {
    const cli = new Cli();
    const { env } = await startScript([call, { text: 'Done.' }]);
    using screen = await TerminalScreen.open(cli, [], { env, columns: 80 });
    await screen.shows(/nothing said yet$/);
    screen.say('go');
    await screen.shows(/\nAllow\? \[y\/n\]\n/);
    screen.say('maybe');
    await screen.shows(/\nAllow\? \[y\/n\]\nThat is no answer\. Type one of y\/n and press Enter\.\n/);
    screen.say('n');
    await screen.shows(/← not allowed\n[\s\S]*Done\.\n/);
    expect(screen.visible()).not.toContain('no answer');
  });

  it('is told of in Chinese, at a team that has a history and in the list of conversations', async () => {
    const cli = new Cli();
    const members = [
      { kind: 'human', id: 'max' },
      { kind: 'model', id: 'ana' },
    ];
    writeFileSync(join(cli.folder, 'team.json'), JSON.stringify({ id: 'review', members }));
    const { env } = await startScript([{ text: '好。' }]);
    await cli.json(['team', 'deploy', 'team.json', '-p', '你好'], { env });
    using screen = await TerminalScreen.open(cli, ['--lang', 'zh'], { env, columns: 80 });
    await screen.shows(/❯ \(review\) /);
    screen.type('x');
    await screen.shows(/\n这个键在这里没有作用。\n回车打开 /);
    screen.press('Down');
    await expect.poll(() => screen.visible()).not.toContain('没有作用');
    screen.press('Escape');
    await screen.shows(/还没有说话$/);
    screen.say('/team deploy team.json');
    await screen.shows(/\n请选择 \[r\/n\]\n/);
    screen.say('是');
    await screen.shows(/\n请选择 \[r\/n\]\n这不是可选的回答。请输入 r\/n 中的一个，再按回车。\n/);
    screen.say('r');
    await screen.shows(/已恢复 2 条消息/);
  });

  it('is told of where the talk is in lines', async () => {
    const cli = new Cli();
    const { env } = await startScript([call, { text: 'Done.' }]);
    using screen = await TerminalScreen.open(cli, ['chat'], { env, columns: 80 });
    await screen.shows(/\n>$/);
    screen.say('go');
    await screen.shows(/Allow\? \[y\/n\]$/);
    screen.say('maybe');
    await screen.shows(/maybe\nThat is no answer\. Type one of y\/n and press Enter\.\nAllow\? \[y\/n\]$/);
    screen.say('n');
    await screen.shows('Done.');
  });
});
