// A line as a JSON-RPC 2.0 message, or what is wrong with it.

export type RequestId = string | number;
export type Params = Readonly<Record<string, unknown>>;

export const errorCodes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  resourceNotFound: -32002,
} as const;

export type Message =
  | { kind: 'request'; id: RequestId; method: string; params: Params }
  | { kind: 'notification'; method: string; params: Params }
  /** To a request of ours. */
  | { kind: 'answer'; id: RequestId; result: unknown }
  /** Nobody is told: there is nothing to answer to. */
  | { kind: 'ignored' }
  | { kind: 'batch'; messages: Message[] }
  | { kind: 'refused'; id: RequestId | null; code: number; reason: string };

export function readMessage(line: string): Message {
  // A byte order mark counts as space.
  const text = line.trim();
  if (text === '') return { kind: 'ignored' };
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return { kind: 'refused', id: null, code: errorCodes.parse, reason: 'Parse error: the line is not JSON' };
  }
  if (!Array.isArray(message)) return toMessage(message);
  return message.length === 0 ? invalid(null, 'the batch is empty') : { kind: 'batch', messages: message.map(toMessage) };
}

function toMessage(message: unknown): Message {
  if (!isObject(message)) return invalid(null, 'the message is not an object');
  const { id: given, method, params = {} } = message;
  const id = isId(given) ? given : undefined;
  if (message.jsonrpc !== '2.0') return invalid(id ?? null, 'jsonrpc must be "2.0"');
  if (method === undefined && id !== undefined && ('result' in message || 'error' in message))
    return { kind: 'answer', id, result: message.result };
  if (typeof method !== 'string') return invalid(id ?? null, 'there is no method');
  if ('id' in message && id === undefined) return invalid(null, 'the id must be a string, or a number that can be kept exactly');
  if (!isObject(params)) {
    if (id === undefined) return { kind: 'ignored' };
    return { kind: 'refused', id, code: errorCodes.invalidParams, reason: 'Invalid params: they must be an object' };
  }
  return id === undefined ? { kind: 'notification', method, params } : { kind: 'request', id, method, params };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A whole number beyond what is exact would come back as another one. */
function isId(value: unknown): value is RequestId {
  if (typeof value !== 'number') return typeof value === 'string';
  return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));
}

function invalid(id: RequestId | null, reason: string): Message {
  return { kind: 'refused', id, code: errorCodes.invalidRequest, reason: `Invalid Request: ${reason}` };
}
