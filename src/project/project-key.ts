// The name a project goes by in a store: its root commit, the id of its marker file, or its path. A key is compared character by
// character and nothing in it is cleaned, folded or shortened, so that two folders never share one because they look alike.
import { createHash } from 'node:crypto';
import { posix, win32 } from 'node:path';
import { ContinuoError } from '../model/error.ts';

declare const brand: unique symbol;
export type ProjectKey = string & { readonly [brand]: 'ProjectKey' };

export type ProjectKeyParts =
  | { kind: 'git'; rootCommit: string }
  | { kind: 'marker'; id: string }
  | { kind: 'path'; path: string }
  /** A path that is too long for a key, or whose own key belongs to an earlier project. */
  | { kind: 'path'; digest: string };

/** What a conversation's `project` field can hold. */
const maxKeyLength = 1000;
const commitPattern = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const markerPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** No absolute path looks like it, on any system. */
const digestPattern = /^sha256:([0-9a-f]{64})$/;

export function formatProjectKey(parts: ProjectKeyParts): ProjectKey {
  return parseProjectKey(spell(parts));
}

/** The key of a folder that nothing but its path tells apart. */
export function formatPathKey(path: string): ProjectKey {
  const key = formatText(path);
  return formatProjectKey(key.length <= maxKeyLength ? { kind: 'path', path } : { kind: 'path', digest: digestOf([path]) });
}

/** A second key for a path whose own one belongs to a project that was there before; the same facts give the same key. */
export function formatSuccessorKey(path: string, facts: readonly string[]): ProjectKey {
  return formatProjectKey({ kind: 'path', digest: digestOf([path, ...facts]) });
}

export function isProjectKey(text: unknown): text is ProjectKey {
  return typeof text === 'string' && text.length <= maxKeyLength && readParts(text) !== undefined;
}

/** The key as given, or `invalid-input`. */
export function parseProjectKey(text: string): ProjectKey {
  if (isProjectKey(text)) return text;
  throw new ContinuoError('invalid-input', { what: 'project key', reason: 'it is not git:…, marker:… or path:…', key: text });
}

/** What a `project` field means: a key, or an absolute path as it was written before there were keys. */
export function readProjectField(text: string | undefined): ProjectKey | undefined {
  if (text === undefined || isProjectKey(text)) return text;
  return isAbsolutePath(text) ? formatPathKey(text) : undefined;
}

export function splitProjectKey(key: ProjectKey): ProjectKeyParts {
  return readParts(key) ?? splitProjectKey(parseProjectKey(key));
}

export function isCommit(text: unknown): text is string {
  return typeof text === 'string' && commitPattern.test(text);
}

export function isMarkerId(text: unknown): text is string {
  return typeof text === 'string' && markerPattern.test(text);
}

/** Absolute on the system it comes from, which need not be this one. */
export function isAbsolutePath(text: string): boolean {
  return !text.includes('\0') && (posix.isAbsolute(text) || (/^(?:[A-Za-z]:|[\\/]{2})/.test(text) && win32.isAbsolute(text)));
}

function readParts(key: string): ProjectKeyParts | undefined {
  const colon = key.indexOf(':');
  const kind = key.slice(0, colon);
  const rest = key.slice(colon + 1);
  if (kind === 'git' && isCommit(rest)) return { kind, rootCommit: rest };
  if (kind === 'marker' && isMarkerId(rest)) return { kind, id: rest };
  if (kind !== 'path') return undefined;
  const digest = digestPattern.exec(rest)?.[1];
  if (digest !== undefined) return { kind, digest };
  return isAbsolutePath(rest) ? { kind, path: rest } : undefined;
}

function spell(parts: ProjectKeyParts): string {
  if (parts.kind === 'git') return `git:${parts.rootCommit}`;
  if (parts.kind === 'marker') return `marker:${parts.id}`;
  return 'digest' in parts ? `path:sha256:${parts.digest}` : formatText(parts.path);
}

function formatText(path: string): string {
  return `path:${path}`;
}

function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
