// Compaction: a summary takes the place of everything said so far in what a model is shown. The log keeps all of it, and the event
// that undoes a compaction brings it back.
import type { Entry, NewEntry } from '../../model/entry.ts';
import { ContinuoError } from '../../model/error.ts';
import type { ConversationId } from '../../model/id.ts';
import type { StoragePolicy } from '../../model/storage-policy.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { compactionMark } from './compaction-mark.ts';
import type { HistoryLimits } from './history-store.ts';
import { isShown, readWindow } from './load-history.ts';
import type { Summarise } from './summarise.ts';

export interface Compaction {
  /** What stands for the rest. */
  summary: string;
  /** The first and the last position it stands for. */
  covers: { from: number; to: number };
  /** Who wrote the summary: a model, or the conversation's own sentences. */
  by: 'model' | 'extractive';
  /** What a model is shown of the past, in estimated tokens. */
  tokensBefore: number;
  tokensAfter: number;
}

export interface Uncompaction {
  /** How many entries a model is shown. */
  items: number;
  tokensBefore: number;
  tokensAfter: number;
}

/** What a summary is to stand for. Read while nobody speaks, so that no question is parted from its answer. */
export interface CompactionMaterial {
  policy: StoragePolicy;
  said: readonly Entry[];
  /** What stood for everything before. */
  previous: Extract<Entry, { kind: 'summary' }> | undefined;
}

export interface CompactionOptions {
  summarise: Summarise | undefined;
  signal: AbortSignal | undefined;
  /** The summariser failed; the conversation's own sentences take its place. */
  onSummariserFailed(error: unknown): void;
}

export type PlannedCompaction = Pick<Compaction, 'summary' | 'covers' | 'by'> & { entry: NewEntry };

export async function readMaterial(
  store: ConversationStore,
  id: ConversationId,
  limits: HistoryLimits,
): Promise<CompactionMaterial> {
  const { policy } = await store.get(id);
  if (policy.kind === 'none' || policy.kind === 'headers-only')
    throw new ContinuoError('policy-forbids', { policy: policy.kind, what: 'keeping a summary' });
  const { entries, summary: previous } = await readWindow(store, id, limits);
  return { policy, said: entries.filter(isShown), previous };
}

/** The summary that is to be written; undefined where nothing was said since the one before it. */
export async function planCompaction(
  { policy, said, previous }: CompactionMaterial,
  options: CompactionOptions,
): Promise<PlannedCompaction | undefined> {
  const [first, last] = [said[0], said.at(-1)];
  if (!first || !last) return undefined;
  const covers = { from: previous?.covers.from ?? first.seq, to: last.seq };
  const worded = await putIntoWords(said, previous, covers, options);
  if (worded.summary === '') return undefined;
  // Under a policy of time it goes when the oldest text in it goes.
  const at = policy.kind === 'ttl' ? { at: Math.min(first.at, previous?.at ?? first.at) } : {};
  return { ...worded, covers, entry: { kind: 'summary', text: worded.summary, covers, meta: compactionMark, ...at } };
}

/** Whether something stands in place of what was said. */
export async function isCompacted(store: ConversationStore, id: ConversationId, limits: HistoryLimits): Promise<boolean> {
  return (await readWindow(store, id, limits)).isInPlace;
}

async function putIntoWords(
  said: readonly Entry[],
  previous: { text: string } | undefined,
  { from, to }: Compaction['covers'],
  { summarise, signal, onSummariserFailed }: CompactionOptions,
): Promise<Pick<Compaction, 'summary' | 'by'>> {
  if (summarise) {
    try {
      const dropped = { items: said, from, to, summary: previous?.text };
      return { summary: await summarise(dropped, signal ? { signal } : {}), by: 'model' };
    } catch (error) {
      if (signal?.aborted) throw new ContinuoError('cancelled', {}, { cause: error });
      onSummariserFailed(error);
    }
  }
  const { summariseEntries } = await import('../../recall/summary/extractive.ts');
  return { summary: summariseEntries(said, previous ? { previous } : {}).text, by: 'extractive' };
}
