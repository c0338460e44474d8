// Every protocol over real HTTP: what a model says arrives whole and in order, and what it is told has its provider's own shape.
import { afterEach, describe, expect, it } from 'vitest';
import type { PromptItem } from '../../src/model/ports/text-model.ts';
import type { ToolSpec } from '../../src/model/ports/tool.ts';
import { createModel } from '../../src/providers/models/create-model.ts';
import { bundleProgram, Child } from '../support/child-program.ts';
import { said, takeStep } from '../support/model-server/collect-events.ts';
import {
  type ModelKind,
  type ModelServer,
  type Script,
  startModelServer,
  testKey,
} from '../support/model-server/model-server.ts';
import { hang } from '../support/model-server/script.ts';

const kinds: ModelKind[] = ['anthropic', 'openai', 'google', 'compatible'];
const kindsThatThink: ModelKind[] = ['anthropic', 'google', 'compatible'];

const program = new URL('../support/model-server/main.ts', import.meta.url);

const readFile: ToolSpec = {
  name: 'read_file',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};

let server: ModelServer;
const start = async (script: Script) => {
  server = await startModelServer(script);
  return server;
};
afterEach(async () => server.close());

describe.each(kinds)('a model behind the %s protocol', (kind) => {
  it('says its text in the order in which it comes, then how it ended and what it cost', async () => {
    const { modelFor } = await start([{ text: ['One ', 'two ', 'three.'], usage: { input: 120, output: 7, cached: 100 } }]);
    const { events, error } = await takeStep(modelFor(kind));
    expect({ events, error }).toEqual({
      events: [
        { type: 'text-delta', text: 'One ' },
        { type: 'text-delta', text: 'two ' },
        { type: 'text-delta', text: 'three.' },
        { type: 'finish', reason: 'stop', usage: { inputTokens: 120, outputTokens: 7, cachedTokens: 100 } },
      ],
      error: undefined,
    });
  });

  it('sends the instructions, the key and the name of the model', async () => {
    const { modelFor, requests } = await start([{ text: 'Yes.' }]);
    await takeStep(modelFor(kind), { instructions: 'Be brief.', prompt: [said('Is it?')] });
    const [request] = requests;
    expect(request?.model).toBe(modelFor(kind).id.split(':')[1]);
    expect(keyIn(kind, request?.headers ?? {})).toBe(testKey);
    expect(instructionsIn(kind, request?.body)).toBe('Be brief.');
    expect(JSON.stringify(request?.body)).toContain('Is it?');
  });

  it('keeps Chinese text whole where characters are cut in two on the way', async () => {
    const text = '对话永不中断：保存、找回、继续。🎼';
    const { modelFor } = await start([{ text: [text.slice(0, 7), text.slice(7)], bytesPerWrite: 5 }]);
    expect((await takeStep(modelFor(kind))).text).toBe(text);
  });

  it('calls several tools at once, in order, with their input parsed', async () => {
    const { modelFor } = await start([
      {
        text: 'Looking.',
        toolCalls: [
          { id: 'call_a', name: 'read_file', input: { path: 'a.txt' } },
          { id: 'call_b', name: 'read_file', input: { path: '乙.txt', lines: [1, 2] } },
        ],
      },
    ]);
    const { events } = await takeStep(modelFor(kind), { tools: [readFile] });
    expect(events).toEqual([
      { type: 'text-delta', text: 'Looking.' },
      { type: 'tool-call', callId: 'call_a', tool: 'read_file', input: { path: 'a.txt' } },
      { type: 'tool-call', callId: 'call_b', tool: 'read_file', input: { path: '乙.txt', lines: [1, 2] } },
      { type: 'finish', reason: 'tool-calls', usage: { inputTokens: 10, outputTokens: 5, cachedTokens: 0 } },
    ]);
  });

  it('is told calls and results in the shape of its provider', async () => {
    const { modelFor, requests } = await start([
      { toolCalls: [{ id: 'call_a', name: 'read_file', input: { path: 'a.txt' } }] },
      { text: 'It says hello.' },
    ]);
    const model = modelFor(kind);
    const first = await takeStep(model, { tools: [readFile], prompt: [said('What is in a.txt?')] });
    const call = first.events[0];
    if (call?.type !== 'tool-call') throw new Error('no call');
    const prompt: PromptItem[] = [
      said('What is in a.txt?'),
      { kind: 'tool-call', callId: call.callId, tool: call.tool, input: call.input },
      { kind: 'tool-result', callId: call.callId, text: 'hello' },
    ];
    const second = await takeStep(model, { tools: [readFile], prompt });
    expect(second.text).toBe('It says hello.');
    expect(exchangeIn(kind, requests[1]?.body)).toEqual(exchanges[kind]);
    expect(toolNamesIn(kind, requests[1]?.body)).toEqual(['read_file']);
  });

  it('says when the answer was too long or was held back', async () => {
    const { modelFor } = await start([
      { text: 'Once', finish: 'length' },
      { text: 'No', finish: 'content-filter' },
    ]);
    const reasons = [];
    for (const _ of [1, 2]) reasons.push((await takeStep(modelFor(kind))).events.at(-1));
    expect(reasons).toMatchObject([{ reason: 'length' }, { reason: 'content-filter' }]);
  });

  it('closes the connection when the turn is cancelled, and says so', async () => {
    const { modelFor, requests } = await start([{ text: ['One ', 'two'], delayBetweenChunks: 10_000 }]);
    const controller = new AbortController();
    const events: unknown[] = [];
    const error = await (async () => {
      try {
        for await (const event of modelFor(kind).stream({ prompt: [said('Count')], tools: [], signal: controller.signal })) {
          events.push(event);
          controller.abort();
        }
      } catch (thrown) {
        return thrown;
      }
      return undefined;
    })();
    await requests[0]?.over;
    expect(events).toEqual([{ type: 'text-delta', text: 'One ' }]);
    expect(error).toMatchObject({ code: 'cancelled' });
    expect(requests.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('can be cancelled while nothing has come yet', async () => {
    const { modelFor, requests } = await start([{ fault: hang() }]);
    const controller = new AbortController();
    const step = takeStep(modelFor(kind), { signal: controller.signal });
    await expect.poll(() => requests.length).toBe(1);
    controller.abort();
    const { events, error } = await step;
    expect({ events, error }).toMatchObject({ events: [], error: { code: 'cancelled' } });
    await requests[0]?.over;
    expect(requests.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('answers several steps at once, each its own', async () => {
    const { modelFor } = await start((request) => ({ text: [JSON.stringify(request.body).match(/number \d+/)?.[0] ?? ''] }));
    const model = modelFor(kind);
    const numbers = Array.from({ length: 10 }, (_, number) => `number ${number}`);
    const steps = await Promise.all(numbers.map((text) => takeStep(model, { prompt: [said(text)] })));
    expect(steps.map(({ text }) => text)).toEqual(numbers);
  });

  it('closes the connection when nobody reads on', async () => {
    const { modelFor, requests } = await start([{ text: ['One ', 'two'], delayBetweenChunks: 10_000 }]);
    for await (const _ of modelFor(kind).stream({ prompt: [said('Count')], tools: [], signal: new AbortController().signal }))
      break;
    await requests[0]?.over;
    expect(requests[0]?.aborted).toBe(true);
  });

  it('uses its connections again for later steps', async () => {
    const { modelFor, requests } = await start(() => ({ text: 'Yes.', delayBeforeEnd: 5 }));
    const model = modelFor(kind);
    for (const _ of Array(6)) await takeStep(model);
    // The client may open a second one while it puts the first back.
    expect(requests).toHaveLength(6);
    expect(new Set(requests.map(({ port }) => port)).size).toBeLessThanOrEqual(2);
  });

  it('sends nothing where the turn is cancelled already', async () => {
    const { modelFor, requests } = await start([]);
    const { error } = await takeStep(modelFor(kind), { signal: AbortSignal.abort() });
    expect(error).toMatchObject({ code: 'cancelled' });
    expect(requests).toEqual([]);
  });

  it('calls a tool by its own name where the provider would not take it', async () => {
    const tool = { ...readFile, name: 'mcp/files.read 文件' };
    const { modelFor, requests } = await start((request) => ({
      toolCalls: [{ id: 'call_a', name: toolNamesIn(kind, request.body)[0] as string, input: {} }],
    }));
    const { events } = await takeStep(modelFor(kind), { tools: [tool] });
    expect(events[0]).toEqual({ type: 'tool-call', callId: 'call_a', tool: 'mcp/files.read 文件', input: {} });
    expect(toolNamesIn(kind, requests[0]?.body)).toEqual(['mcp_files_read___']);
  });
});

describe.each(kindsThatThink)('a model that thinks behind the %s protocol', (kind) => {
  it('tells its thinking apart from its answer', async () => {
    const { modelFor } = await start([{ thinking: ['Let me ', 'see.'], text: 'Two.' }]);
    const { events } = await takeStep(modelFor(kind));
    expect(events.slice(0, 3)).toEqual([
      { type: 'thinking-delta', text: 'Let me ' },
      { type: 'thinking-delta', text: 'see.' },
      { type: 'text-delta', text: 'Two.' },
    ]);
  });
});

describe.each(['anthropic', 'openai', 'compatible'] as const)('tool input that is not JSON, behind the %s protocol', (kind) => {
  it('is handed on as it came', async () => {
    const { modelFor } = await start([{ toolCalls: [{ id: 'call_a', name: 'read_file', input: '{"path": "a.t' }] }]);
    const { events, error } = await takeStep(modelFor(kind), { tools: [readFile] });
    expect(error).toBeUndefined();
    expect(events[0]).toEqual({ type: 'tool-call', callId: 'call_a', tool: 'read_file', input: '{"path": "a.t' });
  });
});

describe('the server as a process of its own', () => {
  it('answers from its script and tells what it was asked', async () => {
    const answers = [{ text: 'From far away.' }];
    const child = new Child<{ url?: string; path?: string }>(await bundleProgram(program), { answers });
    const { url } = (await child.next()) as { url: string };
    server = await startModelServer();
    expect((await takeStep(createModel('compatible:any', { baseUrl: url }))).text).toBe('From far away.');
    expect(await child.next()).toMatchObject({ path: '/v1/chat/completions' });
    child.kill();
  });
});

describe('what only one provider wants', () => {
  it('Anthropic is told how far it may read from its cache', async () => {
    const { modelFor, requests } = await start([{ text: 'Yes.' }]);
    await takeStep(modelFor('anthropic'), { instructions: 'Be brief.' });
    expect(requests[0]?.body).toMatchObject({
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello', cache_control: { type: 'ephemeral' } }] }],
    });
  });

  it('Kimi is told again what it thought before a call', async () => {
    const { requests, url } = await start([{ text: 'Yes.' }]);
    const prompt: PromptItem[] = [
      said('Look'),
      { kind: 'thinking', text: 'I look.' },
      { kind: 'tool-call', callId: 'functions.read_file:0', tool: 'read_file', input: {} },
      { kind: 'tool-result', callId: 'functions.read_file:0', text: 'hello' },
    ];
    await takeStep(createModel('kimi:kimi-k2.5', { baseUrl: url, keys: { MOONSHOT_API_KEY: testKey } }), {
      prompt,
      tools: [readFile],
    });
    expect(requests[0]?.body.messages[1]).toMatchObject({
      reasoning_content: 'I look.',
      tool_calls: [{ id: 'functions.read_file:0' }],
    });
  });

  it('a compatible server without a key is sent none', async () => {
    const { modelFor, requests } = await start([{ text: 'Yes.' }]);
    await takeStep(modelFor('compatible', { keys: {} }));
    expect(requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('extra headers are sent along', async () => {
    const { modelFor, requests } = await start([{ text: 'Yes.' }]);
    await takeStep(modelFor('openai', { headers: { 'x-team': 'research' } }));
    expect(requests[0]?.headers['x-team']).toBe('research');
  });
});

function keyIn(kind: ModelKind, headers: Readonly<Record<string, unknown>>): unknown {
  if (kind === 'anthropic') return headers['x-api-key'];
  if (kind === 'google') return headers['x-goog-api-key'];
  return String(headers.authorization).replace('Bearer ', '');
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of three protocols
type Body = any;

function instructionsIn(kind: ModelKind, body: Body): unknown {
  if (kind === 'anthropic') return body.system[0].text;
  if (kind === 'google') return body.systemInstruction.parts[0].text;
  return body.messages[0].content;
}

function toolNamesIn(kind: ModelKind, body: Body): string[] {
  if (kind === 'anthropic') return body.tools.map((tool: Body) => tool.name);
  if (kind === 'google') return body.tools[0].functionDeclarations.map((tool: Body) => tool.name);
  return body.tools.map((tool: Body) => tool.function.name);
}

/** The call and its result as they were sent. */
function exchangeIn(kind: ModelKind, body: Body): unknown {
  return kind === 'google' ? body.contents.slice(1) : body.messages.slice(1);
}

const openaiExchange = [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_a', type: 'function', function: { name: 'read_file', arguments: '{"path":"a.txt"}' } }],
  },
  { role: 'tool', tool_call_id: 'call_a', content: 'hello' },
];

const exchanges: Record<ModelKind, unknown> = {
  anthropic: [
    { role: 'assistant', content: [{ type: 'tool_use', id: 'call_a', name: 'read_file', input: { path: 'a.txt' } }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'call_a', content: 'hello', cache_control: { type: 'ephemeral' } }],
    },
  ],
  openai: openaiExchange,
  compatible: openaiExchange,
  google: [
    {
      role: 'model',
      parts: [
        {
          functionCall: { id: 'call_a', name: 'read_file', args: { path: 'a.txt' } },
          // Gemini 3 wants a signature on every call; this one stands for calls that have none.
          thoughtSignature: 'skip_thought_signature_validator',
        },
      ],
    },
    {
      role: 'user',
      parts: [{ functionResponse: { id: 'call_a', name: 'read_file', response: { name: 'read_file', content: 'hello' } } }],
    },
  ],
};
