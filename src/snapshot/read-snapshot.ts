// From a parsed document to a SessionSnapshot: every field is checked, speakers are read by their old field names as well, and what
// is no part of a snapshot (todos) is left behind. The same check stands before every save, so what is written can be read.
import { findJsonFault, type JsonObject, type JsonValue } from '../base/json.ts';
import { type EnvelopeFail, type EnvelopeFormat, hasPrototypeKey, isObject } from './envelope.ts';
import {
  type ConversationMessage,
  type SessionMetadata,
  type SessionSnapshot,
  type SessionSpeaker,
  snapshotVersion,
} from './session-snapshot.ts';
import { upgradeTo1 } from './upgrades/1.ts';

export const snapshotFormat: EnvelopeFormat = {
  versionField: 'schemaVersion',
  version: snapshotVersion,
  upgrades: [upgradeTo1],
};

export type SnapshotHead = Omit<SessionSnapshot, 'context'>;

export function readSnapshot(document: JsonObject, fail: EnvelopeFail): SessionSnapshot {
  const { context } = document;
  if (!isObject(context)) throw fail('"context" is not an object');
  const { teamTask = null, messages } = context;
  if (teamTask !== null && typeof teamTask !== 'string') throw fail('"context.teamTask" is neither text nor null');
  if (!Array.isArray(messages)) throw fail('"context.messages" is not a list');
  const read = messages.map((message, index) => readMessage(message, index, fail));
  const head = readHead(document, fail);
  const lastSpeakerId = head.metadata.lastSpeakerId ?? read.at(-1)?.speaker.id;
  return {
    ...head,
    context: { teamTask, messages: read },
    metadata: { ...head.metadata, ...(lastSpeakerId === undefined ? {} : { lastSpeakerId }), messageCount: read.length },
  };
}

/** Everything but the messages. */
export function readHead(document: JsonObject, fail: EnvelopeFail): SnapshotHead {
  const text = (name: string): string => {
    const value = document[name];
    if (typeof value !== 'string' || value === '') throw fail(`"${name}" is not text`);
    return value;
  };
  const moment = (name: string): string => {
    const value = text(name);
    if (!isMoment(value)) throw fail(`"${name}" is not a moment`);
    return value;
  };
  return {
    schemaVersion: snapshotVersion,
    teamId: text('teamId'),
    sessionId: text('sessionId'),
    createdAt: moment('createdAt'),
    updatedAt: moment('updatedAt'),
    metadata: readMetadata(document.metadata ?? {}, fail),
  };
}

function readMetadata(value: JsonValue, fail: EnvelopeFail): SessionMetadata {
  if (!isObject(value)) throw fail('"metadata" is not an object');
  const fault = findJsonFault(value) ?? (hasPrototypeKey(value) ? 'it has a key "__proto__"' : undefined);
  if (fault !== undefined) throw fail(`"metadata" cannot be kept: ${fault}`);
  const { lastSpeakerId, messageCount = 0, summary, log, programSessions, todos: _todos, ...more } = value;
  if (!isCount(messageCount)) throw fail('"metadata.messageCount" is not a count');
  for (const [name, item] of Object.entries({ lastSpeakerId, summary })) {
    if (item !== undefined && item !== null && typeof item !== 'string') throw fail(`"metadata.${name}" is not text`);
  }
  return {
    ...more,
    ...(typeof lastSpeakerId === 'string' ? { lastSpeakerId } : {}),
    messageCount,
    ...(typeof summary === 'string' ? { summary } : {}),
    ...(log === undefined ? {} : { log: readLogPlace(log, fail) }),
    ...(programSessions === undefined ? {} : { programSessions: readTexts(programSessions, fail) }),
  };
}

function readLogPlace(value: JsonValue, fail: EnvelopeFail): { conversationId: string; seq: number } {
  if (!isObject(value) || typeof value.conversationId !== 'string' || !isCount(value.seq)) {
    throw fail('"metadata.log" is not a place in a conversation');
  }
  return { conversationId: value.conversationId, seq: value.seq };
}

function readTexts(value: JsonValue, fail: EnvelopeFail): Record<string, string> {
  if (!isObject(value) || Object.values(value).some((item) => typeof item !== 'string')) {
    throw fail('"metadata.programSessions" is not a table of texts');
  }
  return value as Record<string, string>;
}

export function readMessage(value: JsonValue, index: number, fail: EnvelopeFail): ConversationMessage {
  const wrong = (name: string, what: string) => fail(`"context.messages[${index}]${name}" is not ${what}`);
  if (!isObject(value)) throw wrong('', 'an object');
  const { id = `message-${index + 1}`, content, routing, seq, interrupted } = value;
  const timestamp = toTimestamp(value.timestamp);
  if (typeof id !== 'string') throw wrong('.id', 'text');
  if (timestamp === undefined) throw wrong('.timestamp', 'a moment');
  if (typeof content !== 'string') throw wrong('.content', 'text');
  if (routing !== undefined && routing !== null) {
    if (!isObject(routing)) throw wrong('.routing', 'an object');
    if (findJsonFault(routing) !== undefined || hasPrototypeKey(routing)) throw wrong('.routing', 'data that can be kept');
  }
  if (seq !== undefined && !isCount(seq)) throw wrong('.seq', 'a count');
  if (interrupted !== undefined && typeof interrupted !== 'boolean') throw wrong('.interrupted', 'true or false');
  // Some old files have the speaker's fields beside the content.
  const speaker = readSpeaker(isObject(value.speaker) ? value.speaker : value.speaker === undefined ? withoutOwnId(value) : {});
  if (speaker === undefined) throw wrong('.speaker', 'a speaker with an id or a name');
  return {
    id,
    timestamp,
    speaker,
    content,
    ...(isObject(routing) ? { routing } : {}),
    ...(seq === undefined ? {} : { seq }),
    ...(interrupted === undefined ? {} : { interrupted }),
  };
}

function withoutOwnId({ id: _id, name: _name, type: _type, ...message }: JsonObject): JsonObject {
  return message;
}

function readSpeaker(value: JsonObject): SessionSpeaker | undefined {
  const id = firstText(value.id, value.roleId) ?? firstText(value.name, value.roleName);
  if (id === undefined) return undefined;
  const displayName = firstText(value.displayName, value.roleTitle);
  const type = speakerTypes.find((known) => known === value.type);
  return {
    id,
    name: firstText(value.name, value.roleName) ?? displayName ?? id,
    ...(displayName === undefined ? {} : { displayName }),
    ...(type === undefined ? {} : { type }),
  };
}

const speakerTypes = ['human', 'ai', 'system'] as const;

function firstText(...values: (JsonValue | undefined)[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value !== '');
}

function toTimestamp(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return isMoment(value) ? value : undefined;
  if (typeof value !== 'number') return undefined;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

export function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text));
}

export function isCount(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
