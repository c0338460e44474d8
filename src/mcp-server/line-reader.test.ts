import { describe, expect, it } from 'vitest';
import { LineReader } from './line-reader.ts';

function read(longest: number, pieces: readonly string[]): string[] {
  const seen: string[] = [];
  const reader = new LineReader(longest, { line: (text) => seen.push(text), tooLong: () => seen.push('(too long)') });
  for (const piece of pieces) reader.take(Buffer.from(piece));
  reader.end();
  return seen;
}

describe('lines', () => {
  it('come out whole, whatever the pieces were', () => {
    expect(read(100, ['a', 'b\nc', '\n\n', '你'.slice(0, 1), '好'])).toEqual(['ab', 'c', '', '你好']);
  });

  it('that are too long are told once and skipped, and the next is read', () => {
    expect(read(4, ['12345', '678', '9\nok\n', '1234\n', '12345'])).toEqual(['(too long)', 'ok', '1234', '(too long)']);
  });

  it('keep characters that were split between pieces', () => {
    const bytes = Buffer.from('沙发\n');
    const seen: string[] = [];
    const reader = new LineReader(100, { line: (text) => seen.push(text), tooLong: () => undefined });
    for (const byte of bytes) reader.take(Uint8Array.of(byte));
    expect(seen).toEqual(['沙发']);
  });
});
