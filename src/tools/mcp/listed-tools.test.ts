import { describe, expect, it } from 'vitest';
import { visibleNames } from './listed-tools.ts';

describe('the names models see', () => {
  it('are the server’s own where models accept them', () => {
    expect(Object.fromEntries(visibleNames('gh_', ['get-issue', 'a_B9']))).toEqual({
      'get-issue': 'gh_get-issue',
      a_B9: 'gh_a_B9',
    });
  });

  it('have other signs replaced, and stay different', () => {
    const names = visibleNames('', ['a.b', 'a/b', 'a_b', '读取']);
    expect(names.get('a_b')).toBe('a_b');
    expect(names.get('读取')).toBe('__');
    expect(names.get('a.b')).toMatch(/^a_b_[0-9a-f]{8}$/);
    expect(new Set(names.values()).size).toBe(4);
  });

  it('are shortened to 64 characters, and stay different', () => {
    const [first, second] = ['x'.repeat(300), `${'x'.repeat(299)}y`];
    const names = visibleNames('mcp__server__', [first, second]);
    expect([...names.values()].every((name) => /^mcp__server__x{42}_[0-9a-f]{8}$/.test(name))).toBe(true);
    expect(names.get(first)).not.toBe(names.get(second));
    expect(visibleNames('mcp__server__', [second, first])).toEqual(new Map([...names].reverse()));
  });
});
