// Faults from outside, over the real protocols and in every part a turn touches: nothing that was said is lost, the turn ends with a
// code, and the next one works.
import { describe, expect, it, onTestFinished } from 'vitest';
import { ContinuoError } from '../../src/model/error.ts';
import type { RuntimeEvent } from '../../src/runtime/runtime-event.ts';
import { Session, type SessionOptions } from '../../src/runtime/session.ts';
import { type ModelKind, startModelServer } from '../support/model-server/model-server.ts';
import {
  contextOverflow,
  cutAfter,
  endWithoutFinish,
  hang,
  malformedChunk,
  rateLimit,
  refuseKey,
  type ScriptedAnswer,
  serverError,
  slowFirstByte,
  wrongContentType,
} from '../support/model-server/script.ts';
import { makeTool, openWorkbench } from './workbench.ts';

const kinds: readonly ModelKind[] = ['anthropic', 'openai', 'google', 'compatible'];
const pieces = ['One, ', 'two, ', 'three, ', 'four.'];

/** A session whose model is asked over HTTP; the faulty answer comes as often as the model retries, then a good one. */
async function openWithServer(
  kind: ModelKind,
  answer: ScriptedAnswer,
  options: Partial<SessionOptions> = {},
  limits: { firstByte?: number; betweenChunks?: number } = {},
) {
  let faulty = true;
  const server = await startModelServer(() => (faulty ? answer : { text: 'All is well.' }));
  const { store, home } = await openWorkbench();
  const model = server.modelFor(kind, {
    limits: { firstByte: 60_000, betweenChunks: 60_000, ...limits },
    retries: { attempts: 2, firstDelay: 1, maxDelay: 5 },
  });
  const session = Session.create({ store, model, ...options });
  const events: RuntimeEvent[] = [];
  session.events.listen((event) => void events.push(event));
  onTestFinished(async () => {
    await session.close();
    await server.close();
  });
  return { server, store, session, home, events, recover: () => (faulty = false) };
}

/** Only what is silent is not waited for. */
const impatient = {
  'a stream that stops without an end': { betweenChunks: 800 },
  'a first byte that never comes': { firstByte: 800 },
};

const cases: [string, ScriptedAnswer, { code: string; saved: string }][] = [
  ['a cut stream', { text: pieces, fault: cutAfter(2) }, { code: 'model-answer-broken', saved: 'One, two, ' }],
  ['a malformed chunk', { text: pieces, fault: malformedChunk(2) }, { code: 'model-answer-broken', saved: 'One, two, ' }],
  ['a stream that stops without an end', { text: pieces, fault: hang(2) }, { code: 'model-answer-broken', saved: 'One, two, ' }],
  [
    'an answer that ends without saying so',
    { text: pieces, fault: endWithoutFinish() },
    { code: 'model-answer-broken', saved: pieces.join('') },
  ],
  ['429 with retry-after', { fault: rateLimit({ retryAfterMs: 2 }) }, { code: 'model-rate-limited', saved: '' }],
  ['500', { fault: serverError(500) }, { code: 'model-failed', saved: '' }],
  ['a wrong content type', { fault: wrongContentType() }, { code: 'model-answer-broken', saved: '' }],
  ['a refused key', { fault: refuseKey() }, { code: 'model-key-refused', saved: '' }],
  ['a first byte that never comes', { fault: slowFirstByte(5000) }, { code: 'model-answer-broken', saved: '' }],
  ['a conversation that is too long', { fault: contextOverflow() }, { code: 'context-overflow', saved: '' }],
];

