// A conversation as the server names it: by what may be seen of it, and not at all where that is nothing. Every list goes through here.
// Invariant: what a fork took over from a conversation that may not be seen (title, tags, the folder's name, how much was said) stays
// hidden as well.
import type { JsonObject } from '../base/json.ts';
import type { Conversation } from '../model/conversation.ts';
import type { ConversationId } from '../model/id.ts';
import { isConversationId } from '../model/id.ts';
import { cleanName, cleanQuote } from '../recall/context/clean-quote.ts';
import { nameProject, titleOf } from '../recall/context/context-source.ts';
import { formatMoment } from '../recall/context/quote-history.ts';
import { toProjectKey } from '../recall/visibility.ts';
import { type Call, Refusal } from './server-tool.ts';

export interface ShownConversation {
  id: ConversationId;
  title?: string;
  /** The first words, where there is no title. */
  about?: string;
  project?: string;
  projectName?: string;
  agent?: string;
  tags: string[];
  startedAt: number;
  activeAt: number;
  /** Positions in it; absent where some of them may not be seen. */
  entries?: number;
}

const scheme = 'continuo://conversation/';
const tailLength = 200;
const beginning = 10;
const longestAbout = 120;

/** A conversation that may be seen. */
export interface Seen {
  conversation: Conversation;
  /** It shares text with one that may not be seen. */
  isBorrowed: boolean;
}

/** Undefined where it may not be seen, or nothing in it may be quoted. */
export async function findSeen(call: Call, conversation: Conversation): Promise<Seen | undefined> {
  const { visibility, outlook } = call;
  if (!visibility.sees(conversation) || conversation.lastSeq === 0) return undefined;
  const isBorrowed = await hidesOrigin(call, conversation);
  if (isBorrowed || conversation.policy.kind === 'ttl') {
    const tail = await outlook.store.tail(conversation.id, tailLength);
    if ((await visibility.quotable(tail, conversation)).length === 0) return undefined;
  }
  return { conversation, isBorrowed };
}

export async function showConversation(call: Call, { conversation, isBorrowed }: Seen): Promise<ShownConversation> {
  const shown = await call.visibility.shown(conversation);
  const title = titleOf(shown);
  const projectName = nameProject(shown);
  const { id, project, agent, tags, createdAt, activeAt, lastSeq } = conversation;
  const about = title === undefined ? await findFirstWords(call, conversation) : undefined;
  return {
    id,
    ...(title !== undefined && { title: cleanName(title, 200) }),
    ...(about !== undefined && { about }),
    ...(project !== undefined && { project: cleanName(toProjectKey(project), 1000) }),
    ...(projectName !== undefined && { projectName: cleanName(projectName) }),
    ...(agent !== undefined && { agent: cleanName(agent) }),
    tags: isBorrowed ? [] : tags.map((tag) => cleanName(tag)),
    startedAt: createdAt,
    activeAt,
    ...(!isBorrowed && { entries: lastSeq }),
  };
}

/** The conversation a caller names by its id or its address. What may not be seen is not there. */
export async function getSeen(call: Call, given: string): Promise<{ conversation: Conversation; shown: ShownConversation }> {
  const id = given.startsWith(scheme) ? given.slice(scheme.length) : given;
  const found = isConversationId(id) ? await call.outlook.store.find(id) : undefined;
  const seen = found && (await findSeen(call, found));
  if (!seen)
    throw new Refusal(
      `No conversation "${cleanName(given)}" can be read from here. Use a conversation_id that search_conversations or list_conversations returned.`,
    );
  return { conversation: await call.visibility.shown(seen.conversation), shown: await showConversation(call, seen) };
}

export function addressOf(id: ConversationId): string {
  return scheme + id;
}

/** The conversation's id out of its address, with what stands after it. */
export function parseAddress(address: string): { id: string; cursor: string | undefined } | undefined {
  const parts = /^continuo:\/\/conversation\/([^/?#]+)(?:\?cursor=([\w-]+))?$/.exec(address);
  return parts ? { id: parts[1] as string, cursor: parts[2] } : undefined;
}

/** For structured answers. */
export function toStructured(shown: ShownConversation): JsonObject {
  const { id, title, about, project, projectName, agent, tags, startedAt, activeAt, entries } = shown;
  return {
    conversation_id: id,
    ...(title !== undefined && { title }),
    ...(about !== undefined && { about }),
    ...(project !== undefined && { project }),
    ...(projectName !== undefined && { project_name: projectName }),
    ...(agent !== undefined && { agent }),
    ...(tags.length > 0 && { tags }),
    started_at: formatTime(startedAt),
    last_active_at: formatTime(activeAt),
    ...(entries !== undefined && { entries }),
  };
}

/** One line for a list. */
export function toLine(shown: ShownConversation, { outlook: { offsetMinutes } }: Call): string {
  const { id, title, about, project, projectName, agent, activeAt } = shown;
  const name = projectName ?? project;
  return [
    id,
    ...(title !== undefined ? [`"${title}"`] : about !== undefined ? [`"${about}"`] : []),
    ...(name !== undefined ? [`project ${name}`] : []),
    ...(agent !== undefined ? [`with ${agent}`] : []),
    formatMoment(activeAt, offsetMinutes),
  ].join(' · ');
}

/** As ISO 8601; what lies outside of the calendar is the nearest moment in it. */
export function formatTime(at: number): string {
  const most = 8.64e15;
  return new Date(Math.max(-most, Math.min(most, at))).toISOString();
}

/** Whether it shares text with a conversation that may not be seen. */
async function hidesOrigin({ outlook: { store }, visibility }: Call, { forkedFrom }: Conversation): Promise<boolean> {
  const known = new Set<ConversationId>();
  for (let from = forkedFrom; from && !known.has(from.id); ) {
    known.add(from.id);
    const origin = await store.find(from.id);
    if (origin && !visibility.permits(origin)) return true;
    from = origin?.forkedFrom;
  }
  return false;
}

async function findFirstWords({ outlook: { store }, visibility }: Call, conversation: Conversation): Promise<string | undefined> {
  const { items } = await store.read(conversation.id, { limit: beginning });
  const said = (await visibility.quotable(items, conversation)).filter((entry) => entry.kind === 'message');
  const first = said.find(({ role }) => role === 'user') ?? said[0];
  const words = first && cleanName(cleanQuote(first.text.slice(0, 2000)), longestAbout);
  return words === '' ? undefined : words;
}
