// Goes through masked code line by line and knows which block each line stands in: the floor that languages with braces share.

export interface BlockLine {
  text: string;
  /** Counted from 1. */
  number: number;
  /** The blocks it stands in that have a name, outermost first. */
  blocks: readonly Block[];
  /** It stands directly in its innermost named block (or in none), not in a body without a name, nor between open brackets. */
  isDirect: boolean;
}

export interface Block {
  name: string;
  kind: string;
  /** How many braces were open where it was opened. */
  depth: number;
}

/**
 * Calls `look` for each line that stands directly in its block, for those that begin with `#`, and
 * where asked for, for every one; what it returns is a block that the line opens, now or with the next brace.
 */
export function walkBlocks(
  masked: string,
  look: (line: BlockLine) => { name: string; kind: string } | undefined,
  { everyLine = false } = {},
): void {
  const blocks: Block[] = [];
  let depth = 0;
  let brackets = 0;
  let waiting: { name: string; kind: string } | undefined;
  let number = 0;
  for (let start = 0; start < masked.length; ) {
    const next = masked.indexOf('\n', start);
    const end = next < 0 ? masked.length : next;
    number += 1;
    let first = start;
    while (first < end && isSpace(masked.charCodeAt(first))) first += 1;
    const inner = blocks.at(-1);
    const isDirect = brackets === 0 && depth === (inner ? inner.depth + 1 : 0);
    if (first < end && (isDirect || everyLine || masked.charCodeAt(first) === hash)) {
      waiting = look({ text: masked.slice(start, end), number, blocks, isDirect }) ?? waiting;
    }
    for (let i = first; i < end; i++) {
      const code = masked.charCodeAt(i);
      if (code === openBrace) {
        if (waiting && brackets === 0) {
          blocks.push({ ...waiting, depth });
          waiting = undefined;
        }
        depth += 1;
      } else if (code === closeBrace) {
        depth = Math.max(0, depth - 1);
        while (blocks.length > 0 && (blocks.at(-1) as Block).depth >= depth) blocks.pop();
        if (depth === 0) brackets = 0;
      } else if (code === openParenthesis || code === openBracket) brackets += 1;
      else if (code === closeParenthesis || code === closeBracket) brackets = Math.max(0, brackets - 1);
      else if (code === semicolon && brackets === 0) waiting = undefined;
    }
    start = end + 1;
  }
}

const hash = 0x23;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openParenthesis = 0x28;
const closeParenthesis = 0x29;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const semicolon = 0x3b;

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/** Line numbers of places that are asked for in ascending order. */
export function createLineCounter(text: string): (offset: number) => number {
  let line = 1;
  let at = 0;
  return (offset) => {
    for (let next = text.indexOf('\n', at); next >= 0 && next < offset; next = text.indexOf('\n', at)) {
      line += 1;
      at = next + 1;
    }
    return line;
  };
}
