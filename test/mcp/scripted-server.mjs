// A small MCP server over stdio that does what a test tells it to: also what no server should.
import { spawn } from 'node:child_process';
import { closeSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const plan = JSON.parse(process.argv[2] ?? '{}');
let inFlight = 0;
let peak = 0;
let calls = 0;
const cancelled = [];
const extraTools = [];

if (plan.pidFile) writeFileSync(plan.pidFile, String(process.pid));
if (plan.ignoreSigterm) process.on('SIGTERM', () => undefined);
if (plan.ignoreEnd) setInterval(() => undefined, 60_000);
if (plan.grandchild) {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
  writeFileSync(plan.grandchild, String(child.pid));
}
if (plan.garbage)
  process.stdout.write('Welcome to the server!\n{"half": \n\u0000\u0001\u00ff\n[1,2]\n"text"\n{"jsonrpc":"2.0"}\n');
if (plan.complain) process.stderr.write(plan.complain);
if (plan.dieAtOnce !== undefined) process.exit(plan.dieAtOnce);

const tool = (name, more = {}) => ({ name, description: `The tool ${name}.`, inputSchema: { type: 'object' }, ...more });
const tools = () => [
  ...(
    plan.tools ?? [
      'pid',
      'work',
      'peak',
      'hang',
      'cancelled',
      'crash',
      'huge',
      'progress',
      'change',
      'environment',
      'parts',
      'refuse',
      'deaf',
    ]
  ).map((item) => (typeof item === 'string' ? tool(item) : spellOut(item))),
  ...extraTools,
];

const run = {
  deaf: () => {
    setTimeout(() => closeSync(0), 20);
    setInterval(() => undefined, 60_000);
    return text('what?');
  },
  pid: () => text(String(process.pid)),
  peak: () => text(JSON.stringify({ peak, calls })),
  cancelled: () => text(JSON.stringify(cancelled)),
  environment: () => text(JSON.stringify({ env: process.env, cwd: process.cwd() })),
  refuse: () => {
    throw Object.assign(new Error('no such\nluck'), { code: -32602 });
  },
  work: async ({ milliseconds = 10 }) => {
    inFlight += 1;
    calls += 1;
    peak = Math.max(peak, inFlight);
    await sleep(milliseconds);
    inFlight -= 1;
    return text('done');
  },
  hang: () => {
    inFlight += 1;
    peak = Math.max(peak, inFlight);
    return new Promise(() => undefined);
  },
  crash: () => {
    process.stderr.write('out of luck\n');
    process.exit(3);
  },
  huge: ({ characters }) => text('x'.repeat(characters)),
  progress: async ({ steps, milliseconds }, { progressToken }) => {
    for (let step = 1; step <= steps; step += 1) {
      await sleep(milliseconds);
      send({
        method: 'notifications/progress',
        params: { progressToken, progress: step, total: steps, message: `step ${step}` },
      });
    }
    return text('arrived');
  },
  change: ({ name }) => {
    extraTools.push(tool(name));
    send({ method: 'notifications/tools/list_changed' });
    return text('changed');
  },
  parts: () => ({
    content: [
      { type: 'text', text: 'first' },
      { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' },
      { type: 'audio', data: 'aGVsbG8=', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'file:///a.txt', name: 'a' },
      { type: 'resource', resource: { uri: 'file:///b.txt', text: 'inside b' } },
      { type: 'resource', resource: { uri: 'file:///c.bin', blob: 'aGVsbG8=' } },
      { type: 'hologram' },
    ],
    structuredContent: { answer: 42 },
    isError: true,
  }),
};

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'notifications/cancelled') return cancelled.push(params.requestId);
  if (id === undefined || method === undefined) return;
  if (plan.silent?.includes(method)) return;
  try {
    send({ id, result: await answer(method, params ?? {}) });
  } catch (error) {
    send({ id, error: { code: error.code ?? -32603, message: error.message } });
  }
});

async function answer(method, params) {
  if (method === 'initialize') {
    return {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'scripted', version: '1' },
    };
  }
  if (method === 'tools/list') return page(tools(), Number(params.cursor ?? 0));
  if (method === 'tools/call') return run[params.name](params.arguments ?? {}, params._meta ?? {});
  return {};
}

/** Numbers stand for descriptions of that length, which no command line could carry. */
function spellOut(item) {
  return JSON.parse(JSON.stringify(item), (key, value) =>
    key === 'description' && typeof value === 'number' ? 'A'.repeat(value) : value,
  );
}

function page(all, start) {
  if (plan.endlessPages) return { tools: [all[0]], nextCursor: String(start + 1) };
  const size = plan.pageSize ?? all.length;
  return { tools: all.slice(start, start + size), ...(start + size < all.length && { nextCursor: String(start + size) }) };
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function text(value) {
  return { content: [{ type: 'text', text: value }] };
}

function sleep(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
