// Which conversations would be put into the trash, and why. Changes nothing. Goes through the store page by page and keeps only what
// would go, so that memory does not grow with what stays.
import type { Conversation } from '../../model/conversation.ts';
import type { Recall } from '../../model/ports/recall.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { type Judged, judgeSimilarity } from './compare-conversations.ts';
import { lastUse, listAll, Protection } from './protection.ts';
import { type KeptReason, type RetentionItem, type RetentionPlan, toItem } from './retention-plan.ts';
import { checkSettings, oneDay, type RetentionSettings } from './retention-settings.ts';

export interface RetentionQuery {
  store: ConversationStore;
  /** Asked by `similarity` before something is called unrelated: what it finds may be alike in meaning only. */
  recall?: Recall;
  now: number;
  settings: RetentionSettings;
  signal?: AbortSignal;
}

export async function planRetention(query: RetentionQuery): Promise<RetentionPlan> {
  const { store, now, settings, signal } = query;
  checkSettings(settings);
  const protection = new Protection(store, settings);
  await protection.learnForks(now);
  const plan: RetentionPlan = {
    at: now,
    settings: { ...settings },
    conversations: 0,
    trash: [],
    kept: {},
    aboveLimit: 0,
    complete: true,
  };
  const judge = settings.strategy === 'old' ? judgeOld(query, protection) : await judgeAlike(query, protection, plan);
  // Newest first: the newest so many of those that stay are safe from the limit, of the others goes what may.
  const most = settings.maxConversations || Number.POSITIVE_INFINITY;
  let staying = 0;
  for await (const conversation of listAll(store, {})) {
    signal?.throwIfAborted();
    plan.conversations += 1;
    const judged = await judge(conversation);
    if (judged) take(plan, judged);
    if (judged && !judged.kept) continue;
    staying += 1;
    if (staying <= most) continue;
    const kept = judged?.kept ?? (await protection.reasonToKeep(conversation, now));
    if (kept) plan.aboveLimit += 1;
    if (!judged) take(plan, withKept(toItem(conversation, lastUse(conversation), { reason: 'over-limit' }), kept));
  }
  plan.trash.reverse();
  return plan;
}

/** What the strategy says of a conversation; undefined where it does not ask for it. */
type Judge = (conversation: Conversation) => Promise<Judged | undefined>;

function judgeOld({ now, settings }: RetentionQuery, protection: Protection): Judge {
  const cutoff = now - settings.retentionDays * oneDay;
  return async (conversation) => {
    const usedAt = lastUse(conversation);
    if (usedAt >= cutoff) return undefined;
    const kept = await protection.reasonToKeep(conversation, now);
    return withKept(toItem(conversation, usedAt, { reason: 'old' }), kept);
  };
}

async function judgeAlike(query: RetentionQuery, protection: Protection, plan: RetentionPlan): Promise<Judge> {
  const { judged, complete, tooFew } = await judgeSimilarity({ ...query, protection });
  plan.complete = complete;
  if (tooFew !== undefined) plan.tooFew = tooFew;
  const byId = new Map(judged.map((each) => [each.item.id, each]));
  return async ({ id }) => byId.get(id);
}

function withKept(item: RetentionItem, kept: KeptReason | undefined): Judged {
  return kept ? { item, kept } : { item };
}

function take(plan: RetentionPlan, { item, kept }: Judged): void {
  if (kept) plan.kept[kept] = (plan.kept[kept] ?? 0) + 1;
  else plan.trash.push(item);
}
