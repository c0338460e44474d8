// /todo: the lists that members published, and one of the person's own. They are shown and never stored.
import type { TodoItem } from '../../../team/routing/parse-todos.ts';
import { plainLine } from '../../output/plain-text.ts';
import type { ReplHost } from '../repl-host.ts';
import { type SlashAction, WrongUse } from './slash-command.ts';

const marks: Readonly<Record<TodoItem['state'], string>> = { open: '☐', active: '▸', done: '☑' };

export const todo: SlashAction = {
  complete: (words, host) => (words.length === 1 && host.publishTodo ? ['add', 'clear', 'done'] : []),
  async run(words, host) {
    const [action, ...rest] = words;
    if (action === undefined) show(host);
    else change(host, action, rest.join(' '));
  },
};

function show(host: ReplHost): void {
  const { text, style } = host.context;
  const lists = host.todos();
  if (lists.length === 0) host.say(text.slash.todo.none, 'note');
  for (const { by, items } of lists)
    host.say([
      style.bold(plainLine(by)),
      ...items.map(({ text: item, state }, place) => `  ${place + 1}. ${marks[state]} ${plainLine(item)}`),
    ]);
}

function change(host: ReplHost, action: string, rest: string): void {
  const { slash, repl } = host.context.text;
  if (!host.publishTodo) {
    host.say(slash.notHere(`todo ${action}`), 'warning');
    return;
  }
  const own = host.todos().find(({ by }) => by === repl.you)?.items ?? [];
  if (action === 'add' && rest !== '') host.publishTodo([...own, { text: rest, state: 'open' }]);
  else if (action === 'clear' && rest === '') host.publishTodo([]);
  else if (action === 'done' && /^\d+$/.test(rest)) {
    const place = Number(rest) - 1;
    if (!own[place]) {
      host.say(slash.todo.noSuch(rest), 'warning');
      return;
    }
    host.publishTodo(own.map((item, each) => (each === place ? { ...item, state: 'done' } : item)));
  } else throw new WrongUse();
  show(host);
}
