// Between rows and records. Every row carries a checksum, because SQLite does not notice a flipped bit inside a value.
import { crc32 } from 'node:zlib';
import type { JsonObject } from '../../../base/json.ts';
import type { Conversation } from '../../../model/conversation.ts';
import type { EntryKind } from '../../../model/entry.ts';
import type { ConversationId } from '../../../model/id.ts';
import type { EncodedEntry, EntryRecord } from '../../../model/ports/store-driver.ts';
import type { StoragePolicy } from '../../../model/storage-policy.ts';

export interface ConversationRow {
  number: number;
  id: string;
  key: string | null;
  title: string | null;
  project: string | null;
  team: string | null;
  agent: string | null;
  tags: string;
  pinned: number;
  policy: string;
  meta: string;
  created_at: number;
  active_at: number;
  last_seq: number;
  origin: string | null;
  origin_seq: number | null;
  trashed_at: number | null;
  removed: number;
  checksum: number;
}

export interface EntryRow {
  number: number;
  conversation: number;
  seq: number;
  at: number;
  kind: number;
  header: string;
  text: string | null;
  data: string | null;
  expires_at: number | null;
  block: number | null;
  checksum: number;
}

/** Kinds as small numbers. All are stored in one byte, so that erasing in place can change the kind without moving the row. */
export const kindCodes: Record<EntryKind, number> = {
  message: 2,
  thinking: 3,
  'tool-call': 4,
  'tool-result': 5,
  summary: 6,
  label: 7,
};
/** An entry that was erased: its bytes are overwritten and its place is free for reclaiming. */
export const erasedKind = 127;
/** Stands in `expires_at` of an entry whose text was taken away in place. As wide as a real time, so that the row keeps its size. */
export const withheldMark = 100_000_000_000_000;

const kindNames = new Map(Object.entries(kindCodes).map(([kind, code]) => [code, kind as EntryKind]));

export function entryChecksum(conversation: number, seq: number, entry: Pick<EncodedEntry, 'at' | 'header' | 'text' | 'data'>, kind: number): number {
  let sum = crc32(entry.header, (conversation * 31 + seq * 7 + entry.at + kind) >>> 0);
  if (entry.text !== null) sum = crc32(entry.text, sum);
  if (entry.data !== null) sum = crc32(entry.data, (sum ^ 1) >>> 0);
  return sum | 0;
}

/** The record in a row, or undefined where the row does not match its checksum. Packed text must be filled in before. */
export function toRecord(row: EntryRow): EntryRecord | undefined {
  const kind = kindNames.get(row.kind);
  const withheld = row.expires_at === withheldMark;
  if (!kind || (!withheld && entryChecksum(row.conversation, row.seq, row, row.kind) !== row.checksum)) return undefined;
  return {
    seq: row.seq,
    at: row.at,
    kind,
    header: row.header,
    text: withheld ? null : row.text,
    data: withheld ? null : row.data,
    expiresAt: withheld ? null : row.expires_at,
  };
}

export function toRow(conversation: Conversation): Omit<ConversationRow, 'number' | 'removed' | 'checksum'> {
  return {
    id: conversation.id,
    key: conversation.key ?? null,
    title: conversation.title ?? null,
    project: conversation.project ?? null,
    team: conversation.team ?? null,
    agent: conversation.agent ?? null,
    tags: JSON.stringify(conversation.tags),
    pinned: conversation.pinned ? 1 : 0,
    policy: JSON.stringify(conversation.policy),
    meta: JSON.stringify(conversation.meta),
    created_at: conversation.createdAt,
    active_at: conversation.activeAt,
    last_seq: conversation.lastSeq,
    origin: conversation.forkedFrom?.id ?? null,
    origin_seq: conversation.forkedFrom?.seq ?? null,
    trashed_at: conversation.trashedAt ?? null,
  };
}

/** Over what people wrote, not over the counters, which follow the log and can be counted again. */
export function conversationChecksum(row: Omit<ConversationRow, 'number' | 'removed' | 'checksum'>): number {
  const { id, key, title, project, team, agent, tags, pinned, policy, meta, created_at, origin, origin_seq, trashed_at } = row;
  const fields = [id, key, title, project, team, agent, tags, pinned, policy, meta, created_at, origin, origin_seq, trashed_at];
  return crc32(JSON.stringify(fields)) | 0;
}

export function toConversation(row: ConversationRow): Conversation {
  const conversation: Conversation = {
    id: row.id as ConversationId,
    tags: JSON.parse(row.tags) as string[],
    pinned: row.pinned === 1,
    policy: JSON.parse(row.policy) as StoragePolicy,
    meta: JSON.parse(row.meta) as JsonObject,
    createdAt: row.created_at,
    activeAt: row.active_at,
    lastSeq: row.last_seq,
  };
  if (row.key !== null) conversation.key = row.key;
  if (row.title !== null) conversation.title = row.title;
  if (row.project !== null) conversation.project = row.project;
  if (row.team !== null) conversation.team = row.team;
  if (row.agent !== null) conversation.agent = row.agent;
  if (row.origin !== null) conversation.forkedFrom = { id: row.origin as ConversationId, seq: row.origin_seq as number };
  if (row.trashed_at !== null) conversation.trashedAt = row.trashed_at;
  return conversation;
}
