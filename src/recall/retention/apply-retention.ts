// Carries a plan out: moves conversations to the trash, nothing else. Purging is the store's, after its grace period.
// Invariant: a conversation goes only as the plan saw it. Each is looked at again under its lease, so that nobody writes meanwhile, and
// one that was changed in the same instant comes back at once.
import { type Clock, systemClock } from '../../base/clock.ts';
import type { Conversation } from '../../model/conversation.ts';
import { isContinuoError } from '../../model/error.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { Protection } from './protection.ts';
import { formatNote, withoutNote } from './retention-note.ts';
import type { LeftReason, RetentionItem, RetentionPlan, RetentionResult } from './retention-plan.ts';
import { type RetentionConsent, reasonToWait } from './retention-settings.ts';

export interface ApplyOptions extends RetentionConsent {
  store: ConversationStore;
  clock?: Clock;
  onProgress?: (done: number, total: number) => void;
  /** Stops between two conversations; what was done stays done. */
  signal?: AbortSignal;
}

const owner = 'retention';

export async function applyRetention(plan: RetentionPlan, options: ApplyOptions): Promise<RetentionResult> {
  const { store, clock = systemClock, onProgress, signal } = options;
  const result: RetentionResult = { at: clock(), trashed: [], left: [] };
  const waiting = reasonToWait(plan.settings, options);
  if (waiting) return { ...result, waiting };
  if (plan.trash.length === 0) return result;
  const protection = new Protection(store, plan.settings);
  const { conversations, trashed } = await store.stats();
  let living = conversations - trashed;
  for (const item of plan.trash) {
    if (signal?.aborted) break;
    const isNeeded = item.reason !== 'over-limit' || living > plan.settings.maxConversations;
    const left = isNeeded ? await trashOne(item, { store, clock, protection }) : 'limit-kept';
    if (left) {
      result.left.push({ id: item.id, reason: left });
    } else {
      living -= 1;
      result.trashed.push(item);
    }
    onProgress?.(result.trashed.length + result.left.length, plan.trash.length);
  }
  return result;
}

interface Tools {
  store: ConversationStore;
  clock: Clock;
  protection: Protection;
}

/** Why it was left alone; undefined where it is in the trash now. */
async function trashOne(item: RetentionItem, tools: Tools): Promise<LeftReason | undefined> {
  const { store, clock } = tools;
  // Before the lease, so that whoever uses the conversation is not disturbed for nothing.
  const early = await reasonToLeave(item, tools);
  if (early) return early;
  const lease = await store.acquireLease(item.id, { owner }).catch((error: unknown) => {
    if (isContinuoError(error, 'conversation-locked')) return 'active' as const;
    if (isContinuoError(error, 'conversation-not-found')) return 'gone' as const;
    throw error;
  });
  if (typeof lease === 'string') return lease;
  try {
    const seen = await store.find(item.id);
    const late = reasonOf(item, seen) ?? (seen?.pinned ? 'pinned' : undefined);
    if (late) return late;
    const at = clock();
    const trashed = await store.trash(item.id, { at, meta: formatNote(item, at) });
    const isMine = trashed.trashedAt === at;
    const changed = reasonOf(item, { ...trashed, trashedAt: undefined }) ?? (trashed.pinned ? 'pinned' : undefined);
    if (isMine && !changed) return undefined;
    if (isMine) await store.restore(item.id);
    await store.mergeMeta(item.id, withoutNote);
    return changed ?? 'gone';
  } catch (error) {
    if (isContinuoError(error, 'conversation-not-found')) return 'gone';
    throw error;
  } finally {
    await lease.release();
  }
}

async function reasonToLeave(item: RetentionItem, { store, clock, protection }: Tools): Promise<LeftReason | undefined> {
  const now = clock();
  const conversation = await store.find(item.id);
  const changed = reasonOf(item, conversation);
  if (!conversation || changed) return changed;
  await protection.learnForks(now);
  const kept = await protection.reasonToKeep(conversation, now);
  if (kept || item.within === undefined) return kept;
  const holder = await store.find(item.within);
  const holds = holder && holder.trashedAt === undefined && holder.project === conversation.project;
  return holds ? undefined : 'within-gone';
}

/** What happened to it since the plan was made. */
function reasonOf(
  item: RetentionItem,
  conversation: (Omit<Conversation, 'trashedAt'> & { trashedAt?: number | undefined }) | undefined,
): 'gone' | 'used' | undefined {
  if (!conversation || conversation.trashedAt !== undefined) return 'gone';
  return conversation.lastSeq === item.lastSeq && conversation.activeAt === item.activeAt ? undefined : 'used';
}
