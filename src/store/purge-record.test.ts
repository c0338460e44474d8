import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createQuickFolder } from '../../test/support/temporary-folder.ts';
import { PurgeRecord, purgeRecordPath } from './purge-record.ts';

const digest = (name: string) => createHash('sha256').update(name).digest('hex');

function setUp() {
  const path = purgeRecordPath(createQuickFolder('purges'));
  return { path, record: new PurgeRecord(path) };
}

describe('the record of purges', () => {
  it('holds a digest for each name, once, for nobody but its owner', async () => {
    const { path, record } = setUp();
    expect(await record.has('import:codex:1')).toBe(false);
    await record.add([]);
    expect(() => statSync(path)).toThrow('ENOENT');
    await record.add(['import:codex:1', 'import:codex:2', 'import:codex:1']);
    await record.add(['import:codex:2', 'import:codex:3']);
    expect(readFileSync(path, 'utf8')).toBe(['1', '2', '3'].map((id) => `${digest(`import:codex:${id}`)}\n`).join(''));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect([await record.has('import:codex:3'), await record.has('import:codex:4')]).toEqual([true, false]);
  });

  it('knows what another process wrote meanwhile', async () => {
    const { path, record } = setUp();
    await record.add(['one']);
    expect(await record.has('two')).toBe(false);
    await new PurgeRecord(path).add(['two']);
    expect(await record.has('two')).toBe(true);
  });

  it('bears a line that a crash cut off, and keeps what comes after it', async () => {
    const { path, record } = setUp();
    await record.add(['one', 'two']);
    truncateSync(path, 65 + 20);
    expect([await record.has('one'), await record.has('two')]).toEqual([true, false]);
    await record.add(['three']);
    const again = new PurgeRecord(path);
    expect([await again.has('one'), await again.has('two'), await again.has('three')]).toEqual([true, false, true]);
  });

  it('does not answer where it cannot be read, and takes new names all the same', async () => {
    const { path, record } = setUp();
    await record.add(['one']);
    appendFileSync(path, 'scribble\n');
    await expect(record.has('one')).rejects.toMatchObject({
      code: 'io-failed',
      details: { path, reason: expect.stringMatching(/^line 2 of it is damaged; take it away/) },
    });
    await record.add(['two']);
    writeFileSync(path, readFileSync(path, 'utf8').replace('scribble\n', ''));
    expect([await record.has('one'), await record.has('two')]).toEqual([true, true]);
  });

  it('follows no link and takes no folder for a record', async () => {
    const linked = setUp();
    symlinkSync('/nowhere', linked.path);
    await expect(linked.record.has('one')).rejects.toMatchObject({ code: 'unsafe-path' });
    await expect(linked.record.add(['one'])).rejects.toMatchObject({ code: 'unsafe-path' });
    const folder = setUp();
    mkdirSync(folder.path);
    await expect(folder.record.has('one')).rejects.toMatchObject({ code: 'unsafe-path' });
    await expect(folder.record.add(['one'])).rejects.toMatchObject({ code: 'io-failed' });
  });
});
