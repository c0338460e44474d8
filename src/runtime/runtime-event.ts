// What a session tells while it runs. An event is a plain value: it refers to conversations and turns by id only, so that whoever
// keeps events keeps nothing else alive. Types are noun-verb; a new field or type is added, an old one never changes its meaning.
import type { JsonValue } from '../base/json.ts';
import type { Entry } from '../model/entry.ts';
import type { ErrorDetails } from '../model/error.ts';
import type { ConversationId, SessionId, TaskId } from '../model/id.ts';
import type { TokenUsage } from '../model/ports/text-model.ts';

/** Where an event belongs. */
export interface EventOrigin {
  /** Milliseconds since 1970. */
  at: number;
  sessionId: SessionId;
  conversationId?: ConversationId;
  taskId?: TaskId;
  /** W3C trace context: 32 hex digits for the turn. */
  traceId?: string;
  /** 16 hex digits for the part of it. */
  spanId?: string;
  /** `conversationId/taskId`, for consumers that know nothing newer. */
  subId?: string;
}

export type TurnOutcome = 'done' | 'cancelled' | 'failed';

export interface EventError {
  code: string;
  message: string;
  /** What the sentence was made of, for those who say it in another language. */
  details?: ErrorDetails;
  kind: string;
}

export type EventBody =
  | { type: 'conversation-open'; resumed: boolean }
  | { type: 'turn-start'; turnId: string }
  | { type: 'step-start'; step: number; model: string }
  | { type: 'text-delta'; text: string }
  | { type: 'thinking-delta'; text: string }
  /** The answer so far is durable, up to so many characters. */
  | { type: 'text-saved'; characters: number }
  | { type: 'tool-call'; callId: string; tool: string; input: JsonValue }
  | {
      type: 'tool-approval-request';
      requestId: string;
      callId: string;
      tool: string;
      summary: string;
      needs: readonly (readonly string[])[];
      /** Why no rule may answer and a person has to look. */
      reason?: string;
    }
  | {
      type: 'tool-approval';
      requestId: string;
      callId: string;
      decision: 'allowed' | 'denied';
      by: 'rule' | 'person' | 'default';
      grantId?: string;
    }
  | { type: 'tool-output'; callId: string; text: string }
  | { type: 'tool-result'; callId: string; tool: string; text: string; failed?: boolean; code?: string }
  | { type: 'model-retry'; attempt: number; delay: number; code: string }
  /** Messages that had been waiting went into the turn. */
  | { type: 'input-drain'; count: number }
  | { type: 'history-trim'; dropped: number; kept: number; reason: 'items' | 'tokens' | 'overflow' }
  | { type: 'entry-append'; entry: Entry }
  | {
      type: 'turn-end';
      turnId: string;
      outcome: TurnOutcome;
      text: string;
      usage: TokenUsage;
      steps: number;
      toolCalls: number;
      milliseconds: number;
      error?: EventError;
    }
  | { type: 'conversation-close'; forced: boolean }
  | { type: 'warning'; code: string; message: string; details?: ErrorDetails }
  /** This subscriber did not keep up: so many events are missing here. The type is also the code of the error. */
  | { type: 'events-dropped'; count: number };

export type RuntimeEvent = EventOrigin & EventBody;
export type RuntimeEventType = RuntimeEvent['type'];

/** The event of one type. */
export type RuntimeEventOf<Type extends RuntimeEventType> = Extract<RuntimeEvent, { type: Type }>;

/** What older consumers know a turn by. */
export function formatSubId(conversationId: ConversationId, taskId: TaskId): string {
  return `${conversationId}/${taskId}`;
}
