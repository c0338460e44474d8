// Words that a terminal would obey, through the terminal application: what was stored, what is answered, what members plan, what
// files are called. The bytes that reach the terminal are looked at, not only the picture.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { needs } from '../support/require-system.ts';
import { closeScripts, startScript } from './chat-server.ts';
import { Cli } from './cli-program.ts';
import { hasTmux, TerminalScreen } from './terminal-screen.ts';

closeScripts();

const suite = needs(hasTmux, 'tmux, which gives the program a terminal');
const idle = /\n>\n(?!.* answers, ).* · saved$/;

/** Each between words that are to be seen: colours, the cursor, the clipboard, the title, the bell, a picture, what cannot be seen. */
const orders = [
  '\x1b[38;5;201m',
  '\x1b[3;7H',
  '\x1b[2J',
  '\x1b]52;c;aGFja2Vk\x07',
  '\x1b]0;owned\x1b\\',
  '\x1b]8;;https://evil.example\x07',
  '\x1bP1$r0m\x1b\\',
  '\x1b_Gf=24\x1b\\',
  '\x1bc',
  '\x07',
  '\x00',
  '\x08\x08',
  '\r',
  '\x7f',
  '\x9b35m',
  '\x9d52;c;eA==\x9c',
  '\u202e',
  '\u2066',
  '\u2069',
  '\u200b',
  '\ufeff',
];
const hostile = (word: string) => `${orders.map((order, place) => `${word}${place}${order}`).join(' ')} ${word}end`;
const wordsOf = (word: string) => [...orders.map((_, place) => `${word}${place}`), `${word}end`];

describe.runIf(suite)('text that a terminal would obey', () => {
  it('is shown as words where it was stored: in the list, in the title, in the talk and in what is said again', async () => {
    const cli = new Cli();
    const { env } = await startScript([{ text: 'Fine.' }]);
    {
      await using store = await cli.open();
      const { id } = await store.create({ title: hostile('t'), project: cli.folder, agent: 'x\x1b[31m' });
      await store.append(id, [
        { kind: 'message', role: 'user', text: `${hostile('u')}\r\nlast` },
        { kind: 'message', role: 'assistant', text: hostile('a'), model: 'evil\x1b]0;model\x07:one' },
        { kind: 'tool-call', callId: 'c', tool: 'run\x1b[2J', input: { command: hostile('c') } },
        { kind: 'tool-result', callId: 'c', tool: 'run\x1b[2J', text: hostile('r') },
      ]);
    }
    using screen = await TerminalScreen.open(cli, [], { env, columns: 120, rows: 40 });
    await screen.shows(/❯ t0/);
    screen.press('Enter');
    await screen.shows(idle);
    for (const word of [...wordsOf('u'), ...wordsOf('a'), 'evil', 'c0', 'r0']) expect(screen.text()).toContain(word);
    screen.press('Up');
    await screen.shows(/\n> u0[\s\S]*\n {2}last\n/);
    screen.press('C-u', 'BSpace', 'C-u', 'BSpace', 'C-c');
    screen.say('/rename');
    await screen.shows(/t0.*\n/);
    screen.press('Escape');
    await screen.shows('Nothing was changed.');
    screen.say('/search u3');
    await screen.shows(/\/search u3[\s\S]*u0/);
    screen.say('well?');
    await screen.shows('Fine.');
    expectNothingObeyed(screen);
  });

  it('is shown as words while it is answered, however it is cut', async () => {
    const cli = new Cli();
    const text = [...hostile('s'), '\nline\r', '\nend of it'];
    const { env } = await startScript([{ text, delayBetweenChunks: 1 }]);
    using screen = await TerminalScreen.open(cli, [], { env, columns: 120, rows: 40 });
    await screen.shows(/nothing said yet$/);
    screen.say('talk');
    await screen.shows(/line\nend of it\n[\s\S]*saved$/);
    for (const word of wordsOf('s')) expect(screen.text()).toContain(word);
    expectNothingObeyed(screen);
  });

  it('is shown as words in what a team is called, says, plans and does, and in the names of files', async () => {
    const cli = new Cli();
    const { env } = await startScript([
      {
        text: [
          ...hostile('m'),
          '\n```todo\n',
          `- [ ] ${hostile('d')}\n`,
          '```\n',
          `[TEAM_TASK: ${hostile('k')}][NEXT: \x1b[2Jghost]`,
        ],
      },
    ]);
    // A name with a bracket alone is refused: no [NEXT: …] could hold it. ESC c resets a terminal without one.
    const members = [
      { kind: 'human', id: 'max' },
      { kind: 'model', id: 'ana', displayName: `An\x1bca\x9b31m${'\u202e'}`, role: 'x\x1b]0;role\x07' },
    ];
    const file = 'team.json';
    writeFileSync(join(cli.folder, file), JSON.stringify({ id: 'review', name: 'Re\x1b[2Jview', members }));
    mkdirSync(join(cli.folder, 'wicked\x1b[31mfolder'));
    mkdirSync(join(cli.folder, 'wicked\x1b[2Jother'));
    using screen = await TerminalScreen.open(cli, [], { env, columns: 120, rows: 40 });
    await screen.shows(/nothing said yet$/);
    screen.type('/export wick');
    screen.press('Tab');
    await screen.shows(/wicked\^\[\[2Jother/);
    screen.press('Escape');
    await screen.shows(/\n> \/export wicked\^\[\[\n.*nothing said yet$/);
    screen.press('C-u');
    screen.say(`/team deploy ${file}`);
    await screen.shows(/Team Re\^\[\[2Jview/);
    screen.say('plan');
    await screen.shows(/d0\^\[[\s\S]*saved$/);
    screen.say('/todo');
    screen.say('/team');
    await screen.shows(/Session ses_/);
    for (const word of [...wordsOf('m'), ...wordsOf('d')]) expect(screen.text()).toContain(word);
    expectNothingObeyed(screen);
  });
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const own = /\x1b\[(?:\d*[ABCDEFGJK]|[012349]\d?m|\?(?:25|2004|2026)[hl]|[<>]\d?u)|\r\n/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const obeyed = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

/** What is left of the bytes without the codes that the application draws with holds nothing that a terminal does. */
function expectNothingObeyed(screen: TerminalScreen): void {
  const left = screen.written().replace(own, '');
  const found = obeyed.exec(left);
  expect(found && JSON.stringify(left.slice(Math.max(0, found.index - 60), found.index + 60))).toBeNull();
}
