// What is never touched, whatever a strategy says. Asked when a plan is made and again right before each conversation goes.
import type { Conversation } from '../../model/conversation.ts';
import type { ConversationId } from '../../model/id.ts';
import type { ListQuery } from '../../model/list-query.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { readNote } from './retention-note.ts';
import type { KeptReason } from './retention-plan.ts';
import { oneDay, type RetentionSettings } from './retention-settings.ts';

const pageSize = 500;
/** How far the clocks of two machines on one store may differ before a fork is overlooked for a moment. */
const clockMargin = 60_000;

export class Protection {
  readonly #store: ConversationStore;
  readonly #settings: RetentionSettings;
  readonly #origins = new Set<ConversationId>();
  /** Forks made before this moment are known. */
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(store: ConversationStore, settings: RetentionSettings) {
    this.#store = store;
    this.#settings = settings;
  }

  /** Learns which conversations share their text with forks: from all there are, later from what is new. */
  async learnForks(now: number): Promise<void> {
    const since = this.#lookedAt - clockMargin;
    const query: ListQuery = { trash: 'include', ...(Number.isFinite(since) && { since: Math.floor(since) }) };
    this.#lookedAt = now;
    for await (const { forkedFrom } of listAll(this.#store, query)) if (forkedFrom) this.#origins.add(forkedFrom.id);
  }

  /** What keeps the conversation at this moment. */
  async reasonToKeep(conversation: Conversation, now: number): Promise<KeptReason | undefined> {
    if (conversation.pinned) return 'pinned';
    if (conversation.key !== undefined) return 'keyed';
    if (lastUse(conversation) > now - this.#settings.minimumAgeDays * oneDay) return 'recent';
    if (this.#origins.has(conversation.id)) return 'forked';
    if (isRestored(conversation)) return 'restored';
    return (await this.#store.findLease(conversation.id)) ? 'active' : undefined;
  }
}

/** What was imported yesterday is not old, however long ago it was said. */
export function lastUse({ id, activeAt }: Pick<Conversation, 'id' | 'activeAt'>): number {
  return Math.max(activeAt, storedAt(id));
}

/** Page by page, newest activity first. */
export async function* listAll(store: ConversationStore, query: ListQuery): AsyncGenerator<Conversation> {
  let cursor: string | undefined;
  do {
    const page = await store.list({ ...query, limit: pageSize, ...(cursor !== undefined && { cursor }) });
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

/** Somebody wanted it back; that holds until it is used, and then grows old like others. */
function isRestored(conversation: Conversation): boolean {
  const note = readNote(conversation);
  return note !== undefined && conversation.trashedAt === undefined && conversation.activeAt <= note.at;
}

const digits = '0123456789abcdefghjkmnpqrstvwxyz';

/** The moment its id was made. */
function storedAt(id: ConversationId): number {
  let time = 0;
  for (const digit of id.slice('cnv_'.length, 'cnv_'.length + 10)) time = time * 32 + digits.indexOf(digit);
  return time;
}
