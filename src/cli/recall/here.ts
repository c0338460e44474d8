// Which project a folder is, as the command line asks it: what new conversations are filed under, and under which names earlier ones
// of the same project stand. A folder that only claims to be a private project is a project of its own until somebody confirms it.
import { devNull } from 'node:os';
import { basename } from 'node:path';
import type { JsonObject } from '../../base/json.ts';
import type { Conversation } from '../../model/conversation.ts';
import type { ConversationPage, ListQuery } from '../../model/list-query.ts';
import { gatherEvidence, type ProjectEvidence } from '../../project/gather-evidence.ts';
import { collectKnownProjects, type KnownProject } from '../../project/known-project.ts';
import { matchProject, type ProjectMatch } from '../../project/match-project.ts';
import { listNewest, listUnseenProjects, listWhole, mostLookedAt, takeOfEach } from '../../project/newest-conversations.ts';
import { formatPathKey, formatProjectKey, isProjectKey, type ProjectKey } from '../../project/project-key.ts';
import { createPlace, formatPlace } from '../../project/project-place.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { formatListCursor } from '../../store/list-cursor.ts';
import type { Context } from '../context.ts';
import { isNamed, listPrivate } from './private-projects.ts';

export interface Here {
  evidence: ProjectEvidence;
  match: ProjectMatch;
  /** What a new conversation is filed under. */
  key: ProjectKey;
  /** What the `project` field of conversations of here holds. Never empty. */
  fields: readonly string[];
  /** For `meta.place` of a new conversation. */
  place: JsonObject;
  /** The projects that were looked at: all of them only where that was asked for. */
  known: readonly KnownProject[];
  /** Every `project` field whose conversations are not shown here. */
  hidden: readonly string[];
  /** The private project the folder looks like, which nobody confirmed: `continuo relink` does. */
  unconfirmed?: ProjectKey;
  /** The private project the folder looks like, by whatever sign, where nothing was said in it yet: what is said counts as private. */
  resembles?: ProjectKey;
  /** A private project that something speaks for, whatever was said here since. */
  alike?: ProjectKey;
}

export interface HereOptions {
  /** For who wants to choose among all projects. */
  everyProject?: boolean;
  /** For who only prefers what is from here: what the folder's own names find is enough, unless something is private. */
  isQuick?: boolean;
}

/** Longer than this no start waits for git; what is left tells enough. */
const gitMilliseconds = 1000;
const mostByName = 200;
const mostRoots = 8;
const olderLives = 10_000;
const remembered = new WeakMap<ConversationStore, { some: readonly Conversation[]; until: number }>();

/** What tells the project, without fail: a folder nobody can describe is known by its path. Begin it early, it runs beside other work. */
export function gatherHere({ env }: Pick<Context, 'env'>, folder: string): Promise<ProjectEvidence> {
  const plain = { path: folder, name: basename(folder) || folder };
  const { HOME: home } = env;
  return gatherEvidence(folder, { env, gitMilliseconds, ...(home !== undefined && { home }) }).catch(() => plain);
}

/** The folder the person is in; where that was deleted, a place no project can be at: only what everybody may see is seen from it. */
export function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return `${devNull}/deleted`;
  }
}

export async function findHere(
  context: Context,
  store: ConversationStore,
  gathering: Promise<ProjectEvidence> | ProjectEvidence,
  { everyProject = false, isQuick = false }: HereOptions = {},
): Promise<Here> {
  const evidence = await gathering;
  const hasPrivate = (context.config()['recall.private_projects'].value ?? []).length > 0;
  const near = everyProject || hasPrivate ? [] : collectKnownProjects(await listByName(store, evidence));
  // Who was here before is here again; only where that is not sure the other projects are looked at.
  const isSettled = !everyProject && !hasPrivate && (isQuick || (near.length > 0 && matchProject(evidence, near).seenHere));
  const known = isSettled
    ? near
    : hasPrivate && !everyProject
      ? await listWithPrivate(context, store, evidence)
      : await listKnownProjects(store, evidence, everyProject ? Number.POSITIVE_INFINITY : mostLookedAt);
  const match = matchProject(evidence, known);
  const closed = listPrivate(context, known);
  const isClaimed = match.how !== 'new' && !match.seenHere && closed.has(match.key);
  const key = isClaimed ? formatPathKey(evidence.path) : match.key;
  const fields = fieldsOf(key, known);
  // In doubt one more is private.
  const alike = isClaimed ? match.key : match.alsoFits.find((each) => closed.has(each));
  return {
    evidence,
    match,
    key,
    fields,
    place: formatPlace(createPlace(evidence)),
    known,
    hidden: [...closed].filter((field) => !fields.includes(field)),
    ...(isClaimed && { unconfirmed: match.key }),
    ...(alike !== undefined && { alike, ...((isClaimed || match.how === 'new') && { resembles: alike }) }),
  };
}

