// The forms a conversation can be exported in. Each is a stream of pieces: an export of any length needs the memory of one entry, but for
// `openai` and `snapshot`, whose parts belong together.
import { safeJson } from '../output/safe-json.ts';
import type { ExportSource } from './export-source.ts';
import { exportHtml } from './html-export.ts';
import { exportMarkdown } from './markdown-export.ts';
import { exportOpenAi } from './openai-export.ts';

export const exportFormats = ['json', 'jsonl', 'md', 'html', 'openai', 'snapshot'] as const;
export type ExportFormat = (typeof exportFormats)[number];
/** Those that are made entry by entry. */
export type EntryFormat = Exclude<ExportFormat, 'snapshot'>;

/** Pages are for people: what the machinery noted is no part of them. */
export function isPage(format: ExportFormat): boolean {
  return format === 'md' || format === 'html';
}

const format = 'continuo-conversation';
const version = 1;

const makers: Readonly<Record<EntryFormat, (source: ExportSource) => AsyncGenerator<string>>> = {
  json: exportJson,
  jsonl: exportJsonl,
  md: exportMarkdown,
  html: exportHtml,
  openai: exportOpenAi,
};

export function exportPieces(as: EntryFormat, source: ExportSource): AsyncGenerator<string> {
  return makers[as](source);
}

/** One object; the entries one to a line. */
async function* exportJson({ conversation, entries, exportedAt }: ExportSource): AsyncGenerator<string> {
  const head = safeJson({ format, version, exportedAt, conversation });
  yield `${head.slice(0, -1)},"entries":[`;
  let separator = '\n';
  for await (const entry of entries) {
    yield separator + safeJson(entry);
    separator = ',\n';
  }
  yield '\n]}\n';
}

/** A head line, then one line an entry. */
async function* exportJsonl({ conversation, entries, exportedAt }: ExportSource): AsyncGenerator<string> {
  yield `${safeJson({ format, version, exportedAt, conversation })}\n`;
  for await (const entry of entries) yield `${safeJson(entry)}\n`;
}
