// The narrow port every storage backend implements. The wide ConversationStore validates, applies policy and redaction, encodes
// and follows forks; a driver only keeps records. Asynchronous throughout and free of any one database's ideas.
import type { Conversation, ConversationPatch } from '../conversation.ts';
import type { EntryKind } from '../entry.ts';
import type { ContinuoError } from '../error.ts';
import type { ConversationId } from '../id.ts';
import type { LeaseHolder } from '../lease.ts';
import type { ListQuery } from '../list-query.ts';

/** An entry as it is written. `header` survives every policy that keeps anything; `text` and `data` are what policies withhold. */
export interface EncodedEntry {
  at: number;
  kind: EntryKind;
  /** JSON object text. */
  header: string;
  /** The words; null when withheld. */
  text: string | null;
  /** JSON object text of everything else that was said; null when there is none or it is withheld. */
  data: string | null;
  /** When a ttl policy takes the text away; null for never. */
  expiresAt: number | null;
}

export interface EntryRecord extends EncodedEntry {
  seq: number;
}

/** An answer in the making: what a crash would leave of it. At most one per conversation, never among its entries. */
export interface DraftRecord extends EncodedEntry {
  /** The conversation's last position when it was put. */
  after: number;
}

export interface AppendRequest {
  conversationId: ConversationId;
  /** None where the request is about the draft only. */
  entries: readonly EncodedEntry[];
  /** Their headers and data are what `JSON.stringify` writes, letter for letter: a driver need not look. */
  isCanonical?: boolean;
  /**
   * Takes the place of the conversation's draft (`after` where left out: its last position now), or with `null` takes it away, in the
   * same commit as the entries where the driver can, otherwise right after.
   */
  draft?: (EncodedEntry & { after?: number }) | null;
  /** Refuse with `seq-conflict` unless this is the conversation's last position. */
  expectedSeq?: number;
  /** Proof of holding the conversation's lease, where the writer has one. */
  leaseToken?: string;
  /** The moment of the append, for lease expiry. */
  now: number;
}

/** Positions run from `firstSeq` without gaps. A refused request leaves no trace and does not disturb the rest of its batch. */
export type AppendOutcome = { firstSeq: number } | { error: ContinuoError };

/** A window on a conversation's own entries: `after < seq < before`, read from the low or from the high end. */
export interface EntryRange {
  after: number;
  before: number;
  limit: number;
  order: 'forward' | 'backward';
}

/** A list query with the cursor decoded. Order: activeAt descending, then id descending. */
export interface DriverListQuery extends Omit<ListQuery, 'cursor' | 'limit'> {
  limit: number;
  /** Only conversations after this place in the order. */
  after?: { activeAt: number; id: ConversationId };
}

export interface LeaseRequest extends LeaseHolder {
  /** The moment of asking; an existing lease that expired before it is replaced. */
  now: number;
  /** Token of a lease whose owner is known to be dead: replaced although not yet expired. */
  replaces?: string;
}

export interface AppendNotice {
  conversationId: ConversationId;
  lastSeq: number;
}

/** Something `verify` found. `code` is stable, `detail` is for people. */
export interface Problem {
  code:
    | 'torn-tail'
    | 'damaged-record'
    | 'missing-entries'
    | 'count-mismatch'
    | 'file-damaged'
    | 'unexpected-file'
    | 'loose-permissions';
  conversationId?: ConversationId;
  file?: string;
  line?: number;
  detail: string;
}

export interface VerifyReport {
  conversations: number;
  entries: number;
  problems: Problem[];
}

export interface DriverStats {
  conversations: number;
  trashed: number;
  pinned: number;
  entries: number;
  bytesOnDisk: number;
  /** Conversations per agent and per project, most first; conversations without one are left out. */
  byAgent: { name: string; conversations: number }[];
  byProject: { name: string; conversations: number }[];
}

export interface ExpireResult {
  withheld: number;
  removed: number;
}

