import { describe, expect, it } from 'vitest';
import { openTalk } from '../../../../test/support/talk-host.ts';
import type { TodoItem } from '../../../team/routing/parse-todos.ts';
import type { PublishedTodos } from '../repl-host.ts';

function holdTodos(lists: PublishedTodos[], you: string) {
  return {
    todos: () => lists,
    publishTodo: (items: readonly TodoItem[]) => {
      lists.splice(0, lists.length, ...lists.filter(({ by }) => by !== you), ...(items.length > 0 ? [{ by: you, items }] : []));
    },
  };
}

describe('/todo', () => {
  it('shows the lists that members published, safe for a terminal', async () => {
    const items: TodoItem[] = [
      { text: 'read\u001b[2J', state: 'done' },
      { text: 'test', state: 'active' },
      { text: 'ship', state: 'open' },
    ];
    const { type } = await openTalk('en', { todos: () => [{ by: 'Ana', items }] });
    expect(await type('/todo')).toEqual(['plain: Ana\n  1. ☑ read^[[2J\n  2. ▸ test\n  3. ☐ ship']);
  });

  it('keeps a list of the person beside them, and nothing of it is stored', async () => {
    const lists: PublishedTodos[] = [{ by: 'Ana', items: [{ text: 'test', state: 'open' }] }];
    const { type, store } = await openTalk('en', holdTodos(lists, 'You'));
    await type('/todo add call the  harbour');
    expect((await type('/todo done 1')).at(-1)).toBe('plain: You\n  1. ☑ call the harbour');
    expect(await type('/todo done 2')).toEqual(['warning: Your list has no item 2.']);
    await type('/todo clear');
    expect(lists.map(({ by }) => by)).toEqual(['Ana']);
    expect((await store.list()).items).toEqual([]);
  });

  it('says where there is none, and how to be called', async () => {
    const zh = await openTalk('zh');
    expect(await zh.type('/todo')).toEqual(['note: 还没有人公布清单。清单只显示，从不保存。']);
    expect(await zh.type('/todo add x')).toEqual(['warning: 这里不能用 /todo add。']);
    const { type } = await openTalk('en', holdTodos([], 'You'));
    const usage = ['warning: Use it like this: /todo · /todo add TEXT · /todo done NUMBER · /todo clear'];
    expect([await type('/todo add'), await type('/todo done x'), await type('/todo sing')]).toEqual([usage, usage, usage]);
  });
});
