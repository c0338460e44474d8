// A stored conversation on its way into another agent: what the store holds, and what of it has no words any more.
import type { Conversation } from '../../model/conversation.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import {
  type OutgoingEntry,
  type OutgoingSession,
  readImportState,
  type TranscriptFormat,
  transcriptFormats,
} from '../../transcripts/transcripts.ts';

/** Formats that can be written. */
export type WritingFormat = TranscriptFormat & Required<Pick<TranscriptFormat, 'write'>>;

export const writingFormats = transcriptFormats.filter((format): format is WritingFormat => format.write !== undefined);

/** Agents that can go on with what is written. */
export const resumingFormats = writingFormats.filter((format) => format.resumeCommand !== undefined);

export interface Outgoing {
  session: OutgoingSession;
  /** Filled while the session is written. */
  lost: Record<string, number>;
}

export function createOutgoing(store: ConversationStore, conversation: Conversation, cwd: string): Outgoing {
  const { title, createdAt } = conversation;
  const { branch, model } = readImportState(conversation) ?? {};
  const lost: Record<string, number> = {};
  return { session: { title, cwd, branch, model, createdAt, entries: wordsOf(store.readAll(conversation.id), lost) }, lost };
}

/** No agent goes on with a session in which nothing was said. */
export async function hasWords(store: ConversationStore, { id }: Conversation): Promise<boolean> {
  for await (const { kind, withheld } of store.readAll(id)) if (kind === 'message' && withheld === undefined) return true;
  return false;
}

/** What a policy did not keep cannot be carried anywhere. */
async function* wordsOf(entries: AsyncIterable<Entry>, lost: Record<string, number>): AsyncGenerator<OutgoingEntry> {
  for await (const entry of entries) {
    if (entry.withheld === undefined) yield entry;
    else lost.withheld = (lost.withheld ?? 0) + 1;
  }
}
