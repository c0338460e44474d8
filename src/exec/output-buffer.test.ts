import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OutputBuffer } from './output-buffer.ts';

it('shows and keeps everything where there is room, however it is cut', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.nat(5), { minLength: 1 }), (text, steps) => {
      const buffer = new OutputBuffer(10_000);
      const shown = cut(text, steps).map((piece) => buffer.add(piece));
      expect({ shown: [...shown, buffer.end()].join(''), text: buffer.text(), truncated: buffer.truncated }).toEqual({
        shown: text,
        text,
        truncated: false,
      });
    }),
  );
});

it('keeps both ends where there is too much, never half a character, and counts exactly what is left out', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 10 }),
      fc.nat(40),
      fc.array(fc.nat(5), { minLength: 1 }),
      (text, room, steps) => {
        const buffer = new OutputBuffer(room);
        for (const piece of cut(text, steps)) buffer.add(piece);
        const size = Buffer.byteLength(text);
        if (size <= room) return;
        const [, head = '', count, tail = ''] = /^(.*)\n… (\d+) bytes left out …\n(.*)$/s.exec(buffer.text()) ?? [];
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        expect(Buffer.byteLength(head) + Number(count) + Buffer.byteLength(tail)).toBe(size);
        expect(Buffer.byteLength(head) + Buffer.byteLength(tail)).toBeGreaterThanOrEqual(room - 6);
        expect(buffer.truncated).toBe(true);
      },
    ),
  );
});

it('shows bytes that are not UTF-8 as replacement characters', () => {
  const buffer = new OutputBuffer(100);
  expect([buffer.add(Buffer.from([0x61, 0xff, 0xe4])), buffer.end(), buffer.text()]).toEqual([
    'a\ufffd',
    '\ufffd',
    'a\ufffd\ufffd',
  ]);
});

it('does not grow with the output', () => {
  const buffer = new OutputBuffer(1_000);
  for (let count = 0; count < 2_000; count++) buffer.add(Buffer.alloc(65_536, 0x61));
  expect(buffer.text().length).toBeLessThan(1_100);
  expect(buffer.total).toBe(2_000 * 65_536);
});

function cut(text: string, steps: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0, step = 0; at < bytes.length; step++) {
    const next = at + 1 + (steps[step % steps.length] as number);
    pieces.push(bytes.subarray(at, next));
    at = next;
  }
  return pieces;
}
