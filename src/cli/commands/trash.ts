// continuo trash: puts conversations aside, and says until when and how they can be had back.
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { findName, toJson } from '../conversation-view.ts';
import { findConversations } from '../find-conversation.ts';
import type { Help } from '../messages/messages.ts';
import { openHome } from '../open-home.ts';
import { formatDate } from '../output/moment.ts';
import { shortenIds } from '../output/short-ids.ts';
import { noteSwept, sweepDue } from '../sweep-due.ts';

export function define(command: Command, { arguments: names, commands: { trash } }: Help): void {
  command.argument('<ids...>', names.ids).option('--release-key', trash.options.releaseKey);
}

export async function run(
  context: Context,
  references: readonly string[],
  { releaseKey }: { releaseKey?: boolean },
): Promise<undefined> {
  const { style, text } = context;
  await using store = await openHome(context, 'read');
  const found = await findConversations(store, references);
  const trashed = [];
  for (const { id } of found) trashed.push(await store.trash(id, releaseKey ? { releaseKey } : {}));
  const ids = await shortenIds(
    store,
    trashed.map(({ id }) => id),
  );
  const lines: string[] = [];
  for (const each of trashed) {
    const short = ids.get(each.id) as string;
    const until = formatDate(store.purgeDate(each.trashedAt as number));
    lines.push(text.trash.done(style.cyan(short), await findName(store, each), until), style.dim(text.trash.howBack(short)));
  }
  // Without a grace period the slip of a finger could never be undone: then the next command that writes sweeps.
  const hasGrace = context.config()['trash.grace_days'].value !== 0;
  const swept = hasGrace ? await sweepDue(context, store) : { purged: [], withheld: 0, removed: 0 };
  context.output.done({ conversations: trashed.map((each) => toJson(store, each)), swept }, () => lines);
  noteSwept(context, swept);
}
