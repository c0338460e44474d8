// What one conversation sees of the session's servers: which tools, under which names, how much of them at a time. What is not visible
// cannot be called. The pool does not know its views; a released one is held by nobody but those who still look at it.
import type { JsonValue } from '../../base/json.ts';
import { ContinuoError, isContinuoError } from '../../model/error.ts';
import type { ErrorCode } from '../../model/error-codes.ts';
import type { Tool, ToolContext, ToolOutcome } from '../../model/ports/tool.ts';
import { onAbort } from './abort-listener.ts';
import type { CallLimit, CallLimits, WhenLimited } from './call-limits.ts';
import { byName, type ListedTool, visibleNames } from './listed-tools.ts';
import type { McpServerConfig } from './mcp-config.ts';
import { readOutcome } from './result-outcome.ts';
import type { ServerLease } from './server-lease.ts';
import { cleanText } from './text-tail.ts';
import { requireToolInput } from './tool-input.ts';

export interface McpViewOptions {
  servers: readonly McpServerConfig[];
  /** The only tools that are visible, by the server's name for them, the visible name or `mcp__server__tool`; all where absent. */
  allowTools?: readonly string[];
  hideTools?: readonly string[];
  /** `plain`: the server's prefix and its name for the tool. `qualified`: `mcp__server__tool`. */
  naming?: 'plain' | 'qualified';
  limits?: CallLimit;
  /** What happens to a call over the limits of the view or the session. */
  whenLimited?: WhenLimited;
  onCall?: (call: McpCall) => void;
}

/** One call, for metrics. */
export interface McpCall {
  server: string;
  tool: string;
  /** At the server, connecting included. */
  milliseconds: number;
  /** Held back by limits before that. */
  waitedMilliseconds: number;
  ok: boolean;
  code?: ErrorCode;
}

export interface McpProblem {
  server: string;
  reason: string;
  code?: ErrorCode;
}

interface ViewServer {
  config: McpServerConfig;
  lease: ServerLease;
}

interface VisibleTool {
  name: string;
  listed: ListedTool;
}

export const defaultViewLimit: CallLimit = { concurrent: 4, perMinute: 120 };
const mostSummaryCharacters = 200;
const mostProgressCharacters = 1_000;

export class McpView {
  readonly #options: McpViewOptions;
  readonly #servers: readonly ViewServer[];
  readonly #limits: CallLimits;
  readonly #sessionLimits: CallLimits;
  readonly #problems = new Map<string, McpProblem[]>();
  readonly #calls = new Set<AbortController>();
  #released = false;

  /** Made by the pool. */
  constructor(options: McpViewOptions, servers: readonly ViewServer[], limits: CallLimits, sessionLimits: CallLimits) {
    this.#options = options;
    this.#servers = servers;
    this.#limits = limits;
    this.#sessionLimits = sessionLimits;
  }

