// What tidying up would do, and what it did: plain data, to be shown, kept and carried out later.
import type { Conversation } from '../../model/conversation.ts';
import type { ConversationId } from '../../model/id.ts';
import type { RetentionSettings } from './retention-settings.ts';

/** Not used for too long; stands in a newer conversation; relates to nothing; there are too many. */
export type RetentionReason = 'old' | 'contained' | 'unrelated' | 'over-limit';

/**
 * What keeps a conversation. `active`: somebody holds its lease. `recent`: stored or used within the minimum age. `forked`: a fork
 * shares its text. `keyed`: it is reached by a key from outside, and whoever gave the key tidies up. `restored`: it was taken out of
 * the trash and not used since. `related`: only for `similarity`, recall finds something like it.
 */
export type KeptReason = 'pinned' | 'active' | 'recent' | 'forked' | 'keyed' | 'restored' | 'related';

export interface RetentionItem {
  id: ConversationId;
  title?: string;
  project?: string;
  agent?: string;
  reason: RetentionReason;
  /** When it was last used. */
  usedAt: number;
  /** As it was when the plan was made: a conversation that changed since stays. */
  activeAt: number;
  lastSeq: number;
  /** The newer conversation that holds its text. */
  within?: ConversationId;
  /** How like it the most similar other conversation is. */
  similarity?: number;
}

export interface RetentionPlan {
  /** When it was made. */
  at: number;
  settings: RetentionSettings;
  /** How many conversations there are outside of the trash. */
  conversations: number;
  /** What would go, oldest first. */
  trash: RetentionItem[];
  /** How many the strategy or the limit asks for as well, by what keeps them. */
  kept: Partial<Record<KeptReason, number>>;
  /** How many conversations would still be above the limit. */
  aboveLimit: number;
  /** False where there are more than are compared in one go; what was not compared stays. */
  complete: boolean;
  /** Present where `similarity` was asked for and there are fewer than so many to compare: nothing is judged to be like no other. */
  tooFew?: number;
}

/** Why an item of the plan was left alone: what keeps it now, or what happened to it since. */
export type LeftReason = KeptReason | 'used' | 'gone' | 'within-gone' | 'limit-kept';

export interface RetentionResult {
  at: number;
  trashed: RetentionItem[];
  left: { id: ConversationId; reason: LeftReason }[];
  /** Present where nothing was done because nobody agreed to it yet. */
  waiting?: 'disabled' | 'not-announced';
}

export function toItem(
  conversation: Conversation,
  usedAt: number,
  why: Pick<RetentionItem, 'reason' | 'within' | 'similarity'>,
): RetentionItem {
  const { id, title, project, agent, activeAt, lastSeq } = conversation;
  return {
    id,
    ...(title !== undefined && { title }),
    ...(project !== undefined && { project }),
    ...(agent !== undefined && { agent }),
    ...why,
    usedAt,
    activeAt,
    lastSeq,
  };
}
