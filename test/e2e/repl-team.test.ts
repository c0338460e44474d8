// A team in the terminal application: seated by a slash command, resumed only after a yes, its members in turn, its todos shown.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { needs } from '../support/require-system.ts';
import { closeScripts, startScript } from './chat-server.ts';
import { Cli } from './cli-program.ts';
import { hasTmux, TerminalScreen } from './terminal-screen.ts';

closeScripts();

const suite = needs(hasTmux, 'tmux, which gives the program a terminal');
const ready = /\n>\n.*nothing said yet$/;

function writeTeam(cli: Cli): void {
  const members = [
    { kind: 'human', id: 'max', displayName: 'Max' },
    { kind: 'model', id: 'ana', displayName: '安娜', role: 'Reviewer' },
    { kind: 'model', id: 'bob', displayName: 'Bob', role: 'Writer' },
  ];
  writeFileSync(join(cli.folder, 'team.json'), JSON.stringify({ id: 'review', name: 'Review', members }));
}

describe.runIf(suite)('a team in the terminal application', () => {
  it('is seated, speaks in turn, and goes on after kill -9 only after a yes', async () => {
    const cli = new Cli();
    writeTeam(cli);
    const todos = 'I plan.\n\n```todo\n- [x] read the diff\n- [ ] write the tests\n```\n';
    const { env, server } = await startScript([
      { text: todos },
      { text: ['我来写。【', 'NEXT：m', 'ax】'], delayBetweenChunks: 100 },
      { text: 'I remember.' },
      { text: '我也是。' },
    ]);
    {
      using screen = await TerminalScreen.open(cli, [], { env, columns: 80, rows: 24 });
      await screen.shows(ready);
      screen.type('/team dep');
      screen.press('Tab');
      await screen.shows(/\n> \/team deploy\n/);
      screen.say('team.json');
      await screen.shows(/Team Review: Max, 安娜 \(Reviewer\), Bob \(Writer\)\n\n?>\nReview · 安娜, Bob · nothing said yet$/);
      screen.say('看看这个改动');
      await screen.shows(/> 看看这个改动\n安娜\nI plan\.\n[\s\S]*Bob\n我来写。\n/);
      await screen.shows(
        /安娜 plans \(1 of 2 done\)\n {2}☑ read the diff\n {2}☐ write the tests\n>\nReview · 安娜, Bob · .*saved$/,
      );
      expect(screen.written()).not.toMatch(/```|【|NEXT/);
      const folder = join(cli.home, 'sessions');
      const kept = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
      expect(kept.map((name) => readFileSync(join(folder, name), 'utf8')).join()).not.toContain('write the tests');
      screen.signalProgram('SIGKILL');
      await screen.shows('ended with 137');
    }
    using again = await TerminalScreen.open(cli, [], { env, columns: 80, rows: 24 });
    await again.shows(/❯ \(review\) /);
    again.press('Escape');
    await again.shows(ready);
    again.say('/team deploy team.json');
    await again.shows(/, 3 messages\)[\s\S]*\[r\] [\s\S]*\[n\] [\s\S]*Choose \[r\/n\]\n/);
    again.say('x');
    again.press('BSpace');
    again.say('r');
    await again.shows(/> 看看这个改动\n安娜\nI plan\.[\s\S]*resumed with 3 messages/);
    again.type('@an');
    again.press('Tab');
    await again.shows(/\n> \[NEXT: 安娜\]\n/);
    again.say('weiter');
    await again.shows(/安娜\nI remember\.\n/);
    expect(JSON.stringify(server.requests[2]?.body)).toContain('看看这个改动');
    again.say('/end');
    await again.shows(/Left the team Review; everything is saved\.\n[\s\S]*>\nnew conversation · /);
    again.press('C-d');
    await again.shows('ended with 0');
  });
});
