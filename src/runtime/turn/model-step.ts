// One call of the model: its words go out as they come and are kept while they come. Where the prompt is too long for the model,
// the view is trimmed and the call is made once more.
import { unlessAborted } from '../../base/unless-aborted.ts';
import { isContinuoError } from '../../model/error.ts';
import type { FinishReason, ModelEvent, TokenUsage } from '../../model/ports/text-model.ts';
import { AnswerDraft } from '../answer-draft.ts';
import type { TurnContext } from './turn-context.ts';

export type ToolCall = Extract<ModelEvent, { type: 'tool-call' }>;

/** What a step has said so far; filled while the model streams, so that nothing is lost when it breaks off. */
export interface Answer {
  text: string;
  thinking: string;
  toolCalls: ToolCall[];
  usage: TokenUsage;
  finish?: FinishReason;
  /** When the first words came, on the monotonic clock. */
  firstWordAt?: number;
}

export function createAnswer(): Answer {
  return { text: '', thinking: '', toolCalls: [], usage: {} };
}

export async function runModelStep(context: TurnContext, answer: Answer): Promise<void> {
  try {
    await streamAnswer(context, answer);
  } catch (error) {
    if (!isContinuoError(error, 'context-overflow') || answer.text !== '') throw error;
    const trim = context.history.trimTo(Math.floor(context.history.tokens / 2));
    if (!trim) throw error;
    await context.emit({ type: 'history-trim', ...trim });
    await streamAnswer(context, answer);
  }
}

async function streamAnswer(context: TurnContext, answer: Answer): Promise<void> {
  const { model, instructions, tools, history, signal } = context;
  const draft = new AnswerDraft({
    save: (text) => context.recordDraft(text),
    onSaved: (characters) => void context.emit({ type: 'text-saved', characters }),
  });
  try {
    const request = {
      prompt: history.buildView(),
      tools: tools.specs,
      signal,
      ...(instructions !== undefined && { instructions }),
    };
    for await (const event of whileWanted(signal, model.stream(request))) {
      const delivered = take(context, answer, draft, event);
      if (delivered !== undefined) await delivered;
    }
  } finally {
    await draft.end();
  }
}

function take(context: TurnContext, answer: Answer, draft: AnswerDraft, event: ModelEvent): void | Promise<void> {
  switch (event.type) {
    case 'text-delta':
      answer.text += event.text;
      answer.firstWordAt ??= performance.now();
      draft.push(event.text);
      return context.emit(event);
    case 'thinking-delta':
      answer.thinking += event.text;
      return context.emit(event);
    case 'tool-call':
      answer.toolCalls.push(event);
      return context.emit(event);
    case 'retry':
      return context.emit({ type: 'model-retry', attempt: event.attempt, delay: event.delay, code: event.code });
    case 'finish':
      answer.finish = event.reason;
      answer.usage = event.usage;
      return undefined;
  }
}

/** The events until the turn is to stop, also of a model that does not listen. */
async function* whileWanted(signal: AbortSignal, events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
  const iterator = events[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { value, done } = await unlessAborted(signal, iterator.next());
      signal.throwIfAborted();
      if (done) return;
      yield value;
    }
  } finally {
    // Not waited for: one that hangs would hang here again.
    iterator.return?.().catch(() => undefined);
  }
}
