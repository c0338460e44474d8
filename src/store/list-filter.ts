// The meaning of a list query, for drivers that filter in memory; the sqlite driver says the same in SQL.
import type { Conversation } from '../model/conversation.ts';
import type { DriverListQuery } from '../model/ports/store-driver.ts';

/** The conversations the query asks for, newest activity first, at most `limit`. */
export function selectConversations(all: Iterable<Conversation>, query: DriverListQuery): Conversation[] {
  const found: Conversation[] = [];
  for (const conversation of all) if (matches(conversation, query)) found.push(conversation);
  return found.sort(byActivity).slice(0, query.limit);
}

export function byActivity(a: { activeAt: number; id: string }, b: { activeAt: number; id: string }): number {
  return b.activeAt - a.activeAt || (a.id < b.id ? 1 : -1);
}

/** The part of the query that is about activity. */
export function matchesActivity(conversation: Conversation, query: DriverListQuery): boolean {
  if (query.since !== undefined && conversation.activeAt < query.since) return false;
  if (query.before !== undefined && conversation.activeAt >= query.before) return false;
  return query.after === undefined || byActivity(conversation, query.after) > 0;
}

function matches(conversation: Conversation, query: DriverListQuery): boolean {
  const trash = query.trash ?? 'exclude';
  const isTrashed = conversation.trashedAt !== undefined;
  if (trash === 'exclude' ? isTrashed : trash === 'only' && !isTrashed) return false;
  if (query.project !== undefined && conversation.project !== query.project) return false;
  if (query.key !== undefined && conversation.key !== query.key) return false;
  if (query.team !== undefined && conversation.team !== query.team) return false;
  if (query.agent !== undefined && conversation.agent !== query.agent) return false;
  if (query.tag !== undefined && !conversation.tags.includes(query.tag)) return false;
  if (query.pinned !== undefined && conversation.pinned !== query.pinned) return false;
  if (query.title !== undefined && !conversation.title?.toLowerCase().includes(query.title.toLowerCase())) return false;
  if (query.forkedFrom !== undefined && conversation.forkedFrom?.id !== query.forkedFrom) return false;
  return matchesActivity(conversation, query);
}
