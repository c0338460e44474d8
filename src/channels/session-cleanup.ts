// Which sessions have been quiet for too long, and a timer that puts them into the trash. Nothing is purged here: what was cleaned
// up can be restored until the store's grace period ends. Pinned, leased and used sessions stay.
import type { Conversation } from '../model/conversation.ts';
import { ContinuoError } from '../model/error.ts';
import type { ConversationId } from '../model/id.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import { isOwnedBy, lastActivity } from './session-state.ts';

/** A session that is merely read (a model is still answering) counts as used for so long, or for `maxAge` where that is less. */
const longestUse = 10 * 60 * 1000;
const longestTimer = 2 ** 31 - 1;

export type KeptReason = 'pinned' | 'locked' | 'in-use' | 'active-again';

export interface CleanupCandidate<Reason extends string> {
  key: string;
  id: ConversationId;
  updated_at: number;
  reason: Reason;
}

export interface CleanupReport {
  /** When it was looked. */
  at: number;
  /** Sessions without activity since this moment are too old. */
  cutoff: number;
  /** True for a preview: nothing was changed. */
  dryRun: boolean;
  /** Put into the trash, or would be. */
  removed: CleanupCandidate<'inactive'>[];
  /** Too old as well, but left alone. */
  kept: CleanupCandidate<KeptReason>[];
}

export interface CleanupScheduleOptions {
  /** Milliseconds between two runs; the first one is one interval from now. */
  every: number;
  /** Sessions without activity for so many milliseconds are cleaned up. */
  maxAge: number;
  /** Sees what is about to go; `false` cancels this run. */
  onPreview?(report: CleanupReport): unknown;
  onDone?(report: CleanupReport): void;
}

export interface CleanupSchedule {
  /** Does now what the timer does; undefined where the preview was answered with `false`. */
  run(): Promise<CleanupReport | undefined>;
  /** No more runs; resolves when one that is under way has ended. */
  stop(): Promise<void>;
}

export interface CleanupScope {
  owner: string;
  now: number;
  maxAge: number;
  /** When this process last used the session of the key; infinity while something is under way or unsaved. */
  usedAt(key: string): number | undefined;
}

export async function planCleanup(store: ConversationStore, scope: CleanupScope): Promise<CleanupReport> {
  const { owner, now, maxAge } = scope;
  if (!(Number.isFinite(maxAge) && maxAge >= 0)) throw invalid('maxAge', 'it must be a number of milliseconds, 0 or more');
  const cutoff = Math.floor(now - maxAge);
  const report: CleanupReport = { at: now, cutoff, dryRun: true, removed: [], kept: [] };
  for await (const conversation of listOwned(store, owner, { before: cutoff })) {
    const { key, id } = conversation;
    const updated_at = lastActivity(conversation);
    if (updated_at >= cutoff) continue;
    const kept = await reasonToKeep(store, conversation, scope);
    if (kept) report.kept.push({ key, id, updated_at, reason: kept });
    else report.removed.push({ key, id, updated_at, reason: 'inactive' });
  }
  return report;
}

/** Carries the plan out with `trash`, which says false for a session that was used or pinned since. */
export async function carryOut(
  plan: CleanupReport,
  trash: (candidate: CleanupCandidate<'inactive'>) => Promise<boolean>,
): Promise<CleanupReport> {
  const report: CleanupReport = { ...plan, dryRun: false, removed: [], kept: [...plan.kept] };
  for (const candidate of plan.removed) {
    if (await trash(candidate)) report.removed.push(candidate);
    else report.kept.push({ ...candidate, reason: 'active-again' });
  }
  return report;
}

/** Runs on a timer that does not keep the process alive; a run that takes longer than the interval is not overtaken. */
export function scheduleRuns(
  every: number,
  run: () => Promise<CleanupReport | undefined>,
  onError: (error: unknown) => void,
): CleanupSchedule {
  if (!(every >= 1 && every <= longestTimer)) throw invalid('every', `it must be 1 to ${longestTimer} milliseconds`);
  let running: Promise<CleanupReport | undefined> | undefined;
  const runOnce = () => {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
  const timer = setInterval(() => void runOnce().catch(onError), every);
  timer.unref();
  const stop = async () => {
    clearInterval(timer);
    await running?.catch(() => undefined);
  };
  return { run: runOnce, stop };
}

/** The conversations a manager made and that still have their key, newest activity first. */
export async function* listOwned(
  store: ConversationStore,
  owner: string,
  filter: { before?: number } = {},
): AsyncGenerator<Conversation & { key: string }> {
  let cursor: string | undefined;
  do {
    const page = await store.list({ ...filter, limit: 1000, ...(cursor !== undefined && { cursor }) });
    for (const conversation of page.items) if (isOwnedBy(conversation, owner)) yield conversation;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

async function reasonToKeep(
  store: ConversationStore,
  conversation: Conversation & { key: string },
  { now, maxAge, usedAt }: CleanupScope,
): Promise<KeptReason | undefined> {
  if (conversation.pinned) return 'pinned';
  const used = usedAt(conversation.key);
  if (used !== undefined && used > now - Math.min(maxAge, longestUse)) return 'in-use';
  return (await store.findLease(conversation.id)) ? 'locked' : undefined;
}

function invalid(what: string, reason: string): ContinuoError {
  return new ContinuoError('invalid-input', { what, reason });
}
