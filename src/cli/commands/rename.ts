// continuo rename: gives a conversation a title, or takes it away.
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { toJson } from '../conversation-view.ts';
import { findConversation } from '../find-conversation.ts';
import type { Help } from '../messages/messages.ts';
import { openHome } from '../open-home.ts';
import { plainLine } from '../output/plain-text.ts';
import { shortenId } from '../output/short-ids.ts';

export function define(command: Command, { arguments: names, commands: { rename } }: Help): void {
  command.argument('<id>', names.id).argument('<title>', rename.arguments.title);
}

export async function run(context: Context, [reference = '', title = '']: readonly string[]): Promise<undefined> {
  await using store = await openHome(context, 'read');
  const { id } = await findConversation(store, reference);
  const renamed = await store.rename(id, title.trim());
  const short = context.style.cyan(await shortenId(store, id));
  const { rename } = context.text;
  context.output.done({ conversation: toJson(store, renamed) }, () =>
    renamed.title === undefined ? rename.cleared(short) : rename.done(short, plainLine(renamed.title)),
  );
}
