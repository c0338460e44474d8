// Servers over HTTP that misbehave: small ones, made for the purpose, in this process.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { context, openPool, overHttp, say, until } from './mcp-bench.ts';

type Answer = (request: { id?: number; method: string; params: Record<string, never> }, response: ServerResponse) => void;

interface Script {
  call?: Answer;
  onDelete?: (response: ServerResponse) => void;
  onGet?: (request: IncomingMessage, response: ServerResponse) => void;
  /** The status it is refused with; 0 for no answer at all. */
  onRequest?: (request: IncomingMessage) => number | undefined;
}

describe('a server over HTTP', () => {
  it('whose answer breaks off fails that call at once and no other', async () => {
    const server = await openHttpServer({
      call: ({ id, params }, response) => {
        if (params.name === 'good') return sendJson(response, id, { content: [{ type: 'text', text: 'fine' }] });
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(': here it comes\n\n');
        setTimeout(() => response.destroy(), 50);
      },
    });
    const view = openPool().view({ servers: [overHttp(server.url)] });
    await view.tools();
    const outcomes = await Promise.all([view.call('bad', {}, context()), view.call('good', {}, context())]);
    expect(outcomes).toEqual([
      { text: 'The MCP server "remote" failed: its answer broke off.', failed: true, code: 'mcp-failed' },
      { text: 'fine' },
    ]);
  });

  it('may end a stream early and give the answer when it is asked to go on', async () => {
    let asked: string | undefined;
    const server = await openHttpServer({
      call: ({ id }, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`id: event-${id}\nretry: 50\ndata: \n\n`);
      },
      onGet: (request, response) => {
        asked = request.headers['last-event-id'] as string | undefined;
        if (asked === undefined) return response.writeHead(405).end();
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const result = { content: [{ type: 'text', text: 'later' }] };
        const answer = { jsonrpc: '2.0', id: Number(asked.slice(6)), result };
        setTimeout(() => response.end(`id: event-x\ndata: ${JSON.stringify(answer)}\n\n`), 500);
      },
    });
    const view = openPool().view({ servers: [overHttp(server.url)] });
    expect(await say(view, 'good')).toBe('later');
    expect(asked).toMatch(/^event-\d+$/);
  });

  it('that never answers is given up', async () => {
    const server = await openHttpServer({ onRequest: () => 0 });
    const view = openPool({ startMilliseconds: 200 }).view({ servers: [overHttp(server.url)] });
    expect(await view.tools()).toEqual([]);
    expect(view.problems()).toEqual([{ server: 'remote', reason: 'it was not ready within 0.2 seconds', code: 'mcp-failed' }]);
  });

  it('that sends without end is cut off', async () => {
    const server = await openHttpServer({
      call: (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: ');
        const pour = setInterval(() => response.write('x'.repeat(50_000)), 1);
        response.on('close', () => clearInterval(pour));
      },
    });
    const view = openPool({ maxMessageBytes: 1_000_000 }).view({ servers: [overHttp(server.url)] });
    expect(await view.call('bad', {}, context())).toEqual({
      text: 'The MCP server "remote" failed: it sent a message of more than 1000000 bytes.',
      failed: true,
      code: 'mcp-failed',
    });
  });

  it('is told when a call is cancelled', async () => {
    const server = await openHttpServer({
      call: (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(': wait\n\n');
      },
    });
    const view = openPool().view({ servers: [overHttp(server.url)] });
    const controller = new AbortController();
    const call = view.call('good', {}, context({ signal: controller.signal }));
    await until(() => server.methods.includes('tools/call'));
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    await until(() => server.methods.includes('notifications/cancelled'));
  });

  it.each([
    ['that has begun to answer', true],
    ['that has not', false],
  ])('%s is not kept waiting by cancelled calls', async (_, begun) => {
    let begunCalls = 0;
    let endedCalls = 0;
    let resumed = 0;
    const server = await openHttpServer({
      call: (_, response) => {
        begunCalls += 1;
        response.on('close', () => {
          endedCalls += 1;
        });
        if (!begun) return;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('id: 1\nretry: 10\ndata: \n\n: half an ev');
      },
      onGet: (request, response) => {
        if (request.headers['last-event-id'] !== undefined) resumed += 1;
        response.writeHead(405).end();
      },
    });
    const limits = { concurrent: 30, perMinute: 100_000 };
    const view = openPool({ limits }).view({ servers: [overHttp(server.url)], limits });
    const controller = new AbortController();
    const calls = Array.from({ length: 30 }, () => view.call('good', {}, context({ signal: controller.signal })));
    await until(() => begunCalls === 30);
    controller.abort();
    expect(new Set((await Promise.allSettled(calls)).map(({ status }) => status))).toEqual(new Set(['rejected']));
    await until(() => endedCalls === 30);
    await until(() => server.methods.filter((method) => method === 'notifications/cancelled').length === 30);
    expect([resumed, server.methods.includes('ping')]).toEqual([0, false]);
  });

  it('that wants to know who we are gets the configured headers, or says that it refused us', async () => {
    const server = await openHttpServer({
      onRequest: ({ headers }) => (headers.authorization === 'Bearer right' ? undefined : 401),
      call: ({ id }, response) => sendJson(response, id, { content: [{ type: 'text', text: 'welcome' }] }),
    });
    const transport = (token: string) => ({
      type: 'http' as const,
      url: server.url,
      headers: { Authorization: `Bearer ${token}` },
    });
    const pool = openPool();
    expect(await say(pool.view({ servers: [overHttp('', { transport: transport('right') })] }), 'good')).toBe('welcome');
    const refused = pool.view({ servers: [overHttp('', { transport: transport('wrong') })] });
    expect(await refused.tools()).toEqual([]);
    expect(refused.problems()).toEqual([
      { server: 'remote', reason: 'it refused us (HTTP 401); check the token in "headers"', code: 'mcp-failed' },
    ]);
  });

  it('that refuses at great length is cut off', async () => {
    const server = await openHttpServer({
      call: (_, response) => {
        response.writeHead(500, { 'content-type': 'text/plain' });
        const pour = setInterval(() => response.write('x'.repeat(50_000)), 1);
        response.on('close', () => clearInterval(pour));
      },
    });
    const view = openPool({ maxMessageBytes: 1_000_000 }).view({ servers: [overHttp(server.url)] });
    expect(await view.call('bad', {}, context())).toMatchObject({ failed: true, code: 'mcp-failed' });
  });

  it('that stumbles over one call keeps its connection', async () => {
    const server = await openHttpServer({
      call: ({ id, params }, response) => {
        if (params.name === 'good') return sendJson(response, id, { content: [{ type: 'text', text: 'fine' }] });
        response.writeHead(503).end('busy');
      },
    });
    const view = openPool().view({ servers: [overHttp(server.url)] });
    expect(await view.call('bad', {}, context())).toEqual({
      text: 'The MCP server "remote" failed: it answered with HTTP 503.',
      failed: true,
      code: 'mcp-failed',
    });
    expect(await say(view, 'good')).toBe('fine');
    expect(server.methods.filter((method) => method === 'initialize')).toHaveLength(1);
  });

  it('is told goodbye; a goodbye that fails is said twice and then reported', async () => {
    let goodbyes = 0;
    const problems: unknown[] = [];
    const server = await openHttpServer({
      onDelete: (response) => {
        goodbyes += 1;
        response.writeHead(500).end();
      },
    });
    const pool = openPool({ onProblem: (problem) => problems.push(problem) });
    await pool.view({ servers: [overHttp(server.url)] }).tools();
    await pool.close();
    await pool.close();
    expect(goodbyes).toBe(2);
    expect(problems).toEqual([{ server: 'remote', reason: 'it answered with HTTP 500', code: 'mcp-failed' }]);
  });

  it('whose goodbye fails once is not reported', async () => {
    let goodbyes = 0;
    const problems: unknown[] = [];
    const server = await openHttpServer({
      onDelete: (response) => {
        goodbyes += 1;
        response.writeHead(goodbyes === 1 ? 500 : 200).end();
      },
    });
    const pool = openPool({ idleMilliseconds: 50, onProblem: (problem) => problems.push(problem) });
    const view = pool.view({ servers: [overHttp(server.url)] });
    await view.tools();
    await view.release();
    await until(() => goodbyes === 2);
    expect(pool.status()).toEqual([]);
    await pool.close();
    expect([goodbyes, problems]).toEqual([2, []]);
  });
});

