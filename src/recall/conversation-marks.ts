// What recall reads in a conversation's free data: that it was excluded by hand, its topics, and whose sub-agent it was.
import type { JsonObject } from '../base/json.ts';
import type { Conversation } from '../model/conversation.ts';

type Marked = Pick<Conversation, 'meta'>;

/** Its owner said that it shall not be recalled. */
export function isExcluded({ meta }: Marked): boolean {
  return meta.recall === 'excluded';
}

/** For `mergeMeta`. */
export function exclusionMark(isExcluded: boolean): JsonObject {
  return { recall: isExcluded ? 'excluded' : null };
}

/** The topics it was found to have. */
export function topicsOf({ meta }: Marked): string[] {
  return Array.isArray(meta.topics) ? meta.topics.filter((topic): topic is string => typeof topic === 'string') : [];
}

/** Everything it is found by where a tag is asked for: the tags people gave it, and its topics. */
export function labelsOf(conversation: Pick<Conversation, 'meta' | 'tags'>): string[] {
  return [...conversation.tags, ...topicsOf(conversation)];
}

/** The key of the conversation that sent it out, where it is a sub-agent's. A branch of another conversation is nobody's sub-agent. */
export function parentKeyOf({ meta, tags }: Pick<Conversation, 'meta' | 'tags'>): string | undefined {
  const { parent } = meta;
  if (typeof parent !== 'object' || parent === null || Array.isArray(parent) || typeof parent.key !== 'string') return undefined;
  return parent.kind === 'sub-agent' || tags.includes('sub-agent') ? parent.key : undefined;
}
