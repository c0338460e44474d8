// Gemini's streamGenerateContent with alt=sse: every chunk is a whole response object; tool calls come in one piece.
import { type Frame, type Protocol, type Refusal, sse } from './protocol.ts';
import { type Fault, piecesOf, type ScriptedAnswer } from './script.ts';

export const geminiProtocol: Protocol = {
  name: 'google',
  matches: (path) => /^\/v1beta\/models\/[^/]+:streamGenerateContent$/.test(path),
  frames,
  ping: ': keep-alive\n\n',
  overloaded: sse({ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }),
  malformed: 'data: {"candidates": [{"content": {"parts": [{"te\n\n',
  refusal,
};

function frames(answer: ScriptedAnswer, model: string): Frame[] {
  const { input = 10, output = 5, cached = 0 } = answer.usage ?? {};
  const usageMetadata = {
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: input + output,
    ...(cached > 0 && { cachedContentTokenCount: cached }),
  };
  const chunk = (parts: object[], more: object = {}) =>
    sse({
      candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }],
      modelVersion: model,
      responseId: 'response-1',
    });
  const list: Frame[] = [];
  for (const text of piecesOf(answer.thinking)) list.push({ text: chunk([{ text, thought: true }]), piece: true });
  for (const text of piecesOf(answer.text)) list.push({ text: chunk([{ text }]), piece: true });
  for (const { id, name, input: args } of answer.toolCalls ?? []) {
    list.push({ text: chunk([{ functionCall: { id, name, args } }]), piece: true });
  }
  const reasons = { length: 'MAX_TOKENS', 'content-filter': 'SAFETY' };
  const finishReason = answer.finish === undefined ? 'STOP' : reasons[answer.finish];
  const last = { content: { parts: [{ text: '' }], role: 'model' }, finishReason, index: 0 };
  list.push({ text: sse({ candidates: [last], usageMetadata, modelVersion: model, responseId: 'response-1' }), finish: true });
  return list;
}

function refusal(fault: Fault): Refusal | undefined {
  switch (fault.type) {
    case 'rate-limit':
      return { ...error(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'), headers: fault.headers };
    case 'server-error':
      return error(fault.status, fault.status === 503 ? 'UNAVAILABLE' : 'INTERNAL', 'An internal error has occurred.');
    case 'refuse-key':
      return error(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.');
    case 'refuse':
      return error(fault.status, fault.status === 404 ? 'NOT_FOUND' : 'INVALID_ARGUMENT', fault.message);
    case 'context-overflow':
      return error(
        400,
        'INVALID_ARGUMENT',
        'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      );
    default:
      return undefined;
  }
}

function error(code: number, status: string, message: string): Refusal {
  return { status: code, body: { error: { code, message, status } } };
}
