import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineSealer } from './line-sealer.ts';

const sealer = createLineSealer(new Uint8Array(32).fill(1), '/store');
const other = createLineSealer(new Uint8Array(32).fill(2), '/store');

describe('a line sealer', () => {
  it('gives back any text it sealed, as one line of printable ASCII', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const line = sealer.seal(text);
        expect(line).toMatch(/^[!-~]+$/);
        expect(sealer.unseal(line)).toBe(text);
      }),
    );
  });

  it('never seals the same text to the same line', () => {
    expect(sealer.seal('hello')).not.toBe(sealer.seal('hello'));
  });

  it('opens lines sealed by another instance with the same key', () => {
    expect(createLineSealer(new Uint8Array(32).fill(1), '/elsewhere').unseal(sealer.seal('hello'))).toBe('hello');
  });

  it('says wrong-key for a line of another key', () => {
    expect(() => sealer.unseal(other.seal('hello'))).toThrow(
      expect.objectContaining({ code: 'wrong-key', details: { path: '/store' } }),
    );
  });

  it('refuses a line in which any one character was changed, left out or added', () => {
    const line = sealer.seal('hello');
    for (let i = 0; i < line.length; i++) {
      const changed = line[i] === 'x' ? 'y' : 'x';
      for (const bad of [
        line.slice(0, i) + changed + line.slice(i + 1),
        line.slice(0, i) + line.slice(i + 1),
        `${line.slice(0, i)} ${line.slice(i)}`,
      ]) {
        expect(() => sealer.unseal(bad), bad).toThrow(
          expect.objectContaining({ code: expect.stringMatching(/^(wrong-key|store-damaged)$/) }),
        );
      }
    }
  });

  it('calls anything that is not a sealed line damaged', () => {
    for (const line of ['', 'v1', 'v1.', 'hello', '{"type":"metadata"}', 'v2.AAAAAA.AAAA']) {
      expect(() => sealer.unseal(line), line).toThrow(expect.objectContaining({ code: 'store-damaged' }));
    }
  });

  it('names texts by key: the same always the same, another text or key another name', () => {
    const name = sealer.fingerprint('feishu:oc_1');
    expect(name).toMatch(/^k-[0-9a-f]{64}$/);
    expect(sealer.fingerprint('feishu:oc_1')).toBe(name);
    expect(sealer.fingerprint('feishu:oc_2')).not.toBe(name);
    expect(other.fingerprint('feishu:oc_1')).not.toBe(name);
  });

  it('takes 32-byte keys only', () => {
    expect(() => createLineSealer(new Uint8Array(16), '/store')).toThrow(expect.objectContaining({ code: 'internal' }));
  });
});
