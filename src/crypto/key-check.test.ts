import { describe, expect, it } from 'vitest';
import { createKeyCheck, matchesKeyCheck } from './key-check.ts';

describe('a key check', () => {
  const key = new Uint8Array(32).fill(1);
  const check = createKeyCheck(key);

  it('knows its key again and no other', () => {
    expect(matchesKeyCheck(key, check)).toBe(true);
    expect(matchesKeyCheck(new Uint8Array(32).fill(2), check)).toBe(false);
  });

  it('matches nothing where the kept value was changed', () => {
    for (const changed of ['', check.slice(1), `${check}0`, check.toUpperCase(), 'é'.repeat(64)]) {
      expect(matchesKeyCheck(key, changed), changed).toBe(false);
    }
  });
});
