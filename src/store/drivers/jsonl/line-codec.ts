// The lines of a conversation's file. A line is either wholly what was written or it is damaged: plain lines carry a checksum over
// their bytes, sealed ones authenticate themselves. Nothing that fails the check is ever returned.
//
//   {"type":"metadata","data":{…the conversation…},"log":{"base":0,"removed":0,"rewrites":0,"nextExpiresAt":null},"sum":"…"}
//   {"type":"message","seq":1,"at":1700000000000,"header":{"role":"user"},"text":"Hello","sum":"77b0e1d4"}
import { crc32 } from 'node:zlib';
import type { Conversation } from '../../../model/conversation.ts';
import type { EntryKind } from '../../../model/entry.ts';
import { type ConversationId, isConversationId } from '../../../model/id.ts';
import type { Sealer } from '../../../model/ports/sealer.ts';
import type { DraftRecord, EntryRecord } from '../../../model/ports/store-driver.ts';
import { storagePolicySchema } from '../../../model/storage-policy.ts';
import { scanEntry } from './entry-scan.ts';

/** A conversation's own data and what its file needs to know about itself, as of the line that says it. */
export interface Metadata {
  conversation: Conversation;
  /** The position before its first own entry: 0, or where it was forked. */
  base: number;
  /** How many entries a ttl policy removed: legitimate gaps. */
  removed: number;
  /** How often the file was written anew; only then may it have become shorter. */
  rewrites: number;
  /** The earliest moment any text in the file expires. */
  nextExpiresAt: number | null;
}

/** A draft and which of its versions this is. */
export interface VersionedDraft {
  draft: DraftRecord;
  version: number;
}

export type Line = { kind: 'metadata'; metadata: Metadata } | { kind: 'entry'; record: EntryRecord };

export interface LineCodec {
  /** One line with its end. */
  encodeMetadata(metadata: Metadata): string;
  /** `isCanonical`: nobody has to look whether header and data come back letter for letter. */
  encodeEntry(record: EntryRecord, isCanonical?: boolean): string;
  encodeDraft(id: ConversationId, draft: VersionedDraft): string;
  /** The draft of that conversation that the bytes of a file are; undefined where they are none, or damaged. */
  decodeDraft(bytes: Buffer, id: ConversationId): VersionedDraft | undefined;
  /** What the bytes of a line, without its end, say; undefined where they are damaged. */
  decode(bytes: Buffer): Line | undefined;
  /** Whether a line that cannot be decoded was most likely metadata. */
  looksLikeMetadata(bytes: Buffer): boolean;
}

/** `{"…` up to, but not including, the closing brace: what the checksum covers. */
type OpenObject = string;

export function createLineCodec(sealer?: Sealer): LineCodec {
  const finish = sealer ? (open: OpenObject) => `${sealer.seal(`${open}}`)}\n` : addChecksum;
  const readText = sealer ? (bytes: Buffer) => unseal(sealer, bytes) : checkedText;
  return {
    encodeMetadata: (metadata) => finish(formatMetadata(metadata)),
    encodeEntry: (record, isCanonical) => finish(formatEntry(record, isCanonical)),
    encodeDraft: (id, draft) => finish(formatDraft(id, draft)),
    decodeDraft(bytes, id) {
      const text = bytes.at(-1) === newline ? readText(bytes.subarray(0, -1)) : undefined;
      return text === undefined ? undefined : parseDraft(text, id);
    },
    decode(bytes) {
      const text = readText(bytes);
      if (text === undefined) return undefined;
      const record = scanEntry(text);
      return record ? { kind: 'entry', record } : parseLine(text);
    },
    looksLikeMetadata: (bytes) => bytes.subarray(0, metadataStart.length).equals(metadataStart),
  };
}

const newline = 10;
const metadataStart = Buffer.from('{"type":"metadata"');

function formatMetadata({ conversation, base, removed, rewrites, nextExpiresAt }: Metadata): OpenObject {
  const log = JSON.stringify({ base, removed, rewrites, nextExpiresAt });
  return `{"type":"metadata","data":${JSON.stringify(conversation)},"log":${log}`;
}

function formatEntry(record: EntryRecord, isCanonical = false): OpenObject {
  const { kind, seq, at, header, text, data, expiresAt } = record;
  const embed = isCanonical ? asItIs : embedJson;
  const dataField = data === null ? '' : `,"data":${embed(data)}`;
  const expiryField = expiresAt === null ? '' : `,"expiresAt":${expiresAt}`;
  return `{"type":${JSON.stringify(kind)},"seq":${seq},"at":${at},"header":${embed(header)},"text":${JSON.stringify(text)}${dataField}${expiryField}`;
}

