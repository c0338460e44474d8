// The entry as this program writes it: how it looks in a file that holds nothing else, and how it is told from what somebody wrote by hand.
import { isAbsolute } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { McpClient } from './clients.ts';
import { newDocument } from './edit-json.ts';
import { withTable } from './edit-toml.ts';
import { pathOf } from './plan-change.ts';

export type Entry = Readonly<Record<string, unknown>>;

export function snippetOf(client: McpClient, entry: Entry): string {
  const path = pathOf(client);
  return client.format === 'json' ? newDocument(path, entry) : withTable('', path.join('.'), entry as never);
}

/** Whether it starts this program, by its name or by its script, as {@link ownCommand} says it. */
export function isOwnEntry(entry: unknown): entry is Entry {
  if (typeof entry !== 'object' || entry === null) return false;
  const { command, args = [] } = entry as Entry;
  const [program, script, action] = [command, args].flat();
  if (program === 'continuo') return script === 'mcp';
  return [program, script].every((word) => typeof word === 'string' && isAbsolute(word)) && action === 'mcp';
}

/** Whether a file holds such an entry and nothing else, with nothing added to it: then it was made here. */
export function isOwnFile(client: McpClient, entry: unknown, text: string | undefined): boolean {
  if (!isOwnEntry(entry) || text !== snippetOf(client, entry)) return false;
  return isDeepStrictEqual(Object.keys(entry), Object.keys(client.entry({ command: '', args: [] })));
}
