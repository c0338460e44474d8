// What members plan to do, as they published it. It is shown and never stored.
import { plainLine } from '../../output/plain-text.ts';
import type { TodoList } from '../view/repl-view.ts';
import { cutTo } from '../view/screen-text.ts';
import type { Draw } from './draw.ts';
import { Lines } from './lines.tsx';

const marks = { open: '☐', active: '▸', done: '☑' } as const;
const mostItems = 6;

export function TodoPanel({ todos, draw }: { todos: readonly TodoList[]; draw: Draw }) {
  return <Lines lines={todoLines(todos, draw)} />;
}

/** The newest list, from its first open item on where it is long. */
export function todoLines([newest]: readonly TodoList[], { text, style, columns }: Draw): string[] {
  if (!newest || newest.items.length === 0) return [];
  const { by, items } = newest;
  const done = items.filter(({ state }) => state === 'done').length;
  const firstOpen = items.findIndex(({ state }) => state !== 'done');
  const start = items.length <= mostItems ? 0 : Math.min(Math.max(0, firstOpen - 1), items.length - mostItems);
  const left = items.length - start - mostItems;
  return [
    style.dim(cutTo(text.repl.todosOf(plainLine(by), done, items.length), columns)),
    ...items.slice(start, start + mostItems).map((item) => {
      const line = cutTo(`  ${marks[item.state]} ${plainLine(item.text)}`, columns);
      return item.state === 'done' ? style.dim(line) : item.state === 'active' ? style.bold(line) : line;
    }),
    ...(left > 0 ? [style.dim(`  ${text.repl.moreTodos(left)}`)] : []),
  ];
}