/** An entry's line without a position, which says whose draft it is, which version, and after which entry it was begun. */
function formatDraft(id: ConversationId, { draft: { after, ...record }, version }: VersionedDraft): OpenObject {
  return `{"draft":${version},"conversation":"${id}","after":${after},${formatEntry({ ...record, seq: after + 1 }).slice(1)}`;
}

function asItIs(text: string): string {
  return text;
}

/** JSON text goes in as it is, so that people can read it; as a string where it would not come back letter for letter. */
function embedJson(text: string): string {
  if (knownToEmbed.has(text)) return text;
  if (!comesBackAsItIs(text)) return JSON.stringify(text);
  if (text.length <= 100 && knownToEmbed.size < 1000) knownToEmbed.add(text);
  return text;
}

/** Most headers are one of a few. */
const knownToEmbed = new Set<string>();

function comesBackAsItIs(text: string): boolean {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && JSON.stringify(value) === text;
  } catch {
    return false;
  }
}

const checksumLength = ',"sum":"00000000"}'.length;
const checksumStart = Buffer.from(',"sum":"');

function addChecksum(open: OpenObject): string {
  return `${open},"sum":"${crc32(open).toString(16).padStart(8, '0')}"}\n`;
}

function checkedText(bytes: Buffer): string | undefined {
  const length = bytes.length - checksumLength;
  if (length <= 0 || readChecksum(bytes, length) !== crc32(bytes.subarray(0, length))) return undefined;
  return `${bytes.toString('utf8', 0, length)}}`;
}

/** The checksum that is written at this place; undefined where there is none, down to the spelling. */
function readChecksum(bytes: Buffer, start: number): number | undefined {
  for (let i = 0; i < checksumStart.length; i++) if (bytes[start + i] !== checksumStart[i]) return undefined;
  let sum = 0;
  let at = start + checksumStart.length;
  for (const end = at + 8; at < end; at++) {
    const code = bytes[at] as number;
    const digit = code >= 48 && code <= 57 ? code - 48 : code >= 97 && code <= 102 ? code - 87 : -1;
    if (digit < 0) return undefined;
    sum = sum * 16 + digit;
  }
  return bytes[at] === 34 && bytes[at + 1] === 125 ? sum : undefined;
}

function unseal(sealer: Sealer, bytes: Buffer): string | undefined {
  try {
    return sealer.unseal(bytes.toString('latin1'));
  } catch {
    return undefined;
  }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function parseLine(text: string): Line | undefined {
  const value = parseObject(text);
  if (!value) return undefined;
  if (value.type !== 'metadata') return toEntry(value);
  const metadata = toMetadata(value);
  return metadata && { kind: 'metadata', metadata };
}

function parseDraft(text: string, id: ConversationId): VersionedDraft | undefined {
  const value = parseObject(text);
  if (!value || value.conversation !== id || !isPosition(value.draft) || !isCount(value.after)) return undefined;
  const line = toEntry(value);
  if (line?.kind !== 'entry') return undefined;
  const { seq: _seq, ...record } = line.record;
  return { draft: { ...record, after: value.after as number }, version: value.draft as number };
}

function toEntry(value: Record<string, unknown>): Line | undefined {
  const { type, seq, at, text } = value;
  const header = toJsonText(value.header);
  const data = value.data === undefined ? null : toJsonText(value.data);
  const expiresAt = value.expiresAt ?? null;
  const wellFormed =
    typeof type === 'string' &&
    isPosition(seq) &&
    Number.isInteger(at) &&
    header !== undefined &&
    (text === null || typeof text === 'string') &&
    data !== undefined &&
    (expiresAt === null || Number.isInteger(expiresAt));
  if (!wellFormed) return undefined;
  const record = { seq, at, kind: type as EntryKind, header, text, data, expiresAt } as EntryRecord;
  return { kind: 'entry', record };
}

function toJsonText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : undefined;
}

function toMetadata(value: Record<string, unknown>): Metadata | undefined {
  const conversation = value.data as Conversation | null;
  const log = value.log as Omit<Metadata, 'conversation'> | null;
  const wellFormed =
    typeof conversation === 'object' &&
    conversation !== null &&
    isConversationId(String(conversation.id)) &&
    Array.isArray(conversation.tags) &&
    typeof conversation.pinned === 'boolean' &&
    storagePolicySchema.safeParse(conversation.policy).success &&
    typeof conversation.meta === 'object' &&
    Number.isInteger(conversation.createdAt) &&
    Number.isInteger(conversation.activeAt) &&
    isCount(conversation.lastSeq) &&
    typeof log === 'object' &&
    log !== null &&
    isCount(log.base) &&
    isCount(log.removed) &&
    isCount(log.rewrites) &&
    (log.nextExpiresAt === null || Number.isInteger(log.nextExpiresAt));
  if (!wellFormed) return undefined;
  const { base, removed, rewrites, nextExpiresAt } = log;
  return { conversation, base, removed, rewrites, nextExpiresAt };
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isPosition(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
