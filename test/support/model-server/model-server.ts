// A scripted language model behind real HTTP on the loopback interface. It speaks the streaming protocols of Anthropic, OpenAI (and
// the servers compatible with it) and Gemini, gives the answers of its script in order, commits the faults it is told to, and keeps
// every request it was sent.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { TextModel } from '../../../src/model/ports/text-model.ts';
import { createModel, type ModelOptions } from '../../../src/providers/models/create-model.ts';
import { anthropicProtocol } from './anthropic-protocol.ts';
import { geminiProtocol } from './gemini-protocol.ts';
import { openaiProtocol } from './openai-protocol.ts';
import type { Protocol, ProtocolName, Refusal } from './protocol.ts';
import type { ScriptedAnswer } from './script.ts';

export interface RecordedRequest {
  protocol: ProtocolName;
  path: string;
  model: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of three protocols
  body: any;
  /** When its first bytes arrived: milliseconds since 1970, with fractions. */
  at: number;
  /** The client's end of the connection: the same number where a connection was used again. */
  port: number;
  /** The client closed the connection before the answer was whole. */
  aborted: boolean;
  /** Resolves when the exchange is over, however it ended. */
  over: Promise<void>;
}

/** Answers in order, or one for each request. */
export type Script =
  | readonly ScriptedAnswer[]
  | ((request: RecordedRequest, index: number) => ScriptedAnswer | Promise<ScriptedAnswer>);

export interface ModelServerOptions {
  /** The last answer is given again and again; otherwise a request after it is refused. */
  repeatLast?: boolean;
}

/** The key that models made by {@link ModelServer.modelFor} send. */
export const testKey = 'sk-test-0123456789abcdef';

const protocols: readonly Protocol[] = [anthropicProtocol, openaiProtocol, geminiProtocol];

const modelNames = {
  anthropic: 'anthropic:claude-test',
  openai: 'openai:gpt-test',
  google: 'google:gemini-test',
  compatible: 'compatible:local-test',
} as const;

export type ModelKind = keyof typeof modelNames;

export interface ModelServer {
  /** Without a path: models add what their protocol needs. */
  readonly url: string;
  readonly requests: RecordedRequest[];
  /** A model that talks to this server; retries follow at once unless told otherwise. */
  modelFor(kind: ModelKind, options?: ModelOptions): TextModel;
  close(): Promise<void>;
}

