// The conversation an agent works in, with its tools and its first look at the project. A restored agent looks again: files may have
// changed since, and the folder may be another one.
import type { NewConversation } from '../model/conversation.ts';
import type { TextModel } from '../model/ports/text-model.ts';
import type { Tool } from '../model/ports/tool.ts';
import type { RuntimeEvent } from '../runtime/runtime-event.ts';
import { createBuiltinTools } from '../tools/builtin/builtin-tools.ts';
import { AgentSession, type SavedConversation } from './agent-session.ts';
import { titleOf } from './asked-words.ts';
import type { CodeAgentOptions } from './code-agent-options.ts';
import type { CodeAgentSettings } from './code-agent-state.ts';
import { buildWorkInstructions } from './instructions.ts';
import type { CodeAgentManagers } from './managers.ts';
import { chooseTools } from './tool-groups.ts';

export interface WorkPlace {
  managers: CodeAgentManagers;
  settings: CodeAgentSettings;
  model: TextModel;
  task: string | undefined;
  /** Besides the built-in ones. */
  tools: readonly Tool[];
  onEvent: (event: RuntimeEvent) => void;
  clock: () => number;
  saved?: SavedConversation;
  signal?: AbortSignal;
}

const overviewTokens = 2000;
const recommendedFiles = 8;

export async function openWork(
  { store, recall, commands, approvals = {}, conversation, redactor }: CodeAgentOptions,
  { managers, settings, model, task = '', tools: own, onEvent, clock, saved, signal }: WorkPlace,
): Promise<AgentSession> {
  const root = settings.root_dir;
  const builtin = createBuiltinTools({ root, ...(commands && { runCommand: commands }), ...(recall && { recall }) });
  const tools = chooseTools(settings.tool_group, [...builtin, ...own]);
  const { contextManager, contextRecommender, gitManager } = managers;
  const [state] = await Promise.all([gitManager.inspect(signal), contextManager.refresh(signal)]);
  const recommended =
    task === '' ? [] : await contextRecommender.recommend(task, { limit: recommendedFiles, ...(signal && { signal }) });
  const instructions = buildWorkInstructions({
    rootDir: root,
    overview: contextManager.describe({ tokens: overviewTokens }),
    recommended,
    branch: state.kind === 'repository' ? (state.branch ?? undefined) : undefined,
  });
  const title = titleOf(task, redactor);
  const create: NewConversation = { agent: 'continuo-code', ...(title && { title }), ...conversation };
  return AgentSession.open({ store, model, instructions, tools, approvals, create, clock, onEvent }, saved);
}
