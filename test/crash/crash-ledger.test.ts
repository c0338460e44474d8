import { beforeEach, describe, expect, it } from 'vitest';
import type { Conversation } from '../../src/model/conversation.ts';
import { createConversationId, formatEntryId } from '../../src/model/id.ts';
import { CrashLedger, type Finding } from './crash-ledger.ts';
import type { FoundEntry } from './crash-writer.ts';

const id = createConversationId(1_700_000_000_000);
const conversation: Conversation = {
  id,
  title: 'before',
  tags: [],
  pinned: false,
  policy: { kind: 'full' },
  meta: {},
  createdAt: 1,
  activeAt: 1,
  lastSeq: 3,
};

/** An entry of writer 0 in round 1, in the batch that begins with `first`. */
function found(seq: number, counter: number, first = counter, size = 1): FoundEntry {
  return [formatEntryId(id, seq), `text ${counter}`, { round: 1, writer: 0, counter, first, size }];
}

function holding(entries: FoundEntry[], changes: Partial<Conversation> = {}): Finding[] {
  return [{ conversation: { ...conversation, lastSeq: entries.length, ...changes }, entries }];
}

describe('the ledger of a crash campaign', () => {
  let ledger: CrashLedger;
  beforeEach(() => {
    ledger = new CrashLedger();
    ledger.note({ tells: 'created', conversation }, 1);
    for (const counter of [1, 2, 3]) {
      ledger.note({ tells: 'appended', writer: 0, entries: [[formatEntryId(id, counter), `text ${counter}`, counter]] }, 1);
    }
  });

  it('is content with what was acknowledged, and with one batch that was under way', () => {
    expect(ledger.check(holding([found(1, 1), found(2, 2), found(3, 3)]))).toEqual([]);
    expect(ledger.check(holding([found(1, 1), found(2, 2), found(3, 3), found(4, 4, 4, 2), found(5, 5, 4, 2)]))).toEqual([]);
  });

  it('names what is lost, changed, doubled, out of order, half there or in a gap', () => {
    const entry = (seq: number) => formatEntryId(id, seq);
    expect(ledger.check(holding([found(1, 1), found(2, 2)]))).toEqual([`entry ${entry(3)} was acknowledged and is gone`]);
    const changed: FoundEntry = [entry(3), 'text 4', undefined];
    expect(ledger.check(holding([found(1, 1), found(2, 2), changed]))).toEqual([
      `entry ${entry(3)} was acknowledged and is changed`,
    ]);
    expect(ledger.check(holding([found(1, 1), found(2, 2), found(3, 3), found(4, 3)]))).toEqual([
      `entry ${entry(4)} is out of order`,
      `entry ${entry(4)} is there twice`,
      `entry ${entry(4)} was never acknowledged although a later one was`,
      'batch 1.0.3 has 2 of 1 entries',
    ]);
    expect(ledger.check(holding([found(1, 1), found(2, 2), found(3, 3), found(4, 4, 4, 2)]))).toEqual([
      'batch 1.0.4 has 1 of 2 entries',
    ]);
    expect(ledger.check(holding([found(1, 1), found(2, 2), found(3, 3), found(5, 4)]))).toEqual([
      `conversation ${id} has gaps in its positions`,
    ]);
    expect(ledger.check([])).toEqual([`conversation ${id} is gone`]);
  });

  it('accepts a change that was announced, and asks for one that was acknowledged', () => {
    const entries = [found(1, 1), found(2, 2), found(3, 3)];
    ledger.note({ tells: 'intent', id, change: { title: 'after' } }, 1);
    expect(ledger.check(holding(entries))).toEqual([]);
    ledger.note({ tells: 'intent', id, change: { title: 'after' } }, 1);
    expect(ledger.check(holding(entries, { title: 'after' }))).toEqual([]);
    ledger.note({ tells: 'done', id, change: { title: 'last' } }, 1);
    ledger.note({ tells: 'done', id, change: { tag: 'kept' } }, 1);
    ledger.note({ tells: 'done', id, change: { trashed: true } }, 1);
    expect(ledger.check(holding(entries, { title: 'after' }))).toEqual([
      `conversation ${id} is called after, not last`,
      `conversation ${id} lost its tag kept`,
      `conversation ${id} is on the wrong side of the trash`,
    ]);
    ledger.note({ tells: 'done', id, change: { purged: true } }, 1);
    expect(ledger.check([])).toEqual([]);
    expect(ledger.check(holding(entries))).toContain(`conversation ${id} came back after it was purged`);
  });
});