export interface CompressResult {
  entries: number;
  bytesBefore: number;
  bytesAfter: number;
}

export type Progress = (done: number, total: number) => void;

export interface DriverCapabilities {
  /** Acknowledged writes survive the death of the process. */
  durable: boolean;
  /** Several processes may open the same data at once. */
  shared: boolean;
  backup: boolean;
  coldCompression: boolean;
}

export interface StoreDriver {
  readonly name: string;
  readonly supports: DriverCapabilities;
  /** Called where damage is met while reading: the damaged record is left out, the rest is returned, and this tells about it. */
  onProblem?: ((problem: Problem) => void) | undefined;

  open(): Promise<void>;
  close(): Promise<void>;

  /** `conversation-exists` or `key-taken` where the id or the key is in use (a trashed conversation keeps its key). */
  insertConversation(conversation: Conversation): Promise<void>;
  findConversation(id: ConversationId): Promise<Conversation | undefined>;
  findByKey(key: string): Promise<Conversation | undefined>;
  /** At most `limit` ids that begin with the prefix, trashed ones included. */
  findIdsByPrefix(prefix: string, limit: number): Promise<ConversationId[]>;
  /** Applies the patch in one step and returns the result; undefined where there is no such conversation. */
  updateConversation(id: ConversationId, patch: ConversationPatch): Promise<Conversation | undefined>;
  listConversations(query: DriverListQuery): Promise<Conversation[]>;
  /** Removes the conversation, its entries and its draft so that no byte of their text remains in any file. */
  deleteConversation(id: ConversationId): Promise<boolean>;

  /**
   * Writes the whole batch with one commit, in order, and returns when it is durable. Per request it refuses with
   * `conversation-not-found`, `conversation-trashed`, `conversation-locked` or `seq-conflict`. A fault of the medium rejects the
   * whole batch, and then nothing of it may appear later.
   */
  append(batch: readonly AppendRequest[]): Promise<AppendOutcome[]>;
  findDraft(id: ConversationId): Promise<DraftRecord | undefined>;
  /** Called after a draft was taken away that nothing else stands for: no byte of it may remain in any file. */
  scrubDrafts(): Promise<void>;
  /** Own entries only (a fork's shared part is its origin's); an unknown conversation has none. */
  readEntries(id: ConversationId, range: EntryRange): Promise<EntryRecord[]>;
  /**
   * Takes away what ttl policies no longer allow at `now`, as each conversation's policy says, leaving no byte of the text. A draft
   * goes as a whole and counts as removed.
   */
  expireEntries(now: number): Promise<ExpireResult>;
  /** How many entries and drafts {@link expireEntries} would touch. */
  countExpired(now: number): Promise<number>;

  /** The lease as it stands afterwards: the caller's own if its token is in it, otherwise the present holder's. */
  acquireLease(request: LeaseRequest): Promise<LeaseHolder>;
  /** False if the lease is gone or somebody else's. */
  renewLease(id: ConversationId, token: string, expiresAt: number): Promise<boolean>;
  releaseLease(id: ConversationId, token: string): Promise<void>;
  findLease(id: ConversationId): Promise<LeaseHolder | undefined>;

  /** Calls back after appends by anybody, this process or another; may merge several into one notice. Returns the way to stop. */
  follow(listener: (notice: AppendNotice) => void): () => void;

  stats(): Promise<DriverStats>;
  verify(progress?: Progress): Promise<VerifyReport>;
  /** A consistent copy of everything in an existing empty folder, while others go on writing. */
  backup(folder: string, progress?: Progress): Promise<void>;
  /**
   * Runs the work, which may read, while nobody can write. When it succeeds the data takes no more writes from anybody: for moving
   * a store to another place, so that nothing is written to the place it left.
   */
  retire(work: () => Promise<void>): Promise<void>;
  /** Packs the text of entries said before the moment; what `readEntries` returns does not change. */
  compressCold(before: number, progress?: Progress): Promise<CompressResult>;
}
