// Programs of different versions over one home: an index of a newer one is left alone, and everybody is told what to do.
import { copyFileSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import Sqlite from 'better-sqlite3-multiple-ciphers';
import { describe, expect, it } from 'vitest';
import { call, connect } from '../mcp-server/server-lab.ts';
import { Cli } from './cli-program.ts';

/** The index as a version before or after this one would have left it, in a file of its own as they make it. */
function changeVersion(cli: Cli, by: number): Buffer {
  const path = join(cli.home, 'index.db');
  const database = new Sqlite(path);
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  copyFileSync(path, `${path}.other`);
  const other = new Sqlite(`${path}.other`);
  other.pragma('journal_mode = DELETE');
  other.pragma(`user_version = ${(other.pragma('user_version', { simple: true }) as number) + by}`);
  other.close();
  renameSync(`${path}.other`, path);
  return readFileSync(path);
}

function versionOf(cli: Cli): number {
  const database = new Sqlite(join(cli.home, 'index.db'), { readonly: true });
  const version = database.pragma('user_version', { simple: true }) as number;
  database.close();
  return version;
}

async function createHome(): Promise<Cli> {
  const cli = new Cli();
  await cli.json(['append', 'The walrus sleeps on the pier.']);
  await cli.json(['search', 'walrus']);
  return cli;
}

const whatToDo = 'Update this program, or start it again where it was updated meanwhile.';

describe('an index of a newer version', () => {
  it('is left alone by search, reindex and doctor, which say what to do', async () => {
    const cli = await createHome();
    const before = changeVersion(cli, 1);
    const incomplete = { searched: { complete: false, incompleteBecause: 'index-newer' } };
    expect(await cli.json(['search', 'walrus'])).toMatchObject({ hits: 1, ...incomplete });
    const shown = await cli.run(['search', 'walrus']);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('walrus') });
    expect(shown.stderr.split(whatToDo)).toHaveLength(2);
    expect(shown.stderr).not.toContain('reindex');
    const chinese = await cli.run(['search', 'walrus'], { env: { LC_ALL: 'zh_CN.UTF-8' } });
    expect(chinese.stderr).toContain('请升级本程序');
    expect(await cli.failure(['reindex'])).toMatchObject({ code: 4, error: { code: 'index-newer' } });
    const doctor = await cli.run(['doctor']);
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining(whatToDo) });
    expect(readFileSync(join(cli.home, 'index.db')).equals(before)).toBe(true);
  });

  it('that takes the place of its own is left alone by a running server, which goes on by itself when it is gone', async () => {
    const cli = await createHome();
    const client = await connect(cli);
    let stderr = '';
    (client.transport as StdioClientTransport).stderr?.on('data', (text) => {
      stderr += String(text);
    });
    const search = () => call(client, 'search_conversations', { query: 'walrus' });
    expect((await search()).data).toMatchObject({ hits: [{}], searched: { complete: true } });
    changeVersion(cli, 1);
    const newer = versionOf(cli);
    for (let i = 0; i < 3; i++) {
      const { text, data } = await search();
      expect(data).toMatchObject({ hits: [{}], searched: { complete: false, incomplete_because: 'index-newer' } });
      expect(text).toContain('update this server or start it again');
    }
    await expect.poll(() => stderr.split(whatToDo).length, { timeout: 10_000 }).toBe(2);
    expect(versionOf(cli)).toBe(newer);
    changeVersion(cli, -1);
    expect((await search()).data).toMatchObject({ hits: [{}], searched: { complete: true } });
    expect(stderr.split(whatToDo)).toHaveLength(2);
  });
});

it('an index of an older version is made anew by the next search, as the doctor says', async () => {
  const cli = await createHome();
  const current = versionOf(cli);
  changeVersion(cli, -1);
  expect(await cli.run(['doctor'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('of an older version; the next search makes it anew'),
  });
  expect(versionOf(cli)).toBe(current - 1);
  expect(await cli.json(['search', 'walrus'])).toMatchObject({ hits: 1, searched: { complete: true } });
  expect(versionOf(cli)).toBe(current);
});
