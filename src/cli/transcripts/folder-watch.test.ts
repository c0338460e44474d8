import { EventEmitter } from 'node:events';
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { FolderWatch } from './folder-watch.ts';

/** What was told, and a promise for the next that fits. */
function listen() {
  const told: string[][] = [];
  const waiting: { folder: string; resolve: () => void }[] = [];
  return {
    told,
    until: (folder: string) => new Promise<void>((resolve) => waiting.push({ folder, resolve })),
    onChange: async (folders: ReadonlySet<string>) => {
      told.push([...folders]);
      for (const each of [...waiting]) if (folders.has(each.folder)) each.resolve();
    },
  };
}

describe('a watched folder', () => {
  it('is told of at the beginning and when a file below it changes, and of no other', async () => {
    const [one, two] = [createTemporaryFolder('watch'), createTemporaryFolder('watch')];
    mkdirSync(join(one, 'below'));
    const file = join(one, 'below', 'session.jsonl');
    writeFileSync(file, 'a\n');
    const { told, until, onChange } = listen();
    const watch = new FolderWatch([one, two], { onChange, interval: 100_000, slowInterval: 100_000, settle: 20 });
    const begun = until(two);
    watch.start();
    await begun;
    const changed = until(one);
    appendFileSync(file, 'b\n');
    await changed;
    await watch.close();
    expect(told).toEqual([[one, two], [one]]);
  });

  it('is looked at again and again where the system does not watch it, or ceases to', async () => {
    const folder = createTemporaryFolder('watch');
    const watcher = Object.assign(new EventEmitter(), { close: () => undefined });
    let starts = 0;
    const { until, onChange } = listen();
    const watch = new FolderWatch([folder], {
      onChange,
      startWatch: () => {
        starts += 1;
        if (starts === 2) return watcher as never;
        throw Object.assign(new Error('no more watches'), { code: 'ENOSPC' });
      },
      interval: 20,
      slowInterval: 100_000,
      settle: 1,
    });
    watch.start();
    await until(folder);
    while (starts < 2) await until(folder);
    watcher.emit('error', new Error('gone'));
    await until(folder);
    await until(folder);
    await watch.close();
    expect(starts).toBeGreaterThan(2);
  });

  const made = (folder: string) => mkdirSync(folder, { recursive: true });
  it.each<[how: string, goes: (folder: string) => void, comes: (folder: string) => void]>([
    ['was removed and made again', (folder) => rmSync(folder, { recursive: true }), made],
    ['was renamed and made again', (folder) => renameSync(folder, `${folder}.old`), made],
    ['is in a folder that was removed and made again', (folder) => rmSync(dirname(folder), { recursive: true }), made],
    [
      'is reached by a link that leads elsewhere now',
      (folder) => {
        const root = dirname(folder);
        renameSync(root, `${root}.first`);
        symlinkSync(`${root}.first`, root);
      },
      (folder) => {
        const root = dirname(folder);
        made(join(`${root}.second`, basename(folder)));
        unlinkSync(root);
        symlinkSync(`${root}.second`, root);
      },
    ],
  ])('is watched on where it %s', async (_, goes, comes) => {
    const folder = join(createTemporaryFolder('watch'), 'root/projects');
    made(folder);
    const { until, onChange } = listen();
    const watch = new FolderWatch([folder], { onChange, interval: 20, slowInterval: 100_000, settle: 1 });
    const begun = until(folder);
    watch.start();
    await begun;
    goes(folder);
    // Long enough to be noticed, whatever there is to notice; the verdict does not hang on it.
    await new Promise((resolve) => setTimeout(resolve, 100));
    comes(folder);
    // More than once: the first may be of what it was before.
    for (const name of ['1', '2', '3', '4', '5']) {
      const told = until(folder);
      writeFileSync(join(folder, name), 'x');
      await told;
    }
    await watch.close();
  });

  it('is not told of while the last time is still at work, but afterwards', async () => {
    const folder = createTemporaryFolder('watch');
    let [running, most, times] = [0, 0, 0];
    let again: () => void = () => undefined;
    const twice = new Promise<void>((resolve) => {
      again = resolve;
    });
    const watch = new FolderWatch([folder], {
      onChange: async () => {
        running += 1;
        times += 1;
        most = Math.max(most, running);
        if (times === 1) {
          writeFileSync(join(folder, 'new'), 'x');
          await new Promise((resolve) => setTimeout(resolve, 100));
        } else again();
        running -= 1;
      },
      settle: 1,
      interval: 100_000,
      slowInterval: 100_000,
    });
    watch.start();
    await twice;
    await watch.close();
    expect(most).toBe(1);
  });

  it('says so where what follows from a change fails', async () => {
    const watch = new FolderWatch([createTemporaryFolder('watch')], {
      onChange: () => Promise.reject(new Error('no store')),
      settle: 1,
    });
    watch.start();
    await expect(watch.failed).rejects.toThrow('no store');
    await watch.close();
  });
});
