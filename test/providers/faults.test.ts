// Everything that can go wrong between here and a model, over real HTTP: each ends with its own code, is tried again where that may
// help and only while nothing has been said, and never gives a key away.
import { afterEach, describe, expect, it } from 'vitest';
import type { ContinuoError } from '../../src/model/error.ts';
import type { ModelEvent } from '../../src/model/ports/text-model.ts';
import { createModel } from '../../src/providers/models/create-model.ts';
import { takeStep } from '../support/model-server/collect-events.ts';
import {
  type ModelKind,
  type ModelServer,
  type Script,
  startModelServer,
  testKey,
} from '../support/model-server/model-server.ts';
import {
  contextOverflow,
  cutAfter,
  cutAtByte,
  endWithoutFinish,
  type Fault,
  flipByte,
  hang,
  malformedChunk,
  rateLimit,
  refuse,
  refuseKey,
  reset,
  serverError,
  slowFirstByte,
  streamError,
  wrongContentType,
} from '../support/model-server/script.ts';

const kinds: ModelKind[] = ['anthropic', 'openai', 'google', 'compatible'];

let server: ModelServer;
const start = async (script: Script, options = {}) => {
  server = await startModelServer(script, options);
  return server;
};
afterEach(async () => server.close());

/** Each fault, the code it ends with when it happens every time, and how often it is tried. */
const faults: [name: string, fault: Fault, code: string, attempts: number][] = [
  ['a rate limit', rateLimit(), 'model-rate-limited', 4],
  ['an error of the server', serverError(500), 'model-failed', 4],
  ['a bad gateway', serverError(502), 'model-failed', 4],
  ['an overloaded server', serverError(529), 'model-failed', 4],
  ['an error that no repetition mends', serverError(501), 'model-failed', 1],
  ['a refused key', refuseKey(), 'model-key-refused', 1],
  ['an unknown model', refuse(404, 'model: nobody-knows-it'), 'model-refused', 1],
  ['a prompt that is too long', contextOverflow(), 'context-overflow', 1],
  ['another kind of answer', wrongContentType(), 'model-answer-broken', 1],
  ['a connection that is reset', reset(), 'model-unreachable', 4],
  ['a stream that is cut before anything was said', cutAfter(0), 'model-answer-broken', 4],
  ['a stream that ends before anything was said', endWithoutFinish(), 'model-answer-broken', 4],
  ['a piece that is not JSON', malformedChunk(0), 'model-answer-broken', 4],
  ['an overload that is told inside of the stream', streamError(0), 'model-failed', 4],
];

