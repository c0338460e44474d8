// Which conversations of a store are looked at for the projects there are. The newest tell of nearly all of them; where a project is
// private its age must not matter: then every project is looked at, and each private one as a whole.
import type { Conversation } from '../model/conversation.ts';
import type { ConversationPage, ListQuery } from '../model/list-query.ts';
import { readProjectField } from './project-key.ts';

/** As much of a store as is needed here. */
export interface ListedStore {
  list(query: ListQuery): Promise<ConversationPage>;
}

export interface CountedStore extends ListedStore {
  stats(): Promise<{ byProject: readonly { name: string }[] }>;
}

const pageSize = 1000;
export const mostLookedAt = 5000;
/** Enough to say what a project is called, where it is and what it is recognised by. */
const mostOfEach = 3;

/** Page by page; `isAll` says whether there are no more. */
export async function listNewest(
  store: ListedStore,
  most = mostLookedAt,
): Promise<{ conversations: Conversation[]; isAll: boolean }> {
  const conversations: Conversation[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list({ limit: pageSize, ...(cursor !== undefined && { cursor }) });
    conversations.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined && conversations.length < most);
  return { conversations, isAll: cursor === undefined };
}

/** Of each project that none of these is of, its newest. Costs as much as there are such projects, and one count over the store. */
export async function listUnseenProjects(store: CountedStore, seen: readonly Conversation[]): Promise<Conversation[]> {
  const known = new Set(seen.map(({ project }) => project));
  const found: Conversation[] = [];
  for (const { name: project } of (await store.stats()).byProject) {
    if (known.has(project) || readProjectField(project) === undefined) continue;
    found.push(...(await store.list({ project, limit: mostOfEach })).items);
  }
  return found;
}

/** The first few of each project among these. */
export function takeOfEach(conversations: readonly Conversation[]): Conversation[] {
  const taken = new Map<string | undefined, number>();
  return conversations.filter(({ project }) => {
    const count = (taken.get(project) ?? 0) + 1;
    taken.set(project, count);
    return count <= mostOfEach;
  });
}

/** Everything that is filed under one of these names, but for what is known. */
export async function listWhole(
  store: ListedStore,
  fields: Iterable<string>,
  known: readonly Conversation[],
): Promise<Conversation[]> {
  const ids = new Set(known.map(({ id }) => id));
  const found: Conversation[] = [];
  for (const project of new Set(fields)) {
    let cursor: string | undefined;
    do {
      const page = await store.list({ project, limit: pageSize, ...(cursor !== undefined && { cursor }) });
      found.push(...page.items.filter(({ id }) => !ids.has(id)));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }
  return found;
}

/** The newest conversations, and all of the private projects, named by what they are filed under. */
export async function listWithPrivate(
  store: ListedStore,
  privateProjects: Iterable<string>,
  most = mostLookedAt,
): Promise<Conversation[]> {
  const { conversations, isAll } = await listNewest(store, most);
  return isAll ? conversations : [...conversations, ...(await listWhole(store, privateProjects, conversations))];
}
