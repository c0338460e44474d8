// Brings the catalogue in line with the files, which are the truth: after the coordination file was lost, after files were copied in
// or taken away by hand, and after a crash between a file and its row.
import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { uptime } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isContinuoError } from '../../../model/error.ts';
import type { Catalogue } from './catalogue.ts';
import type { Coordination } from './coordination.ts';
import type { DraftFiles } from './draft-files.ts';
import { walkFolders } from './folder-walk.ts';
import { absolutePath, type LogPath } from './log-path.ts';
import type { OpenLogs } from './open-logs.ts';
import type { Connection } from './statements.ts';

export interface Shelf {
  folder: string;
  coordination: Coordination;
  catalogue: Catalogue;
  logs: OpenLogs;
  drafts: DraftFiles;
}

/** Names only where that can suffice: rows are written with their files, and only a power cut loses rows that were written. */
export async function reconcileAfterOpen(shelf: Shelf): Promise<void> {
  const boot = bootId();
  if (shelf.catalogue.getState('boot') === boot) return reconcile(shelf, 'names');
  await reconcile(shelf, 'sizes');
  await shelf.coordination.locked(({ connection }) => shelf.catalogue.putState(connection, 'boot', boot));
}

/** Compares names, or sizes too, and takes down anew what differs. Takes the lock only where something does. */
export async function reconcile(shelf: Shelf, depth: 'names' | 'sizes'): Promise<void> {
  if (findDifferences(shelf, depth).length === 0) return;
  await shelf.coordination.locked(async ({ connection }) => {
    let done = 0;
    // Looked up again: what differed may have been a turn of another process under way.
    for (const difference of findDifferences(shelf, depth)) {
      settle(shelf, connection, difference);
      if (++done % 100 === 0) await nextTurn();
    }
  });
}

interface Difference {
  path: LogPath;
  kind: 'unknown' | 'gone' | 'changed' | 'leftover';
}

function findDifferences({ folder, catalogue }: Shelf, depth: 'names' | 'sizes'): Difference[] {
  const rows = new Map(catalogue.all().map((row) => [row.path, row]));
  const differences: Difference[] = [];
  for (const { path, kind } of walkFolders(folder)) {
    if (kind === 'rewrite') differences.push({ path, kind: 'leftover' });
    if (kind !== 'log') continue;
    const row = rows.get(path);
    if (!row) differences.push({ path, kind: 'unknown' });
    else if (depth === 'sizes' && sizeOf(absolutePath(folder, path)) !== row.size) differences.push({ path, kind: 'changed' });
    rows.delete(path);
  }
  for (const path of rows.keys()) differences.push({ path, kind: 'gone' });
  return differences;
}

function settle(shelf: Shelf, connection: Connection, { path, kind }: Difference): void {
  const { folder, catalogue, logs } = shelf;
  // Only whoever holds the lock rewrites files: this one was left behind by somebody who died at it.
  if (kind === 'leftover') rmSync(absolutePath(folder, path), { force: true });
  if (kind === 'gone') catalogue.remove(connection, path);
  if (kind === 'leftover' || kind === 'gone') return;
  try {
    const head = logs.head(path);
    if (!head) return;
    const holder = catalogue.findById(head.conversation.id, connection);
    // Two files that claim one conversation: the one that is known stays known, and `verify` names the other.
    if (holder && holder.path !== path && sizeOf(absolutePath(folder, holder.path)) !== undefined) return;
    catalogue.remove(connection, path);
    catalogue.put(connection, path, head);
  } catch (error) {
    // One damaged file must not close the whole store; `verify` names it.
    if (!isContinuoError(error, 'store-damaged') && !isContinuoError(error, 'unsafe-path')) throw error;
  }
}

function sizeOf(absolute: string): number | undefined {
  return lstatSync(absolute, { throwIfNoEntry: false })?.size;
}

/** The same while the system runs, another after it was started again. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // Elsewhere: the moment of the start, to ten seconds. A clock that is set differently costs one comparison too many.
    return String(Math.round((Date.now() / 1000 - uptime()) / 10));
  }
}
