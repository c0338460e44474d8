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

const block = /^(`{3,}|~{3,})[ \t]*todos?[ \t]*\r?\n([\s\S]*?)(?:^\1[ \t]*(?:\r?\n|$)|$(?![\s\S]))/gim;
const item = /^\s{0,8}(?:[-*+]|\d{1,4}[.)])\s+\[([ xX~>-])\]\s+(.+)$/;
const mostItems = 200;

export function findTodoBlocks(text: string): TodoBlock[] {
  if (!/todo/i.test(text)) return [];
  return [...text.matchAll(block)].map((found) => ({
    start: found.index,
    end: found.index + found[0].length,
    items: (found[2] as string)
      .split('\n')
      .flatMap((line) => readItem(line.trimEnd()))
      .slice(0, mostItems),
  }));
}

function readItem(line: string): TodoItem[] {
  const [, mark, text] = item.exec(line) ?? [];
  if (mark === undefined || text === undefined) return [];
  const state = mark.toLowerCase() === 'x' ? 'done' : mark === ' ' ? 'open' : 'active';
  return [{ text: text.trim(), state }];
}
