// What is due to go: trashed conversations past their grace period, and text whose time to live is over.
import type { Conversation } from '../model/conversation.ts';
import type { ConversationPage, ListQuery } from '../model/list-query.ts';
import type { StoreDriver } from '../model/ports/store-driver.ts';

export interface SweepPlan {
  /** Trashed conversations whose grace period is over. */
  purge: Conversation[];
  /** Such conversations that stay because a fork still shares their text. */
  keptForForks: Conversation[];
  /** How many entries have text whose time is up. */
  expiring: number;
}

interface SweepContext {
  list(query: ListQuery): Promise<ConversationPage>;
  now: number;
  trashGrace: number;
}

export async function planSweep(driver: StoreDriver, context: SweepContext): Promise<SweepPlan> {
  const { list, now, trashGrace } = context;
  const plan: SweepPlan = { purge: [], keptForForks: [], expiring: await driver.countExpired(now) };
  let cursor: string | undefined;
  do {
    const page = await list({ trash: 'only', limit: 1000, ...(cursor !== undefined && { cursor }) });
    for (const conversation of page.items) {
      if ((conversation.trashedAt as number) + trashGrace > now) continue;
      const forks = await list({ forkedFrom: conversation.id, trash: 'include', limit: 1 });
      (forks.items.length > 0 ? plan.keptForForks : plan.purge).push(conversation);
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return plan;
}
