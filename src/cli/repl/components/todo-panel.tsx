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

/** The newest list of a member and the person's own below it, each from its first open item on where it is long. */
export function todoLines(todos: readonly TodoList[], draw: Draw): string[] {
  const { you } = draw.text.repl;
  const shown = [todos.find(({ by }) => by !== you), todos.find(({ by }) => by === you)];
  return shown.flatMap((list) => (list ? listLines(list, draw) : []));
}

function listLines({ by, items }: TodoList, { text, style, columns }: Draw): string[] {
  if (items.length === 0) return [];
  const { repl } = text;
  const done = items.filter(({ state }) => state === 'done').length;
  const firstOpen = items.findIndex(({ state }) => state !== 'done');
  const start = items.length <= mostItems ? 0 : Math.min(Math.max(0, firstOpen - 1), items.length - mostItems);
  const left = items.length - start - mostItems;
  return [
    style.dim(
      cutTo(by === repl.you ? repl.yourTodos(done, items.length) : repl.todosOf(plainLine(by), done, items.length), columns),
    ),
    ...items.slice(start, start + mostItems).map((item) => {
      const line = cutTo(`  ${marks[item.state]} ${plainLine(item.text)}`, columns);
      return item.state === 'done' ? style.dim(line) : item.state === 'active' ? style.bold(line) : line;
    }),
    ...(left > 0 ? [style.dim(`  ${repl.moreTodos(left)}`)] : []),
  ];
}
