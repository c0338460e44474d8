// Conversations of sub-agents: many, short, and only of interest with the conversation they worked for. Lists leave them out unless they
// are asked for; what carries no tag `sub-agent` any more is listed like any other.
import type { Conversation } from '../../model/conversation.ts';
import type { ConversationPage, ListQuery } from '../../model/list-query.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { formatListCursor } from '../../store/list-cursor.ts';

const subAgentTag = 'sub-agent';

export function isSubAgent({ tags }: Pick<Conversation, 'tags'>): boolean {
  return tags.includes(subAgentTag);
}

/** The conversation it worked for, where that is stored. */
export async function findParent(store: ConversationStore, conversation: Conversation): Promise<Conversation | undefined> {
  const key = parentKey(conversation);
  return key === undefined ? undefined : store.find(key);
}

function parentKey({ meta: { parent } }: Conversation): string | undefined {
  const key = typeof parent === 'object' && parent !== null && !Array.isArray(parent) ? parent.key : undefined;
  return typeof key === 'string' ? key : undefined;
}

/** Those that worked for these conversations, and for those again; in the trash, too. */
export async function findSubAgentsOf(store: ConversationStore, parents: readonly Conversation[]): Promise<Conversation[]> {
  const keys = new Set(parents.flatMap(({ key }) => (key === undefined ? [] : [key])));
  const others: Conversation[] = [];
  let cursor: string | undefined;
  if (keys.size === 0) return others;
  do {
    const page: ConversationPage = await store.list({
      tag: subAgentTag,
      trash: 'include',
      ...(cursor !== undefined && { cursor }),
    });
    others.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  const found = new Set<Conversation>();
  let before: number;
  do {
    before = found.size;
    for (const each of others) {
      if (!keys.has(parentKey(each) ?? '')) continue;
      found.add(each);
      if (each.key !== undefined) keys.add(each.key);
    }
  } while (found.size > before);
  return [...found].filter(({ id }) => !parents.some((parent) => parent.id === id));
}

/** Whether a question asks for them itself. */
export function asksForSubAgents({ tag, key, forkedFrom }: ListQuery): boolean {
  return tag === subAgentTag || key !== undefined || forkedFrom !== undefined;
}

/** A page without them, as full as it can be; the cursor names the place of the last that is on it. */
export async function listWithoutSubAgents(
  readPage: (query: ListQuery & { limit: number }) => Promise<ConversationPage>,
  query: ListQuery & { limit: number },
): Promise<ConversationPage & { hidden: number }> {
  const items: Conversation[] = [];
  let hidden = 0;
  let { cursor } = query;
  do {
    const page: ConversationPage = await readPage({ ...query, ...(cursor !== undefined && { cursor }) });
    for (const conversation of page.items) {
      if (isSubAgent(conversation)) hidden += 1;
      else if (items.length < query.limit) items.push(conversation);
      else return { items, hidden, nextCursor: formatListCursor(items.at(-1) as Conversation) };
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined && items.length < query.limit);
  return { items, hidden, ...(cursor !== undefined && { nextCursor: cursor }) };
}
