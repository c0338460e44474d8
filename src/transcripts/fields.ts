// Fields of records that somebody else wrote: anything may be missing or of another type. No schema, because a schema per line costs
// more than the line.
import type { JsonObject, JsonValue } from '../base/json.ts';

export type Fields = Readonly<Record<string, unknown>>;

const nothing: Fields = Object.freeze({});
/** What a Date can show. */
const latestMoment = 8_640_000_000_000_000;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object in the field; an empty one where there is none. */
export function objectIn(fields: Fields, name: string): Fields {
  const value = fields[name];
  return isFields(value) ? value : nothing;
}

export function listIn(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name];
  return Array.isArray(value) ? value : [];
}

export function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
}

/** A text that says something. */
export function wordIn(fields: Fields, name: string): string | undefined {
  const value = textIn(fields, name);
  return value === undefined || value.trim() === '' ? undefined : value;
}

/** A count: a whole number that is not negative. */
export function countIn(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** A moment in whole milliseconds, from ISO text or from milliseconds. */
export function momentIn(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  const moment = typeof value === 'string' ? Date.parse(value) : typeof value === 'number' ? Math.trunc(value) : Number.NaN;
  return moment >= 0 && moment <= latestMoment ? moment : undefined;
}

/** What was parsed from JSON is JSON. */
export function jsonIn(fields: Fields, name: string): JsonValue | undefined {
  return fields[name] as JsonValue | undefined;
}

/** The value without fields that are undefined, as exact optional types want it. */
export function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const result: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) if (field !== undefined) result[name] = field;
  return result as never;
}

/** A value as text, up to a length; what is nested too deeply to be written is named as such. */
export function jsonText(value: unknown, most: number): string {
  try {
    return (JSON.stringify(value) ?? '').slice(0, most);
  } catch {
    return '[not writable as JSON]';
  }
}

export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
