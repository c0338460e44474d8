// `continuo` at a terminal: the application as a person uses it, in a terminal of its own.
import { describe, expect, it } from 'vitest';
import { needs } from '../support/require-system.ts';
import { closeScripts, saidTo, startScript } from './chat-server.ts';
import { Cli } from './cli-program.ts';
import { hasTmux, TerminalScreen } from './terminal-screen.ts';

closeScripts();

const suite = needs(hasTmux, 'tmux, which gives the program a terminal');
const slow = (words: number) => ({ text: Array.from({ length: words }, (_, i) => `word${i} `), delayBetweenChunks: 50 });
const ready = /\n>\n.*nothing said yet$/;
/** For what takes long where several tests share two slow cores. */
const patient = { timeout: 90_000 };
const idle = /\n>\n(?!.* answers, ).* · saved$/;

describe.runIf(suite)('the terminal application', () => {
  it('answers, in English and Chinese, and saves; the way back is told', async () => {
    const cli = new Cli();
    const { server, env } = await startScript([
      { text: 'Hello, you.' },
      { text: '你好，世界。\n第二行。', usage: { input: 1200, output: 34 } },
    ]);
    using screen = await TerminalScreen.open(cli, [], { env, columns: 80, rows: 24 });
    await screen.shows(ready);
    screen.say('Hi');
    await screen.shows(/\n> Hi\nanthropic:claude-test\nHello, you\.\n\n>\nHi · anthropic:claude-test · .*saved$/);
    screen.type('你好，');
    await screen.shows(/\n> 你好，\n/);
    await expect.poll(() => screen.cursor().x, patient).toBe(8);
    screen.press('Left', 'Left', 'BSpace');
    screen.type('您');
    await screen.shows(/\n> 您好，\n/);
    await expect.poll(() => screen.cursor().x, patient).toBe(4);
    screen.press('Enter');
    await screen.shows(/\n> 您好，\nanthropic:claude-test\n你好，世界。\n第二行。\n\n>\nHi · .* · 1\.\dk tokens · saved$/);
    expect(server.requests.map(saidTo).at(-1)).toEqual(['user: Hi', 'assistant: Hello, you.', 'user: 您好，']);
    screen.press('C-c');
    await screen.shows('Ctrl-C once more leaves; everything is saved.');
    screen.press('C-c');
    await screen.shows(/Saved\. Go on with: continuo chat --resume cnv_\w+\nended with 0$/);
  });

  it('offers the conversations of the project and of all projects, and goes on with one', async () => {
    const cli = new Cli();
    const { server, env } = await startScript(() => ({ text: 'Yes.' }));
    await cli.run(['chat', '-p', '第一个话题是缓存'], { env });
    await using store = await cli.open();
    const other = await store.create({ title: 'Elsewhere', project: '/somewhere/else' });
    await store.append(other.id, { kind: 'message', role: 'user', text: 'Not here' });
    using screen = await TerminalScreen.open(cli, [], { env, columns: 80, rows: 24 });
    await screen.shows(
      /^Conversations of .*\n {2}New conversation\n {2}TITLE .* ACTIVE .*\n❯ 第一个话题是缓存 .* just now .*\nEnter opens/,
    );
    screen.press('Tab');
    await screen.shows(/^Conversations of all projects\n {2}New conversation\n.*\n❯ Elsewhere .*\n {2}第一个话题是缓存 /);
    const columns = screen.visible().split('\n').slice(2, 5);
    expect(new Set(columns.slice(1).map((line) => line.replace(/[\u4e00-\u9fff]/g, 'xx').indexOf('just now'))).size).toBe(1);
    screen.press('Down', 'Enter');
    await screen.shows(/> 第一个话题是缓存\nanthropic:claude-test\nYes\.\n/);
    await screen.shows(/resumed cnv_\w+, last active .*: 4 entries, 2 in view/);
    screen.say('还在吗');
    await screen.shows(/\n> 还在吗\nanthropic:claude-test\nYes\.\n[\s\S]*saved$/);
    expect(server.requests.map(saidTo).at(-1)).toEqual(['user: 第一个话题是缓存', 'assistant: Yes.', 'user: 还在吗']);
  });

  it('stops the answer at Esc, keeps what had come, and goes on', async () => {
    const cli = new Cli();
    const { server, env } = await startScript([slow(500), { text: 'Short answer.' }]);
    using screen = await TerminalScreen.open(cli, [], { env });
    await screen.shows(ready);
    screen.say('Talk');
    await screen.shows(/word3 [\s\S]*\n>\nTalk · anthropic:claude-test answers, \d+ s · /);
    screen.press('Escape');
    await screen.shows(/Stopped\. What had been said is saved\.\n[\s\S]*saved$/);
    screen.say('Shorter');
    await screen.shows('Short answer.\n');
    const [, second] = server.requests.map(saidTo);
    expect(second?.[1]).toMatch(/^assistant: word0 word1 word2 word3/);
  });

  it('comes back after kill -9 with what was said and what had come of the answer', async () => {
    const cli = new Cli();
    const { server, env } = await startScript([{ text: 'First.' }, slow(500), { text: 'the end.' }]);
    {
      using screen = await TerminalScreen.open(cli, [], { env });
      await screen.shows(ready);
      screen.say('Remember the number 7');
      await screen.shows('First.\n');
      screen.say('Talk');
      await screen.shows('word40');
      screen.signalProgram('SIGKILL');
      await screen.shows('ended with 137');
    }
    using again = await TerminalScreen.open(cli, [], { env });
    await again.shows('❯ Remember the number 7');
    again.press('Enter');
    await again.shows(/> Remember the number 7\n[\s\S]*The last answer was interrupted\./);
    again.say('And?');
    await again.shows('the end.\n');
    const last = server.requests.map(saidTo).at(-1) ?? [];
    expect([last[0], last[1], last[2], last.at(-1)]).toEqual([
      ...['user: Remember the number 7', 'assistant: First.', 'user: Talk', 'user: And?'],
    ]);
    expect(last[3]).toMatch(/^assistant: word0 word1 /);
  });

  it('follows the width of the terminal, down to a narrow one', async () => {
    const cli = new Cli();
    const long = '这一段文字很长，要在窄的终端里折行显示，而且不能把字切成两半。'.repeat(3);
    const { env } = await startScript([{ text: long }]);
    using screen = await TerminalScreen.open(cli, [], { env, columns: 100, rows: 30 });
    await screen.shows(ready);
    screen.say('写长一点');
    await screen.shows(idle);
    screen.type('typed');
    screen.resize(50, 20);
    await screen.shows(/\n> typed\n.*saved$/);
    const shown = () => screen.visible();
    const typedLines = () => shown().match(/^> typed$/gm)?.length;
    await expect.poll(typedLines, patient).toBe(1);
    await expect.poll(() => shown().match(/^> 写长一点$/gm)?.length, patient).toBe(1);
    await expect.poll(() => shown().replaceAll('\n', '').includes(long), patient).toBe(true);
    await expect.poll(typedLines, patient).toBe(1);
    screen.resize(90, 30);
    await screen.shows(/\n> typed\n.*saved$/);
    await expect.poll(typedLines, patient).toBe(1);
  });

  it('takes several lines, pastes shown by their length, and what was said before', async () => {
    const cli = new Cli();
    const { server, env } = await startScript(() => ({ text: 'Read.' }));
    using screen = await TerminalScreen.open(cli, [], { env, columns: 80 });
    await screen.shows(ready);
    screen.type('one \\');
    screen.press('Enter');
    screen.type('two');
    screen.press('M-Enter');
    screen.type('three');
    await screen.shows(/\n> one\n {2}two\n {2}three\n/);
    screen.press('Enter');
    await screen.shows(idle);
    const long = Array.from({ length: 120 }, (_, i) => `line ${i}`).join('\n');
    screen.type('See ');
    screen.paste(long);
    await screen.shows(/\n> See \[pasted 120 lines\]\n/);
    screen.press('Enter');
    await screen.shows(/> See \[pasted 120 lines\]\nanthropic:claude-test\nRead\.\n/);
    screen.press('Up', 'Up', 'Up', 'Up');
    await screen.shows(/\n> one\n {2}two\n {2}three\n/);
    screen.press('C-c');
    await screen.shows(/\n>\nCtrl-C once more/);
    expect(server.requests.map((request) => saidTo(request).at(-1))).toEqual(['user: one \ntwo\nthree', `user: See ${long}`]);
  });

  it('asks before a command, and an answer is typed and entered', async () => {
    const cli = new Cli();
    const call = { toolCalls: [{ id: 'c1', name: 'run_command', input: { command: 'echo $HOME' } }] };
    const { server, env } = await startScript([call, { text: 'Done.' }]);
    using screen = await TerminalScreen.open(cli, [], { env, columns: 80 });
    await screen.shows(ready);
    screen.say('go');
    await screen.shows(/run_command needs permission:\n {2}echo \$HOME\n[\s\S]*\[n\] no\nAllow\? \[y\/n\]\n/);
    screen.say('n');
    await screen.shows(/← not allowed\n[\s\S]*Done\.\n/);
    expect(server.requests.length).toBe(2);
  });

  it('has no colours where none are wanted, and colours else', async () => {
    const cli = new Cli();
    const { env } = await startScript(() => ({ text: 'Plain.' }));
    using plain = await TerminalScreen.open(cli, [], { env: { ...env, NO_COLOR: '1' }, columns: 80 });
    await plain.shows(ready);
    plain.say('Hi');
    await plain.shows(idle);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes are what it is about
    expect(plain.visible({ codes: true })).not.toMatch(/\u001b\[[\d;]*m/);
    using coloured = await TerminalScreen.open(new Cli(), [], { env, columns: 80 });
    await coloured.shows(ready);
    expect(coloured.visible({ codes: true })).toContain('\u001b[');
  });

  it('saves where it is told to end', async () => {
    const cli = new Cli();
    const { env } = await startScript([slow(500)]);
    using screen = await TerminalScreen.open(cli, [], { env });
    await screen.shows(ready);
    screen.say('Talk');
    await screen.shows('word5');
    screen.signalProgram('SIGTERM');
    await screen.shows(/ended with 143$/);
    const { entries } = await cli.json<{ entries: { interrupted?: boolean; text: string }[] }>(['show', 'latest', '--all']);
    expect(entries.find(({ interrupted }) => interrupted)?.text).toMatch(/^word0 .*word5/);
  });

  it('saves where the terminal goes away', async () => {
    const cli = new Cli();
    const { env } = await startScript([slow(500)]);
    {
      using screen = await TerminalScreen.open(cli, [], { env });
      await screen.shows(ready);
      screen.say('Talk');
      await screen.shows('word5');
    }
    const ended = async () => {
      const { entries } = await cli.json<{ entries: { name?: string; code?: string }[] }>(['show', 'latest', '--all']);
      return entries.findLast(({ name }) => name === 'turn-end')?.code;
    };
    await expect.poll(ended, { timeout: 20_000, interval: 200 }).toBe('cancelled');
  });

  it('takes what is typed during an answer into the turn, and can be typed in while a long answer comes', async () => {
    const cli = new Cli();
    const lines = Array.from({ length: 1500 }, (_, i) => `line ${i} ${'你好'.repeat(i % 20)}\n`);
    const { server, env } = await startScript([slow(30), { text: 'I heard you.' }, { text: lines, delayBetweenChunks: 1 }]);
    using screen = await TerminalScreen.open(cli, [], { env, columns: 80, rows: 24 });
    await screen.shows(ready);
    screen.say('Talk');
    await screen.shows('word2');
    screen.say('and also this');
    await screen.shows('I heard you.');
    expect(server.requests.map(saidTo).at(-1)?.at(-1)).toBe('user: and also this');
    await screen.shows(idle);
    screen.say('Everything');
    await screen.shows(/line \d{2,} /);
    screen.type('still typing');
    await screen.shows(/> still typing\n/);
    await screen.shows(/line 1499 .*\n[\s\S]*> still typing\n.*saved$/, patient);
  });

  it('quotes earlier conversations where they are asked for, as the chat does', async () => {
    const cli = new Cli();
    await using store = await cli.open();
    const { id } = await store.create({ title: 'Doors', project: cli.folder });
    await store.append(id, [
      { kind: 'message', role: 'user', text: 'The cellar door needs the brass key.' },
      { kind: 'message', role: 'assistant', text: 'Noted: the brass key opens the cellar door.' },
    ]);
    using screen = await TerminalScreen.open(cli, [], { columns: 100, rows: 30 });
    await screen.shows('❯ Doors');
    screen.press('Escape');
    await screen.shows(ready);
    screen.say('which key opens the cellar door?');
    await screen.shows(/brass key[\s\S]*saved$/);
  });

  it('works offline, in Chinese, at 80 columns', async () => {
    const cli = new Cli({ CONTINUO_LANG: 'zh' });
    using screen = await TerminalScreen.open(cli, [], { columns: 80, rows: 24 });
    await screen.shows(/\n>\n新对话 · offline · 还没有说话$/);
    screen.say('缓存的键是什么');
    await screen.shows(/没有配置语言模型[\s\S]*\n>\n缓存的键是什么 · offline · 已保存$/);
    screen.type('/re');
    screen.press('Tab');
    await screen.shows(/\n> \/re\n {2}\/resume {3}.*\n {2}\/recall .*\n {2}\/rename /);
    screen.press('Down', 'Enter');
    await screen.shows(/\n> \/recall\n/);
    screen.press('C-c', 'C-c');
    await screen.shows(/已保存。接着聊：continuo chat --resume cnv_\w+\nended with 0$/);
  });

  it('talks in lines where the terminal cannot be drawn on, and shows what is stored where there is none', async () => {
    const cli = new Cli();
    using screen = await TerminalScreen.open(cli, [], { env: { TERM: 'dumb' } });
    await screen.shows(/new conversation in .*\nCtrl-C stops an answer.*\n>$/);
    screen.press('C-d');
    await screen.shows('ended with 0');
    expect(await cli.run([])).toMatchObject({ code: 0, stdout: expect.stringContaining('continuo chat') });
  });
});
