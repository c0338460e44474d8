// Takes one step with a model and tells everything that came of it.
import type { ModelEvent, ModelRequest, PromptItem, TextModel } from '../../../src/model/ports/text-model.ts';

export interface Step {
  events: ModelEvent[];
  /** All text deltas in a row. */
  text: string;
  /** What was thrown at the end. */
  error?: unknown;
}

export async function takeStep(model: TextModel, request: Partial<ModelRequest> = {}): Promise<Step> {
  const step: Step = { events: [], text: '' };
  const { signal = new AbortController().signal, prompt = [said('Hello')], tools = [] } = request;
  try {
    for await (const event of model.stream({ ...request, prompt, tools, signal })) {
      step.events.push(event);
      if (event.type === 'text-delta') step.text += event.text;
    }
  } catch (error) {
    step.error = error;
  }
  return step;
}

export function said(text: string): PromptItem {
  return { kind: 'message', role: 'user', text };
}
