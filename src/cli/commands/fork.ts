// continuo fork: a new conversation that shares what was said before.
import type { Command } from 'commander';
import type { Conversation } from '../../model/conversation.ts';
import { ContinuoError } from '../../model/error.ts';
import { parseEntryId } from '../../model/id.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { toJson } from '../conversation-view.ts';
import { findConversation } from '../find-conversation.ts';
import type { Help } from '../messages/messages.ts';
import { openHome } from '../open-home.ts';
import { readCount } from '../option-values.ts';
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
  const place = await findPlace(context, store, reference, at);
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

interface Place {
  origin: Conversation;
  at?: number;
}

/** An entry's id alone says where to fork; with a conversation beside it, it must be one of that conversation's entries. */
async function findPlace(context: Context, store: ConversationStore, reference: string, at: string | undefined): Promise<Place> {
  if (at === undefined && reference.startsWith('ent_')) {
    const { conversationId, seq } = parseEntryId(reference);
    return { origin: await store.get(conversationId), at: seq };
  }
  const origin = await findConversation(store, reference);
  if (at === undefined) return { origin };
  if (!at.startsWith('ent_')) return { origin, at: readCount(context, '--at', at) };
  const { seq } = parseEntryId(at);
  const [entry] = (await store.read(origin.id, { after: seq - 1, before: seq + 1 })).items;
  if (entry?.id !== at) throw new ContinuoError('entry-not-found', { id: origin.id, entry: at });
  return { origin, at: seq };
}
