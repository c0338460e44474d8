// What the agent itself changed. Git tells, where there is one; where there is none, the files that the agent's own edits named.
import type { JsonValue } from '../base/json.ts';
import type { OpenAiMessage } from '../transcripts/openai/openai-messages.ts';
import type { ChangeSet, FileChange } from './diff/diff-manager.ts';
import type { CodeAgentManagers } from './managers.ts';

export async function findOwnChanges(
  { diffManager, gitManager }: Pick<CodeAgentManagers, 'diffManager' | 'gitManager'>,
  {
    startCommit,
    messages,
    signal,
  }: { startCommit: string | null; messages: readonly OpenAiMessage[]; signal?: AbortSignal | undefined },
): Promise<ChangeSet> {
  const options = signal ? { signal } : {};
  const changes = await diffManager.changesSince(startCommit, options);
  if (!changes.available) return { ...changes, files: listEdited(messages).map(toUnseenChange) };
  const { users } = await gitManager.ownChanges(signal);
  const left = new Set(users);
  return { ...changes, files: changes.files.filter(({ path }) => !left.has(path)) };
}

const editingTools = new Set(['edit_file', 'write_file']);

/** The files that edits named, in the order of the first edit. Refused edits count as well: checking a file too many does no harm. */
export function listEdited(messages: readonly OpenAiMessage[]): string[] {
  const paths = new Set<string>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const { function: call } of message.tool_calls ?? []) {
      const path = editingTools.has(call.name) ? readPath(call.arguments) : undefined;
      if (path !== undefined) paths.add(path);
    }
  }
  return [...paths];
}

function readPath(text: string): string | undefined {
  try {
    const { path } = JSON.parse(text) as { path?: JsonValue };
    return typeof path === 'string' && path !== '' ? path : undefined;
  } catch {
    return undefined;
  }
}

function toUnseenChange(path: string): FileChange {
  const note = 'there is no git here to compare with; read the file';
  return { path, status: 'modified', additions: 0, deletions: 0, binary: false, patch: '', note };
}
