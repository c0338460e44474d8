// "Did you mean …?": the known name that is fewest slips of the keyboard away, or the only one that begins like it.

/** So many letters of a name say which one is meant. */
const leastBegun = 4;

/** The nearest of the names, or undefined where none is near enough to be meant. */
export function nearestName(wanted: string, names: readonly string[]): string | undefined {
  const begun = names.filter((name) => wanted.length >= leastBegun && name.startsWith(wanted.toLowerCase()));
  if (begun.length === 1) return begun[0];
  let best: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const [own, other] = withoutCommonTable(wanted.toLowerCase(), name.toLowerCase());
    const slips = countSlips(own, other);
    if (slips < fewest && slips <= mostSlips(own)) {
      best = name;
      fewest = slips;
    }
  }
  return best;
}

/** So many slips in so many letters are still the same word. */
function mostSlips({ length }: string): number {
  return length < leastBegun ? 1 : Math.max(2, Math.floor(length / 3));
}

/** The tables both are in say nothing about which one is meant: "cleanup.foo" is not nearly "cleanup.enable". */
function withoutCommonTable(a: string, b: string): [string, string] {
  let start = 0;
  for (let i = 0; i < a.length && a[i] === b[i]; i += 1) if (a[i] === '.') start = i + 1;
  return [a.slice(start), b.slice(start)];
}

/** Letters put in, left out, replaced, or two neighbours swapped. */
function countSlips(a: string, b: string): number {
  let older: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let slips = Math.min(at(row, j - 1) + 1, at(previous, j) + 1, at(previous, j - 1) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) slips = Math.min(slips, at(older, j - 2) + 1);
      row.push(slips);
    }
    older = previous;
    previous = row;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
