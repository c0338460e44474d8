// A model by the names of the design that asked for one: a question in, an answer out, with earlier conversations quoted before it
// where a context is given. Keeps nothing itself.
import { ContinuoError } from '../../model/error.ts';
import type { Embedder } from '../../model/ports/embedder.ts';
import type { PromptItem, TextModel } from '../../model/ports/text-model.ts';
import type { ConversationContext } from '../../recall/context/conversation-context.ts';
import { completeText } from './complete-text.ts';

export interface ChatOptions {
  signal?: AbortSignal;
}

export interface AiProvider {
  /** `provider:model`. */
  readonly id: string;
  chat(prompt: string, options?: ChatOptions): Promise<string>;
  /** The same, with what the context knows about it put before the question. */
  chatWithContext(prompt: string, conversationCtx?: ConversationContext, options?: ChatOptions): Promise<string>;
  /** The vector of a text; `invalid-input` where the provider has no embedder. */
  embed(text: string, options?: ChatOptions): Promise<Float32Array>;
}

export interface AiProviderOptions {
  embedder?: Embedder;
  /** Standing instructions, before everything else. */
  instructions?: string;
}

export function createAiProvider(model: TextModel, options: AiProviderOptions = {}): AiProvider {
  const { embedder, instructions } = options;
  const ask = async (prompt: readonly PromptItem[], signal: AbortSignal | undefined) =>
    (await completeText(model, { prompt, ...(instructions !== undefined && { instructions }), ...(signal && { signal }) })).text;
  return {
    id: model.id,
    chat: (prompt, { signal } = {}) => ask([{ kind: 'message', role: 'user', text: prompt }], signal),
    async chatWithContext(prompt, conversationCtx, { signal } = {}) {
      const text = conversationCtx ? await conversationCtx.prepareAiPrompt(prompt, signal ? { signal } : {}) : prompt;
      const said = conversationCtx ? await conversationCtx.recentMessages() : [];
      const history = said.map(({ role, text }) => ({ kind: 'message' as const, role, text }));
      return ask([...history, { kind: 'message', role: 'user', text }], signal);
    },
    async embed(text, { signal } = {}) {
      if (!embedder) throw new ContinuoError('invalid-input', { what: 'embedder', reason: 'the provider has none' });
      const [vector] = await embedder.embed([text], signal ? { signal } : {});
      return vector ?? new Float32Array(embedder.dimension);
    },
  };
}
