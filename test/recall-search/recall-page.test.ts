// docs/recall.md repeats numbers and names of the source; held against it.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { recallThresholds, recallWeights, wideThresholds } from '../../src/recall/search/weights.ts';

const page = readFileSync(new URL('../../docs/recall.md', import.meta.url), 'utf8');
const rows = Object.fromEntries(
  [...page.matchAll(/^\| `([\w.]+)` \| ([\d.]+)( days)? \|/gm)].map(([, name, value]) => [name, Number(value)]),
);
const wide = Object.fromEntries(
  [...page.matchAll(/^\| `(\w+)` \| [\d.]+ \| ([\d.]+) \|/gm)].map(([, name, value]) => [name, Number(value)]),
);

describe('docs/recall.md', () => {
  it('tells the weights and the thresholds as they are', () => {
    const { roles, recencyHalfLife, ...weights } = recallWeights;
    const byRole = Object.fromEntries(Object.entries(roles).map(([role, weight]) => [`roles.${role}`, weight]));
    const days = recencyHalfLife / (24 * 60 * 60 * 1000);
    expect(rows).toEqual({ ...weights, ...byRole, recencyHalfLife: days, ...recallThresholds });
    expect(wide).toEqual(wideThresholds);
  });
});
