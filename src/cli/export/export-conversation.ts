// One conversation on its way out: what it is made of, in which form, and into which file.
import { extname } from 'node:path';
import type { Conversation } from '../../model/conversation.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationId } from '../../model/id.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { findName, namelessWords } from '../conversation-view.ts';
import { plainLine } from '../output/plain-text.ts';
import { formatSize } from '../output/size.ts';
import { writeExportFile } from './export-file.ts';
import { type ExportFormat, exportFormats, exportPieces, isPage } from './export-format.ts';

export interface StartedExport {
  pieces: AsyncIterable<string>;
  /** How many entries went out so far. */
  counter: { entries: number };
  /** As the session of another agent, or as messages for a model: what it cannot carry. Filled while the pieces are read. */
  lost?: Readonly<Record<string, number>>;
}

export async function startExport(
  { text, now }: Context,
  store: ConversationStore,
  conversation: Conversation,
  format: ExportFormat,
): Promise<StartedExport> {
  const counter = { entries: 0 };
  const name = (await findName(store, conversation)) ?? namelessWords(text, conversation);
  if (format === 'snapshot') {
    const { exportSnapshot } = await import('./snapshot-export.ts');
    return { pieces: exportSnapshot(store, { conversation, name, counter }), counter };
  }
  // A page is for people; events are the machinery's own notes.
  const leftOut = new Set<string>(isPage(format) ? ['event'] : format === 'openai' ? unsaidToModels : []);
  const lost: Record<string, number> = {};
  const entries = counted(store, conversation.id, counter, { leftOut, lost });
  const pieces = exportPieces(format, { conversation, name, entries, exportedAt: now(), text });
  return { pieces, counter, ...(format === 'openai' && { lost }) };
}

/** What has no place among the messages of chat completions. */
const unsaidToModels = ['thinking', 'label', 'event', 'summary', 'withheld'];

/** Writes the file, and says so. */
export async function exportInto(
  context: Context,
  file: string,
  { pieces, counter, lost, format, force }: StartedExport & { format: string; force: boolean },
): Promise<void> {
  const written = await writeExportFile(context, file, pieces, force);
  context.output.done({ ...written, format, entries: counter.entries, ...(lost && { lost }) }, () =>
    context.text.export.done(counter.entries, plainLine(written.file), formatSize(written.bytes)),
  );
}

/** What the ending of its name says; JSON where it says nothing. */
export function formatOfFile(file: string | undefined): ExportFormat {
  const extension = file === undefined ? '' : extname(file).slice(1).toLowerCase();
  return exportFormats.find((format) => format === extension) ?? otherEndings[extension] ?? 'json';
}

const otherEndings: Readonly<Record<string, ExportFormat>> = { markdown: 'md', htm: 'html' };

async function* counted(
  store: ConversationStore,
  id: ConversationId,
  counter: { entries: number },
  { leftOut, lost }: { leftOut: ReadonlySet<string>; lost: Record<string, number> },
): AsyncGenerator<Entry> {
  for await (const entry of store.readAll(id)) {
    const reason = [entry.kind, ...(entry.withheld === undefined ? [] : ['withheld'])].find((each) => leftOut.has(each));
    if (reason !== undefined) {
      lost[reason] = (lost[reason] ?? 0) + 1;
      continue;
    }
    counter.entries += 1;
    yield entry;
  }
}
