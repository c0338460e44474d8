// Folders of a test's own, removed when it ends, also when it fails.
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

export function createTemporaryFolder(name: string): string {
  return createIn(tmpdir(), name);
}

/** In memory where the system offers that: for tests that open thousands of stores and do not care about the disk. */
export function createQuickFolder(name: string): string {
  const memory = '/dev/shm';
  try {
    accessSync(memory, constants.W_OK);
    return createIn(memory, name);
  } catch {
    return createIn(tmpdir(), name);
  }
}

function createIn(parent: string, name: string): string {
  const folder = mkdtempSync(join(parent, `continuo-${name}-`));
  onTestFinished(() => clearAway(folder));
  return folder;
}

/** A program that is just ending may still write into it: begun again until nothing comes any more. Node's own retries look only once. */
async function clearAway(folder: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if ((code !== 'ENOTEMPTY' && code !== 'EBUSY') || attempt === 200) throw error;
      await sleep(100);
    }
  }
}
