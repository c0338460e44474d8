// continuo export: a conversation as JSON, JSON Lines or Markdown, to stdout or into a file.
import { extname } from 'node:path';
import type { Command } from 'commander';
import type { Entry } from '../../model/entry.ts';
import type { ConversationId } from '../../model/id.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { findName, namelessWords } from '../conversation-view.ts';
import { writeExportFile } from '../export/export-file.ts';
import { type ExportFormat, exportFormats, exportPieces } from '../export/export-format.ts';
import { findConversation } from '../find-conversation.ts';
import type { Help } from '../messages/messages.ts';
import { openHome } from '../open-home.ts';
import { readChoice } from '../option-values.ts';
import { plainLine, plainText } from '../output/plain-text.ts';
import { formatSize } from '../output/size.ts';
import { usageError } from '../usage-error.ts';

interface ExportOptions {
  to?: string;
  output?: string;
  force?: boolean;
}

export function define(command: Command, { arguments: names, commands: { export: help } }: Help): void {
  command
    .argument('<id>', names.id)
    .option('-t, --to <format>', help.options.to)
    .option('-o, --output <file>', help.options.output)
    .option('--force', help.options.force);
}

export async function run(context: Context, [reference = '']: readonly string[], options: ExportOptions): Promise<undefined> {
  const { output, text } = context;
  const file = options.output === '-' ? undefined : options.output;
  const format = chooseFormat(context, options.to, file);
  if (file === undefined && output.json && format !== 'json') throw usageError(text.usage.jsonNeedsFile);
  await using store = await openHome(context, 'read');
  const conversation = await findConversation(store, reference);
  const counter = { entries: 0 };
  const entries = counted(store, conversation.id, counter, format !== 'md');
  const name = (await findName(store, conversation)) ?? namelessWords(text, conversation);
  const pieces = exportPieces(format, { conversation, name, entries, exportedAt: context.now(), text });
  if (file === undefined) {
    // A file gets every byte as it was said; a terminal would obey some of them.
    const isShown = context.terminal.stdout && format === 'md';
    for await (const piece of pieces) await output.write(isShown ? plainText(piece) : piece);
    return;
  }
  const written = await writeExportFile(context, file, pieces, options.force === true);
  output.done({ ...written, format, entries: counter.entries }, () =>
    text.export.done(counter.entries, plainLine(written.file), formatSize(written.bytes)),
  );
}

function chooseFormat(context: Context, to: string | undefined, file: string | undefined): ExportFormat {
  if (to !== undefined) return readChoice(context, '--to', to, exportFormats);
  const extension = file === undefined ? '' : extname(file).slice(1).toLowerCase();
  return exportFormats.find((format) => format === extension) ?? (extension === 'markdown' ? 'md' : 'json');
}

async function* counted(
  store: ConversationStore,
  id: ConversationId,
  counter: { entries: number },
  withEvents: boolean,
): AsyncGenerator<Entry> {
  for await (const entry of store.readAll(id)) {
    // A page is for people; events are the machinery's own notes.
    if (entry.kind === 'event' && !withEvents) continue;
    counter.entries += 1;
    yield entry;
  }
}
