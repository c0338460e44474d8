// A language model behind the text model port. Owns the order of a step: build the request once, send it, pass on what comes, and
// ask again after a fault only as long as nothing of the answer has been said. Packages are loaded when the first step is taken.
import { createRetryPlan, type RetryOptions, retryDelay } from '../../base/retry-delay.ts';
import { ContinuoError } from '../../model/error.ts';
import type { ModelEvent, ModelRequest, TextModel } from '../../model/ports/text-model.ts';
import type { ToolSpec } from '../../model/ports/tool.ts';
import { AnswerWatch, type IdleLimits } from './answer-watch.ts';
import { type FaultContext, type ModelFault, toModelFault } from './model-fault.ts';
import { type ResolvedModel, resolveModel } from './resolve-model.ts';
import { loadSdkModel, type SdkCallOptions, type SdkPrompt } from './sdk-model.ts';
import { streamAnswer } from './stream-answer.ts';
import { toModelMessages } from './to-model-messages.ts';
import { nameTools } from './tool-names.ts';

export interface ModelOptions {
  /** Environment variables by name; the provider's key is looked for in them. */
  keys?: Readonly<Record<string, string | undefined>>;
  /** Instead of the provider's own address. One without a path gets the provider's usual one (`/v1`). */
  baseUrl?: string;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>;
  retries?: RetryOptions;
  limits?: IdleLimits;
  fetch?: typeof globalThis.fetch;
  /** How much it can read, where that is known better than here. */
  contextTokens?: number;
  /** At most so many tokens in one answer; the provider's own limit unless given. */
  maxOutputTokens?: number;
}

/**
 * `name` is `provider:model`. Throws `provider-unknown`, `model-key-missing` or `invalid-input` at once; whether the provider knows
 * the model turns out at the first step.
 */
export function createModel(name: string, options: ModelOptions = {}): TextModel {
  const resolved = resolveModel(name, options);
  return {
    id: resolved.id,
    ...(resolved.contextTokens !== undefined && { contextTokens: resolved.contextTokens }),
    stream: (request) => streamStep(resolved, options, request),
  };
}

async function* streamStep(resolved: ResolvedModel, options: ModelOptions, request: ModelRequest): AsyncGenerator<ModelEvent> {
  const { signal } = request;
  const plan = createRetryPlan(options.retries);
  const context = createFaultContext(resolved, options);
  const tools = nameTools(request.tools);
  throwIfCancelled(signal);
  const call = buildCall(resolved, options, request, tools);
  let spoke = false;
  for (let attempt = 1; ; attempt += 1) {
    const watch = new AnswerWatch(options.limits);
    const onAbort = () => watch.abort();
    signal.addEventListener('abort', onAbort);
    let fault: ModelFault;
    try {
      const settings = { headers: { ...options.headers }, fetch: watch.fetch(options.fetch ?? globalThis.fetch) };
      const model = await loadSdkModel(resolved, settings);
      throwIfCancelled(signal);
      for await (const event of streamAnswer(model, call, watch, tools)) {
        throwIfCancelled(signal);
        spoke = true;
        yield event;
      }
      return;
    } catch (thrown) {
      throwIfCancelled(signal);
      fault = toModelFault(watch.fault ?? thrown, context, { phase: watch.phase, spoke });
    } finally {
      signal.removeEventListener('abort', onAbort);
      // Also when the reader leaves early: nobody would read the rest.
      watch.abort();
    }
    if (spoke || !fault.retryable || attempt >= plan.attempts) throw fault.error;
    const delay = retryDelay(plan, attempt, fault.headers);
    yield { type: 'retry', attempt: attempt + 1, delay, code: fault.error.code };
    await sleep(plan.sleep, delay, signal);
  }
}

function buildCall(
  resolved: ResolvedModel,
  options: ModelOptions,
  request: ModelRequest,
  tools: ReadonlyMap<string, ToolSpec>,
): SdkCallOptions {
  const prompt = toModelMessages(request.prompt, {
    hasTools: tools.size > 0,
    repeatsThinking: resolved.repeatsThinking,
    plainIds: resolved.protocol !== 'compatible',
    ...(request.instructions !== undefined && { instructions: request.instructions }),
  });
  if (resolved.protocol === 'anthropic') markCachePoints(prompt);
  return {
    prompt,
    ...(options.maxOutputTokens !== undefined && { maxOutputTokens: options.maxOutputTokens }),
    ...(tools.size > 0 && {
      tools: [...tools].map(([name, { description, inputSchema }]) => ({ type: 'function', name, description, inputSchema })),
    }),
  };
}

/** Anthropic reads a repeated prompt at a tenth of the price, but only up to places that are marked. */
function markCachePoints(prompt: SdkPrompt): void {
  for (const message of new Set([prompt[0], prompt.at(-1)])) {
    if (message) message.providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };
  }
}

function createFaultContext(resolved: ResolvedModel, options: ModelOptions): FaultContext {
  const { title, id, baseUrl, keyVariable, key } = resolved;
  const secrets = Object.entries(options.headers ?? {})
    .filter(([name, value]) => /auth|key|token|secret|cookie/i.test(name) || value.length >= 16)
    .flatMap(([, value]) => [value, ...value.split(/\s+/)]);
  if (key !== undefined) secrets.push(key);
  // The longest first, so that no part of one stays behind.
  secrets.sort((first, second) => second.length - first.length);
  return { title, id, url: baseUrl, keyVariable, secrets };
}

async function sleep(wait: NonNullable<RetryOptions['sleep']>, delay: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(delay, signal);
  } catch (error) {
    throwIfCancelled(signal);
    throw error;
  }
  throwIfCancelled(signal);
}

function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new ContinuoError('cancelled');
}
