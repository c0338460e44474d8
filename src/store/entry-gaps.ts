// Where entries are missing from what was read. Positions are dense, so a hole is damage unless a ttl policy made it.
import type { EntryRange, EntryRecord, Problem } from '../model/ports/store-driver.ts';

/** What is known about a conversation's own positions. */
export interface OwnPositions {
  first: number;
  last: number;
  /** How many were taken away on purpose: where there are any, a hole proves nothing. */
  removed: number;
}

/** The holes between the records of one read, each as one problem. */
export function findGaps(records: readonly EntryRecord[], range: EntryRange, own: OwnPositions): Problem[] {
  if (own.removed > 0) return [];
  const step = range.order === 'forward' ? 1 : -1;
  const first = Math.max(range.after + 1, own.first);
  const last = Math.min(range.before - 1, own.last);
  const problems: Problem[] = [];
  let expected = step > 0 ? first : last;
  const expect = (seq: number) => {
    const missing = (seq - expected) * step;
    if (missing > 0) problems.push(describe(Math.min(expected, seq - step), Math.max(expected, seq - step)));
    expected = seq + step;
  };
  for (const { seq } of records) expect(seq);
  // A full page ends where the reader asked it to end; a short one should have reached the end of the window.
  if (records.length < range.limit) expect((step > 0 ? last : first) + step);
  return problems;
}

function describe(from: number, to: number): Problem {
  if (from === to) return { code: 'damaged-record', detail: `entry ${from} cannot be read` };
  return { code: 'damaged-record', detail: `entries ${from} to ${to} cannot be read` };
}
