// The design's own story through the command line: a task begun in one folder goes on in another, and the answer says where it came from.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { needs } from '../support/require-system.ts';
import { closeScripts, saidTo, startScript } from './chat-server.ts';
import { Cli } from './cli-program.ts';
import { hasTmux, TerminalScreen } from './terminal-screen.ts';

closeScripts();

interface Turn {
  conversation: { id: string; project: string };
  text: string;
  recalled: { conversationId: string; projectName?: string }[];
}

interface Shown {
  entries: { kind: string; role?: string; text: string }[];
}

const task = '帮我设置导航到沙发';
const progress = '好的，正在设置导航到沙发：已规划路径，预计 2 分钟到达。';

function folderIn(cli: Cli, name: string): string {
  const folder = join(cli.folder, name);
  mkdirSync(folder);
  return folder;
}

describe('a task goes on in another folder', () => {
  it('with a model that is shown what was said, once and marked as quoted', async () => {
    const cli = new Cli();
    const [foo, bar] = [folderIn(cli, 'foo'), folderIn(cli, 'bar')];
    const { server, env } = await startScript([{ text: progress }, { text: '明白，继续导航到沙发。' }, { text: '好。' }]);
    const begun = await cli.json<Turn>(['chat', '-p', task], { env, cwd: foo });
    const gone = await cli.run(['chat', '-p', '继续刚才的任务'], { env, cwd: bar });
    expect(gone).toMatchObject({ code: 0, stdout: '明白，继续导航到沙发。\n' });
    expect(gone.stderr).toContain(`from earlier: "${task}" (project foo, just now, ${begun.conversation.id.slice(0, 12)}`);

    expect(saidTo(server.requests[0] as never)).toEqual([`user: ${task}`]);
    const [asked, ...more] = saidTo(server.requests[1] as never);
    expect(more).toEqual([]);
    const lines = asked?.split('\n') ?? [];
    expect(lines[0]).toBe('user: === 相关历史对话 ===');
    expect(asked).toContain(`对话 ${begun.conversation.id} · 项目 foo`);
    expect(lines).toContain(`> ${task}`);
    expect(lines).toContain(`> ${progress}`);
    expect(lines.slice(-2)).toEqual(['=== 当前问题 ===', '继续刚才的任务']);

    const { entries } = await cli.json<Shown>(['show', 'latest', '--all']);
    expect(entries.filter(({ kind }) => kind === 'message').map(({ role, text }) => [role, text])).toEqual([
      ['user', '继续刚才的任务'],
      ['assistant', '明白，继续导航到沙发。'],
    ]);

    // In the middle of a talk "go on" means the talk.
    await cli.json<Turn>(['chat', '--continue', '-p', '继续'], { env, cwd: bar });
    expect(saidTo(server.requests[2] as never)).toEqual([
      'user: 继续刚才的任务',
      'assistant: 明白，继续导航到沙发。',
      'user: 继续',
    ]);
  });

  it('offline, with quotations that name their source', async () => {
    const cli = new Cli();
    const [foo, bar] = [folderIn(cli, 'foo'), folderIn(cli, 'bar')];
    const begun = await cli.json<Turn>(['chat', '-p', task], { cwd: foo });
    await cli.run(['append', begun.conversation.id, '--role', 'assistant', progress]);
    const gone = await cli.json<Turn>(['chat', '-p', '继续刚才的任务'], { cwd: bar });
    expect(gone.recalled).toMatchObject([{ conversationId: begun.conversation.id, projectName: 'foo' }]);
    expect(gone.text).toContain('没有配置语言模型。');
    expect(gone.text).toMatch(new RegExp(`助手说，.*项目“foo” \\(${begun.conversation.id}, ent_`));
    expect(gone.text).toContain(`\`\`\`\n${progress}\n\`\`\``);
    expect(gone.text).toContain(`\`\`\`\n${task}\n\`\`\``);
  });

  it('not where recall is turned off, and not for what has nothing to do with it', async () => {
    const cli = new Cli();
    const [foo, bar] = [folderIn(cli, 'foo'), folderIn(cli, 'bar')];
    const { server, env } = await startScript([{ text: progress }, { text: 'a' }, { text: 'b' }, { text: 'c' }]);
    await cli.json<Turn>(['chat', '-p', task], { env, cwd: foo });
    const unrelated = await cli.json<Turn>(['chat', '-p', 'What is the capital of France?'], { env, cwd: bar });
    await cli.json<Turn>(['chat', '--no-recall', '-p', '继续刚才的任务'], { env, cwd: bar });
    await cli.json<Turn>(['chat', '-p', '继续刚才的任务'], { env: { ...env, CONTINUO_RECALL: 'off' }, cwd: bar });
    expect(unrelated.recalled).toEqual([]);
    expect(server.requests.slice(1).map((request) => saidTo(request as never))).toEqual([
      ['user: What is the capital of France?'],
      ['user: 继续刚才的任务'],
      ['user: 继续刚才的任务'],
    ]);
    const tools = server.requests.map(({ body }) =>
      (body as { tools?: { name: string }[] }).tools?.some(({ name }) => name === 'recall'),
    );
    expect(tools).toEqual([true, true, false, false]);
  });
});

