// Applying a change to a conversation's own data. Drivers call it inside their own transaction or lock.
import type { Conversation, ConversationPatch } from '../model/conversation.ts';

/** The conversation with the patch applied; `null` clears a field. The original is left alone. */
export function applyPatch(conversation: Conversation, patch: ConversationPatch): Conversation {
  const { addTags = [], removeTags = [], ...fields } = patch;
  const tags = new Set([...conversation.tags, ...addTags]);
  for (const tag of removeTags) tags.delete(tag);
  const changed: Record<string, unknown> = { ...conversation, tags: [...tags] };
  for (const [name, value] of Object.entries(fields)) {
    if (value === null) delete changed[name];
    else if (value !== undefined) changed[name] = value;
  }
  return changed as unknown as Conversation;
}
