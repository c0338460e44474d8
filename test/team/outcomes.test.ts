// How continuo team deploy ends, for scripts: who was called, who answered, what is kept, and what is said about it.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { closeScripts, startScript } from '../e2e/chat-server.ts';
import { Cli } from '../e2e/cli-program.ts';

closeScripts();

function prepare(...ids: string[]): Cli {
  const cli = new Cli();
  const members = [{ kind: 'human', id: 'me' }, ...ids.map((id) => ({ kind: 'model', id }))];
  writeFileSync(join(cli.folder, 'team.json'), JSON.stringify({ id: 'crew', name: 'Crew', members }));
  return cli;
}

const deploy = ['team', 'deploy', 'team.json'];

it.each(['[NEXT: nobody] x', '[NEXT: me] x'])('where %j calls no member, that is a failure and told', async (words) => {
  const cli = prepare('ana');
  const { code, stdout, stderr } = await cli.run([...deploy, '-p', words]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('No member of the team was called, so nobody answered.');
  const json = await cli.run([...deploy, '-p', words, '--json', '--lang', 'zh']);
  expect({ code: json.code, messages: (JSON.parse(json.stdout) as { messages: object[] }).messages.length }).toEqual({
    code: 1,
    messages: 1,
  });
});

it('where nothing is kept there is nothing to go on with, and nothing offers it', async () => {
  const cli = prepare('ana');
  const { env } = await startScript([{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }]);
  const { code, stdout, stderr } = await cli.run([...deploy, '-p', 'x', '--policy', 'none'], { env });
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'ana:\nOne.\n\n' });
  expect(stderr).toMatch(/Nothing was kept: the policy of this conversation is none\.\n$/);
  expect(stderr).not.toContain('--resume');
  expect(await cli.json(['team', 'history', 'crew'])).toEqual({ team: 'crew', sessions: [] });
  expect(await cli.json(['team', 'list'])).toMatchObject({ teams: [{ id: 'crew', sessions: 0 }] });
  expect((await cli.run([...deploy, '-p', 'y'], { env })).stderr).not.toContain('This team has');
});

it('without a session --resume says so, and takes a file name for what it is', async () => {
  const cli = prepare('ana');
  const { env } = await startScript([{ text: 'One.' }, { text: 'Two.' }]);
  const none = await cli.run([...deploy, '--resume', '-p', 'x'], { env });
  expect(none).toMatchObject({
    code: 3,
    stderr: 'Error: The team Crew has no session to go on with yet. Without --resume a new one begins.\n',
  });
  expect((await cli.run([...deploy, '--resume', '-p', 'x', '--lang', 'zh'], { env })).stderr).toBe(
    '错误：团队 Crew 还没有可以接着聊的会话。不加 --resume 就会新开一个。\n',
  );
  const { sessionId } = await cli.json<{ sessionId: string }>([...deploy, '-p', 'x'], { env });
  expect(await cli.json(['team', 'deploy', '--resume', 'team.json', '-p', 'y'], { env })).toMatchObject({
    resumed: true,
    sessionId,
  });
});

it('the time that ran out is told as that', async () => {
  const cli = prepare('ana');
  const slow = { text: ['slow ', 'slower'], delayBetweenChunks: 60_000 };
  const { env } = await startScript([slow, slow]);
  const { code, stderr } = await cli.run([...deploy, '-p', 'x', '--timeout', '1s'], { env });
  expect(code).toBe(1);
  expect(stderr).toContain('Stopped: the time was up. What had been said is saved.\n');
  const json = await cli.run([...deploy, '-p', 'x', '--timeout', '1s', '--json'], { env });
  expect({ code: json.code, told: JSON.parse(json.stdout) }).toMatchObject({ code: 1, told: { reason: 'timeout' } });
});

it('a session file that cannot be read is told once, and where it went', async () => {
  const cli = prepare('ana');
  const { env } = await startScript([{ text: 'One.' }, { text: 'Two.' }]);
  await cli.json([...deploy, '-p', 'x'], { env });
  const folder = join(cli.home, 'sessions', 'crew');
  const [file = ''] = readdirSync(folder);
  writeFileSync(join(folder, file), 'not a session');
  const { code, stderr } = await cli.run([...deploy, '--resume', '-p', 'y'], { env });
  const aside = readdirSync(folder).find((name) => name !== file) ?? '';
  expect(aside).toMatch(/\.json\.damaged-/);
  expect({ code, told: stderr.split('\n').slice(0, -2) }).toEqual({
    code: 0,
    told: [
      expect.stringMatching(/^The session file .* cannot be read: .*\. What the log has of the session is there all the same\.$/),
      'The session goes on from the log; nothing of it is missing.',
      `A new session file took the place of ${join(folder, file)}; the damaged one is kept as ${aside}.`,
    ],
  });
});

it('members without a model look for what the human said, not for what the one before them said', async () => {
  const cli = prepare('ana', 'bob');
  const { messages } = await cli.json<{ messages: { content: string }[] }>([...deploy, '-p', 'the brass key']);
  expect(messages.slice(1).map(({ content }) => content.includes('fits "the brass key"'))).toEqual([true, true]);
});
