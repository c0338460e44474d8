import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFileName, encodeFileName } from './file-name.ts';

const anyKey = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc.string({
    unit: fc.constantFrom('a', 'A', '.', '%', '+', '/', '\\', ':', '_', '2', 'e', 'u', 'ä', '中', '\ud800', '\udc00'),
    maxLength: 300,
  }),
  fc.string({ unit: fc.constantFrom('中', 'a', '😀', '\ud800', '文'), minLength: 190, maxLength: 512 }),
  fc.constantFrom('con', 'CON', 'con.txt', 'nul', 'lpt1', '..', '.', '../x', '%', '%2e', '', 'a:b', 'a_b', 'x.jsonl', 'x+'),
);

describe('a file name', () => {
  it('gives the key back, whatever the key', () => {
    fc.assert(
      fc.property(anyKey, (key) => decodeFileName(encodeFileName(key)) === key),
      { numRuns: 1000 },
    );
  });

  it('differs for different keys, also where case does not count', () => {
    fc.assert(
      fc.property(anyKey, anyKey, (one, other) => {
        fc.pre(one !== other);
        expect(encodeFileName(one).toLowerCase()).not.toBe(encodeFileName(other).toLowerCase());
      }),
      { numRuns: 1000 },
    );
  });

  it('is made of parts every file system takes', () => {
    fc.assert(
      fc.property(anyKey, (key) => {
        const parts = encodeFileName(key).split('/');
        for (const part of parts) {
          expect(part).toMatch(/^[a-z0-9_%-][a-z0-9_.%+-]*[a-z0-9+]$/);
          expect(part.length).toBeLessThanOrEqual(210);
          expect(part).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/);
        }
        expect(parts.at(-1)?.endsWith('.jsonl')).toBe(true);
        expect(parts.slice(0, -1).every((part) => part.endsWith('+'))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('reads well for the keys chat platforms have', () => {
    expect(encodeFileName('feishu:oc_abc123')).toBe('feishu%3aoc_abc123.jsonl');
    expect(encodeFileName('feishu_oc_abc123')).toBe('feishu_oc_abc123.jsonl');
    expect(encodeFileName('../../etc/passwd')).toBe('%2e.%2f..%2fetc%2fpasswd.jsonl');
    expect(encodeFileName('Ünï')).toBe('%c3%9cn%c3%af.jsonl');
    expect(encodeFileName('con')).toBe('%63on.jsonl');
  });

  it('spreads a 300-character CJK key over folders', () => {
    const path = encodeFileName('中'.repeat(300));
    expect(path.split('/').length).toBe(5);
    expect(decodeFileName(path)).toBe('中'.repeat(300));
  });

  it('keeps the longest keys there are under the limit for whole paths', () => {
    for (const key of ['中'.repeat(1024), '😀'.repeat(512), 'A'.repeat(1024), '\ud800'.repeat(1024)]) {
      expect(encodeFileName(key).length).toBeLessThan(3400);
      expect(decodeFileName(encodeFileName(key))).toBe(key);
    }
  });

  it.each([
    'x',
    'X.jsonl',
    '%41.txt',
    '%61.jsonl',
    'a%.jsonl',
    '%zz.jsonl',
    '%ff.jsonl',
    'a+/b.jsonl',
    '.a.jsonl',
    '../a.jsonl',
    '.jsonl',
    '%w00.jsonl',
  ])('takes %s for no name of ours', (path) => {
    expect(decodeFileName(path)).toBeUndefined();
  });
});
