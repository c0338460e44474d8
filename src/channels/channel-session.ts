// What callers hold in their hands: a keyed session and its messages, with the field names channels have always used.
import type { JsonObject } from '../base/json.ts';
import type { Role } from '../model/entry.ts';
import type { ConversationId } from '../model/id.ts';

export interface SessionMessage {
  role: Role;
  /** As stored: secrets are masked. */
  content: string;
  /** Milliseconds since 1970. */
  timestamp: number;
}

/** A message as a model's context takes it: no system messages. */
export interface ChatMessage extends SessionMessage {
  role: 'user' | 'assistant';
}

/**
 * A conversation reached by its key. The object is live: it follows what the manager does with the key until the session is
 * deleted, unloaded or evicted. Only `metadata` and `activeSkill` are the caller's to change, and `save` makes them durable.
 */
export interface ChannelSession {
  readonly key: string;
  /** The conversation that holds it: what `continuo show` and `continuo restore` take. */
  readonly id: ConversationId;
  /** The newest messages of every role, oldest first, at most the manager's `windowSize`. Frozen: use `addMessage`. */
  readonly messages: readonly SessionMessage[];
  readonly created_at: number;
  /** The newest message, or the newest change of `metadata` or `activeSkill` that was saved. */
  readonly updated_at: number;
  metadata: JsonObject;
  activeSkill?: string | undefined;
}
