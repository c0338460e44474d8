// One JSON-RPC 2.0 peer over lines: requests in, answers out, and the few requests a server makes itself. Invariants: every request
// that was understood gets exactly one answer, unless it was cancelled; what cannot be understood gets an error, and the next line is
// read as if nothing had happened; nothing but messages is ever written.
import { LineReader } from './line-reader.ts';
import { errorCodes, type Message, type Params, type RequestId, readMessage } from './read-message.ts';

/** What a handler throws to answer with a code of its own. */
export class RpcError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export interface PeerOptions {
  /** Answers a request. Undefined where there is no such method. */
  request: (method: string) => ((params: Params, signal: AbortSignal) => Promise<object>) | undefined;
  notification: (method: string, params: Params) => void;
  /** Writes one line; resolves when there is room for the next. */
  write: (line: string) => Promise<void>;
  /** Told of what went wrong on our side. */
  onError?: (error: unknown) => void;
}

/** Longer than this no message is: the rest of the line is skipped. */
const longestLine = 8 * 1024 * 1024;

export class JsonRpcPeer {
  readonly #options: PeerOptions;
  readonly #reader: LineReader;
  readonly #running = new Map<RequestId, AbortController>();
  readonly #asked = new Map<RequestId, (answer: { result?: unknown }) => void>();
  readonly #work = new Set<Promise<void>>();
  #asks = 0;

  constructor(options: PeerOptions) {
    this.#options = options;
    this.#reader = new LineReader(longestLine, {
      line: (line) => this.#take(readMessage(line)),
      tooLong: () => this.#refuse(null, errorCodes.invalidRequest, `Invalid Request: longer than ${longestLine} bytes`),
    });
  }

  /** Bytes as they come. */
  take(bytes: Uint8Array): void {
    this.#reader.take(bytes);
  }

  /** No more bytes come: a last line without its end counts. */
  end(): void {
    this.#reader.end();
  }

  /** Asks the other side; undefined where it does not answer in time, or with an error. */
  async ask(method: string, milliseconds: number): Promise<unknown> {
    const id = `continuo-${++this.#asks}`;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<unknown>((resolve) => {
        timer = setTimeout(() => resolve(undefined), milliseconds);
        this.#asked.set(id, ({ result }) => resolve(result));
        void this.#send({ jsonrpc: '2.0', id, method });
      });
    } finally {
      clearTimeout(timer);
      this.#asked.delete(id);
    }
  }

  /** Stops the work on a request; it gets no answer. */
  cancel(id: unknown): void {
    this.#running.get(id as RequestId)?.abort(new DOMException('The request was cancelled.', 'AbortError'));
  }

  cancelAll(): void {
    for (const id of this.#running.keys()) this.cancel(id);
  }

  /** When everything that was asked is answered. */
  async settled(): Promise<void> {
    while (this.#work.size > 0) await Promise.allSettled([...this.#work]);
  }

  #take(message: Message): void {
    if (message.kind === 'request') this.#takeRequest(message.id, message.method, message.params);
    else if (message.kind === 'notification') this.#options.notification(message.method, message.params);
    else if (message.kind === 'answer') this.#asked.get(message.id)?.(message);
    else if (message.kind === 'refused') this.#refuse(message.id, message.code, message.reason);
  }

  #takeRequest(id: RequestId, method: string, params: Params): void {
    const handler = this.#options.request(method);
    if (!handler) this.#refuse(id, errorCodes.methodNotFound, 'Method not found');
    else if (this.#running.has(id)) this.#refuse(id, errorCodes.invalidRequest, 'Invalid Request: the id is in use');
    else {
      const controller = new AbortController();
      this.#running.set(id, controller);
      this.#keep(this.#answer(id, handler(params, controller.signal), controller.signal));
    }
  }

  async #answer(id: RequestId, work: Promise<object>, signal: AbortSignal): Promise<void> {
    try {
      const result = await work;
      if (!signal.aborted) await this.#send({ jsonrpc: '2.0', id, result });
    } catch (error) {
      if (signal.aborted) return;
      const known = error instanceof RpcError;
      if (!known) this.#options.onError?.(error);
      const { code, message } = known ? error : { code: errorCodes.internal, message: 'Internal error' };
      await this.#send({ jsonrpc: '2.0', id, error: { code, message } });
    } finally {
      this.#running.delete(id);
    }
  }

  #refuse(id: RequestId | null, code: number, message: string): void {
    this.#keep(this.#send({ jsonrpc: '2.0', id, error: { code, message } }));
  }

  #send(message: object): Promise<void> {
    return this.#options.write(`${JSON.stringify(message)}\n`);
  }

  #keep(work: Promise<void>): void {
    const kept = work.catch((error: unknown) => this.#options.onError?.(error)).finally(() => this.#work.delete(kept));
    this.#work.add(kept);
  }
}
