// continuo mcp: the server over stdin and stdout, until one of them closes or a signal comes. Nothing but messages is written to stdout.
import { resolve } from 'node:path';
import packageRecord from '../../../package.json' with { type: 'json' };
import { namesFromEnvironment } from '../../mcp-server/own-session.ts';
import { McpServer } from '../../mcp-server/server.ts';
import type { Context } from '../context.ts';
import { exitStatus } from '../exit-codes.ts';
import { workingFolder } from '../recall/here.ts';
import { readFolder } from '../recall/read-folder.ts';
import { HomeHost } from './home-host.ts';

/** How long what was asked before stdin closed may still take. */
const lastAnswers = 700;
/** Whatever hangs then is left behind. */
const lastMoment = 850;

export async function serveHome(
  context: Context,
  { project, except = [] }: { project?: string; except?: string[] },
): Promise<number> {
  const { output, style, text, terminal, env, cleanups } = context;
  if (terminal.stdin) output.warn(style.dim(text.mcpServer.atTerminal));
  const folder = project === undefined ? workingFolder() : readFolder(context, resolve(project));
  const host = new HomeHost(context, folder);
  const server = new McpServer({
    host,
    version: packageRecord.version,
    write: (line) => output.write(line),
    own: [...except, ...namesFromEnvironment(env)],
    followsRoots: project === undefined,
  });
  cleanups.add(() => server.stop());
  await readAll(server, host);
  setTimeout(() => process.exit(exitStatus.ok), lastMoment).unref();
  await server.finish(lastAnswers);
  await cleanups.run();
  return exitStatus.ok;
}

/** Until stdin ends. The home is opened after the first bytes were answered, so that nobody waits for it who only says hello. */
function readAll(server: McpServer, host: HomeHost): Promise<void> {
  return new Promise((settle) => {
    process.stdin.on('data', (bytes: Buffer) => {
      // Until there is room again: a client that asks and asks and reads nothing costs no more memory than that.
      process.stdin.pause();
      void server.take(bytes).then(() => process.stdin.resume());
    });
    process.stdin.once('data', () => setImmediate(() => host.warm()));
    process.stdin.once('end', settle);
    process.stdin.once('close', settle);
    process.stdin.once('error', () => settle());
  });
}
