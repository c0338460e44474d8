import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conversation, now, readAll, said, texts, Workbench } from '../../../../test/support/jsonl-workbench.ts';
import { processorTimeOf } from '../../../../test/support/processor-time.ts';
import { createLineSealer } from '../../../crypto/line-sealer.ts';
import type { ConversationId } from '../../../model/id.ts';
import type { EncodedEntry, EntryRange } from '../../../model/ports/store-driver.ts';
import type { JsonlDriver } from './jsonl-driver.ts';

const bench = new Workbench();
afterAll(() => bench.clear());

const count = 4000;

/** Mostly short, some long, a few longer than any chunk that is read at once. */
function entry(i: number): EncodedEntry {
  const length = i % 1000 === 500 ? 100_000 : i % 50 === 0 ? 5000 : i % 200;
  return said(`${i} ${'中'.repeat(length)}`, { at: now + i });
}

describe.each([
  ['plain', {}],
  ['sealed', { sealer: createLineSealer(new Uint8Array(32).fill(5), '/store') }],
])('a large %s file', (name, options) => {
  const made = conversation({ lastSeq: 7, forkedFrom: { id: conversation().id, seq: 7 } });
  const id: ConversationId = made.id;
  let driver: JsonlDriver;
  let file: string;

  beforeAll(async () => {
    const folder = join(bench.folder(), 'data');
    driver = await bench.open(folder, options);
    file = join(folder, 'conversations', `${id}.jsonl`);
    await driver.insertConversation(made);
    for (let i = 1; i <= count; i += 100) {
      const entries = Array.from({ length: 100 }, (_, j) => entry(i + j));
      await driver.append([{ conversationId: id, entries, now }]);
    }
  });

  it('gives any window from either end', async () => {
    const everything = await readAll(driver, id);
    expect(everything.map(({ seq }) => seq)).toEqual(Array.from({ length: count }, (_, i) => i + 8));
    const anyRange: fc.Arbitrary<EntryRange> = fc.record({
      after: fc.integer({ min: 0, max: count + 10 }),
      before: fc.oneof(fc.integer({ min: 0, max: count + 20 }), fc.constant(Number.POSITIVE_INFINITY)),
      limit: fc.integer({ min: 1, max: 30 }),
      order: fc.constantFrom('forward', 'backward'),
    });
    await fc.assert(
      fc.asyncProperty(anyRange, async (range) => {
        const { after, before, limit, order } = range;
        const inside = everything.filter(({ seq }) => seq > after && seq < before);
        const expected = order === 'forward' ? inside.slice(0, limit) : inside.reverse().slice(0, limit);
        expect(await driver.readEntries(id, range)).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });

  it('is read from its end by a new process without being read through', async () => {
    const other = await bench.open(join(file, '..', '..'), options);
    const taken = await processorTimeOf(async () => {
      const [last] = await other.readEntries(id, { after: 0, before: Number.POSITIVE_INFINITY, limit: 1, order: 'backward' });
      expect(last?.seq).toBe(count + 7);
    });
    expect(taken).toBeLessThan(1000);
    expect(await other.findConversation(id)).toEqual({ ...made, lastSeq: count + 7, activeAt: now + count });
  });

  // Only what is not sealed can be looked at from outside.
  if (name === 'plain')
    it('repeats its metadata often enough to find it near the end', () => {
      const lines = readFileSync(file, 'utf8').split('\n');
      const distances: number[] = [];
      let bytes = 0;
      for (const line of lines) {
        if (line.startsWith('{"type":"metadata"')) {
          distances.push(bytes);
          bytes = 0;
        } else bytes += Buffer.byteLength(line);
      }
      const longest = Math.max(...lines.map((line) => Buffer.byteLength(line)));
      expect(Math.max(...distances)).toBeLessThan(64 * 1024 + longest);
    });

  it('is still read where many of its lines are damaged', async () => {
    const before = await texts(driver, id);
    const whole = readFileSync(file);
    const damaged = Buffer.from(whole);
    for (let at = 2000; at < damaged.length; at += 150_000) damaged.fill(0, at, at + 300);
    writeFileSync(file, damaged);
    const found = await texts(driver, id);
    expect(found.length).toBeGreaterThan(count / 2);
    expect(found.every((text) => before.includes(text))).toBe(true);
    const seqs = new Set((await readAll(driver, id)).map(({ seq }) => seq));
    for (const seq of [100, 1000, 2500, 4000]) {
      const window = await driver.readEntries(id, { after: seq - 1, before: seq + 1, limit: 5, order: 'forward' });
      expect(window.map((record) => record.seq)).toEqual(seqs.has(seq) ? [seq] : []);
    }
    writeFileSync(file, whole);
    appendFileSync(file, '');
    expect(await texts(driver, id)).toEqual(before);
  });
});
