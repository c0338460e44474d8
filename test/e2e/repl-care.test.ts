// The terminal application where things are a little out of the ordinary: lists that begin with empty conversations, commands in the
// middle of an answer, conversations that others hold, talks without a title, members that were cut off.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { needs } from '../support/require-system.ts';
import { closeScripts, startScript } from './chat-server.ts';
import { Cli } from './cli-program.ts';
import { hasTmux, TerminalScreen } from './terminal-screen.ts';

closeScripts();

const suite = needs(hasTmux, 'tmux, which gives the program a terminal');
const slow = { text: Array.from({ length: 500 }, (_, i) => `word${i} `), delayBetweenChunks: 50 };
const ready = /\n>\n.*nothing said yet$/;
const idle = /\n>\n(?!.* answers, ).* · saved$/;
const small = { columns: 80, rows: 24 };

interface Shown {
  entries: { kind: string; role?: string; text?: string; interrupted?: boolean }[];
}

function writeTeam(cli: Cli, model?: string): void {
  const members = [
    { kind: 'human', id: 'max' },
    { kind: 'model', id: 'ana', ...(model !== undefined && { model }) },
  ];
  writeFileSync(join(cli.folder, 'team.json'), JSON.stringify({ id: 'review', name: 'Review', members }));
}

describe.runIf(suite)('the list of conversations', { timeout: 120_000 }, () => {
  it('is offered also where nothing was said in the newest conversation', async () => {
    const cli = new Cli();
    await cli.run(['chat', '-p', 'kept words']);
    writeTeam(cli, 'offline');
    await cli.run(['team', 'deploy', 'team.json', '-p', 'x', '--policy', 'none']);
    using screen = await TerminalScreen.open(cli, [], small);
    await screen.shows(/❯ kept words .*\nEnter opens · ↑↓ choose · Tab all projects /);
    screen.press('Tab');
    await screen.shows(/❯ kept words .*\nEnter opens · ↑↓ choose · Tab this project /);
  });

  it('comes back where another process writes the chosen one, which can be gone on with in a branch', async () => {
    const cli = new Cli();
    using first = await TerminalScreen.open(cli, [], small);
    await first.shows(ready);
    first.say('held words');
    await first.shows(idle);
    using second = await TerminalScreen.open(cli, [], small);
    await second.shows(/❯ held words/);
    second.press('Enter');
    await second.shows(/open in another process \(\d+ on [\s\S]*\[f\] [\s\S]*\[t\] [\s\S]*Choose \[f\/t\]\n.*nothing said yet$/);
    second.press('Escape');
    await second.shows(/❯ held words .*\nEnter opens/);
    second.press('Enter');
    await second.shows(/Choose \[f\/t\]\n.*nothing said yet$/);
    second.say('f');
    await second.shows(/> held words\n[\s\S]*\n>\nheld words · offline · saved$/);
    first.press('C-c', 'C-c');
    await first.shows('ended with 0');
    const { conversations } = await cli.json<{ conversations: { forkedFrom?: unknown }[] }>(['list']);
    expect(conversations.map(({ forkedFrom }) => forkedFrom !== undefined)).toEqual([true, false]);
  });
});

describe.runIf(suite)('a conversation in the application', { timeout: 120_000 }, () => {
  it('takes whatever begins with a slash as a command, also over several lines, and sends none of it', async () => {
    const cli = new Cli();
    using screen = await TerminalScreen.open(cli, [], small);
    await screen.shows(/\(\/model\s+provider:model chooses one\)[\s\S]*nothing said yet$/);
    screen.say('first words');
    await screen.shows(idle);
    screen.paste('/rename a\nb');
    await screen.shows(/\n> \/rename a\n {2}b\n/);
    screen.press('Enter');
    await screen.shows(/\n>\na b · offline · saved$/);
    screen.say('/ ');
    await screen.shows(/Not sent: there is no command \/\. \/help names them all\./);
    const { entries } = await cli.json<Shown>(['show', 'latest', '--all']);
    expect(entries.filter(({ role }) => role === 'user').map(({ text }) => text)).toEqual(['first words']);
  });

  it('names /model as the way to a model, in Chinese as well', async () => {
    using screen = await TerminalScreen.open(new Cli({ CONTINUO_LANG: 'zh' }), [], small);
    await screen.shows('（用 /model 服务商:模型 选择）');
  });

  it('keeps the half answer in a branch that is made in the middle of it', async () => {
    const cli = new Cli();
    const { env } = await startScript([slow]);
    using screen = await TerminalScreen.open(cli, [], { env });
    await screen.shows(ready);
    screen.say('Talk');
    await screen.shows('word5');
    screen.say('/fork');
    await screen.shows(/cnv_\w+ shares the first \d+ entries of cnv_\w+\./);
    const { entries } = await cli.json<Shown>(['show', 'latest', '--all']);
    expect(entries.find(({ interrupted }) => interrupted)?.text).toMatch(/^word0 .*word5/);
  });

  it('has its first words for a title where it was given none, also when it is gone on with', async () => {
    const cli = new Cli();
    await cli.run(['chat', '-p', 'kept words']);
    using screen = await TerminalScreen.open(cli, [], small);
    await screen.shows('❯ kept words');
    screen.press('Enter');
    await screen.shows(/\n>\nkept words · offline · saved$/);
    screen.say('other words');
    await screen.shows(/> other words\n[\s\S]*\n>\nkept words · offline · saved$/);
  });
});

describe('without a terminal', { timeout: 120_000 }, () => {
  it('a list has short lines, however long a title is', async () => {
    const cli = new Cli();
    await using store = await cli.open();
    await store.create({ title: 'endless '.repeat(75) });
    for (const command of [[], ['list']]) {
      const { stdout } = await cli.run(command);
      expect(stdout).toContain('endless endless');
      expect(stdout.split('\n').filter((line) => line.length > 160)).toEqual([]);
    }
  });
});

describe.runIf(suite)('a team in the application', { timeout: 120_000 }, () => {
  it('shows what was cut off, and who was given the word without one, when it is gone on with', async () => {
    const cli = new Cli();
    writeTeam(cli);
    const { env } = await startScript([{ text: 'Here I am.' }, slow]);
    using screen = await TerminalScreen.open(cli, [], { env });
    await screen.shows(ready);
    screen.say('/team deploy team.json');
    await screen.shows(/\nReview · ana · nothing said yet$/);
    screen.say('[NEXT: ana]');
    await screen.shows(/Here I am\.\n[\s\S]*saved$/);
    screen.say('Talk');
    await screen.shows('word5');
    screen.press('Escape');
    await screen.shows(/\n>\n(?!.* answers, )Review · ana · .*saved$/);
    screen.say('/end');
    await screen.shows(/Left the team Review; everything is saved\.\n\n>\n/);
    screen.say('/team deploy team.json');
    await screen.shows(/\(.*, 4 messages\)\.\n {2}\[r\] Resume\n/);
    screen.say('r');
    await screen.shows(/\n> → ana\nana\nHere I am\.\n\n> Talk\nana\nword0 [\s\S]*\n\(cut off\)\n[\s\S]*saved$/);
  });

  it('is not seated in a session that another process has open, and the way out is one that works here', async () => {
    const cli = new Cli();
    writeTeam(cli, 'offline');
    using first = await TerminalScreen.open(cli, [], small);
    await first.shows(ready);
    first.say('/team deploy team.json');
    await first.shows(/\nReview · ana · nothing said yet$/);
    first.say('held words');
    await first.shows(idle);
    using second = await TerminalScreen.open(cli, [], small);
    await second.shows('❯ (review)');
    second.press('Escape');
    await second.shows(ready);
    second.say('/team deploy team.json');
    await second.shows(/Choose \[r\/n\]\n/);
    second.say('r');
    await second.shows(
      /This session of the team is open in another process \(\d+ on [\s\S]*\/team deploy, then n\.\n[\s\S]*said yet$/,
    );
    expect(second.text()).not.toMatch(/--wait|fork/);
  });

  it("has the members' list on the screen beside the person's own, safe for a terminal", async () => {
    const cli = new Cli();
    writeTeam(cli);
    const { env } = await startScript([{ text: 'I plan.\n\n```todo\n- [ ] read \u001b[31mfile\n```\n' }]);
    using screen = await TerminalScreen.open(cli, [], { env });
    await screen.shows(ready);
    screen.say('/team deploy team.json');
    await screen.shows(/\nReview · ana · nothing said yet$/);
    screen.say('Plan');
    await screen.shows(/\nana plans \(0 of 1 done\)\n {2}☐ read \^\[\[31mfile\n>\n(?!.* answers, ).*saved$/);
    screen.say('/todo add call the harbour');
    await screen.shows(
      /\nana plans \(0 of 1 done\)\n {2}☐ read \^\[\[31mfile\nYour list \(0 of 1 done\)\n {2}☐ call the harbour\n>\n/,
    );
  });
});
