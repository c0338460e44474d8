// A session's metadata and active skill, kept under `channel` in the conversation's own data. Two processes may hold one session:
// only the fields a caller changed are written, so that neither undoes what the other saved.
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { Conversation } from '../model/conversation.ts';

export interface SessionState {
  metadata: JsonObject;
  activeSkill?: string | undefined;
}

/** What is written under `channel`. */
interface ChannelRecord extends JsonObject {
  /** Which manager made the conversation and may clean it up; absent where something else made it. */
  owner?: string;
  metadata?: JsonObject;
  activeSkill?: string;
  /** When the state was last saved. */
  savedAt?: number;
}

export function parseState(conversation: Conversation): SessionState {
  const { metadata, activeSkill } = channelRecord(conversation);
  return { metadata: structuredClone(metadata ?? {}), ...(activeSkill !== undefined && { activeSkill }) };
}

/** What of the conversation's own data changes with the state: one field, so that what others keep beside it stays as it is. */
export function formatState(meta: JsonObject, state: SessionState, savedAt: number): JsonObject {
  const { activeSkill: _before, ...kept } = isObject(meta.channel) ? meta.channel : {};
  const channel: ChannelRecord = { ...kept, metadata: state.metadata, savedAt } as ChannelRecord;
  if (state.activeSkill !== undefined) channel.activeSkill = state.activeSkill;
  return { channel };
}

export function ownerMark(owner: string): JsonObject {
  return { channel: { owner } };
}

export function isOwnedBy(conversation: Conversation, owner: string): conversation is Conversation & { key: string } {
  return conversation.key !== undefined && channelRecord(conversation).owner === owner;
}

/** The newest message or saved change of state. */
export function lastActivity(conversation: Conversation): number {
  return Math.max(conversation.activeAt, channelRecord(conversation).savedAt ?? 0);
}

export function isSameState(a: SessionState, b: SessionState): boolean {
  return a.activeSkill === b.activeSkill && isDeepStrictEqual(a.metadata, b.metadata);
}

export function copyState({ metadata, activeSkill }: SessionState): SessionState {
  return { metadata: structuredClone(metadata), ...(activeSkill !== undefined && { activeSkill }) };
}

/** Theirs, with what changed from `base` to `mine` put on top. */
export function mergeStates(base: SessionState, mine: SessionState, theirs: SessionState): SessionState {
  // A map, because a field may be called `__proto__`.
  const fields = new Map(Object.entries(theirs.metadata));
  for (const name of new Set([...Object.keys(base.metadata), ...Object.keys(mine.metadata)])) {
    const value: JsonValue | undefined = mine.metadata[name];
    if (isDeepStrictEqual(value, base.metadata[name])) continue;
    if (value === undefined) fields.delete(name);
    else fields.set(name, value);
  }
  const metadata = Object.fromEntries(fields);
  const activeSkill = mine.activeSkill === base.activeSkill ? theirs.activeSkill : mine.activeSkill;
  return { metadata, ...(activeSkill !== undefined && { activeSkill }) };
}

/** Other programs may write there too: a field that is not what it should be counts as absent. */
function channelRecord({ meta }: Conversation): ChannelRecord {
  if (!isObject(meta.channel)) return {};
  const { owner, metadata, activeSkill, savedAt } = meta.channel;
  return {
    ...(typeof owner === 'string' && { owner }),
    ...(isObject(metadata) && { metadata }),
    ...(typeof activeSkill === 'string' && { activeSkill }),
    ...(typeof savedAt === 'number' && { savedAt }),
  };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
