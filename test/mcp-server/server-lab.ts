// The MCP server as agents meet it: the built program in a process of its own, driven by the official client, or by bare bytes.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import { type Cli, findProgram } from '../e2e/cli-program.ts';

export interface ServerOptions {
  env?: Record<string, string>;
  cwd?: string;
  args?: readonly string[];
  /** What the client says its roots are. */
  roots?: readonly string[];
}

export interface ToolResult {
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each tool has a shape of its own
  data: any;
  isError: boolean;
}

/** The official client, connected. Closed when the test ends. */
export async function connect(cli: Cli, { env = {}, cwd = cli.folder, args = [], roots }: ServerOptions = {}): Promise<Client> {
  const client = new Client({ name: 'test client', version: '1' }, { capabilities: roots ? { roots: {} } : {} });
  if (roots) {
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots.map((folder) => ({ uri: `file://${folder}` })) }));
  }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [await findProgram(), 'mcp', ...args],
    env: cli.environment(env),
    cwd,
    stderr: 'pipe',
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

export async function call(
  client: Client,
  name: string,
  input: Record<string, unknown> = {},
  meta?: Record<string, unknown>,
): Promise<ToolResult> {
  const result = await client.callTool({ name, arguments: input, ...(meta && { _meta: meta }) }, undefined, { timeout: 60_000 });
  const [content] = result.content as { type: string; text: string }[];
  return { text: content?.text ?? '', data: result.structuredContent, isError: result.isError === true };
}

/** The server without a client: bytes in, lines out. */
export class RawServer {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: string[] = [];
  stderr = '';
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  #rest = '';
  #wake: (() => void) | undefined;

  private constructor(child: ChildProcessWithoutNullStreams, reads: boolean) {
    this.child = child;
    if (reads) this.read();
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    child.stdin.on('error', () => undefined);
    this.ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
    onTestFinished(() => void child.kill('SIGKILL'));
  }

  static async start(
    cli: Cli,
    { env = {}, cwd = cli.folder, args = [], reads = true } = {} as ServerOptions & { reads?: boolean },
  ) {
    const words = [await findProgram(), 'mcp', ...args];
    return new RawServer(spawn(process.execPath, words, { cwd, env: cli.environment(env) }), reads);
  }

  read(): void {
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => this.#take(text));
  }

  write(...messages: (object | string | Buffer)[]): void {
    for (const message of messages) {
      const isRaw = typeof message === 'string' || Buffer.isBuffer(message);
      this.child.stdin.write(isRaw ? message : `${JSON.stringify(message)}\n`);
    }
  }

  /** The messages so far, once there are so many. */
  async messages(count: number): Promise<Record<string, unknown>[]> {
    while (this.lines.length < count) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** The answer to a request. */
  async answer(id: number | string): Promise<Record<string, unknown>> {
    for (let count = 1; ; count++) {
      const found = (await this.messages(count)).find((message) => message.id === id);
      if (found) return found;
    }
  }

  #take(text: string): void {
    const parts = (this.#rest + text).split('\n');
    this.#rest = parts.pop() as string;
    this.lines.push(...parts);
    this.#wake?.();
  }
}

export const hello = {
  jsonrpc: '2.0',
  id: 'hello',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};
