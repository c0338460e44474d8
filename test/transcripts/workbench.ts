// What the tests of imports share: fixtures in a folder of the test's own, a store, and what an import left in it.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Conversation } from '../../src/model/conversation.ts';
import type { Entry } from '../../src/model/entry.ts';
import { openStore } from '../../src/open-store.ts';
import type { ConversationStore } from '../../src/store/conversation-store.ts';
import { claudeCodeFormat } from '../../src/transcripts/claude-code/claude-code-format.ts';
import { type ImportOptions, importTranscripts } from '../../src/transcripts/import-transcripts.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';
import { collect } from './listing.ts';

export const fixtures = fileURLToPath(new URL('../fixtures/transcripts', import.meta.url));
export const claudeFixtures = join(fixtures, 'claude/2.1.325/.claude/projects');
export const codexFixtures = join(fixtures, 'codex/0.166.0/.codex/sessions');
export const geminiRoots = [join(fixtures, 'gemini/0.61.0/.gemini/tmp'), join(fixtures, 'gemini/made-by-hand/.gemini/tmp')];
export const qwenRoots = [join(fixtures, 'qwen/0.24.4/.qwen/projects'), join(fixtures, 'qwen/made-by-hand/projects')];
export const piRoots = [join(fixtures, 'pi/0.87.1/.pi/agent/sessions'), join(fixtures, 'pi/made-by-hand/sessions')];
export const opencodeFixtures = join(fixtures, 'opencode/1.18.18/.local/share/opencode');
export const copilotFixtures = join(fixtures, 'copilot/1.0.102/.copilot/session-state');
export const continueFixtures = join(fixtures, 'continue/1.5.47/.continue/sessions');

/** A copy that may be changed. */
export function copyFixtures(from: string): string {
  const folder = join(createQuickFolder('transcripts'), 'sessions');
  cpSync(from, folder, { recursive: true });
  return folder;
}

export async function openTestStore(driver: 'sqlite' | 'jsonl' = 'sqlite'): Promise<ConversationStore> {
  const store = await openStore({ home: createQuickFolder('transcripts-store'), driver });
  onTestFinished(() => store.close());
  return store;
}

export function importFrom(store: ConversationStore, root: string, options: Partial<ImportOptions> = {}) {
  const format = options.format ?? claudeCodeFormat;
  return importTranscripts({ store, format, sources: format.discover(root), ...options });
}

export interface Stored {
  conversation: Conversation;
  entries: Entry[];
}

/** Everything there is, by key. */
export async function readStore(store: ConversationStore): Promise<Map<string, Stored>> {
  const all = new Map<string, Stored>();
  const { items } = await store.list({ limit: 1000 });
  for (const conversation of items)
    all.set(conversation.key ?? conversation.id, { conversation, entries: await collect(store.readAll(conversation.id)) });
  return all;
}
