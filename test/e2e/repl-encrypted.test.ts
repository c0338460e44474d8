// The terminal application and a team in lines, in a home that is encrypted: they talk, are left and go on, and no word lies plain.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMarkedWord, findWords } from '../support/raw-files.ts';
import { needs } from '../support/require-system.ts';
import { closeScripts, startScript } from './chat-server.ts';
import { Cli } from './cli-program.ts';
import { hasTmux, TerminalScreen } from './terminal-screen.ts';

closeScripts();

const suite = needs(hasTmux, 'tmux, which gives the program a terminal');

describe.runIf(suite)('in an encrypted home', () => {
  it('the application talks, finds, seats a team and goes on with both', { timeout: 90_000 }, async () => {
    const cli = new Cli({ CONTINUO_PASSPHRASE: 'correct horse battery staple' });
    const members = [
      { kind: 'human', id: 'max' },
      { kind: 'model', id: 'ana' },
    ];
    writeFileSync(join(cli.folder, 'team.json'), JSON.stringify({ id: 'review', name: 'Review', members }));
    const words = [createMarkedWord(), createMarkedWord(), createMarkedWord(), createMarkedWord()] as const;
    const [asked, answered, planned, agreed] = words;
    const { env } = await startScript([{ text: answered }, { text: agreed }, { text: 'Still here.' }, { text: 'As planned.' }]);
    {
      using screen = await TerminalScreen.open(cli, [], { env, columns: 100 });
      await screen.shows(/nothing said yet$/);
      screen.say(asked);
      await screen.shows(new RegExp(`${answered}\\n[\\s\\S]*saved$`));
      screen.say('/team deploy team.json');
      await screen.shows(/Team Review: max, ana\n/);
      screen.say(planned);
      await screen.shows(new RegExp(`ana\\n${agreed}\\n[\\s\\S]*saved$`));
      screen.press('C-d');
      await screen.shows('ended with 0');
    }
    expect(findWords(cli.home, words)).toEqual({});
    {
      using screen = await TerminalScreen.open(cli, [], { env, columns: 100 });
      await screen.shows(new RegExp(`❯ \\(review\\) .*\\n {2}${asked}`));
      screen.press('Down', 'Enter');
      await screen.shows(new RegExp(`> ${asked}\\n[\\s\\S]*${answered}\\n[\\s\\S]*saved$`));
      screen.say(`/search ${agreed}`);
      await screen.shows(new RegExp(`/search ${agreed}\\n[\\s\\S]*1 passage in 1 conversation`));
      screen.say('go on');
      await screen.shows(/Still here\.\n[\s\S]*saved$/);
      screen.press('C-d');
      await screen.shows('ended with 0');
    }
    using lines = await TerminalScreen.open(cli, ['team', 'deploy', 'team.json'], { env, columns: 100 });
    await lines.shows(/, 2 messages\)\.\n[\s\S]*R or N\?$/);
    lines.say('r');
    await lines.shows(/resumed with 2 messages/);
    lines.say('and now?');
    await lines.shows(/As planned\.\n[\s\S]*\n>$/);
    lines.say('/end');
    await lines.shows('ended with 0');
    expect(findWords(cli.home, words)).toEqual({});
  });

  it('asks for the passphrase where none is given, and opens with it', async () => {
    const cli = new Cli();
    const key = { CONTINUO_PASSPHRASE: 'correct horse battery staple' };
    await cli.run(['append', 'kept words', '--project', cli.folder], { env: key });
    using screen = await TerminalScreen.open(cli, [], { columns: 100 });
    await screen.shows(/[Pp]assphrase.*:$/);
    screen.say('correct horse battery staple');
    await screen.shows(/❯ kept words/);
  });
});
