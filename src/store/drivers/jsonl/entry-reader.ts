// Reading a window of entries. Positions grow along the file, so the place of one is found by halving byte offsets; what a read
// costs depends on the window, not on the length of the file. Damaged lines are passed over: `verify` names them.
import type { EntryRange, EntryRecord } from '../../../model/ports/store-driver.ts';
import { decodeLine, type Head } from './head.ts';
import type { LineCodec } from './line-codec.ts';
import { linesBackward, linesForward } from './line-reader.ts';

/** Stretches up to this long are read through rather than halved again. */
const nearby = 32 * 1024;

export function readRange(fd: number, head: Head, range: EntryRange, codec: LineCodec): EntryRecord[] {
  const { after, before, limit, order } = range;
  const { base, conversation, end } = head;
  const records: EntryRecord[] = [];
  if (limit <= 0 || before - after <= 1 || after >= conversation.lastSeq || before <= base + 1) return records;
  if (order === 'forward') {
    const from = after <= base ? 0 : findOffset(fd, end, after + 1, codec);
    for (const record of entriesForward(fd, from, end, codec)) {
      if (record.seq >= before) break;
      if (record.seq > after) records.push(record);
      if (records.length >= limit) break;
    }
  } else {
    const to = before > conversation.lastSeq ? end : findOffset(fd, end, before, codec);
    for (const record of entriesBackward(fd, to, codec)) {
      if (record.seq <= after) break;
      if (record.seq < before) records.push(record);
      if (records.length >= limit) break;
    }
  }
  return records;
}

/** Entries from an offset on. One whose position does not grow was put there by nobody: it is damage too. */
export function* entriesForward(fd: number, from: number, to: number, codec: LineCodec): Generator<EntryRecord> {
  let last = 0;
  for (const raw of linesForward(fd, from, to)) {
    const line = decodeLine(raw, codec);
    if (line?.kind !== 'entry' || line.record.seq <= last) continue;
    last = line.record.seq;
    yield line.record;
  }
}

function* entriesBackward(fd: number, to: number, codec: LineCodec): Generator<EntryRecord> {
  let last = Number.POSITIVE_INFINITY;
  for (const raw of linesBackward(fd, 0, to)) {
    const line = decodeLine(raw, codec);
    if (line?.kind !== 'entry' || line.record.seq >= last) continue;
    last = line.record.seq;
    yield line.record;
  }
}

/** The beginning of a line such that every entry before it has a smaller position and, nearby after it, the wanted one follows. */
function findOffset(fd: number, end: number, seq: number, codec: LineCodec): number {
  let low = 0;
  let high = end;
  while (high - low > nearby) {
    const found = firstEntryAfter(fd, Math.floor((low + high) / 2), high, codec);
    if (found && found.seq < seq) low = found.end;
    else high = Math.floor((low + high) / 2);
  }
  // Read on to the exact line, so that reading backwards from it needs no look at what lies behind.
  for (const raw of linesForward(fd, low, end)) {
    const line = decodeLine(raw, codec);
    if (line?.kind === 'entry' && line.record.seq >= seq) return raw.start;
  }
  return end;
}

/** The first whole entry that begins after the offset, before the limit. */
function firstEntryAfter(fd: number, offset: number, limit: number, codec: LineCodec): { seq: number; end: number } | undefined {
  let isCut = true;
  for (const raw of linesForward(fd, offset, limit)) {
    // The offset lies somewhere inside the first line.
    if (isCut) {
      isCut = false;
      continue;
    }
    const line = decodeLine(raw, codec);
    if (line?.kind === 'entry') return { seq: line.record.seq, end: raw.end };
  }
  return undefined;
}
