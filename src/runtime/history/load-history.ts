// Fills a history from the end of the log, as far back as its limits reach or a summary stands for the rest. Costs follow the
// window, not the length of the conversation. Also tells what the last process left unfinished.
import type { Entry } from '../../model/entry.ts';
import type { ConversationId } from '../../model/id.ts';
import { standsBeside } from '../../recall/summary/summary-mark.ts';
import type { ConversationStore, ReadOptions } from '../../store/conversation-store.ts';
import { isCompactionUndo } from './compaction-mark.ts';
import { tokensOf } from './history-segment.ts';
import { type HistoryLimits, HistoryStore, type PlacedItem } from './history-store.ts';

const pageSize = 256;

/** Said while a turn was at work: stored at once, shown to the model when the turn takes it in. */
export const saidDuringTurn = 'saidDuringTurn';

export interface LoadedHistory {
  history: HistoryStore;
  /** The turn that began and never ended: its process died. */
  unfinishedTurn: string | undefined;
}

export async function loadHistory(
  store: ConversationStore,
  id: ConversationId,
  limits: HistoryLimits,
  options: { keepsDropped?: boolean } = {},
): Promise<LoadedHistory> {
  const { entries, summary, isInPlace } = await readWindow(store, id, limits);
  const history = new HistoryStore(limits, options);
  const shown = inPromptOrder(entries);
  const firstSeq = entries[0]?.seq ?? 1;
  history.startAfter(summary && isInPlace ? summary.covers.to : firstSeq - 1, summary?.text);
  history.append(shown);
  return { history, unfinishedTurn: findUnfinishedTurn(entries) };
}

type Summary = Extract<Entry, { kind: 'summary' }>;

export interface HistoryWindow {
  entries: Entry[];
  summary: Summary | undefined;
  /** The summary ends the window, whatever the limits are. */
  isInPlace: boolean;
}

/**
 * The newest entries that may be shown, oldest first, and the summary that stands for everything before them. One that was written
 * beside the text, or whose compaction was undone, ends nothing: it is told in front where the limits leave something out.
 */
export async function readWindow(store: ConversationStore, id: ConversationId, limits: HistoryLimits): Promise<HistoryWindow> {
  const entries: Entry[] = [];
  let summary: Summary | undefined;
  let beside: Summary | undefined;
  let isUndone = false;
  let items = 0;
  let tokens = 0;
  let options: ReadOptions | undefined = { order: 'backward', limit: Math.min(pageSize, limits.maxItems + 1) };
  while (options) {
    const page = await store.read(id, options);
    for (const entry of page.items) {
      isUndone ||= isCompactionUndo(entry);
      if (entry.kind === 'summary' && entry.withheld === undefined) {
        if (isUndone || standsBeside(entry)) beside ??= entry;
        else summary ??= entry;
      }
      const isCovered = summary !== undefined && entry.seq <= summary.covers.to;
      if (isCovered) return { entries: entries.reverse(), summary, isInPlace: true };
      entries.push(entry);
      if (!isShown(entry)) continue;
      items += 1;
      tokens += tokensOf(entry);
      if (items >= limits.maxItems || tokens >= limits.maxTokens)
        return { entries: entries.reverse(), summary: summary ?? beside, isInPlace: summary !== undefined };
    }
    options = page.next && { ...page.next, limit: pageSize };
  }
  return { entries: entries.reverse(), summary, isInPlace: summary !== undefined };
}

/** Entries in the order a model was shown them: what was said during a turn comes where the turn took it in. */
function inPromptOrder(entries: readonly Entry[]): PlacedItem[] {
  const placed: PlacedItem[] = [];
  let waiting: PlacedItem[] = [];
  const takeIn = () => {
    placed.push(...waiting);
    waiting = [];
  };
  for (const entry of entries) {
    if (entry.kind === 'event') {
      if (entry.name === 'input-drain' || entry.name === 'turn-start' || entry.name === 'turn-end') takeIn();
    } else if (isShown(entry)) {
      (entry.meta?.[saidDuringTurn] === true ? waiting : placed).push({ item: entry, seq: entry.seq });
    }
  }
  takeIn();
  return placed;
}

/** Events, labels and thoughts are for people; summaries stand in front; what a policy withheld has nothing to show. */
export function isShown(entry: Entry): boolean {
  const isSpoken = entry.kind === 'message' || entry.kind === 'tool-call' || entry.kind === 'tool-result';
  return isSpoken && entry.withheld === undefined;
}

function findUnfinishedTurn(entries: readonly Entry[]): string | undefined {
  const last = entries.findLast((entry) => entry.kind === 'event' && /^turn-(start|end)$/.test(entry.name));
  return last?.kind === 'event' && last.name === 'turn-start' ? last.turnId : undefined;
}
