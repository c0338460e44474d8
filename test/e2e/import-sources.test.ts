// continuo import of files and folders that somebody names: what lies there is found, and what cannot be read is told.
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { expect, it } from 'vitest';
import { furnish, type ImportJson, listAll } from './agent-homes.ts';
import { Cli } from './cli-program.ts';
import { canBeHeld, runHeld } from './held-program.ts';

/** Folders of agents, and what their sessions are called there. */
const agents = {
  claude: ['.claude', /projects\/[^/]+\/[0-9a-f-]{36}\.jsonl$/],
  codex: ['.codex', /rollout-[^/]+\.jsonl$/],
  gemini: ['.gemini', /chats\/session-[^/]+\.jsonl$/],
  qwen: ['.qwen', /chats\/[^/]+\.jsonl$/],
  pi: ['.pi', /Z_[^/]+\.jsonl$/],
  copilot: ['.copilot', /events\.jsonl$/],
  continue: ['.continue', /sessions\/[0-9a-f-]{36}\.json$/],
  opencode: ['.local', /opencode\.db$/],
} as const;
type Agent = keyof typeof agents;

async function report(cli: Cli, ...words: string[]): Promise<ImportJson & { code: number | null }> {
  const { code, stdout } = await cli.run(['import', ...words, '--json']);
  return { code, ...(JSON.parse(stdout) as ImportJson) };
}

interface Copied {
  cli: Cli;
  /** The agents' folders, under other names. */
  folder: string;
  /** One of each. */
  sessions: string[];
}

function copyHomes(...names: Agent[]): Copied {
  const cli = new Cli();
  furnish(cli, ...names);
  const folder = join(cli.folder, 'copy');
  mkdirSync(folder);
  const sessions = names.map((name) => {
    const copy = join(folder, name);
    renameSync(join(cli.folder, agents[name][0]), copy);
    const found = readdirSync(copy, { withFileTypes: true, recursive: true }).map((each) => join(each.parentPath, each.name));
    // Those of Gemini CLI that are shorter are empty.
    return found.find((path) => agents[name][1].test(path) && readFileSync(path).length > 2000) as string;
  });
  return { cli, folder, sessions };
}

/** A copy of each session where its agent would have it, and of nothing else. */
function copyAlone({ cli, folder, sessions }: Copied): string[] {
  return sessions.map((session) => {
    const alone = join(cli.folder, 'alone', session.slice(folder.length));
    mkdirSync(dirname(alone), { recursive: true });
    cpSync(session, alone);
    return alone;
  });
}

const tomorrow = new Date(Date.now() + 48 * 3600 * 1000).toISOString().slice(0, 10);
const pathsOf = ({ failed, broken }: ImportJson) => [...new Set([...failed, ...broken].map(({ path }) => path))].sort();

it('tells which sessions are damaged, of every agent, and takes the others', async () => {
  const copied = copyHomes('claude', 'codex', 'gemini', 'qwen', 'pi', 'copilot', 'continue', 'opencode');
  const { cli, folder, sessions } = copied;
  const before = await report(cli, folder, '--dry-run');
  const lost = before.found.find(({ agent }) => agent === 'opencode')?.sessions ?? 0;
  for (const session of sessions) writeFileSync(session, Buffer.alloc(3000, 'no session at all \u00ff'));
  const damaged = await report(cli, folder);
  expect([damaged.code, pathsOf(damaged)]).toEqual([5, [...sessions].sort()]);
  expect(damaged.sources.created).toBe((before.sources.created ?? 0) - lost - (sessions.length - 1));
  const alone = copyAlone(copied).filter((path) => !path.includes('/continue/'));
  const bare = await report(cli, 'alone');
  expect([bare.code, pathsOf(bare)]).toEqual([5, [...alone].sort()]);
  const named = await report(cli, ...sessions);
  expect([named.code, pathsOf(named)]).toEqual([5, [...sessions].sort()]);
}, 30_000);

it('takes a session whose first line is damaged by its path as by its agent', async () => {
  const copied = copyHomes('claude', 'codex', 'gemini', 'qwen', 'pi', 'copilot');
  for (const session of copied.sessions) {
    const [first = '', ...rest] = readFileSync(session, 'utf8').split('\n');
    writeFileSync(session, [`#${first.slice(1)}`, ...rest].join('\n'));
  }
  const alone = copyAlone(copied);
  const found = await report(copied.cli, 'alone');
  expect(found).toMatchObject({ code: 0, sources: { created: alone.length, failed: 0 } });
  expect(found.broken.map(({ path, line }) => [path, line]).sort()).toEqual(alone.map((path) => [path, 1]).sort());
  expect(await report(copied.cli, ...copied.sessions)).toMatchObject({ code: 0, sources: { created: 0, failed: 0 } });
}, 30_000);

it.runIf(canBeHeld)('tells of a folder that may not be looked into', async () => {
  const { cli, folder } = copyHomes('codex');
  const closed = join(folder, 'codex/sessions');
  chmodSync(closed, 0o000);
  const { code, stdout } = await runHeld(cli, ['import', 'copy']);
  chmodSync(closed, 0o700);
  expect(code).toBe(5);
  expect(stdout).toContain(`  ${closed}: not readable (EACCES)`);
});

