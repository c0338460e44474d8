// What was purged stays away from continuo import, and how it is taken back.
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerLine, questionLine, sessionId, writeTalk } from '../transcripts/many-lines.ts';
import { type ImportJson, listAll } from './agent-homes.ts';
import { Cli, collectResult, findProgram } from './cli-program.ts';

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
    const watching = spawn(process.execPath, [await findProgram(), 'import', '--watch'], {
      cwd: cli.folder,
      env: cli.environment(),
    });
    const ended = collectResult(watching);
    let told = '';
    const until = async (pattern: RegExp) => {
      while (!pattern.test(told)) await new Promise((resolve) => setTimeout(resolve, 50));
    };
    for (const stream of [watching.stdout, watching.stderr])
      stream?.on('data', (text: string) => {
        told += text;
      });
    await until(/Waiting for what agents write/);
    await purge(cli);
    appendFileSync(path, `${questionLine(3)}\n`);
    await until(/Not touched: 1 whose conversation was purged here/);
    appendFileSync(path, `${answerLine(4)}\n`);
    const fresh = join(path, '../eeeeeeee-0000-4000-8000-000000000000.jsonl');
    writeFileSync(fresh, `${questionLine(50, 'A session that began meanwhile')}\n`);
    await until(/\+1 {2}A session that began meanwhile/);
    watching.kill('SIGTERM');
    expect((await ended).code).toBe(143);
    expect(told.match(/purged here/g)).toEqual(['purged here']);
    expect((await listAll(cli)).map((each) => each.key)).toEqual(['import:claude-code:eeeeeeee-0000-4000-8000-000000000000']);
  });
});
