// Stands for what a history had to let go: a summary by a model, built on the summary before it.
import { ContinuoError } from '../../model/error.ts';
import type { PromptItem, TextModel } from '../../model/ports/text-model.ts';

export interface Dropped {
  items: readonly PromptItem[];
  /** The positions in the log that the items hold. */
  from: number;
  to: number;
  /** What stood for everything before them. */
  summary: string | undefined;
}

export type Summarise = (dropped: Dropped, options?: { signal?: AbortSignal }) => Promise<string>;

const request =
  'Summarise the conversation above for your own later use: facts, decisions, names, open tasks. At most 200 words.';
const timeLimit = 120_000;

export function summariseWith(model: TextModel): Summarise {
  return async ({ items, summary, from }, { signal } = {}) => {
    const timeout = AbortSignal.timeout(timeLimit);
    const earlier: PromptItem[] =
      summary === undefined ? [] : [{ kind: 'summary', text: summary, covers: { from: 1, to: from } }];
    const prompt: PromptItem[] = [...earlier, ...items, { kind: 'message', role: 'user', text: request }];
    let text = '';
    for await (const event of model.stream({
      prompt,
      tools: [],
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })) {
      if (event.type === 'text-delta') text += event.text;
    }
    if (text.trim() === '') throw new ContinuoError('internal', { reason: 'the model wrote no summary' });
    return text;
  };
}
