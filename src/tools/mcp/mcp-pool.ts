// The session's connections to MCP servers: one for every way to reach a server, shared by all views, ended when nobody has used it
// for a while. The limits here are the hard ones; a view's own come on top.
import type { Clock } from '../../base/clock.ts';
import { ContinuoError } from '../../model/error.ts';
import { type CallLimit, CallLimits } from './call-limits.ts';
import type { McpServerConfig, McpTransportConfig } from './mcp-config.ts';
import { McpConnection, type McpConnectionOptions, type McpConnectionState } from './mcp-connection.ts';
import { defaultViewLimit, type McpProblem, McpView, type McpViewOptions } from './mcp-view.ts';
import type { ServerLease } from './server-lease.ts';

export type { McpCall, McpProblem, McpViewOptions } from './mcp-view.ts';

export interface McpPoolOptions extends Omit<McpConnectionOptions, 'name' | 'transport'> {
  /** Over all views. */
  limits?: CallLimit;
  /** How long a connection is kept without a call. */
  idleMilliseconds?: number;
  /** A connection that could not be ended properly, after a second try. */
  onProblem?: (problem: McpProblem) => void;
}

export interface McpServerStatus {
  server: string;
  state: McpConnectionState;
  pid?: number;
  views: number;
  calls: number;
}

interface Member {
  connection: McpConnection;
  views: number;
  calls: number;
  idleTimer?: NodeJS.Timeout;
}

export const defaultPoolLimit: CallLimit = { concurrent: 16, perMinute: 600, queue: 1_024 };
const defaultIdleMilliseconds = 5 * 60_000;

export class McpConnectionPool {
  readonly #options: McpPoolOptions;
  readonly #limits: CallLimits;
  readonly #time: { clock?: Clock };
  readonly #members = new Map<string, Member>();
  readonly #endings = new Set<Promise<void>>();
  #closing: Promise<void> | undefined;

  constructor(options: McpPoolOptions) {
    this.#options = options;
    this.#time = options.clock ? { clock: options.clock } : {};
    this.#limits = new CallLimits(options.limits ?? defaultPoolLimit, this.#time);
  }

  /** Connects to nothing yet. Servers that are disabled are left out. */
  view(options: McpViewOptions): McpView {
    if (this.#closing !== undefined) throw new ContinuoError('session-closed');
    const servers = options.servers.filter(({ disabled }) => !disabled).map((config) => ({ config, lease: this.#lease(config) }));
    const limits = new CallLimits(options.limits ?? defaultViewLimit, this.#time);
    return new McpView(options, servers, limits, this.#limits);
  }

  status(): McpServerStatus[] {
    return [...this.#members.values()].map(({ connection, views, calls }) => ({
      server: connection.name,
      state: connection.state,
      ...(connection.pid !== undefined && { pid: connection.pid }),
      views,
      calls,
    }));
  }

  /** Ends every connection; calls that run or wait fail. Never throws: what did not end goes to `onProblem`. */
  close(): Promise<void> {
    this.#closing ??= this.#endAll();
    return this.#closing;
  }

  async #endAll(): Promise<void> {
    this.#limits.close(new ContinuoError('session-closed'));
    for (const member of this.#members.values()) {
      clearTimeout(member.idleTimer);
      this.#end(member, () => member.connection.close());
    }
    this.#members.clear();
    await Promise.all(this.#endings);
  }

  #lease(config: McpServerConfig): ServerLease {
    const key = connectionKey(config.transport);
    const member = this.#members.get(key) ?? this.#addMember(key, config);
    member.views += 1;
    let released = false;
    return {
      connection: member.connection,
      begin: () => this.#begin(key, member),
      release: () => {
        if (released) return;
        released = true;
        member.views -= 1;
        this.#watchIdle(key, member);
      },
    };
  }

  #addMember(key: string, config: McpServerConfig): Member {
    const connection = new McpConnection({ ...this.#options, name: config.name, transport: config.transport });
    const member: Member = { connection, views: 0, calls: 0 };
    this.#members.set(key, member);
    return member;
  }

  #begin(key: string, member: Member): () => void {
    member.calls += 1;
    clearTimeout(member.idleTimer);
    return () => {
      member.calls -= 1;
      this.#watchIdle(key, member);
    };
  }

  #watchIdle(key: string, member: Member): void {
    clearTimeout(member.idleTimer);
    if (this.#closing !== undefined || member.calls > 0) return;
    member.idleTimer = setTimeout(() => this.#reclaim(key, member), this.#options.idleMilliseconds ?? defaultIdleMilliseconds);
    member.idleTimer.unref();
  }

  /** A view that is still there finds its connection resting, and wakes it with the next call. */
  #reclaim(key: string, member: Member): void {
    if (member.views > 0) {
      this.#end(member, () => member.connection.rest());
      return;
    }
    if (this.#members.get(key) === member) this.#members.delete(key);
    this.#end(member, () => member.connection.close());
  }

  #end({ connection }: Member, end: () => Promise<void>): void {
    const ending = end()
      .catch(end)
      .catch((error: unknown) => {
        connection.abandonLinks();
        const reason = error instanceof ContinuoError ? String(error.details.reason) : String(error);
        this.#options.onProblem?.({ server: connection.name, reason, code: 'mcp-failed' });
      })
      .finally(() => this.#endings.delete(ending));
    this.#endings.add(ending);
  }
}

/** The same for the same way to reach a server, in whatever order its fields were written. */
function connectionKey(transport: McpTransportConfig): string {
  const sorted = (record: Readonly<Record<string, string>>) => Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
  if (transport.type === 'http') return JSON.stringify(['http', transport.url, sorted(transport.headers)]);
  return JSON.stringify(['stdio', transport.command, transport.args, sorted(transport.env), transport.cwd ?? null]);
}
