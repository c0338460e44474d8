// What a person says, as the entry it becomes.
import type { NewEntry } from '../model/entry.ts';
import { ContinuoError } from '../model/error.ts';

/** Words, or words with their author. */
export type MessageInput = string | { text: string; author?: { id?: string; name: string } };

export type MessageEntry = Extract<NewEntry, { kind: 'message' }>;

/** Throws `invalid-input` where there is nothing to answer. */
export function toMessageEntry(input: MessageInput): MessageEntry {
  const { text, author } = typeof input === 'object' && input !== null ? input : { text: input, author: undefined };
  if (typeof text !== 'string' || text.trim() === '')
    throw new ContinuoError('invalid-input', { what: 'message', reason: 'it has no text' });
  return { kind: 'message', role: 'user', text, ...(author && { author }) };
}
