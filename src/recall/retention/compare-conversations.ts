// The strategy `similarity`. A conversation is *contained* where every entry of it stands, nine tenths of it word for word, in one newer
// conversation of the same project. It is *unrelated* where it was not used for the retention period and no other conversation is as
// like it as `minSimilarity` asks (see word-profiles.ts); what recall finds for its words counts as like it, too.
// Invariant: what cannot be compared as a whole (withheld, expiring, very long or empty text) never goes for its text.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Conversation } from '../../model/conversation.ts';
import type { ConversationId } from '../../model/id.ts';
import type { Recall } from '../../model/ports/recall.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { isExcluded } from '../conversation-marks.ts';
import { lastUse, listAll, type Protection } from './protection.ts';
import { type KeptReason, type RetentionItem, toItem } from './retention-plan.ts';
import { oneDay, type RetentionSettings } from './retention-settings.ts';
import { readSaid, windowHashes } from './said-text.ts';
import { TextSamples } from './text-samples.ts';
import { countWords, WordProfiles } from './word-profiles.ts';

export interface SimilarityQuery {
  store: ConversationStore;
  recall?: Recall | undefined;
  protection: Protection;
  settings: RetentionSettings;
  now: number;
  signal?: AbortSignal | undefined;
}

/** What the strategy asks for, with what keeps it. */
export interface Judged {
  item: RetentionItem;
  kept?: KeptReason;
}

interface Candidate extends Judged {
  /** Its place among all, newest first. */
  order: number;
  profile: number;
  isExcluded: boolean;
  done: boolean;
}

/** The newest so many are compared in one go, so that memory stays bounded. */
const mostCompared = 20_000;
/** Among fewer it says nothing that one is like no other. */
const fewestCompared = 10;
const containedShare = 0.9;
const askedWords = 8;

export async function judgeSimilarity(query: SimilarityQuery): Promise<{ judged: Judged[]; complete: boolean; tooFew?: number }> {
  const { candidates, samples, profiles, orders, complete } = await readEverything(query);
  await findContained(query, candidates, samples, orders);
  if (complete && orders.size >= fewestCompared) await findUnrelated(query, candidates, profiles);
  const judged = candidates.filter(({ done }) => done);
  const tooFew = orders.size < fewestCompared ? { tooFew: fewestCompared } : {};
  return { judged: judged.map(({ item, kept }) => ({ item, ...(kept && { kept }) })), complete, ...tooFew };
}

async function readEverything({ store, protection, now, signal }: SimilarityQuery) {
  const candidates: Candidate[] = [];
  const samples = new TextSamples();
  const profiles = new WordProfiles();
  const orders = new Map<ConversationId, number>();
  let complete = true;
  for await (const conversation of listAll(store, {})) {
    signal?.throwIfAborted();
    complete = orders.size < mostCompared;
    if (!complete) break;
    const counts = new Map<string, number>();
    const windows = await readWindows(store, conversation, (tokens) => countWords(tokens, counts));
    if (!windows) continue;
    const order = orders.size;
    orders.set(conversation.id, order);
    const profile = profiles.add(counts);
    const kept = await protection.reasonToKeep(conversation, now);
    if (kept === 'recent') continue;
    samples.add(windows);
    const item = toItem(conversation, lastUse(conversation), { reason: 'contained' });
    candidates.push({ item, order, profile, isExcluded: isExcluded(conversation), done: false, ...(kept && { kept }) });
  }
  return { candidates, samples, profiles, orders, complete };
}

/** Newest first, so that what is contained in something is compared with the newest that holds it, and that one stays. */
async function findContained(
  { store, signal }: SimilarityQuery,
  candidates: readonly Candidate[],
  samples: TextSamples,
  orders: ReadonlyMap<ConversationId, number>,
): Promise<void> {
  const going = new Set<ConversationId>();
  const last = candidates.at(-1)?.order ?? 0;
  for await (const holder of listAll(store, {})) {
    signal?.throwIfAborted();
    const order = orders.get(holder.id);
    if (order === undefined || going.has(holder.id)) continue;
    if (order >= last) return;
    const windows = await readWindows(store, holder);
    if (!windows) continue;
    const likely = samples.findLikely(windows, (number) => {
      const { done, order: place, item, isExcluded: hidden } = candidates[number] as Candidate;
      // What is left out of recall alone would not be found again.
      return !done && place > order && item.project === holder.project && (hidden || !isExcluded(holder));
    });
    for (const number of likely) {
      const candidate = candidates[number] as Candidate;
      if (!(await standsIn(store, candidate.item.id, windows))) continue;
      candidate.done = true;
      candidate.item.within = holder.id;
      if (!candidate.kept) going.add(candidate.item.id);
    }
  }
}

async function findUnrelated(
  { recall, settings, now, signal }: SimilarityQuery,
  candidates: readonly Candidate[],
  profiles: WordProfiles,
): Promise<void> {
  const cutoff = now - settings.retentionDays * oneDay;
  for (const candidate of candidates) {
    const { item, profile, done } = candidate;
    if (done || item.usedAt >= cutoff) continue;
    // Comparing is a computation: others get their turn in between.
    await nextTurn();
    signal?.throwIfAborted();
    const similarity = profiles.nearest(profile, settings.minSimilarity);
    if (similarity >= settings.minSimilarity) continue;
    candidate.done = true;
    candidate.item = { ...item, reason: 'unrelated', similarity: Math.round(similarity * 1000) / 1000 };
    if (!recall || candidate.kept) continue;
    const text = [item.title ?? '', ...profiles.wordsOf(profile, askedWords)].join(' ').trim();
    const { hits } = await recall.find({ text, except: item.id, limit: 1, ...(signal && { signal }) });
    if (hits.length > 0) candidate.kept = 'related';
  }
}

/** Every four words in a row; undefined where there are none or not all of them can be read. */
async function readWindows(
  store: ConversationStore,
  conversation: Conversation,
  each: (tokens: readonly string[]) => void = () => undefined,
): Promise<Set<number> | undefined> {
  const windows = new Set<number>();
  for await (const tokens of readSaid(store, conversation)) {
    if (!tokens) return undefined;
    each(tokens);
    for (const window of windowHashes(tokens)) windows.add(window);
  }
  return windows.size > 0 ? windows : undefined;
}

async function standsIn(store: ConversationStore, id: ConversationId, windows: ReadonlySet<number>): Promise<boolean> {
  const conversation = await store.find(id);
  if (!conversation) return false;
  for await (const tokens of readSaid(store, conversation)) {
    if (!tokens) return false;
    const own = windowHashes(tokens);
    const held = own.reduce((count, window) => count + (windows.has(window) ? 1 : 0), 0);
    if (held < own.length * containedShare) return false;
  }
  return true;
}
