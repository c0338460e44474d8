// What was purged stays away from continuo import, and how it is taken back.
import { appendFileSync, chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerLine, questionLine, sessionId, writeTalk } from '../transcripts/many-lines.ts';
import { furnish, type ImportJson, listAll } from './agent-homes.ts';
import { Cli } from './cli-program.ts';
import { canBeHeld, runHeld } from './held-program.ts';
import { watchImport } from './watched-import.ts';

const key = `import:claude-code:${sessionId}`;

/** A session of Claude Code. */
function talk(cli: Cli): string {
  const folder = join(cli.folder, '.claude/projects/-home-dev-code-long');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${sessionId}.jsonl`);
  writeTalk(path, 2, (number) => `Words number ${number}.`);
  return path;
}

async function purge(cli: Cli): Promise<void> {
  await cli.run(['trash', key]);
  expect(await cli.run(['purge', key, '--yes'])).toMatchObject({ code: 0 });
}

describe('continuo import after continuo purge', () => {
  it('leaves the session alone, says so everywhere, and takes it back with --again', async () => {
    const cli = new Cli();
    const path = talk(cli);
    await cli.run(['import']);
    await purge(cli);
    appendFileSync(path, `${questionLine(3)}\n${answerLine(4)}\n`);
    const told = await cli.run(['import']);
    expect(told.code).toBe(0);
    expect(told.stdout).toMatch(/^Claude Code .* 0 {6}0$/m);
    expect(told.stdout).toContain('Nothing new.\nNot touched: 1 whose conversation was purged here; --again takes it back.\n');
    expect((await cli.run(['import', '--lang', 'zh'])).stdout).toContain('1 个的对话已在这里彻底删除（加 --again 可重新导入）');
    for (const more of [[], ['--dry-run']])
      expect(await cli.json<ImportJson>(['import', ...more])).toMatchObject({
        found: [{ sessions: 1, new: 0, grown: 0 }],
        sources: { created: 0, purged: 1 },
      });
    // The record has no word in it, is nobody else's, and no stranger to those who look after the store.
    const record = join(cli.home, 'purged-imports.txt');
    expect(readFileSync(record, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
    expect(statSync(record).mode & 0o777).toBe(0o600);
    expect(await cli.run(['doctor'])).toMatchObject({ code: 0 });

    expect(await cli.json<ImportJson>(['import', '--again', '--dry-run'])).toMatchObject({ found: [{ new: 1 }] });
    expect(await cli.json<ImportJson>(['import', '--again'])).toMatchObject({
      found: [{ new: 1 }],
      sources: { created: 1, purged: 0 },
      entries: 4,
    });
    expect((await listAll(cli)).map((each) => each.key)).toEqual([key]);
  });

  it('is the same after the days in the trash were over, in an encrypted home, from its backup', async () => {
    const cli = new Cli({ CONTINUO_PASSPHRASE: 'a long enough passphrase' });
    talk(cli);
    await cli.run(['import']);
    await cli.run(['trash', key]);
    writeFileSync(join(cli.home, 'conversation.toml'), '[trash]\ngrace_days = 0\n', { mode: 0o600 });
    expect(await cli.json(['sweep'])).toMatchObject({ purged: [expect.stringMatching(/^cnv_/)] });
    expect(await cli.json<ImportJson>(['import'])).toMatchObject({ sources: { created: 0, purged: 1 } });
    await cli.run(['backup', 'copy']);
    const other = join(cli.folder, 'other');
    expect(await cli.run(['restore-backup', 'copy', '--home', other])).toMatchObject({ code: 0 });
    expect(await cli.json<ImportJson>(['import', '--home', other])).toMatchObject({ sources: { created: 0, purged: 1 } });
    expect(await cli.run(['decrypt'])).toMatchObject({ code: 0 });
    const plain = { env: { CONTINUO_PASSPHRASE: '' } };
    expect(await cli.json<ImportJson>(['import'], plain)).toMatchObject({ sources: { created: 0, purged: 1 } });
  });

  it('ends with 5 where the record cannot be read', async () => {
    const cli = new Cli();
    talk(cli);
    await cli.run(['import']);
    await purge(cli);
    const record = join(cli.home, 'purged-imports.txt');
    writeFileSync(record, 'scribble\n');
    const { code, stderr } = await cli.run(['import']);
    expect(code).toBe(5);
    expect(stderr).toContain(`${record} failed: line 1 of it is damaged; take it away, or import with --again`);
    expect((await cli.run(['import', '--lang', 'zh'])).stderr).toContain('第 1 行已损坏');
    expect((await listAll(cli)).length).toBe(0);
  });

  it('says once while watching that a purged session grows', async () => {
    const cli = new Cli();
    const path = talk(cli);
    await cli.run(['import']);
    const { told, until, end } = await watchImport(cli);
    await purge(cli);
    appendFileSync(path, `${questionLine(3)}\n`);
    await until(/Not touched: 1 whose conversation was purged here/);
    appendFileSync(path, `${answerLine(4)}\n`);
    const fresh = join(path, '../eeeeeeee-0000-4000-8000-000000000000.jsonl');
    writeFileSync(fresh, `${questionLine(50, 'A session that began meanwhile')}\n`);
    await until(/\+1 {2}A session that began meanwhile/);
    expect((await end()).code).toBe(143);
    expect(told().match(/purged here/g)).toEqual(['purged here']);
    expect((await listAll(cli)).map((each) => each.key)).toEqual(['import:claude-code:eeeeeeee-0000-4000-8000-000000000000']);
  });
});

describe('the record of purges', () => {
  interface Examination {
    problems: number;
    checks: { check: string; status: string; code?: string; message: string; next?: string }[];
  }
  const examine = async (cli: Cli, ...more: string[]) => {
    const { stdout } = await cli.run(['doctor', '--json', ...more]);
    const { problems, checks } = JSON.parse(stdout) as Examination;
    return { problems, purges: checks.filter(({ check }) => check === 'purges') };
  };
  const setUp = async () => {
    const cli = new Cli();
    talk(cli);
    await cli.run(['import']);
    await purge(cli);
    return { cli, record: join(cli.home, 'purged-imports.txt') };
  };

  it('is looked at by the doctor, who mends it and keeps the file as it was; backups say that it is damaged', async () => {
    const { cli, record } = await setUp();
    expect(await examine(cli)).toMatchObject({ problems: 0, purges: [{ status: 'ok' }] });
    const before = `${readFileSync(record, 'utf8')}scribble\n`;
    writeFileSync(record, before);
    expect(await examine(cli)).toEqual({
      problems: 1,
      purges: [
        {
          check: 'purges',
          status: 'problem',
          code: 'purge-record-damaged',
          message: `Nothing can be imported: ${record}, the record of what was purged, is damaged (line 2).`,
          next: expect.stringContaining('continuo doctor --fix'),
        },
      ],
    });
    expect((await cli.run(['doctor', '--lang', 'zh'])).stdout).toContain('彻底删除记录');
    const saved = await cli.run(['backup', 'copy']);
    expect(saved).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`${record}, the record of what was purged, is damaged`),
    });
    const other = join(cli.folder, 'other');
    const back = await cli.run(['restore-backup', 'copy', '--home', other]);
    expect(back).toMatchObject({ code: 0, stderr: expect.stringContaining(`${join(other, 'purged-imports.txt')}, the record`) });

    const { problems, purges } = await examine(cli, '--fix');
    expect([problems, purges[0]?.status]).toEqual([0, 'fixed']);
    const [copy = ''] = readdirSync(cli.home).filter((name) => name.startsWith('purged-imports.txt.damaged-'));
    expect(purges[0]?.message).toContain(copy);
    expect(readFileSync(join(cli.home, copy), 'utf8')).toBe(before);
    expect(await cli.json<ImportJson>(['import'])).toMatchObject({ sources: { created: 0, purged: 1 } });
  });

  it('may have a line without its end, which the doctor tells and no import', async () => {
    const { cli, record } = await setUp();
    appendFileSync(record, '0123abc');
    expect(await cli.run(['import'])).toMatchObject({ code: 0, stderr: '' });
    const cut = { status: 'note', code: 'purge-record-cut', message: expect.stringContaining('line 2') };
    expect(await examine(cli)).toMatchObject({ problems: 0, purges: [cut] });
    expect(await examine(cli, '--fix')).toMatchObject({ problems: 0, purges: [{ status: 'fixed' }] });
    expect(await examine(cli)).toMatchObject({ problems: 0, purges: [{ status: 'ok' }] });
  });

  it.runIf(canBeHeld)('is named where it may not be read, by a backup and by the doctor', async () => {
    const { cli, record } = await setUp();
    chmodSync(record, 0);
    for (const args of [['backup', 'copy'], ['doctor']]) {
      const { code, stdout, stderr } = await runHeld(cli, args);
      expect([code, stdout + stderr]).toEqual([
        args[0] === 'doctor' ? 1 : 5,
        expect.stringContaining(`No permission for ${record}.`),
      ]);
    }
  });

  it('is named, with one code, by everybody who meets a folder in its place', async () => {
    const { cli, record } = await setUp();
    rmSync(record);
    await cli.run(['import']);
    await cli.run(['trash', key]);
    mkdirSync(record, { mode: 0o700 });
    const fault = {
      code: 5,
      error: { code: 'io-failed', message: expect.stringContaining(`${record} failed: a folder is in its place`) },
    };
    writeTalk(
      join(cli.folder, '.claude/projects/-home-dev-code-long/eeeeeeee-0000-4000-8000-000000000000.jsonl'),
      2,
      () => 'New.',
    );
    for (const args of [['import'], ['purge', key, '--yes'], ['backup', 'copy']])
      expect(await cli.failure(args)).toMatchObject(fault);
    expect(await examine(cli)).toMatchObject({ problems: 1, purges: [{ status: 'problem', code: 'io-failed' }] });
  });
});

it('names the conversations of sub-agents that stay when the one they worked for is purged', async () => {
  const cli = new Cli();
  furnish(cli, 'claude');
  await cli.run(['import']);
  const [child] = await listAll(cli, '--tag', 'sub-agent');
  const parent = 'import:claude-code:359d69ab-9d9a-4937-85d4-6c586cc82372';
  await cli.run(['trash', parent]);
  const asked = await cli.run(['purge', parent, '--yes']);
  expect(asked.stdout).toContain('The conversation of its sub-agent stays. To remove it, too: continuo trash cnv_');
  expect((await listAll(cli, '--tag', 'sub-agent')).map(({ id }) => id)).toEqual([child?.id]);

  await cli.run(['import', '--again']);
  await cli.run(['trash', parent]);
  expect(await cli.json(['purge', parent, '--yes'])).toMatchObject({ subAgents: [child?.id] });
  await cli.run(['trash', child?.id ?? '']);
  expect(await cli.json(['purge', child?.id ?? '', '--yes'])).toMatchObject({ purged: [child?.id], subAgents: [] });
});

it('lets the index follow what an import left behind that was killed, also where nothing is new', async () => {
  const cli = new Cli();
  talk(cli);
  await cli.run(['import']);
  for (const name of readdirSync(cli.home)) if (name.startsWith('index.db')) rmSync(join(cli.home, name));
  expect(await cli.json<ImportJson>(['import'])).toMatchObject({ sources: { unchanged: 1 } });
  expect(await cli.json(['stats'])).toMatchObject({ index: { state: 'ok', behind: { entries: 0 } } });
});
