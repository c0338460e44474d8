// The versioned envelope that every restorable file shares: text is parsed within bounds, an older version is brought up step by
// step, a newer one is refused. What is inside is checked by whoever owns the format.
import type { JsonObject, JsonValue } from '../base/json.ts';
import { ContinuoError } from '../model/error.ts';

export interface EnvelopeFormat {
  /** The field that says the version: `schemaVersion`, `version`. A file without it is of version 0.0. */
  versionField: string;
  /** The version that is written, as `major.minor`. */
  version: string;
  /** In order; each is the way from the versions before its own. Append-only. */
  upgrades: readonly EnvelopeUpgrade[];
}

export interface EnvelopeUpgrade {
  /** The version it leads to. */
  version: string;
  /** Makes a new document; throws `session-damaged` through `fail` where the old one cannot be understood. */
  apply(document: JsonObject, fail: EnvelopeFail): JsonObject;
}

/** Makes the error for a file that is not what it should be. */
export type EnvelopeFail = (reason: string, cause?: unknown) => ContinuoError;

/** Longer than any session, and still a text that can be held. */
export const largestFile = 256 * 1024 * 1024;

/** The document in the version that is written now. Throws `session-damaged` or `session-newer`. */
export function openEnvelope(text: string, format: EnvelopeFormat, path: string): JsonObject {
  const fail = damagedAt(path);
  return upgradeDocument(parseDocument(text, fail), format, path);
}

export function upgradeDocument(document: JsonObject, format: EnvelopeFormat, path: string): JsonObject {
  const fail = damagedAt(path);
  const found = readVersion(document, format, fail);
  if (compareVersions(found, format.version) > 0) {
    throw new ContinuoError('session-newer', { path, found, known: format.version });
  }
  let current = document;
  for (const upgrade of format.upgrades) {
    if (compareVersions(found, upgrade.version) < 0) {
      current = { ...upgrade.apply(current, fail), [format.versionField]: upgrade.version };
    }
  }
  return current;
}

/** One JSON object without keys that reach into prototypes. */
export function parseDocument(text: string, fail: EnvelopeFail): JsonObject {
  const document = parseJson(text, fail);
  if (!isObject(document)) throw fail('it is not a JSON object');
  return document;
}

/** Any JSON value without such keys. */
export function parseJson(text: string, fail: EnvelopeFail): JsonValue {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    throw fail(text.trim() === '' ? 'it is empty' : 'it is not JSON', error);
  }
  // Looking at every key costs as much as parsing; a text without these words has no such key.
  if (/__proto__|\\u005f/i.test(text) && hasPrototypeKey(value)) throw fail('it has a key "__proto__"');
  return value;
}

export function damagedAt(path: string): EnvelopeFail {
  return (reason, cause) => new ContinuoError('session-damaged', { path, reason }, { cause });
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function hasPrototypeKey(root: JsonValue): boolean {
  const waiting: JsonValue[] = [root];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '__proto__')) return true;
    for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) waiting.push(child);
  }
  return false;
}

function readVersion(document: JsonObject, format: EnvelopeFormat, fail: EnvelopeFail): string {
  const version = Object.hasOwn(document, format.versionField) ? document[format.versionField] : '0.0';
  if (typeof version !== 'string' || !versionPattern.test(version)) {
    throw fail(`"${format.versionField}" is not a version such as "${format.version}"`);
  }
  return version;
}

/** A patch number, as in `1.0.0`, changes nothing that matters here. */
const versionPattern = /^\d{1,9}(\.\d{1,9}){0,2}$/;

function compareVersions(left: string, right: string): number {
  const [a, b] = [left, right].map((version) => version.split('.').map(Number));
  return (a?.[0] ?? 0) - (b?.[0] ?? 0) || (a?.[1] ?? 0) - (b?.[1] ?? 0);
}
