// The MCP servers chat would use, and whether they work.
import { resolve } from 'node:path';
import type { McpServerConfig } from '../../tools/mcp/mcp-config.ts';
import type { McpConnectionPool } from '../../tools/mcp/mcp-pool.ts';
import { createPool, readServers } from '../chat/chat-parts.ts';
import type { Context } from '../context.ts';
import { exitStatus } from '../exit-codes.ts';
import { plainLine } from '../output/plain-text.ts';
import { type Column, renderTable } from '../output/table.ts';
import { createRuler } from '../output/text-ruler.ts';
import { usageError } from '../usage-error.ts';

interface ServerReport {
  name: string;
  state: 'named' | 'ready' | 'failed' | 'disabled';
  reached: { type: 'stdio'; command: string; args: readonly string[] } | { type: 'http'; url: string };
  milliseconds?: number;
  tools?: { name: string; description: string }[];
  problems?: string[];
}

export async function lookAtServers(
  context: Context,
  action: 'list' | 'test',
  name: string | undefined,
  given: string | undefined,
): Promise<number> {
  const file = given === undefined ? context.config()['mcp.config'].value : resolve(given);
  if (file === undefined) throw usageError(context.text.mcp.noFile);
  const servers = chooseServers(context, await readServers(context, file), name);
  const shown = await describeServers(context, file, servers);
  const reports = action === 'list' ? shown : await testServers(context, servers, shown);
  context.output.result({ file, servers: reports }, () => []);
  if (!context.output.json) await printReports(context, file, reports, action === 'test');
  return reports.some(({ state }) => state === 'failed') ? exitStatus.failed : exitStatus.ok;
}

function chooseServers({ text }: Context, servers: McpServerConfig[], name: string | undefined): McpServerConfig[] {
  if (name === undefined) return servers;
  const chosen = servers.filter((server) => server.name === name);
  if (chosen.length > 0) return chosen;
  throw usageError(text.mcp.unknownServer(name, servers.map((server) => server.name).join(', ')));
}

/** How each is reached, as the file says it: what stands for a variable may be a secret and is not put in. */
async function describeServers(context: Context, file: string, servers: readonly McpServerConfig[]): Promise<ServerReport[]> {
  const names = Object.keys(context.env).map((name) => [name, `\${${name}}`]);
  const written = await readServers({ env: Object.fromEntries(names) }, file).catch(() => servers);
  return servers.map(({ name, transport, disabled }) => {
    const shown = written.find((server) => server.name === name)?.transport ?? transport;
    const reached =
      shown.type === 'http'
        ? { type: shown.type, url: shown.url.replace(/[?#].*/s, '') }
        : { type: shown.type, command: shown.command, args: shown.args };
    return { name, state: disabled ? 'disabled' : 'named', reached };
  });
}

async function testServers(
  context: Context,
  servers: readonly McpServerConfig[],
  shown: readonly ServerReport[],
): Promise<ServerReport[]> {
  const pool = await createPool(context, process.cwd());
  const forget = context.cleanups.add(() => pool.close());
  try {
    return await Promise.all(servers.map((server, i) => testServer(pool, server, shown[i] as ServerReport)));
  } finally {
    await pool.close();
    forget();
  }
}

async function testServer(pool: McpConnectionPool, server: McpServerConfig, report: ServerReport): Promise<ServerReport> {
  if (server.disabled) return report;
  const started = performance.now();
  const view = pool.view({ servers: [server] });
  const tools = await view.tools();
  const found = view.problems();
  return {
    ...report,
    // A server that answers may still have remarks; one that does not has a code.
    state: found.some(({ code }) => code !== undefined) ? 'failed' : 'ready',
    milliseconds: Math.round(performance.now() - started),
    tools: tools.map(({ name, description }) => ({ name, description })),
    problems: found.map(({ reason }) => reason),
  };
}

async function printReports(context: Context, file: string, reports: readonly ServerReport[], isTested: boolean): Promise<void> {
  const { output, style, text, terminal } = context;
  const words = text.mcp;
  if (reports.length === 0) {
    output.note(words.none(plainLine(file)));
    return;
  }
  const columns: Column[] = [
    { heading: words.headings.server },
    { heading: words.headings.state },
    ...(isTested
      ? [
          { heading: words.headings.tools, align: 'right' as const },
          { heading: words.headings.time, align: 'right' as const },
        ]
      : []),
    { heading: words.headings.how, flexible: true, dispensable: 1 },
  ];
  const paints = { ready: style.green, failed: style.red, disabled: style.dim, named: style.dim };
  const rows = reports.map(({ name, state, tools, milliseconds, reached }) => [
    { text: plainLine(name), paint: style.cyan },
    { text: words.states[state], paint: paints[state] },
    ...(isTested
      ? [
          { text: tools === undefined || state === 'failed' ? '' : String(tools.length) },
          { text: milliseconds === undefined ? '' : words.seconds((milliseconds / 1000).toFixed(1)) },
        ]
      : []),
    { text: plainLine(reached.type === 'http' ? reached.url : [reached.command, ...reached.args].join(' ')), paint: style.dim },
  ]);
  const ruler = await createRuler([...Object.values(words.headings), ...rows.flat().map((cell) => cell.text)]);
  output.line(...renderTable(columns, rows, { ruler, width: terminal.columns, paintHeading: style.bold }));
  for (const { name, tools = [] } of reports)
    if (tools.length > 0) output.line('', style.bold(plainLine(name)), ...tools.map((tool) => `  ${plainLine(tool.name)}`));
  for (const { name, state, problems = [] } of reports) {
    for (const problem of problems) {
      const reason = plainLine(text.translateReason(problem));
      output.warn(
        state === 'failed'
          ? style.red(words.failed(plainLine(name), reason))
          : style.yellow(words.remark(plainLine(name), reason)),
      );
    }
  }
  if (!isTested) output.note('', style.dim(words.howToTest));
}
