// The envelope of a saved session (docs/formats/saved-session.md): what the base class writes around the state of a subclass, and how
// files of older versions become it.
import type { JsonObject, JsonValue } from '../base/json.ts';
import { ContinuoError } from '../model/error.ts';
import { type EnvelopeFail, type EnvelopeFormat, type EnvelopeUpgrade, isObject, upgradeDocument } from './envelope.ts';
import { isCount, isMoment } from './read-snapshot.ts';

/** The version this Continuo writes, unless a subclass has gone on. */
export const savedSessionVersion = '1.0';

/** For lists of sessions, so that they need not read the state. */
export interface SavedSessionSummary {
  messages: number;
  /** The first words of the human. */
  task?: string;
  branch?: string;
}

export interface SavedSessionHead {
  version: string;
  /** ISO 8601. */
  savedAt: string;
  filePrefix: string;
  /** Stays the same from save to save; undefined in files that others wrote. */
  id: string | undefined;
  summary: SavedSessionSummary | undefined;
}

export interface SavedSessionKind {
  filePrefix: string;
  version: string;
  upgrades: readonly EnvelopeUpgrade[];
}

/** Files of before there was an envelope hold the state at the top and do not say when they were saved. */
export function formatOf(kind: SavedSessionKind, modified: string): EnvelopeFormat {
  const first: EnvelopeUpgrade = {
    version: '1.0',
    apply({ saved_at, file_prefix, ...state }, fail) {
      if (!Array.isArray(state.messages)) throw fail('it has no messages');
      return { saved_at: saved_at ?? modified, file_prefix: file_prefix ?? kind.filePrefix, state };
    },
  };
  return { versionField: 'version', version: kind.version, upgrades: [first, ...kind.upgrades] };
}

/** The document in the version that is written now, its head checked, and the version it had. */
export function openDocument(
  document: JsonObject,
  kind: SavedSessionKind,
  { path, modified, fail }: { path: string; modified: string; fail: EnvelopeFail },
): { document: JsonObject; head: SavedSessionHead; found: string } {
  const found = typeof document.version === 'string' ? document.version : '0.0';
  const upgraded = upgradeDocument(document, formatOf(kind, modified), path);
  const head = readHead(upgraded, fail);
  if (head.filePrefix !== kind.filePrefix) {
    throw new ContinuoError('saved-session-of-another-kind', { path, found: head.filePrefix, wanted: kind.filePrefix });
  }
  return { document: upgraded, head, found };
}

/** What is no part of the envelope is passed over: a later Continuo may have put it there. */
export function readHead(document: JsonObject, fail: EnvelopeFail): SavedSessionHead {
  const { version, saved_at, file_prefix, id, summary } = document;
  if (typeof saved_at !== 'string' || !isMoment(saved_at)) throw fail('"saved_at" is not a moment');
  if (typeof file_prefix !== 'string' || file_prefix === '') throw fail('"file_prefix" is not text');
  return {
    version: version as string,
    savedAt: saved_at,
    filePrefix: file_prefix,
    id: typeof id === 'string' && id !== '' ? id : undefined,
    summary: readSummary(summary),
  };
}

export function readState(document: JsonObject, fail: EnvelopeFail): JsonObject {
  const { state } = document;
  if (state === undefined) throw fail('"state" is missing');
  if (!isObject(state)) throw fail('"state" is not an object');
  if (state.messages !== undefined && !Array.isArray(state.messages)) throw fail('"state.messages" is not a list');
  return state;
}

function readSummary(value: JsonValue | undefined): SavedSessionSummary | undefined {
  if (value === undefined || !isObject(value) || !isCount(value.messages)) return undefined;
  const { messages, task, branch } = value;
  return {
    messages,
    ...(typeof task === 'string' ? { task } : {}),
    ...(typeof branch === 'string' ? { branch } : {}),
  };
}

export function countMessages(state: JsonObject): number {
  return Array.isArray(state.messages) ? state.messages.length : 0;
}

const longestLine = 120;

/** The first words of the human, and the branch where the state tells it. */
export function describeState(state: JsonObject): Omit<SavedSessionSummary, 'messages'> {
  const task = Array.isArray(state.messages) ? firstWords(state.messages) : undefined;
  const branch = typeof state.branch === 'string' ? toLine(state.branch) : undefined;
  return { ...(task ? { task } : {}), ...(branch ? { branch } : {}) };
}

export function isFromHuman(message: unknown): message is JsonObject {
  return typeof message === 'object' && message !== null && (message as { role?: unknown }).role === 'user';
}

function firstWords(messages: readonly JsonValue[]): string | undefined {
  const content = messages.find(isFromHuman)?.content;
  if (typeof content === 'string') return toLine(content);
  if (!Array.isArray(content)) return undefined;
  const part = content.find((item) => isObject(item) && typeof item.text === 'string') as { text: string } | undefined;
  return part && toLine(part.text);
}

function toLine(text: string): string {
  const line = text
    .slice(0, longestLine * 4)
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...line];
  return characters.length <= longestLine ? line : `${characters.slice(0, longestLine - 1).join('')}…`;
}
