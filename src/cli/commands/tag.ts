// continuo tag: adds and removes tags, or shows them.
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { toJson } from '../conversation-view.ts';
import { findConversation } from '../find-conversation.ts';
import type { Help } from '../messages/messages.ts';
import { openHome } from '../open-home.ts';
import { collect } from '../option-values.ts';
import { plainLine } from '../output/plain-text.ts';
import { shortenId } from '../output/short-ids.ts';

export function define(command: Command, { arguments: names, commands: { tag } }: Help): void {
  command
    .argument('<id>', names.id)
    .argument('[tags...]', tag.arguments.tags)
    .option('-r, --remove <tag>', tag.options.remove, collect);
}

export async function run(
  context: Context,
  [reference = '', ...add]: readonly string[],
  { remove = [] }: { remove?: string[] },
): Promise<undefined> {
  await using store = await openHome(context, 'read');
  const found = await findConversation(store, reference);
  const wanted = add.map(withoutMark);
  const unwanted = remove.map(withoutMark);
  const isChange = wanted.length + unwanted.length > 0;
  const tagged = isChange ? await store.tag(found.id, { add: wanted, remove: unwanted }) : found;
  const short = context.style.cyan(await shortenId(store, found.id));
  const tags = tagged.tags.map((tag) => `#${plainLine(tag)}`).join(' ');
  const lines = () => (tags === '' ? context.text.tag.none(short) : context.text.tag.now(short, tags));
  const json = { conversation: toJson(store, tagged) };
  if (isChange) context.output.done(json, lines);
  else context.output.result(json, lines);
}

/** People write tags as they see them, with the mark in front. */
function withoutMark(tag: string): string {
  return tag.replace(/^#(?=.)/, '');
}
