// Between rows and records. Every row carries a checksum, because SQLite does not notice a flipped bit inside a value.
import { crc32 } from 'node:zlib';
import type { JsonObject } from '../../../base/json.ts';
import type { Conversation } from '../../../model/conversation.ts';
import type { EntryKind } from '../../../model/entry.ts';
import type { ConversationId } from '../../../model/id.ts';
import type { EntryRecord } from '../../../model/ports/store-driver.ts';
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

/**
 * An entry under the position it was found at, as a plain list: thousands are read at a time, and naming every field of every row
 * costs more than reading it. Which conversation and position it was written for is sealed in its checksum. All but the position is
 * null where the row is missing.
 */
export type EntryRow = [
  seq: number,
  at: number,
  kind: number,
  header: string,
  text: string | null,
  data: string | null,
  expiresAt: number | null,
  block: number | null,
  checksum: number,
];

/** The columns of {@link EntryRow} that come from the table `entries e`. */
export const entryColumns = 'e.at, e.kind, e.header, e.text, e.data, e.expires_at, e.block, e.checksum';

/** Text and data of an entry whose text was packed. */
export type PackedText = [text: string | null, data: string | null];

/** Kinds as small numbers. All are stored in one byte, so that erasing in place can change the kind without moving the row. */
export const kindCodes: Record<EntryKind, number> = {
  message: 2,
  thinking: 3,
  'tool-call': 4,
  'tool-result': 5,
  summary: 6,
  label: 7,
  event: 8,
};
/** An entry that was erased: its bytes are overwritten and its place is free for reclaiming. */
export const erasedKind = 127;
/** Stands in `expires_at` of an entry whose text was taken away in place. As wide as a real time, so that the row keeps its size. */
export const withheldMark = 100_000_000_000_000;

const kindNames = new Map(Object.entries(kindCodes).map(([kind, code]) => [code, kind as EntryKind]));

/** One pass over everything that was written; what is null, and where the entry belongs, goes into the seed. */
export function entryChecksum(
  place: { conversation: number; seq: number; at: number; kind: number },
  header: string,
  text: string | null,
  data: string | null,
): number {
  const { conversation, seq, at, kind } = place;
  const nulls = (text === null ? 1 : 0) + (data === null ? 2 : 0);
  // A moment has more than the seed's 32 bits: its upper half is brought down, or damage there would not show.
  const seed = conversation * 31 + seq * 7 + at + Math.floor(at / 2 ** 32) * 0x9e37 + kind * 4 + nulls;
  return crc32(toBytes(header + (text ?? '') + (data ?? '')), seed >>> 0) | 0;
}

const scratch = Buffer.alloc(32 * 1024);

/** Two bytes a character, as strings are kept in memory: copying them is several times as fast as encoding them. */
function toBytes(text: string): Buffer {
  if (text.length * 2 > scratch.length) return Buffer.from(text, 'utf16le');
  return scratch.subarray(0, scratch.write(text, 0, 'utf16le'));
}

/** The record in a row, or undefined where the row is missing or not what was written. */
export function toRecord(
  conversation: number,
  row: EntryRow,
  unpack: (block: number, seq: number) => PackedText | undefined,
): EntryRecord | undefined {
  const [seq, at, kindCode, header, plainText, plainData, expires, block, checksum] = row;
  const kind = kindNames.get(kindCode);
  if (!kind) return undefined;
  let text = plainText;
  let data = plainData;
  let expiresAt = expires;
  // A block that cannot be unpacked leaves the text null, and the checksum tells.
  if (block !== null) [text, data] = unpack(block, seq) ?? [null, null];
  if (expires === withheldMark) text = data = expiresAt = null;
  // One flipped bit makes bytes of a text, and those would add up to the same checksum.
  if (typeof header !== 'string' || !isTextOrNull(text) || !isTextOrNull(data)) return undefined;
  if (entryChecksum({ conversation, seq, at, kind: kindCode }, header, text, data) !== checksum) return undefined;
  return { seq, at, kind, header, text, data, expiresAt };
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
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
