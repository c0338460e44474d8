// One writer per conversation: who holds the right to append, and until when.
import { ContinuoError } from './error.ts';
import type { ConversationId } from './id.ts';

export interface LeaseHolder {
  conversationId: ConversationId;
  /** Proof of holding; known to the holder only. */
  token: string;
  /** A name people recognise: the program or the user. */
  owner: string;
  pid: number;
  host: string;
  acquiredAt: number;
  /** Renewed by every heartbeat; after it the lease counts for nothing. */
  expiresAt: number;
}

/** The refusal a second writer gets: it names the holder. */
export function lockedBy(holder: LeaseHolder): ContinuoError {
  const { conversationId: id, owner, pid, host, expiresAt } = holder;
  return new ContinuoError('conversation-locked', { id, owner, pid, host, expiresAt });
}
