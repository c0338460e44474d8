// The MCP server through the official inspector's command line: another client than the one the other tests use.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Cli, collectResult, findProgram } from './cli-program.ts';

const inspector = fileURLToPath(new URL('../../node_modules/@modelcontextprotocol/inspector-cli/build', import.meta.url));

async function inspect(cli: Cli, ...args: string[]) {
  const server = [process.execPath, await findProgram(), 'mcp', '--home', cli.home, '--project', cli.folder];
  const words = [join(inspector, 'cli.js'), '--cli', ...server, '--method', ...args];
  // It looks for its own package.json beside the folder it is started in.
  const child = spawn(process.execPath, words, { cwd: inspector, env: cli.environment(), stdio: ['ignore', 'pipe', 'pipe'] });
  const { code, stdout, stderr } = await collectResult(child);
  if (code !== 0) throw new Error(`the inspector ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

describe('the inspector', () => {
  it('lists the tools, calls them, and reads resources', async () => {
    const cli = new Cli();
    const { conversation } = await cli.json<{ conversation: { id: string } }>([
      'append',
      'The quokka sleeps.',
      '--title',
      'Sleep',
    ]);
    const { tools } = await inspect(cli, 'tools/list');
    expect(tools.map(({ name }: { name: string }) => name)).toEqual([
      'search_conversations',
      'recall_context',
      'read_conversation',
      'list_conversations',
      'list_projects',
      'save_note',
    ]);
    const found = await inspect(cli, 'tools/call', '--tool-name', 'search_conversations', '--tool-arg', 'query=quokka');
    expect(found.structuredContent.hits).toMatchObject([{ conversation_id: conversation.id, text: 'The quokka sleeps.' }]);
    const { resources } = await inspect(cli, 'resources/list');
    expect(resources).toMatchObject([{ uri: `continuo://conversation/${conversation.id}`, name: 'Sleep' }]);
    const { contents } = await inspect(cli, 'resources/read', '--uri', resources[0].uri);
    expect(contents[0].text).toContain('> The quokka sleeps.');
    expect((await inspect(cli, 'resources/templates/list')).resourceTemplates).toHaveLength(1);
    const wrong = await inspect(cli, 'tools/call', '--tool-name', 'search_conversations', '--tool-arg', 'colour=red');
    expect(wrong.isError).toBe(true);
    const noted = await inspect(cli, 'tools/call', '--tool-name', 'save_note', '--tool-arg', 'text=The numbat digs.');
    expect(noted.structuredContent).toMatchObject({ saved: true, masked: 0 });
  });
});