describe.each(kinds)('%s', (kind) => {
  it.each(cases)('%s: nothing is lost, the end has a code, the next turn works', async (name, answer, { code, saved }) => {
    const limits = impatient[name as keyof typeof impatient];
    const { session, store, events, recover } = await openWithServer(kind, answer, {}, limits);
    await expect(session.message('Count to four.')).rejects.toMatchObject({ code, kind: 'model' });
    const { id } = await session.root();
    const said = (await store.tail(id, 20)).flatMap((entry) =>
      entry.kind === 'message' ? [{ text: entry.text, interrupted: entry.interrupted }] : [],
    );
    const half = saved === '' ? [] : [{ text: saved, interrupted: true }];
    expect(said).toEqual([{ text: 'Count to four.', interrupted: undefined }, ...half]);
    const end = events.findLast(({ type }) => type === 'turn-end');
    expect(end).toMatchObject({ outcome: 'failed', error: { code, kind: 'model' } });
    const delivered = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('');
    expect(delivered).toBe(saved);
    recover();
    expect((await session.message('Again?')).text).toBe('All is well.');
  });

  it('cancelling a turn closes the connection to the model', async () => {
    const { session, server, store } = await openWithServer(kind, { text: pieces, fault: hang(1) });
    const answer = session.message('Count.').catch((error: unknown) => error);
    await expect.poll(() => server.requests.length).toBe(1);
    const { id } = await session.root();
    await expect.poll(async () => (await store.findDraft(id)) !== undefined).toBe(true);
    (await session.root()).cancel();
    expect(await answer).toMatchObject({ code: 'cancelled' });
    await server.requests[0]?.over;
    expect(server.requests[0]?.aborted).toBe(true);
    expect((await store.tail(id, 5)).find((entry) => entry.kind === 'message' && entry.role === 'assistant')).toMatchObject({
      text: 'One, ',
      interrupted: true,
    });
  });
});

describe('faults inside a session', () => {
  it('a slow first byte is only slow', async () => {
    const { session } = await openWithServer('anthropic', { text: 'Late, but here.', fault: slowFirstByte(100) });
    expect((await session.message('Hello?')).text).toBe('Late, but here.');
  });

  it('two different tools of one name refuse the turn, and say which', async () => {
    const twice = [
      makeTool({ name: 'look' }),
      { ...makeTool({ name: 'look' }), inputSchema: { type: 'object', required: ['x'] }, source: 'other' },
    ];
    const { session, store } = await openWorkbench({ tools: twice });
    await expect(session.message('go')).rejects.toMatchObject({ code: 'tool-conflict', kind: 'tool-conflict' });
    expect((await store.tail((await session.root()).id, 5))[0]).toMatchObject({ text: 'go' });
  });

  it('a sandbox that does not work is a failed call, not a failed turn', async () => {
    const broken = makeTool({ run: () => Promise.reject(new ContinuoError('sandbox-failed', { reason: 'no namespaces here' })) });
    const { session, heard } = await openWorkbench({
      tools: [broken],
      script: [{ toolCalls: [{ tool: 'look', input: {} }] }, 'I see.'],
    });
    expect((await session.message('go')).text).toBe('I see.');
    expect(heard('tool-result')).toMatchObject([{ failed: true, code: 'sandbox-failed' }]);
  });

  it('a subscriber that never reads holds a turn only as long as it is allowed to, and loses nothing before', async () => {
    const { session } = await openWorkbench({ script: () => ({ text: Array.from({ length: 50 }, (_, i) => `${i} `) }) });
    const stuck = session.events.subscribe({ capacity: 4, whenFull: 'wait', stallLimit: 50 });
    expect((await session.message('go')).steps).toBe(1);
    await session.close();
    const types: string[] = [];
    for await (const event of stuck) types.push(event.type);
    expect(types).toContain('events-dropped');
  });

  it('a slow subscriber that publishers wait for hears everything, in order', async () => {
    const { session } = await openWorkbench({ script: () => ({ text: Array.from({ length: 200 }, (_, i) => `${i} `) }) });
    const slow = session.events.subscribe({ capacity: 4, whenFull: 'wait', filter: ({ type }) => type === 'text-delta' });
    const heard: string[] = [];
    const reading = (async () => {
      for await (const event of slow) {
        if (event.type === 'text-delta') heard.push(event.text);
        if (heard.length % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      }
    })();
    await session.message('go');
    await session.close();
    await reading;
    expect(heard).toEqual(Array.from({ length: 200 }, (_, i) => `${i} `));
  });

  it('a store that cannot be written any more ends the turn with its code', async () => {
    const { session, store } = await openWorkbench();
    await session.message('one');
    await store.close();
    await expect(session.message('two')).rejects.toMatchObject({ code: 'store-closed' });
    expect(session.running).toBeUndefined();
  });
});
