// The line of a file that looks most like a text somebody expected there, for a useful "not found".

const maxLines = 20_000;
const maxLength = 400;
const leastLikeness = 0.4;

/** Likeness of the first line with something in it; undefined where nothing is like it. */
export function findNearestLine(text: string, wanted: string): { line: number; text: string } | undefined {
  const first = wanted.split(/\r?\n/).find((line) => line.trim() !== '');
  if (first === undefined) return undefined;
  const pairs = pairsOf(first);
  let best: { line: number; text: string } | undefined;
  let bestLikeness = leastLikeness;
  for (const [index, line] of text.split(/\r?\n/, maxLines).entries()) {
    const likeness = compare(pairs, pairsOf(line));
    if (likeness > bestLikeness) [bestLikeness, best] = [likeness, { line: index + 1, text: line.slice(0, maxLength) }];
  }
  return best;
}

/** How many of both lines' character pairs they share, from 0 to 1; white space does not count. */
function compare(wanted: ReadonlySet<string>, found: ReadonlySet<string>): number {
  if (wanted.size === 0 || found.size === 0) return 0;
  let shared = 0;
  for (const pair of found) if (wanted.has(pair)) shared += 1;
  return (2 * shared) / (wanted.size + found.size);
}

function pairsOf(line: string): Set<string> {
  const text = line.slice(0, maxLength).replace(/\s+/g, '').toLowerCase();
  const pairs = new Set<string>();
  if (text.length === 1) pairs.add(text);
  for (let i = 0; i + 1 < text.length; i++) pairs.add(text.slice(i, i + 2));
  return pairs;
}
