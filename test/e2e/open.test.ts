// continuo open: the command that goes on with an imported session, for each agent; and what is said where that is not possible.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../src/model/conversation.ts';
import { writeTalk } from '../transcripts/many-lines.ts';
import { furnish } from './agent-homes.ts';
import { Cli } from './cli-program.ts';
import { hasTmux, TerminalScreen } from './terminal-screen.ts';

interface OpenJson {
  agent: string;
  command: string;
  args: string[];
  cwd?: string;
  line: string;
  movedFrom: string | null;
}

const session = 'abcdefab-0000-4000-8000-000000000000';

/** A session of Claude Code that was held in the folder. */
function writeSession(cli: Cli, folder: string): string {
  const projects = join(cli.folder, '.claude/projects', folder.replace(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(projects, { recursive: true });
  const path = join(projects, `${session}.jsonl`);
  writeTalk(path, 2, (number) => `Words ${number}`);
  const text = execFileSync('sed', [`s#/home/dev/code/long#${folder}#`, path], { encoding: 'utf8' });
  writeFileSync(path, text);
  return path;
}

const key = `import:claude-code:${session}`;

function makeRepository(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env: { ...process.env, ...gitPerson } });
  git('init', '-q');
  writeFileSync(join(folder, 'README'), 'x');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
}

const gitPerson = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@b.c',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@b.c',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
};

