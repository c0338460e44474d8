// continuo open: goes on with an imported conversation in its own agent and its own folder, from wherever one is.
import { lstat } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Conversation } from '../../model/conversation.ts';
import { ContinuoError } from '../../model/error.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import {
  findFormat,
  type ImportState,
  type ResumeCommand,
  readImportState,
  type TranscriptFormat,
} from '../../transcripts/transcripts.ts';
import type { Context } from '../context.ts';
import { findConversation } from '../find-conversation.ts';
import type { Help } from '../messages/messages.ts';
import { giveCure } from '../next-step.ts';
import { openHome } from '../open-home.ts';
import { plainLine } from '../output/plain-text.ts';
import { shortenId } from '../output/short-ids.ts';
import { commandLine, requireAgent, runAgent } from '../transcripts/agent-program.ts';
import { findFolder } from '../transcripts/session-folder.ts';
import { rootsOf } from '../transcripts/session-places.ts';
import { findParent, isSubAgent } from '../transcripts/sub-agents.ts';
import { usageError } from '../usage-error.ts';

export function define(command: Command, { arguments: names, commands: { open: help } }: Help): void {
  command.argument('<id>', names.id).option('-p, --print', help.options.print);
}

export async function run(
  context: Context,
  [reference = '']: readonly string[],
  { print = false }: { print?: boolean },
): Promise<number | undefined> {
  const { output, terminal, text, style } = context;
  const isPrinted = print || output.json;
  if (!isPrinted && !(terminal.stdin && terminal.stdout)) throw usageError(text.open.needsTerminal('continuo open'));
  const { format, command, movedFrom, short } = await prepare(context, reference);
  if (isPrinted) {
    const line = commandLine(command);
    output.result({ agent: format.name, ...command, line, movedFrom: movedFrom ?? null }, () => plainLine(line));
  } else await requireAgent(context, format, command);
  if (movedFrom !== undefined) {
    const handoff = `continuo handoff ${short} --to ${format.name}`;
    output.note(style.dim(text.open.moved(plainLine(movedFrom), plainLine(command.cwd ?? ''), format.label, handoff)));
  }
  return isPrinted ? undefined : runAgent(context, command);
}

interface Prepared {
  format: TranscriptFormat;
  command: ResumeCommand;
  movedFrom: string | undefined;
  short: string;
}

/** The store is closed before the agent starts. */
async function prepare(context: Context, reference: string): Promise<Prepared> {
  await using store = await openHome(context, 'read');
  const { conversation, state } = await findImported(context, store, await findConversation(store, reference));
  const short = await shortenId(store, conversation.id);
  const format = findFormat(state.agent);
  const { text } = context;
  if (!format?.resumeCommand) throw refuse(text.open.cannotResume(format?.label ?? state.agent), text.open.handOver(short));
  const path = await findSource(context, format, state);
  if (path === undefined) {
    const gone = new ContinuoError('session-source-gone', { agent: format.label, id: state.id, path: state.path });
    throw giveCure(gone, text.open.handOver(short));
  }
  const found = await findFolder(context, store, conversation);
  if (!found && state.cwd !== undefined) throw refuse(text.open.folderGone(plainLine(state.cwd)), text.open.relink(short));
  const command = format.resumeCommand({ id: state.id, cwd: found?.folder, path });
  return { format, command, movedFrom: found?.movedFrom, short };
}

/** What a sub-agent did is opened with the session it worked for. */
async function findImported(
  context: Context,
  store: ConversationStore,
  found: Conversation,
): Promise<{ conversation: Conversation; state: ImportState }> {
  const { text, output, style } = context;
  const parent = isSubAgent(found) ? await findParent(store, found) : undefined;
  if (parent) output.note(style.dim(text.open.parentOpened(await shortenId(store, parent.id))));
  const conversation = parent ?? found;
  const state = readImportState(conversation);
  if (state) return { conversation, state };
  const short = await shortenId(store, conversation.id);
  throw refuse(text.open.notImported, text.open.chatOrHandOver(short));
}

/** Where its file is: where it was, or where the agent put it since. */
async function findSource(context: Context, format: TranscriptFormat, { path, id }: ImportState): Promise<string | undefined> {
  if ((await lstat(path).catch(() => undefined)) !== undefined) return path;
  for (const root of rootsOf(context, format))
    for await (const each of format.discover(root)) if (each.type === 'source' && each.id === id) return each.path;
  return undefined;
}

function refuse(reason: string, cure: string): ContinuoError {
  return giveCure(new ContinuoError('not-resumable', { reason }), cure);
}
