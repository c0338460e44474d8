// continuo team check: whether everybody could speak here, told to people and to scripts.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Cli } from '../e2e/cli-program.ts';
import { writeFakeProgram } from '../support/fake-agent-program.ts';

const human = { kind: 'human', id: 'me' };
const template = (id: string, command: string) => ({ kind: 'program', id, program: 'template', command: [command] });

function prepare(members: object[]): Cli {
  const cli = new Cli();
  writeFileSync(join(cli.folder, 'team.json'), JSON.stringify({ id: 'crew', name: 'Crew', members: [human, ...members] }));
  return cli;
}

it('finds programs where the system finds them: in the PATH, by their path and from the folder', async () => {
  const program = writeFakeProgram('');
  const cli = prepare([template('a', 'node'), template('b', program), template('c', './here')]);
  writeFileSync(join(cli.folder, 'here'), '#!/bin/sh\n', { mode: 0o755 });
  const { code, stdout, stderr } = await cli.run(['team', 'check', 'team.json']);
  expect({ code, said: stdout.split('\n')[0], stderr }).toEqual({ code: 0, said: 'Crew (crew) is fine.', stderr: '' });
});

it('tells who could not speak, and ends with the code that the team would fail with', async () => {
  const cli = prepare([
    { kind: 'program', id: 'ana', program: 'claude', path: '/nonexistent' },
    template('bob', 'nonexistent-prog'),
    template('cyd', './locked'),
    template('dan', './folder'),
    { kind: 'model', id: 'eve', model: 'nope:x' },
    { kind: 'model', id: 'fay', model: 'offline' },
  ]);
  writeFileSync(join(cli.folder, 'locked'), 'no program');
  chmodSync(join(cli.folder, 'locked'), 0o644);
  const { code, stdout, stderr } = await cli.run(['team', 'check', 'team.json']);
  expect({ code, said: stdout.split('\n')[0] }).toEqual({
    code: 6,
    said: 'The file of Crew (crew) is right, but 5 members could not speak here.',
  });
  expect(stderr.split('\n').map((line) => line.split('. ')[0])).toEqual([
    'ana could not speak here: The program claude could not be started: there is no program /nonexistent',
    'bob could not speak here: The program bob could not be started: there is no program nonexistent-prog',
    'cyd could not speak here: The program cyd could not be started: ./locked may not be run',
    'dan could not speak here: The program dan could not be started: there is no program ./folder',
    'eve could not speak here: There is no provider "nope"',
    '',
  ]);
  const chinese = await cli.run(['team', 'check', 'team.json', '--lang', 'zh']);
  expect(chinese.stdout.split('\n')[0]).toBe('Crew（crew）的文件没有问题，但有 5 个成员在这里无法发言。');
  const { code: status, stdout: json } = await cli.run(['team', 'check', 'team.json', '--json']);
  expect(status).toBe(6);
  expect((JSON.parse(json) as { members: { problem?: { code: string } }[] }).members.map(({ problem }) => problem?.code)).toEqual(
    [undefined, ...Array(4).fill('program-missing'), 'provider-unknown', undefined],
  );
});
