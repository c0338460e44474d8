// continuo team deploy in lines: the slash commands of the terminal application, as far as a team has a use for them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { closeScripts, startScript } from '../e2e/chat-server.ts';
import { Cli } from '../e2e/cli-program.ts';
import { hasTmux, TerminalScreen } from '../e2e/terminal-screen.ts';
import { needs } from '../support/require-system.ts';

closeScripts();

const suite = needs(hasTmux, 'tmux, which gives the program a terminal');

describe.runIf(suite)('a team in lines', () => {
  it('has the slash commands', { timeout: 90_000 }, async () => {
    const cli = new Cli();
    const members = [
      { kind: 'human', id: 'max', displayName: 'Max' },
      { kind: 'model', id: 'ana', displayName: 'Ana', role: 'Reviewer' },
    ];
    // Where no other command looks for it: the seated team is known all the same.
    const file = join(cli.folder, 'my-people.json');
    writeFileSync(file, JSON.stringify({ id: 'review', name: 'Review', members }));
    const { env, server } = await startScript([
      { text: 'The harbour crane is green.\n```todo\n- [x] look\n- [ ] paint\n```\n' },
      { text: 'Begun anew.' },
      { text: 'I remember the crane.' },
    ]);
    using screen = await TerminalScreen.open(cli, ['team', 'deploy', file], { env, columns: 100 });
    await screen.shows(/\/help says more\.\n>$/);
    screen.say('What colour has the crane?');
    await screen.shows(/Ana:\nThe harbour crane is green\.\n[\s\S]*\n>$/);
    expect(screen.written()).not.toContain('```');
    // The snapshot is written beside the talk.
    const isSaved = () => {
      screen.say('/team status');
      return screen.text().includes('· saved\n');
    };
    await expect.poll(isSaved, { timeout: 20_000, interval: 500 }).toBe(true);
    await screen.shows(
      /\nReview \(review\) · 2 messages · waiting for a human · saved\n {2}Max · human\n {2}Ana · Reviewer · model\nSession ses_\w+\n>$/,
    );
    screen.say('/todo');
    await screen.shows(/\nAna\n {2}1\. ☑ look\n {2}2\. ☐ paint\n>$/);
    screen.say('/rename Cranes');
    await screen.shows(/ is now called "Cranes"\.\n>$/);
    screen.say('/pin');
    await screen.shows(/pin[\s\S]*cnv_\w+[^\n]*\n>$/);
    screen.say('/search harbour');
    await screen.shows(/Cranes[\s\S]*The harbour crane is green\.[\s\S]*\n>$/);
    screen.say('/recall crane');
    await screen.shows(/> \/recall crane\n[\s\S]+\n>$/);
    screen.say('/compact');
    await screen.shows("/compact is for conversations with a model; a team's members keep to a window of their own.\n");
    screen.say('/export talk.md');
    await expect.poll(() => existsSync(join(cli.folder, 'talk.md')), { timeout: 20_000 }).toBe(true);
    expect(readFileSync(join(cli.folder, 'talk.md'), 'utf8')).toMatch(/^# Cranes\n[\s\S]*The harbour crane is green\./);
    await screen.shows(/talk\.md[^\n]*\n>$/);
    screen.say('/nonsense');
    await screen.shows(/Not sent: there is no command \/nonsense\./);
    screen.paste('/team list\nand more');
    screen.press('Enter');
    await screen.shows(/Use it like this: \/team/);
    screen.say('/');
    await screen.shows(/Not sent: there is no command \/\./);
    screen.say('/new Another one');
    await screen.shows(/A new session of the team begins with your next words\.\n>$/);
    screen.say('hello');
    await screen.shows(/Ana:\nBegun anew\.\n[\s\S]*\n>$/);
    expect(JSON.stringify(server.requests[1]?.body)).not.toContain('crane');
    screen.say('/resume');
    await screen.shows(/\[1\] Cranes .*\nChoose \[1\] ?$/);
    screen.say('7');
    await screen.shows(/That is no answer\. Type one of 1 and press Enter\.\nChoose \[1\] ?$/);
    screen.say('1');
    await screen.shows(/Team Review: Max, Ana \(Reviewer\) · resumed with 2 messages\n>$/);
    screen.say('which one?');
    await screen.shows(/Ana:\nI remember the crane\.\n[\s\S]*\n>$/);
    expect(JSON.stringify(server.requests[2]?.body)).toContain('harbour crane');
    screen.say('/quit');
    await screen.shows(/Saved\. Go on with: --resume ses_\w+\nended with 0/);
    const { conversations } = await cli.json<{ conversations: { title: string; pinned: boolean }[] }>(['list']);
    expect(conversations.map(({ title, pinned }) => [title, pinned])).toEqual([
      ['Cranes', true],
      ['Another one', false],
    ]);
  });
});