describe.runIf(needs(hasTmux, 'tmux, which gives the program a terminal'))('at a terminal', () => {
  it('one line before the answer says where it came from', async () => {
    const cli = new Cli();
    const [foo, bar] = [folderIn(cli, 'foo'), folderIn(cli, 'bar')];
    const { env } = await startScript([{ text: progress }, { text: '明白，继续导航到沙发。' }]);
    await cli.json<Turn>(['chat', '-p', task], { env, cwd: foo });
    using screen = await TerminalScreen.open(cli, ['chat', '--project', bar, '--lang', 'zh'], { env, columns: 120 });
    await screen.shows(/\n>$/);
    screen.say('继续刚才的任务');
    await screen.shows(
      /> 继续刚才的任务\n(?:已写入 .*\n)?引自历史对话：“帮我设置导航到沙发”（项目 foo，刚刚，cnv_\w+）\n明白，继续导航到沙发。\n>/,
    );
    screen.press('C-d');
    await screen.shows('ended with 0');
  });
});

describe.runIf(needs(hasTmux, 'tmux, which gives the program a terminal'))('what is said while an answer comes', () => {
  it('brings its own earlier conversation, and that of the turn stays', async () => {
    const cli = new Cli();
    const [foo, lamps, bar] = [folderIn(cli, 'foo'), folderIn(cli, 'lamps'), folderIn(cli, 'bar')];
    const slow = { text: Array.from({ length: 25 }, (_, i) => `word${i} `), delayBetweenChunks: 100 };
    const { server, env } = await startScript([
      { text: 'Take E27, 2700 kelvin.' },
      { text: progress },
      slow,
      { text: 'Both noted.' },
    ]);
    await cli.json<Turn>(['chat', '-p', 'Which bulb fits the kitchen lantern?'], { env, cwd: lamps });
    await cli.json<Turn>(['chat', '-p', task], { env, cwd: foo });
    using screen = await TerminalScreen.open(cli, ['chat', '--project', bar], { env, columns: 120 });
    await screen.shows(/\n>$/);
    screen.say('继续刚才的任务');
    await screen.shows('word2');
    screen.say('and which bulb did we choose for the kitchen lantern?');
    await screen.shows('Both noted.');
    screen.press('C-d');
    await screen.shows('ended with 0');
    const said = saidTo(server.requests.at(-1) as never);
    expect(said).toHaveLength(3);
    const [begun, answered, joined] = said;
    expect(begun).toContain(`> ${progress}`);
    expect(begun?.endsWith('继续刚才的任务')).toBe(true);
    expect(answered).toContain('word24');
    expect(joined).toContain('> Take E27, 2700 kelvin.');
    expect(joined?.endsWith('and which bulb did we choose for the kitchen lantern?')).toBe(true);
    const { entries } = await cli.json<Shown>(['show', 'latest', '--all']);
    expect(entries.filter(({ role }) => role === 'user').map(({ text }) => text)).toEqual([
      '继续刚才的任务',
      'and which bulb did we choose for the kitchen lantern?',
    ]);
  });
});

describe('a private project', () => {
  it('shows in itself and nowhere else: search, recall, chat with a model and without', async () => {
    const cli = new Cli();
    const [secret, bar] = [folderIn(cli, 'secret'), folderIn(cli, 'bar')];
    const { server, env } = await startScript([{ text: '好的，沙发在海王星基地。' }, { text: 'x' }, { text: 'y' }]);
    await cli.json<Turn>(['chat', '-p', task], { env, cwd: secret });
    expect(await cli.json(['projects', 'private', 'here'], { cwd: secret })).toEqual({
      key: `path:${secret}`,
      name: 'secret',
      private: true,
      changed: true,
    });
    const listed = await cli.json<{ projects: { name: string; private: boolean; here: boolean }[] }>(['projects'], { cwd: bar });
    expect(listed.projects.map(({ name, private: isPrivate, here }) => ({ name, isPrivate, here }))).toEqual([
      { name: 'secret', isPrivate: true, here: false },
    ]);

    const outside = [
      await cli.run(['search', '海王星'], { cwd: bar }),
      await cli.run(['search', '海王星', '--project', secret], { cwd: bar }),
      await cli.run(['recall'], { cwd: bar }),
      await cli.run(['recall', '海王星基地'], { cwd: bar }),
      await cli.run(['chat', '-p', '继续刚才的任务'], { cwd: bar }),
      await cli.run(['chat', '-p', '海王星基地在哪里'], { cwd: bar }),
      await cli.run(['chat', '-p', '继续刚才的任务'], { cwd: bar, env }),
      await cli.run(['chat', '-p', '海王星基地在哪里'], { cwd: bar, env }),
    ];
    for (const { code, stdout, stderr } of outside) {
      expect(code).toBe(0);
      expect(`${stdout}${stderr}`).not.toMatch(/好的，沙发|帮我设置导航/);
    }
    expect(JSON.stringify(server.requests.slice(1).map(({ body }) => body))).not.toMatch(/好的，沙发|帮我设置导航/);

    const inside = await cli.json<{ hits: number }>(['search', '海王星', '--project', 'here'], { cwd: secret });
    expect(inside.hits).toBe(1);
    const off = await cli.json(['projects', 'private', 'secret', '--off'], { cwd: bar });
    expect(off).toMatchObject({ private: false, changed: true });
    expect((await cli.run(['search', '海王星'], { cwd: bar })).stdout).toContain('海王星基地');
  });
});
