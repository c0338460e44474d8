// A disk of a few megabytes to fill up: a tmpfs of the test's own, unmounted when it ends. Mounting takes root.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export function canMountDisks(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'continuo-mount-'));
  try {
    return mount(folder, 1) && unmount(folder);
  } finally {
    rmdirSync(folder);
  }
}

/** The folder where the disk is mounted. */
export function mountSmallDisk(megabytes: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'continuo-disk-'));
  if (!mount(folder, megabytes)) throw new Error('a small disk cannot be mounted here');
  onTestFinished(() => {
    unmount(folder);
    rmdirSync(folder);
  });
  return folder;
}

/** Takes all the space but so many bytes. Returns the way to give it back. */
export function fillDisk(folder: string, leaving = 0): () => void {
  const ballast = join(folder, 'ballast');
  const file = openSync(ballast, 'a');
  try {
    for (let chunk = Buffer.alloc(64 * 1024); ; ) {
      const { bavail, bsize } = statfsSync(folder);
      const room = bavail * bsize - leaving;
      if (room <= 0) break;
      if (room < chunk.length) chunk = chunk.subarray(0, room);
      writeSync(file, chunk);
    }
  } finally {
    closeSync(file);
  }
  return () => rmSync(ballast);
}

function mount(folder: string, megabytes: number): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', folder]).status === 0;
}

function unmount(folder: string): boolean {
  return spawnSync('umount', [folder]).status === 0 || spawnSync('umount', ['-l', folder]).status === 0;
}
