// Goes through masked code line by line and knows which block each line stands in: the floor that languages with braces share.

export interface BlockLine {
  text: string;
  /** Counted from 1. */
  number: number;
  /** Where it begins in the whole text. */
  offset: number;
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
 * Calls `look` for each line; what it returns is a block that the line opens, now or with the next brace. Nothing deeper than
 * `maxDepth` is of interest.
 */
export function walkBlocks(masked: string, look: (line: BlockLine) => { name: string; kind: string } | undefined): void {
  const blocks: Block[] = [];
  let depth = 0;
  let brackets = 0;
  let waiting: { name: string; kind: string } | undefined;
  let offset = 0;
  let number = 0;
  for (const text of masked.split('\n')) {
    number += 1;
    if (text.length > 0) {
      const inner = blocks.at(-1);
      const isDirect = brackets === 0 && depth === (inner ? inner.depth + 1 : 0);
      const opened = isBlank(text) ? undefined : look({ text, number, offset, blocks, isDirect });
      if (opened) waiting = opened;
      for (let i = 0; i < text.length; i++) {
        const code = text.charCodeAt(i);
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
    }
    offset += text.length + 1;
  }
}

const openBrace = 0x7b;
const closeBrace = 0x7d;
const openParenthesis = 0x28;
const closeParenthesis = 0x29;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const semicolon = 0x3b;

function isBlank(text: string): boolean {
  return text.trim() === '';
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
