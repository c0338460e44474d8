import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createQuickFolder } from '../../test/support/temporary-folder.ts';
import { PurgeRecord, purgeRecordPath } from './purge-record.ts';
import { lookAtPurgeRecord, mendPurgeRecord } from './purge-record-care.ts';

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
    const fault = { code: 'io-failed', details: { path: folder.path, reason: 'a folder is in its place; move it away' } };
    await expect(folder.record.has('one')).rejects.toMatchObject(fault);
    await expect(folder.record.add(['one'])).rejects.toMatchObject(fault);
  });

  it('is told of what is wrong in it, and mended without losing a name that can still be read', async () => {
    const { path, record } = setUp();
    expect([await lookAtPurgeRecord(path), await mendPurgeRecord(path, 0)]).toEqual([undefined, undefined]);
    const whole = ['one', 'two', 'three'].map(digest);
    const before = `${whole[0]}\nscribble\n${whole[1]?.slice(0, 30)}\n${whole[1]?.toUpperCase()}\r\n${whole[2]}\n${whole[0]?.slice(1)}`;
    writeFileSync(path, before);
    expect(await lookAtPurgeRecord(path)).toEqual({ digests: new Set([whole[0], whole[2]]), damaged: [2, 4], cut: [3, 6] });
    const copy = await mendPurgeRecord(path, Date.UTC(2026, 1, 3));
    expect(copy).toBe(`${path}.damaged-20260203T000000000Z`);
    expect([readFileSync(copy ?? '', 'utf8'), statSync(copy ?? '').mode & 0o777]).toEqual([before, 0o600]);
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual([`${whole.join('\n')}\n`, 0o600]);
    expect(await record.has('two')).toBe(true);
  });

  it('keeps every name that is added while it is mended', async () => {
    const { path } = setUp();
    const names = Array.from({ length: 40 }, (_, index) => `name ${index}`);
    writeFileSync(path, 'scribble\n');
    const added = Promise.all(names.map((name) => new PurgeRecord(path).add([name])));
    for (const now of [1, 2, 3, 4]) await mendPurgeRecord(path, now);
    await added;
    await mendPurgeRecord(path, 5);
    expect(await lookAtPurgeRecord(path)).toEqual({ digests: new Set(names.map(digest)), damaged: [], cut: [] });
  });
});
