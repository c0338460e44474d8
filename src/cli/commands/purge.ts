// continuo purge: removes trashed conversations for good. It shows what will go and does nothing without a clear yes.
import type { Command } from 'commander';
import type { Conversation } from '../../model/conversation.ts';
import { ContinuoError } from '../../model/error.ts';
import type { ConversationId } from '../../model/id.ts';
import type { ConversationPage } from '../../model/list-query.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { findConversations } from '../find-conversation.ts';
import type { Help } from '../messages/messages.ts';
import { canAsk, keyOf, openHome } from '../open-home.ts';
import { shortenId } from '../output/short-ids.ts';
import { confirm } from '../prompt/confirm.ts';
import { cleanIndex } from '../recall/clean-index.ts';
import { noteSwept, sweepDue } from '../sweep-due.ts';
import { describeDoomed, findDoomedFiles } from '../team/look-at-sessions.ts';
import { findSubAgentsOf } from '../transcripts/sub-agents.ts';
import { renderListed, withPreviews } from './list.ts';

interface PurgeOptions {
  withForks?: boolean;
  yes?: boolean;
}

export function define(command: Command, { arguments: names, commands: { purge } }: Help): void {
  command.argument('<ids...>', names.ids).option('--with-forks', purge.options.withForks).option('-y, --yes', purge.options.yes);
}

export async function run(
  context: Context,
  references: readonly string[],
  { withForks = false, yes = false }: PurgeOptions,
): Promise<undefined> {
  await using store = await openHome(context, 'read');
  const found = await findConversations(store, references);
  const doomed = await planPurge(store, found, withForks);
  const sessionFiles = await findDoomedFiles(context, keyOf(store), doomed);
  const staying = await findSubAgentsOf(store, doomed);
  const stay = staying.length === 0 ? [] : [context.text.purge.subAgentsStay(staying.length, await listIds(store, staying))];
  if (!yes) await askFirst(context, store, doomed, [...describeDoomed(context, sessionFiles), ...stay]);
  const purged: ConversationId[] = [];
  for (const { id } of found) if (!purged.includes(id)) purged.push(...(await store.purge(id, { withForks })));
  await cleanIndex(context, store);
  const swept = await sweepDue(context, store);
  const subAgents = staying.map(({ id }) => id);
  context.output.done({ purged, sessionFiles, subAgents, swept }, () => [
    context.text.purge.done(purged.length),
    ...(sessionFiles.length > 0 ? [context.text.sessionFiles.went(sessionFiles.length)] : []),
    ...stay,
  ]);
  noteSwept(context, swept);
}

/** Everything that would go; refuses what the store would refuse, before anybody is asked and before anything is removed. */
async function planPurge(store: ConversationStore, found: readonly Conversation[], withForks: boolean): Promise<Conversation[]> {
  const doomed = new Map<string, Conversation>();
  for (const conversation of found) {
    const { id, trashedAt } = conversation;
    if (trashedAt === undefined) throw new ContinuoError('not-in-trash', { id });
    doomed.set(id, conversation);
    const forks = await forksOf(store, id);
    if (forks.length > 0 && !withForks) {
      throw new ContinuoError('has-forks', { id, count: forks.length, forks: forks.map((fork) => fork.id) });
    }
    for (const fork of forks) doomed.set(fork.id, fork);
  }
  return [...doomed.values()];
}

async function askFirst(
  context: Context,
  store: ConversationStore,
  doomed: Conversation[],
  besides: readonly string[],
): Promise<void> {
  if (!canAsk(context) || context.output.json) throw new ContinuoError('not-confirmed');
  const table = await renderListed(context, store, await withPreviews(store, doomed), false);
  process.stderr.write(`${[context.text.purge.willGo(doomed.length), ...table, ...besides].join('\n')}\n`);
  if (!(await confirm(context.text.purge.question))) throw new ContinuoError('not-confirmed');
}

async function listIds(store: ConversationStore, conversations: readonly Conversation[]): Promise<string> {
  const ids: string[] = [];
  for (const { id } of conversations) ids.push(await shortenId(store, id));
  return ids.join(' ');
}

async function forksOf(store: ConversationStore, id: ConversationId): Promise<Conversation[]> {
  const forks: Conversation[] = [];
  let cursor: string | undefined;
  do {
    const page: ConversationPage = await store.list({
      forkedFrom: id,
      trash: 'include',
      ...(cursor !== undefined && { cursor }),
    });
    for (const fork of page.items) forks.push(fork, ...(await forksOf(store, fork.id)));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return forks;
}
