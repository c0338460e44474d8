import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EntryRecord } from '../model/ports/store-driver.ts';
import { findGaps } from './entry-gaps.ts';

const own = { first: 3, last: 10, removed: 0 };
const records = (...seqs: number[]) => seqs.map((seq) => ({ seq }) as EntryRecord);
const details =
  (...seqs: number[]) =>
  (range: Parameters<typeof findGaps>[1]) =>
    findGaps(records(...seqs), range, own).map(({ detail }) => detail);
const all = { after: 0, before: 100, limit: 50, order: 'forward' } as const;

it('finds holes at the beginning, in the middle and at the end, in both directions', () => {
  expect(details(3, 4, 5, 6, 7, 8, 9, 10)(all)).toEqual([]);
  expect(details(4, 5, 8, 9)(all)).toEqual([
    'entry 3 cannot be read',
    'entries 6 to 7 cannot be read',
    'entry 10 cannot be read',
  ]);
  expect(details(9, 8, 5, 4)({ ...all, order: 'backward' })).toEqual([
    'entry 10 cannot be read',
    'entries 6 to 7 cannot be read',
    'entry 3 cannot be read',
  ]);
  expect(details()({ ...all, after: 4, before: 7 })).toEqual(['entries 5 to 6 cannot be read']);
  expect(details()({ ...all, after: 10 })).toEqual([]);
});

it('says nothing about what a full page did not ask for, nor where entries were removed on purpose', () => {
  expect(details(3, 4)({ ...all, limit: 2 })).toEqual([]);
  expect(findGaps(records(5), all, { ...own, removed: 7 })).toEqual([]);
});

it('finds exactly the positions that are missing', () => {
  const window = fc.record({
    after: fc.nat(12),
    before: fc.nat(14),
    order: fc.constantFrom('forward' as const, 'backward' as const),
  });
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 3, max: 10 })), window, (kept, { after, before, order }) => {
      const seqs = kept.filter((seq) => seq > after && seq < before).sort((a, b) => (order === 'forward' ? a - b : b - a));
      const found = findGaps(records(...seqs), { after, before, limit: 50, order }, own).flatMap(({ detail }) => {
        const [from = 0, to = from] = (detail.match(/\d+/g) ?? []).map(Number);
        return Array.from({ length: to - from + 1 }, (_, i) => from + i);
      });
      const expected = [3, 4, 5, 6, 7, 8, 9, 10].filter((seq) => seq > after && seq < before && !kept.includes(seq));
      expect(found.sort((a, b) => a - b)).toEqual(expected);
    }),
  );
});
