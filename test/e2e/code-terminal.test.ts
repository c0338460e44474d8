// continuo code with a person at a terminal: the task is asked for, so is permission, with the change in view; saved sessions are
// picked from a table; Ctrl-C stops and says how to go on.
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { needs } from '../support/require-system.ts';
import { closeScripts } from './chat-server.ts';
import { Cli } from './cli-program.ts';
import { allowedWithNpm, createRepository, passesTest, startModel } from './code-repository.ts';
import { hasTmux, TerminalScreen } from './terminal-screen.ts';

closeScripts();

const suite = needs(hasTmux, 'tmux, which gives the program a terminal');

describe.runIf(suite)('continuo code at a terminal', () => {
  it('asks for the task and for permission, shows the work, and tells what came of it', async () => {
    const cli = new Cli();
    const root = createRepository(cli, 'npm');
    const { env } = await startModel({ checker: 'npm' });
    using screen = await TerminalScreen.open(cli, ['code', '--root', root], { env, rows: 60 });
    await screen.shows(/What is to be done\?.*\n>$/);
    screen.say('Mend add');
    await screen.shows(
      /edit_file needs permission:\n {2}edit add\.js\n {4}- export .* a - b;?\n|edit_file needs permission:\n {2}edit add\.js\n {4}- a - b\n {4}\+ a \+ b\n/,
    );
    screen.say('y');
    await screen.shows(/run_command needs permission:\n {2}npm test\n/);
    screen.say('a');
    await screen.shows(/It subtracted\. Now it is a \+ b\.\n── checking the change/);
    await screen.shows(/needs permission:\n {2}npm run test\n/);
    screen.say('y');
    await screen.shows(
      /The review accepts the change\.\n\nDone\.\nCHANGE {3}\+ {2}- {2}FILE\nchanged {2}1 {2}1 {2}add\.js\nChecks +pass\n/,
    );
    await screen.shows(/Go on with {2}continuo code --resume \/.*\.json\nended with 0/);
    expect(passesTest(root)).toBe(true);
    expect(screen.text().split('It subtracted.').length).toBe(2);
  });

  it('lets a person pick among saved sessions, and takes none that cannot be restored', async () => {
    const cli = new Cli();
    // The screen opens in this folder.
    const root = realpathSync(cli.folder);
    const { env } = await startModel({ instead: ({ said }) => ({ text: `Heard: ${said}` }) });
    for (const task of ['第一个任务：检查导航', 'The second task', '第三个任务']) await cli.json(['code', task], { env });
    const folder = join(root, '.continuo');
    writeFileSync(join(folder, 'saved_session_code_agent_x_y_damaged.json'), '{');
    using none = await TerminalScreen.open(cli, ['code', '--resume', '--lang', 'zh'], { env });
    await none.shows(/恢复哪个会话？\[1-4，回车选最新的，q 不选\]$/);
    const table = none.text().split('\n').slice(0, 5);
    expect(table[0]).toMatch(/^序号 +保存于 +大小 +消息 +分支 +任务$/);
    expect(table.slice(1).map((line) => line.trim().split(/ {2,}/).at(-1))).toEqual([
      '已损坏：不是 JSON',
      '第三个任务',
      'The second task',
      '第一个任务：检查导航',
    ]);
    // Aligned as it looks: a Chinese character is two columns wide.
    const columnOf = (line: string, word: string) =>
      [...line.slice(0, line.indexOf(word))].reduce((sum, c) => sum + (c > '\u2fff' ? 2 : 1), 0);
    expect(
      new Set(['已损坏', '第三个', 'The second', '第一个'].map((word, at) => columnOf(table[at + 1] ?? '', word))).size,
    ).toBe(1);
    none.say('1');
    await none.shows('1 号无法恢复：已损坏：不是 JSON');
    none.say('9');
    await none.shows('没有 9 号。');
    none.say('q');
    await none.shows('没有选择会话，什么都没有恢复。\nended with 4');

    using screen = await TerminalScreen.open(cli, ['code', 'What now?', '--resume'], { env });
    await screen.shows(/Which session\?/);
    screen.say('4');
    await screen.shows(/Restored from .*: saved .*, 2 messages/);
    await screen.shows(/Heard: What now\?\n/);
    await screen.shows(/No file was changed\.\n(.*\n)*ended with 0/);
    using left = await TerminalScreen.open(cli, ['code', '--resume'], { env });
    await left.shows(/Which session\?/);
    left.press('C-c');
    await left.shows('ended with 130');
  });

  it('stops at Ctrl-C, saves, and says how to go on; a question that waits is no hindrance', async () => {
    const cli = new Cli();
    const root = createRepository(cli, 'npm');
    const { env } = await startModel({ checker: 'npm' });
    using screen = await TerminalScreen.open(cli, ['code', 'Mend add', '--root', root], { env });
    await screen.shows(/edit_file needs permission:/);
    screen.press('C-c');
    await screen.shows(/Stopped\. What had been said and done is saved\.\nGo on with: continuo code --resume .*\nended with 130/);
    const words = /Go on with: continuo (.*)\n/.exec(screen.text())?.[1]?.split(' ') ?? [];
    // The person has not said no: the model is not told so.
    const { messages } = JSON.parse(readFileSync(words.at(-1) ?? '', 'utf8')).state;
    expect(messages.at(-1)).toMatchObject({ role: 'tool', content: expect.stringMatching(/cancelled/) });
    expect(await cli.json([...words, ...allowedWithNpm], { env })).toMatchObject({ outcome: 'done', root });
    expect(passesTest(root)).toBe(true);
  });

  it('shows how far it is with sessions of more than 500 messages', async () => {
    const cli = new Cli();
    const root = realpathSync(cli.folder);
    const { env } = await startModel({ instead: () => ({ text: 'Still here.' }) });
    const { session } = await cli.json<{ session: { path: string } }>(['code', 'Begin'], { env });
    const document = JSON.parse(readFileSync(session.path, 'utf8'));
    const said = Array.from({ length: 3000 }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: `message ${at}`,
    }));
    document.state.messages = said;
    document.state.conversation = undefined;
    document.summary.messages = said.length;
    const other = join(cli.folder, 'long');
    mkdirSync(join(other, '.continuo'), { recursive: true });
    document.state.root_dir = join(root, 'long');
    writeFileSync(join(other, '.continuo', 'saved_session_code_agent_long.json'), JSON.stringify(document));
    using first = await TerminalScreen.open(cli, ['code', 'Go on', '--resume', '--root', other], { env });
    await first.shows('ended with 0');
    expect(first.text()).toMatch(/Restored from .*: saved .*, 3000 messages/);
    expect(first.written()).toMatch(/Saving \[.*\/300[12]/);
    using second = await TerminalScreen.open(cli, ['code', 'And on', '--resume', '--root', other], { env });
    await second.shows('ended with 0');
    expect(second.written()).toMatch(/Restoring \[.*\/3002/);
    // It is gone when it is done.
    expect(first.text() + second.text()).not.toMatch(/Restoring|Saving/);
  });
});
