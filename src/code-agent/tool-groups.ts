// The named sets of tools an agent may work with.
import { ContinuoError } from '../model/error.ts';
import type { Tool } from '../model/ports/tool.ts';

const readingTools = ['read_file', 'list_files', 'search_files', 'recall', 'who_imports', 'find_context'];

export const toolGroups: Readonly<Record<string, readonly string[] | 'all'>> = { default: 'all', 'read-only': readingTools };

export function chooseTools(group: string, tools: readonly Tool[]): Tool[] {
  const chosen = Object.hasOwn(toolGroups, group) ? toolGroups[group] : undefined;
  if (chosen === undefined) throw new ContinuoError('code-tools-unknown', { group, known: Object.keys(toolGroups).join(', ') });
  return tools.filter(({ name }) => chosen === 'all' || chosen.includes(name));
}

/** Whether an agent with these tools can alter anything; where not, nothing that changes is its doing. */
export function mayChange(group: string): boolean {
  return toolGroups[group] === 'all';
}
