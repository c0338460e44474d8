// continuo show: a conversation to read, from its end, page by page. Its length does not matter: never more is loaded than shown.
import type { Command } from 'commander';
import type { Conversation } from '../../model/conversation.ts';
import type { Draft, Entry } from '../../model/entry.ts';
import type { ConversationId } from '../../model/id.ts';
import { isExcluded, topicsOf } from '../../recall/conversation-marks.ts';
import type { ConversationStore, ReadOptions } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { findName, namelessWords, projectLabel, toJson } from '../conversation-view.ts';
import { findConversation } from '../find-conversation.ts';
import type { Help } from '../messages/messages.ts';
import { openHome } from '../open-home.ts';
import { readCount } from '../option-values.ts';
import { formatAgo, formatDate } from '../output/moment.ts';
import { plainLine } from '../output/plain-text.ts';
import { safeJson } from '../output/safe-json.ts';
import { shortenId } from '../output/short-ids.ts';
import { isShown, renderDraft, renderEntry } from '../output/transcript.ts';
import { formatPolicy } from '../policy-option.ts';
import { findParent, isSubAgent } from '../transcripts/sub-agents.ts';

const defaultTail = 20;
const pageOfAll = 200;

interface ShowOptions {
  tail?: string;
  all?: boolean;
  before?: string;
  follow?: boolean;
  full?: boolean;
}

export function define(command: Command, { arguments: names, commands: { show } }: Help): void {
  const { options } = show;
  command
    .argument('<id>', names.id)
    .option('-n, --tail <count>', options.tail)
    .option('-a, --all', options.all)
    .option('--before <position>', options.before)
    .option('-f, --follow', options.follow)
    .option('--full', options.full);
}

export async function run(context: Context, [reference = '']: readonly string[], options: ShowOptions): Promise<undefined> {
  const before = options.before === undefined ? undefined : readCount(context, '--before', options.before);
  const tail = options.tail === undefined ? defaultTail : readCount(context, '--tail', options.tail);
  await using store = await openHome(context, 'read');
  const conversation = await findConversation(store, reference);
  const printer = context.output.json
    ? jsonPrinter(context, store, conversation)
    : textPrinter(context, store, conversation, { full: options.full === true, isWhole: before === undefined });
  const bounds: ReadOptions = before === undefined ? {} : { before };
  let last = conversation.lastSeq;
  if (options.all) {
    await printer.open(undefined);
    let page: ReadOptions | undefined = { ...bounds, limit: pageOfAll };
    while (page) {
      const { items, next } = await store.read(conversation.id, page);
      for (const entry of items) await printer.entry(entry);
      last = items.at(-1)?.seq ?? last;
      page = next;
    }
  } else {
    const { entries, before: earlier } = await readTail(store, conversation.id, { ...bounds, limit: tail }, printer.shows);
    await printer.open(earlier);
    for (const entry of entries) await printer.entry(entry);
    last = entries.at(-1)?.seq ?? last;
  }
  // Of what comes before a position the draft is no part.
  await printer.close(before === undefined ? await store.findDraft(conversation.id) : undefined);
  if (options.follow) {
    context.output.note(context.style.dim(context.text.show.following));
    await follow(store, conversation, last, printer);
  }
}

/** The last entries, so many of which are shown, and where the earlier ones end. */
async function readTail(
  store: ConversationStore,
  id: ConversationId,
  { limit, ...bounds }: ReadOptions & { limit: number },
  shows: (entry: Entry) => boolean,
): Promise<{ entries: Entry[]; before: number | undefined }> {
  const entries: Entry[] = [];
  const end = (isMore: boolean) => ({ entries: entries.toReversed(), before: isMore ? entries.at(-1)?.seq : undefined });
  let wanted = limit;
  let page: ReadOptions | undefined = { ...bounds, order: 'backward', limit };
  while (page && wanted > 0) {
    const { items, next } = await store.read(id, page);
    for (const entry of items) {
      if (wanted === 0) return end(true);
      entries.push(entry);
      if (shows(entry)) wanted -= 1;
    }
    page = next && { ...next, limit: pageOfAll };
  }
  return end(page !== undefined);
}

async function follow(store: ConversationStore, { id }: Conversation, last: number, printer: Printer): Promise<void> {
  // Watching alone does not keep a process alive.
  const alive = setInterval(() => undefined, 2 ** 30);
  try {
    for await (const entry of store.watch(id, { after: last })) await printer.followed(entry);
  } finally {
    clearInterval(alive);
  }
}

