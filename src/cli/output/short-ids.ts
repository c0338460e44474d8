// Ids as short as they can be without naming two conversations of the store. Ids begin with the time, so neighbours share much:
// how much has to be asked of the whole store, not only of the page that is shown.
import { isContinuoError } from '../../model/error.ts';
import type { ConversationId } from '../../model/id.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';

const leastLength = 'cnv_'.length + 8;
/** `resolve` names at most so many ids that share a prefix; so many may mean that there are more. */
const mostNamed = 100;

/** The shortest form of each id that `resolve` understands. */
export async function shortenIds(store: ConversationStore, ids: readonly ConversationId[]): Promise<Map<ConversationId, string>> {
  const known = new Set<string>(ids);
  if (ids.length > 0) await collectNeighbours(store, ids, 'cnv_'.length, known);
  const sorted = [...known].sort();
  const short = new Map<ConversationId, string>();
  for (const id of ids) {
    const place = sorted.indexOf(id);
    const shared = Math.max(sharedLength(id, sorted[place - 1] ?? ''), sharedLength(id, sorted[place + 1] ?? ''));
    short.set(id, id.slice(0, Math.max(leastLength, shared + 1)));
  }
  return short;
}

export async function shortenId(store: ConversationStore, id: ConversationId): Promise<string> {
  return (await shortenIds(store, [id])).get(id) as string;
}

/** Finds every id that shares `leastLength` characters with one of these, in few questions: one is enough for a small store. */
async function collectNeighbours(
  store: ConversationStore,
  ids: readonly ConversationId[],
  asked: number,
  known: Set<string>,
): Promise<void> {
  const first = ids[0] as ConversationId;
  const common = ids.reduce((length, id) => Math.min(length, sharedLength(id, first)), first.length);
  const length = Math.max(asked + 1, Math.min(common, leastLength));
  for (const group of groupByPrefix(ids, length)) {
    const found = await idsWithPrefix(store, (group[0] as ConversationId).slice(0, length));
    for (const id of found) known.add(id);
    if (found.length >= mostNamed && length < first.length) await collectNeighbours(store, group, length, known);
  }
}

async function idsWithPrefix(store: ConversationStore, prefix: string): Promise<string[]> {
  try {
    return [(await store.resolve(prefix)).id];
  } catch (error) {
    if (isContinuoError(error, 'ambiguous-id')) return error.details.ids as string[];
    if (isContinuoError(error, 'conversation-not-found')) return [];
    throw error;
  }
}

function groupByPrefix(ids: readonly ConversationId[], length: number): ConversationId[][] {
  const groups = new Map<string, ConversationId[]>();
  for (const id of ids) {
    const group = groups.get(id.slice(0, length));
    if (group) group.push(id);
    else groups.set(id.slice(0, length), [id]);
  }
  return [...groups.values()];
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
