// A server reached over streamable HTTP, on the SDK's transport. Added here: answers are bounded in size, and an answer that breaks off
// before its end is noticed (the SDK would wait for it until the call times out).
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { onAbort } from './abort-listener.ts';
import { watchBody } from './watched-body.ts';

export interface HttpTransportOptions {
  url: string;
  headers: Readonly<Record<string, string>>;
  maxMessageBytes: number;
}

/** The code of the error that stands for an answer that broke off. */
export const brokenAnswer = -32_098;
/** How long an answer may still be on its way through the SDK after its stream has ended. */
const settleMilliseconds = 200;
const goodbyeMilliseconds = 1_000;
const reconnection = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 5,
};

export class HttpTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** An answer broke off. `resumable` where the server may still deliver it when it is asked again, which the SDK does. */
  onunanswered?: (id: RequestId, resumable: boolean) => void;
  readonly pid = undefined;
  readonly said = '';
  readonly #options: HttpTransportOptions;
  readonly #unanswered = new Set<RequestId>();
  /** How to end each request that is under way. */
  readonly #requests = new Map<RequestId, () => void>();
  #inner: StreamableHTTPClientTransport | undefined;
  #lastError: Error | undefined;
  #fault: string | undefined;
  #closed = false;

  constructor(options: HttpTransportOptions) {
    this.#options = options;
  }

  get ending(): string | undefined {
    return this.#fault ?? (this.#lastError && describeHttpError(this.#lastError));
  }

  get sessionId(): string | undefined {
    return this.#inner?.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.#inner?.setProtocolVersion(version);
  }

  async start(): Promise<void> {
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const inner = new StreamableHTTPClientTransport(new URL(this.#options.url), {
      requestInit: { headers: { ...this.#options.headers } },
      fetch: (url, init) => this.#fetch(url, init),
      reconnectionOptions: reconnection,
    });
    inner.onmessage = (message: JSONRPCMessage) => {
      if (!('method' in message) && message.id !== undefined) this.#unanswered.delete(message.id);
      this.onmessage?.(message);
    };
    inner.onerror = (error) => {
      this.#lastError = error;
      this.onerror?.(error);
    };
    inner.onclose = () => this.#finish();
    this.#inner = inner;
    await inner.start();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (!this.#inner || this.#closed) throw new Error('the connection is closed');
    const id = 'method' in message && 'id' in message ? message.id : undefined;
    if (id !== undefined) this.#unanswered.add(id);
    try {
      await this.#inner.send(message, options as { resumptionToken?: string });
    } catch (error) {
      if (id !== undefined) this.#unanswered.delete(id);
      throw error;
    } finally {
      if ('method' in message && message.method === 'notifications/cancelled')
        this.#forget(message.params?.requestId as RequestId);
    }
  }

  /** What was cancelled is not waited for: its answer would hold a connection for as long as the server likes. */
  #forget(id: RequestId): void {
    this.#unanswered.delete(id);
    this.#requests.get(id)?.();
  }

  /** Answers a request in the server's place. */
  giveUp(id: RequestId): void {
    this.onmessage?.({ jsonrpc: '2.0', id, error: { code: brokenAnswer, message: 'broken off' } });
  }

  /** For the SDK, which does not look at what it throws. */
  async close(): Promise<void> {
    this.drop();
  }

  /** Says goodbye first, so that the server can drop what it keeps for us. Throws where that failed; may then be called again. */
  async shutDown(): Promise<void> {
    if (this.#inner && !this.#closed) await this.#sayGoodbye(this.#inner);
    this.drop();
  }

  /** Ends our side without a word. */
  drop(): void {
    // Aborts what is under way; there is nothing in it to wait for.
    this.#inner?.close().catch(() => undefined);
    this.#finish();
  }

  async #sayGoodbye(inner: StreamableHTTPClientTransport): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('it did not answer the goodbye')), goodbyeMilliseconds);
    });
    const goodbye = inner.terminateSession().catch((error: Error) => {
      if (!isGone(error)) throw error;
    });
    try {
      await Promise.race([goodbye, late]);
    } finally {
      clearTimeout(timer);
      goodbye.catch(() => undefined);
    }
  }

  async #fetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const id = init.method === 'POST' ? requestIdIn(init.body) : undefined;
    const controller = new AbortController();
    const abort = () => controller.abort();
    const stopListening = onAbort(init.signal, abort);
    const settle = () => {
      stopListening();
      if (id !== undefined) this.#requests.delete(id);
    };
    if (id !== undefined) this.#requests.set(id, abort);
    try {
      const answer = await fetch(url, { ...init, signal: controller.signal });
      if (answer.body) return this.#watch(answer, id, settle);
      settle();
      return answer;
    } catch (error) {
      settle();
      throw error;
    }
  }

  #watch(answer: Response, id: RequestId | undefined, settle: () => void): Response {
    const { maxMessageBytes } = this.#options;
    const { response, isStream, finish } = watchBody(answer, maxMessageBytes, ({ tooLarge, resumable }) => {
      settle();
      // Asked again, it would send the same again.
      if (tooLarge) return this.#break(`it sent a message of more than ${maxMessageBytes} bytes`);
      if (id !== undefined) this.#expectSoon(id, resumable);
    });
    // The SDK asks for the rest of a stream that ends without an answer, so this one ends with one; nobody waits for it.
    const lastWord = `\n\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result: {} })}\n\n`;
    if (id !== undefined && isStream) this.#requests.set(id, () => finish(lastWord));
    return response;
  }

  #expectSoon(id: RequestId, resumable: boolean): void {
    setTimeout(() => {
      if (!this.#closed && this.#unanswered.has(id)) this.onunanswered?.(id, resumable);
    }, settleMilliseconds).unref();
  }

  #break(fault: string): void {
    this.#fault ??= fault;
    this.drop();
  }

  #finish(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }
}

function requestIdIn(body: RequestInit['body']): RequestId | undefined {
  if (typeof body !== 'string') return undefined;
  const message = JSON.parse(body) as { id?: RequestId; method?: string };
  return message.method === undefined ? undefined : message.id;
}

/** The server does not know us any more, or is not there: it keeps nothing for us. */
function isGone(error: Error): boolean {
  const status = httpStatusOf(error);
  return status === undefined
    ? (error.cause as { code?: string } | undefined)?.code === 'ECONNREFUSED'
    : [400, 404].includes(status);
}

/** Fetch hides the reason in the cause. */
export function describeHttpError(error: Error): string {
  const status = httpStatusOf(error);
  if (status === 401 || status === 403) return `it refused us (HTTP ${status}); check the token in "headers"`;
  if (status !== undefined && status > 0) return `it answered with HTTP ${status}`;
  const cause = error.cause as { code?: string; message?: string } | undefined;
  return cause?.code === undefined ? (cause?.message ?? error.message) : `it cannot be reached (${cause.code})`;
}

export function httpStatusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('code' in error) || !error.message.startsWith('Streamable HTTP error')) return undefined;
  return typeof error.code === 'number' ? error.code : undefined;
}
