// Something a person who looks elsewhere wants to know: a turn that took long has ended, or a question waits for an answer.
import type { ConversationId, SessionId } from '../../model/id.ts';
import type { RuntimeEvent, TurnOutcome } from '../runtime-event.ts';

interface NoticeOrigin {
  at: number;
  sessionId: SessionId;
  conversationId?: ConversationId;
}

export type Notice = NoticeOrigin &
  (
    | { kind: 'turn-end'; outcome: TurnOutcome; milliseconds: number; text: string }
    | { kind: 'approval-request'; tool: string; summary: string }
  );

/** One way of telling. What goes wrong is thrown; whoever puts the ways together keeps it from a turn. */
export interface Notifier {
  notify(notice: Notice): Promise<void>;
}

/** The notice an event is worth, if any. A turn that the person has cancelled is no news. */
export function buildNotice(event: RuntimeEvent): Notice | undefined {
  const { at, sessionId, conversationId } = event;
  const origin: NoticeOrigin = { at, sessionId, ...(conversationId !== undefined && { conversationId }) };
  if (event.type === 'turn-end' && event.outcome !== 'cancelled') {
    const { outcome, milliseconds, text } = event;
    return { kind: 'turn-end', ...origin, outcome, milliseconds, text };
  }
  if (event.type === 'tool-approval-request') {
    const { tool, summary } = event;
    return { kind: 'approval-request', ...origin, tool, summary };
  }
  return undefined;
}

/** One line that says nothing of the conversation but what is asked. */
export function formatNotice(notice: Notice): string {
  if (notice.kind === 'approval-request') return `A question waits for you: ${notice.summary}`;
  const seconds = Math.round(notice.milliseconds / 1000);
  return notice.outcome === 'done' ? `The answer is there, after ${seconds} s` : `The turn failed, after ${seconds} s`;
}
