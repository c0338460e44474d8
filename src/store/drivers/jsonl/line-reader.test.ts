import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { linesBackward, linesForward, type RawLine } from './line-reader.ts';

const folder = mkdtempSync(join(tmpdir(), 'continuo-lines-'));
afterAll(() => rmSync(folder, { recursive: true }));

function withFile(content: Buffer, look: (fd: number) => void): void {
  const path = join(folder, 'file');
  writeFileSync(path, content);
  const fd = openSync(path, 'r');
  try {
    look(fd);
  } finally {
    closeSync(fd);
  }
}

function expectedLines(content: Buffer): RawLine[] {
  const lines: RawLine[] = [];
  for (let start = 0; start < content.length; ) {
    const at = content.indexOf(10, start);
    const end = at < 0 ? content.length : at + 1;
    lines.push({ start, end, bytes: content.subarray(start, at < 0 ? end : at), terminated: at >= 0 });
    start = end;
  }
  return lines;
}

function readable({ bytes, ...place }: RawLine) {
  return { ...place, text: String(bytes) };
}

/** Lines around the sizes of chunks: 16 KiB and doubling. */
const anyContent = fc
  .tuple(
    fc.array(fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 16_000, max: 60_000 })), { maxLength: 12 }),
    fc.boolean(),
  )
  .map(([lengths, isTorn]) => {
    const text = lengths.map((length, i) => String.fromCharCode(97 + (i % 26)).repeat(length)).join('\n');
    return Buffer.from(isTorn || text === '' ? text : `${text}\n`);
  });

describe('lines of a file', () => {
  it('are the same from the front, and from the back in reverse', () => {
    fc.assert(
      fc.property(anyContent, (content) => {
        withFile(content, (fd) => {
          const expected = expectedLines(content);
          expect([...linesForward(fd, 0, content.length)].map(readable)).toEqual(expected.map(readable));
          expect([...linesBackward(fd, 0, content.length)].map(readable)).toEqual(expected.map(readable).reverse());
        });
      }),
      { numRuns: 150 },
    );
  });

  it('can be read from and up to any line', () => {
    const content = Buffer.from('one\ntwo\n\nfour\nfi');
    withFile(content, (fd) => {
      expect([...linesForward(fd, 4, 9)].map(({ bytes }) => String(bytes))).toEqual(['two', '']);
      expect([...linesBackward(fd, 4, 9)].map(({ bytes }) => String(bytes))).toEqual(['', 'two']);
      expect([...linesBackward(fd, 9, 9)]).toEqual([]);
    });
  });

  it('end where a file that was cut meanwhile ends', () => {
    withFile(Buffer.from('one\ntwo\n'), (fd) => {
      expect([...linesForward(fd, 0, 100)].map(({ bytes }) => String(bytes))).toEqual(['one', 'two']);
      expect([...linesBackward(fd, 0, 100)]).toEqual([]);
    });
  });
});
