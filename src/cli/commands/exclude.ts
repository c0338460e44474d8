// continuo exclude: leaves conversations out of recall, or takes them back. What is left out goes from the search index at once.
import type { Command } from 'commander';
import type { Conversation } from '../../model/conversation.ts';
import { exclusionMark } from '../../recall/conversation-marks.ts';
import type { Context } from '../context.ts';
import { toJson } from '../conversation-view.ts';
import { findConversations } from '../find-conversation.ts';
import type { Help } from '../messages/messages.ts';
import { openHome } from '../open-home.ts';
import { shortenIds } from '../output/short-ids.ts';
import { cleanIndex } from '../recall/clean-index.ts';

export function define(command: Command, { arguments: names, commands: { exclude } }: Help): void {
  command.argument('<ids...>', names.ids).option('--off', exclude.options.off);
}

export async function run(context: Context, references: readonly string[], { off }: { off?: boolean }): Promise<undefined> {
  await using store = await openHome(context, 'read');
  const marked: Conversation[] = [];
  for (const { id } of await findConversations(store, references)) marked.push(await store.mergeMeta(id, exclusionMark(!off)));
  await cleanIndex(context, store);
  const ids = await shortenIds(
    store,
    marked.map(({ id }) => id),
  );
  const sentence = off ? context.text.exclude.included : context.text.exclude.excluded;
  context.output.done({ conversations: marked.map((each) => toJson(store, each)) }, () =>
    marked.map(({ id }) => sentence(context.style.cyan(ids.get(id) as string))),
  );
}
