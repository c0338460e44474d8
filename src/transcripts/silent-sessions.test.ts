import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createQuickFolder } from '../../test/support/temporary-folder.ts';
import { SilentSessions } from './silent-sessions.ts';

const source = { type: 'source', id: 'one', path: '/sessions/one.jsonl', size: 10, modifiedAt: 1000 } as const;

function createPath(): string {
  return join(createQuickFolder('silent'), 'silent-sessions.json');
}

describe('the memory of silent sessions', () => {
  it('knows a session as long as it is as it was, and names none of them', async () => {
    const path = createPath();
    const first = await SilentSessions.load(path, '1');
    expect(first.has('import:pi:one', source)).toBe(false);
    first.add('import:pi:one', source);
    await first.save();
    const second = await SilentSessions.load(path, '1');
    expect(second.has('import:pi:one', source)).toBe(true);
    expect(second.has('import:pi:two', source)).toBe(false);
    expect(second.has('import:pi:one', { ...source, size: 11 })).toBe(false);
    expect(second.has('import:pi:one', { ...source, modifiedAt: 1001 })).toBe(false);
    expect(readFileSync(path, 'utf8')).toMatch(/^\{"version":"1","sessions":\{"[0-9a-f]{32}":"10 1000"\}\}\n$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('keeps what another process remembered meanwhile', async () => {
    const path = createPath();
    const [first, second] = [await SilentSessions.load(path, '1'), await SilentSessions.load(path, '1')];
    first.add('import:pi:one', source);
    second.add('import:pi:two', source);
    await first.save();
    await second.save();
    const both = await SilentSessions.load(path, '1');
    expect([both.has('import:pi:one', source), both.has('import:pi:two', source)]).toEqual([true, true]);
  });

  it('forgets what another version of the program heard', async () => {
    const path = createPath();
    const old = await SilentSessions.load(path, '1');
    old.add('import:pi:one', source);
    await old.save();
    expect((await SilentSessions.load(path, '2')).has('import:pi:one', source)).toBe(false);
  });

  it('is empty where it cannot be read, and no trouble where it cannot be written', async () => {
    const path = createPath();
    writeFileSync(path, '{"version":"1","sess');
    expect((await SilentSessions.load(path, '1')).has('import:pi:one', source)).toBe(false);
    const folder = createPath();
    mkdirSync(join(folder, 'inside'), { recursive: true });
    const blocked = await SilentSessions.load(folder, '1');
    blocked.add('import:pi:one', source);
    await blocked.save();
    expect(blocked.has('import:pi:one', source)).toBe(true);
  });
});