it('follows a link that is named, and says of one that leads nowhere what it says of what is not there', async () => {
  const { cli, folder, sessions } = copyHomes('claude');
  symlinkSync(sessions[0] as string, join(cli.folder, 'session.jsonl'));
  expect(await report(cli, 'session.jsonl')).toMatchObject({ code: 0, sources: { created: 1 } });
  symlinkSync(folder, join(cli.folder, 'link'));
  expect(await report(cli, 'link')).toMatchObject({ code: 0, sources: { created: 18, unchanged: 1 } });
  symlinkSync('nowhere', join(cli.folder, 'dangling'));
  for (const word of ['dangling', ''])
    expect(await cli.failure(['import', word])).toMatchObject({
      code: 2,
      error: { code: 'usage', message: expect.stringContaining(`"${word}" is neither an agent nor a file or folder`) },
    });
});

it('finds sessions under other names in a folder as it does by themselves, and a copy only once', async () => {
  const { cli, folder, sessions } = copyHomes('claude', 'codex', 'gemini', 'qwen', 'pi', 'copilot', 'continue');
  mkdirSync(join(cli.folder, 'others'));
  sessions.forEach((session, index) => {
    cpSync(session, join(cli.folder, 'others', `mine-${index}${extname(session)}`));
  });
  expect(await report(cli, 'others')).toMatchObject({ code: 0, sources: { created: sessions.length } });
  const { created } = (await report(cli, folder)).sources;
  expect((await listAll(cli)).length).toBe((created ?? 0) + sessions.length);
  for (const session of sessions) cpSync(session, join(dirname(session), `copy${extname(session)}`));
  expect(await report(cli, folder)).toMatchObject({ code: 0, sources: { created: 0, grown: 0 } });
}, 30_000);

it('tells of a named folder without sessions beside others, and of one by itself that nothing was found', async () => {
  const { cli, sessions } = copyHomes('claude');
  mkdirSync(join(cli.folder, 'empty'));
  const { code, stdout } = await cli.run(['import', sessions[0] as string, 'empty']);
  expect([code, stdout]).toEqual([
    2,
    expect.stringMatching(/\nImported 1 conversation[\s\S]*\n {2}.*No session was found in empty\.\n$/),
  ]);
  const zh = await cli.run(['import', sessions[0] as string, 'empty', '--lang', 'zh']);
  expect(zh.stdout).toContain('empty 里没有找到会话。');
  expect(await report(cli, 'empty')).toMatchObject({ code: 3, found: [], mistaken: [] });
});

it('says of an export that is still packed to unpack it', async () => {
  const { cli, sessions } = copyHomes('claude');
  const packed = join(cli.folder, 'packed/export.zip');
  mkdirSync(dirname(packed));
  writeFileSync(packed, Buffer.from('PK\u0003\u0004 conversations.json chat.html', 'latin1'));
  const named = await cli.run(['import', 'packed/export.zip']);
  expect([named.code, named.stderr]).toEqual([2, expect.stringContaining('packed/export.zip is an archive. Unpack it')]);
  const alone = await cli.run(['import', 'packed']);
  expect([alone.code, alone.stdout]).toEqual([3, expect.stringContaining(`${packed}: zip archive: unpack it`)]);
  const beside = await cli.run(['import', 'packed', sessions[0] as string, '--lang', 'zh']);
  expect([beside.code, beside.stdout]).toEqual([0, expect.stringContaining(`${packed}: zip 压缩包：请先解压`)]);
});

it('says with --since that nothing changed, which is no error', async () => {
  const { cli, folder, sessions } = copyHomes('claude');
  const { code, stdout } = await cli.run(['import', folder, '--since', tomorrow]);
  expect([code, stdout]).toEqual([0, `Nothing changed since ${tomorrow} 00:00: the 19 sessions there are older.\n`]);
  const one = await cli.run(['import', sessions[0] as string, '--since', tomorrow, '--lang', 'zh']);
  expect([one.code, one.stdout]).toEqual([0, `${tomorrow} 00:00 以来没有变化：现有的 1 个会话都更早。\n`]);
  expect((await cli.run(['import', 'codex', '--since', tomorrow])).code).toBe(3);
});

it('takes what is complete of a document that was cut, and tells of it each time', async () => {
  const cli = new Cli();
  const path = join(cli.folder, 'talk.json');
  const whole = JSON.stringify({ messages: [1, 2, 3].map((number) => ({ role: 'user', content: `Words number ${number}.` })) });
  writeFileSync(path, whole.slice(0, -10));
  const first = await cli.run(['import', path]);
  expect([first.code, first.stdout]).toEqual([5, expect.stringContaining('read to its end: 2 entries, 2 of them messages.\n')]);
  const again = await cli.run(['import', path, '--lang', 'zh']);
  expect([again.code, again.stdout]).toEqual([5, expect.stringMatching(/没有新内容。[\s\S]*内容到一半就断了/)]);
  writeFileSync(path, whole);
  expect(await report(cli, path)).toMatchObject({ code: 0, entries: 1, sources: { created: 0, grown: 1 } });
});

it('does not count what Gemini CLI leaves behind when a session is resumed', async () => {
  const cli = new Cli();
  furnish(cli, 'gemini');
  await cli.run(['import']);
  expect((await cli.run(['import'])).stdout).not.toContain('without words');
  expect(await report(cli, 'gemini', '--since', tomorrow)).toMatchObject({ code: 0, found: [], skipped: [] });
});
