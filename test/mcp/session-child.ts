// A process with a connected server, for tests that end it in a hurry.
import { fileURLToPath } from 'node:url';
import { createConversationId } from '../../src/model/id.ts';
import { McpConnectionPool } from '../../src/tools/mcp/mcp-pool.ts';
import { childInput, createInbox, tell } from '../support/child-side.ts';

const { server, plan } = childInput<{ server: string; plan: object }>();
const pool = new McpConnectionPool({ environment: { PATH: '/usr/bin:/bin' } });
const transport = {
  type: 'stdio' as const,
  command: process.execPath,
  args: [fileURLToPath(server), JSON.stringify(plan)],
  env: {},
};
const view = pool.view({ servers: [{ name: 'scripted', transport, disabled: false }] });
const context = { conversationId: createConversationId(0), signal: new AbortController().signal };
const { text } = await view.call('pid', {}, context);
tell({ pid: Number(text) });
await createInbox()();
process.exit(0);
