// Whether the index has everything that was said, and a short effort to bring it there before a search. A search never waits longer
// than its patience: a long way behind, it answers with what there is and says so.
import type { Clock } from '../base/clock.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import { factsOf, findConversation, isUnchanged } from './index/conversation-catalogue.ts';
import type { IndexDatabase } from './index/index-database.ts';
import { getState } from './index/index-state.ts';
import type { CatchUpResult, RecallIndexer } from './index/indexer.ts';
import { statement } from './index/statements.ts';

export interface FreshnessOptions {
  store: ConversationStore;
  index: IndexDatabase;
  indexer: RecallIndexer;
  clock: Clock;
  /** Milliseconds a search may wait for the index. */
  patience: number;
}

/** The newest conversations are looked at before every search: whatever was said last is in one of them. The whole list now and then. */
const newest = 10;
const wholeListEvery = 5 * 60_000;
const longestList = 5000;
/** After an effort that was not enough, searches do not wait again for a while. */
const pause = 2000;

export class Freshness {
  readonly #options: FreshnessOptions;
  #nextEffort = 0;
  #nextWholeList = 0;

  constructor(options: FreshnessOptions) {
    this.#options = options;
  }

  /** False where the index has all that was said before, as far as can be told quickly. */
  async ensure(): Promise<boolean> {
    const { index, clock } = this.#options;
    const isReplaced = !index.isCurrent;
    if (isReplaced) index.renew();
    const isBehind = isReplaced || (await this.isBehind());
    const isNew = getState(index.database, 'reconciled-at') === 0;
    const isOld = Math.abs(clock() - getState(index.database, 'reconciled-at')) > wholeListEvery;
    if (isBehind) {
      if (performance.now() < this.#nextEffort) return true;
      const scope = isReplaced || isNew || this.#hasGaps() ? 'all' : 'recent';
      const done = await this.#catchUp(scope);
      const isStillBehind = await this.isBehind();
      if (!done?.complete && isStillBehind) this.#nextEffort = performance.now() + pause;
      return isStillBehind;
    }
    if (isOld && performance.now() >= this.#nextWholeList && this.#isShort()) {
      // What was renamed, imported with old dates or purged by others; should it take too long, the background sees to it.
      this.#nextWholeList = performance.now() + wholeListEvery;
      await this.#catchUp('all');
    }
    return false;
  }

  async #catchUp(scope: 'all' | 'recent'): Promise<CatchUpResult | undefined> {
    const { indexer, patience } = this.#options;
    const limit = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => {
        limit.abort();
        resolve(undefined);
      }, patience);
    });
    const work = indexer.catchUp({ scope, wait: patience, signal: limit.signal });
    // Whatever goes wrong here goes wrong in the background again, and is told there.
    const done = work.catch((error: unknown) => {
      if (limit.signal.aborted) return undefined;
      throw error;
    });
    try {
      return await Promise.race([done, enough]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Whether something was said that the index does not have, as far as the newest conversations tell. */
  async isBehind(): Promise<boolean> {
    const { store, index } = this.#options;
    const page = await store.list({ trash: 'include', limit: newest });
    const { database } = index;
    if (page.items.length > 0 && getState(database, 'reconciled-at') === 0) return true;
    const hasNews = page.items.some((conversation) => {
      const row = findConversation(database, conversation.id);
      return !row || !isUnchanged(row, factsOf(conversation));
    });
    return hasNews || this.#hasGaps();
  }

  /** A longer list cannot be gone through while somebody waits: whoever stays longer does it in the background. */
  #isShort(): boolean {
    const sql = 'SELECT max(id) AS last FROM conversations';
    const { last } = statement(this.#options.index.database, sql).get() as { last: number | null };
    return (last ?? 0) <= longestList;
  }

  /** Conversations that the index knows of and has not gone through. */
  #hasGaps(): boolean {
    const sql = 'SELECT 1 FROM conversations WHERE last_seq > watermark AND excluded = 0 LIMIT 1';
    return statement(this.#options.index.database, sql).get() !== undefined;
  }
}
