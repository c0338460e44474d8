// How a compaction and its undoing look in the log.
import type { JsonObject } from '../../base/json.ts';
import type { Entry, NewEntry } from '../../model/entry.ts';

/** Noun and verb, like every event. */
const undoName = 'compaction-undo';

/** On a summary that somebody asked for. It stands in place of the text like one that a history wrote for what it let go. */
export const compactionMark: JsonObject = { compaction: true };

/** After it, the summaries before it stand in place of nothing any more. */
export const compactionUndo: NewEntry = { kind: 'event', name: undoName, text: '' };

export function isCompactionUndo(entry: Entry): boolean {
  return entry.kind === 'event' && entry.name === undoName;
}