describe('continuo open --print', () => {
  // Sessions of the fixtures, and the folder they were held in, as their files say it.
  const cases = [
    ['claude', 'claude-code', '18e5663c-2006-4faf-b6e6-d7e2b525e22d', 'claude --resume 18e5663c-2006-4faf-b6e6-d7e2b525e22d'],
    ['codex', 'codex', '01a1dc9b-1b76-7642-b4e3-f772d4105e1d', 'codex resume 01a1dc9b-1b76-7642-b4e3-f772d4105e1d'],
    ['gemini', 'gemini', undefined, 'gemini --resume '],
    ['qwen', 'qwen', undefined, 'qwen --resume '],
    ['pi', 'pi', undefined, 'pi --session '],
  ] as const;

  it.each(cases)('names the command of %s, with the folder it must be run in', async (fixture, agent, id, command) => {
    const cli = new Cli();
    furnish(cli, fixture);
    await cli.run(['import', agent]);
    const store = await cli.open();
    const { items } = await store.list({ agent, limit: 1000 });
    const isWanted = (each: Conversation) =>
      id === undefined ? !each.tags.includes('sub-agent') : each.key === `import:${agent}:${id}`;
    const chosen = items.find(isWanted) as Conversation;
    // The folders of the fixtures are not on this machine; one that is stands in for it.
    const folder = join(cli.folder, 'my project');
    mkdirSync(folder);
    const { import: state } = chosen.meta as { import: Record<string, string> };
    await store.mergeMeta(chosen.id, { import: { ...state, cwd: folder } });
    await store.close();
    const opened = await cli.json<OpenJson>(['open', chosen.id]);
    expect(opened).toMatchObject({ agent, cwd: folder, movedFrom: null });
    expect(opened.line.startsWith(`cd '${folder}' && ${command}`)).toBe(true);
    expect((await cli.run(['open', chosen.id, '--print'])).stdout).toBe(`${opened.line}\n`);
    const there = await cli.run(['open', chosen.id, '--print'], { cwd: folder });
    expect(there.stdout.startsWith(command)).toBe(true);
  });

  it('finds a project that was moved, by what it is', async () => {
    const cli = new Cli();
    const folder = join(cli.folder, 'old');
    makeRepository(folder);
    writeSession(cli, folder);
    await cli.run(['import']);
    const moved = join(cli.folder, 'moved/new');
    mkdirSync(join(cli.folder, 'moved'));
    renameSync(folder, moved);
    // From the folder itself, although nobody said anything there yet.
    const { stdout, stderr } = await cli.run(['open', key, '--print'], { cwd: moved });
    expect(stdout).toBe(`claude --resume ${session}\n`);
    expect(stderr).toContain(`The project moved from ${folder} to ${moved}.`);
    // From anywhere, when the store has seen it there.
    await cli.run(['append', 'hello', '--project', moved]);
    expect(await cli.json<OpenJson>(['open', key, '--quiet'])).toMatchObject({ cwd: moved, movedFrom: folder });
  });

  it('opens the session a sub-agent worked for', async () => {
    const cli = new Cli();
    furnish(cli, 'claude');
    await cli.run(['import']);
    const child = 'import:claude-code:359d69ab-9d9a-4937-85d4-6c586cc82372/a1c0554c1010cd76c';
    const { stderr } = await cli.run(['open', child, '--print']);
    expect(stderr).toContain('This is what a sub-agent did; the session it worked for is opened: cnv_');
  });

  it('says what is missing, and what to do instead', async () => {
    const cli = new Cli();
    const folder = join(cli.folder, 'project');
    mkdirSync(folder);
    const path = writeSession(cli, folder);
    await cli.run(['import']);
    expect((await cli.run(['open', key])).stderr).toContain('continuo open needs a terminal.');
    // The agent put the file elsewhere: it is found.
    const other = join(cli.folder, '.claude/projects/elsewhere');
    mkdirSync(other);
    cpSync(path, join(other, `${session}.jsonl`));
    rmSync(path);
    expect(await cli.json<OpenJson>(['open', key])).toMatchObject({ cwd: folder });
    rmSync(other, { recursive: true });
    expect(await cli.failure(['open', key])).toMatchObject({ code: 3, error: { code: 'session-source-gone' } });
    const gone = await cli.run(['open', key, '--print']);
    expect(gone.stderr).toMatch(/is not there any more: .*continuo handoff cnv_\w+ --to AGENT/s);
    expect((await cli.run(['open', key, '--print', '--lang', 'zh'])).stderr).toContain('已不在原处');
    await cli.run(['append', 'hello', '--key', 'mine']);
    const own = await cli.run(['open', 'mine', '--print']);
    expect(own.code).toBe(4);
    expect(own.stderr).toMatch(/it was not imported from an agent.*continuo chat --resume cnv_/s);
  });

  it('says so where the folder is gone and the project was seen nowhere else', async () => {
    const cli = new Cli();
    const folder = join(cli.folder, 'project');
    writeSession(cli, folder);
    await cli.run(['import']);
    const { code, stderr } = await cli.run(['open', key, '--print']);
    expect(code).toBe(4);
    expect(stderr).toContain(`its folder ${folder} is gone, and its project was seen nowhere else`);
  });
});

describe.skipIf(!hasTmux)('continuo open at a terminal', () => {
  it('runs the agent in its folder, and leaves with its code', async () => {
    const cli = new Cli();
    const folder = join(cli.folder, 'project');
    mkdirSync(folder);
    writeSession(cli, folder);
    await cli.run(['import']);
    using missing = await TerminalScreen.open(cli, ['open', key]);
    await missing.shows(/Claude Code is not installed.*ended with 6/s);
    const bin = join(cli.folder, 'bin');
    mkdirSync(bin);
    // Ctrl-C is the agent's, as long as it runs.
    const agent = '#!/bin/sh\necho "claude runs in $(pwd): $*"; read line; echo "heard $line"; exit 3\n';
    writeFileSync(join(bin, 'claude'), agent, { mode: 0o755 });
    using screen = await TerminalScreen.open(cli, ['open', key], { env: { PATH: `${bin}:${process.env.PATH}` } });
    await screen.shows(new RegExp(`claude runs in .*project: --resume ${session}`, 's'));
    screen.signalProgram('SIGINT');
    screen.say('hello');
    await screen.shows(/heard hello\s+ended with 3/);
  }, 60_000);
});
