// Saved sessions under real faults: killed processes, several processes, a full disk, folders that may not be written or read.
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleProgram, Child } from '../support/child-program.ts';
import { needs } from '../support/require-system.ts';
import { canMountDisks, fillDisk, mountSmallDisk } from '../support/small-disk.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { SmallAgent, talk } from './session-restorable-agent.ts';
import type { RestorableChildInput, RestorableChildLine } from './session-restorable-child.ts';

let program: string;
beforeAll(async () => {
  program = await bundleProgram(new URL('session-restorable-child.ts', import.meta.url));
});

function start(input: RestorableChildInput, wrapper: readonly string[] = []) {
  return new Child<RestorableChildLine>(program, input, { wrapper });
}

describe('a process killed while it saves', () => {
  it('leaves the last acknowledged state or a newer one, whole, and the next object cleans up behind it', {
    timeout: 90_000,
  }, async () => {
    let interrupted = 0;
    for (let round = 0; interrupted < 3 && round < 60; round++) {
      const directory = createTemporaryFolder('killed');
      const child = start({ directory, words: 'a', first: 4000, last: 4400 });
      const begun = await child.next();
      let acknowledged = begun?.saved ?? 0;
      setTimeout(() => child.kill(), 3 + ((round * 11) % 90));
      for await (const line of child) acknowledged = line.saved ?? acknowledged;
      await child.ended;
      const names = readdirSync(join(directory, '.continuo'));
      if (names.some((name) => name.endsWith('.tmp'))) interrupted += 1;
      const agent = new SmallAgent({ directory });
      expect(await agent.restoreSession()).toBe(true);
      expect(agent.sessionFile).toBe(begun?.path);
      expect(agent.messages).toEqual(talk(agent.messages.length, 'a'));
      expect(agent.messages.length).toBeGreaterThanOrEqual(acknowledged);
      expect(await agent.saveSession()).toBe(true);
      expect(readdirSync(join(directory, '.continuo')).filter((name) => !name.endsWith('.json'))).toEqual(['.gitignore']);
    }
    // Else no kill hit a save, and nothing was shown.
    expect(interrupted).toBe(3);
  });
});

describe('several processes (并发保存)', () => {
  it('that save sessions of their own leave each of them whole', { timeout: 60_000 }, async () => {
    const directory = createTemporaryFolder('apart');
    const children = ['a', 'b', 'c'].map((words) => start({ directory, words, first: 1, last: 25 }));
    const lines = await Promise.all(children.map((child) => child.finish()));
    for (const [index, told] of lines.entries()) {
      expect(told).toHaveLength(25);
      const agent = new SmallAgent({ directory });
      expect(await agent.restoreSession(told.at(-1)?.path)).toBe(true);
      expect(agent.messages).toEqual(talk(25, ['a', 'b', 'c'][index]));
    }
    expect(new Set(lines.flat().map(({ path }) => path)).size).toBe(3);
  });

  it('that go on with one file lose nothing: one keeps it, the others go beside it', { timeout: 60_000 }, async () => {
    const directory = createTemporaryFolder('together');
    const agent = new SmallAgent({ directory });
    await agent.saveSession();
    const file = agent.sessionFile as string;
    const children = ['a', 'b', 'c'].map((words) => start({ directory, file, words, first: 1, last: 15 }));
    const lines = await Promise.all(children.map((child) => child.finish()));
    const ends = lines.map((told) => told.at(-1)?.path as string);
    expect(lines.flat().filter(({ failed }) => failed !== undefined)).toEqual([]);
    expect(new Set(ends).size).toBe(3);
    for (const [index, path] of ends.entries()) {
      const other = new SmallAgent({ directory });
      expect(await other.restoreSession(path)).toBe(true);
      expect(other.messages).toEqual(talk(15, ['a', 'b', 'c'][index]));
    }
  });
});

describe.runIf(needs(canMountDisks(), 'root and mount, to make a small disk'))('a full disk', () => {
  it('磁盘空间不足: is false with a message, the file before stays, nothing is left behind, and it goes on when there is space', async () => {
    const directory = mountSmallDisk(4);
    const agent = new SmallAgent({ directory });
    agent.messages = talk(10);
    expect(await agent.saveSession()).toBe(true);
    const before = readFileSync(agent.sessionFile as string, 'utf8');
    const names = readdirSync(dirname(agent.sessionFile as string));
    const free = fillDisk(directory);
    agent.messages = talk(3000);
    expect(await agent.saveSession()).toBe(false);
    expect(agent.lastNotice).toMatchObject({ level: 'error', code: 'disk-full', details: { path: agent.sessionFile } });
    expect(agent.isSaved).toBe(false);
    expect(readFileSync(agent.sessionFile as string, 'utf8')).toBe(before);
    expect(readdirSync(dirname(agent.sessionFile as string))).toEqual(names);
    const fresh = new SmallAgent({ directory });
    expect([await fresh.saveSession(), fresh.lastNotice?.code]).toEqual([false, 'disk-full']);
    free();
    expect(await agent.saveSession()).toBe(true);
    const other = new SmallAgent({ directory });
    expect([await other.restoreSession(), other.messages]).toEqual([true, talk(3000)]);
  });

  it('磁盘空间不足 at the first save: what is saved when there is space is no business of git', async () => {
    const directory = mountSmallDisk(4);
    const free = fillDisk(directory);
    const agent = new SmallAgent({ directory });
    expect([await agent.saveSession(), agent.lastNotice?.code]).toEqual([false, 'disk-full']);
    free();
    expect(await agent.saveSession()).toBe(true);
    expect(readFileSync(join(directory, '.continuo', '.gitignore'), 'utf8')).toBe('*\n');
  });
});

/** Root is not held by modes unless it gives that power up. */
const isRoot = process.getuid?.() === 0;
const power = '-dac_override,-dac_read_search';
const wrapper = isRoot ? ['setpriv', '--bounding-set', power, '--inh-caps', power] : [];
const canBeHeld = !isRoot || spawnSync('setpriv', [...wrapper.slice(1), 'true']).status === 0;

describe.runIf(needs(canBeHeld, 'setpriv, as this is root'))('rights that are missing', () => {
  it('权限错误: a folder that may not be written is false with a message, and the file before stays', async () => {
    const directory = createTemporaryFolder('read-only');
    const agent = new SmallAgent({ directory });
    agent.messages = talk(10);
    await agent.saveSession();
    const file = agent.sessionFile as string;
    const before = readFileSync(file, 'utf8');
    chmodSync(dirname(file), 0o500);
    const input = { directory, file, words: 'x', first: 20, last: 20 };
    expect(await start(input, wrapper).finish()).toEqual([{ failed: 'permission-denied' }]);
    chmodSync(dirname(file), 0o700);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(readdirSync(dirname(file))).toHaveLength(2);
  });

  it('权限错误: a working directory that may not be written, and a file that may not be read, are false with a message', async () => {
    const directory = createTemporaryFolder('no-folder');
    chmodSync(directory, 0o500);
    expect(await start({ directory, words: 'x', first: 1, last: 1 }, wrapper).finish()).toEqual([
      { failed: 'permission-denied' },
    ]);
    chmodSync(directory, 0o700);
    const agent = new SmallAgent({ directory });
    await agent.saveSession();
    const file = agent.sessionFile as string;
    chmodSync(file, 0o000);
    const [told] = await start({ directory, file, words: 'x', first: 1, last: 0 }, wrapper).finish();
    expect(told).toEqual({ failed: 'permission-denied' });
  });
});
