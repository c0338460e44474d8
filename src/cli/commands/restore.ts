// continuo restore: takes conversations out of the trash again.
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { toJson } from '../conversation-view.ts';
import { findConversations } from '../find-conversation.ts';
import type { Help } from '../messages/messages.ts';
import { openHome } from '../open-home.ts';
import { shortenIds } from '../output/short-ids.ts';

export function define(command: Command, { arguments: names }: Help): void {
  command.argument('<ids...>', names.ids);
}

export async function run(context: Context, references: readonly string[]): Promise<undefined> {
  const { style, text } = context;
  await using store = await openHome(context, 'read');
  const found = await findConversations(store, references);
  const restored = [];
  for (const { id } of found) restored.push(await store.restore(id));
  const ids = await shortenIds(
    store,
    found.map(({ id }) => id),
  );
  context.output.done({ conversations: restored.map((each) => toJson(store, each)) }, () =>
    found.map(({ id, trashedAt }) =>
      (trashedAt === undefined ? text.restore.wasThere : text.restore.done)(style.cyan(ids.get(id) as string)),
    ),
  );
}
