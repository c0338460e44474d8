// continuo chat with a person at a terminal: prompts, answers as they come, questions, Ctrl-C, and what is typed in between.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { needs } from '../support/require-system.ts';
import { closeScripts, saidTo, startScript } from './chat-server.ts';
import { Cli } from './cli-program.ts';
import { hasTmux, TerminalScreen } from './terminal-screen.ts';

closeScripts();

const suite = needs(hasTmux, 'tmux, which gives the program a terminal');
const slow = (words: number) => ({ text: Array.from({ length: words }, (_, i) => `word${i} `), delayBetweenChunks: 100 });

describe.runIf(suite)('chat at a terminal', () => {
  it('says who answers, streams, keeps everything, and tells how to come back', async () => {
    const cli = new Cli();
    const { env } = await startScript([{ text: 'Hello, you.' }, { text: '你好，世界。' }, { text: 'Welcome back.' }]);
    using screen = await TerminalScreen.open(cli, ['chat'], { env });
    await screen.shows(
      /model anthropic:claude-test · .*\nnew conversation in .*\nCtrl-C stops an answer, Ctrl-D leaves, \/help says more\.\n>$/,
    );
    screen.say('Hi');
    await screen.shows('> Hi\nHello, you.\n>');
    screen.say('你好');
    await screen.shows('> 你好\n你好，世界。\n>');
    screen.press('C-d');
    await screen.shows(/Saved\. Go on with: continuo chat --resume cnv_\w+\nended with 0/);

    using again = await TerminalScreen.open(cli, ['chat', '--continue'], { env });
    await again.shows(/resumed cnv_\w+, last active just now: 8 entries, 4 in view \(about \d+ tokens\)/);
    again.say('I am back');
    await again.shows('Welcome back.\n>');
    again.press('C-c');
    await again.shows('ended with 0');
  });

  it('begins with what was said on the command line, and leaves no trace where nothing is said', async () => {
    const cli = new Cli();
    const { env } = await startScript([{ text: 'Yes.' }]);
    using silent = await TerminalScreen.open(cli, ['chat'], { env });
    await silent.shows(/\n>$/);
    silent.press('C-d');
    await silent.shows('Nothing was said, so nothing was saved.');
    expect(await cli.json(['stats'])).toMatchObject({ conversations: 0 });
    using screen = await TerminalScreen.open(cli, ['chat', 'Are you there?'], { env });
    await screen.shows('> Are you there?\nYes.\n>');
    screen.press('C-d');
    await screen.shows('ended with 0');
  });

  it('stops the answer at Ctrl-C, keeps what had come, and goes on', async () => {
    const cli = new Cli();
    const { server, env } = await startScript([slow(500), { text: 'Short answer.' }]);
    using screen = await TerminalScreen.open(cli, ['chat'], { env });
    await screen.shows(/\n>$/);
    screen.say('Talk');
    await screen.shows('word3');
    screen.press('C-c');
    await screen.shows(/Stopped\. What had been said is saved\.\n>$/);
    screen.say('Shorter');
    await screen.shows('Short answer.\n>');
    screen.press('C-c');
    await screen.shows('ended with 0');
    const [, second] = server.requests.map(saidTo);
    expect(second?.[0]).toBe('user: Talk');
    expect(second?.[1]).toMatch(/^assistant: word0 word1 word2 word3/);
    expect(second?.[2]).toBe('user: Shorter');
    const { entries } = await cli.json<{ entries: { interrupted?: boolean }[] }>(['show', 'latest', '--all']);
    expect(entries.filter(({ interrupted }) => interrupted).length).toBe(1);
  });

  it('takes a line that is typed during an answer into the turn, whole and unmixed', async () => {
    const cli = new Cli();
    const { server, env } = await startScript([slow(25), { text: 'I heard you.' }]);
    using screen = await TerminalScreen.open(cli, ['chat'], { env, columns: 60 });
    await screen.shows(/\n>$/);
    screen.say('Talk');
    await screen.shows('word2');
    screen.type('and also ');
    await screen.shows(/\n> and also$/);
    screen.type('this');
    await screen.shows(/\n> and also this$/);
    screen.press('Enter');
    await screen.shows('I heard you.\n>');
    expect(screen.text()).toContain('1 message taken into this turn');
    const said = screen
      .text()
      .replace(/\n> and also this/, '')
      .replaceAll('\n', ' ');
    for (let i = 0; i < 25; i++) expect(said).toContain(`word${i} `);
    expect(server.requests.map(saidTo).at(-1)?.at(-1)).toBe('user: and also this');
  });

  it('keeps a typed line whole that is longer than the screen is wide', async () => {
    const cli = new Cli();
    const { server, env } = await startScript([slow(25), { text: 'I heard you.' }]);
    using screen = await TerminalScreen.open(cli, ['chat'], { env, columns: 40 });
    await screen.shows(/\n>$/);
    screen.say('Talk');
    await screen.shows('word2');
    const long = Array.from({ length: 12 }, (_, i) => `typed-${i}`).join(' ');
    screen.type(long);
    await screen.shows('word24');
    screen.press('Enter');
    await screen.shows('I heard you.\n>');
    expect(server.requests.map(saidTo).at(-1)?.at(-1)).toBe(`user: ${long}`);
    const all = screen.text().replaceAll('\n', ' ');
    for (let i = 0; i < 25; i++) expect(all.split(`word${i} `).length, `word${i}`).toBe(2);
    expect(all.split('typed-11').length).toBe(2);
  });

  it('asks before a command, shows it and why, and remembers "always" as it was shown', async () => {
    const cli = new Cli();
    mkdirSync(join(cli.folder, 'work'));
    const call = (command: string) => ({ toolCalls: [{ id: `c-${command}`, name: 'run_command', input: { command } }] });
    const { env } = await startScript([
      ...[call('git version'), { text: 'First.' }],
      ...[call('git version --build-options'), { text: 'Second.' }],
      ...[call('echo $HOME'), { text: 'Third.' }],
      ...[call('git init'), { text: 'Fourth.' }],
    ]);
    using screen = await TerminalScreen.open(cli, ['chat'], { env });
    await screen.shows(/\n>$/);
    screen.say('one');
    await screen.shows(
      /→ run_command git version\nrun_command needs permission:\n {2}git version\n {2}\[y\] yes, this once\n {2}\[h\] .*: git version …\n {2}\[a\] .*: git version …\n {2}\[s\] .*: git version …\n {2}\[n\] no\nAllow\? \[y\/h\/a\/s\/n\]$/,
    );
    screen.say('maybe');
    await screen.shows(/maybe\nThat is no answer\. Type one of y\/h\/a\/s\/n .*\nAllow\? \[y\/h\/a\/s\/n\]$/);
    screen.say('a');
    await screen.shows('First.\n>');
    screen.say('two');
    await screen.shows('Second.\n>');
    screen.say('three');
    // A text the shell would change is never settled by a rule.
    await screen.shows(/echo \$HOME\n {2}asked because .*\n {2}\[y\] yes, this once\n {2}\[n\] no\nAllow\? \[y\/n\]$/);
    screen.say('n');
    await screen.shows('← not allowed');
    await screen.shows('Third.\n>');
    screen.say('four');
    await screen.shows(/always in .*: git init …/);
    screen.press('C-c');
    await screen.shows(/Stopped\. What had been said is saved\.\n>$/);
    screen.press('C-d');
    await screen.shows('ended with 0');
    expect(screen.text().match(/needs permission/g)?.length).toBe(3);
    expect(await cli.json(['approvals'])).toMatchObject({ approvals: [{ path: ['git', 'version'], scope: 'conversation' }] });
  });

  it('keeps what was being typed when a question came', async () => {
    const cli = new Cli();
    const command = { toolCalls: [{ id: 'c', name: 'run_command', input: { command: 'git version' } }] };
    const { env } = await startScript([{ ...slow(15), ...command }, { text: 'Done.' }, { text: 'And that.' }]);
    using screen = await TerminalScreen.open(cli, ['chat'], { env });
    await screen.shows(/\n>$/);
    screen.say('go');
    await screen.shows('word2');
    screen.type('yes, but later');
    await screen.shows(/Allow\? \[y\/h\/a\/s\/n\]$/);
    screen.say('y');
    await screen.shows(/Done\.\n> yes, but later$/);
    screen.press('Enter');
    await screen.shows('And that.');
  });

  it('takes the end of the input as a no to a question, and leaves when the turn is over', async () => {
    const cli = new Cli();
    const { env } = await startScript([
      { text: 'I would like to', toolCalls: [{ id: 'c', name: 'run_command', input: { command: 'git version' } }] },
      { text: 'Then not.' },
      slow(10),
    ]);
    using screen = await TerminalScreen.open(cli, ['chat'], { env });
    await screen.shows(/\n>$/);
    screen.say('go');
    await screen.shows(/Allow\? \[y\/h\/a\/s\/n\]$/);
    screen.press('C-d');
    await screen.shows(/← not allowed\nThen not\.\nSaved\..*\nended with 0/);
    using again = await TerminalScreen.open(cli, ['chat', '--continue', 'go on'], { env });
    await again.shows('word1');
    again.press('C-d');
    await again.shows(/word9\s+Saved\..*\nended with 0/);
  });

  it('asks about every command where there is no sandbox, and says why', async () => {
    const cli = new Cli({ CONTINUO_SANDBOX: 'off' });
    const call = { toolCalls: [{ id: 'c', name: 'run_command', input: { command: 'echo hi' } }] };
    const { env } = await startScript([call, { text: 'It said hi.' }]);
    using screen = await TerminalScreen.open(cli, ['chat', '--allow', 'echo'], { env });
    await screen.shows('no sandbox (it is switched off): you are asked about every command');
    screen.say('go');
    await screen.shows(
      /echo hi\n {2}asked because no sandbox is available here\n {2}\[y\] yes, this once\n {2}\[n\] no\nAllow\? \[y\/n\]$/,
    );
    screen.say('y');
    await screen.shows('It said hi.\n>');
  });

  it('asks also in a script, where the settings want it and somebody is there', async () => {
    const cli = new Cli({ CONTINUO_APPROVALS: 'ask' });
    const call = { toolCalls: [{ id: 'c', name: 'run_command', input: { command: 'git version' } }] };
    const { env } = await startScript([call, { text: 'It has a version.' }]);
    using screen = await TerminalScreen.open(cli, ['chat', '-p', 'go'], { env });
    await screen.shows(/Allow\? \[y\/h\/a\/s\/n\]$/);
    screen.say('y');
    await screen.shows(/← .*git version [\d.]+\nIt has a version\.\nended with 0/);
  });

  it('shows what would be changed in a file, and allows it for an hour', async () => {
    const cli = new Cli();
    const content = 'first\nsecond\u001b[2J\n';
    const { env } = await startScript([
      { toolCalls: [{ id: 'c', name: 'write_file', input: { path: 'notes/a.txt', content } }] },
      { toolCalls: [{ id: 'd', name: 'edit_file', input: { path: 'notes/a.txt', old_text: 'first', new_text: 'one' } }] },
      { text: 'Written.' },
    ]);
    using screen = await TerminalScreen.open(cli, ['chat', 'write it'], { env });
    await screen.shows(/write 2 lines to notes\/a\.txt\n {4}\+ first\n {4}\+ second\^\[\[2J\n {2}\[y\]/);
    screen.say('h');
    await screen.shows('Written.\n>');
    expect(readFileSync(join(cli.folder, 'notes/a.txt'), 'utf8')).toBe('one\nsecond\u001b[2J\n');
    const { approvals } = await cli.json<{ approvals: { createdAt: number; expiresAt: number }[] }>(['approvals']);
    expect(approvals).toMatchObject([{ path: ['write_file', 'notes'], scope: 'conversation' }]);
    expect(approvals.map(({ createdAt, expiresAt }) => Math.round((expiresAt - createdAt) / 60_000))).toEqual([60]);
  });

  it('keeps lines that begin with a slash to itself', async () => {
    const cli = new Cli();
    const { server, env } = await startScript([{ text: 'A slash.' }]);
    using screen = await TerminalScreen.open(cli, ['chat'], { env });
    await screen.shows(/\n>$/);
    screen.say('/modle gpt');
    await screen.shows(/Not sent: there is no command \/modle\. Did you mean \/model\? .*\n>$/);
    screen.say('/pin sometimes');
    await screen.shows(/Use it like this: \/pin · \/pin off\n>$/);
    screen.say('/help');
    await screen.shows(/To leave: Ctrl-D or \/quit.*\n.*\n>$/);
    screen.say('//usr');
    await screen.shows('A slash.\n>');
    screen.say('/quit');
    await screen.shows(/Saved\..*\nended with 0/);
    expect(server.requests.map(saidTo)).toEqual([['user: /usr']]);
  });

  it('goes by the slash commands to another conversation and back, with titles, models and summaries', async () => {
    const cli = new Cli();
    const { server, env } = await startScript([
      { text: 'Paris.' },
      { text: 'New ground.' },
      { text: 'Still here.' },
      { text: 'All of it.' },
    ]);
    using screen = await TerminalScreen.open(cli, ['chat', '--no-recall'], { env });
    await screen.shows(/\n>$/);
    screen.say('/rename');
    await screen.shows(/Nothing was said yet.*\n>$/);
    screen.say('What is the capital of France?');
    await screen.shows('Paris.\n>');
    screen.say('/rename The capital');
    await screen.shows(/The capital.*\n>$/);
    screen.say('/new Other things');
    await screen.shows(/Saved\. Go on with: continuo chat --resume \w+\n.*\nnew conversation in .*\nCtrl-C stops .*\n>$/);
    screen.say('Something else');
    await screen.shows('New ground.\n>');
    screen.say('/resume');
    await screen.shows(/Which conversation\?\n {2}\[1\] The capital .*\n.*$/);
    screen.say('1');
    await screen.shows(/resumed .*\n.*\n>$/);
    screen.say('/compact');
    await screen.shows(/From now on the model reads a summary.*\n>$/);
    screen.say('Where are we?');
    await screen.shows('Still here.\n>');
    screen.say('/uncompact');
    await screen.shows(/The model reads 4 entries again.*\n>$/);
    screen.say('And now?');
    await screen.shows('All of it.\n>');
    screen.say('/model offline');
    await screen.shows(/From the next turn on offline answers\.\n>$/);
    screen.say('/end');
    await screen.shows(/Saved\..*\nended with 0/);
    expect(server.requests.map(saidTo)).toEqual([
      ['user: What is the capital of France?'],
      ['user: Something else'],
      [expect.stringMatching(/Asked: What is the capital of France\?\n[\s\S]*\nWhere are we\?$/)],
      [
        'user: What is the capital of France?',
        'assistant: Paris.',
        'user: Where are we?',
        'assistant: Still here.',
        'user: And now?',
      ],
    ]);
  });

  it('goes on where a slash command fails, where its question is turned away, and where it comes in the middle of an answer', async () => {
    const cli = new Cli();
    const { server, env } = await startScript([{ text: 'Hello.' }, { text: 'Still here.' }, slow(200), { text: 'Afresh.' }]);
    using other = await TerminalScreen.open(cli, ['chat', '--no-recall'], { env });
    await other.shows(/\n>$/);
    other.say('Held by another');
    await other.shows('Hello.\n>');
    using screen = await TerminalScreen.open(cli, ['chat', '--new', '--no-recall'], { env });
    await screen.shows(/\n>$/);
    screen.say('/model nobody:nothing');
    await screen.shows(/Error: .*nobody[\s\S]*\n>$/);
    screen.say('/resume');
    await screen.shows(/\[1\] Held by another .*\n.*$/);
    screen.press('C-c');
    await screen.shows(/Nothing was changed\.\n>$/);
    screen.say('/resume');
    await screen.shows(/changed\.\n[\s\S]*\[1\] Held by another .*\n.*$/);
    screen.say('1');
    await screen.shows(/Error: .*[\s\S]*--wait 30s\n>$/);
    screen.say('Are you there?');
    await screen.shows('Still here.\n>');
    screen.say('Talk');
    await screen.shows('word2');
    screen.say('/new');
    await screen.shows(/Stopped\.[\s\S]*new conversation in .*\n.*\n>$/);
    screen.say('Once more');
    await screen.shows('Afresh.\n>');
    expect(server.requests.map(saidTo).map((said) => said.length)).toEqual([1, 1, 3, 1]);
  });

  it('tells of earlier conversations of the folder where a new one is begun, wrapped at words', async () => {
    const cli = new Cli();
    const { env } = await startScript(() => ({ text: 'Yes.' }));
    await cli.run(['chat', '-p', 'The first thing that was ever said here.'], { env });
    using screen = await TerminalScreen.open(cli, ['chat', '-p', 'second'], { env, columns: 40 });
    await screen.shows('ended with 0');
    expect(screen.text()).toBe(
      [
        'This folder has a conversation last',
        'active just now: The first thing that',
        'was ever said here.',
        'Go on with it: continuo chat --continue',
        'Yes.',
        'ended with 0',
      ].join('\n'),
    );
    using mistaken = await TerminalScreen.open(cli, ['chat', '-p', 'x', '--model', 'nobody:x'], { env });
    await mistaken.shows('ended with 2');
    expect(mistaken.text()).not.toContain('This folder');
  });

  it('saves what had come when the terminal goes away', async () => {
    const cli = new Cli();
    const { env } = await startScript([slow(500)]);
    {
      using screen = await TerminalScreen.open(cli, ['chat', 'Talk'], { env });
      await screen.shows('word5');
    }
    const ended = async () => {
      const { entries } = await cli.json<{ entries: { name?: string; code?: string }[] }>(['show', 'latest', '--all']);
      return entries.findLast(({ name }) => name === 'turn-end')?.code;
    };
    await expect.poll(ended, { timeout: 20_000, interval: 200 }).toBe('cancelled');
    const { entries } = await cli.json<{ entries: { interrupted?: boolean; text: string }[] }>(['show', 'latest', '--all']);
    expect(entries.find(({ interrupted }) => interrupted)?.text).toMatch(/^word0 .*word5/);
  });

  it('shows what is said before a tool call where only the answer goes elsewhere', async () => {
    const cli = new Cli();
    const call = { id: 'c', name: 'list_files', input: { path: '.' } };
    const { env } = await startScript([{ text: 'Let me look.', toolCalls: [call] }, { text: 'All is well.' }]);
    using screen = await TerminalScreen.open(cli, ['chat', '-p', 'go'], { env, stdout: 'answer.txt' });
    await screen.shows(/^Let me look\.\n→ list_files \.\n← .*\nended with 0$/);
    expect(readFileSync(join(cli.folder, 'answer.txt'), 'utf8')).toBe('All is well.\n');
  });

  it('says that the last answer was interrupted', async () => {
    const cli = new Cli();
    await using store = await cli.open();
    const { id } = await store.create({ key: 'k' });
    const [turnId, text] = ['trn_1', 'It begins with '];
    await store.append(id, [
      { kind: 'message', role: 'user', text: 'Tell me', turnId },
      { kind: 'event', name: 'turn-start', text: '', turnId },
    ]);
    await store.putDraft(id, { kind: 'message', role: 'assistant', text, turnId, interrupted: true });
    const { server, env } = await startScript([{ text: 'the end.' }]);
    using screen = await TerminalScreen.open(cli, ['chat', '--resume', 'k'], { env });
    await screen.shows(/The last answer was interrupted\. What had been saved of it is there, marked as interrupted\.\n>$/);
    screen.say('And?');
    await screen.shows('the end.\n>');
    expect(server.requests.map(saidTo)).toEqual([['user: Tell me', `assistant: ${text}`, 'user: And?']]);
  });

  it('takes a pasted text and lines that end with a backslash as one message', async () => {
    const cli = new Cli();
    const { server, env } = await startScript([{ text: 'Read.' }, { text: 'Read too.' }]);
    using screen = await TerminalScreen.open(cli, ['chat'], { env });
    await screen.shows(/\n>$/);
    screen.paste('first line\n  second line\nthird');
    await screen.shows(/third$/);
    expect(server.requests.length).toBe(0);
    screen.press('Enter');
    await screen.shows('Read.\n>');
    screen.say('one \\');
    screen.say('two');
    await screen.shows('Read too.\n>');
    expect(server.requests.map(saidTo).map((said) => said.at(-1))).toEqual([
      'user: first line\n  second line\nthird',
      'user: one \ntwo',
    ]);
  });

  it('speaks Chinese, without colours where none are wanted, and obeys nothing a model says', async () => {
    const cli = new Cli({ CONTINUO_LANG: 'zh', NO_COLOR: '1' });
    const { env } = await startScript([{ text: '好\u001b[2J\u001b]0;evil\u0007的' }]);
    using screen = await TerminalScreen.open(cli, ['chat'], { env });
    await screen.shows(/模型 anthropic:claude-test · .*\n在 .* 新建对话\nCtrl-C 停止回答，Ctrl-D 退出，\/help 查看更多。\n>$/);
    screen.say('清屏');
    await screen.shows('> 清屏\n好^[[2J^[]0;evil^G的\n>');
    screen.press('C-d');
    await screen.shows(/已保存。接着聊：continuo chat --resume cnv_\w+\nended with 0/);
  });

  it('says what went wrong in a turn and goes on', async () => {
    const cli = new Cli();
    const { env } = await startScript([{ fault: { type: 'refuse-key' } }, { text: 'Better.' }]);
    using screen = await TerminalScreen.open(cli, ['chat'], { env });
    await screen.shows(/\n>$/);
    screen.say('Hi');
    await screen.shows('Error: Anthropic refused the key. Check ANTHROPIC_API_KEY.\n>');
    screen.say('Again');
    await screen.shows('Better.\n>');
  });
});
