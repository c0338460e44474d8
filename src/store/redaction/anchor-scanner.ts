// Finds where any of many short literals may begin, in one pass at about a nanosecond a character: the hot path of every append.
// Characters count by their lowest five bits, which makes letters of either case equal; each group of three is one look-up in a table.
// Only every second group is looked up, so each literal is entered with two neighbouring groups. It may report too much, never too little.

/** Called for every place where the literal of that number may begin; who calls must check. */
export type Visit = (start: number, anchor: number) => void;

export type Scan = (text: string, visit: Visit) => void;

interface Place {
  readonly anchor: number;
  /** Where in the literal the group begins; -1 where it begins one character before it. */
  readonly offset: number;
}

const groupMask = 0x7fff;
const chunkLength = 64 * 1024;

/** Literals of at least two characters. */
export function createAnchorScanner(anchors: readonly string[]): Scan {
  const places = placeAnchors(anchors);
  const isTaken = new Uint8Array(groupMask + 1);
  for (const group of places.keys()) isTaken[group] = 1;
  // A copy of the text, one byte a character, is read several times faster than the text itself.
  const bytes = Buffer.alloc(chunkLength + 1);

  return (text, visit) => {
    let group = 0;
    for (let base = 0; base < text.length; base += chunkLength) {
      const length = bytes.write(text.length <= chunkLength ? text : text.slice(base, base + chunkLength), 'latin1');
      bytes[length] = 0;
      for (let i = 0; i < length; i += 2) {
        group = ((group << 10) | (((bytes[i] as number) & 31) << 5) | ((bytes[i + 1] as number) & 31)) & groupMask;
        if (isTaken[group] === 0) continue;
        for (const place of places.get(group) as Place[]) {
          const start = base + i - 1 - place.offset;
          if (start >= 0) visit(start, place.anchor);
        }
      }
    }
  };
}

function placeAnchors(anchors: readonly string[]): Map<number, Place[]> {
  const places = new Map<number, Place[]>();
  for (const [anchor, literal] of anchors.entries()) {
    const codes = Array.from(literal, (character) => character.charCodeAt(0) & 31);
    const offset = rarestPair(codes);
    for (const at of [offset, offset + 1]) {
      for (const group of groupsAt(codes, at)) {
        const list = places.get(group);
        if (list) list.push({ anchor, offset: at });
        else places.set(group, [{ anchor, offset: at }]);
      }
    }
  }
  return places;
}

/** The groups that three characters from `at` on can form, where those outside the literal can be anything. */
function groupsAt(codes: readonly number[], at: number): number[] {
  let groups = [0];
  for (let i = at; i < at + 3; i++) {
    const code = codes[i];
    const choices = code === undefined ? Array.from({ length: 32 }, (_, any) => any) : [code];
    groups = groups.flatMap((group) => choices.map((choice) => (group << 5) | choice));
  }
  return groups;
}

/** Where the two neighbouring groups begin that are least likely to stand in any text. */
function rarestPair(codes: readonly number[]): number {
  let best = -1;
  let bestCost = Number.POSITIVE_INFINITY;
  for (let offset = -1; offset <= codes.length - 2; offset++) {
    const cost = likelihood(codes, offset) + likelihood(codes, offset + 1);
    if (cost < bestCost) {
      best = offset;
      bestCost = cost;
    }
  }
  return best;
}

function likelihood(codes: readonly number[], at: number): number {
  let product = 1;
  for (let i = at; i < at + 3; i++) product *= i < 0 || i >= codes.length ? 1 : (frequency[codes[i] as number] as number);
  return product;
}

/** How often each five-bit code stands in prose and in code, roughly: blank, a to z with the signs that share their bits, the rest. */
const frequency = [
  0.17, 0.05, 0.02, 0.03, 0.03, 0.09, 0.02, 0.02, 0.03, 0.06, 0.01, 0.01, 0.04, 0.04, 0.06, 0.06, 0.03, 0.005, 0.05, 0.05, 0.07,
  0.02, 0.01, 0.01, 0.01, 0.02, 0.01, 0.01, 0.01, 0.01, 0.01, 0.005,
];