describe.each(kinds)('with the %s protocol', (kind) => {
  it.each(faults)('%s is told by its code', async (_name, fault, code, attempts) => {
    const { modelFor, requests } = await start([{ fault }], { repeatLast: true });
    const { events, error } = await takeStep(modelFor(kind));
    expect(codeOf(error)).toBe(code);
    expect(requests).toHaveLength(attempts);
    expect(events.map((event) => event.type === 'retry' && [event.attempt, event.code])).toEqual(
      Array.from({ length: attempts - 1 }, (_, index) => [index + 2, code]),
    );
  });

  it.each<[string, Fault]>([
    ['is cut', cutAfter(2)],
    ['holds a piece that is not JSON', malformedChunk(2)],
    ['reports an overload', streamError(2)],
    ['ends without saying so', endWithoutFinish()],
  ])('a stream that %s after something was said is not asked for again', async (_name, fault) => {
    const { modelFor, requests } = await start([{ text: ['One ', 'two ', 'three'], fault }]);
    const { events, error } = await takeStep(modelFor(kind));
    expect(events.slice(0, 2)).toEqual([
      { type: 'text-delta', text: 'One ' },
      { type: 'text-delta', text: 'two ' },
    ]);
    expect(codeOf(error)).toBe('model-answer-broken');
    expect(requests).toHaveLength(1);
  });

  it('a fault that passes is not noticed in the answer', async () => {
    const { modelFor, requests } = await start([{ fault: serverError(503) }, { fault: cutAfter(0) }, { text: 'Here I am.' }]);
    const { events, error } = await takeStep(modelFor(kind));
    expect(error).toBeUndefined();
    expect(events.map((event) => (event.type === 'retry' ? event.code : event.type))).toEqual([
      'model-failed',
      'model-answer-broken',
      'text-delta',
      'finish',
    ]);
    expect(requests[2]?.body).toEqual(requests[0]?.body);
  });

  it('a call in a stream that breaks is never made', async () => {
    const calls = [{ id: 'call_a', name: 'read_file', input: { path: 'a.txt' } }];
    const { modelFor } = await start([{ toolCalls: calls, fault: endWithoutFinish() }], { repeatLast: true });
    const { events, error } = await takeStep(modelFor(kind));
    expect(events.every((event) => event.type === 'retry')).toBe(true);
    expect(codeOf(error)).toBe('model-answer-broken');
  });

  it('an empty answer is asked for again, and told if it stays empty', async () => {
    const { modelFor } = await start([{ text: [] }, { text: 'Yes.' }, { text: [] }], { repeatLast: true });
    expect((await takeStep(modelFor(kind))).text).toBe('Yes.');
    const { error } = await takeStep(modelFor(kind));
    expect(error).toMatchObject({ code: 'model-answer-broken', details: { reason: 'it was empty' } });
  });

  it('a stream cut at any byte gives the beginning of the answer and a code, or all of it', async () => {
    const offsets = Array.from({ length: 20 }, (_, index) => 1 + index * 101);
    const toolCalls = [{ id: 'call_a', name: 'read_file', input: { path: '甲.txt' } }];
    const answer = { text: ['继续', '对话🎼', '。'], toolCalls };
    const { modelFor } = await start((_, index) => ({ ...answer, fault: cutAtByte(offsets[index] as number) }));
    const model = modelFor(kind, { retries: { attempts: 1 } });
    const ends = new Set<string>();
    for (const _ of offsets) {
      const { events, text, error } = await takeStep(model);
      expect('继续对话🎼。'.startsWith(text)).toBe(true);
      const isWhole = events.at(-1)?.type === 'finish';
      expect(events.filter(({ type }) => type === 'tool-call')).toHaveLength(isWhole ? 1 : 0);
      ends.add(codeOf(error) ?? 'finish');
    }
    expect([...ends].filter((end) => end !== 'finish')).toEqual(['model-answer-broken']);
  });

  it('a stream with any byte changed ends with an answer or a code', async () => {
    const offsets = Array.from({ length: 20 }, (_, index) => index * 61);
    const { modelFor } = await start((_, index) => ({ text: ['One', 'two'], fault: flipByte(offsets[index] as number) }));
    const model = modelFor(kind, { retries: { attempts: 1 } });
    for (const _ of offsets) {
      const { events, error } = await takeStep(model);
      expect(['model-answer-broken', 'model-failed', undefined]).toContain(codeOf(error));
      expect(error === undefined).toBe(events.at(-1)?.type === 'finish');
    }
  });

  it('the key is in no part of any error, also where the server repeats it', async () => {
    const echo = `Incorrect API key provided: ${testKey}. See /keys?key=${encodeURIComponent(testKey)}`;
    const all = [...faults.map(([, fault]) => fault), refuse(400, echo), refuse(401, echo), refuse(422, echo)];
    const { modelFor } = await start((_, index) => ({ fault: all[index] as Fault }));
    for (const _ of all) {
      const { error } = await takeStep(modelFor(kind, { retries: { attempts: 1 }, headers: { 'x-token': `Token ${testKey}` } }));
      expect(everythingIn(error)).not.toContain(testKey);
      expect(codeOf(error)).toBeDefined();
    }
  });
});

describe('silence', () => {
  // Mostly waiting: the protocols wait together.
  const withEach = async (script: Script, options: object, check: (server: ModelServer, kind: ModelKind) => Promise<void>) => {
    server = await startModelServer();
    await Promise.all(
      kinds.map(async (kind) => {
        const own = await startModelServer(script, options);
        await check(own, kind).finally(() => own.close());
      }),
    );
  };

  it('at the beginning is waited out, up to a limit', async () => {
    const script = [{ text: 'Now.', fault: slowFirstByte(50) }, { fault: hang() }];
    await withEach(script, { repeatLast: true }, async ({ modelFor }, kind) => {
      const model = modelFor(kind, { limits: { firstByte: 1000 }, retries: { attempts: 2, firstDelay: 1 } });
      expect((await takeStep(model)).text).toBe('Now.');
      const { events, error } = await takeStep(model);
      expect(events).toMatchObject([{ type: 'retry', code: 'model-answer-broken' }]);
      expect(error).toMatchObject({ code: 'model-answer-broken', details: { reason: 'nothing came for 1 seconds' } });
    });
  });

  it('in the middle ends the step, and what was said stays', async () => {
    await withEach([{ text: ['One ', 'two'], fault: hang(1) }], {}, async ({ modelFor, requests }, kind) => {
      const { text, error } = await takeStep(modelFor(kind, { limits: { betweenChunks: 200 } }));
      expect({ text, code: codeOf(error) }).toEqual({ text: 'One ', code: 'model-answer-broken' });
      await requests[0]?.over;
      expect(requests[0]?.aborted).toBe(true);
    });
  });

  it('is none where the server sends signs of life', async () => {
    await withEach([{ text: ['One ', 'two'], fault: hang(1, 20) }], {}, async ({ modelFor }, kind) => {
      const alive = new AbortController();
      setTimeout(() => alive.abort(), 2000);
      const { error } = await takeStep(modelFor(kind, { limits: { betweenChunks: 1000 } }), { signal: alive.signal });
      expect(codeOf(error)).toBe('cancelled');
    });
  });

  it('is none where the reader is slow', async () => {
    await withEach([{ text: ['One ', 'two'] }], {}, async ({ modelFor }, kind) => {
      let text = '';
      const request = { prompt: [], tools: [], signal: new AbortController().signal };
      for await (const event of modelFor(kind, { limits: { betweenChunks: 800 } }).stream(request)) {
        if (event.type === 'text-delta') text += event.text;
        await new Promise((done) => setTimeout(done, 1000));
      }
      expect(text).toBe('One two');
    });
  });
});

