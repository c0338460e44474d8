// The agents that can be given the server: where each keeps its settings, how an entry looks there, and how a person checks it.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface ServerCommand {
  command: string;
  args: readonly string[];
}

export interface Place {
  env: Readonly<Record<string, string | undefined>>;
  /** The person's home folder. */
  home: string;
  /** The present folder, for settings of a project. */
  folder: string;
  platform: NodeJS.Platform;
}

export interface McpClient {
  name: string;
  title: string;
  format: 'json' | 'toml';
  userFile(place: Place): string;
  /** Undefined where it has no settings in a project. */
  projectFile?(place: Place): string;
  /** Where in the file the entry stands, up to its name. */
  table: readonly string[];
  entry(server: ServerCommand): Readonly<Record<string, unknown>>;
  /** A command, or where to look. */
  check: string;
  /** What lets the tools be called without being asked. */
  allow?: string;
}

export const serverName = 'continuo';

const plainEntry = ({ command, args }: ServerCommand) => ({ command, args });
const stdioEntry = ({ command, args }: ServerCommand) => ({ type: 'stdio', command, args });

/** The folder a variable names, or the one in the home folder. */
function folderOf({ env, home }: Place, variable: string, fallback: string): string {
  const given = env[variable]?.trim();
  return given === undefined || given === '' ? join(home, fallback) : resolve(given);
}

export const mcpClients: readonly McpClient[] = [
  {
    name: 'claude',
    title: 'Claude Code',
    format: 'json',
    userFile: (place) => join(folderOf(place, 'CLAUDE_CONFIG_DIR', ''), '.claude.json'),
    projectFile: ({ folder }) => join(folder, '.mcp.json'),
    table: ['mcpServers'],
    entry: stdioEntry,
    check: 'claude mcp list',
    allow: '"permissions": { "allow": ["mcp__continuo"] } (settings.json)',
  },
  {
    name: 'codex',
    title: 'Codex',
    format: 'toml',
    userFile: (place) => join(folderOf(place, 'CODEX_HOME', '.codex'), 'config.toml'),
    table: ['mcp_servers'],
    entry: plainEntry,
    check: 'codex mcp list',
    allow: 'default_tools_approval_mode = "approve" ([mcp_servers.continuo])',
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    format: 'json',
    userFile: (place) => join(folderOf(place, 'GEMINI_CLI_HOME', ''), '.gemini', 'settings.json'),
    projectFile: ({ folder }) => join(folder, '.gemini', 'settings.json'),
    table: ['mcpServers'],
    entry: plainEntry,
    check: 'gemini mcp list',
    allow: '"trust": true',
  },
  {
    name: 'opencode',
    title: 'opencode',
    format: 'json',
    userFile: (place) => {
      const { OPENCODE_CONFIG: named } = place.env;
      if (named !== undefined && named.trim() !== '') return resolve(named);
      return withComments(join(folderOf(place, 'XDG_CONFIG_HOME', '.config'), 'opencode', 'opencode.json'));
    },
    projectFile: ({ folder }) => withComments(join(folder, 'opencode.json')),
    table: ['mcp'],
    entry: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
    check: 'opencode mcp list',
  },
  {
    name: 'qwen',
    title: 'Qwen Code',
    format: 'json',
    userFile: (place) => join(folderOf(place, 'QWEN_HOME', '.qwen'), 'settings.json'),
    projectFile: ({ folder }) => join(folder, '.qwen', 'settings.json'),
    table: ['mcpServers'],
    entry: plainEntry,
    check: 'qwen mcp list',
    allow: '"trust": true',
  },
  {
    name: 'copilot',
    title: 'GitHub Copilot CLI',
    format: 'json',
    userFile: (place) => join(folderOf(place, 'COPILOT_HOME', '.copilot'), 'mcp-config.json'),
    table: ['mcpServers'],
    entry: ({ command, args }) => ({ type: 'local', command, args, tools: ['*'] }),
    check: 'copilot  /mcp show',
    allow: 'copilot --allow-tool continuo',
  },
  {
    name: 'continue',
    title: 'Continue',
    format: 'json',
    userFile: (place) => join(folderOf(place, 'CONTINUE_GLOBAL_DIR', '.continue'), 'mcpServers', 'continuo.json'),
    projectFile: ({ folder }) => join(folder, '.continue', 'mcpServers', 'continuo.json'),
    table: ['mcpServers'],
    entry: plainEntry,
    check: 'Continue  Tools',
  },
  {
    name: 'cursor',
    title: 'Cursor',
    format: 'json',
    userFile: ({ home }) => join(home, '.cursor', 'mcp.json'),
    projectFile: ({ folder }) => join(folder, '.cursor', 'mcp.json'),
    table: ['mcpServers'],
    entry: plainEntry,
    check: 'Cursor Settings > Tools & MCP',
  },
  {
    name: 'vscode',
    title: 'VS Code',
    format: 'json',
    userFile: (place) => join(vscodeFolder(place), 'mcp.json'),
    projectFile: ({ folder }) => join(folder, '.vscode', 'mcp.json'),
    table: ['servers'],
    entry: stdioEntry,
    check: 'MCP: List Servers',
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    format: 'json',
    userFile: ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    table: ['mcpServers'],
    entry: plainEntry,
    check: 'Windsurf Settings > Cascade',
  },
  {
    name: 'pi',
    title: 'pi',
    format: 'json',
    userFile: (place) => join(folderOf(place, 'PI_CODING_AGENT_DIR', join('.pi', 'agent')), 'mcp.json'),
    projectFile: ({ folder }) => join(folder, '.mcp.json'),
    table: ['mcpServers'],
    entry: plainEntry,
    check: 'pi  /mcp',
  },
];

/** The form with comments, where that is the one that is there. */
function withComments(file: string): string {
  return !existsSync(file) && existsSync(`${file}c`) ? `${file}c` : file;
}

function vscodeFolder(place: Place): string {
  if (place.platform === 'darwin') return join(place.home, 'Library', 'Application Support', 'Code', 'User');
  if (place.platform === 'win32') return join(folderOf(place, 'APPDATA', join('AppData', 'Roaming')), 'Code', 'User');
  return join(folderOf(place, 'XDG_CONFIG_HOME', '.config'), 'Code', 'User');
}
