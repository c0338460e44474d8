// Sessions of continuo code that were cut off: by Ctrl-C, by a signal, by kill -9, by a move to another folder or another home; and
// what is listed of them.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { closeScripts } from './chat-server.ts';
import { Cli, collectResult, findProgram, type Result } from './cli-program.ts';
import { allowed, allowedWithNpm, type Checker, createRepository, passesTest, startModel } from './code-repository.ts';

closeScripts();

const task = 'The test of add fails. Mend it.';

describe('a session that was stopped', () => {
  it.each([
    { signal: 'SIGINT', status: 130 },
    { signal: 'SIGTERM', status: 143 },
    { signal: 'SIGHUP', status: 129 },
  ] as const)('by $signal is saved, and the command that is said goes on with it', async ({ signal, status }) => {
    const cli = new Cli();
    const root = createRepository(cli);
    const { result, env } = await stopAfterEdit(cli, root, signal);
    expect(result.code).toBe(status);
    const [, words = ''] =
      /Stopped\. What had been said and done is saved\.\nGo on with: continuo (.*)\n$/.exec(result.stderr) ?? [];
    expect(words).toMatch(/^code --resume ses_\w+$/);
    const again = await cli.run([...words.split(' '), ...allowed], { env, cwd: root });
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('Done.\n') });
    expect(again.stderr).toMatch(/Restored from .*: saved just now, \d+ messages, [\d.]+ (Ki)?B\./);
    expect(passesTest(root)).toBe(true);
  });
});

describe('work that is stopped before its first word', () => {
  it('is no error at Ctrl-C, and a time limit is told as that', async () => {
    const cli = new Cli();
    const root = createRepository(cli);
    const { env } = await startModel();
    // Git that never answers the first question only the agent asks: what the person has changed.
    const bin = join(cli.folder, 'bin');
    const begun = join(cli.folder, 'begun');
    mkdirSync(bin);
    const script = `#!/bin/sh\ncase "$*" in *porcelain=v2*) touch '${begun}'; exec sleep 60;; esac\nPATH=\${PATH#*:} exec git "$@"\n`;
    writeFileSync(join(bin, 'git'), script, { mode: 0o755 });
    const slow = { ...env, PATH: `${bin}:${process.env.PATH}` };
    const late = await cli.run(['code', task, '--timeout', '2'], { env: slow, cwd: root });
    expect([late.code, late.stderr]).toEqual([1, expect.stringMatching(/Error: The work .*2 seconds/)]);
    rmSync(begun, { force: true });
    const child = spawn(process.execPath, [await findProgram(), 'code', task], {
      cwd: root,
      env: cli.environment(slow),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = collectResult(child);
    await expect.poll(() => existsSync(begun), { timeout: 30_000 }).toBe(true);
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect([code, stderr]).toEqual([130, expect.not.stringContaining('Error')]);
    expect(existsSync(join(root, '.continuo'))).toBe(false);
  });
});

describe('a session that was killed', () => {
  it('goes on in a new process with all that was said, and finishes', async () => {
    const cli = new Cli();
    const root = createRepository(cli, 'npm');
    const { env, server } = await stopAfterEdit(cli, root, 'SIGKILL', 'npm');
    const before = server.requests.length;
    const report = await cli.json(['code', '--resume', ...allowedWithNpm], { env, cwd: root });
    expect(report).toMatchObject({ task, root, resumed: true, outcome: 'done', changes: { files: [{ path: 'add.js' }] } });
    expect(passesTest(root)).toBe(true);
    // The first request of the new process: the task, what was read and what was edited, then that it goes on.
    const messages = server.requests[before]?.body.messages as { role: string; content: string }[];
    expect(messages.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
      task,
      expect.stringContaining('taken up again'),
    ]);
    expect(messages.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual([
      expect.stringContaining('a - b'),
      expect.stringContaining('Edited add.js'),
    ]);
    expect(await cli.json(['code', 'sessions'], { cwd: root })).toMatchObject({ sessions: [{ task, branch: 'main' }] });
  });

  it.each(['the same home', 'another home'])('goes on after the repository was moved, with %s', async (home) => {
    const cli = new Cli();
    const root = createRepository(cli);
    const { env } = await stopAfterEdit(cli, root, 'SIGKILL');
    const moved = join(root, '..', '搬家 了');
    renameSync(root, moved);
    const there = home === 'another home' ? { ...env, CONTINUO_HOME: join(cli.folder, 'elsewhere') } : env;
    const result = await cli.run(['code', '--resume', ...allowed], { env: there, cwd: moved });
    expect(result).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Done.\nCHANGE   +  -  FILE\nchanged  1  1  add.js\n'),
    });
    expect(result.stderr).toContain(`The project was at ${root} when the session was saved. The work goes on in ${moved}.`);
    expect(passesTest(moved)).toBe(true);
  });
});

