// Why a conversation was put into the trash, kept in its own free-form data and written in the same step as the trashing. So the
// ledger is masked, encrypted, backed up and converted like everything else, never disagrees with the trash, and ends with the purge,
// which leaves nothing. It holds no word of the conversation.
import type { JsonObject } from '../../base/json.ts';
import type { Conversation } from '../../model/conversation.ts';
import type { ConversationId } from '../../model/id.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { RetentionItem, RetentionReason } from './retention-plan.ts';

const field = 'retention';

export interface RetentionNote {
  reason: RetentionReason;
  /** When it was put into the trash. */
  at: number;
  /** When it was last used before. */
  usedAt: number;
  within?: string;
  similarity?: number;
}

export interface RetentionRecord extends RetentionNote {
  id: ConversationId;
  title?: string;
  project?: string;
  agent?: string;
  /** Until when it can be restored for certain. */
  purgeAfter: number;
}

/** Fields of `meta` that say why it goes. */
export function formatNote(item: RetentionItem, at: number): JsonObject {
  const { reason, usedAt, within, similarity } = item;
  const note: JsonObject = { reason, at, usedAt };
  if (within !== undefined) note.within = within;
  if (similarity !== undefined) note.similarity = similarity;
  return { [field]: note };
}

export const withoutNote: JsonObject = { [field]: null };

export function readNote({ meta }: Pick<Conversation, 'meta'>): RetentionNote | undefined {
  const note = meta[field];
  if (typeof note !== 'object' || note === null || Array.isArray(note)) return undefined;
  const { reason, at, usedAt } = note;
  const isNote = typeof reason === 'string' && typeof at === 'number' && typeof usedAt === 'number';
  return isNote ? (note as unknown as RetentionNote) : undefined;
}

/** What tidying up put into the trash and is there still. What a person trashed by hand is left out. */
export async function* listRetention(store: ConversationStore): AsyncGenerator<RetentionRecord> {
  let cursor: string | undefined;
  do {
    const page = await store.list({ trash: 'only', limit: 500, ...(cursor !== undefined && { cursor }) });
    for (const conversation of page.items) {
      const { id, title, project, agent, trashedAt } = conversation;
      const note = readNote(conversation);
      // Restored since, and then trashed by hand: that is another story.
      if (!note || trashedAt === undefined || note.at !== trashedAt) continue;
      const named = { ...(title !== undefined && { title }), ...(project !== undefined && { project }) };
      yield { id, ...named, ...(agent !== undefined && { agent }), ...note, purgeAfter: store.purgeDate(trashedAt) };
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}
