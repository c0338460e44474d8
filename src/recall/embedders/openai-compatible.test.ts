import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Embedder } from '../../model/ports/embedder.ts';
import { embedderConformance } from '../../testing/embedder-conformance.ts';
import { createHashingEmbedder } from '../../testing/hashing-embedder.ts';
import { createOpenAiCompatibleEmbedder, type OpenAiCompatibleOptions } from './openai-compatible.ts';

const key = 'sk-very-secret-0123456789';

describe('every embedder', () => {
  const embedders: Record<string, () => Embedder | Promise<Embedder>> = {
    hashing: () => createHashingEmbedder(),
    'OpenAI-compatible': async () => (await open()).embedder,
  };
  for (const [name, create] of Object.entries(embedders)) {
    it.each(embedderConformance(create).map((item) => [item.name, item] as const))(`${name}: %s`, (_name, { run }) => run());
  }
});

describe('an OpenAI-compatible embedder', () => {
  it('sends what the protocol asks for, and questions and passages with their prefixes', async () => {
    const { embedder, requests } = await open({ shorten: true, prefixes: { query: 'query: ', passage: 'passage: ' } });
    await embedder.embed(['one', '', 'two']);
    await embedder.embed(['three'], { kind: 'query' });
    expect(embedder.id).toBe('openai-compatible/small/256/passage: ');
    expect(requests).toEqual([
      {
        method: 'POST',
        url: '/v1/embeddings',
        authorization: `Bearer ${key}`,
        body: { model: 'small', input: ['passage: one', 'passage: two'], encoding_format: 'float', dimensions: 256 },
      },
      {
        method: 'POST',
        url: '/v1/embeddings',
        authorization: `Bearer ${key}`,
        body: { model: 'small', input: ['query: three'], encoding_format: 'float', dimensions: 256 },
      },
    ]);
  });

  it('sends no more texts and no more characters at once than it may, and cuts long texts', async () => {
    const { embedder, requests } = await open({ batchSize: 3, batchCharacters: 20, maxCharacters: 15 });
    await embedder.embed(['a', 'b', 'c', 'd', 'e'.repeat(40), 'f'.repeat(10), 'g']);
    expect(requests.map(({ body }) => body.input)).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e'.repeat(15)],
      ['f'.repeat(10), 'g'],
    ]);
  });

  it('puts vectors in the order of the texts, whatever order the server gives them in', async () => {
    const { embedder } = await open({}, async (input, response) => {
      const vectors = await createHashingEmbedder().embed(input);
      const data = vectors.map((vector, index) => ({ index, embedding: [...vector.map((value) => value * 3)] })).reverse();
      response.end(JSON.stringify({ data }));
    });
    const found = await embedder.embed(['first', 'second']);
    const wanted = await createHashingEmbedder().embed(['first', 'second']);
    const close = (vector: Float32Array) => [...vector].map((value) => Number(value.toFixed(5)));
    expect(found.map(close)).toEqual(wanted.map(close));
  });

  it.each([429, 500, 503])('tries again after %i, and waits as long as it is asked to', async (status) => {
    const times: number[] = [];
    const { embedder } = await open({ retry: { firstDelay: 5000 } }, async (input, response) => {
      times.push(performance.now());
      if (times.length < 3) return refuse(response, status, { error: { message: 'later' } }, { 'retry-after': '0.15' });
      await answer(input, response);
    });
    expect(await embedder.embed(['text'])).toHaveLength(1);
    expect(times).toHaveLength(3);
    for (const i of [1, 2]) expect((times[i] as number) - (times[i - 1] as number)).toBeGreaterThan(140);
  });

  it('gives up after its attempts, with what the server said and without the key', async () => {
    let asked = 0;
    const { embedder } = await open({ retry: { attempts: 3, firstDelay: 1 } }, async (_input, response) => {
      asked += 1;
      refuse(response, 503, { error: { message: `Overloaded, ${key}, sorry.` } });
    });
    const error = await caught(embedder.embed(['text']));
    expect(error).toMatchObject({
      code: 'embedder-failed',
      details: { embedder: embedder.id, reason: 'Overloaded, …, sorry', status: 503 },
    });
    expect(asked).toBe(3);
    expect(everythingIn(error)).not.toContain(key);
  });

  it.each<[string, number, unknown, object]>([
    [
      'a refused key',
      401,
      { error: { message: `Incorrect API key: ${key}` } },
      { code: 'embedder-failed', details: { reason: 'it refused the key (HTTP 401)', status: 401 } },
    ],
    [
      'a text that is too long',
      400,
      { error: { message: 'maximum context length is 8192' } },
      { code: 'embedder-refused', details: { reason: 'maximum context length is 8192', status: 400 } },
    ],
    [
      'a model that is not there',
      404,
      { error: 'model "small" not found' },
      { code: 'embedder-failed', details: { reason: 'model "small" not found', status: 404 } },
    ],
    [
      'no money left',
      429,
      { error: { message: 'You exceeded your quota', code: 'insufficient_quota' } },
      { code: 'embedder-failed', details: { reason: 'You exceeded your quota', status: 429 } },
    ],
    [
      'another address',
      307,
      {},
      { code: 'embedder-failed', details: { reason: 'it redirects to another address', status: 307 } },
    ],
  ])('does not insist on %s', async (_name, status, body, wanted) => {
    let asked = 0;
    const { embedder } = await open({}, async (_input, response) => {
      asked += 1;
      refuse(response, status, body, { location: 'http://127.0.0.1:9/' });
    });
    const error = await caught(embedder.embed(['text']));
    expect(error).toMatchObject(wanted);
    expect(everythingIn(error)).not.toContain(key);
    expect(asked).toBe(1);
  });

  it.each<[string, unknown, object]>([
    [
      'another dimension',
      { data: [{ embedding: [1, 2, 3] }] },
      { code: 'dimension-mismatch', details: { expected: 256, found: 3 } },
    ],
    ['too few vectors', { data: [] }, { details: { reason: 'it gave 0 vectors for 1 texts' } }],
    ['a vector of zeros', { data: [{ embedding: Array(256).fill(0) }] }, { details: { reason: 'its answer is not understood' } }],
    [
      'words for numbers',
      { data: [{ embedding: Array(256).fill('1') }] },
      { details: { reason: 'its answer is not understood' } },
    ],
    [
      'a number out of range',
      { data: [{ index: 4, embedding: Array(256).fill(1) }] },
      { details: { reason: 'its answer is not understood' } },
    ],
    ['no data', { vectors: [] }, { details: { reason: 'its answer is not understood' } }],
    ['no JSON', undefined, { details: { reason: 'its answer is not understood' } }],
  ])('refuses an answer with %s', async (_name, body, wanted) => {
    const { embedder } = await open({}, async (_input, response) => {
      response.end(body === undefined ? '<html>' : JSON.stringify(body));
    });
    expect(await caught(embedder.embed(['text']))).toMatchObject({ code: 'embedder-failed', ...wanted });
  });

  it('gives up on a server that does not answer in time, and one that is not there', async () => {
    const { embedder } = await open({ timeout: 60, retry: { attempts: 2, firstDelay: 1 } }, async () => undefined);
    expect(await caught(embedder.embed(['text']))).toMatchObject({
      code: 'timeout',
      details: { what: `The embedder ${embedder.id}`, seconds: 0.06 },
    });
    const gone = await open({ retry: { attempts: 2, firstDelay: 1 } });
    await gone.close();
    expect(await caught(gone.embedder.embed(['text']))).toMatchObject({
      code: 'embedder-failed',
      details: { reason: 'nobody answers there' },
    });
  });

  it('stops at once when it is told to, while it asks and while it waits', async () => {
    const { embedder, requests } = await open({}, async () => undefined);
    const asking = new AbortController();
    const first = caught(embedder.embed(['text'], { signal: asking.signal }));
    while (requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    asking.abort();
    expect(await first).toMatchObject({ code: 'cancelled' });

    const busy = await open({ retry: { firstDelay: 60_000 } }, async (_input, response) => refuse(response, 503, {}));
    const waiting = AbortSignal.timeout(100);
    expect(await caught(busy.embedder.embed(['text'], { signal: waiting }))).toMatchObject({ code: 'cancelled' });
  });

  it.each([
    [{ baseUrl: 'ftp://127.0.0.1/v1' }, 'it must begin with http:// or https://'],
    [{ baseUrl: `http://user:${key}@127.0.0.1/v1` }, 'it may not hold a key or a password'],
    [{ key: `${key}\nx: y` }, 'it holds a space or a character that no key has'],
  ])('is not made of %j', (wrong, reason) => {
    const make = () =>
      createOpenAiCompatibleEmbedder({ baseUrl: 'http://127.0.0.1:9/v1', model: 'small', dimension: 4, ...wrong });
    expect(make).toThrow(expect.objectContaining({ code: 'invalid-input', details: expect.objectContaining({ reason }) }));
    expect(make).not.toThrow(key);
  });
});

interface SeenRequest {
  method: string | undefined;
  url: string | undefined;
  authorization: string | undefined;
  body: { model: string; input: string[] };
}

type Answer = (input: string[], response: ServerResponse) => Promise<void>;

async function open(options: Partial<OpenAiCompatibleOptions> = {}, respond: Answer = answer) {
  const requests: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await readBody(request)) as SeenRequest['body'];
    requests.push({ method: request.method, url: request.url, authorization: request.headers.authorization, body });
    await respond(body.input, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
  const embedder = createOpenAiCompatibleEmbedder({ baseUrl, model: 'small', dimension: 256, key, ...options });
  return { embedder, requests, close };
}

async function answer(input: string[], response: ServerResponse): Promise<void> {
  const vectors = await createHashingEmbedder().embed(input);
  response.end(JSON.stringify({ object: 'list', data: vectors.map((vector, index) => ({ index, embedding: [...vector] })) }));
}

function refuse(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, headers).end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function caught(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** Its message, details, stack and causes. */
function everythingIn(error: unknown): string {
  const parts: string[] = [];
  for (let current = error; current instanceof Error; current = current.cause) {
    parts.push(current.message, String(current.stack), JSON.stringify(current));
  }
  return parts.join('\n');
}
