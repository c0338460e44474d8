// The only place that loads the AI SDK's provider packages, each when its protocol is first spoken. Base URL and key are always
// handed in, so that the packages never look at the environment.
import type { AnthropicProvider } from '@ai-sdk/anthropic';
import type { ResolvedModel } from './resolve-model.ts';

export type SdkModel = ReturnType<AnthropicProvider['languageModel']>;
export type SdkCallOptions = Parameters<SdkModel['doStream']>[0];
export type SdkPrompt = SdkCallOptions['prompt'];
export type SdkMessage = SdkPrompt[number];
export type SdkStreamPart = Awaited<ReturnType<SdkModel['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;

export interface SdkSettings {
  headers: Record<string, string>;
  fetch: typeof globalThis.fetch;
}

export async function loadSdkModel(resolved: ResolvedModel, settings: SdkSettings): Promise<SdkModel> {
  const { protocol, model, baseUrl: baseURL, key } = resolved;
  // Where a key is needed it is there by now; an empty one would send the package to the environment.
  const apiKey = key ?? 'none';
  switch (protocol) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ baseURL, apiKey, ...settings }).languageModel(model);
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ baseURL, apiKey, ...settings }).chat(model);
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      return createGoogleGenerativeAI({ baseURL, apiKey, ...settings }).languageModel(model);
    }
    case 'compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const name = 'compatible';
      return createOpenAICompatible({ name, baseURL, includeUsage: true, ...(key && { apiKey: key }), ...settings }).chatModel(
        model,
      );
    }
  }
}
