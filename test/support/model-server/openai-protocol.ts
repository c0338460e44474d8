// OpenAI Chat Completions, as OpenAI and the servers that follow it speak it: unnamed chunks, a last one with the usage, [DONE].
import { type Frame, type Protocol, type Refusal, sse } from './protocol.ts';
import { type Fault, inputPieces, piecesOf, type ScriptedAnswer } from './script.ts';

export const openaiProtocol: Protocol = {
  name: 'openai',
  matches: (path) => path === '/v1/chat/completions',
  frames,
  ping: ': keep-alive\n\n',
  overloaded: sse({ error: { message: 'The server is overloaded', type: 'server_error', param: null, code: null } }),
  malformed: 'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"cont\n\n',
  refusal,
};

function frames(answer: ScriptedAnswer, model: string): Frame[] {
  const chunk = (delta: object, finish_reason: string | null = null) =>
    sse({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model,
      choices: [{ index: 0, delta, finish_reason }],
      usage: null,
    });
  const list: Frame[] = [{ text: chunk({ role: 'assistant', content: '' }) }];
  for (const piece of piecesOf(answer.thinking)) list.push({ text: chunk({ reasoning_content: piece }), piece: true });
  for (const piece of piecesOf(answer.text)) list.push({ text: chunk({ content: piece }), piece: true });
  (answer.toolCalls ?? []).forEach(({ id, name, input }, index) => {
    list.push({ text: chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }) });
    for (const piece of inputPieces(input)) {
      list.push({ text: chunk({ tool_calls: [{ index, function: { arguments: piece } }] }), piece: true });
    }
  });
  const usual = (answer.toolCalls ?? []).length > 0 ? 'tool_calls' : 'stop';
  const reasons = { length: 'length', 'content-filter': 'content_filter' };
  list.push({ text: chunk({}, answer.finish === undefined ? usual : reasons[answer.finish]), finish: true });
  const { input = 10, output = 5, cached = 0 } = answer.usage ?? {};
  const usage = {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
  };
  list.push({
    text: sse({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model, choices: [], usage }),
    finish: true,
  });
  list.push({ text: 'data: [DONE]\n\n', finish: true });
  return list;
}

function refusal(fault: Fault): Refusal | undefined {
  switch (fault.type) {
    case 'rate-limit':
      return fault.quota
        ? error(429, 'insufficient_quota', 'You exceeded your current quota.', 'insufficient_quota')
        : { ...error(429, 'requests', 'Rate limit reached.', 'rate_limit_exceeded'), headers: fault.headers };
    case 'server-error':
      return error(fault.status, 'server_error', 'The server had an error while processing your request.', null);
    case 'refuse-key':
      return error(401, 'invalid_request_error', 'Incorrect API key provided.', 'invalid_api_key');
    case 'refuse':
      return error(fault.status, 'invalid_request_error', fault.message, fault.status === 404 ? 'model_not_found' : null);
    case 'context-overflow':
      return error(
        400,
        'invalid_request_error',
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 140000 tokens.",
        'context_length_exceeded',
      );
    default:
      return undefined;
  }
}

function error(status: number, type: string, message: string, code: string | null): Refusal {
  return { status, body: { error: { message, type, param: null, code } } };
}
