// continuo handoff: a conversation as a session of another agent, in that agent's own folder, and the command that goes on with it there.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { ContinuoError } from '../../model/error.ts';
import { toStoreError } from '../../store/io-fault.ts';
import { type ResumeCommand, rememberHandover, type WrittenTranscript } from '../../transcripts/transcripts.ts';
import type { Context } from '../context.ts';
import { findName, namelessWords } from '../conversation-view.ts';
import { findConversation } from '../find-conversation.ts';
import type { Help } from '../messages/messages.ts';
import { tellInstead } from '../next-step.ts';
import { canAsk, openHome } from '../open-home.ts';
import { readChoice } from '../option-values.ts';
import { plainLine } from '../output/plain-text.ts';
import { confirm } from '../prompt/confirm.ts';
import { workingFolder } from '../recall/here.ts';
import { commandLine, isInstalled, requireAgent, runAgent } from '../transcripts/agent-program.ts';
import { shortenHome } from '../transcripts/import-view.ts';
import { lostLine } from '../transcripts/lost-words.ts';
import { createOutgoing, hasWords, resumingFormats, type WritingFormat } from '../transcripts/outgoing-session.ts';
import { findFolder, recordedFolder } from '../transcripts/session-folder.ts';
import { findAgent, rootsOf } from '../transcripts/session-places.ts';
import { usageError } from '../usage-error.ts';

interface HandoffOptions {
  to?: string;
  root?: string;
  yes?: boolean;
  run?: boolean;
}

export function define(command: Command, { arguments: names, commands: { handoff: help } }: Help): void {
  command
    .argument('<id>', names.id)
    .requiredOption('-t, --to <agent>', help.options.to)
    .option('--root <folder>', help.options.root)
    .option('-y, --yes', help.options.yes)
    .option('--run', help.options.run);
}

export async function run(
  context: Context,
  [reference = '']: readonly string[],
  options: HandoffOptions,
): Promise<number | undefined> {
  const { output, text, style, terminal } = context;
  const format = readAgent(context, options.to ?? '');
  const isRun = options.run === true;
  if (isRun && !(terminal.stdin && terminal.stdout)) throw usageError(text.handoff.needsTerminal);
  const root = options.root === undefined ? (rootsOf(context, format)[0] as string) : resolve(options.root);
  const { written, resume } = await writeSession(context, reference, { format, root, yes: options.yes === true, isRun });
  const line = resume && commandLine(resume);
  const { id, files, entries, lost } = written;
  const json = { agent: format.name, id, files, entries, lost, resume: resume ? { ...resume, line } : null };
  output.done(
    json,
    () => [
      text.handoff.done(entries, format.label, files.map((file) => plainLine(shortenHome(file, context.env.HOME))).join(' ')),
      ...lostLine(context, lost),
      ...(line === undefined ? [] : [text.handoff.goOn, `  ${style.cyan(plainLine(line))}`]),
    ],
    line,
  );
  if (!resume) return undefined;
  // One that is named by its file is found wherever it is.
  const isFound = rootsOf(context, format).includes(root) || files.some((file) => resume.args.includes(file));
  if (!isFound) output.note(style.dim(text.handoff.otherRoot(format.label, plainLine(root))));
  if (isRun) return runAgent(context, resume);
  if (!(await isInstalled(context, resume)))
    output.note(style.dim(text.handoff.notInstalled(format.label, plainLine(resume.command))));
  return undefined;
}

interface Handover {
  written: WrittenTranscript;
  resume: ResumeCommand | undefined;
}

/** The store is closed before the agent starts. */
async function writeSession(
  context: Context,
  reference: string,
  { format, root, yes, isRun }: { format: WritingFormat; root: string; yes: boolean; isRun: boolean },
): Promise<Handover> {
  const { text, output, style } = context;
  await using store = await openHome(context, 'write');
  const conversation = await findConversation(store, reference);
  if (!(await hasWords(store, conversation)))
    throw new ContinuoError('not-resumable', { reason: 'nothing that was said in it is stored' });
  const found = await findFolder(context, store, conversation);
  const folder = found?.folder ?? workingFolder();
  const gone = found?.movedFrom ?? (found ? undefined : recordedFolder(conversation));
  if (isRun && format.resumeCommand) await requireAgent(context, format, format.resumeCommand({ id: '', cwd: folder }));
  if (gone !== undefined) output.note(style.yellow(text.handoff.otherFolder(plainLine(gone), plainLine(folder))));
  if (!yes) {
    const turnedDown = tellInstead(new ContinuoError('not-confirmed'), text.handoff.notConfirmed);
    if (!canAsk(context) || output.json) throw turnedDown;
    const name = plainLine((await findName(store, conversation)) ?? namelessWords(text, conversation));
    if (!(await confirm(text.handoff.question(name, format.label, plainLine(root))))) throw turnedDown;
  }
  const { session, lost } = createOutgoing(store, conversation, folder);
  const written = await format.write(session, { root }).catch((error: unknown) => {
    throw toStoreError(error, root);
  });
  await rememberHandover(store, conversation, format, written);
  const resume = format.resumeCommand?.({ id: written.id, cwd: folder, path: written.files[0] });
  return { written: { ...written, lost: { ...lost, ...written.lost } }, resume };
}

function readAgent(context: Context, name: string): WritingFormat {
  const format = findAgent(name);
  const writing = resumingFormats.find((each) => each === format);
  if (writing) return writing;
  const names = resumingFormats.map((each) => each.name);
  return resumingFormats.find((each) => each.name === readChoice(context, '--to', name, names)) as WritingFormat;
}