describe('waiting before another attempt', () => {
  const delays = (events: ModelEvent[]) => events.flatMap((event) => (event.type === 'retry' ? [event.delay] : []));

  it('takes as long as the server asks, in seconds, as a date or in milliseconds, up to the limit', async () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    const { modelFor } = await start([
      { fault: rateLimit({ retryAfter: 7 }) },
      { fault: rateLimit({ retryAfter: 'Thu, 01 Jan 2026 00:00:09 GMT' }) },
      { fault: rateLimit({ retryAfter: 30, retryAfterMs: 250 }) },
      { fault: rateLimit({ retryAfter: 3600 }) },
      { text: 'Now.' },
    ]);
    const slept: number[] = [];
    const sleep = async (milliseconds: number) => slept.push(milliseconds);
    const { events, text } = await takeStep(
      modelFor('anthropic', { retries: { attempts: 5, maxDelay: 20_000, clock: () => now, sleep } }),
    );
    expect({ text, delays: delays(events), slept }).toEqual({
      text: 'Now.',
      delays: [7000, 9000, 250, 20_000],
      slept: [7000, 9000, 250, 20_000],
    });
  });

  it('doubles otherwise, with some chance in it', async () => {
    const { modelFor } = await start([{ fault: serverError() }], { repeatLast: true });
    const chances = [0, 0.999, 0.5];
    const retries = { firstDelay: 100, maxDelay: 300, sleep: async () => undefined, random: () => chances.shift() as number };
    const { events } = await takeStep(modelFor('openai', { retries }));
    expect(delays(events)).toEqual([50, 200, 225]);
  });

  it('really takes that long', async () => {
    const { modelFor, requests } = await start([{ fault: rateLimit({ retryAfterMs: 120 }) }, { text: 'Now.' }]);
    await takeStep(modelFor('google', { retries: { maxDelay: 1000 } }));
    expect((requests[1]?.at ?? 0) - (requests[0]?.at ?? 0)).toBeGreaterThanOrEqual(119);
  });

  it('ends at once when the turn is cancelled', async () => {
    const { modelFor, requests } = await start([{ fault: rateLimit({ retryAfter: 60 }) }]);
    const controller = new AbortController();
    const step = takeStep(modelFor('openai', { retries: { maxDelay: 60_000 } }), { signal: controller.signal });
    await expect.poll(() => requests.length, { timeout: 10_000 }).toBe(1);
    await requests[0]?.over;
    setTimeout(() => controller.abort(), 50);
    const { error } = await step;
    expect(codeOf(error)).toBe('cancelled');
    expect(requests).toHaveLength(1);
  });

  it('is not done where an account is empty', async () => {
    const { modelFor, requests } = await start([{ fault: rateLimit({ quota: true }) }]);
    const { error } = await takeStep(modelFor('openai'));
    expect(error).toMatchObject({
      code: 'model-rate-limited',
      message: 'OpenAI allows no more requests for now: You exceeded your current quota. Wait a little and say it again.',
    });
    expect(requests).toHaveLength(1);
  });
});

describe('what the user is told', () => {
  it('says who, where and what to do', async () => {
    const { modelFor, url } = await start([{ fault: refuseKey() }, { fault: refuse(404, 'model: claude-nine\nis unknown.') }]);
    const messages: string[] = [];
    for (const _ of [1, 2]) messages.push(messageOf((await takeStep(modelFor('anthropic'))).error));
    await server.close();
    server = await startModelServer();
    messages.push(
      messageOf((await takeStep(createModel('ollama:qwen3:8b', { baseUrl: url, retries: { firstDelay: 1 } }))).error),
    );
    expect(messages).toEqual([
      'Anthropic refused the key. Check ANTHROPIC_API_KEY.',
      'Anthropic did not accept the request: model: claude-nine is unknown.',
      `Ollama cannot be reached at ${url}/v1: nobody answers there. Check the network and the address.`,
    ]);
  });
});

function codeOf(error: unknown): string | undefined {
  return (error as ContinuoError | undefined)?.code;
}

function messageOf(error: unknown): string {
  return (error as Error).message;
}

/** Every text that could be printed of an error and its causes. */
function everythingIn(error: unknown): string {
  let text = '';
  for (let current = error; current instanceof Error; current = current.cause) {
    const own = Object.fromEntries(
      Object.getOwnPropertyNames(current).map((name) => [name, Reflect.get(current as Error, name)]),
    );
    text += `${current.stack} ${JSON.stringify({ ...own, cause: undefined })}`;
  }
  return text;
}
