// What a change would put into a file, shown to whoever is asked to allow it: the beginning of the new content, or the lines that go
// and the lines that come. Never long, and nothing in it can hide.
import type { JsonValue } from '../../base/json.ts';
import type { Context } from '../context.ts';
import { visibleText } from '../output/plain-text.ts';

const mostLines = 10;
const mostColumns = 120;

/** No lines where the call changes no file, or where its input cannot be read. */
export function previewChange(context: Context, tool: string, input: JsonValue | undefined): string[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return [];
  const { content, old_text: old, new_text: changed, replace_all: everywhere } = input;
  if (tool === 'write_file' && typeof content === 'string') return listLines(context, '+', toLines(content));
  if (tool !== 'edit_file' || typeof old !== 'string' || typeof changed !== 'string') return [];
  const [gone, come] = withoutCommonEnds(toLines(old), toLines(changed));
  const scope = everywhere === true ? [context.style.dim(`    ${context.text.approval.everywhere}`)] : [];
  return [...scope, ...listLines(context, '-', gone), ...listLines(context, '+', come)];
}

function listLines({ text, style }: Context, sign: string, lines: readonly string[]): string[] {
  const left = lines.length - mostLines;
  const shown = lines.slice(0, mostLines).map((line) => `    ${sign} ${cut(line)}`.trimEnd());
  return [...shown, ...(left > 0 ? [`    ${text.approval.moreLines(left)}`] : [])].map(style.dim);
}

/** Only where they differ; lines that stay say nothing about the change. */
function withoutCommonEnds(old: readonly string[], changed: readonly string[]): [string[], string[]] {
  const most = Math.min(old.length, changed.length);
  let start = 0;
  while (start < most && old[start] === changed[start]) start += 1;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === changed.at(-1 - end)) end += 1;
  return [old.slice(start, old.length - end), changed.slice(start, changed.length - end)];
}

function toLines(text: string): string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function cut(line: string): string {
  const shown = visibleText(line.slice(0, mostColumns * 2));
  return shown.length > mostColumns || line.length > mostColumns * 2 ? `${shown.slice(0, mostColumns).toWellFormed()}…` : shown;
}
