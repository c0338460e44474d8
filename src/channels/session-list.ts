// Stored sessions as short lines, for lists. Reads no messages unless a preview is asked for.
import type { Conversation } from '../model/conversation.ts';
import type { ConversationId } from '../model/id.ts';
import type { Page } from '../model/list-query.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import { isOwnedBy, lastActivity } from './session-state.ts';
import { toMessage } from './session-window.ts';
import { readVisible } from './visible-entries.ts';

const previewLength = 120;
/** A preview looks at so many of the newest entries. */
const previewReach = 20;

export interface SessionSummary {
  key: string;
  id: ConversationId;
  created_at: number;
  updated_at: number;
  pinned: boolean;
  /** How many entries the log holds: messages, those a clear hides, and marks. */
  entryCount: number;
  /** The beginning of the newest message, where previews were asked for and there is one. */
  preview?: string;
}

export interface SessionListQuery {
  /** At most so many; a page may hold fewer, only a missing cursor means the end. Default 50. */
  limit?: number;
  cursor?: string;
  preview?: boolean;
}

export async function listSessionPage(
  store: ConversationStore,
  owner: string,
  query: SessionListQuery,
): Promise<Page<SessionSummary>> {
  const { limit = 50, preview = false } = query;
  let { cursor } = query;
  for (;;) {
    const page = await store.list({ limit, ...(cursor !== undefined && { cursor }) });
    const items: SessionSummary[] = [];
    for (const conversation of page.items) {
      if (isOwnedBy(conversation, owner)) items.push(await summarize(store, conversation, preview));
    }
    cursor = page.nextCursor;
    if (cursor === undefined) return { items };
    if (items.length > 0) return { items, nextCursor: cursor };
  }
}

export async function listAllSessions(store: ConversationStore, owner: string): Promise<SessionSummary[]> {
  const sessions: SessionSummary[] = [];
  let query: SessionListQuery | undefined = { limit: 1000 };
  while (query) {
    const page: Page<SessionSummary> = await listSessionPage(store, owner, query);
    sessions.push(...page.items);
    query = page.nextCursor === undefined ? undefined : { limit: 1000, cursor: page.nextCursor };
  }
  return sessions;
}

async function summarize(
  store: ConversationStore,
  conversation: Conversation & { key: string },
  withPreview: boolean,
): Promise<SessionSummary> {
  const { key, id, createdAt, pinned, lastSeq } = conversation;
  const text = withPreview ? await findNewestText(store, conversation) : undefined;
  return {
    key,
    id,
    created_at: createdAt,
    updated_at: lastActivity(conversation),
    pinned,
    entryCount: lastSeq,
    ...(text !== undefined && { preview: text }),
  };
}

async function findNewestText(store: ConversationStore, { id, lastSeq }: Conversation): Promise<string | undefined> {
  let looked = 0;
  for await (const entry of readVisible(store, id, { before: lastSeq + 1, pageSize: previewReach })) {
    const message = toMessage(entry);
    if (message) return [...message.content.slice(0, 2 * previewLength)].slice(0, previewLength).join('');
    looked += 1;
    if (looked === previewReach) return undefined;
  }
  return undefined;
}
