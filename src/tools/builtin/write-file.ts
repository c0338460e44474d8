// write_file: the whole content of a file, new or replaced, in one step. Refuses to overwrite a change the conversation has not seen.
import * as z from 'zod';
import type { Tool } from '../../model/ports/tool.ts';
import { defineTool } from './define-tool.ts';
import { changeFile } from './file-change.ts';
import type { FileMemory } from './file-memory.ts';
import type { ProjectPaths } from './project-paths.ts';
import { decodeText } from './text-encoding.ts';
import { countLines, splitLines } from './text-lines.ts';
import { pathSchema } from './tool-schemas.ts';

const schema = z.strictObject({
  path: pathSchema,
  content: z.string().describe('The whole content of the file, written as UTF-8.'),
});

export function createWriteFile(paths: ProjectPaths, memory: FileMemory): Tool {
  return defineTool({
    name: 'write_file',
    description:
      'Writes a whole text file, replacing what was there; missing folders are made. Read an existing file first. To change parts of a file use edit_file.',
    schema,
    access: ({ path, content }) => paths.askToWrite(path, (name) => `write ${countLines(splitLines(content).length)} to ${name}`),
    run: async (input, context) => {
      const place = await paths.forWriting(input.path);
      const content = Buffer.from(input.content.toWellFormed(), 'utf8');
      const lines = splitLines(input.content).length;
      return changeFile(place, context, memory, (before) => {
        const { name: path } = place;
        if (!before) {
          const output = { path, created: true, lines };
          return { content, outcome: { text: `Created ${path} (${countLines(lines)}).`, output } };
        }
        if (before.equals(content)) return { outcome: { text: `${path} has this content already (${countLines(lines)}).` } };
        const linesBefore = splitLines(decodeText(before)?.text ?? '').length;
        const output = { path, created: false, lines, linesBefore };
        return { content, outcome: { text: `Changed ${path} (${countLines(lines)}, before ${linesBefore}).`, output } };
      });
    },
  });
}
