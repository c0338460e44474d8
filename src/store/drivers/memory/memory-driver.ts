// Keeps everything in this process. The reference for what every driver must do, and the double for tests that need no disk.
import type { Conversation, ConversationPatch } from '../../../model/conversation.ts';
import { ContinuoError } from '../../../model/error.ts';
import type { ConversationId } from '../../../model/id.ts';
import { type LeaseHolder, lockedBy } from '../../../model/lease.ts';
import type {
  AppendNotice,
  AppendOutcome,
  AppendRequest,
  CompressResult,
  DraftRecord,
  DriverListQuery,
  DriverStats,
  EncodedEntry,
  EntryRange,
  EntryRecord,
  ExpireResult,
  LeaseRequest,
  StoreDriver,
  VerifyReport,
} from '../../../model/ports/store-driver.ts';
import { applyPatch } from '../../conversation-patch.ts';
import { selectConversations } from '../../list-filter.ts';
import { summarize } from '../../store-summary.ts';

interface Thread {
  conversation: Conversation;
  /** In order of position. Gaps only where a ttl policy removed entries. */
  entries: EntryRecord[];
  draft?: DraftRecord;
}

export class MemoryDriver implements StoreDriver {
  readonly name = 'memory';
  readonly supports = { durable: false, shared: false, backup: false, coldCompression: false };
  readonly #threads = new Map<ConversationId, Thread>();
  readonly #leases = new Map<ConversationId, LeaseHolder>();
  readonly #listeners = new Set<(notice: AppendNotice) => void>();

  async open(): Promise<void> {}

  async close(): Promise<void> {
    this.#listeners.clear();
  }

