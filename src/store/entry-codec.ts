// Between the entry people see and the record drivers keep. The header holds what every keeping policy may show; text and data
// hold what was said. A null text means withheld, and then data is null too.
import type { JsonObject } from '../base/json.ts';
import type { Entry, NewEntry } from '../model/entry.ts';
import { type ConversationId, formatEntryId } from '../model/id.ts';
import type { EncodedEntry, EntryRecord } from '../model/ports/store-driver.ts';
import type { StoragePolicy } from '../model/storage-policy.ts';

/** Encodes a validated, redacted entry as its conversation's policy allows. Not to be called under policy `none`. */
export function encodeEntry(entry: NewEntry, at: number, masked: number, policy: StoragePolicy): EncodedEntry {
  const { kind, at: _at, meta, ...rest } = entry;
  const header: JsonObject = {};
  const data: JsonObject = {};
  let text = '';
  for (const [name, value] of Object.entries(rest)) {
    if (value === undefined) continue;
    if (name === 'text') text = value as string;
    else if (name === 'input' || name === 'output') data[name] = value as JsonObject;
    else header[name] = value as JsonObject;
  }
  if (meta !== undefined) data.meta = meta;
  if (masked > 0) header.masked = masked;

  const dataText = isEmpty(data) ? null : JSON.stringify(data);
  if (policy.kind !== 'full') header.characters = text.length + (dataText?.length ?? 0);
  const keepsText = policy.kind !== 'headers-only';
  return {
    at,
    kind,
    header: JSON.stringify(header),
    text: keepsText ? text : null,
    data: keepsText ? dataText : null,
    expiresAt: policy.kind === 'ttl' ? at + policy.milliseconds : null,
  };
}

/** The inverse: what {@link encodeEntry} kept, as an entry. */
export function decodeEntry(conversationId: ConversationId, record: EntryRecord): Entry {
  const { characters, ...header } = JSON.parse(record.header) as JsonObject & { characters?: number };
  const entry: Record<string, unknown> = {
    id: formatEntryId(conversationId, record.seq),
    conversationId,
    seq: record.seq,
    at: record.at,
    kind: record.kind,
    ...header,
  };
  if (record.kind !== 'tool-call') entry.text = record.text ?? '';
  else entry.input = null;
  if (record.data !== null) Object.assign(entry, JSON.parse(record.data));
  if (record.text === null) entry.withheld = { characters: characters ?? 0 };
  return entry as unknown as Entry;
}

function isEmpty(value: JsonObject): boolean {
  for (const _ in value) return false;
  return true;
}
