// Clearing a session hides what was said, it does not take it away: a label marks the place, and reading stops there.
// Each `clear-undone` label takes back the newest `cleared` label before it that still stands.
import type { Entry, NewEntry } from '../model/entry.ts';
import type { ConversationId } from '../model/id.ts';
import type { ConversationStore, ReadOptions } from '../store/conversation-store.ts';

export const clearedLabel: NewEntry = { kind: 'label', name: 'cleared', text: '' };
export const clearUndoneLabel: NewEntry = { kind: 'label', name: 'clear-undone', text: '' };

export interface BackwardOptions {
  /** Only entries before this position. */
  before: number;
  /** Entries per read. */
  pageSize: number;
}

/** Entries from the newest back, up to the beginning or the clear mark that stands, whose position it then returns. */
export async function* readVisible(
  store: ConversationStore,
  id: ConversationId,
  { before, pageSize }: BackwardOptions,
): AsyncGenerator<Entry, number | undefined> {
  let undone = 0;
  let options: ReadOptions | undefined = { order: 'backward', before, limit: pageSize };
  while (options) {
    const page = await store.read(id, options);
    for (const entry of page.items) {
      if (isLabel(entry, clearUndoneLabel)) undone += 1;
      else if (!isLabel(entry, clearedLabel)) yield entry;
      else if (undone === 0) return entry.seq;
      else undone -= 1;
    }
    options = page.next;
  }
  return undefined;
}

/** The position of the clear mark that stands; undefined where nothing is hidden. */
export async function findClearMark(store: ConversationStore, id: ConversationId, before: number): Promise<number | undefined> {
  const entries = readVisible(store, id, { before, pageSize: 1000 });
  for (;;) {
    const step = await entries.next();
    if (step.done) return step.value;
  }
}

export function isLabel(entry: Entry, label: NewEntry): boolean {
  return entry.kind === 'label' && label.kind === 'label' && entry.name === label.name;
}