  /**
   * What a model may be shown now, sorted by name; two servers may have a tool of the same name, which is for the caller to judge. A
   * server that cannot be reached is missing, see {@link problems}. Nothing is visible in a released view.
   */
  async tools(signal?: AbortSignal): Promise<Tool[]> {
    if (this.#released) return [];
    const lists = await Promise.all(this.#servers.map((server) => this.#toolsOf(server, signal)));
    return lists.flat().sort((a, b) => byName(a, b) || byName({ name: a.source }, { name: b.source }));
  }

  /** Servers that are on their way. */
  starting(): string[] {
    return this.#servers.filter(({ lease }) => lease.connection.state === 'starting').map(({ config }) => config.name);
  }

  /** What is wrong with the servers, as far as it showed. */
  problems(): McpProblem[] {
    return this.#servers.flatMap(({ config }) => this.#problems.get(config.name) ?? []);
  }

  /** Calls by visible name. Throws `tool-not-found` also where the server has the tool but this view may not see it. */
  async call(name: string, input: JsonValue, context: ToolContext): Promise<ToolOutcome> {
    this.#requireHeld(context);
    const [tool, other] = (await this.tools(context.signal)).filter((candidate) => candidate.name === name);
    if (!tool) throw new ContinuoError('tool-not-found', { tool: name });
    if (other) throw new ContinuoError('tool-conflict', { tool: name, first: tool.source, second: other.source });
    return tool.run(input, context);
  }

  /** Gives the servers back and ends the calls that still run. Calls are refused from here on. */
  async release(): Promise<void> {
    if (this.#released) return;
    this.#released = true;
    this.#limits.close(new ContinuoError('cancelled'));
    for (const call of this.#calls) call.abort();
    for (const { lease } of this.#servers) lease.release();
  }

  async #toolsOf(server: ViewServer, signal?: AbortSignal): Promise<Tool[]> {
    const { config } = server;
    const end = server.lease.begin();
    try {
      const visible = await this.#visibleTools(server, signal);
      return visible.map((tool) => this.#createTool(server, tool));
    } catch (error) {
      if (isContinuoError(error, 'cancelled')) throw error;
      const named = nameServer(error, config.name);
      this.#problems.set(config.name, [{ server: config.name, reason: reasonOf(named), code: named.code }]);
      return [];
    } finally {
      end();
    }
  }

  async #visibleTools({ config, lease }: ViewServer, signal?: AbortSignal): Promise<VisibleTool[]> {
    const { tools, problems } = await lease.connection.listTools(signal);
    const missing = (config.tools ?? []).filter((name) => !tools.some((tool) => tool.name === name));
    const reasons = [...problems, ...missing.map((name) => `it has no tool called "${cleanText(name)}"`)];
    this.#problems.set(
      config.name,
      reasons.map((reason) => ({ server: config.name, reason })),
    );
    const qualified = `mcp__${config.name}__`;
    const prefix = this.#options.naming === 'qualified' ? qualified : (config.prefix ?? '');
    const names = visibleNames(
      prefix,
      tools.map((tool) => tool.name),
    );
    return tools
      .map((listed) => ({ name: names.get(listed.name) as string, listed }))
      .filter(({ name, listed }) => this.#isVisible(config, [listed.name, name, qualified + listed.name]));
  }

  #isVisible(config: McpServerConfig, names: readonly [string, ...string[]]): boolean {
    const { allowTools, hideTools } = this.#options;
    if (config.tools && !config.tools.includes(names[0])) return false;
    if (config.hiddenTools?.includes(names[0])) return false;
    if (allowTools && !names.some((name) => allowTools.includes(name))) return false;
    return !names.some((name) => hideTools?.includes(name));
  }

  #createTool(server: ViewServer, { name, listed }: VisibleTool): Tool {
    const source = server.config.name;
    return {
      name,
      description: listed.description,
      inputSchema: listed.inputSchema,
      source,
      access: (input) => ({
        needs: [['mcp', source, listed.name]],
        summary: summarize(source, listed, requireToolInput(name, listed.inputSchema, input)),
      }),
      run: (input, context) => this.#run(server, { name, listed }, input, context),
    };
  }

  async #run(server: ViewServer, tool: VisibleTool, input: JsonValue, context: ToolContext): Promise<ToolOutcome> {
    if (context.signal.aborted) throw new ContinuoError('cancelled');
    const call = new AbortController();
    const stopListening = onAbort(context.signal, () => call.abort());
    this.#calls.add(call);
    const report = this.#startReport(server.config.name, tool.listed.name);
    try {
      this.#requireHeld(context);
      const outcome = await this.#runWithinLimits(server, tool, input, context, call.signal, report.start);
      report.end(!outcome.failed);
      return outcome;
    } catch (error) {
      const named = this.#explain(error, server, context);
      report.end(false, named.code);
      if (named.code === 'cancelled') throw named;
      return { text: named.message, failed: true, code: named.code };
    } finally {
      this.#calls.delete(call);
      stopListening();
    }
  }

  async #runWithinLimits(
    { config, lease }: ViewServer,
    { name, listed }: VisibleTool,
    input: JsonValue,
    context: ToolContext,
    signal: AbortSignal,
    onStart: () => void,
  ): Promise<ToolOutcome> {
    const whenLimited = this.#options.whenLimited ?? 'wait';
    const fields = requireToolInput(name, listed.inputSchema, input);
    const leaveView = await this.#limits.acquire(whenLimited, signal);
    try {
      const leaveSession = await this.#sessionLimits.acquire(whenLimited, signal);
      const end = lease.begin();
      try {
        onStart();
        // The list may have changed since the model saw it.
        const { tools } = await lease.connection.listTools(signal);
        if (!tools.some((tool) => tool.name === listed.name)) throw new ContinuoError('tool-not-found', { tool: name });
        const result = await lease.connection.call(listed.name, fields, {
          signal,
          ...(config.timeoutSeconds !== undefined && { timeoutMilliseconds: config.timeoutSeconds * 1000 }),
          onProgress: ({ message }) => message && context.onOutput?.(`${cleanText(message).slice(0, mostProgressCharacters)}\n`),
        });
        return readOutcome(result);
      } finally {
        end();
        leaveSession();
      }
    } finally {
      leaveView();
    }
  }

  #explain(error: unknown, server: ViewServer, context: ToolContext): ContinuoError {
    if (isContinuoError(error, 'cancelled') && !context.signal.aborted) return closedError(context);
    return nameServer(error, server.config.name);
  }

  #requireHeld(context: ToolContext): void {
    if (this.#released) throw closedError(context);
  }

  #startReport(server: string, tool: string): { start: () => void; end: (ok: boolean, code?: ErrorCode) => void } {
    const { onCall } = this.#options;
    const askedAt = performance.now();
    let startedAt: number | undefined;
    return {
      start: () => {
        startedAt = performance.now();
      },
      end: (ok, code) => {
        const now = performance.now();
        const milliseconds = startedAt === undefined ? 0 : now - startedAt;
        onCall?.({ server, tool, milliseconds, waitedMilliseconds: now - askedAt - milliseconds, ok, ...(code && { code }) });
      },
    };
  }
}

function summarize(server: string, { name, readOnly }: ListedTool, input: JsonValue): string {
  const text = cleanText(`${name} ${JSON.stringify(input)}`);
  const short = text.length > mostSummaryCharacters ? `${text.slice(0, mostSummaryCharacters)}…` : text;
  return `${server}: ${short.toWellFormed()}${readOnly ? ' (read-only, says the server)' : ''}`;
}

function closedError(context: ToolContext): ContinuoError {
  return new ContinuoError('conversation-closed', { id: context.conversationId });
}

/** A connection is shared by servers of several names; errors speak of the one this view knows. */
function nameServer(error: unknown, server: string): ContinuoError {
  if (!isContinuoError(error))
    return new ContinuoError('mcp-failed', { server, reason: cleanText(String(error)) }, { cause: error });
  if (error.code !== 'mcp-failed' || error.details.server === server) return error;
  return new ContinuoError('mcp-failed', { ...error.details, server }, { cause: error });
}

function reasonOf(error: ContinuoError): string {
  return typeof error.details.reason === 'string' ? error.details.reason : error.message;
}
