// continuo pin: marks conversations that matter, so that no cleanup touches them and `list --pinned` finds them.
import type { Command } from 'commander';
import type { Conversation } from '../../model/conversation.ts';
import type { Context } from '../context.ts';
import { toJson } from '../conversation-view.ts';
import { findConversations } from '../find-conversation.ts';
import type { Help } from '../messages/messages.ts';
import { openHome } from '../open-home.ts';
import { shortenIds } from '../output/short-ids.ts';

export function define(command: Command, { arguments: names, commands: { pin } }: Help): void {
  command.argument('<ids...>', names.ids).option('--off', pin.options.off);
}

export async function run(context: Context, references: readonly string[], { off }: { off?: boolean }): Promise<undefined> {
  await using store = await openHome(context, 'read');
  const pinned: Conversation[] = [];
  for (const { id } of await findConversations(store, references)) pinned.push(await store.pin(id, !off));
  const ids = await shortenIds(
    store,
    pinned.map(({ id }) => id),
  );
  const sentence = off ? context.text.pin.unpinned : context.text.pin.pinned;
  context.output.done({ conversations: pinned.map((each) => toJson(store, each)) }, () =>
    pinned.map(({ id }) => sentence(context.style.cyan(ids.get(id) as string))),
  );
}
