import { describe, expect, it } from 'vitest';
import type { Phase } from './answer-watch.ts';
import { toModelFault } from './model-fault.ts';

const context = {
  title: 'OpenAI',
  id: 'openai:gpt-4o',
  url: 'https://api.openai.com/v1',
  keyVariable: 'OPENAI_API_KEY',
  secrets: ['sk-secret-key'],
};

/** As the packages throw it. */
function refused(statusCode: number, body: unknown, headers: Record<string, string> = {}): Error {
  const responseBody = typeof body === 'string' ? body : JSON.stringify(body);
  return Object.assign(new Error('Bad Request'), { statusCode, responseBody, responseHeaders: headers });
}

const faultOf = (thrown: unknown, spoke = false, phase: Phase = 'sending') => {
  const { error, retryable } = toModelFault(thrown, context, { phase, spoke });
  return { code: error.code, retryable, reason: error.details.reason };
};

describe('a prompt that is too long', () => {
  it.each([
    [
      'Anthropic',
      400,
      { error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' } },
    ],
    ['Anthropic', 400, { error: { message: 'input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000' } }],
    ['Anthropic', 413, { error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } }],
    ['OpenAI', 400, { error: { code: 'context_length_exceeded', message: 'Too long.' } }],
    [
      'Google',
      400,
      { error: { message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).' } },
    ],
    [
      'DeepSeek',
      400,
      { error: { message: "This model's maximum context length is 131072 tokens. However, you requested 131134" } },
    ],
    ['Moonshot', 400, { error: { message: 'Invalid request: Your request exceeded model token limit: 8192' } }],
    [
      'vLLM',
      400,
      { error: { message: "You passed 1015 input tokens. However, the model's context length is only 1024 tokens", code: 400 } },
    ],
    ['vLLM, older', 400, { object: 'error', message: "This model's maximum context length is 4096 tokens.", code: 400 }],
    [
      'llama.cpp',
      400,
      { error: { message: 'the request exceeds the available context size', type: 'exceed_context_size_error' } },
    ],
    ['LM Studio', 400, { error: 'The model is loaded with context length of only 4096 tokens, which is not enough.' }],
    ['Ollama', 500, { error: { message: 'the input length exceeds the context length', type: 'api_error' } }],
  ])('is recognised in the words of %s', (_name, status, body) => {
    expect(faultOf(refused(status, body))).toMatchObject({ code: 'context-overflow', retryable: false });
  });

  it('is not seen in a limit on tokens per minute', () => {
    expect(faultOf(refused(429, { error: { message: 'Request too large: exceeds the context window per minute' } })).code).toBe(
      'model-rate-limited',
    );
  });
});

describe('a refusal', () => {
  it.each([
    ['an error object', { error: { message: 'No such model.' } }, 'No such model'],
    ['an error text', { error: 'no such model' }, 'no such model'],
    ['a list', [{ error: { message: 'no such model' } }], 'no such model'],
    ['a detail', { detail: 'no such model' }, 'no such model'],
    ['a bare message', { message: 'no such model' }, 'no such model'],
    ['plain text', 'no such\n\n  model', 'no such model'],
    ['a page', '<html><h1>404</h1></html>', 'Bad Request'],
    ['nothing', '', 'Bad Request'],
    ['much text', { error: { message: 'x'.repeat(1000) } }, `${'x'.repeat(299)}…`],
    ['the key', { error: { message: 'The key sk-secret-key is wrong' } }, 'The key … is wrong'],
  ])('gives its reason from %s', (_name, body, reason) => {
    expect(faultOf(refused(404, body))).toEqual({ code: 'model-refused', retryable: false, reason });
  });

  it('may be a redirection, which is never followed', () => {
    expect(faultOf(refused(301, ''))).toEqual({
      code: 'model-refused',
      retryable: false,
      reason: 'it redirects to another address',
    });
  });

  it('of a key is known by its status, or by its words', () => {
    const bad = { error: { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' } };
    expect([refused(401, ''), refused(403, ''), refused(400, bad)].map((error) => faultOf(error).code)).toEqual([
      'model-key-refused',
      'model-key-refused',
      'model-key-refused',
    ]);
  });
});

it('keeps the time to wait that Google asks for', () => {
  const body = { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Quota', details: [{ retryDelay: '34.5s' }] } };
  expect(toModelFault(refused(429, body), context, { phase: 'sending', spoke: false }).headers).toEqual({
    'retry-after': '34.5',
  });
});

describe('an error inside of a stream', () => {
  it.each([
    [{ type: 'overloaded_error', message: 'Overloaded' }, 'model-failed', true],
    [{ type: 'rate_limit_error', message: 'Slow down' }, 'model-rate-limited', true],
    [{ type: 'invalid_request_error', message: 'prompt is too long' }, 'context-overflow', false],
    [{ message: 'something broke' }, 'model-failed', true],
    [new Error('Unsupported chunk type'), 'model-answer-broken', true],
  ])('%o is told as what it is', (thrown, code, retryable) => {
    expect(faultOf(thrown, false, 'reading')).toMatchObject({ code, retryable });
  });

  it('after something was said breaks the answer, unless the prompt is too long', () => {
    expect(faultOf({ type: 'overloaded_error', message: 'Overloaded' }, true).code).toBe('model-answer-broken');
    expect(faultOf({ code: 'context_length_exceeded', message: 'Too long' }, true).code).toBe('context-overflow');
  });
});

describe('a network that fails', () => {
  it.each([
    ['ECONNREFUSED', true, 'nobody answers there'],
    ['ENOTFOUND', false, 'there is no such host'],
    ['ECONNRESET', true, 'the connection was cut'],
    ['CERT_HAS_EXPIRED', false, 'fetch failed'],
  ])('with %s is told, and tried again where that may help', (code, retryable, reason) => {
    const thrown = new TypeError('fetch failed', { cause: Object.assign(new Error(`getaddrinfo ${code}`), { code }) });
    expect(faultOf(thrown)).toEqual({ code: 'model-unreachable', retryable, reason });
  });
});

it('is our own fault where nothing had been sent', () => {
  expect(faultOf(new TypeError('x is not a function'), false, 'building')).toEqual({
    code: 'internal',
    retryable: false,
    reason: 'x is not a function',
  });
});

it('never passes the package’s own error on, which holds the whole request', () => {
  const thrown = Object.assign(refused(400, { error: { message: 'bad' } }), { requestBodyValues: { messages: ['private'] } });
  const { error } = toModelFault(thrown, context, { phase: 'sending', spoke: false });
  expect(error.cause).not.toBe(thrown);
  expect(Object.keys(error.cause as Error)).toEqual(['name']);
});
