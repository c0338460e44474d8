// list_files: the names of the project's files, as far as git does not ignore them.
import { stat } from 'node:fs/promises';
import * as z from 'zod';
import type { Tool } from '../../model/ports/tool.ts';
import { defineTool, toFileError } from './define-tool.ts';
import { createGlobFilter } from './glob.ts';
import { byCodeUnits, listProjectFiles } from './project-file-list.ts';
import type { ProjectPaths } from './project-paths.ts';
import { folderSchema, globSchema } from './tool-schemas.ts';

const defaultLimit = 500;

const schema = z.strictObject({
  path: folderSchema.optional(),
  glob: globSchema.optional(),
  depth: z.int().min(1).max(100).optional().describe('Show so many levels; what lies deeper appears as its folder with a slash.'),
  limit: z.int().min(1).max(5000).optional().describe(`How many names at most; ${defaultLimit} if left out.`),
});

export function createListFiles(paths: ProjectPaths): Tool {
  return defineTool({
    name: 'list_files',
    description:
      'Lists files below a folder, one path on each line, sorted. Files that git ignores are left out. Narrow it down with glob or depth.',
    schema,
    access: ({ path = '.' }) => paths.askToRead(path, (name) => `list the files in ${name}`),
    run: async ({ path = '.', glob, depth, limit = defaultLimit }, { signal }) => {
      const place = await paths.forReading(path);
      try {
        if (!(await stat(place.real)).isDirectory())
          return { text: `${place.name} is a file. Read it with read_file.`, failed: true };
        const list = await listProjectFiles(place.real, signal);
        const fits = glob === undefined ? () => true : createGlobFilter(glob);
        const found = list.paths.filter(fits);
        const prefix = place.name === '.' ? '' : `${place.name.replace(/\/$/, '')}/`;
        const names = (depth === undefined ? found : cutAtDepth(found, depth)).map((name) => prefix + name);
        if (names.length === 0)
          return { text: glob ? `No file in ${place.name} fits ${glob}.` : `There are no files in ${place.name}.` };
        const left = names.length - limit;
        const more = left > 0 ? `\n(${left} more; narrow it down with path, glob or depth)` : '';
        const cut = list.complete ? '' : '\n(there are more files than were looked at)';
        return {
          text: names.slice(0, limit).join('\n') + more + cut,
          output: { files: names.slice(0, limit), left: Math.max(left, 0) },
        };
      } catch (error) {
        throw signal.aborted ? error : toFileError(error, place.name);
      }
    },
  });
}

function cutAtDepth(paths: readonly string[], depth: number): string[] {
  const cut = paths.map((path) => {
    const names = path.split('/');
    return names.length > depth ? `${names.slice(0, depth).join('/')}/` : path;
  });
  return [...new Set(cut)].sort(byCodeUnits);
}
