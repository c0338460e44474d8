// What most entries are, told without the schema: the schema's price on the way of every append is higher than that of writing the entry.
// Invariant: what is called plain here, the schema accepts as it is. Whatever is unusual is left to the schema, which also says what is wrong.
import { findJsonFault } from '../base/json.ts';
import type { NewEntry } from '../model/entry.ts';

const latestMoment = 8_640_000_000_000_000;

/** Whether the schema would give back exactly this. */
export function isPlainEntry(entry: NewEntry): boolean {
  const kind = entry?.kind;
  if (kind !== 'message' && kind !== 'thinking' && kind !== 'tool-call' && kind !== 'tool-result') return false;
  const fields: Readonly<Record<string, unknown>> = entry;
  for (const name in fields) if (!isPlainField(kind, name, fields[name])) return false;
  if (kind === 'message') return isRole(entry.role) && typeof entry.text === 'string';
  if (kind === 'thinking') return typeof entry.text === 'string';
  if (typeof entry.callId !== 'string') return false;
  return kind === 'tool-call' ? typeof entry.tool === 'string' && entry.input !== undefined : typeof entry.text === 'string';
}

function isPlainField(kind: NewEntry['kind'], name: string, value: unknown): boolean {
  switch (name) {
    case 'kind':
      return true;
    case 'text':
      return kind !== 'tool-call' && typeof value === 'string';
    case 'at':
      return typeof value === 'number' && isCount(value) && value <= latestMoment;
    case 'turnId':
      return typeof value === 'string';
    case 'meta':
      return isPlainObject(value) && (holdsOnlyText(value) || findJsonFault(value) === undefined);
    case 'role':
      return kind === 'message' && isRole(value);
    case 'model':
      return (kind === 'message' || kind === 'thinking') && typeof value === 'string';
    case 'usage':
      return kind === 'message' && isUsage(value);
    case 'callId':
    case 'tool':
      return (kind === 'tool-call' || kind === 'tool-result') && typeof value === 'string';
    case 'input':
      return kind === 'tool-call' && findJsonFault(value) === undefined;
    default:
      return false;
  }
}

/** A foreign id and the like. */
function holdsOnlyText(value: Readonly<Record<string, unknown>>): boolean {
  for (const name in value) if (typeof value[name] !== 'string') return false;
  return true;
}

function isRole(value: unknown): boolean {
  return value === 'user' || value === 'assistant' || value === 'system';
}

function isUsage(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  for (const name in value) {
    if (name !== 'inputTokens' && name !== 'outputTokens' && name !== 'cachedTokens') return false;
    if (!isCount(value[name])) return false;
  }
  return true;
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
