// What a team's session is when it rests, as it lies in a file (docs/formats/session-snapshot.md). Todos are no part of it.
import type { JsonObject, JsonValue } from '../base/json.ts';

/** The version this Continuo writes. */
export const snapshotVersion = '1.0';

export interface SessionSpeaker {
  id: string;
  /** As it was when the words were said; kept although the member may have left since. */
  name: string;
  displayName?: string;
  type?: 'human' | 'ai' | 'system';
}

export interface ConversationMessage {
  id: string;
  /** ISO 8601. */
  timestamp: string;
  speaker: SessionSpeaker;
  content: string;
  /** Whom the message was addressed to, and whatever else the routing wants to keep. */
  routing?: JsonObject;
  /** Its position in the conversation of the store, where it has one. */
  seq?: number;
  /** The answer was cut off. */
  interrupted?: boolean;
}

export interface SessionContext {
  teamTask: string | null;
  messages: ConversationMessage[];
}

export interface SessionMetadata {
  lastSpeakerId?: string;
  messageCount: number;
  /** One line for lists of sessions. */
  summary?: string;
  /** How far the snapshot stands for the log: what comes after `seq` is the tail that a resume reads. */
  log?: { conversationId: string; seq: number };
  /** By member: the session that a member's own program keeps. */
  programSessions?: Record<string, string>;
  /** What others keep here is given back as it was. */
  [more: string]: JsonValue | undefined;
}

export interface SessionSnapshot {
  schemaVersion: string;
  teamId: string;
  sessionId: string;
  /** ISO 8601, as is `updatedAt`. */
  createdAt: string;
  updatedAt: string;
  context: SessionContext;
  metadata: SessionMetadata;
}

/** What is known of a session without reading its messages. */
export type SessionSummary = Omit<SessionSnapshot, 'context'> & {
  path: string;
  bytes: number;
  /** Whether the file is sealed with a key. */
  sealed: boolean;
};