async function openHttpServer(script: Script): Promise<{ url: string; methods: string[] }> {
  const methods: string[] = [];
  const server = createServer(async (request, response) => {
    const refusal = script.onRequest?.(request);
    if (refusal === 0) return;
    if (refusal !== undefined) return response.writeHead(refusal).end();
    if (request.method === 'GET' && script.onGet) return script.onGet(request, response);
    if (request.method === 'DELETE') return script.onDelete ? script.onDelete(response) : response.writeHead(200).end();
    if (request.method !== 'POST') return response.writeHead(405).end();
    const message = JSON.parse(Buffer.concat(await request.toArray()).toString());
    methods.push(message.method);
    if (message.id === undefined) return response.writeHead(202).end();
    if (message.method === 'tools/call') return script.call?.(message, response);
    return sendJson(response, message.id, resultFor(message));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}/mcp`, methods };
}

function resultFor({ method, params }: { method: string; params: { protocolVersion: string } }): object {
  if (method === 'initialize') {
    return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'small', version: '1' } };
  }
  if (method === 'tools/list') return { tools: ['good', 'bad'].map((name) => ({ name, inputSchema: { type: 'object' } })) };
  return {};
}

function sendJson(response: ServerResponse, id: number | undefined, result: object): void {
  response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'the-session' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}
