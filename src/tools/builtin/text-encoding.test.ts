import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeGb18030 } from './gb18030.ts';
import { decodeText, encodeText, findMediaKind } from './text-encoding.ts';

describe('GB18030', () => {
  it('is written as it is read, for every character there is', () => {
    const decoder = new TextDecoder('gb18030', { fatal: true });
    const differing: string[] = [];
    for (let block = 0; block < 0x110000; block += 0x400) {
      // Surrogates are no characters, and some private ones have no code or share one.
      if (block >= 0xd800 && block < 0xf900) continue;
      // The supplementary planes follow one formula: their ends are enough.
      if (block > 0x20000 && block < 0x10fc00) continue;
      const text = String.fromCodePoint(
        ...Array.from({ length: 0x400 }, (_, i) => block + i).filter((point) => point !== 0xfeff),
      );
      const bytes = encodeGb18030(text);
      if (!bytes || decoder.decode(bytes) !== text) differing.push(block.toString(16));
    }
    expect(differing).toEqual([]);
  });
});

describe('text of a file', () => {
  it.each(['utf-8', 'utf-16le', 'utf-16be', 'gb18030'] as const)('in %s comes back byte for byte', (encoding) => {
    const form = { encoding, bom: encoding.startsWith('utf-16') };
    const words = fc.constantFrom('数据库', '迁移', '，', 'text ', '\r\n', '\n', '测试', '12');
    fc.assert(
      fc.property(fc.array(words, { minLength: 1 }), (parts) => {
        const text = `中文${parts.join('')}`;
        const bytes = encodeText(text, form) as Uint8Array;
        const decoded = decodeText(bytes);
        expect(decoded).toEqual({ ...form, text });
      }),
    );
  });

  it('that is none is told from text', () => {
    expect(decodeText(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1]))).toBeUndefined();
    expect(decodeText(Buffer.from(Array.from({ length: 200 }, (_, i) => 1 + (i % 8))))).toBeUndefined();
    expect(decodeText(Buffer.from('\u001b[31mred\u001b[0m\f\n'))?.encoding).toBe('utf-8');
    expect(findMediaKind(Buffer.from('%PDF-1.7'))).toBe('a PDF document');
    expect(findMediaKind(Buffer.from('plain'))).toBeUndefined();
  });
});
