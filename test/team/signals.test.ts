// A team that is told to end by a signal while a member speaks: the session is saved, with what had been said.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { closeScripts, startScript } from '../e2e/chat-server.ts';
import { Cli, collectResult, findProgram } from '../e2e/cli-program.ts';
import { hasTmux, TerminalScreen } from '../e2e/terminal-screen.ts';
import { needs } from '../support/require-system.ts';

closeScripts();

const suite = needs(hasTmux, 'tmux, which gives the program a terminal');
const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

async function prepare() {
  const cli = new Cli();
  const members = [
    { kind: 'human', id: 'max' },
    { kind: 'model', id: 'ana' },
  ];
  writeFileSync(join(cli.folder, 'team.json'), JSON.stringify({ id: 'review', name: 'Review', members }));
  const { env } = await startScript([{ text: ['I begin ', 'to speak, ', 'and go on'], delayBetweenChunks: 30_000 }]);
  return { cli, env };
}

async function expectSaved(cli: Cli): Promise<void> {
  const { sessions } = await cli.json<{ sessions: object[] }>(['team', 'history', 'review']);
  expect(sessions).toMatchObject([{ messages: 2, saved: true }]);
  const { entries } = await cli.json<{ entries: { kind: string; text: string; interrupted?: boolean }[] }>(['show', 'latest']);
  const messages = entries.filter(({ kind }) => kind === 'message');
  expect(messages.map(({ text, interrupted }) => [text.trim(), interrupted === true])).toEqual([
    ['Go', false],
    ['I begin', true],
  ]);
}

describe.each(signals)('at %s', (signal, status) => {
  it('a script saves the session', async () => {
    const { cli, env } = await prepare();
    const child = spawn(process.execPath, [await findProgram(), 'team', 'deploy', 'team.json', '-p', 'Go', '--stream-json'], {
      cwd: cli.folder,
      env: cli.environment(env),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = collectResult(child);
    const told: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      const { type } = JSON.parse(line);
      told.push(type);
      if (type === 'text-delta') child.kill(signal);
    }
    expect(await closed).toMatchObject({ code: status });
    expect(told.filter((type) => type === 'session-stopped')).toHaveLength(1);
    await expectSaved(cli);
  });

  it.runIf(suite)('a team in lines saves the session', async () => {
    const { cli, env } = await prepare();
    using screen = await TerminalScreen.open(cli, ['team', 'deploy', 'team.json'], { env });
    await screen.shows(/\n>$/);
    screen.say('Go');
    await screen.shows('I begin');
    screen.signalProgram(signal);
    await screen.shows(`ended with ${status}`);
    await expectSaved(cli);
  });

  it.runIf(suite)('the terminal application saves the session', async () => {
    const { cli, env } = await prepare();
    using screen = await TerminalScreen.open(cli, [], { env });
    await screen.shows(/nothing said yet$/);
    screen.say('/team deploy team.json');
    await screen.shows(/Team Review: max, ana\n/);
    screen.say('Go');
    await screen.shows('I begin');
    screen.signalProgram(signal);
    await screen.shows(`ended with ${status}`);
    await expectSaved(cli);
  });
});
