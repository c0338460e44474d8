// continuo export: a conversation as JSON, JSON Lines or Markdown, to stdout or into a file.
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { exportInto, formatOfFile, startExport } from '../export/export-conversation.ts';
import { exportFormats } from '../export/export-format.ts';
import { findConversation } from '../find-conversation.ts';
import type { Help } from '../messages/messages.ts';
import { openHome } from '../open-home.ts';
import { readChoice } from '../option-values.ts';
import { plainText } from '../output/plain-text.ts';
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
  const format = options.to === undefined ? formatOfFile(file) : readChoice(context, '--to', options.to, exportFormats);
  if (file === undefined && output.json && format !== 'json') throw usageError(text.usage.jsonNeedsFile);
  await using store = await openHome(context, 'read');
  const conversation = await findConversation(store, reference);
  const { pieces, counter } = await startExport(context, store, conversation, format);
  if (file === undefined) {
    // A file gets every byte as it was said; a terminal would obey some of them.
    const isShown = context.terminal.stdout && format === 'md';
    for await (const piece of pieces) await output.write(isShown ? plainText(piece) : piece);
    return;
  }
  await exportInto(context, file, { pieces, counter, format, force: options.force === true });
}
