// One request and its answer as events. Tool calls are told at the end, when the answer is known to be whole, so that a cut stream
// never leads to a call. Throws whatever went wrong as it came; model-fault.ts gives it its name.
import type { JsonValue } from '../../base/json.ts';
import type { FinishReason, ModelEvent, TokenUsage } from '../../model/ports/text-model.ts';
import type { ToolSpec } from '../../model/ports/tool.ts';
import type { AnswerWatch } from './answer-watch.ts';
import { BrokenAnswer } from './broken-answer.ts';
import { PairKeeper } from './pair-keeper.ts';
import type { SdkCallOptions, SdkModel, SdkStreamPart } from './sdk-model.ts';

type FinishPart = Extract<SdkStreamPart, { type: 'finish' }>;
type ToolCall = Extract<ModelEvent, { type: 'tool-call' }>;

/** Milliseconds for a server to end a stream whose last event it has sent. */
const patience = 500;

export async function* streamAnswer(
  model: SdkModel,
  options: SdkCallOptions,
  watch: AnswerWatch,
  tools: ReadonlyMap<string, ToolSpec>,
): AsyncGenerator<ModelEvent> {
  watch.start();
  const { stream } = await model.doStream({ ...options, abortSignal: watch.signal });
  const text = new PairKeeper();
  const thinking = new PairKeeper();
  const calls: ToolCall[] = [];
  let saidText = false;
  const reader = stream.getReader();
  for (;;) {
    watch.start();
    const { done, value: part } = await reader.read();
    watch.pause();
    if (done) throw new BrokenAnswer('it ended too early', { retryable: true });
    switch (part.type) {
      case 'text-delta': {
        const delta = text.take(part.delta);
        if (delta === '') break;
        saidText = true;
        yield { type: 'text-delta', text: delta };
        break;
      }
      case 'reasoning-delta': {
        const delta = thinking.take(part.delta);
        if (delta !== '') yield { type: 'thinking-delta', text: delta };
        break;
      }
      case 'tool-call':
        if (!part.providerExecuted) calls.push(toCall(part, tools, calls));
        break;
      case 'error':
        throw part.error;
      case 'finish': {
        const reason = checkFinish(part, saidText, calls.length);
        yield* calls;
        yield { type: 'finish', reason, usage: toUsage(part.usage) };
        return readToEnd(reader, watch);
      }
    }
  }
}

/** A connection whose answer was read to its end serves the next step too. */
async function readToEnd(reader: ReadableStreamDefaultReader<SdkStreamPart>, watch: AnswerWatch): Promise<void> {
  const timer = setTimeout(() => watch.abort(), patience);
  try {
    while (!(await reader.read()).done);
  } catch {
    // The answer was whole before.
  } finally {
    clearTimeout(timer);
  }
}

function toCall(
  part: { toolCallId: string; toolName: string; input: string },
  tools: ReadonlyMap<string, ToolSpec>,
  earlier: readonly ToolCall[],
): ToolCall {
  const given = part.toolCallId || 'call';
  let callId = given;
  for (let number = 2; earlier.some((call) => call.callId === callId); number += 1) callId = `${given}_${number}`;
  return { type: 'tool-call', callId, tool: tools.get(part.toolName)?.name ?? part.toolName, input: parseInput(part.input) };
}

/** Input that is not JSON is handed on as it came, so that the model can be told. */
function parseInput(input: string): JsonValue {
  if (input.trim() === '') return {};
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

function checkFinish({ finishReason }: FinishPart, saidText: boolean, calls: number): FinishReason {
  const { unified, raw } = finishReason;
  if (raw === undefined || unified === 'error') throw new BrokenAnswer('it ended too early', { retryable: true });
  if (calls > 0 && (unified === 'stop' || unified === 'other')) return 'tool-calls';
  if (!saidText && calls === 0 && (unified === 'stop' || unified === 'tool-calls')) {
    throw new BrokenAnswer('it was empty', { retryable: true });
  }
  return unified;
}

function toUsage({ inputTokens, outputTokens }: FinishPart['usage']): TokenUsage {
  const usage: TokenUsage = {};
  if (isCount(inputTokens.total)) usage.inputTokens = inputTokens.total;
  if (isCount(outputTokens.total)) usage.outputTokens = outputTokens.total;
  if (isCount(inputTokens.cacheRead)) usage.cachedTokens = inputTokens.cacheRead;
  return usage;
}

function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0;
}
