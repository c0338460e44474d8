// Makes everything ready that a saved state needs to live again: the folder, the model, the managers, the conversation. Whatever can
// go wrong with a restore goes wrong here, before anything of the agent has changed.
import { basename, dirname } from 'node:path';
import type { TextModel } from '../model/ports/text-model.ts';
import { sessionFolderName } from '../snapshot/saved-session-list.ts';
import type { SessionNotice } from '../snapshot/session-notice.ts';
import type { AgentSession, SavedConversation } from './agent-session.ts';
import { addWords, firstWords } from './asked-words.ts';
import type { CodeAgentOptions } from './code-agent-options.ts';
import type { CodeAgentSettings, CodeAgentState, WorkState } from './code-agent-state.ts';
import { findCopied } from './copied-session.ts';
import type { DirtyPaths } from './git/dirty-paths.ts';
import type { CodeAgentManagers } from './managers.ts';
import { noteFiles } from './own-changes.ts';
import { createWarning } from './restore-notices.ts';
import { findRoot } from './restore-root.ts';

export interface Prepared {
  settings: CodeAgentSettings;
  model: TextModel;
  managers: CodeAgentManagers;
  dirty: DirtyPaths | undefined;
  task: string | undefined;
  work: WorkState;
  session: AgentSession | undefined;
  /** What is here now differs from the file: the folder, the model or the conversation. */
  isOther: boolean;
}

export interface PrepareParts {
  options: CodeAgentOptions;
  /** Who works now. */
  model: TextModel;
  rebuildManagers(root: string, dirty: DirtyPaths | undefined): CodeAgentManagers;
  open(prepared: Omit<Prepared, 'work' | 'session' | 'isOther'>, saved: SavedConversation): Promise<AgentSession>;
  notify(notice: SessionNotice): void;
}

export async function prepareRestore(state: CodeAgentState, path: string, parts: PrepareParts): Promise<Prepared> {
  const { options, rebuildManagers, notify } = parts;
  const { root, moved } = await locate(state, path, parts);
  const found = state.model_name === parts.model.id ? parts.model : await options.findModel?.(state.model_name);
  const model = found ?? parts.model;
  const managers = rebuildManagers(root, state.dirty_at_start);
  const { tool_group, model_group, disable_review, review_max_iterations, non_interactive } = state;
  const settings = { root_dir: root, tool_group, model_group, disable_review, review_max_iterations, non_interactive };
  // Nobody wrote down where the work began: then it begins now, and what has been changed so far is the person's.
  const dirty = state.dirty_at_start ?? (state.start_commit === null ? await managers.gitManager.dirtyAtStart() : undefined);
  const task = state.task ?? firstWords(state.messages);
  noteFiles(managers.contextManager, state.messages);
  const prepared = { settings, model, managers, dirty, task };
  const hasWords = state.conversation !== undefined || state.messages.length > 0;
  const isGone = state.start_commit !== null && !(await managers.gitManager.hasCommit(state.start_commit));
  const copied = moved ? await findCopied(path, state.root_dir) : undefined;
  const session = hasWords ? await parts.open(prepared, { ...state, copied }) : undefined;
  // The log may hold more than the file.
  if (session) noteFiles(managers.contextManager, session.messages);
  if (moved) notify(createWarning('code-root-moved', { from: state.root_dir, to: root }));
  if (model.id !== state.model_name) notify(createWarning('code-model-other', { saved: state.model_name, model: model.id }));
  if (isGone) notify(createWarning('code-commit-gone', { commit: String(state.start_commit) }));
  const isOther = moved || model.id !== state.model_name || (session?.isAnother ?? false);
  return { ...prepared, ...takeUp(state, task, session?.saidSince ?? []), session, isOther };
}

/** How far the work is. Words that the model was told after the last save are what it works on. */
function takeUp(
  { work }: CodeAgentState,
  task: string | undefined,
  saidSince: readonly string[],
): Pick<Prepared, 'work' | 'task'> {
  const saved = work ?? { phase: task === undefined ? 'idle' : 'working', checks: 0, reviews: 0 };
  const [words] = saidSince;
  if (words === undefined) return { work: { ...saved }, task };
  // At rest it is the person who speaks first.
  if (saved.phase === 'done') return { work: { phase: 'working', checks: 0, reviews: 0 }, task: addWords(task, words) };
  return { work: { ...saved, phase: 'working' }, task: task ?? words };
}

function locate(
  { root_dir: saved, start_commit: start }: CodeAgentState,
  path: string,
  { options, rebuildManagers }: PrepareParts,
): Promise<{ root: string; moved: boolean }> {
  const { isRootNamed, rootDir } = options;
  const folder = dirname(path);
  return findRoot({
    saved,
    places: [...(basename(folder) === sessionFolderName ? [dirname(folder)] : []), rootDir],
    named: isRootNamed ? rootDir : undefined,
    isSameProject: async (place) => start !== null && rebuildManagers(place, undefined).gitManager.hasCommit(start),
  });
}
