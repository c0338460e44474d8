// A turn from the outside: what is answered, what is in the log, what is told, and in which order.
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/model/entry.ts';
import { ContinuoError } from '../../src/model/error.ts';
import { AgentError } from '../../src/runtime/agent-error.ts';
import { createGate, makeTool, meet, openWorkbench } from './workbench.ts';

const brief = (entry: Entry): string => {
  if (entry.kind === 'message') return `${entry.role}: ${entry.text}${entry.interrupted ? ' [interrupted]' : ''}`;
  if (entry.kind === 'tool-call') return `call ${entry.tool}`;
  if (entry.kind === 'tool-result') return `result ${entry.text}${entry.failed ? ' [failed]' : ''}`;
  if (entry.kind === 'event') return `event ${entry.name}${entry.code ? ` ${entry.code}` : ''}`;
  return entry.kind;
};

describe('a turn', () => {
  it('answers, and leaves the question, the answer and its own frame in the log', async () => {
    const { session, store } = await openWorkbench({
      script: [{ text: ['Good ', 'morning.'], usage: { inputTokens: 5, outputTokens: 2 } }],
    });
    const output = await session.message('早上好');
    expect(output).toMatchObject({
      text: 'Good morning.',
      steps: 1,
      toolCalls: 0,
      finish: 'stop',
      usage: { inputTokens: 5, outputTokens: 2, cachedTokens: 0 },
    });
    const log = await store.tail((await session.root()).id, 10);
    expect(log.map(brief)).toEqual(['user: 早上好', 'event turn-start', 'assistant: Good morning.', 'event turn-end done']);
    expect(new Set(log.map((entry) => entry.turnId))).toEqual(new Set([output.turnId]));
    expect(output.entries).toEqual(log.map(({ id }) => id));
  });

  it('saves the question before the model is asked', async () => {
    const asked = createGate();
    const { session, store } = await openWorkbench({ script: [{ text: 'late', before: () => asked.opened }] });
    const root = await session.root();
    const answer = session.message('is it saved?');
    await expect.poll(async () => (await store.tail(root.id, 1)).length).toBe(1);
    const before = await store.tail(root.id, 10);
    expect(before.map(brief)).toEqual(['user: is it saved?', 'event turn-start']);
    asked.open();
    await answer;
  });

  it('runs tools in the order they are called and shows the results to the model', async () => {
    const tools = [
      makeTool({ name: 'one', run: () => ({ text: '1' }) }),
      makeTool({ name: 'two', run: () => ({ text: '2', failed: true }) }),
    ];
    const { session, store, model } = await openWorkbench({
      tools,
      script: [
        {
          text: 'Let me see.',
          toolCalls: [
            { tool: 'two', input: {} },
            { tool: 'one', input: {} },
          ],
        },
        'Both seen.',
      ],
    });
    const output = await session.message('look twice');
    expect(output).toMatchObject({ text: 'Both seen.', steps: 2, toolCalls: 2 });
    const said = ['user: look twice', 'assistant: Let me see.', 'call two', 'call one', 'result 2 [failed]', 'result 1'];
    const log = (await store.tail((await session.root()).id, 20)).filter((entry) => entry.kind !== 'event');
    expect(log.map(brief)).toEqual([...said, 'assistant: Both seen.']);
    expect(model.requests[1]?.prompt.map((item) => brief(item as Entry))).toEqual(said);
  });

  it('tells the model about a tool that does not exist, that breaks, and that gets no object', async () => {
    const broken = makeTool({ name: 'broken', run: () => Promise.reject(new Error('the disk is on fire')) });
    const { session, store } = await openWorkbench({
      tools: [broken],
      script: [
        {
          toolCalls: [
            { tool: 'nothing', input: {} },
            { tool: 'broken', input: {} },
            { tool: 'broken', input: '{"half' },
          ],
        },
        'I see.',
      ],
    });
    await session.message('go');
    const log = await store.tail((await session.root()).id, 20);
    const results = log.filter((entry) => entry.kind === 'tool-result');
    expect(results.map(({ text, failed, meta }) => ({ text, failed, code: meta?.code }))).toEqual([
      { text: 'There is no tool "nothing".', failed: true, code: 'tool-not-found' },
      { text: 'the disk is on fire', failed: true, code: undefined },
      { text: 'The input of broken is not valid: it must be a JSON object', failed: true, code: 'invalid-input' },
    ]);
  });

  it('tells the model about a tool that returns nothing, and gives every call a result', async () => {
    const strange = makeTool({ run: () => undefined as never });
    const { session, store } = await openWorkbench({
      tools: [strange],
      script: [
        {
          toolCalls: [
            { tool: 'look', input: {} },
            { tool: 'look', input: {} },
          ],
        },
        'I see.',
      ],
    });
    expect((await session.message('go')).text).toBe('I see.');
    const results = (await store.tail((await session.root()).id, 20)).filter((entry) => entry.kind === 'tool-result');
    expect(results.map(({ failed, meta }) => [failed, meta?.code])).toEqual([
      [true, 'invalid-input'],
      [true, 'invalid-input'],
    ]);
  });

  it('shows a model the beginning and the end of a result that is too long, and keeps it whole', async () => {
    const long = `begin ${'z'.repeat(5_000_000)} end`;
    const { session, store, model } = await openWorkbench({
      tools: [makeTool({ run: () => ({ text: long }) })],
      script: [{ toolCalls: [{ tool: 'look', input: {} }] }, 'I see.'],
    });
    await session.message('go');
    const shown = model.requests[1]?.prompt.at(-1);
    expect(shown).toMatchObject({
      kind: 'tool-result',
      text: expect.stringMatching(/^begin z+\n… \d+ characters left out …\nz+ end$/),
    });
    expect((shown as { text: string }).text.length).toBeLessThan(110_000);
    const kept = (await store.tail((await session.root()).id, 20)).find((entry) => entry.kind === 'tool-result');
    expect(kept).toMatchObject({ text: long });
  });

  it('takes what is said during a turn into the next step, saved at once', async () => {
    const [first, second] = [createGate(), createGate()];
    const look = makeTool({ run: () => meet(first, second).then(() => ({ text: 'seen' })) });
    const { session, store, model, heard } = await openWorkbench({
      tools: [look],
      script: [{ toolCalls: [{ tool: 'look', input: {} }] }, 'Noted.'],
    });
    const answer = session.message('look');
    await first.opened;
    const joined = session.message('and be quick');
    const root = await session.root();
    await expect.poll(async () => (await store.tail(root.id, 1)).map(brief)).toEqual(['user: and be quick']);
    second.open();
    expect(await joined).toEqual(await answer);
    expect(model.requests[1]?.prompt.map((item) => brief(item as Entry))).toEqual([
      'user: look',
      'call look',
      'result seen',
      'user: and be quick',
    ]);
    expect(heard('input-drain').map(({ count }) => count)).toEqual([1]);
  });

  it('goes on for what is said while the last words are being spoken', async () => {
    const [speaking, goOn] = [createGate(), createGate()];
    const { session, model } = await openWorkbench({
      script: [{ text: 'First.', before: () => meet(speaking, goOn) }, 'Second.'],
    });
    const answer = session.message('one');
    await speaking.opened;
    const joined = session.message('two');
    await expect.poll(() => session.running).toBeDefined();
    await new Promise((resolve) => setTimeout(resolve, 20));
    goOn.open();
    expect((await answer).text).toBe('Second.');
    expect((await joined).text).toBe('Second.');
    expect(model.requests.map(({ prompt }) => prompt.length)).toEqual([1, 3]);
  });

  it('keeps the order the model saw over a resume', async () => {
    const [first, second] = [createGate(), createGate()];
    const look = makeTool({ run: () => meet(first, second).then(() => ({ text: 'seen' })) });
    const bench = await openWorkbench({ tools: [look], script: [{ toolCalls: [{ tool: 'look', input: {} }] }, 'Noted.'] });
    const answer = bench.session.message('look');
    await first.opened;
    const joined = bench.session.message('and be quick');
    await new Promise((resolve) => setTimeout(resolve, 20));
    second.open();
    await Promise.all([answer, joined]);
    const { id } = await bench.session.root();
    await bench.session.close();
    const again = await openWorkbench({ home: bench.home, root: { resume: id }, script: ['Again.'] });
    await again.session.message('and now?');
    expect(again.model.requests[0]?.prompt.map((item) => brief(item as Entry))).toEqual([
      'user: look',
      'call look',
      'result seen',
      'user: and be quick',
      'assistant: Noted.',
      'user: and now?',
    ]);
  });

  it('saves what had been said when the model breaks off, and says why it ended', async () => {
    const fault = new ContinuoError('model-answer-broken', { provider: 'test', reason: 'the line went dead' });
    const { session, store, heard } = await openWorkbench({ script: [{ text: ['Half an ', 'answer'], error: fault }, 'Whole.'] });
    const error = await session.message('go').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AgentError);
    expect(error).toMatchObject({ code: 'model-answer-broken', kind: 'model' });
    const { id } = await session.root();
    expect((await store.tail(id, 10)).map(brief)).toEqual([
      'user: go',
      'event turn-start',
      'assistant: Half an answer [interrupted]',
      'event turn-end model-answer-broken',
    ]);
    expect(heard('turn-end')).toMatchObject([{ outcome: 'failed', error: { code: 'model-answer-broken', kind: 'model' } }]);
    expect(await store.findDraft(id)).toBeUndefined();
    expect((await session.message('again')).text).toBe('Whole.');
  });

  it('trims and tries once more when the conversation is too long for the model', async () => {
    let refused = 0;
    const { session, heard } = await openWorkbench({
      script: ({ prompt }) => {
        if (prompt.length <= 12) return 'ok';
        refused += 1;
        return { error: new ContinuoError('context-overflow', { model: 'test' }) };
      },
      history: { maxItems: 1000, maxTokens: 4096 },
    });
    for (let i = 0; i < 6; i++) await session.message(`message ${i} ${'word '.repeat(50)}`);
    const output = await session.message('one more');
    expect(output.text).toBe('ok');
    expect(refused).toBe(1);
    expect(heard('history-trim').map(({ reason }) => reason)).toEqual(['overflow']);
  });

  it('gives up when the model cannot read even the trimmed conversation', async () => {
    const { session, model } = await openWorkbench({
      script: (_, step) => (step < 20 ? 'ok' : { error: new ContinuoError('context-overflow', { model: 'test' }) }),
    });
    for (let i = 0; i < 20; i++) await session.message(`message ${i}`);
    await expect(session.message('more')).rejects.toMatchObject({ code: 'context-overflow' });
    expect(model.requests).toHaveLength(22);
  });

  it('stops a turn that does not settle', async () => {
    const { session } = await openWorkbench({
      tools: [makeTool()],
      maxSteps: 5,
      script: () => ({ toolCalls: [{ tool: 'look', input: {} }] }),
    });
    await expect(session.message('go')).rejects.toMatchObject({ code: 'step-limit', kind: 'internal' });
  });

  it('refuses an empty message', async () => {
    const { session, store } = await openWorkbench();
    for (const nothing of ['  \n', null, undefined, {}]) {
      await expect(session.message(nothing as never)).rejects.toMatchObject({ code: 'invalid-input' });
    }
    expect((await store.get((await session.root()).id)).lastSeq).toBe(0);
    expect((await session.message('hello')).text).toBe('fine');
  });

  it('puts where it belongs on every event', async () => {
    const { session, events } = await openWorkbench({
      tools: [makeTool()],
      script: [{ toolCalls: [{ tool: 'look', input: {} }] }, 'ok'],
    });
    const { taskId, traceId } = await session.message('go');
    const { id } = await session.root();
    const inTurn = events.filter(({ type }) => type !== 'conversation-open' && type !== 'entry-append');
    expect(inTurn.length).toBeGreaterThan(5);
    for (const event of inTurn) {
      expect(event).toMatchObject({ sessionId: session.id, conversationId: id, taskId, traceId, subId: `${id}/${taskId}` });
      expect(event.spanId).toMatch(/^[0-9a-f]{16}$/);
    }
  });
});
