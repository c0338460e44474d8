// Session files under real faults: killed processes, several processes, a full disk, a folder that may not be written.
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { FileSystemStorageService } from '../../src/snapshot/file-system-storage-service.ts';
import { bundleProgram, Child } from '../support/child-program.ts';
import { needs } from '../support/require-system.ts';
import { createSnapshot } from '../support/session-snapshots.ts';
import { canMountDisks, fillDisk, mountSmallDisk } from '../support/small-disk.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import type { SessionChildInput, SessionChildLine } from './session-child.ts';

const fileName = '20251125T140000000Z-ses_1.json';
let program: string;
beforeAll(async () => {
  program = await bundleProgram(new URL('session-child.ts', import.meta.url));
});

function start(input: SessionChildInput, wrapper: readonly string[] = []) {
  return new Child<SessionChildLine>(program, input, { wrapper });
}

describe('a process killed while it saves', () => {
  it('leaves the last acknowledged state or a newer one, whole, and the next save cleans up behind it', {
    timeout: 180_000,
  }, async () => {
    let interrupted = 0;
    for (let round = 0; interrupted < 4 && round < 60; round++) {
      const home = createTemporaryFolder('killed');
      const child = start({ home, first: 1_000, step: 1, last: 1_400 });
      const folder = join(home, 'sessions', 'review');
      let acknowledged = (await child.next())?.saved ?? 0;
      let isOver = false;
      void child.ended.then(() => {
        isOver = true;
      });
      // At the sight of a save, a little later each time.
      const killing = (async () => {
        while (!isOver && readdirSync(folder).length < 2) await nextTurn();
        for (let turns = 0; turns < round % 4; turns++) await nextTurn();
        child.kill();
      })();
      for await (const line of child) acknowledged = line.saved ?? acknowledged;
      await Promise.all([child.ended, killing]);
      if (readdirSync(folder).length > 1) interrupted += 1;
      const problems: unknown[] = [];
      const service = new FileSystemStorageService({ home, onProblem: (problem) => problems.push(problem) });
      const found = await service.loadSession('review', 'ses_1');
      expect(found).toEqual(createSnapshot(found.context.messages.length));
      expect(found.context.messages.length).toBeGreaterThanOrEqual(acknowledged);
      expect(await service.saveSession('review', createSnapshot(1_500))).toMatchObject({ outcome: 'written' });
      expect(readdirSync(join(home, 'sessions', 'review'))).toEqual([fileName]);
      expect(problems).toEqual([]);
    }
    // Else no kill hit a save, and nothing was shown.
    expect(interrupted).toBe(4);
  });

  it('does not keep others from saving, although its lock is still there', async () => {
    const home = createTemporaryFolder('dead-lock');
    const service = new FileSystemStorageService({ home });
    await service.saveSession('review', createSnapshot(1));
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const folder = join(home, 'sessions', 'review');
    for (const holder of [JSON.stringify({ pid, host: hostname(), mark: 'x' }), '{"pid":']) {
      writeFileSync(join(folder, '.lock'), holder);
      expect(await service.saveSession('review', createSnapshot(2))).toMatchObject({ outcome: 'written' });
      expect(readdirSync(folder)).toEqual([fileName]);
    }
  });
});

describe('several processes that save one session', () => {
  it('leave one whole file with the newest state, and readers see nothing but whole states', { timeout: 180_000 }, async () => {
    const home = createTemporaryFolder('together');
    const children = [0, 1, 2].map((offset) => start({ home, first: 100 + offset, step: 3, last: 220 + offset }));
    const reader = new FileSystemStorageService({ home });
    let over = false;
    const reading = (async () => {
      let reads = 0;
      for (let newest = 0; !over; await sleep(1)) {
        const found = await reader.getLatestSession('review');
        if (found === undefined) continue;
        expect(found).toEqual(createSnapshot(found.context.messages.length));
        expect(found.context.messages.length).toBeGreaterThanOrEqual(newest);
        newest = found.context.messages.length;
        reads += 1;
      }
      return reads;
    })();
    const lines = (await Promise.all(children.map((child) => child.finish()))).flat();
    over = true;
    expect(await reading).toBeGreaterThan(5);
    expect(lines.filter(({ failed }) => failed !== undefined)).toEqual([]);
    expect(lines).toHaveLength(123);
    expect((await reader.loadSession('review', 'ses_1')).context.messages).toHaveLength(222);
    expect(readdirSync(join(home, 'sessions', 'review'))).toEqual([fileName]);
  });
});

describe.runIf(needs(canMountDisks(), 'root and mount, to make a small disk'))('a full disk', () => {
  it('refuses with disk-full, keeps the state before, leaves nothing behind, and goes on when there is space', async () => {
    const home = mountSmallDisk(4);
    const service = new FileSystemStorageService({ home });
    await service.saveSession('review', createSnapshot(10));
    const free = fillDisk(home);
    await expect(service.saveSession('review', createSnapshot(3_000))).rejects.toMatchObject({ code: 'disk-full' });
    await expect(service.saveSession('other', createSnapshot(1, { teamId: 'other' }))).rejects.toMatchObject({
      code: 'disk-full',
    });
    expect(await service.loadSession('review', 'ses_1')).toEqual(createSnapshot(10));
    free();
    expect(readdirSync(join(home, 'sessions', 'review'))).toEqual([fileName]);
    await service.saveSession('review', createSnapshot(3_000));
    expect(await service.loadSession('review', 'ses_1')).toEqual(createSnapshot(3_000));
  });
});

/** Root is not held by modes unless it gives that power up. */
const isRoot = process.getuid?.() === 0;
const power = '-dac_override,-dac_read_search';
const wrapper = isRoot ? ['setpriv', '--bounding-set', power, '--inh-caps', power] : [];
const canBeHeld = !isRoot || spawnSync('setpriv', [...wrapper.slice(1), 'true']).status === 0;

describe.runIf(needs(canBeHeld, 'setpriv, as this is root'))('a folder that may not be written', () => {
  it('refuses with permission-denied, and the state before stays', async () => {
    const home = createTemporaryFolder('read-only');
    const service = new FileSystemStorageService({ home });
    await service.saveSession('review', createSnapshot(10));
    const folder = join(home, 'sessions', 'review');
    chmodSync(folder, 0o500);
    expect(await start({ home, first: 20, step: 1, last: 20 }, wrapper).finish()).toEqual([{ failed: 'permission-denied' }]);
    chmodSync(folder, 0o700);
    expect(await service.loadSession('review', 'ses_1')).toEqual(createSnapshot(10));
    expect(readdirSync(folder)).toEqual([fileName]);
  });
});
