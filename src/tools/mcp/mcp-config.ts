// Reads the file in which MCP servers are named: the one Claude Code and others share, with a few optional fields of our own.
// Fields nobody here knows are left to the programs that do. A mistake is refused with the place it stands at.
import { ContinuoError } from '../../model/error.ts';
import { expandVariables } from './config-variables.ts';

export type McpTransportConfig =
  | { type: 'stdio'; command: string; args: readonly string[]; env: Readonly<Record<string, string>>; cwd?: string }
  | { type: 'http'; url: string; headers: Readonly<Record<string, string>> };

export interface McpServerConfig {
  name: string;
  /** How it is reached. Servers reached in the same way share one connection, whatever they are called. */
  transport: McpTransportConfig;
  /** The only tools that are visible, by the server's own names; all where absent. */
  tools?: readonly string[];
  hiddenTools?: readonly string[];
  /** Put before the name of every tool. */
  prefix?: string;
  /** How long one call may take without a sign of progress. */
  timeoutSeconds?: number;
  disabled: boolean;
}

const longestName = 64;
const longestTimeout = 86_400;

/** The servers in the order of the file. Throws `mcp-config-invalid` with the place of the first mistake. */
export function parseMcpConfig(path: string, text: string, variables: Readonly<Record<string, string>>): McpServerConfig[] {
  const refuse = (reason: string): never => {
    throw new ContinuoError('mcp-config-invalid', { path, reason });
  };
  return readServers(new ConfigNode(parseJson(text, refuse), '', variables, refuse));
}

function readServers(root: ConfigNode): McpServerConfig[] {
  const servers = root.object().find('mcpServers');
  if (!servers) return [];
  return servers
    .object()
    .entries()
    .map(([name, node]) => readServer(name, node.object()));
}

function readServer(name: string, node: ConfigNode): McpServerConfig {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are refused
  if (name === '' || name.length > longestName || /[\u0000-\u001f\u007f]/.test(name)) {
    return node.refuse(`a server's name has 1 to ${longestName} characters, none of them a control character`);
  }
  const disabled = node.find('disabled')?.boolean() ?? false;
  const tools = node.find('tools')?.texts();
  const hiddenTools = node.find('hiddenTools')?.texts();
  const prefix = node.find('prefix')?.text();
  if (prefix !== undefined && !/^[A-Za-z0-9_-]{1,32}$/.test(prefix)) {
    node.find('prefix')?.refuse('it must be 1 to 32 letters, digits, "_" or "-"');
  }
  const timeoutSeconds = node.find('timeout_seconds')?.number(longestTimeout);
  return {
    name,
    // What a disabled server needs (a variable that is not set here, say) is nobody's business.
    transport: readTransport(disabled ? node.unexpanded() : node),
    ...(tools && { tools }),
    ...(hiddenTools && { hiddenTools }),
    ...(prefix !== undefined && { prefix }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    disabled,
  };
}

function readTransport(node: ConfigNode): McpTransportConfig {
  const type = node.find('type')?.text();
  const command = node.find('command');
  const url = node.find('url');
  if (type === 'sse')
    return node.refuse('the transport "sse" is not spoken; give the server\'s streamable HTTP address with "type": "http"');
  if (type !== undefined && !['stdio', 'http', 'streamable-http'].includes(type)) {
    return node.refuse(`the type "${type}" is not known; use "stdio", "http" or "streamable-http"`);
  }
  if (command && url) return node.refuse('it has both "command" and "url"; keep one of them');
  if (type === undefined ? command !== undefined : type === 'stdio') return readStdio(node);
  if (type === undefined && !url) return node.refuse('it needs a "command" to start or a "url" to connect to');
  return readHttp(node);
}

function readStdio(node: ConfigNode): McpTransportConfig {
  const command = node.find('command') ?? node.refuse('it needs a "command" to start');
  const cwd = node.find('cwd')?.filledText();
  return {
    type: 'stdio',
    command: command.filledText(),
    args: node.find('args')?.texts() ?? [],
    env: node.find('env')?.textRecord() ?? {},
    ...(cwd !== undefined && { cwd }),
  };
}

function readHttp(node: ConfigNode): McpTransportConfig {
  const urlNode = node.find('url') ?? node.refuse('it needs a "url" to connect to');
  const url = urlNode.filledText();
  if (!URL.canParse(url) || !['http:', 'https:'].includes(new URL(url).protocol))
    urlNode.refuse('it must be an http:// or https:// address');
  const headersNode = node.find('headers');
  const headers = headersNode?.textRecord() ?? {};
  try {
    new Headers(headers);
  } catch {
    headersNode?.refuse('a name or a value in it cannot be sent as an HTTP header');
  }
  return { type: 'http', url, headers };
}

/** A value and its place in the file. */
class ConfigNode {
  readonly #value: unknown;
  readonly #place: string;
  readonly #variables: Readonly<Record<string, string>> | undefined;
  readonly #refuse: (reason: string) => never;

  constructor(
    value: unknown,
    place: string,
    variables: Readonly<Record<string, string>> | undefined,
    refuse: (reason: string) => never,
  ) {
    this.#value = value;
    this.#place = place;
    this.#variables = variables;
    this.#refuse = refuse;
  }

  refuse(reason: string): never {
    return this.#refuse(this.#place === '' ? reason : `${this.#place}: ${reason}`);
  }

  unexpanded(): ConfigNode {
    return new ConfigNode(this.#value, this.#place, undefined, this.#refuse);
  }

  /** The field, unless it is absent or null. */
  find(name: string): ConfigNode | undefined {
    const fields = this.#value as Record<string, unknown>;
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return value === undefined || value === null ? undefined : this.#child(name, value);
  }

  entries(): [string, ConfigNode][] {
    return Object.entries(this.#value as Record<string, unknown>).map(([name, value]) => [name, this.#child(name, value)]);
  }

  object(): this {
    if (typeof this.#value !== 'object' || this.#value === null || Array.isArray(this.#value))
      this.refuse('it must be an object');
    return this;
  }

  text(): string {
    if (typeof this.#value !== 'string') return this.refuse('it must be text');
    if (this.#variables === undefined) return this.#value;
    return expandVariables(this.#value, this.#variables, (name) => this.refuse(`the variable ${name} is not set`));
  }

  filledText(): string {
    return this.text() || this.refuse('it is empty');
  }

  texts(): string[] {
    if (!Array.isArray(this.#value)) return this.refuse('it must be a list of texts');
    return this.#value.map((value, index) => this.#child(String(index), value).text());
  }

  textRecord(): Record<string, string> {
    return Object.fromEntries(
      this.object()
        .entries()
        .map(([name, node]) => [name, node.text()]),
    );
  }

  boolean(): boolean {
    return typeof this.#value === 'boolean' ? this.#value : this.refuse('it must be true or false');
  }

  number(most: number): number {
    const value = this.#value;
    if (typeof value === 'number' && value > 0 && value <= most) return value;
    return this.refuse(`it must be a number over 0 and up to ${most}`);
  }

  #child(name: string, value: unknown): ConfigNode {
    return new ConfigNode(value, this.#place === '' ? name : `${this.#place}.${name}`, this.#variables, this.#refuse);
  }
}

function parseJson(text: string, refuse: (reason: string) => never): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return refuse('it is not JSON');
  }
}
