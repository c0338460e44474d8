// The tools that come with Continuo, in their fixed order. A set belongs to one project: its tools share what was asked about and
// what was read, so `access` of a call has to come before its `run`, as the port says.
import { ContinuoError } from '../../model/error.ts';
import type { Recall } from '../../model/ports/recall.ts';
import type { Tool } from '../../model/ports/tool.ts';
import { createEditFile } from './edit-file.ts';
import { FileMemory } from './file-memory.ts';
import { createListFiles } from './list-files.ts';
import { ProjectPaths } from './project-paths.ts';
import { createReadFile } from './read-file.ts';
import { createRecallTool } from './recall-tool.ts';
import { type CommandRunner, createRunCommand } from './run-command.ts';
import { createSearchFiles } from './search-files.ts';
import { createWriteFile } from './write-file.ts';

export const builtinToolNames = [
  'read_file',
  'write_file',
  'edit_file',
  'list_files',
  'search_files',
  'run_command',
  'recall',
] as const;

export type BuiltinToolName = (typeof builtinToolNames)[number];

export interface BuiltinToolOptions {
  /** The project's folder. */
  root: string;
  /** Without it there is no run_command. */
  runCommand?: CommandRunner;
  /** Without it there is no recall. */
  recall?: Recall;
  /** Only these; all if left out. */
  only?: readonly string[];
}

export function createBuiltinTools(options: BuiltinToolOptions): Tool[] {
  const { root, runCommand, recall, only } = options;
  const unknown = only?.find((name) => !(builtinToolNames as readonly string[]).includes(name));
  if (unknown !== undefined) throw new ContinuoError('tool-not-found', { tool: unknown });
  const paths = new ProjectPaths(root);
  const memory = new FileMemory();
  const tools = [
    createReadFile(paths, memory),
    createWriteFile(paths, memory),
    createEditFile(paths, memory),
    createListFiles(paths),
    createSearchFiles(paths),
    ...(runCommand ? [createRunCommand(runCommand)] : []),
    ...(recall ? [createRecallTool(recall)] : []),
  ];
  return only ? tools.filter(({ name }) => only.includes(name)) : tools;
}
