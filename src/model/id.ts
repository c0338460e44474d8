// Branded identifiers. A conversation's id is random and sortable by creation; an entry's id is its conversation's id plus its
// position, so an entry is found without any index and an id alone tells where it belongs.
import { createUlid, ulidPattern } from '../base/id.ts';
import { ContinuoError } from './error.ts';

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

export type ConversationId = Branded<'ConversationId'>;
export type EntryId = Branded<'EntryId'>;
/** A running container of conversations. */
export type SessionId = Branded<'SessionId'>;
/** One turn at work. */
export type TaskId = Branded<'TaskId'>;

const conversationPrefix = 'cnv_';
const entryPrefix = 'ent_';
const ulidLength = 26;
const seqWidth = 7;

export function createConversationId(now: number): ConversationId {
  return (conversationPrefix + createUlid(now)) as ConversationId;
}

export function createSessionId(now: number): SessionId {
  return `ses_${createUlid(now)}` as SessionId;
}

export function createTaskId(now: number): TaskId {
  return `tsk_${createUlid(now)}` as TaskId;
}

export function isConversationId(text: string): text is ConversationId {
  return (
    typeof text === 'string' && text.startsWith(conversationPrefix) && ulidPattern.test(text.slice(conversationPrefix.length))
  );
}

/** The id as given, or a coded refusal. */
export function parseConversationId(text: string): ConversationId {
  if (isConversationId(text)) return text;
  throw new ContinuoError('invalid-id', { id: text });
}

export function formatEntryId(conversationId: ConversationId, seq: number): EntryId {
  return (entryPrefix + conversationId.slice(conversationPrefix.length) + seq.toString(32).padStart(seqWidth, '0')) as EntryId;
}

/** Where an entry lives: its own conversation (for a shared entry of a fork, the conversation it was said in) and its position. */
export function parseEntryId(text: string): { conversationId: ConversationId; seq: number } {
  const conversationId = conversationPrefix + text.slice(entryPrefix.length, entryPrefix.length + ulidLength);
  const place = text.slice(entryPrefix.length + ulidLength);
  const seq = Number.parseInt(place, 32);
  const wellFormed = text.startsWith(entryPrefix) && isConversationId(conversationId) && /^[0-9a-v]{7}$/.test(place) && seq > 0;
  if (!wellFormed) throw new ContinuoError('invalid-id', { id: text });
  return { conversationId, seq };
}
