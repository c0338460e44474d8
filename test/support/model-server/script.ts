// What the scripted model server is told to answer. Plain data throughout, so that a script can be handed to another process.

export interface ScriptedToolCall {
  id: string;
  name: string;
  /** An object, or text that is sent as it is: for input that is not JSON. */
  input: unknown;
}

export interface ScriptedAnswer {
  /** One piece, or several that are sent one by one. */
  text?: string | readonly string[];
  thinking?: string | readonly string[];
  toolCalls?: readonly ScriptedToolCall[];
  usage?: { input?: number; output?: number; cached?: number };
  /** `stop` or `tool-calls` unless given. */
  finish?: 'length' | 'content-filter';
  /** Milliseconds before every piece but the first. */
  delayBetweenChunks?: number;
  /** Milliseconds between the last event and the end of the stream. */
  delayBeforeEnd?: number;
  /** Send the bytes of the stream in portions of this size, so that characters are cut in two. */
  bytesPerWrite?: number;
  fault?: Fault;
}

export type Fault =
  | { type: 'slow-first-byte'; milliseconds: number }
  | { type: 'cut-after'; chunks: number }
  | { type: 'cut-at-byte'; byte: number }
  | { type: 'flip-byte'; byte: number }
  | { type: 'rate-limit'; headers: Record<string, string>; quota?: boolean }
  | { type: 'server-error'; status: number }
  | { type: 'stream-error'; after: number }
  | { type: 'malformed-chunk'; after: number }
  | { type: 'wrong-content-type' }
  | { type: 'refuse-key' }
  | { type: 'refuse'; status: number; message: string }
  | { type: 'context-overflow' }
  | { type: 'reset' }
  | { type: 'hang'; after: number; pings?: number }
  | { type: 'end-without-finish' };

export const slowFirstByte = (milliseconds: number): Fault => ({ type: 'slow-first-byte', milliseconds });
/** The socket is destroyed after so many pieces of text, thinking or tool input. */
export const cutAfter = (chunks: number): Fault => ({ type: 'cut-after', chunks });
/** The socket is destroyed when so many bytes of the stream have been sent. */
export const cutAtByte = (byte: number): Fault => ({ type: 'cut-at-byte', byte });
/** One byte of the stream arrives changed. */
export const flipByte = (byte: number): Fault => ({ type: 'flip-byte', byte });
/** `retryAfter`: seconds, or a date. */
export const rateLimit = (options: { retryAfter?: number | string; retryAfterMs?: number; quota?: boolean } = {}): Fault => ({
  type: 'rate-limit',
  headers: {
    ...(options.retryAfter !== undefined && { 'retry-after': String(options.retryAfter) }),
    ...(options.retryAfterMs !== undefined && { 'retry-after-ms': String(options.retryAfterMs) }),
  },
  ...(options.quota !== undefined && { quota: options.quota }),
});
export const serverError = (status = 500): Fault => ({ type: 'server-error', status });
/** The server reports that it is overloaded inside of a stream that began well. */
export const streamError = (after = 0): Fault => ({ type: 'stream-error', after });
export const malformedChunk = (after = 0): Fault => ({ type: 'malformed-chunk', after });
export const wrongContentType = (): Fault => ({ type: 'wrong-content-type' });
export const refuseKey = (): Fault => ({ type: 'refuse-key' });
export const refuse = (status: number, message: string): Fault => ({ type: 'refuse', status, message });
export const contextOverflow = (): Fault => ({ type: 'context-overflow' });
/** The connection is reset before any byte of the answer. */
export const reset = (): Fault => ({ type: 'reset' });
/** Nothing comes after so many pieces, and the connection stays open; with `pings`, a sign of life every so many milliseconds. */
export const hang = (after = 0, pings?: number): Fault => ({ type: 'hang', after, ...(pings !== undefined && { pings }) });
export const endWithoutFinish = (): Fault => ({ type: 'end-without-finish' });

/** The pieces of a text that is given whole or in pieces. */
export function piecesOf(text: string | readonly string[] | undefined): readonly string[] {
  if (text === undefined) return [];
  return typeof text === 'string' ? [text] : text;
}

/** Tool input as JSON text in two parts, the way it is streamed. */
export function inputPieces(input: unknown): string[] {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  const half = Math.ceil(text.length / 2);
  return [text.slice(0, half), text.slice(half)].filter((piece) => piece !== '');
}
