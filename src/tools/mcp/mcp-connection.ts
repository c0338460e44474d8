// One server: connected when it is first needed, and again after it failed, later each time. A call is made at most once: when the
// connection breaks under it, it fails, because nobody knows how far the server came.
import { resolve } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import { ContinuoError, isContinuoError } from '../../model/error.ts';
import { onAbort } from './abort-listener.ts';
import { CallDeadline } from './call-deadline.ts';
import { brokenAnswer, describeHttpError, HttpTransport, httpStatusOf } from './http-transport.ts';
import { readToolList, type ToolList } from './listed-tools.ts';
import type { McpTransportConfig } from './mcp-config.ts';
import { type BackOff, defaultBackOff, RetrySchedule } from './retry-schedule.ts';
import { StdioTransport } from './stdio-transport.ts';
import { cleanText } from './text-tail.ts';

export interface McpConnectionOptions {
  name: string;
  transport: McpTransportConfig;
  /** The whole environment of a child process, before what the configuration adds. */
  environment: Readonly<Record<string, string>>;
  /** Where child processes start; relative folders of the configuration begin here. */
  directory?: string;
  /** Who we say we are. */
  client?: { name: string; version: string };
  /** How long a server may take until it is ready. */
  startMilliseconds?: number;
  /** How long a child process may take to end by itself, and then again after SIGTERM. */
  graceMilliseconds?: number;
  maxMessageBytes?: number;
  backOff?: BackOff;
  clock?: Clock;
  random?: () => number;
}

export interface McpCallOptions {
  signal?: AbortSignal;
  /** Without a sign of progress for so long, the call is cancelled; in all it may take ten times that. */
  timeoutMilliseconds?: number;
  onProgress?: (progress: Progress) => void;
}

export type McpConnectionState = 'resting' | 'starting' | 'ready' | 'failing' | 'closed';

interface Link {
  client: Client;
  transport: StdioTransport | HttpTransport;
  ended: boolean;
  /** We ended it ourselves: no fault of the server's. */
  dismissed: boolean;
}

const defaultStartMilliseconds = 30_000;
const defaultCallMilliseconds = 60_000;
const mostPages = 100;
const mostTools = 2_000;
const aliveMilliseconds = 5_000;
const anyTime = 2_147_483_647;

export class McpConnection {
  readonly #options: McpConnectionOptions;
  readonly #retry: RetrySchedule;
  /** Everything not known to be ended, to be closed with us. */
  readonly #links = new Set<Link>();
  #opening: Promise<Link> | undefined;
  #link: Link | undefined;
  #listing: Promise<ToolList> | undefined;
  #list: ToolList | undefined;
  #listVersion = 0;
  #lastReason: string | undefined;
  #closed = false;

