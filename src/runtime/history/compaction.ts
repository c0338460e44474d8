// Compaction: a summary takes the place of everything said so far in what a model is shown. The log keeps all of it, and the event
// that undoes a compaction brings it back: summaries from before that event do not stand in place of anything any more.
import type { Entry, NewEntry } from '../../model/entry.ts';

/** The event that undoes what was compacted before it. */
const undoName = 'compaction-undo';

export interface Compaction {
  /** What stands for the rest. */
  summary: string;
  /** The first and the last position it stands for. */
  covers: { from: number; to: number };
  /** Estimated tokens of the past that a model is shown. */
  tokensBefore: number;
  tokensAfter: number;
  /** Who wrote the summary: a model, or the conversation's own sentences. */
  by: 'model' | 'extractive';
}

export interface Uncompaction {
  /** Entries and estimated tokens that a model is shown again. */
  items: number;
  tokensBefore: number;
  tokensAfter: number;
}

export function isCompactionUndo(entry: Pick<Entry, 'kind'>): boolean {
  return entry.kind === 'event' && (entry as Extract<Entry, { kind: 'event' }>).name === undoName;
}

export function createCompactionUndo(): NewEntry {
  return { kind: 'event', name: undoName, text: '' };
}