  async insertConversation(conversation: Conversation): Promise<void> {
    if (this.#threads.has(conversation.id)) throw new ContinuoError('conversation-exists', { id: conversation.id });
    const holder = conversation.key === undefined ? undefined : this.#byKey(conversation.key);
    if (holder) throw new ContinuoError('key-taken', { key: conversation.key, holder: holder.id });
    this.#threads.set(conversation.id, { conversation: structuredClone(conversation), entries: [] });
  }

  async findConversation(id: ConversationId): Promise<Conversation | undefined> {
    return structuredClone(this.#threads.get(id)?.conversation);
  }

  async findByKey(key: string): Promise<Conversation | undefined> {
    return structuredClone(this.#byKey(key));
  }

  async findIdsByPrefix(prefix: string, limit: number): Promise<ConversationId[]> {
    return [...this.#threads.keys()]
      .filter((id) => id.startsWith(prefix))
      .sort()
      .slice(0, limit);
  }

  async updateConversation(id: ConversationId, patch: ConversationPatch): Promise<Conversation | undefined> {
    const thread = this.#threads.get(id);
    if (!thread) return undefined;
    thread.conversation = structuredClone(applyPatch(thread.conversation, patch));
    return structuredClone(thread.conversation);
  }

  async listConversations(query: DriverListQuery): Promise<Conversation[]> {
    return structuredClone(selectConversations(this.#conversations(), query));
  }

  async deleteConversation(id: ConversationId): Promise<boolean> {
    this.#leases.delete(id);
    return this.#threads.delete(id);
  }

  async append(batch: readonly AppendRequest[]): Promise<AppendOutcome[]> {
    return batch.map((request) => this.#appendOne(request));
  }

  async readEntries(id: ConversationId, range: EntryRange): Promise<EntryRecord[]> {
    const all = this.#threads.get(id)?.entries ?? [];
    const from = lowerBound(all, range.after + 1);
    const to = lowerBound(all, range.before);
    if (range.order === 'forward') return all.slice(from, Math.min(to, from + range.limit)).map(copy);
    return all
      .slice(Math.max(from, to - range.limit), to)
      .reverse()
      .map(copy);
  }

  async findDraft(id: ConversationId): Promise<DraftRecord | undefined> {
    return structuredClone(this.#threads.get(id)?.draft);
  }

  async scrubDrafts(): Promise<void> {}

  async expireEntries(now: number): Promise<ExpireResult> {
    const result: ExpireResult = { withheld: 0, removed: 0 };
    for (const thread of this.#threads.values()) {
      if (thread.draft && isDue(thread.draft, now)) {
        delete thread.draft;
        result.removed += 1;
      }
      const { policy } = thread.conversation;
      if (policy.kind !== 'ttl') continue;
      const due = thread.entries.filter((entry) => isDue(entry, now));
      if (policy.afterwards === 'delete') {
        thread.entries = thread.entries.filter((entry) => !isDue(entry, now));
        result.removed += due.length;
      } else {
        for (const entry of due) Object.assign(entry, { text: null, data: null, expiresAt: null });
        result.withheld += due.length;
      }
    }
    return result;
  }

  async countExpired(now: number): Promise<number> {
    let count = 0;
    for (const { entries, draft } of this.#threads.values()) {
      count += entries.filter((entry) => isDue(entry, now)).length;
      if (draft && isDue(draft, now)) count += 1;
    }
    return count;
  }

  async acquireLease(request: LeaseRequest): Promise<LeaseHolder> {
    const { now, replaces, ...wanted } = request;
    const present = this.#leases.get(request.conversationId);
    const free = !present || present.expiresAt <= now || present.token === wanted.token || present.token === replaces;
    if (free) this.#leases.set(wanted.conversationId, { ...wanted });
    return { ...(free ? wanted : present) };
  }

  async renewLease(id: ConversationId, token: string, expiresAt: number): Promise<boolean> {
    const present = this.#leases.get(id);
    if (present?.token !== token) return false;
    present.expiresAt = expiresAt;
    return true;
  }

  async releaseLease(id: ConversationId, token: string): Promise<void> {
    if (this.#leases.get(id)?.token === token) this.#leases.delete(id);
  }

  async findLease(id: ConversationId): Promise<LeaseHolder | undefined> {
    return structuredClone(this.#leases.get(id));
  }

  follow(listener: (notice: AppendNotice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async stats(): Promise<DriverStats> {
    let entries = 0;
    for (const thread of this.#threads.values()) entries += thread.entries.length;
    return { ...summarize(this.#conversations()), entries, bytesOnDisk: 0 };
  }

  async verify(): Promise<VerifyReport> {
    const { conversations, entries } = await this.stats();
    return { conversations, entries, problems: [] };
  }

  async backup(): Promise<void> {
    throw new ContinuoError('not-supported', { driver: this.name, what: 'back up' });
  }

  async retire(work: () => Promise<void>): Promise<void> {
    await work();
  }

  async compressCold(): Promise<CompressResult> {
    throw new ContinuoError('not-supported', { driver: this.name, what: 'compress old text' });
  }

  #appendOne(request: AppendRequest): AppendOutcome {
    const { conversationId: id, expectedSeq, leaseToken, now } = request;
    const thread = this.#threads.get(id);
    if (!thread) return { error: new ContinuoError('conversation-not-found', { id }) };
    const { conversation } = thread;
    if (conversation.trashedAt !== undefined) return { error: new ContinuoError('conversation-trashed', { id }) };
    const lease = this.#leases.get(id);
    if (lease && lease.expiresAt > now && lease.token !== leaseToken) return { error: lockedBy(lease) };
    const actual = conversation.lastSeq;
    if (expectedSeq !== undefined && expectedSeq !== actual) {
      return { error: new ContinuoError('seq-conflict', { id, expected: expectedSeq, actual }) };
    }
    for (const entry of request.entries) {
      conversation.lastSeq += 1;
      conversation.activeAt = Math.max(conversation.activeAt, entry.at);
      thread.entries.push({ ...entry, seq: conversation.lastSeq });
    }
    if (request.draft) thread.draft = { after: conversation.lastSeq, ...request.draft };
    if (request.draft === null) delete thread.draft;
    if (request.entries.length > 0) {
      for (const listener of this.#listeners) listener({ conversationId: id, lastSeq: conversation.lastSeq });
    }
    return { firstSeq: actual + 1 };
  }

  #byKey(key: string): Conversation | undefined {
    for (const conversation of this.#conversations()) if (conversation.key === key) return conversation;
    return undefined;
  }

  *#conversations(): Iterable<Conversation> {
    for (const thread of this.#threads.values()) yield thread.conversation;
  }
}

function isDue(entry: EncodedEntry, now: number): boolean {
  return entry.expiresAt !== null && entry.expiresAt <= now;
}

function copy(record: EntryRecord): EntryRecord {
  return { ...record };
}

/** The index of the first record at or after the position. */
function lowerBound(records: readonly EntryRecord[], seq: number): number {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((records[middle] as EntryRecord).seq < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
