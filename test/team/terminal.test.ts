// continuo team deploy with a person at a terminal: line by line, with the question whether to go on.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { closeScripts, startScript } from '../e2e/chat-server.ts';
import { Cli } from '../e2e/cli-program.ts';
import { hasTmux, TerminalScreen } from '../e2e/terminal-screen.ts';
import { needs } from '../support/require-system.ts';

closeScripts();

const suite = needs(hasTmux, 'tmux, which gives the program a terminal');

function writeTeam(cli: Cli): void {
  const members = [
    { kind: 'human', id: 'max', displayName: 'Max' },
    { kind: 'model', id: 'ana', displayName: '安娜', role: 'Reviewer' },
  ];
  writeFileSync(join(cli.folder, 'team.json'), JSON.stringify({ id: 'review', name: 'Review', members }));
}

describe.runIf(suite)('a team at a terminal', () => {
  it('talks, stops on Ctrl-C, saves, and goes on only after a yes', async () => {
    const cli = new Cli();
    writeTeam(cli);
    const slow = { text: Array.from({ length: 200 }, (_, i) => `word${i} `), delayBetweenChunks: 100 };
    const { env, server } = await startScript([
      { text: ['你好。【NE', 'XT：m', 'ax】'] },
      slow,
      { text: 'Fresh.' },
      { text: 'Still here.' },
    ]);
    using screen = await TerminalScreen.open(cli, ['team', 'deploy', 'team.json'], { env });
    await screen.shows(/Team Review: Max, 安娜 \(Reviewer\)\n/);
    screen.say('你好，团队');
    await screen.shows('> 你好，团队\n安娜:\n你好。\n');
    expect(screen.written()).not.toMatch(/【|】|max/);
    screen.say('tell me more');
    await screen.shows(/word3/);
    screen.press('C-c');
    await screen.shows(/Stopped\. What had been said is saved\.\n>$/);
    screen.say('/end');
    await screen.shows(/Saved\. Go on with: --resume ses_\w+\nended with 0/);

    using fresh = await TerminalScreen.open(cli, ['team', 'deploy', 'team.json'], { env });
    await fresh.shows(/Found an earlier session \(\d{4}-.*, 4 messages\)\.\n.*\n\[R\] Resume\n\[N\] Start new\nR or N\?$/);
    fresh.press('Enter');
    await fresh.shows(/R or N\?\nThat is no answer\. Type one of r\/n and press Enter\.\nR or N\?$/);
    fresh.say('q');
    await fresh.shows(/R or N\? q\nThat is no answer\. Type one of r\/n and press Enter\.\nR or N\?$/);
    fresh.say('N');
    await fresh.shows(/\n>$/);
    fresh.say('new');
    await fresh.shows('Fresh.\n');
    expect(JSON.stringify(server.requests[2]?.body)).not.toContain('团队');
    fresh.press('C-d');
    await fresh.shows('ended with 0');

    const { sessions } = await cli.json<{ sessions: { sessionId: string; messages: number }[] }>([
      'team',
      'history',
      'team.json',
    ]);
    expect(sessions.map(({ messages }) => messages)).toEqual([2, 4]);

    using chinese = await TerminalScreen.open(cli, ['team', 'deploy', 'team.json', '--lang', 'zh'], { env });
    await chinese.shows(/发现历史会话（.*，2 条消息）。\n.*\n\[R\] 恢复\n\[N\] 开始新会话\n请选 R 或 N：$/);
    chinese.say('r');
    await chinese.shows(/已恢复 2 条消息/);
    chinese.say('and?');
    await chinese.shows('Still here.\n');
    expect(JSON.stringify(server.requests[3]?.body)).toContain('> Fresh.');
    chinese.press('C-c');
    await chinese.shows('ended with 0');
  });
});

describe.runIf(suite)('words that were not sent when the terminal goes away', () => {
  it.each([
    ['a team', ['team', 'deploy', 'team.json']],
    ['a chat', ['chat']],
  ])('are not said to %s', async (_, args) => {
    const cli = new Cli();
    writeTeam(cli);
    const { env } = await startScript([{ text: 'Heard.' }, { text: 'Again.' }]);
    const screen = await TerminalScreen.open(cli, args, { env });
    await screen.shows(/\n>$/);
    screen.say('whole words');
    await screen.shows(/Heard\.[\s\S]*\n>$/);
    screen.type('rm -rf half');
    await screen.shows('> rm -rf half');
    screen[Symbol.dispose]();
    // Only when the program has ended somebody else may write.
    await cli.json([...args, '--resume', '--wait', '30s', '-p', 'and now?'], { env });
    const { entries } = await cli.json<{ entries: { kind: string; role: string; text: string }[] }>(['show', 'latest']);
    expect(entries.filter(({ role }) => role === 'user').map(({ text }) => text)).toEqual(['whole words', 'and now?']);
  });

  it('answer no question', async () => {
    const cli = new Cli();
    writeTeam(cli);
    const { env, server } = await startScript([{ text: 'Heard.' }]);
    await cli.json(['team', 'deploy', 'team.json', '-p', 'first'], { env });
    using screen = await TerminalScreen.open(cli, ['team', 'deploy', 'team.json'], { env });
    await screen.shows(/R or N\?$/);
    screen.press('C-d');
    await screen.shows('ended with 130');
    expect(server.requests).toHaveLength(1);
  });
});

it('seals snapshots in an encrypted home, and goes on from them', async () => {
  const cli = new Cli({ CONTINUO_PASSPHRASE: 'correct horse battery staple' });
  writeTeam(cli);
  const { env } = await startScript([{ text: 'A secret plan.' }, { text: 'Yes.' }]);
  await cli.json(['team', 'deploy', 'team.json', '-p', 'first words'], { env });
  const folder = join(cli.home, 'sessions', 'review');
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const sealed = readFileSync(join(folder, file as string), 'utf8');
  expect(sealed).not.toMatch(/secret plan|first words/);
  expect(await cli.json(['team', 'deploy', 'team.json', '--resume', '-p', 'more'], { env })).toMatchObject({ resumed: true });
  expect(await cli.json(['team', 'history', 'review'])).toMatchObject({ sessions: [{ messages: 4 }] });
});
