// Between the entry people see and the record drivers keep. The header holds what every keeping policy may show; text and data
// hold what was said. A null text means withheld, and then data is null too.
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { Draft, Entry, NewEntry } from '../model/entry.ts';
import { type ConversationId, formatEntryId } from '../model/id.ts';
import type { DraftRecord, EncodedEntry, EntryRecord } from '../model/ports/store-driver.ts';
import type { StoragePolicy } from '../model/storage-policy.ts';

/** Encodes a validated, redacted entry as its conversation's policy allows. Under policy `none` to be called for events only. */
export function encodeEntry(entry: NewEntry, at: number, masked: number, policy: StoragePolicy): EncodedEntry {
  const header: JsonObject = {};
  let data: JsonObject | undefined;
  let text = '';
  const fields = entry as unknown as Record<string, JsonValue | undefined>;
  for (const name in fields) {
    const value = fields[name];
    if (value === undefined || name === 'kind' || name === 'at') continue;
    if (name === 'text') {
      text = value as string;
    } else if (name === 'input' || name === 'output' || name === 'meta') {
      data ??= {};
      data[name] = value;
    } else {
      header[name] = value;
    }
  }
  if (masked > 0) header.masked = masked;

  const dataText = data ? JSON.stringify(data) : null;
  if (policy.kind !== 'full') header.characters = text.length + (dataText?.length ?? 0);
  const keepsText = policy.kind === 'full' || policy.kind === 'ttl';
  return {
    at,
    kind: entry.kind,
    header: JSON.stringify(header),
    text: keepsText ? text : null,
    data: keepsText ? dataText : null,
    expiresAt: policy.kind === 'ttl' ? at + policy.milliseconds : null,
  };
}

/** The entry as it will be read back, made from what was just written. */
export function stampEntry(conversationId: ConversationId, seq: number, entry: NewEntry, encoded: EncodedEntry): Entry {
  // What a policy withheld or a mask counted stands in the record only.
  if (encoded.text === null || encoded.header.includes('"masked":')) return decodeEntry(conversationId, { ...encoded, seq });
  // In this order: filling up a literal is twenty times as fast as adding fields to a copy.
  const stamped = { id: formatEntryId(conversationId, seq), conversationId, seq, at: encoded.at, ...entry };
  stamped.at = encoded.at;
  return stamped as Entry;
}

/** The inverse: what {@link encodeEntry} kept, as an entry. */
export function decodeEntry(conversationId: ConversationId, record: EntryRecord): Entry {
  const { seq, at, kind } = record;
  const entry: Record<string, unknown> = { id: formatEntryId(conversationId, seq), conversationId, seq, at, kind };
  const header = parseHeader(record.header);
  for (const name in header) if (name !== 'characters') entry[name] = header[name];
  if (kind === 'tool-call') entry.input = null;
  else entry.text = record.text ?? '';
  if (record.data !== null) Object.assign(entry, JSON.parse(record.data));
  if (record.text === null) entry.withheld = { characters: header.characters ?? 0 };
  return entry as unknown as Entry;
}

/** The draft as an entry that may be appended as it is: how much was masked in it is counted again then. */
export function decodeDraft(conversationId: ConversationId, { after, ...record }: DraftRecord): Draft {
  const {
    id: _id,
    conversationId: _of,
    seq: _seq,
    masked: _masked,
    ...entry
  } = decodeEntry(conversationId, { ...record, seq: after + 1 });
  return { ...entry, after } as Draft;
}

const flatHeaders = new Map<string, Record<string, unknown>>();
const flatHeadersKept = 256;

/** Most headers say nothing but a role: they are parsed once. One with objects in it is not shared, since callers may change those. */
function parseHeader(text: string): Record<string, unknown> {
  const known = flatHeaders.get(text);
  if (known) return known;
  const header = JSON.parse(text) as Record<string, unknown>;
  if (text.indexOf('{', 1) < 0 && text.length < 64) {
    if (flatHeaders.size >= flatHeadersKept) flatHeaders.clear();
    flatHeaders.set(text, header);
  }
  return header;
}
