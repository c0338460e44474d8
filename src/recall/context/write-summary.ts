// Writes the summary of a conversation into its log and its topics into its meta. Builds on the summary before it, so that only new
// entries are read. Invariant: a summary never outlives the text it was made from, and topics are kept only where the text is kept.
import type { Entry, NewEntry } from '../../model/entry.ts';
import type { ConversationId } from '../../model/id.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { summariseEntries } from '../summary/extractive.ts';
import { extractTopics } from '../topics/extract-topics.ts';

export interface WrittenSummary {
  /** The summary there is now; undefined where nothing may be kept or nothing was said. */
  summary: string | undefined;
  topics: string[];
  /** Whether something new was written. */
  isNew: boolean;
}

export interface WriteSummaryOptions {
  /** Whether topics are extracted. Default true. */
  autoExtract?: boolean;
  maxTopics?: number;
}

const pageSize = 500;
/** Topics are those of the newest part: what was talked about long ago is in the summaries. */
const topicEntries = 2000;

export async function writeSummary(
  store: ConversationStore,
  id: ConversationId,
  options: WriteSummaryOptions = {},
): Promise<WrittenSummary> {
  const { policy, meta } = await store.get(id);
  const known = Array.isArray(meta.topics) ? meta.topics.filter((topic) => typeof topic === 'string') : [];
  if (policy.kind === 'none' || policy.kind === 'headers-only') return { summary: undefined, topics: known, isNew: false };
  const previous = await findSummary(store, id);
  const entries = await readAfter(store, id, previous?.covers.to ?? 0);
  const said = entries.filter((entry) => entry.kind === 'message' && entry.withheld === undefined && entry.text.trim() !== '');
  if (said.length === 0) return { summary: previous?.text, topics: known, isNew: false };
  const { text, covers } = summariseEntries(said, previous ? { previous } : {});
  if (text === '' || !covers) return { summary: previous?.text, topics: known, isNew: false };
  const summary: NewEntry = { kind: 'summary', text, covers, meta: { by: 'extractive' } };
  // Under a policy of time it goes when the oldest text in it goes.
  const oldest = Math.min(...said.map(({ at }) => at), previous?.at ?? Number.MAX_SAFE_INTEGER);
  await store.append(id, policy.kind === 'ttl' ? { ...summary, at: oldest } : summary);
  const topics = options.autoExtract === false || policy.kind !== 'full' ? known : await writeTopics(store, id, options);
  return { summary: text, topics, isNew: true };
}

/** The newest summary of a conversation that can still be read. */
export async function findSummary(
  store: ConversationStore,
  id: ConversationId,
): Promise<(Entry & { kind: 'summary' }) | undefined> {
  let before: number | undefined;
  do {
    const page = await store.read(id, { order: 'backward', limit: pageSize, ...(before !== undefined && { before }) });
    const found = page.items.find((entry) => entry.kind === 'summary' && entry.withheld === undefined && entry.text !== '');
    if (found?.kind === 'summary') return found;
    before = page.next?.before;
  } while (before !== undefined);
  return undefined;
}

async function readAfter(store: ConversationStore, id: ConversationId, after: number): Promise<Entry[]> {
  const entries: Entry[] = [];
  let place: number | undefined = after;
  while (place !== undefined) {
    const page = await store.read(id, { after: place, limit: pageSize });
    entries.push(...page.items);
    place = page.next?.after;
  }
  return entries;
}

async function writeTopics(store: ConversationStore, id: ConversationId, { maxTopics }: WriteSummaryOptions): Promise<string[]> {
  const entries = await store.tail(id, topicEntries);
  const topics = extractTopics(entries, maxTopics === undefined ? {} : { maxTopics }).map(({ name }) => name);
  await store.mergeMeta(id, { topics });
  return topics;
}
