// One JSON-RPC 2.0 peer over lines: requests in, answers out, and the few requests a server makes itself. Invariants: every request
// that was understood gets exactly one answer, unless it was cancelled; what cannot be understood gets an error, and the next line is
// read as if nothing had happened; nothing but messages is ever written; while answers are not taken, no more of them are made.
import { setImmediate } from 'node:timers/promises';
import { LineReader } from './line-reader.ts';
import { Outbox } from './outbox.ts';
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
  /** Whether several messages in one array are read: one version of the protocol has them. */
  takesBatches: () => boolean;
  /** Writes lines; resolves when there is room for more. */
  write: (lines: string) => Promise<void>;
  /** Told of what went wrong on our side. */
  onError: (error: unknown) => void;
}

/** Longer than this no message is: the rest of the line is skipped. */
const longestLine = 8 * 1024 * 1024;
/** Bytes that may wait to be understood before whoever reads them should stop. */
const mostHeld = 2 * longestLine;
/** Lines after which others get their turn: a signal, the end of the input. */
const linesAtOnce = 16;
const mostInBatch = 100;

type Reply = (answer: object) => Promise<void>;

export class JsonRpcPeer {
  readonly #options: PeerOptions;
  readonly #reader: LineReader;
  readonly #outbox: Outbox;
  readonly #running = new Map<RequestId, AbortController>();
  readonly #asked = new Map<RequestId, (answer: { result?: unknown }) => void>();
  readonly #work = new Set<Promise<void>>();
  /** Lines that were read and not understood yet; null for one that was too long. */
  #held: (string | null)[] = [];
  #heldLength = 0;
  #isTaking = false;
  #hasRoom: (() => void)[] = [];
  #asks = 0;

  constructor(options: PeerOptions) {
    this.#options = options;
    const { write, onError } = options;
    this.#outbox = new Outbox({ write, onError, onRoom: () => this.#takeHeld() });
    this.#reader = new LineReader(longestLine, {
      line: (line) => this.#hold(line),
      tooLong: () => this.#hold(null),
    });
  }

  /** Bytes as they come. Resolves when there is room for more: at once, unless the other side sends and sends and does not read. */
  async take(bytes: Uint8Array): Promise<void> {
    this.#reader.take(bytes);
    this.#takeHeld();
    if (this.#heldLength > mostHeld) await new Promise<void>((resolve) => this.#hasRoom.push(resolve));
  }

  /** No more bytes come: a last line without its end counts. */
  end(): void {
    this.#reader.end();
    this.#takeHeld();
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

  /** Stops all work. What was not answered yet gets no answer. */
  giveUp(): void {
    this.#release(this.#held.length);
    for (const id of this.#running.keys()) this.cancel(id);
    this.#outbox.close();
  }

  /** When everything that was asked is answered. */
  async settled(): Promise<void> {
    while (this.#work.size > 0) await Promise.allSettled([...this.#work]);
  }

  #hold(line: string | null): void {
    this.#held.push(line);
    this.#heldLength += line?.length ?? 0;
  }

  #release(count: number): (string | null)[] {
    const lines = this.#held.splice(0, count);
    for (const line of lines) this.#heldLength -= line?.length ?? 0;
    if (this.#heldLength <= mostHeld) for (const tell of this.#hasRoom.splice(0)) tell();
    return lines;
  }

  #takeHeld(): void {
    if (!this.#isTaking && this.#held.length > 0) this.#keep(this.#takeWhileRoom());
  }

  async #takeWhileRoom(): Promise<void> {
    this.#isTaking = true;
    try {
      while (this.#held.length > 0 && !this.#outbox.isFull) {
        for (const line of this.#release(linesAtOnce)) {
          const message = line === null ? tooLong : readMessage(line);
          this.#keep(this.#take(message, (answer) => this.#send(answer)));
        }
        await setImmediate();
      }
    } finally {
      this.#isTaking = false;
    }
  }

  async #take(message: Message, reply: Reply): Promise<void> {
    if (message.kind === 'request') await this.#takeRequest(message.id, message.method, message.params, reply);
    else if (message.kind === 'notification') this.#options.notification(message.method, message.params);
    else if (message.kind === 'answer') this.#asked.get(message.id)?.(message);
    else if (message.kind === 'refused') await reply(toError(message.id, message.code, message.reason));
    else if (message.kind === 'batch') await this.#takeBatch(message.messages, reply);
  }

  /** Their answers come together as well. */
  async #takeBatch(messages: readonly Message[], reply: Reply): Promise<void> {
    const refuse = (reason: string) => reply(toError(null, errorCodes.invalidRequest, `Invalid Request: ${reason}`));
    if (!this.#options.takesBatches()) return refuse('batches are not supported');
    if (messages.length > mostInBatch) return refuse(`more than ${mostInBatch} messages in a batch`);
    const answers: object[] = [];
    await Promise.all(messages.map((message) => this.#take(message, async (answer) => void answers.push(answer))));
    if (answers.length > 0) await reply(answers);
  }

  async #takeRequest(id: RequestId, method: string, params: Params, reply: Reply): Promise<void> {
    const handler = this.#options.request(method);
    if (!handler) return reply(toError(id, errorCodes.methodNotFound, 'Method not found'));
    if (this.#running.has(id)) return reply(toError(id, errorCodes.invalidRequest, 'Invalid Request: the id is in use'));
    const controller = new AbortController();
    this.#running.set(id, controller);
    try {
      await this.#answer(id, handler(params, controller.signal), controller.signal, reply);
    } finally {
      this.#running.delete(id);
    }
  }

  async #answer(id: RequestId, work: Promise<object>, signal: AbortSignal, reply: Reply): Promise<void> {
    let answer: object;
    try {
      answer = { jsonrpc: '2.0', id, result: await work };
    } catch (error) {
      const isKnown = error instanceof RpcError;
      if (!isKnown && !signal.aborted) this.#options.onError(error);
      answer = isKnown ? toError(id, error.code, error.message) : toError(id, errorCodes.internal, 'Internal error');
    }
    if (!signal.aborted) await reply(answer);
  }

  #send(message: object): Promise<void> {
    return this.#outbox.send(`${JSON.stringify(message)}\n`);
  }

  #keep(work: Promise<void>): void {
    const kept = work.catch((error: unknown) => this.#options.onError(error)).finally(() => this.#work.delete(kept));
    this.#work.add(kept);
  }
}

const tooLong: Message = {
  kind: 'refused',
  id: null,
  code: errorCodes.invalidRequest,
  reason: `Invalid Request: longer than ${longestLine} bytes`,
};

function toError(id: RequestId | null, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
