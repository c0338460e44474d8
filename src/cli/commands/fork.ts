// continuo fork: a new conversation that shares what was said before.
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { toJson } from '../conversation-view.ts';
import { findForkPlace } from '../fork-place.ts';
import type { Help } from '../messages/messages.ts';
import { openHome } from '../open-home.ts';
import { shortenIds } from '../output/short-ids.ts';

interface ForkOptions {
  at?: string;
  title?: string;
}

export function define(command: Command, { commands: { fork } }: Help): void {
  command
    .argument('<id>', fork.arguments.id)
    .option('--at <entry>', fork.options.at)
    .option('--title <title>', fork.options.title);
}

export async function run(context: Context, [reference = '']: readonly string[], { at, title }: ForkOptions): Promise<undefined> {
  await using store = await openHome(context, 'write');
  const place = await findForkPlace(context, store, reference, at);
  const fork = await store.fork(place.origin.id, {
    ...(place.at !== undefined && { at: place.at }),
    ...(title !== undefined && { title }),
  });
  const ids = await shortenIds(store, [fork.id, place.origin.id]);
  const [id, origin] = [ids.get(fork.id) as string, ids.get(place.origin.id) as string];
  const { style, text } = context;
  context.output.done({ conversation: toJson(store, fork) }, () => text.fork.done(style.cyan(id), origin, fork.lastSeq), fork.id);
  if (context.terminal.stdout) context.output.note(style.dim(text.append.goOn(id)));
}
