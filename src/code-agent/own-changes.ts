// What the agent itself changed. Git tells, where there is one; where there is none, the files that the agent's own edits named.
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { JsonValue } from '../base/json.ts';
import { fromOpenAiMessage, type OpenAiMessage } from '../transcripts/openai/openai-messages.ts';
import { type ChangeSet, DiffManager, type FileChange } from './diff/diff-manager.ts';
import { type DirtyPaths, markDirtyPaths } from './git/dirty-paths.ts';
import type { CodeAgentManagers } from './managers.ts';

export interface OwnChangesQuestion {
  root: string;
  startCommit: string | null;
  /** What the person had changed before the work began. */
  dirty: DirtyPaths | undefined;
  messages: readonly OpenAiMessage[];
  signal?: AbortSignal | undefined;
}

export async function findOwnChanges(
  { diffManager, gitManager }: Pick<CodeAgentManagers, 'diffManager' | 'gitManager'>,
  { root, startCommit, dirty = [], messages, signal }: OwnChangesQuestion,
): Promise<ChangeSet> {
  const options = signal ? { signal } : {};
  const changes = await diffManager.changesSince(startCommit, options);
  if (!changes.available) return { ...changes, files: listEdited(messages).map(toUnseenChange) };
  const { users } = await gitManager.ownChanges(signal);
  const left = new Set([...users, ...(await findCommitted(root, dirty, changes, signal))]);
  const inner = await findInner(root, gitManager, messages, signal);
  return { ...changes, files: [...changes.files.filter(({ path }) => !left.has(path)), ...inner] };
}

/**
 * What the agent's edits changed in repositories inside of this one, such as submodules: git does not tell of it from here, and nobody
 * would look at it.
 */
export async function findInner(
  root: string,
  gitManager: CodeAgentManagers['gitManager'],
  messages: readonly OpenAiMessage[],
  signal?: AbortSignal,
): Promise<FileChange[]> {
  const found: FileChange[] = [];
  for (const [folder, paths] of groupInner(root, listEdited(messages))) {
    const git = gitManager.inside(folder);
    const { files } = await new DiffManager({ git }).changesSince(await git.currentCommit(signal), {
      paths,
      ...(signal && { signal }),
    });
    found.push(...files.map((file) => ({ ...file, path: posix.join(folder, file.path) })));
  }
  return found;
}

/** By the innermost repository below the root that holds them. */
function groupInner(root: string, paths: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const given of paths) {
    const path = posix.relative(root, posix.resolve(root, given));
    if (path === '' || path.startsWith('..')) continue;
    for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) {
      if (!existsSync(join(root, folder, '.git'))) continue;
      groups.set(folder, [...(groups.get(folder) ?? []), posix.relative(folder, path)]);
      break;
    }
  }
  return groups;
}

/** What the person had changed before and has committed since, as it was. */
async function findCommitted(root: string, dirty: DirtyPaths, { files }: ChangeSet, signal?: AbortSignal): Promise<string[]> {
  const earlier = new Map(dirty);
  const present = files.filter(({ path }) => earlier.has(path));
  const marks = present.length > 0 ? await markDirtyPaths(root, present, signal) : [];
  return marks.filter(([path, mark]) => earlier.get(path) === mark).map(([path]) => path);
}

/** Tells the context manager what a call reads or changes. */
export function noteFile(context: CodeAgentManagers['contextManager'], tool: string, input: JsonValue): void {
  const path = readPath(input);
  if (path === undefined) return;
  if (tool === 'read_file') context.noteRead(path);
  if (editingTools.has(tool)) context.noteChange(path);
}

/** The same for all that was done before. */
export function noteFiles(context: CodeAgentManagers['contextManager'], messages: readonly OpenAiMessage[]): void {
  for (const { tool, input } of listCalls(messages)) noteFile(context, tool, input);
}

const editingTools = new Set(['edit_file', 'write_file']);

/** The files that edits named, in the order of the first edit. Refused edits count as well: checking a file too many does no harm. */
export function listEdited(messages: readonly OpenAiMessage[]): string[] {
  const paths = new Set<string>();
  for (const { tool, input } of listCalls(messages)) {
    const path = editingTools.has(tool) ? readPath(input) : undefined;
    if (path !== undefined) paths.add(path);
  }
  return [...paths];
}

/** Saved messages come from a file that may hold anything. */
function* listCalls(messages: readonly OpenAiMessage[]): Generator<{ tool: string; input: JsonValue }> {
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const entry of fromOpenAiMessage(message as unknown as JsonValue))
      if (entry.kind === 'tool-call') yield { tool: entry.tool, input: entry.input };
  }
}

function readPath(input: JsonValue): string | undefined {
  const path = (input as { path?: JsonValue } | null)?.path;
  return typeof path === 'string' && path !== '' ? path : undefined;
}

function toUnseenChange(path: string): FileChange {
  const note = 'there is no git here to compare with; read the file';
  return { path, status: 'modified', additions: 0, deletions: 0, binary: false, patch: '', note };
}
