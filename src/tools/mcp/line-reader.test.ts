import { describe, expect, it } from 'vitest';
import { processorTime } from '../../../test/support/processor-time.ts';
import { LineReader } from './line-reader.ts';

describe('lines of a stream', () => {
  it('are the same however the bytes come in', () => {
    const bytes = Buffer.from('{"a":"你好"}\r\n\n  \nsecond\nthe rest');
    for (let size = 1; size <= bytes.length; size += 1) {
      const lines: string[] = [];
      const reader = new LineReader(100, (line) => lines.push(line));
      for (let start = 0; start < bytes.length; start += size)
        expect(reader.push(bytes.subarray(start, start + size))).toBe(true);
      expect(lines).toEqual(['{"a":"你好"}', 'second']);
    }
  });

  it('are refused as soon as one is too long', () => {
    const lines: string[] = [];
    const reader = new LineReader(10, (line) => lines.push(line));
    expect(reader.push(Buffer.from('0123456789\n01234'))).toBe(true);
    expect(reader.push(Buffer.from('56789'))).toBe(true);
    expect(reader.push(Buffer.from('x'))).toBe(false);
    expect(lines).toEqual(['0123456789']);
  });

  it('of many megabytes are read in time that follows their size', () => {
    let length = 0;
    const reader = new LineReader(100_000_000, (line) => {
      length = line.length;
    });
    const chunk = Buffer.alloc(65_536, 'x');
    const taken = processorTime(() => {
      for (let part = 0; part < 800; part += 1) reader.push(chunk);
      reader.push(Buffer.from('\n'));
    });
    expect(length).toBe(800 * 65_536);
    expect(taken).toBeLessThan(2_000);
  });
});