  constructor(options: McpConnectionOptions) {
    this.#options = options;
    this.#retry = new RetrySchedule(
      options.backOff ?? defaultBackOff,
      options.clock ?? systemClock,
      options.random ?? Math.random,
    );
  }

  get name(): string {
    return this.#options.name;
  }

  /** Of the child process, while there is one. */
  get pid(): number | undefined {
    return this.#link?.transport.pid;
  }

  get state(): McpConnectionState {
    if (this.#closed) return 'closed';
    if (this.#link) return 'ready';
    if (this.#opening !== undefined) return 'starting';
    return this.#retry.wait > 0 ? 'failing' : 'resting';
  }

  /** All pages, asked for once and again when the server says that they changed. */
  async listTools(signal?: AbortSignal): Promise<ToolList> {
    this.#requireOpen();
    if (this.#list) return this.#list;
    this.#listing ??= this.#fetchTools().finally(() => {
      this.#listing = undefined;
    });
    return unlessAborted(this.#listing, signal);
  }

  /**
   * The server's result as it came. Throws `mcp-failed` where the server failed or refused, `timeout`, and `cancelled` when aborted; in
   * the last two cases the server is told.
   */
  async call(tool: string, input: JsonObject, options: McpCallOptions = {}): Promise<Record<string, unknown>> {
    const result = await this.#withLink((link) => this.#request(link, tool, input, options), options.signal);
    this.#retry.succeeded();
    return result;
  }

  /** Ends the connection; the next use connects again. Throws where something did not end, and may then be called again. */
  async rest(): Promise<void> {
    this.#link = undefined;
    const opening = this.#opening;
    this.#opening = undefined;
    // What is still starting is in the set already.
    opening?.catch(() => undefined);
    const results = await Promise.allSettled([...this.#links].map((link) => this.#end(link)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw this.#failure(describe(failed.reason), failed.reason);
  }

  /** For good. Throws like {@link rest}. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.rest();
  }

  /** Lets go of what could not be ended. */
  abandonLinks(): void {
    for (const link of this.#links) link.transport.drop();
    this.#links.clear();
  }

  async #withLink<T>(work: (link: Link) => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const link = await unlessAborted(this.#connect(), signal);
      try {
        return await work(link);
      } catch (error) {
        const isForgotten = forgotUs(error, link);
        if (isForgotten) this.#lose(link, error);
        // The server was restarted and has not looked at what we asked, so it may be asked again.
        if (!isForgotten || attempt > 1 || this.#closed) throw this.#translate(link, error);
      }
    }
  }

  #connect(): Promise<Link> {
    this.#requireOpen();
    if (this.#link) return Promise.resolve(this.#link);
    if (this.#opening !== undefined) return this.#opening;
    const { wait } = this.#retry;
    if (wait > 0) {
      const seconds = Math.ceil(wait / 1000);
      const reason = `${this.#lastReason ?? 'it failed before'}; the next try is in ${seconds} seconds`;
      return Promise.reject(this.#failure(reason, undefined, { nextTryAt: new Date(this.#retry.nextAt).toISOString() }));
    }
    const opening = this.#open().finally(() => {
      if (this.#opening === opening) this.#opening = undefined;
    });
    this.#opening = opening;
    return opening;
  }

  async #open(): Promise<Link> {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const { ToolListChangedNotificationSchema } = await import('@modelcontextprotocol/sdk/types.js');
    this.#requireOpen();
    const client = new Client(this.#options.client ?? { name: 'continuo', version: '0' }, {
      capabilities: {},
      // What a tool puts out is passed on, not judged; compiling a stranger's schemas is asking for trouble.
      jsonSchemaValidator: { getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }) },
    });
    const link: Link = { client, transport: this.#createTransport(), ended: false, dismissed: false };
    this.#links.add(link);
    this.#forgetList();
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      if (!link.ended) this.#forgetList();
    });
    client.onclose = () => this.#onEnd(link);
    if (link.transport instanceof HttpTransport) this.#watchAnswers(link, link.transport);
    const timeout = this.#options.startMilliseconds ?? defaultStartMilliseconds;
    try {
      await client.connect(link.transport, { timeout });
      if (link.ended) throw new Error('it ended');
      if (link.dismissed) throw new Error('it was closed while it started');
    } catch (error) {
      throw this.#failToStart(link, error, timeout);
    }
    this.#link = link;
    return link;
  }

  #failToStart(link: Link, error: unknown, timeout: number): ContinuoError {
    const { transport } = link;
    const tookTooLong = codeOf(error) === requestTimeout;
    const said = transport.said === '' ? '' : ` and said: ${transport.said}`;
    const reason = tookTooLong
      ? `it was not ready within ${timeout / 1000} seconds${said}`
      : (transport.ending ?? describe(error));
    if (!link.dismissed) {
      this.#retry.failedToStart();
      this.#lastReason = reason;
    }
    // Nobody is waiting for its goodbye; should that fail, closing will try again.
    this.#end(link).catch(() => undefined);
    return this.#failure(reason, error);
  }

  #createTransport(): StdioTransport | HttpTransport {
    const { transport, environment, directory, graceMilliseconds = 1_000, maxMessageBytes = 10 * 1024 * 1024 } = this.#options;
    if (transport.type === 'http') return new HttpTransport({ url: transport.url, headers: transport.headers, maxMessageBytes });
    const folder = transport.cwd === undefined ? directory : resolve(directory ?? '', transport.cwd);
    return new StdioTransport({
      command: transport.command,
      args: transport.args,
      environment: { ...environment, ...transport.env },
      ...(folder !== undefined && { directory: folder }),
      graceMilliseconds,
      maxMessageBytes,
    });
  }

  async #fetchTools(): Promise<ToolList> {
    return this.#withLink(async (link) => {
      const version = this.#listVersion;
      const list = readToolList(link.client.getServerCapabilities()?.tools ? await this.#fetchPages(link) : []);
      // It may have changed while it was read.
      if (this.#link === link && this.#listVersion === version) this.#list = list;
      return list;
    });
  }

  async #fetchPages({ client }: Link): Promise<unknown[]> {
    const timeout = this.#options.startMilliseconds ?? defaultStartMilliseconds;
    const listed: unknown[] = [];
    const seen = new Set<unknown>();
    let cursor: string | undefined;
    do {
      const { tools, nextCursor } = await requestLoosely(client, 'tools/list', cursor === undefined ? {} : { cursor }, {
        timeout,
      });
      if (Array.isArray(tools)) listed.push(...tools.slice(0, mostTools));
      cursor = typeof nextCursor === 'string' && !seen.has(nextCursor) ? nextCursor : undefined;
      seen.add(cursor);
    } while (cursor !== undefined && seen.size < mostPages && listed.length < mostTools);
    return listed.slice(0, mostTools);
  }

  async #request(link: Link, tool: string, input: JsonObject, options: McpCallOptions): Promise<Record<string, unknown>> {
    const deadline = new CallDeadline(options.timeoutMilliseconds ?? defaultCallMilliseconds, options.signal);
    try {
      return await requestLoosely(
        link.client,
        'tools/call',
        { name: tool, arguments: input },
        {
          signal: deadline.signal,
          timeout: anyTime,
          onprogress: (progress) => {
            deadline.extend();
            options.onProgress?.(progress);
          },
        },
      );
    } catch (error) {
      if (deadline.ending === 'cancelled') throw new ContinuoError('cancelled', {}, { cause: error });
      if (deadline.ending === 'timeout') {
        const what = `The MCP tool "${cleanText(tool)}"`;
        throw new ContinuoError('timeout', { what, seconds: deadline.seconds }, { cause: error });
      }
      throw error;
    } finally {
      deadline.end();
    }
  }

  /** What a failed request means for its caller and for the connection. */
  #translate(link: Link, error: unknown): ContinuoError {
    if (isContinuoError(error)) return error;
    if (this.#closed) return new ContinuoError('session-closed', {}, { cause: error });
    if (link.ended) return this.#failure(link.transport.ending ?? 'the connection broke off', error);
    if (codeOf(error) === requestTimeout) return this.#failure('it does not answer', error);
    if (codeOf(error) === brokenAnswer) return this.#failure('its answer broke off', error);
    if (codeOf(error) !== undefined && httpStatusOf(error) === undefined) {
      return this.#failure(`it refused the request: ${describe(error)}`, error);
    }
    // One bad answer says nothing about the other calls; a network that is gone does.
    if (isNetworkError(error)) this.#lose(link, error);
    return this.#failure(describe(error), error);
  }

  /** The server is not there any more, or not for us. */
  #lose(link: Link, error: unknown): void {
    if (link.ended) return;
    this.#lastReason = describe(error);
    link.transport.drop();
  }

  #onEnd(link: Link): void {
    if (link.ended) return;
    link.ended = true;
    this.#links.delete(link);
    if (this.#link !== link) return;
    this.#link = undefined;
    this.#forgetList();
    this.#lastReason = link.transport.ending ?? this.#lastReason;
    this.#retry.crashed();
  }

  async #end(link: Link): Promise<void> {
    link.dismissed = true;
    if (this.#link === link) this.#link = undefined;
    await link.transport.shutDown();
    this.#links.delete(link);
  }

  /** An answer broke off: either the server is gone, or it is there and will not send it again. */
  #watchAnswers(link: Link, transport: HttpTransport): void {
    transport.onunanswered = (id, resumable) => {
      link.client.ping({ timeout: aliveMilliseconds }).then(
        () => {
          if (!resumable) transport.giveUp(id);
        },
        (error: unknown) => this.#lose(link, error),
      );
    };
  }

  #forgetList(): void {
    this.#list = undefined;
    this.#listVersion += 1;
  }

  #requireOpen(): void {
    if (this.#closed) throw new ContinuoError('session-closed');
  }

  #failure(reason: string, cause: unknown, more: { nextTryAt?: string } = {}): ContinuoError {
    return new ContinuoError('mcp-failed', { server: this.name, reason, ...more }, { cause });
  }
}

const requestTimeout = -32_001;

/** Results are taken as they come: an unknown kind of content in one must not cost the rest. */
async function requestLoosely(
  client: Client,
  method: 'tools/list' | 'tools/call',
  params: Record<string, unknown>,
  options: Parameters<Client['request']>[2],
): Promise<Record<string, unknown>> {
  const { ResultSchema } = await import('@modelcontextprotocol/sdk/types.js');
  return await client.request({ method, params } as Parameters<Client['request']>[0], ResultSchema, options);
}

function forgotUs(error: unknown, { transport }: Link): boolean {
  return transport instanceof HttpTransport && transport.sessionId !== undefined && [400, 404].includes(httpStatusOf(error) ?? 0);
}

function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError && error.message === 'fetch failed';
}

/** Of a JSON-RPC error. */
function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return cleanText(String(error));
  const text = error.name === 'ZodError' ? 'its answer is not understood' : describeHttpError(error);
  return cleanText(text.replace(/^MCP error -?\d+: /, '')).slice(0, 1_000);
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  work.catch(() => undefined);
  let stopListening: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stopListening = onAbort(signal, () => reject(new ContinuoError('cancelled')));
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    stopListening?.();
  }
}
