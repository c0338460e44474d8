// edit_file: exact old text becomes new text. Everything else of the file stays as it is, byte for byte: its encoding, its byte order
// mark and its line ends.
import * as z from 'zod';
import type { Tool, ToolOutcome } from '../../model/ports/tool.ts';
import { defineTool } from './define-tool.ts';
import { changeFile } from './file-change.ts';
import type { FileMemory } from './file-memory.ts';
import { findNearestLine } from './nearest-line.ts';
import type { ProjectPaths } from './project-paths.ts';
import { decodeText, encodeText } from './text-encoding.ts';
import { pathSchema } from './tool-schemas.ts';

const schema = z
  .strictObject({
    path: pathSchema,
    old_text: z.string().min(1).describe('The text to replace, exactly as it stands in the file, without line numbers.'),
    new_text: z.string().describe('What to put in its place.'),
    replace_all: z.boolean().optional().describe('Replace every place where the old text stands; else it must stand there once.'),
  })
  .refine(({ old_text, new_text }) => old_text !== new_text, { path: ['new_text'], message: 'it is the same as old_text' });

type Input = z.infer<typeof schema>;

export function createEditFile(paths: ProjectPaths, memory: FileMemory): Tool {
  return defineTool({
    name: 'edit_file',
    description:
      'Replaces a piece of a text file. The old text must fit exactly and stand in the file once, unless replace_all is given: take enough lines around it. Read the file first.',
    schema,
    access: ({ path }) => paths.askToWrite(path, (name) => `edit ${name}`),
    run: async (input, context) => {
      const place = await paths.forWriting(input.path);
      return changeFile(place, context, memory, (before) => {
        if (!before) return refuse(`There is no file ${place.name}. Make it with write_file.`);
        return edit(place.name, before, input);
      });
    },
  });
}

function edit(
  name: string,
  before: Buffer,
  input: Input,
): { content: Uint8Array; outcome: ToolOutcome } | { outcome: ToolOutcome } {
  const decoded = decodeText(before);
  if (!decoded) return refuse(`${name} is a binary file and cannot be edited as text.`);
  const { text } = decoded;
  const same = decoded.damaged ? undefined : encodeText(text, decoded);
  if (!same || !before.equals(same))
    return refuse(`${name} holds bytes that are not valid ${decoded.encoding} text; an edit would damage them.`);
  // A model writes \n; a file with \r\n keeps it.
  const usesCrlf = text.includes('\r\n') && !/(?<!\r)\n/.test(text);
  const toFile = (given: string) => (usesCrlf ? given.replace(/\r?\n/g, '\r\n') : given);
  const old = text.includes(input.old_text) ? input.old_text : toFile(input.old_text);
  const places = findPlaces(text, old);
  if (places.length === 0) return refuse(notFound(name, text, input.old_text));
  const lines = places.slice(0, 10).map((place) => lineAt(text, place));
  if (places.length > 1 && !input.replace_all) {
    const shown = lines.join(', ') + (places.length > lines.length ? ', …' : '');
    return refuse(
      `The old text stands in ${name} ${places.length} times (lines ${shown}). Take more lines around it, or give replace_all.`,
    );
  }
  const changed = replaceAt(text, places, old.length, toFile(input.new_text).toWellFormed());
  const content = encodeText(changed, decoded);
  if (!content) return refuse(`The new text has characters that ${name} cannot hold in its encoding, ${decoded.encoding}.`);
  const where = places.length === 1 ? `line ${lines[0]}` : `${places.length} places`;
  const output = { path: name, replaced: places.length, firstLine: lines[0] as number };
  return { content, outcome: { text: `Edited ${name} at ${where}.`, output } };
}

function findPlaces(text: string, old: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(old); at >= 0; at = text.indexOf(old, at + old.length)) places.push(at);
  return places;
}

function replaceAt(text: string, places: readonly number[], length: number, replacement: string): string {
  let result = '';
  let end = 0;
  for (const place of places) {
    result += text.slice(end, place) + replacement;
    end = place + length;
  }
  return result + text.slice(end);
}

function lineAt(text: string, place: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < place; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

function notFound(name: string, text: string, old: string): string {
  const nearest = findNearestLine(text, old);
  const hint = nearest ? ` The nearest is line ${nearest.line}: ${JSON.stringify(nearest.text)}` : '';
  return `The old text stands nowhere in ${name} (0 matches).${hint}`;
}

function refuse(text: string): { outcome: ToolOutcome } {
  return { outcome: { text, failed: true } };
}
