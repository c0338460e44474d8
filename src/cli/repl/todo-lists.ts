// The lists that members and the person have published, newest first; each has one. Shown and never stored.
import type { PublishedTodos } from './repl-host.ts';

/** An empty list takes away the one there was. */
export function putTodos<Lists extends PublishedTodos>(lists: readonly Lists[], published: Lists): Lists[] {
  const others = lists.filter(({ by }) => by !== published.by);
  return published.items.length === 0 ? others : [published, ...others];
}
