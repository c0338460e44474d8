// Every provider of language models as data: where it is, which protocol it speaks, and where its key is kept. A context size is
// given only where the maker states it for the whole family; a size that is not known is left to the server to enforce.

export type Protocol = 'anthropic' | 'openai' | 'google' | 'compatible';

export interface Provider {
  /** As written before the colon. */
  name: string;
  aliases: readonly string[];
  /** For messages. Absent where the address says more. */
  title?: string;
  protocol: Protocol;
  /** Absent where the user has to give it. */
  baseUrl?: string;
  /** Put behind an address that has no path of its own. */
  path: string;
  /** Names of the variables that may hold the key, the first one found counts. */
  keyVariables: readonly string[];
  needsKey: boolean;
  /** The first pattern that fits the model's name. */
  contextSizes: readonly (readonly [RegExp, number])[];
}

/** Models that refuse earlier tool calls without the thinking that led to them, whoever serves them. */
export const repeatsThinking = /\b(?:kimi|deepseek)-/i;

export const providers: readonly Provider[] = [
  {
    name: 'anthropic',
    aliases: ['claude'],
    title: 'Anthropic',
    protocol: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    path: '/v1',
    keyVariables: ['ANTHROPIC_API_KEY'],
    needsKey: true,
    contextSizes: [[/^claude-/, 200_000]],
  },
  {
    name: 'openai',
    aliases: [],
    title: 'OpenAI',
    protocol: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    path: '/v1',
    keyVariables: ['OPENAI_API_KEY'],
    needsKey: true,
    contextSizes: [
      [/^gpt-4\.1/, 1_047_576],
      [/^gpt-4o/, 128_000],
      [/^gpt-5/, 272_000],
      [/^o[134](?:-|$)/, 200_000],
    ],
  },
  {
    name: 'google',
    aliases: ['gemini'],
    title: 'Google',
    protocol: 'google',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    path: '/v1beta',
    keyVariables: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    needsKey: true,
    contextSizes: [[/^gemini-/, 1_048_576]],
  },
  {
    name: 'moonshot',
    aliases: ['kimi'],
    title: 'Moonshot',
    protocol: 'compatible',
    baseUrl: 'https://api.moonshot.cn/v1',
    path: '/v1',
    keyVariables: ['MOONSHOT_API_KEY', 'KIMI_API_KEY'],
    needsKey: true,
    contextSizes: [
      [/^moonshot-v1-8k/, 8_192],
      [/^moonshot-v1-32k/, 32_768],
      [/^(?:moonshot-v1-128k|kimi-)/, 131_072],
    ],
  },
  {
    name: 'deepseek',
    aliases: [],
    title: 'DeepSeek',
    protocol: 'compatible',
    baseUrl: 'https://api.deepseek.com/v1',
    path: '/v1',
    keyVariables: ['DEEPSEEK_API_KEY'],
    needsKey: true,
    contextSizes: [[/^deepseek-/, 131_072]],
  },
  {
    name: 'ollama',
    aliases: [],
    title: 'Ollama',
    protocol: 'compatible',
    baseUrl: 'http://127.0.0.1:11434/v1',
    path: '/v1',
    keyVariables: ['OLLAMA_API_KEY'],
    needsKey: false,
    contextSizes: [],
  },
  {
    name: 'openrouter',
    aliases: [],
    title: 'OpenRouter',
    protocol: 'compatible',
    baseUrl: 'https://openrouter.ai/api/v1',
    path: '/api/v1',
    keyVariables: ['OPENROUTER_API_KEY'],
    needsKey: true,
    contextSizes: [],
  },
  {
    name: 'compatible',
    aliases: [],
    protocol: 'compatible',
    path: '/v1',
    keyVariables: ['CONTINUO_MODEL_KEY'],
    needsKey: false,
    contextSizes: [],
  },
];

export function findProvider(name: string): Provider | undefined {
  return providers.find((provider) => provider.name === name || provider.aliases.includes(name));
}
