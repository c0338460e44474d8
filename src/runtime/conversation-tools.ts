// The tools of a conversation: its own, and those of the MCP servers it may use. A server that does not answer costs its tools, not the
// turn; people are told of it once.
import { ContinuoError } from '../model/error.ts';
import type { Tool } from '../model/ports/tool.ts';
import type { McpView } from '../tools/mcp/mcp-view.ts';
import { createToolRegistry, type ToolRegistry } from '../tools/registry.ts';

/** How long something may take before people are told what is waited for, in milliseconds. */
const silentWait = 2000;

export class ConversationTools {
  readonly #builtin: readonly Tool[];
  readonly #mcp: McpView | undefined;
  readonly #warn: (problem: ContinuoError) => void;
  readonly #warned = new Set<string>();

  constructor(builtin: readonly Tool[], mcp: McpView | undefined, warn: (problem: ContinuoError) => void) {
    this.#builtin = builtin;
    this.#mcp = mcp;
    this.#warn = warn;
  }

  /** Always in the same order. */
  async load(signal?: AbortSignal): Promise<ToolRegistry> {
    const mcp = this.#mcp;
    if (!mcp) return createToolRegistry(this.#builtin, []);
    const patience = setTimeout(() => {
      for (const server of mcp.starting()) this.#warnOnce(new ContinuoError('mcp-waiting', { server }));
    }, silentWait);
    try {
      const tools = await mcp.tools(signal);
      for (const { server, reason, code } of mcp.problems())
        this.#warnOnce(new ContinuoError(code === undefined ? 'mcp-remark' : 'mcp-failed', { server, reason }));
      return createToolRegistry(this.#builtin, tools);
    } finally {
      clearTimeout(patience);
    }
  }

  async release(): Promise<void> {
    await this.#mcp?.release();
  }

  /** A server that stays away gives another reason every time, and is told of once; remarks about it are told each. */
  #warnOnce(problem: ContinuoError): void {
    const subject = problem.code === 'mcp-remark' ? problem.message : `${problem.code} ${problem.details.server}`;
    if (this.#warned.has(subject)) return;
    this.#warned.add(subject);
    this.#warn(problem);
  }
}
