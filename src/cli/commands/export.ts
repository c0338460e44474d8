// continuo export: a conversation in a form for programs, for people or for another agent, to stdout or into a file.
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { startAgentExport } from '../export/agent-export.ts';
import { exportInto, formatOfFile, startExport } from '../export/export-conversation.ts';
import { type ExportFormat, exportFormats, isPage } from '../export/export-format.ts';
import { findConversation } from '../find-conversation.ts';
import type { Help } from '../messages/messages.ts';
import { openHome } from '../open-home.ts';
import { readChoice } from '../option-values.ts';
import { plainText } from '../output/plain-text.ts';
import { escapeObeyed } from '../output/safe-json.ts';
import { lostLine } from '../transcripts/lost-words.ts';
import { writingFormats } from '../transcripts/outgoing-session.ts';
import { findAgent } from '../transcripts/session-places.ts';
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
  const choices = [...new Set([...exportFormats, ...writingFormats.map(({ name }) => name)])];
  const format =
    options.to === undefined
      ? formatOfFile(file)
      : readChoice<string>(context, '--to', findAgent(options.to)?.name ?? options.to, choices);
  if (file === undefined && output.json && format !== 'json') throw usageError(text.usage.jsonNeedsFile);
  await using store = await openHome(context, 'read');
  const conversation = await findConversation(store, reference);
  const isOwn = exportFormats.some((each) => each === format);
  const agent = isOwn ? undefined : writingFormats.find(({ name }) => name === format);
  const started = agent
    ? await startAgentExport(context, store, conversation, { format: agent, file })
    : await startExport(context, store, conversation, format as ExportFormat);
  const { pieces, counter } = started;
  if (file === undefined) {
    // A file gets every byte as it was said; a terminal would obey some of them.
    const toShow = !context.terminal.stdout ? String : isPage(format as ExportFormat) ? plainText : escapeObeyed;
    for await (const piece of pieces) await output.write(toShow(piece));
  } else await exportInto(context, file, { ...started, pieces, counter, format, force: options.force === true });
  if ('lost' in started) output.note(...lostLine(context, started.lost));
}
