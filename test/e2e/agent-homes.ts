// A person's home with the sessions of every agent there are fixtures of, in a copy that may be changed; and what the store made of them.
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Conversation } from '../../src/model/conversation.ts';
import type { Entry } from '../../src/model/entry.ts';
import type { Cli } from './cli-program.ts';

const fixtures = fileURLToPath(new URL('../fixtures/transcripts', import.meta.url));

/** Agents whose fixtures lie as in a home: `<agent>/<version>/.claude/…`. */
export function furnish(cli: Cli, ...agents: string[]): void {
  for (const agent of agents.length > 0 ? agents : readdirSync(fixtures)) {
    const folder = join(fixtures, agent);
    if (!existsSync(folder) || agent.endsWith('.md')) continue;
    for (const version of readdirSync(folder).filter((name) => /^\d/.test(name)))
      for (const name of readdirSync(join(folder, version)).filter((each) => each.startsWith('.')))
        cpSync(join(folder, version, name), join(cli.folder, name), { recursive: true });
  }
}

export interface ImportJson {
  dryRun: boolean;
  found: { agent: string; path: string; sessions: number; bytes: number; new: number; grown: number }[];
  sources: Record<string, number>;
  entries: number;
  messages: number;
  known: number;
  skipped: { reason: string; what: string; count: number }[];
  broken: { reason: string; what: string; path: string; line?: number }[];
  failed: { path: string; id: string; code: string; reason: string }[];
}

export async function listAll(cli: Cli, ...more: string[]): Promise<Conversation[]> {
  const { conversations } = await cli.json<{ conversations: Conversation[] }>(['list', '--all', '--limit', '1000', ...more]);
  return conversations;
}

export async function entriesOf(cli: Cli, id: string, ...more: string[]): Promise<Entry[]> {
  return (await cli.json<{ entries: Entry[] }>(['show', id, '--all', ...more])).entries;
}

/** What was said, without ids and positions. */
export function wordsOf(entries: readonly Entry[]): string[] {
  return entries.flatMap((entry) => (entry.kind === 'message' ? [`${entry.role}: ${entry.text}`] : []));
}
