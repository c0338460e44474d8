// read_file: text with line numbers. Small files are read whole and remembered, so that a later edit notices other people's changes;
// large ones by the window that was asked for.
import type { FileHandle } from 'node:fs/promises';
import * as z from 'zod';
import type { Tool, ToolContext, ToolOutcome } from '../../model/ports/tool.ts';
import { defineTool, toFileError } from './define-tool.ts';
import { wholeFileSize } from './file-change.ts';
import { type FileMemory, markOf } from './file-memory.ts';
import { type LineWindow, readLineWindow } from './line-window.ts';
import { openForReading } from './project-file.ts';
import type { Place, ProjectPaths } from './project-paths.ts';
import { decodeText, findMediaKind, findTextForm, type TextForm } from './text-encoding.ts';
import { splitLines } from './text-lines.ts';
import { pathSchema } from './tool-schemas.ts';

const defaultLines = 2000;
const maxLines = 10_000;
const maxLineLength = 2000;
/** More than this does not help a model; the window ends early and says where to go on. */
const maxOutput = 100_000;
const sampleSize = 64 * 1024;

const schema = z.strictObject({
  path: pathSchema,
  offset: z.int().min(1).optional().describe('The first line to read, counted from 1.'),
  limit: z.int().min(1).max(maxLines).optional().describe(`How many lines to read; ${defaultLines} if left out.`),
});

export function createReadFile(paths: ProjectPaths, memory: FileMemory): Tool {
  return defineTool({
    name: 'read_file',
    description:
      'Reads a text file and returns its lines, each after its number and a tab. Long files come in parts: go on with offset. Lines over 2000 characters are cut. Images and binary files cannot be read.',
    schema,
    access: ({ path }) => paths.askToRead(path, (name) => `read ${name}`),
    run: async (input, context) => {
      const place = await paths.forReading(input.path);
      try {
        const handle = await openForReading(place.real);
        try {
          return await readWindow(handle, place, input, context, memory);
        } finally {
          await handle.close();
        }
      } catch (error) {
        throw context.signal.aborted ? error : toFileError(error, place.name);
      }
    },
  });
}

async function readWindow(
  handle: FileHandle,
  place: Place,
  input: z.infer<typeof schema>,
  context: ToolContext,
  memory: FileMemory,
): Promise<ToolOutcome> {
  const { size } = await handle.stat();
  const window = { first: input.offset ?? 1, count: input.limit ?? defaultLines };
  const isLarge = size > wholeFileSize;
  const bytes = isLarge ? await readStart(handle) : await handle.readFile();
  context.signal.throwIfAborted();
  const media = findMediaKind(bytes);
  if (media) return refuse(`${place.name} is ${media} (${size} bytes). This tool reads text only.`);
  const binary = `${place.name} is a binary file (${size} bytes). This tool reads text only.`;
  if (isLarge) {
    const form = findTextForm(bytes, true);
    if (!form) return refuse(binary);
    return format(place, form, window.first, await readLineWindow(handle, form, window, context.signal));
  }
  const form = decodeText(bytes);
  if (!form) return refuse(binary);
  memory.remember(context.conversationId, place.real, markOf(bytes));
  const lines = splitLines(form.text);
  const shown = lines.slice(window.first - 1, window.first - 1 + window.count);
  const complete = window.first - 1 + window.count >= lines.length;
  return format(place, form, window.first, { lines: shown, complete, total: lines.length });
}

async function readStart(handle: FileHandle): Promise<Uint8Array> {
  const sample = Buffer.alloc(sampleSize);
  const { bytesRead } = await handle.read(sample, 0, sampleSize, 0);
  return sample.subarray(0, bytesRead);
}

function format(place: Place, form: TextForm, first: number, window: LineWindow): ToolOutcome {
  const { total } = window;
  if (total === 0) return { text: `(${place.name} is empty)`, output: { path: place.name, lines: 0 } };
  if (window.lines.length === 0) {
    return refuse(`${place.name} has only ${total} lines; line ${first} is not there.`);
  }
  let text = '';
  let shown = 0;
  for (const line of window.lines) {
    const next = `${String(first + shown).padStart(6)}\t${cutLine(line)}\n`;
    if (shown > 0 && text.length + next.length > maxOutput) break;
    text += next;
    shown += 1;
  }
  const last = first + shown - 1;
  const complete = window.complete && shown === window.lines.length;
  const notes: string[] = [];
  if (!complete) notes.push(`lines ${first} to ${last}${total ? ` of ${total}` : ''}; go on with offset ${last + 1}`);
  else if (first > 1) notes.push(`lines ${first} to ${last}, the end`);
  if (form.encoding !== 'utf-8') notes.push(`encoding ${form.encoding}`);
  if (form.damaged) notes.push('some bytes are not valid text and read as \ufffd');
  if (notes.length > 0) text += `(${notes.join('; ')})\n`;
  const output = { path: place.name, firstLine: first, lastLine: last, encoding: form.encoding, ...(total && { lines: total }) };
  return { text, output };
}

function cutLine(line: string): string {
  if (line.length <= maxLineLength) return line;
  const kept = line.slice(0, maxLineLength).toWellFormed();
  return `${kept}… (${line.length - maxLineLength} more characters)`;
}

function refuse(text: string): ToolOutcome {
  return { text, failed: true };
}
