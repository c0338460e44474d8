// A model whose answers are written down beforehand, for tests of what is built on sessions: no network, no waiting, every request
// kept for looking at.
import type { JsonValue } from '../base/json.ts';
import { unlessAborted } from '../base/unless-aborted.ts';
import { ContinuoError } from '../model/error.ts';
import type { ModelEvent, ModelRequest, PromptItem, TextModel, TokenUsage } from '../model/ports/text-model.ts';

/** One step's answer: plain words, or what is said piece by piece, which tools are called, and how it goes wrong. */
export type ScriptedAnswer =
  | string
  | {
      text?: string | readonly string[];
      toolCalls?: readonly { tool: string; input: JsonValue; callId?: string }[];
      usage?: TokenUsage;
      /** Thrown after the words and before the calls. */
      error?: Error;
      /** Waited for before the first piece, or before every piece. */
      before?: () => Promise<void>;
      beforeEach?: () => Promise<void>;
    };

export interface ScriptedRequest {
  prompt: PromptItem[];
  tools: string[];
  instructions?: string;
}

export interface ScriptedModel extends TextModel {
  readonly requests: ScriptedRequest[];
}

/** Answers in the order of the list, or as the function says for each request, counted from 0. */
export function createScriptedModel(
  script: readonly ScriptedAnswer[] | ((request: ScriptedRequest, step: number) => ScriptedAnswer),
  options: { id?: string; keepsRequests?: boolean } = {},
): ScriptedModel {
  const requests: ScriptedRequest[] = [];
  let steps = 0;
  return {
    id: options.id ?? 'scripted:model',
    requests,
    async *stream(request) {
      const seen = lookAt(request);
      if (options.keepsRequests ?? true) requests.push(seen);
      const answer = typeof script === 'function' ? script(seen, steps) : script[steps];
      steps += 1;
      if (answer === undefined) throw new ContinuoError('internal', { reason: `the script has no answer for step ${steps}` });
      yield* perform(typeof answer === 'string' ? { text: answer } : answer, request.signal, steps);
    },
  };
}

function lookAt({ prompt, tools, instructions }: ModelRequest): ScriptedRequest {
  return { prompt: [...prompt], tools: tools.map(({ name }) => name), ...(instructions !== undefined && { instructions }) };
}

async function* perform(answer: Exclude<ScriptedAnswer, string>, signal: AbortSignal, step: number): AsyncGenerator<ModelEvent> {
  signal.throwIfAborted();
  if (answer.before) await unlessAborted(signal, answer.before());
  const pieces = typeof answer.text === 'string' ? [answer.text] : (answer.text ?? []);
  for (const text of pieces) {
    if (answer.beforeEach) await unlessAborted(signal, answer.beforeEach());
    yield { type: 'text-delta', text };
  }
  if (answer.error) throw answer.error;
  const calls = answer.toolCalls ?? [];
  for (const [index, { tool, input, callId }] of calls.entries()) {
    yield { type: 'tool-call', callId: callId ?? `call-${step}-${index + 1}`, tool, input };
  }
  yield { type: 'finish', reason: calls.length > 0 ? 'tool-calls' : 'stop', usage: answer.usage ?? {} };
}