export async function listKnownProjects(
  store: ConversationStore,
  evidence: ProjectEvidence,
  most = mostLookedAt,
): Promise<KnownProject[]> {
  const { conversations: seen, isAll } = await listNewest(store, most);
  if (isAll) return collectKnownProjects(seen);
  return collectKnownProjects(withoutTwins([...seen, ...(await listByName(store, evidence))]));
}

/**
 * Where something is private, however old it is: no project is missing, and of the private ones no place they were ever seen at. A name
 * in the settings that none of them goes by may be one that a project had before: only then everything is looked through.
 */
async function listWithPrivate(context: Context, store: ConversationStore, evidence: ProjectEvidence): Promise<KnownProject[]> {
  const { conversations: newest, isAll } = await listNewest(store);
  if (isAll) return collectKnownProjects(newest);
  const seen = withoutTwins([...newest, ...(await listByName(store, evidence)), ...(await listOfEach(store, newest))]);
  const known = collectKnownProjects(seen);
  const names = context.config()['recall.private_projects'].value ?? [];
  if (names.some((named) => !isProjectKey(named) && !known.some((each) => isNamed(each, named))))
    return collectKnownProjects((await listNewest(store, Number.POSITIVE_INFINITY)).conversations);
  return collectKnownProjects([...seen, ...(await listWhole(store, listPrivate(context, known), seen))]);
}

/** Of every project a few. A program that stays, as the MCP server does, asks again and again: what is old is looked up every few seconds. */
async function listOfEach(store: ConversationStore, newest: readonly Conversation[]): Promise<readonly Conversation[]> {
  const known = remembered.get(store);
  if (known && performance.now() < known.until) return known.some;
  // Those among the newest now need not be among them later.
  const some = [...(await listUnseenProjects(store, newest)), ...takeOfEach(newest)];
  remembered.set(store, { some, until: performance.now() + olderLives });
  return some;
}

function withoutTwins(conversations: readonly Conversation[]): Conversation[] {
  return [...new Map(conversations.map((each) => [each.id, each])).values()];
}

export function fieldsOf(key: ProjectKey, known: readonly KnownProject[]): readonly string[] {
  const fields = known.find((project) => project.key === key)?.fields ?? [];
  return fields.length > 0 ? fields : [key];
}

export function nameOf(key: string, known: readonly KnownProject[]): string {
  return known.find((project) => project.key === key)?.name ?? key;
}

/** Newest first, of all the names the project goes by. */
export async function listOfProject(store: ConversationStore, fields: readonly string[], limit: number): Promise<Conversation[]> {
  return (await listPageOfProject(store, fields, { limit })).items;
}

/** A page of the same, in the store's order: a cursor names a place in it, whatever was asked for. */
export async function listPageOfProject(
  store: ConversationStore,
  fields: readonly string[],
  query: ListQuery & { limit: number },
): Promise<ConversationPage> {
  const { limit } = query;
  const pages = await Promise.all(fields.map((project) => store.list({ ...query, project })));
  const all = pages.flatMap(({ items }) => items).sort((a, b) => b.activeAt - a.activeAt || (a.id < b.id ? 1 : -1));
  const items = all.slice(0, limit);
  const last = items.at(-1);
  const isMore = all.length > limit || pages.some(({ nextCursor }) => nextCursor !== undefined);
  return isMore && last ? { items, nextCursor: formatListCursor(last) } : { items };
}

/** Conversations that are filed under a name this very folder gives. */
async function listByName(store: ConversationStore, { path, git, marker }: ProjectEvidence): Promise<Conversation[]> {
  const names = [
    path,
    formatPathKey(path),
    ...(git?.rootCommits ?? []).slice(0, mostRoots).map((rootCommit) => formatProjectKey({ kind: 'git', rootCommit })),
    ...(marker === undefined ? [] : [formatProjectKey({ kind: 'marker', id: marker })]),
  ];
  return listOfProject(store, names, mostByName);
}
