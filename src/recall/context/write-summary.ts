// Writes the summary of a conversation into its log and its topics into its meta. Builds on the summary before it, so that only new
// entries are read. Invariants: a summary never outlives the text it was made from, topics are kept only where the text is kept, and
// neither counts as use: a summary is of the moment of the last word it stands for.

import type { Entry, NewEntry } from '../../model/entry.ts';
import { ContinuoError } from '../../model/error.ts';
import type { ConversationId } from '../../model/id.ts';
import type { ConversationStore, ReadOptions } from '../../store/conversation-store.ts';
import { topicsOf } from '../conversation-marks.ts';
import { asksIn, findQuotedTurns, isQuotation } from '../echoes.ts';
import { summariseEntries } from '../summary/extractive.ts';
import { type SummaryMark, summaryMark } from '../summary/summary-mark.ts';
import { extractTopics } from '../topics/extract-topics.ts';

type Message = Entry & { kind: 'message' };
type Summary = Entry & { kind: 'summary' };

export interface WrittenSummary {
  /** The summary there is now; undefined where nothing may be kept or nothing was said. */
  summary: string | undefined;
  topics: string[];
  /** Whether something new was written. */
  isNew: boolean;
}

/** Puts what was said since into words, in place of the conversation's own sentences. What it is given was masked already. */
export type SummaryWriter = (request: {
  previous: string | undefined;
  said: readonly Message[];
  signal: AbortSignal;
}) => Promise<string>;

export interface WriteSummaryOptions {
  /** Whether topics are extracted. Default true. */
  autoExtract?: boolean;
  maxTopics?: number;
  /** Nothing is written where fewer messages than this are new. Default 1. */
  least?: number;
  /** Where it fails or is cut off, the summary is made of the conversation's own sentences. */
  writer?: SummaryWriter | undefined;
  /** Cuts the writer off. The summary is written all the same. */
  signal?: AbortSignal;
  /** Told why the writer did not write it; not where it was cut off. */
  onWriterFailed?: (error: unknown) => void;
}

const pageSize = 500;
/** So far back is read at most; what is older went into earlier summaries, or stays without one. */
const mostRead = 2000;
/** The newest so many characters are summed up in one go: a fraction of a second, and a prompt that every model can read. */
const mostCharacters = 100_000;
/** Topics are those of the newest part, from what was said there: never from summaries, which hold words of ours. */
const topicEntries = 200;
const topicCharacters = 50_000;

export async function writeSummary(
  store: ConversationStore,
  id: ConversationId,
  options: WriteSummaryOptions = {},
): Promise<WrittenSummary> {
  const conversation = await store.get(id);
  const { policy } = conversation;
  const known = topicsOf(conversation);
  if (policy.kind === 'none' || policy.kind === 'headers-only') return { summary: undefined, topics: known, isNew: false };
  const { previous, said } = await readNews(store, id);
  const unchanged = { summary: previous?.text, topics: known, isNew: false };
  if (said.length === 0 || said.length < (options.least ?? 1)) return unchanged;
  const { text, covers, by } = await putIntoWords(said, previous, options);
  if (text === '' || !covers) return unchanged;
  // Under a policy of time it goes when the oldest text in it goes.
  const oldest = Math.min(...said.map(({ at }) => at), previous?.at ?? Number.MAX_SAFE_INTEGER);
  const newest = Math.max(...said.map(({ at }) => at));
  const at = policy.kind === 'ttl' ? oldest : newest;
  await store.append(id, { kind: 'summary', text, covers, at, meta: summaryMark(by) } satisfies NewEntry);
  const topics = options.autoExtract === false || policy.kind !== 'full' ? known : await writeTopics(store, id, options);
  return { summary: text, topics, isNew: true };
}

/** The newest summary of a conversation that can still be read. */
export async function findSummary(store: ConversationStore, id: ConversationId): Promise<Summary | undefined> {
  let before: number | undefined;
  do {
    const page = await store.read(id, { order: 'backward', limit: pageSize, ...(before !== undefined && { before }) });
    const found = page.items.find(isReadable);
    if (found) return found;
    before = page.next?.before;
  } while (before !== undefined);
  return undefined;
}

/** The newest summary and what was said after the part it stands for, oldest first. */
async function readNews(
  store: ConversationStore,
  id: ConversationId,
): Promise<{ previous: Summary | undefined; said: Message[] }> {
  const entries: Entry[] = [];
  let previous: Summary | undefined;
  let options: ReadOptions | undefined = { order: 'backward', limit: 50 };
  while (options) {
    const page = await store.read(id, options);
    for (const entry of page.items) {
      if (!previous && isReadable(entry)) previous = entry;
      if ((previous && entry.seq <= previous.covers.to) || entries.length >= mostRead) return { previous, said: toSaid(entries) };
      entries.push(entry);
    }
    options = page.next && { ...page.next, limit: pageSize };
  }
  return { previous, said: toSaid(entries) };
}

/** What people and models said. Not what only quotes what was said before, nor a question that got nothing but quotations. */
function toSaid(newestFirst: readonly Entry[], characters = mostCharacters): Message[] {
  const messages = newestFirst.filter((entry): entry is Message => entry.kind === 'message' && entry.role !== 'system');
  const quoting = findQuotedTurns(messages);
  const isEcho = (entry: Message) => isQuotation(entry) || asksIn(entry, quoting);
  const said = messages.filter((entry) => entry.withheld === undefined && entry.text.trim() !== '' && !isEcho(entry));
  return newestOf(said, characters).reverse();
}

/** Newest first; at least one. */
function newestOf<Each extends Entry>(newestFirst: readonly Each[], characters: number): Each[] {
  let left = characters;
  return newestFirst.filter((entry, i) => {
    left -= 'text' in entry ? entry.text.length : 0;
    return left >= 0 || i === 0;
  });
}

function isReadable(entry: Entry): entry is Summary {
  return entry.kind === 'summary' && entry.withheld === undefined && entry.text !== '';
}

interface Worded {
  text: string;
  covers: { from: number; to: number } | undefined;
  by: SummaryMark;
}

async function putIntoWords(
  said: readonly Message[],
  previous: Summary | undefined,
  { writer, signal, onWriterFailed }: WriteSummaryOptions,
): Promise<Worded> {
  const { text, covers } = summariseEntries(said, previous ? { previous } : {});
  if (!writer || signal?.aborted) return { text, covers, by: 'extractive' };
  const cutOff = signal ?? new AbortController().signal;
  try {
    const written = (await unlessAborted(writer({ previous: previous?.text, said, signal: cutOff }), cutOff)).trim();
    if (written !== '') return { text: written, covers, by: 'model' };
    throw new ContinuoError('internal', { reason: 'the model wrote no summary' });
  } catch (error) {
    if (!cutOff.aborted) onWriterFailed?.(error);
    return { text, covers, by: 'extractive' };
  }
}

function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

async function writeTopics(store: ConversationStore, id: ConversationId, { maxTopics }: WriteSummaryOptions): Promise<string[]> {
  const entries = toSaid((await store.tail(id, topicEntries)).reverse(), topicCharacters);
  const topics = extractTopics(entries, maxTopics === undefined ? {} : { maxTopics }).map(({ name }) => name);
  await store.mergeMeta(id, { topics });
  return topics;
}
