// Lines for several files, written as one: each file gets one write of complete lines, all are synced, the catalogue follows, and only
// then does anybody see them. Where one fails, every file goes back to its length from before.
import type { Catalogue } from './catalogue.ts';
import type { Turn } from './coordination.ts';
import type { Head } from './head.ts';
import type { LogPath } from './log-path.ts';
import { type Syncer, settleHead, takeBack, writeLines } from './log-writer.ts';
import type { OpenLogs } from './open-logs.ts';

export interface WriteContext {
  catalogue: Catalogue;
  logs: OpenLogs;
  syncer: Syncer;
}

export interface Plan {
  path: LogPath;
  /** From before the write. */
  before: Head;
  /** Moves along with the planned lines. */
  head: Head;
  lines: string[];
  /** Whether followers are told. */
  isAppend: boolean;
}

/** Files written and synced together; bounds the open file handles. */
const wave = 32;

export function createPlan(path: LogPath, head: Head, isAppend: boolean): Plan {
  return { path, before: head, head: { ...head, conversation: { ...head.conversation } }, lines: [], isAppend };
}

export async function writePlans(plans: readonly Plan[], turn: Turn, { catalogue, logs, syncer }: WriteContext): Promise<void> {
  const paths = plans.map((plan) => plan.path);
  const begun: Plan[] = [];
  logs.freeze(paths);
  try {
    for (let i = 0; i < plans.length; i += wave) await writeWave(plans.slice(i, i + wave), begun, logs, syncer);
    for (const { path, head, isAppend } of plans) {
      if (isAppend) catalogue.putAppend(turn.connection, path, head);
      else catalogue.put(turn.connection, path, head);
    }
    turn.commit();
    for (const { path, head } of plans) logs.replaceHead(path, head);
  } catch (error) {
    // Before the lock is given back, so that nobody builds on what is refused here.
    for (const plan of begun) undo(plan, logs);
    throw error;
  } finally {
    logs.thaw(paths);
  }
}

async function writeWave(plans: readonly Plan[], begun: Plan[], logs: OpenLogs, syncer: Syncer): Promise<void> {
  const pinned: LogPath[] = [];
  try {
    const writes = plans.map((plan) => {
      const fd = logs.pin(plan.path, plan.before);
      pinned.push(plan.path);
      return { plan, fd, bytes: Buffer.alloc(0) as Buffer };
    });
    for (const write of writes) {
      begun.push(write.plan);
      write.bytes = writeLines(write.fd, write.plan.before, write.plan.lines.join(''));
    }
    await syncer.sync(writes.map(({ fd }) => fd));
    for (const { plan, fd, bytes } of writes) settleHead(fd, plan.head, bytes);
  } finally {
    for (const path of pinned) logs.unpin(path);
  }
}

function undo({ path, before }: Plan, logs: OpenLogs): void {
  try {
    takeBack(logs.pin(path, before), before);
    logs.unpin(path);
  } catch {
    // The medium refuses even this: the fault that led here is the one to report, and the other files must still be taken back.
  }
  logs.forget(path);
}
