// Folders of a test's own, removed when it ends, also when it fails.
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  return folder;
}
