// Anthropic Messages: named events, content blocks with a start, deltas and a stop.
import { type Frame, type Protocol, type Refusal, sse } from './protocol.ts';
import { type Fault, inputPieces, piecesOf, type ScriptedAnswer } from './script.ts';

export const anthropicProtocol: Protocol = {
  name: 'anthropic',
  matches: (path) => path === '/v1/messages',
  frames,
  ping: event({ type: 'ping' }),
  overloaded: event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
  malformed: 'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_d\n\n',
  refusal,
};

function frames(answer: ScriptedAnswer, model: string): Frame[] {
  const { input = 10, output = 5, cached = 0 } = answer.usage ?? {};
  const usage = {
    input_tokens: input - cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: 1,
  };
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  const list: Frame[] = [{ text: event({ type: 'message_start', message }) }, { text: event({ type: 'ping' }) }];
  let index = 0;
  const block = (start: object, deltas: object[]) => {
    list.push({ text: event({ type: 'content_block_start', index, content_block: start }) });
    for (const delta of deltas) list.push({ text: event({ type: 'content_block_delta', index, delta }), piece: true });
    list.push({ text: event({ type: 'content_block_stop', index }) });
    index += 1;
  };
  const thoughts = piecesOf(answer.thinking);
  if (thoughts.length > 0) {
    const deltas = thoughts.map((thinking) => ({ type: 'thinking_delta', thinking }));
    block({ type: 'thinking', thinking: '', signature: '' }, [...deltas, { type: 'signature_delta', signature: 'c2ln' }]);
  }
  const texts = piecesOf(answer.text);
  if (texts.length > 0) {
    block(
      { type: 'text', text: '' },
      texts.map((text) => ({ type: 'text_delta', text })),
    );
  }
  for (const call of answer.toolCalls ?? []) {
    const deltas = inputPieces(call.input).map((piece) => ({ type: 'input_json_delta', partial_json: piece }));
    block({ type: 'tool_use', id: call.id, name: call.name, input: {} }, deltas);
  }
  const usual = (answer.toolCalls ?? []).length > 0 ? 'tool_use' : 'end_turn';
  const reasons = { length: 'max_tokens', 'content-filter': 'refusal' };
  const reason = answer.finish === undefined ? usual : reasons[answer.finish];
  list.push({
    text: event({ type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: output } }),
    finish: true,
  });
  list.push({ text: event({ type: 'message_stop' }), finish: true });
  return list;
}

function refusal(fault: Fault): Refusal | undefined {
  switch (fault.type) {
    case 'rate-limit':
      return { ...error(429, 'rate_limit_error', 'This request would exceed the rate limit.'), headers: fault.headers };
    case 'server-error':
      return error(fault.status, fault.status === 529 ? 'overloaded_error' : 'api_error', 'Internal server error');
    case 'refuse-key':
      return error(401, 'authentication_error', 'invalid x-api-key');
    case 'refuse':
      return error(fault.status, fault.status === 404 ? 'not_found_error' : 'invalid_request_error', fault.message);
    case 'context-overflow':
      return error(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum');
    default:
      return undefined;
  }
}

function error(status: number, type: string, message: string): Refusal {
  return { status, body: { type: 'error', error: { type, message }, request_id: 'req_1' } };
}

function event(data: { type: string; [name: string]: unknown }): string {
  return sse(data, data.type);
}
