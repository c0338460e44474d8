// The port for finding earlier material. What it returns is quoted history: data, never instructions.
import type { EntryKind, Role } from '../entry.ts';
import type { ConversationId, EntryId } from '../id.ts';

/** Who said it. Tool calls and their results count as the tool's; a title is what its conversation is called. */
export type RecallRole = 'user' | 'assistant' | 'tool' | 'summary' | 'title';

export interface RecallQuery {
  /** What to look for; where it is empty, the newest exchanges are meant. */
  text: string;
  /** At most so many hits. */
  limit?: number;
  /** Look in this project only, named by its key. */
  project?: string;
  /** Look in these projects only. */
  projects?: readonly string[];
  /** Look in conversations with this agent only. */
  agent?: string;
  role?: RecallRole | readonly RecallRole[];
  /** Said at or after this moment. */
  since?: number;
  /** Said before this moment. */
  until?: number;
  /** Look in conversations with this tag only. */
  tag?: string;
  /** Look in this conversation only. */
  conversation?: ConversationId;
  /** Leave these out, with the sub-agents they sent out: usually the conversation that is asking. */
  except?: ConversationId | readonly ConversationId[];
  /** The same, named by their keys: sub-agents of a session that is not stored itself are left out, too. */
  exceptKeys?: readonly string[];
  /** The project of who asks: what was said in it is preferred, and if it is private, it is shown here and nowhere else. */
  hereProject?: string;
  /**
   * `near` (default): only what is near enough to be put before a model unasked. `wide`: weaker hits as well, for who looks through a
   * list; what has nothing to do with the question is left out all the same.
   */
  reach?: 'near' | 'wide';
  /** Say why each hit stands where it does. */
  explain?: boolean;
  /** Whether the answer to a question that is found comes right after it. Default true. */
  answers?: boolean;
  signal?: AbortSignal;
}

/** How the score of a hit came about: the parts add up to the total. */
export interface RecallReason {
  /** What its words add; absent where it was not found by words. */
  lexical?: number;
  /** What its meaning adds; absent where it was not found by meaning. */
  semantic?: number;
  /** How like the question it is, 0 to 1, where meaning was compared. */
  likeness?: number;
  /** What its age adds. */
  recency: number;
  /** What being said in the project of who asks adds. */
  project: number;
  /** What is taken off, because a tool, a summary or only the title says it. */
  role: number;
  total: number;
  /** The terms of the question that it holds. */
  terms: string[];
  /** The answer to the hit before it: it stands here because of that one. */
  answers?: EntryId;
}

export interface RecallHit {
  conversationId: ConversationId;
  entryId: EntryId;
  at: number;
  /** `title` where the conversation was found by its name: the entry is then the first that was said in it. */
  kind: EntryKind | 'title';
  role?: Role;
  title?: string;
  project?: string;
  agent?: string;
  /** The passage, cut to a readable length. */
  text: string;
  /** Where the passage holds what was asked for. In order, without overlaps. */
  highlights?: { start: number; end: number }[];
  /** Higher is better; comparable within one answer only. */
  score: number;
  /** Present where the query asked to explain. */
  why?: RecallReason;
}

/** What was found in one conversation. */
export interface RecallGroup {
  conversationId: ConversationId;
  title?: string;
  project?: string;
  agent?: string;
  /** When the newest of its hits was said. */
  at: number;
  score: number;
  /** Best first. */
  hits: RecallHit[];
}

/**
 * Why there are no hits: nothing is stored that may be shown; nothing is near enough to what was asked; there is something, but the
 * filters of the query leave it out; not everything is indexed yet; or the words alone are never searched for. Speaks only of what may be shown: it never tells that
 * something hidden would have been found.
 */
export type EmptyReason = 'nothing-stored' | 'below-threshold' | 'filtered' | 'index-behind' | 'nothing-asked';

/**
 * Why not everything was looked through: not everything is indexed yet, and it will be soon; what was asked for stands in so many entries
 * that only the newest were compared; the index belongs to a newer program, or cannot be used, and the log's newest conversations were
 * gone through by words alone.
 */
export type IncompleteReason = 'index-behind' | 'newest-only' | 'index-newer' | 'index-unavailable';

export interface RecallAnswer {
  /** Best first. */
  hits: RecallHit[];
  /** The same hits by conversation, best conversation first. */
  groups?: RecallGroup[];
  /** What was looked through, so that "nothing found" can be honest. */
  searched: {
    conversations: number;
    entries: number;
    complete: boolean;
    /** Present where it is not complete. */
    incompleteBecause?: IncompleteReason;
  };
  /** Present where there are no hits and the reason is known. */
  emptyBecause?: EmptyReason;
}

export interface Recall {
  find(query: RecallQuery): Promise<RecallAnswer>;
}
