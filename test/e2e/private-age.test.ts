// A private project stays private however much was said elsewhere since: what it is called, where it was and what looks like it is found
// among conversations of any age.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mostLookedAt } from '../../src/project/newest-conversations.ts';
import { call, connect } from '../mcp-server/server-lab.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';
import { Cli } from './cli-program.ts';

const session = '0b9c6d0e-5d1e-4a57-8f0e-2a8f5f3c1d22';

it('is recognised by its name and in its clones, by every door', { timeout: 300_000 }, async () => {
  const cli = new Cli({}, createQuickFolder('cli'));
  const [vault, other] = ['vault', 'other'].map((name) => join(cli.folder, name)) as [string, string];
  for (const folder of [vault, other]) mkdirSync(folder);
  writeFileSync(join(vault, 'README'), 'vault');
  git(vault, 'init');
  git(vault, 'add', '.');
  git(vault, 'commit', '-m', 'first');
  git(vault, 'commit', '--allow-empty', '-m', 'second');
  await cli.json(['append', '--project', 'here', 'The vault code is Neptune.'], { cwd: vault });
  const store = await cli.open();
  for (let i = 0; i <= mostLookedAt; i++) await store.create({ project: 'path:/somewhere/else' });
  await store.close();
  const env = { CONTINUO_PRIVATE_PROJECTS: 'vault' };
  const hits = async (word: string) => (await cli.json<{ hits: number }>(['search', word], { cwd: other, env })).hits;
  expect(await hits('Neptune')).toBe(0);

  // It knows its origin and not where its history begins.
  const [said, imported] = ['said', 'imported'].map((name) => join(cli.folder, name)) as [string, string];
  for (const clone of [said, imported]) git(vault, 'clone', '--depth', '1', `file://${vault}`, clone);
  const first = await cli.run(['append', '--project', 'here', 'The safe word is Bandicootium.'], { cwd: said, env });
  expect(first.stderr).toContain('looks like the private project vault');
  writeSession(cli, imported, 'The other word is Quokkanite.');
  await cli.json(['import', 'claude-code'], { cwd: other, env });
  await using again = await cli.open();
  expect((await again.find(`import:claude-code:${session}`))?.meta.recall).toBe('excluded');
  const client = await connect(cli, { cwd: other, env });
  for (const word of ['Neptune', 'Bandicootium', 'Quokkanite']) {
    expect(await hits(word)).toBe(0);
    expect((await call(client, 'search_conversations', { query: word })).data.hits).toEqual([]);
  }
});

function git(folder: string, ...args: string[]): void {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'init.defaultBranch=main'];
  execFileSync('git', [...who, ...args], { cwd: folder, stdio: 'ignore' });
}

function writeSession(cli: Cli, cwd: string, text: string): void {
  const folder = join(cli.folder, '.claude', 'projects', 'clone');
  mkdirSync(folder, { recursive: true });
  const said = {
    type: 'user',
    uuid: 'a1',
    parentUuid: null,
    timestamp: '2026-03-01T10:00:00.000Z',
    message: { role: 'user', content: text },
  };
  writeFileSync(join(folder, `${session}.jsonl`), `${JSON.stringify({ ...said, sessionId: session, cwd, version: '2.1.0' })}\n`);
}
