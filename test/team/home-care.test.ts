// The session files of a team under every command that cares for the home, through the program itself.
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { Cli } from '../e2e/cli-program.ts';
import { createMarkedWord, findWords, listPaths } from '../support/raw-files.ts';

interface Deployed {
  sessionId: string;
  conversationId: string;
  snapshot: string;
  messages: { content: string }[];
}

const key = { CONTINUO_PASSPHRASE: 'correct horse battery' };

async function deploy(cli: Cli, word: string, env: Record<string, string> = {}, ...more: string[]): Promise<Deployed> {
  const members = [
    { kind: 'human', id: 'max', name: 'Max', role: 'Owner' },
    { kind: 'model', id: 'ana', name: 'Ana', role: 'Reviewer' },
  ];
  writeFileSync(join(cli.folder, 'team.json'), JSON.stringify({ id: 'review', name: 'Review', members }));
  return cli.json<Deployed>(['team', 'deploy', 'team.json', '-p', word, ...more], { env });
}

const filesOf = (home: string) =>
  listPaths(join(home, 'sessions'))
    .filter((path) => statSync(path).isFile())
    .map((path) => relative(home, path));

it('purge and sweep name the files, take them away, and leave those of others', async () => {
  const cli = new Cli();
  const words = [createMarkedWord(), createMarkedWord(), createMarkedWord()] as const;
  const purged = await deploy(cli, words[0]);
  const swept = await deploy(cli, words[1]);
  const stays = await deploy(cli, words[2]);
  const aside = `${purged.snapshot}.damaged-20251125T140000000Z`;
  writeFileSync(aside, `half ${words[0]}`, { mode: 0o600 });
  await cli.json(['trash', purged.conversationId]);
  expect(existsSync(purged.snapshot)).toBe(true);
  expect(await cli.json(['purge', purged.conversationId, '--yes'])).toMatchObject({
    purged: [purged.conversationId],
    sessionFiles: [purged.snapshot, aside],
  });
  expect(findWords(cli.home, [words[0]])).toEqual({});

  await cli.json(['trash', swept.conversationId]);
  await cli.run(['config', 'set', 'trash.grace_days', '0']);
  const plan = await cli.run(['sweep', '--dry-run', '--lang', 'zh']);
  expect(plan.stdout).toContain(`连同 1 个团队会话文件：\n  ${relative(cli.home, swept.snapshot)}`);
  expect((await cli.run(['sweep'])).stdout).toContain('1 session file of a team went along.');
  expect(findWords(cli.home, [words[1]])).toEqual({});
  expect(filesOf(cli.home)).toEqual([relative(cli.home, stays.snapshot)]);
  const again = await deploy(cli, words[2], {}, '--resume', stays.sessionId);
  expect(again.sessionId).toBe(stays.sessionId);
});

it('encrypt seals them, decrypt opens them, and the session goes on in between', async () => {
  const cli = new Cli();
  const word = createMarkedWord();
  const first = await deploy(cli, word);
  const aside = `${first.snapshot}.damaged-20251125T140000000Z`;
  writeFileSync(aside, `half ${word}`, { mode: 0o600 });
  expect(await cli.run(['encrypt'], { env: key })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('1 damaged session file was converted byte by byte'),
  });
  expect(findWords(cli.home, [word])).toEqual({});
  const second = await deploy(cli, word, key, '--resume', first.sessionId);
  expect(second.snapshot).toBe(first.snapshot);
  expect(findWords(cli.home, [word])).toEqual({});
  expect(await cli.json(['decrypt'], { env: key })).toMatchObject({ encrypted: false, sessions: 1, damagedSessions: [aside] });
  expect(readFileSync(aside, 'utf8')).toBe(`half ${word}`);
  const third = await deploy(cli, word, {}, '--resume', first.sessionId);
  expect(JSON.parse(readFileSync(third.snapshot, 'utf8'))).toMatchObject({ metadata: { messageCount: 6 } });
});

it('backup carries them and proves it, restore-backup brings them back', async () => {
  const cli = new Cli();
  const word = createMarkedWord();
  const first = await deploy(cli, word);
  const folder = join(cli.folder, 'monday');
  expect(await cli.json(['backup', folder, '--verify'])).toMatchObject({ verified: { conversations: 1, sessions: 1 } });
  const home = join(cli.folder, 'restored');
  await cli.json(['restore-backup', folder, '--home', home]);
  expect(filesOf(home)).toEqual([relative(cli.home, first.snapshot)]);
  const again = await deploy(cli, word, { CONTINUO_HOME: home }, '--resume', first.sessionId);
  expect(relative(home, again.snapshot)).toBe(relative(cli.home, first.snapshot));
});

it('doctor and stats tell of them, in both languages', async () => {
  const cli = new Cli();
  expect((await cli.run(['stats'])).stdout).not.toContain('Team sessions');
  const first = await deploy(cli, createMarkedWord());
  const second = await deploy(cli, createMarkedWord());
  expect((await cli.run(['doctor'])).stdout).toContain('2 session files of 1 team can be read');
  writeFileSync(`${first.snapshot}.damaged-20251125T140000000Z`, 'half', { mode: 0o600 });
  writeFileSync(second.snapshot, '{"half');
  chmodSync(first.snapshot, 0o644);
  const sick = await cli.run(['doctor']);
  expect(sick.code).toBe(1);
  for (const sentence of [
    '1 session file of 1 team can be read',
    'Nothing is lost: every message is in the log.',
    '1 damaged session file was set aside',
    '1 session file among them can be read by other users',
  ])
    expect(sick.stdout).toContain(sentence);
  expect((await cli.run(['doctor', '--lang', 'zh'])).stdout).toContain('有 1 个损坏的会话文件被移到一边');
  expect((await cli.run(['stats'])).stdout).toMatch(/Team sessions +1 of 1 team \(.*\), 2 damaged/);
  expect((await cli.run(['stats', '--lang', 'zh'])).stdout).toMatch(/团队会话 +1 个，属于 1 个团队（.*），其中 2 个文件已损坏/);
  expect(await cli.json(['stats'])).toMatchObject({ sessions: { sessions: 1, teams: 1, unreadable: 1, setAside: 1 } });
  const again = await cli.run(['team', 'deploy', 'team.json', '-p', 'go on', '--resume', second.sessionId]);
  expect(again.code).toBe(0);
  expect(await cli.json(['stats'])).toMatchObject({ sessions: { sessions: 2, unreadable: 0, setAside: 2 } });
});

it('doctor --fix seals what lies plain beside an encrypted store', async () => {
  const cli = new Cli();
  const word = createMarkedWord();
  const { snapshot } = await deploy(cli, word);
  const plain = readFileSync(snapshot);
  await cli.run(['encrypt'], { env: key });
  writeFileSync(snapshot, plain);
  expect((await cli.run(['doctor'], { env: key })).stdout).toContain(
    '1 session file is not sealed although the store is encrypted',
  );
  expect(await cli.run(['doctor', '--fix'], { env: key })).toMatchObject({ code: 0 });
  expect(findWords(cli.home, [word])).toEqual({});
});
