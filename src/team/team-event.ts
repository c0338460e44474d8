// What happens in a team, for whoever shows it. Events go out as they happen; nothing waits for who listens.
import type { ErrorDetails } from '../model/error.ts';
import type { ErrorCode } from '../model/error-codes.ts';
import type { TokenUsage } from '../model/ports/text-model.ts';
import type { ConversationMessage } from '../snapshot/session-snapshot.ts';
import type { TodoItem } from './routing/parse-todos.ts';

/** Why a human is waited for. */
export type WaitReason =
  | 'started'
  | 'resumed'
  /** Everybody who was addressed has spoken. */
  | 'turn-completed'
  /** A member addressed the human. */
  | 'addressed'
  /** The members have talked among themselves for as long as they may. */
  | 'round-limit'
  | 'cancelled'
  /** The signal that was given has run out of time. */
  | 'timeout'
  /** Nobody who was called could finish an answer, or the log could not take it. */
  | 'failed';

export interface Told {
  code: ErrorCode;
  message: string;
  details: ErrorDetails;
}

export type TeamEventBody =
  | { type: 'session-started'; conversationId?: string; resumed: boolean; messages: number }
  | { type: 'message'; message: ConversationMessage }
  | { type: 'task-changed'; teamTask: string; by: string }
  | { type: 'member-started'; member: string; round: number }
  | { type: 'text-delta'; member: string; text: string }
  | { type: 'thinking-delta'; member: string; text: string }
  | { type: 'activity'; member: string; tool: string; detail?: string }
  | { type: 'member-ended'; member: string; message: ConversationMessage; usage: TokenUsage; milliseconds: number }
  /** The round goes on without it. `message` is what it had said. */
  | { type: 'member-failed'; member: string; error: Told; message?: ConversationMessage; milliseconds: number }
  /** Shown and never stored. */
  | { type: 'todo'; member: string; todos: readonly TodoItem[] }
  /** Names in a marker that nobody has, and members that were called again in the same round. */
  | { type: 'routing-skipped'; member: string; unknown: readonly string[]; repeated: readonly string[] }
  | { type: 'waiting-for-human'; member: string; reason: WaitReason; pending: readonly string[] }
  | { type: 'saved'; path: string; messages: number }
  /** Another process had saved a newer state, which stays. What was said here is in the log. */
  | { type: 'save-skipped'; path: string; messages: number }
  | { type: 'save-failed'; error: Told }
  /** Somebody spoke in the history who is not in the team any more; shown by the name of then. */
  | { type: 'member-left'; member: string; name: string; messages: number }
  | { type: 'warning'; error: Told }
  | { type: 'session-stopped' };

export type TeamEvent = TeamEventBody & { at: number; sessionId: string };
export type TeamEventOf<Type extends TeamEvent['type']> = Extract<TeamEvent, { type: Type }>;
export type TeamListener = (event: TeamEvent) => void;
