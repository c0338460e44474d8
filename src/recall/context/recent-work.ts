// The conversations a request without content can mean: the newest that may be seen, what was last said in them and what is open.
import type { Conversation } from '../../model/conversation.ts';
import type { Entry } from '../../model/entry.ts';
import { ContinuoError, isContinuoError } from '../../model/error.ts';
import type { ConversationId } from '../../model/id.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { asksToGoOn } from '../intent/continue-intent.ts';
import type { TimeRange } from '../intent/zoned-day.ts';
import { LeftOut, type LeftOutQuery } from '../left-out.ts';
import { sharedWithAsker } from '../search/asked-for.ts';
import { type OpenWork, openWork } from '../summary/open-work.ts';
import type { Visibility } from '../visibility.ts';

export interface RecentWork {
  conversation: Conversation;
  /** The newest moment somebody spoke in it, inside of the range where one was given. */
  at: number;
  open: OpenWork[];
}

export interface RecentWorkQuery extends LeftOutQuery {
  store: ConversationStore;
  visibility: Visibility;
  /** Only where something was said then. */
  when?: TimeRange | undefined;
  /** At most so many. Default 12. */
  limit?: number;
  signal?: AbortSignal | undefined;
}

const pageSize = 50;
/** So far back nobody means with "go on", and so much is quickly read. */
const maxListed = 1000;
const maxRead = 60;
const tailLength = 60;

/** Newest first. */
export async function listRecentWork(query: RecentWorkQuery): Promise<RecentWork[]> {
  const { limit = 12 } = query;
  const works: RecentWork[] = [];
  let read = 0;
  for await (const conversation of listSeen(query)) {
    if (works.length >= limit || read >= maxRead) break;
    read += 1;
    const work = await readWork(query, conversation);
    if (work) works.push(work);
  }
  return works.sort((a, b) => b.at - a.at);
}

/** What is going on in one conversation; undefined where nothing of it may be quoted, or nothing was said then. */
export async function readWork(query: RecentWorkQuery, conversation: Conversation): Promise<RecentWork | undefined> {
  const tail = await readTail(query.store, conversation.id, query.when);
  const said = (await query.visibility.quotable(tail, conversation)).filter(({ kind }) => kind === 'message');
  const { when } = query;
  const then = when ? said.filter(({ at }) => at >= when.from && at < when.to) : said;
  if (!said.some(bringsContent) || then.length === 0) return undefined;
  const visible = new Set(said.map(({ id }) => id));
  // Events say how a turn ended; they carry no words of their own.
  const worked = tail.filter(({ id, kind }) => visible.has(id) || kind === 'event');
  return { conversation, at: Math.max(...then.map(({ at }) => at)), open: openWork(worked) };
}

async function* listSeen(query: RecentWorkQuery): AsyncGenerator<Conversation> {
  const { store, visibility, except, when, signal } = query;
  const leftOut = await LeftOut.find(store, query);
  // What it was forked from says nothing that is not in it, unless somebody went on there.
  const shared = await sharedWithAsker(store, except);
  let cursor: string | undefined;
  let listed = 0;
  do {
    if (signal?.aborted) throw new ContinuoError('cancelled', {}, { cause: signal.reason });
    const since = when && { since: when.from };
    const page = await store.list({ limit: pageSize, ...since, ...(cursor !== undefined && { cursor }) });
    for (const conversation of page.items) {
      const { id, lastSeq, createdAt } = conversation;
      if (lastSeq <= (shared.get(id) ?? 0) || !visibility.sees(conversation) || (await leftOut.has(conversation))) continue;
      if (!when || createdAt < when.to) yield await visibility.shown(conversation);
    }
    listed += page.items.length;
    cursor = page.nextCursor;
  } while (cursor !== undefined && listed < maxListed);
}

/** The end of a conversation, or what was said up to the end of the range. */
async function readTail(store: ConversationStore, id: ConversationId, when: TimeRange | undefined): Promise<Entry[]> {
  const entries: Entry[] = [];
  let before: number | undefined;
  try {
    do {
      const place = before === undefined ? {} : { before };
      const page = await store.read(id, { order: 'backward', limit: tailLength, ...place });
      entries.push(...page.items);
      before = page.next?.before;
    } while (when && before !== undefined && entries.length < 20 * tailLength && (entries.at(-1)?.at ?? 0) >= when.to);
  } catch (error) {
    // It may be purged while the list is walked.
    if (!isContinuoError(error, 'conversation-not-found')) throw error;
  }
  const tail = entries.reverse();
  return when ? tail.filter(({ at }) => at < when.to) : tail;
}

/** "Go on" and nothing else leads nowhere, unless somebody answered it. */
function bringsContent(entry: Entry): boolean {
  if (entry.kind !== 'message') return false;
  return entry.role === 'assistant' || !asksToGoOn(entry.text);
}
