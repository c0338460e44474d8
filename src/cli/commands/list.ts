// continuo list: what is stored, newest activity first.
import type { Command } from 'commander';
import type { Conversation } from '../../model/conversation.ts';
import type { ConversationId } from '../../model/id.ts';
import type { ConversationPage, ListQuery } from '../../model/list-query.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { type ConversationJson, findPreview, toJson } from '../conversation-view.ts';
import type { Help } from '../messages/messages.ts';
import { openHome } from '../open-home.ts';
import { readCount, readMoment } from '../option-values.ts';
import { renderConversations } from '../output/conversation-table.ts';
import { shortenIds } from '../output/short-ids.ts';
import { announceCleanup } from '../recall/announce-cleanup.ts';
import { findHere, gatherHere, type Here, listPageOfProject } from '../recall/here.ts';
import { noteAlike } from '../recall/note-alike.ts';
import { readFolder } from '../recall/read-folder.ts';
import { asksForSubAgents, listWithoutSubAgents } from '../transcripts/sub-agents.ts';
import { usageError } from '../usage-error.ts';

const defaultLimit = 50;
const mostPerPage = 1000;

interface ListOptions {
  here?: boolean;
  project?: string;
  key?: string;
  team?: string;
  agent?: string;
  tag?: string;
  title?: string;
  pinned?: boolean;
  since?: string;
  before?: string;
  forksOf?: string;
  trash?: boolean;
  all?: boolean;
  limit?: string;
  cursor?: string;
  fullIds?: boolean;
}

export type ListedJson = ConversationJson & { preview?: string };

export function define(command: Command, { commands: { list } }: Help): void {
  const { options } = list;
  command
    .option('--here', options.here)
    .option('--project <name>', options.project)
    .option('--agent <name>', options.agent)
    .option('--team <name>', options.team)
    .option('--tag <tag>', options.tag)
    .option('--key <key>', options.key)
    .option('--title <words>', options.title)
    .option('--pinned', options.pinned)
    .option('--since <when>', options.since)
    .option('--before <when>', options.before)
    .option('--forks-of <id>', options.forksOf)
    .option('--trash', options.trash)
    .option('-a, --all', options.all)
    .option('-n, --limit <count>', options.limit)
    .option('--cursor <cursor>', options.cursor)
    .option('--full-ids', options.fullIds);
}

export async function run(context: Context, _args: readonly string[], options: ListOptions): Promise<undefined> {
  const { output, text } = context;
  await using store = await openHome(context, 'read');
  const { page, here, hidden } = await listPage(context, store, options);
  const listed = await withPreviews(store, page.items);
  if (output.json) {
    output.result({ conversations: listed, nextCursor: page.nextCursor ?? null }, () => []);
    return;
  }
  if (here) noteAlike(context, here, listed.length === 0);
  if (listed.length === 0) {
    output.note((await isEmpty(store)) ? text.overview.empty : text.list.nothingFound);
    if (hidden > 0) output.note(context.style.dim(text.subAgents.hidden(hidden)));
    return;
  }
  output.line(...(await renderListed(context, store, listed, options.fullIds === true)));
  const notes = [
    ...(page.nextCursor === undefined ? [] : [text.list.more(page.nextCursor)]),
    ...(hidden > 0 ? [text.subAgents.hidden(hidden)] : []),
  ];
  if (notes.length > 0) output.note('', ...notes.map(context.style.dim));
  await announceCleanup(context, store);
}

/** A project may go by two names: its key, and its path from before there were keys. */
async function listPage(
  context: Context,
  store: ConversationStore,
  options: ListOptions,
): Promise<{ page: ConversationPage; here?: Here; hidden: number }> {
  const query = await toQuery(context, store, options);
  const isWhole = options.all === true || options.trash === true || asksForSubAgents(query);
  const wanted = { ...query, limit: query.limit ?? defaultLimit };
  const read = async (readPage: (each: typeof wanted) => Promise<ConversationPage>) => {
    if (isWhole) return { page: await readPage(wanted), hidden: 0 };
    const { hidden, ...page } = await listWithoutSubAgents(readPage, wanted);
    return { page, hidden };
  };
  if (!options.here) return read((each) => store.list(each));
  if (options.project !== undefined) throw usageError(context.text.chat.onlyOneOf('--here, --project'));
  const here = await findHere(context, store, gatherHere(context, readFolder(context, '.')));
  return { ...(await read((each) => listPageOfProject(store, here.fields, each))), here };
}

/** The table of conversations, for `list` and for the overview. */
export async function renderListed(
  context: Context,
  store: ConversationStore,
  listed: ListedJson[],
  fullIds: boolean,
): Promise<string[]> {
  const ids = listed.map(({ id }) => id);
  const short = fullIds ? new Map<ConversationId, string>(ids.map((id) => [id, id])) : await shortenIds(store, ids);
  return renderConversations(context, listed, short);
}

export async function withPreviews(store: ConversationStore, conversations: readonly Conversation[]): Promise<ListedJson[]> {
  return Promise.all(
    conversations.map(async (conversation) => {
      const json: ListedJson = toJson(store, conversation);
      const preview = json.title === undefined ? await findPreview(store, conversation) : undefined;
      return preview === undefined ? json : { ...json, preview };
    }),
  );
}

async function toQuery(context: Context, store: ConversationStore, options: ListOptions): Promise<ListQuery> {
  const { since, before, forksOf, trash, all, limit, fullIds: _fullIds, here: _here, ...plain } = options;
  const query: ListQuery = { ...plain };
  if (since !== undefined) query.since = readMoment(context, '--since', since);
  if (before !== undefined) query.before = readMoment(context, '--before', before);
  if (forksOf !== undefined) query.forkedFrom = (await store.resolve(forksOf)).id;
  if (trash) query.trash = 'only';
  else if (all) query.trash = 'include';
  if (limit !== undefined) query.limit = readCount(context, '--limit', limit);
  if ((query.limit ?? 0) > mostPerPage) throw usageError(context.text.usage.tooMany('--limit', mostPerPage));
  return query;
}

async function isEmpty(store: ConversationStore): Promise<boolean> {
  return (await store.list({ trash: 'include', limit: 1 })).items.length === 0;
}
