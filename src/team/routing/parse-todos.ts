// A member's list of what it is about to do, as a fenced block called `todo` with lines like `- [x] done` and `- [ ] open`. It is
// shown while the team works and never stored.
import type { Stretch } from './literal-text.ts';

export interface TodoItem {
  text: string;
  state: 'open' | 'active' | 'done';
}

export interface TodoBlock extends Stretch {
  items: TodoItem[];
}

const block = /^(`{3,}|~{3,})[ \t]*todos?[ \t]*\r?\n([\s\S]*?)(?:^\1[ \t]*(?:\r?\n|$)|$(?![\s\S]))/imy;
const item = /^\s{0,8}(?:[-*+]|\d{1,4}[.)])\s+\[([ xX~>-])\]\s+(.+)$/s;
const mostItems = 200;

/** `openings` are the places where code begins: a list inside of other code only shows how one is written. */
export function findTodoBlocks(text: string, openings: Iterable<number>): TodoBlock[] {
  const blocks: TodoBlock[] = [];
  for (const start of openings) {
    if (start < (blocks.at(-1)?.end ?? 0)) continue;
    block.lastIndex = start;
    const [whole, , list = ''] = block.exec(text) ?? [];
    if (whole === undefined) continue;
    const items = list.split('\n').flatMap((line) => readItem(line.trimEnd()));
    blocks.push({ start, end: start + whole.length, items: items.slice(0, mostItems) });
  }
  return blocks;
}

function readItem(line: string): TodoItem[] {
  const [, mark, text] = item.exec(line) ?? [];
  if (mark === undefined || text === undefined) return [];
  const state = mark.toLowerCase() === 'x' ? 'done' : mark === ' ' ? 'open' : 'active';
  return [{ text: text.trim(), state }];
}
