// Applying a change to a conversation's own data. Drivers call it inside their own transaction or lock.
import type { JsonObject } from '../base/json.ts';
import type { Conversation, ConversationPatch } from '../model/conversation.ts';

/** The conversation with the patch applied; `null` clears a field. The original is left alone. */
export function applyPatch(conversation: Conversation, patch: ConversationPatch): Conversation {
  const { addTags = [], removeTags = [], mergeMeta, ...fields } = patch;
  const tags = new Set([...conversation.tags, ...addTags]);
  for (const tag of removeTags) tags.delete(tag);
  const changed: Record<string, unknown> = { ...conversation, tags: [...tags] };
  for (const [name, value] of Object.entries(fields)) {
    if (value === null) delete changed[name];
    else if (value !== undefined) changed[name] = value;
  }
  if (mergeMeta) changed.meta = mergeFields(changed.meta as JsonObject, mergeMeta);
  return changed as unknown as Conversation;
}

/** A map, because a field may be called `__proto__`. */
function mergeFields(meta: JsonObject, changes: JsonObject): JsonObject {
  const fields = new Map(Object.entries(meta));
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) fields.delete(name);
    else fields.set(name, value);
  }
  return Object.fromEntries(fields);
}
