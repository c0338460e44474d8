// The forms a conversation can be exported in. Each is a stream of pieces: an export of any length needs the memory of one entry.
import { safeJson } from '../output/safe-json.ts';
import type { ExportSource } from './export-source.ts';
import { exportMarkdown } from './markdown-export.ts';

export const exportFormats = ['json', 'jsonl', 'md'] as const;
export type ExportFormat = (typeof exportFormats)[number];

const format = 'continuo-conversation';
const version = 1;

export function exportPieces(as: ExportFormat, source: ExportSource): AsyncGenerator<string> {
  if (as === 'json') return exportJson(source);
  return as === 'jsonl' ? exportJsonl(source) : exportMarkdown(source);
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
