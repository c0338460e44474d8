import { describe, expect, it } from 'vitest';
import { createModel } from './create-model.ts';
import { providers } from './provider-table.ts';
import { resolveModel } from './resolve-model.ts';

const keys = Object.fromEntries(
  providers.flatMap(({ keyVariables }) => keyVariables.map((name) => [name, `key of ${name}`.replaceAll(' ', '-')])),
);
const resolve = (name: string, options = {}) => resolveModel(name, { keys, ...options });

describe('a model’s name', () => {
  it('is split at its first colon', () => {
    const names = ['ollama:qwen3:8b', 'openrouter:meta-llama/llama-4:free', 'Kimi:kimi-k2', ' gemini:gemini-2.5-pro'];
    expect(names.map((name) => [resolve(name).title, resolve(name).model, resolve(name).id])).toEqual([
      ['Ollama', 'qwen3:8b', 'ollama:qwen3:8b'],
      ['OpenRouter', 'meta-llama/llama-4:free', 'openrouter:meta-llama/llama-4:free'],
      ['Moonshot', 'kimi-k2', 'Kimi:kimi-k2'],
      ['Google', 'gemini-2.5-pro', ' gemini:gemini-2.5-pro'],
    ]);
  });

  it.each(['gpt-4o', 'nobody:gpt-4o', ':gpt-4o', 'nobody:', ''])('is refused where it names no provider: "%s"', (name) => {
    expect(() => resolve(name)).toThrowError(expect.objectContaining({ code: 'provider-unknown' }));
  });

  it.each(['openai:', 'openai: '])('is refused where it names a provider alone, and says so: "%s"', (name) => {
    expect(() => resolve(name)).toThrowError(
      expect.objectContaining({
        code: 'invalid-input',
        details: { what: 'model', reason: 'its name is missing after "openai:"' },
      }),
    );
  });

  it('is answered with the names that there are', () => {
    expect(() => createModel('nobody:gpt-4o')).toThrowError(
      'There is no provider "nobody". Write provider:model, with one of: anthropic, openai, google, moonshot, deepseek, ollama, openrouter, compatible.',
    );
  });
});

describe('a provider’s key', () => {
  it('is the first that is found, without the blanks around it', () => {
    expect(resolve('google:gemini', { keys: { GEMINI_API_KEY: ' secret\n', GOOGLE_API_KEY: 'other' } })).toMatchObject({
      key: 'secret',
      keyVariable: 'GEMINI_API_KEY',
    });
  });

  it('is asked for before anything is sent', () => {
    expect(() => createModel('anthropic:claude', { keys: { ANTHROPIC_API_KEY: ' ' } })).toThrowError(
      'There is no key for Anthropic. Set ANTHROPIC_API_KEY, or choose another model with --model.',
    );
  });

  it('may be left out where none is needed', () => {
    expect(resolve('ollama:qwen3', { keys: {} })).not.toHaveProperty('key');
    expect(resolve('compatible:any', { keys: {}, baseUrl: 'http://localhost:8080' })).not.toHaveProperty('key');
  });

  it('is refused without being quoted where no request can carry it', () => {
    const create = () => resolve('openai:gpt-4o', { keys: { OPENAI_API_KEY: 'sk-钥匙' } });
    expect(create).toThrowError('OpenAI refused the key. Check OPENAI_API_KEY.');
  });

  it('is never looked for in the environment', () => {
    process.env.DEEPSEEK_API_KEY = 'from the environment';
    try {
      expect(() => createModel('deepseek:deepseek-chat')).toThrowError(expect.objectContaining({ code: 'model-key-missing' }));
    } finally {
      delete process.env.DEEPSEEK_API_KEY;
    }
  });
});

describe('a base URL', () => {
  it('is the provider’s own unless another is given', () => {
    expect(['moonshot:kimi-k2', 'ollama:qwen3'].map((name) => resolve(name).baseUrl)).toEqual([
      'https://api.moonshot.cn/v1',
      'http://127.0.0.1:11434/v1',
    ]);
  });

  it.each([
    ['anthropic:claude', 'http://localhost:8080', 'http://localhost:8080/v1'],
    ['google:gemini', 'http://localhost:8080/', 'http://localhost:8080/v1beta'],
    ['openrouter:any', 'https://gateway.example', 'https://gateway.example/api/v1'],
    ['compatible:any', 'https://gateway.example/llm/v3/', 'https://gateway.example/llm/v3'],
  ])('of %s given as %s is %s', (name, baseUrl, expected) => {
    expect(resolve(name, { baseUrl }).baseUrl).toBe(expected);
  });

  it.each([
    'gateway.example',
    'ftp://gateway.example',
    'https://ann:secret@gateway.example',
    'https://gateway.example/?key=secret',
  ])('is refused where it cannot be used: %s', (baseUrl) => {
    const error = catchError(() => resolve('compatible:any', { baseUrl }));
    expect(error).toMatchObject({ code: 'invalid-input', details: { what: 'base URL' } });
    expect(error.message).not.toContain('secret');
  });

  it('has to be given for an endpoint that is not known', () => {
    expect(() => resolve('compatible:any')).toThrowError('The base URL is not valid: this provider needs one');
  });
});

it('knows the models that want their thinking back, whoever serves them', () => {
  const names = [
    'kimi:kimi-k2.5',
    'openrouter:moonshotai/kimi-k2.6',
    'deepseek:deepseek-chat',
    'kimi:moonshot-v1-8k',
    'openai:gpt-4o',
  ];
  expect(names.map((name) => resolve(name).repeatsThinking)).toEqual([true, true, true, false, false]);
});

describe('how much a model reads', () => {
  it('is known for some, and can be said for all', () => {
    const sizes = ['anthropic:claude-sonnet-4-5', 'openai:gpt-4.1-mini', 'openai:o3', 'moonshot:moonshot-v1-8k', 'ollama:qwen3'];
    expect(sizes.map((name) => createModel(name, { keys }).contextTokens)).toEqual([
      200_000,
      1_047_576,
      200_000,
      8_192,
      undefined,
    ]);
    expect(createModel('ollama:qwen3', { contextTokens: 4096 }).contextTokens).toBe(4096);
  });
});

function catchError(action: () => unknown): Error {
  try {
    action();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}