describe('saved sessions', () => {
  it('are listed with what is wrong with them, in Chinese and as JSON, and the newest that is whole is taken', async () => {
    const cli = new Cli();
    const root = createRepository(cli);
    mkdirSync(join(root, '.jarvis'));
    const old = {
      messages: [
        { role: 'user', content: '旧任务' },
        { role: 'assistant', content: '好' },
      ],
      model_name: 'gpt-4o',
    };
    const legacy = join(root, '.jarvis', 'saved_session_code_agent_openai_gpt-4o_20240101.json');
    writeFileSync(legacy, JSON.stringify(old));
    utimesSync(legacy, 1_704_067_200, 1_704_067_200);
    const { env } = await startModel({ instead: () => ({ text: '好的。' }) });
    const { session } = await cli.json<{ session: { id: string; path: string } }>(['code', '检查导航模块'], { env, cwd: root });
    const folder = join(root, '.continuo');
    writeFileSync(join(folder, 'saved_session_code_agent_x_y_damaged.json'), '{"version":"1.0","saved_at":');
    const newer = { ...JSON.parse(readFileSync(session.path, 'utf8')), version: '9.0', id: 'ses_newer' };
    writeFileSync(join(folder, 'saved_session_code_agent_x_y_newer.json'), JSON.stringify(newer));

    const listed = await cli.run(['code', 'sessions', '--lang', 'zh', '--root', root]);
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    const lines = listed.stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^ID +保存于 +大小 +消息 +分支 +任务$/);
    expect(lines.length).toBe(5);
    expect(listed.stdout).toMatch(new RegExp(`^${session.id} +刚刚 +[\\d.]+ (Ki)?B +2 +main +检查导航模块$`, 'm'));
    expect(listed.stdout).toMatch(/damaged +刚刚 .*已损坏：不是 JSON$/m);
    expect(listed.stdout).toMatch(/newer +刚刚 .*由更新的 Continuo 写入（版本 9\.0），请升级后打开$/m);
    expect(listed.stdout).toMatch(/20240101 .* 2 +（旧程序） 旧任务/);

    const { sessions } = await cli.json<{ sessions: Record<string, unknown>[] }>(['code', 'sessions'], { cwd: root });
    expect(
      sessions.map(({ problem, legacy, task: about }) => [(problem as { code: string } | null)?.code ?? null, legacy, about]),
    ).toEqual(
      expect.arrayContaining([
        [null, false, '检查导航模块'],
        ['session-damaged', false, null],
        ['session-newer', false, null],
        [null, true, '旧任务'],
      ]),
    );

    const again = await cli.run(['code', '--resume', '--json'], { env, cwd: root });
    const report = JSON.parse(again.stdout);
    expect(report).toMatchObject({ task: '检查导航模块', resumed: true, outcome: 'unchanged' });
    expect(report.notices.map(({ code }: { code: string }) => code)).toEqual(
      expect.arrayContaining(['session-damaged', 'session-newer', 'session-restored']),
    );
  });

  it('of an older program go on here, with what they lack taken from here', async () => {
    const cli = new Cli();
    const root = createRepository(cli, 'npm');
    mkdirSync(join(root, '.jarvis'));
    const path = join(root, '.jarvis', 'saved_session_code_agent_openai_gpt-4o_20240101.json');
    const old = {
      messages: [
        { role: 'user', content: task },
        { role: 'assistant', content: 'I look.' },
      ],
      model_name: 'local-test',
    };
    writeFileSync(path, JSON.stringify(old));
    const { env, server } = await startModel({ checker: 'npm' });
    const before = readFileSync(path, 'utf8');
    // Named by its file, from elsewhere: the project is where the file lies.
    const report = await cli.json<{ session: { path: string }; notices: { code: string }[] }>(
      ['code', 'And quickly.', '--resume', path, ...allowedWithNpm],
      { env },
    );
    expect(report).toMatchObject({ root, resumed: true, outcome: 'done', task: `${task}\n\nAnd quickly.` });
    expect(report.notices.map(({ code }) => code)).toContain('session-upgraded');
    expect(JSON.stringify(server.requests[0]?.body.messages)).toMatch(/Mend it\..*I look\..*And quickly\./);
    expect(report.session.path.startsWith(join(root, '.continuo'))).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(passesTest(root)).toBe(true);
  });

  it('of a copy are the copy’s own', async () => {
    const cli = new Cli();
    const root = createRepository(cli, 'npm');
    const { env } = await stopAfterEdit(cli, root, 'SIGKILL', 'npm');
    const copy = join(root, '..', 'copy');
    cpSync(root, copy, { recursive: true });
    expect(await cli.json(['code', '--resume', '--root', copy, ...allowedWithNpm], { env })).toMatchObject({
      root: copy,
      outcome: 'done',
    });
    expect(passesTest(copy)).toBe(true);
    expect(readdirSync(join(copy, '.continuo')).filter((name) => name.endsWith('.json')).length).toBe(1);
  });
});

/** Begins the task, and stops the program while it waits for the model's next step after the edit. */
async function stopAfterEdit(cli: Cli, root: string, signal: NodeJS.Signals, checker: Checker = 'make') {
  let isWaiting: () => void = () => undefined;
  const waits = new Promise<void>((resolve) => {
    isWaiting = resolve;
  });
  let isStopped = false;
  const { env, server } = await startModel({
    checker,
    instead: ({ calls }) => {
      if (isStopped || !calls.includes('edit_file')) return undefined;
      isWaiting();
      return { fault: { type: 'hang', after: 0 } };
    },
  });
  const child = spawn(process.execPath, [await findProgram(), 'code', task, ...allowed], {
    cwd: root,
    env: cli.environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = collectResult(child);
  await Promise.race([waits, ended]);
  isStopped = true;
  child.kill(signal);
  const result: Result = await ended;
  return { result, env, server };
}
