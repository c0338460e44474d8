import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAnchorScanner } from './anchor-scanner.ts';

describe('the anchor scanner', () => {
  it('reports every place of every literal, in either case, and no other', () => {
    const literals = ['ghp_', 'sk-', 'key', 'q~', '密码', 'passw', '://', 'aaaa', '[masked:'];
    const scan = createAnchorScanner(literals);
    const letter = fc.constantFrom(...'ghpskeyqawASKEYQ_-~/:[密码 .');
    const pieces = fc.array(fc.oneof(letter, fc.constantFrom(...literals), fc.string({ maxLength: 3, unit: 'binary' })), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join('');
        expect(placesFound(scan, text)).toEqual(placesByHand(literals, text));
      }),
      { numRuns: 2000 },
    );
  });

  it('reports literals that lie across the pieces in which a long text is read', () => {
    const literals = ['ghp_', '密码', 'key'];
    const scan = createAnchorScanner(literals);
    for (let offset = 65_530; offset < 65_542; offset++) {
      const text = `${'.'.repeat(offset)}ghp_密码key${'.'.repeat(70_000)}`;
      expect(placesFound(scan, text)).toEqual([`${offset} 0`, `${offset + 4} 1`, `${offset + 6} 2`]);
    }
  });
});

function placesFound(scan: ReturnType<typeof createAnchorScanner>, text: string): string[] {
  const found: string[] = [];
  scan(text, (start, anchor) => found.push(`${start} ${anchor}`));
  return found.sort();
}

/** The same folding as the scanner's: letters of either case are equal, and so are a few signs. */
function placesByHand(literals: readonly string[], text: string): string[] {
  const fold = (source: string) =>
    Array.from({ length: source.length }, (_, i) => String.fromCharCode(source.charCodeAt(i) | 32)).join('');
  const folded = fold(text);
  const found: string[] = [];
  for (const [anchor, literal] of literals.entries()) {
    for (let at = folded.indexOf(fold(literal)); at >= 0; at = folded.indexOf(fold(literal), at + 1))
      found.push(`${at} ${anchor}`);
  }
  return found.sort();
}