export async function startModelServer(script: Script = [], options: ModelServerOptions = {}): Promise<ModelServer> {
  const requests: RecordedRequest[] = [];
  const closing = new AbortController();
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (closing.signal.aborted || response.destroyed) return;
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: `scripted model server: ${error}` } }));
    });
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = performance.timeOrigin + performance.now();
    const url = new URL(request.url ?? '/', 'http://localhost');
    const protocol = protocols.find((known) => known.matches(url.pathname));
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (protocol === undefined) throw new Error(`no protocol has ${request.method} ${url.pathname}`);
    const body = JSON.parse(Buffer.concat(parts).toString());
    const model = body.model ?? /models\/(.+):/.exec(url.pathname)?.[1];
    const over = once(response, 'close').then(() => undefined);
    const { headers } = request;
    const port = request.socket.remotePort ?? 0;
    const record: RecordedRequest = {
      protocol: protocol.name,
      path: url.pathname,
      model,
      headers,
      body,
      at,
      port,
      aborted: false,
      over,
    };
    let cut = false;
    response.once('close', () => {
      record.aborted = !response.writableFinished && !cut;
    });
    const index = requests.push(record) - 1;
    const answer = await answerFor(record, index);
    const cutOff = async () => {
      cut = true;
      // What was written before has to arrive.
      if (response.headersSent) await new Promise<void>((done) => response.socket?.write('', () => done()));
      response.socket?.destroy();
    };
    await give(response, protocol, answer, model, cutOff, closing.signal);
  }

  async function answerFor(record: RecordedRequest, index: number): Promise<ScriptedAnswer> {
    if (typeof script === 'function') return script(record, index);
    const answer = script[index] ?? (options.repeatLast ? script.at(-1) : undefined);
    if (answer === undefined) throw new Error(`the script has ${script.length} answers, and this is request ${index + 1}`);
    return answer;
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    modelFor: (kind, given = {}) =>
      createModel(modelNames[kind], {
        baseUrl: url,
        keys: {
          ANTHROPIC_API_KEY: testKey,
          OPENAI_API_KEY: testKey,
          GOOGLE_GENERATIVE_AI_API_KEY: testKey,
          CONTINUO_MODEL_KEY: testKey,
        },
        retries: { firstDelay: 1, maxDelay: 5 },
        ...given,
      }),
    close: async () => {
      closing.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function give(
  response: ServerResponse,
  protocol: Protocol,
  answer: ScriptedAnswer,
  model: string,
  cutOff: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { fault } = answer;
  const gone = AbortSignal.any([signal, closeSignal(response)]);
  if (fault?.type === 'reset') return cutOff();
  if (fault?.type === 'slow-first-byte') await wait(fault.milliseconds, undefined, { signal: gone });
  const refusal = fault && protocol.refusal(fault);
  if (refusal) return refuse(response, refusal);
  if (fault?.type === 'wrong-content-type') {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end('<html><body>Welcome to the hotel network.</body></html>');
    return;
  }
  if (fault?.type === 'hang' && fault.after === 0 && fault.pings === undefined) return;
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  response.flushHeaders();
  if (fault?.type === 'cut-at-byte' || fault?.type === 'flip-byte') return giveDamaged(response, protocol, answer, model, cutOff);
  let pieces = 0;
  for (const frame of protocol.frames(answer, model)) {
    const after = fault && 'after' in fault ? fault.after : undefined;
    const isNext = frame.piece === true || frame.finish === true;
    if (fault?.type === 'cut-after' && isNext && pieces === fault.chunks) return cutOff();
    if (fault?.type === 'hang' && isNext && pieces === after) return ping(response, protocol.ping, fault.pings, gone);
    if (fault?.type === 'stream-error' && isNext && pieces === after) {
      response.end(protocol.overloaded);
      return;
    }
    if (fault?.type === 'malformed-chunk' && isNext && pieces === after) await write(response, protocol.malformed, answer);
    if (fault?.type === 'end-without-finish' && frame.finish) break;
    if (frame.piece && pieces > 0 && answer.delayBetweenChunks)
      await wait(answer.delayBetweenChunks, undefined, { signal: gone });
    await write(response, frame.text, answer);
    if (frame.piece) pieces += 1;
  }
  if (answer.delayBeforeEnd) await wait(answer.delayBeforeEnd, undefined, { signal: gone });
  response.end();
}

async function giveDamaged(
  response: ServerResponse,
  protocol: Protocol,
  answer: ScriptedAnswer,
  model: string,
  cutOff: () => Promise<void>,
): Promise<void> {
  const { fault } = answer;
  const frames = protocol.frames(answer, model);
  const bytes = Buffer.from(frames.map(({ text }) => text).join(''));
  if (fault?.type === 'cut-at-byte') {
    await new Promise<void>((done) => response.write(bytes.subarray(0, fault.byte), () => done()));
    return cutOff();
  }
  if (fault?.type === 'flip-byte') bytes[fault.byte] = (bytes[fault.byte] ?? 0) ^ 0x15;
  response.end(bytes);
}

function refuse(response: ServerResponse, { status, body, headers }: Refusal): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

async function write(response: ServerResponse, text: string, { bytesPerWrite }: ScriptedAnswer): Promise<void> {
  const bytes = Buffer.from(text);
  const size = bytesPerWrite ?? bytes.length;
  for (let start = 0; start < bytes.length; start += size) {
    // Waiting for the write keeps portions apart, so that the client reads them one by one.
    await new Promise<void>((done) => response.write(bytes.subarray(start, start + size), () => done()));
  }
}

async function ping(response: ServerResponse, text: string, every: number | undefined, signal: AbortSignal): Promise<void> {
  while (every !== undefined) {
    await wait(every, undefined, { signal });
    response.write(text);
  }
}

function closeSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  return controller.signal;
}
