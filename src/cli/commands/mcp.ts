// continuo mcp: recall for other agents over MCP, putting it into their settings, and the MCP servers chat itself would use.
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import type { Help } from '../messages/messages.ts';
import { readChoice } from '../option-values.ts';
import { usageError } from '../usage-error.ts';

const actions = ['serve', 'install', 'list', 'test'] as const;
type Action = (typeof actions)[number];

interface McpOptions {
  project?: string;
  except?: string[];
  scope?: string;
  print?: boolean;
  undo?: boolean;
  yes?: boolean;
  mcpConfig?: string;
}

/** Which options mean something to which action. */
const fitting: Readonly<Record<Action, readonly (keyof McpOptions)[]>> = {
  serve: ['project', 'except'],
  install: ['project', 'scope', 'print', 'undo', 'yes'],
  list: ['mcpConfig'],
  test: ['mcpConfig'],
};

export function define(command: Command, { commands: { mcp } }: Help): void {
  const { options } = mcp;
  command
    .argument('[action]', mcp.arguments.action)
    .argument('[name]', mcp.arguments.name)
    .option('--project <folder>', options.project)
    .option('--except <id...>', options.except)
    .option('--scope <scope>', options.scope)
    .option('--print', options.print)
    .option('--undo', options.undo)
    .option('-y, --yes', options.yes)
    .option('--mcp-config <file>', options.config);
}

export async function run(context: Context, [given, name]: readonly string[], options: McpOptions): Promise<number | undefined> {
  // Who names servers wants to see them.
  const action = given === undefined ? (options.mcpConfig === undefined ? 'serve' : 'list') : readAction(context, given);
  const unfit = (Object.keys(options) as (keyof McpOptions)[]).find((option) => !fitting[action].includes(option));
  if (unfit !== undefined) throw usageError(context.text.mcpServer.unfit(toFlag(unfit), action));
  if (action === 'list' || action === 'test')
    return (await import('../mcp/look-at-servers.ts')).lookAtServers(context, action, name, options.mcpConfig);
  if (action === 'install') return (await import('../mcp/install/install-server.ts')).installServer(context, name, options);
  if (name !== undefined) throw usageError(context.text.mcpServer.serveTakesNone);
  return (await import('../mcp/serve-home.ts')).serveHome(context, options);
}

function readAction(context: Context, given: string): Action {
  return readChoice(context, 'mcp', given, actions);
}

function toFlag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
