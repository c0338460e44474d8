// An agent by the names of the design that asked for one. With a context the question is kept before the model is called and the
// answer as soon as it is there, also one that broke off; without one nothing is kept.
import type { JsonObject } from '../../base/json.ts';
import type { Role } from '../../model/entry.ts';
import type { PromptItem, TextModel } from '../../model/ports/text-model.ts';
import type { ContextSource } from '../../recall/context/context-source.ts';
import type { ConversationContext } from '../../recall/context/conversation-context.ts';
import { completeText } from './complete-text.ts';

export interface AgentMessage {
  role: Role;
  content: string;
}

export interface AgentRequest {
  prompt: string;
  /** Where the agent works, for its instructions. */
  context?: JsonObject;
  /** Names of the skills it may use. */
  skills?: readonly string[];
  systemPrompt?: string;
  /** What was said before; with a context, where left out, what it holds. */
  history?: readonly AgentMessage[];
  conversationCtx?: ConversationContext;
  /** What quoted history may cost, in tokens. */
  tokenBudget?: number;
  signal?: AbortSignal;
}

export interface AgentResponse {
  result: string;
  /** The history with the question and the answer, as they were said: without what was quoted. */
  history: AgentMessage[];
  /** Whether the question and the answer were kept. */
  updatedConversation: boolean;
  /** Where quoted history came from. */
  sources: ContextSource[];
}

export interface AgentProvider {
  readonly id: string;
  execute(request: AgentRequest): Promise<AgentResponse>;
}

export function createAgentProvider(model: TextModel): AgentProvider {
  return { id: model.id, execute: (request) => execute(model, request) };
}

async function execute(model: TextModel, request: AgentRequest): Promise<AgentResponse> {
  const { prompt, conversationCtx, signal, tokenBudget } = request;
  const history = request.history ?? (await loadHistory(conversationCtx));
  const prepared = await conversationCtx?.prepareContext(prompt, {
    ...(tokenBudget !== undefined && { tokenBudget }),
    ...(signal && { signal }),
  });
  await conversationCtx?.addUserMessage(prompt);
  const instructions = instructionsOf(request);
  const { text: result, usage } = await completeText(model, {
    prompt: [...history, { role: 'user' as const, content: prepared?.prompt ?? prompt }].map(toItem),
    ...(instructions !== undefined && { instructions }),
    ...(signal && { signal }),
    onPartial: async (text) => {
      await conversationCtx?.addAssistantMessage(text, { model: model.id, interrupted: true });
    },
  });
  await conversationCtx?.addAssistantMessage(result, { model: model.id, usage });
  return {
    result,
    history: [...history, { role: 'user', content: prompt }, { role: 'assistant', content: result }],
    updatedConversation: conversationCtx !== undefined,
    sources: prepared?.sources ?? [],
  };
}

async function loadHistory(conversationCtx: ConversationContext | undefined): Promise<AgentMessage[]> {
  const said = (await conversationCtx?.recentMessages()) ?? [];
  return said.map(({ role, text }) => ({ role, content: text }));
}

function toItem({ role, content }: AgentMessage): PromptItem {
  return { kind: 'message', role, text: content };
}

function instructionsOf({ systemPrompt, context, skills }: AgentRequest): string | undefined {
  const parts = [
    ...(systemPrompt !== undefined ? [systemPrompt] : []),
    ...(context && Object.keys(context).length > 0 ? [`Context: ${JSON.stringify(context)}`] : []),
    ...(skills && skills.length > 0 ? [`Skills: ${skills.join(', ')}`] : []),
  ];
  return parts.length > 0 ? parts.join('\n') : undefined;
}
