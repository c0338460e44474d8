// What the tests of MCP share: pools that are closed with their test, servers described in one line, and ways to look at processes.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { createConversationId } from '../../src/model/id.ts';
import type { Tool, ToolContext } from '../../src/model/ports/tool.ts';
import type { McpServerConfig, McpTransportConfig } from '../../src/tools/mcp/mcp-config.ts';
import { McpConnectionPool, type McpPoolOptions } from '../../src/tools/mcp/mcp-pool.ts';
import type { McpView } from '../../src/tools/mcp/mcp-view.ts';
import { selectSafeEnvironment } from '../../src/tools/mcp/safe-environment.ts';

const scriptedServer = fileURLToPath(new URL('./scripted-server.mjs', import.meta.url));

export function openPool(options: Partial<McpPoolOptions> = {}): McpConnectionPool {
  const pool = new McpConnectionPool({ environment: selectSafeEnvironment(process.env), graceMilliseconds: 300, ...options });
  onTestFinished(() => pool.close());
  return pool;
}

export function scripted(plan: object = {}, more: Partial<McpServerConfig> = {}): McpServerConfig {
  return describeServer('scripted', stdio(scriptedServer, JSON.stringify(plan)), more);
}

/** One of the servers published by the makers of the protocol, as its own program. */
export function published(
  name: 'everything' | 'filesystem',
  args: string[],
  more: Partial<McpServerConfig> = {},
): McpServerConfig {
  return describeServer(name, stdio(publishedProgram(name), ...args), more);
}

export function publishedProgram(name: 'everything' | 'filesystem'): string {
  return fileURLToPath(new URL(`../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, import.meta.url));
}

export function overHttp(url: string, more: Partial<McpServerConfig> = {}): McpServerConfig {
  return describeServer('remote', { type: 'http', url, headers: {} }, more);
}

export function describeServer(
  name: string,
  transport: McpTransportConfig,
  more: Partial<McpServerConfig> = {},
): McpServerConfig {
  return { name, transport, disabled: false, ...more };
}

export function stdio(...args: string[]): McpTransportConfig {
  return { type: 'stdio', command: process.execPath, args, env: {} };
}

const conversationId = createConversationId(1_800_000_000_000);

export function context(more: Partial<ToolContext> = {}): ToolContext {
  return { conversationId, signal: new AbortController().signal, ...more };
}

/** The text of a call that went well. */
export async function say(view: McpView, tool: string, input: Record<string, never> | object = {}): Promise<string> {
  const outcome = await view.call(tool, input as never, context());
  if (outcome.failed) throw new Error(outcome.text);
  return outcome.text;
}

export async function findTool(view: McpView, name: string): Promise<Tool> {
  const tool = (await view.tools()).find((candidate) => candidate.name === name);
  if (!tool) throw new Error(`no tool ${name}: ${JSON.stringify(view.problems())}`);
  return tool;
}

/** A process that ended and whose parent has not looked yet counts as dead. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) [ZX] /.test(existsSync('/proc/self/stat') ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '');
  } catch {
    return false;
  }
}

export async function until(check: () => boolean | Promise<boolean>, milliseconds = 20_000): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!(await check())) {
    if (Date.now() > end) throw new Error(`still not so after ${milliseconds} ms: ${check}`);
    await sleep(10);
  }
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
