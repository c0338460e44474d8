// Public door `continuo/tools`: the built-in tools, the registry, and MCP servers. Importing it does not load the MCP package.
export { type BuiltinToolOptions, builtinToolNames, createBuiltinTools } from './builtin/builtin-tools.ts';
export type { CommandRunner } from './builtin/run-command.ts';
export type { CallLimit } from './mcp/call-limits.ts';
export { type McpServerConfig, parseMcpConfig } from './mcp/mcp-config.ts';
export {
  McpConnectionPool,
  type McpPoolOptions,
  type McpProblem,
  type McpServerStatus,
  type McpViewOptions,
} from './mcp/mcp-pool.ts';
export type { McpView } from './mcp/mcp-view.ts';
export { createToolRegistry, type ToolRegistry } from './registry.ts';