interface Printer {
  /** Whether the entry is printed, and not only passed. */
  shows(entry: Entry): boolean;
  /** `before` is the position the earlier entries end at, where there are any. */
  open(before: number | undefined): Promise<void>;
  entry(entry: Entry): Promise<void>;
  close(draft: Draft | undefined): Promise<void>;
  followed(entry: Entry): Promise<void>;
}

/** One object in one line, written piece by piece; entries that follow later are a line each. */
function jsonPrinter({ output }: Context, store: ConversationStore, conversation: Conversation): Printer {
  let separator = '';
  return {
    shows: () => true,
    open: (before) =>
      output.write(`{"conversation":${safeJson(toJson(store, conversation))},"before":${before ?? null},"entries":[`),
    async entry(entry) {
      await output.write(separator + safeJson(entry));
      separator = ',';
    },
    close: (draft) => output.write(draft ? `],"draft":${safeJson(draft)}}\n` : ']}\n'),
    followed: (entry) => output.write(`${safeJson(entry)}\n`),
  };
}

function textPrinter(
  context: Context,
  store: ConversationStore,
  conversation: Conversation,
  { full, isWhole }: { full: boolean; isWhole: boolean },
): Printer {
  const { output, style, text } = context;
  let next: number | undefined;
  let shown = 0;
  let leftOut = 0;
  // Positions are counted without gaps: where one is missing under such a policy, its time was up.
  const mayExpire = conversation.policy.kind === 'ttl' && conversation.policy.afterwards === 'delete';
  const tellExpired = async (upTo: number) => {
    if (mayExpire && next !== undefined && next < upTo) await output.write(`${style.dim(text.show.expired(next, upTo - 1))}\n\n`);
  };
  const print = async (entry: Entry) => {
    await tellExpired(entry.seq);
    next = entry.seq + 1;
    if (!isShown(entry, { full })) {
      leftOut += 1;
      return;
    }
    shown += 1;
    await output.write(`${renderEntry(context, entry, { full }).join('\n')}\n`);
  };
  return {
    shows: (entry) => isShown(entry, { full }),
    async open(before) {
      if (before === undefined) next = 1;
      const id = await shortenId(store, conversation.id);
      context.output.line(...(await renderHead(context, store, conversation)), '');
      if (before !== undefined)
        context.output.line(
          context.style.dim(context.text.show.earlier(before - 1, `continuo show ${id} --before ${before}`)),
          '',
        );
    },
    entry: print,
    async close(draft) {
      if (isWhole) await tellExpired(conversation.lastSeq + 1);
      if (draft) await output.write(`${renderDraft(context, draft, { full }).join('\n')}\n`);
      else if (conversation.lastSeq === 0) context.output.line(context.style.dim(context.text.show.nothingSaid));
      else if (shown === 0 && leftOut > 0) context.output.line(context.style.dim(context.text.show.onlyEvents(leftOut)));
    },
    followed: print,
  };
}

async function renderHead(context: Context, store: ConversationStore, conversation: Conversation): Promise<string[]> {
  const { style, text, now } = context;
  const { id, title, key, team, agent, tags, pinned, policy, activeAt, lastSeq, forkedFrom, trashedAt } = conversation;
  const words = text.show;
  const name = await findName(store, conversation);
  const project = projectLabel(conversation);
  const topics = topicsOf(conversation);
  const parent = isSubAgent(conversation) ? await findParent(store, conversation) : undefined;
  const facts = [
    text.counts.entries(lastSeq),
    formatAgo(activeAt, now(), text.time),
    ...(pinned ? [words.pinned] : []),
    ...(agent === undefined ? [] : [words.agent(plainLine(agent))]),
    ...(team === undefined ? [] : [words.team(plainLine(team))]),
    ...(project === undefined ? [] : [words.project(plainLine(project))]),
    ...(key === undefined ? [] : [words.key(plainLine(key))]),
    ...(policy.kind === 'full' ? [] : [words.policy(formatPolicy(policy))]),
    ...(parent ? [text.subAgents.of(await shortenId(store, parent.id))] : []),
    ...(forkedFrom ? [words.forkedFrom(await shortenId(store, forkedFrom.id), forkedFrom.seq)] : []),
    ...tags.map((tag) => `#${plainLine(tag)}`),
    ...(topics.length === 0 ? [] : [words.topics(topics.map(plainLine).join(text.recall.between))]),
    ...(isExcluded(conversation) ? [words.excluded] : []),
  ];
  const heading = style.bold(title === undefined ? (name ?? namelessWords(text, conversation)) : plainLine(title));
  const trashed = trashedAt === undefined ? [] : [style.yellow(words.inTrash(formatDate(store.purgeDate(trashedAt))))];
  return [heading, style.dim(`${id} · ${facts.join(' · ')}`), ...trashed];
}
