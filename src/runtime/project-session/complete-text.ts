// One step of a model without tools, as one text. What had arrived before a fault is handed on, so that it can be kept.
import type { PromptItem, TextModel, TokenUsage } from '../../model/ports/text-model.ts';

export interface TextRequest {
  prompt: readonly PromptItem[];
  instructions?: string;
  signal?: AbortSignal;
  /** Told what has arrived so far when the step fails. */
  onPartial?: (text: string) => Promise<void>;
}

export async function completeText(model: TextModel, request: TextRequest): Promise<{ text: string; usage: TokenUsage }> {
  const { prompt, instructions, onPartial, signal = new AbortController().signal } = request;
  let text = '';
  let usage: TokenUsage = {};
  try {
    const events = model.stream({ prompt, tools: [], signal, ...(instructions !== undefined && { instructions }) });
    for await (const event of events) {
      if (event.type === 'text-delta') text += event.text;
      if (event.type === 'finish') usage = event.usage;
    }
  } catch (error) {
    if (text !== '') await onPartial?.(text);
    throw error;
  }
  return { text, usage };
}
