// Closing: idempotent, cancelling what runs, bounded in time, and never in the way of the other conversations.
import { describe, expect, it } from 'vitest';
import type { TextModel } from '../../src/model/ports/text-model.ts';
import { createScriptedModel } from '../../src/testing/scripted-model.ts';
import { createGate, makeTool, meet, openWorkbench } from './workbench.ts';

describe('close semantics', () => {
  it('cancels the turn at work, saves what was said and frees the single flight', async () => {
    const [speaking, never] = [createGate(), createGate()];
    const { session, store, heard } = await openWorkbench({
      script: (_, step) => (step === 0 ? { text: ['Half', ' never'], beforeEach: () => meet(speaking, never) } : 'fine'),
    });
    const first = await session.open();
    const second = await session.open();
    const answer = first.message('go').catch((error: unknown) => error);
    await speaking.opened;
    await first.close();
    expect(await answer).toMatchObject({ code: 'cancelled', kind: 'cancelled' });
    expect(heard('turn-end')).toMatchObject([{ outcome: 'cancelled', conversationId: first.id }]);
    expect(heard('conversation-close')).toMatchObject([{ forced: false, conversationId: first.id }]);
    expect((await store.tail(first.id, 1))[0]).toMatchObject({ kind: 'event', name: 'turn-end', code: 'cancelled' });
    expect(session.running).toBeUndefined();
    expect((await second.message('and you?')).text).toBe('fine');
  });

  it('is safe to call again, at once and later', async () => {
    const { session, heard } = await openWorkbench();
    const conversation = await session.open();
    await conversation.message('hello');
    await Promise.all([conversation.close(), conversation.close()]);
    await conversation.close();
    expect(heard('conversation-close')).toHaveLength(1);
    await expect(conversation.message('still there?')).rejects.toMatchObject({ code: 'conversation-closed' });
    await session.close();
    await session.close();
    await expect(session.open()).rejects.toMatchObject({ code: 'session-closed' });
  });

  it('cuts off what does not stop in time, records that, and lets it write nothing more', async () => {
    const [running, stubborn] = [createGate(), createGate()];
    const deaf = makeTool({ run: () => meet(running, stubborn).then(() => ({ text: 'I did it anyway' })) });
    const { session, store, heard } = await openWorkbench({
      tools: [deaf],
      closeTimeout: 50,
      script: (_, step) => (step === 0 ? { toolCalls: [{ tool: 'look', input: {} }] } : 'fine'),
    });
    const conversation = await session.open();
    const answer = conversation.message('go').catch((error: unknown) => error);
    await running.opened;
    await conversation.close();
    expect(heard('conversation-close')).toMatchObject([{ forced: true }]);
    const atClose = await store.tail(conversation.id, 20);
    expect(atClose.at(-1)).toMatchObject({ kind: 'event', name: 'conversation-close', code: 'forced' });
    expect(session.running).toBeUndefined();
    const other = await session.open();
    expect((await other.message('hello')).text).toBe('fine');
    stubborn.open();
    expect(await answer).toMatchObject({ kind: 'cancelled' });
    expect(await store.tail(conversation.id, 20)).toEqual(atClose);
  });

  it('gives the right to write back, so that another process may go on', async () => {
    const { session, store } = await openWorkbench();
    const conversation = await session.open();
    expect(await store.findLease(conversation.id)).toBeDefined();
    await conversation.close();
    expect(await store.findLease(conversation.id)).toBeUndefined();
  });

  it('cancels by signal and by id, and every call that was made has a result', async () => {
    const [running, never] = [createGate(), createGate()];
    const slow = makeTool({
      run: (_, { signal }) =>
        Promise.race([
          meet(running, never).then(() => ({ text: 'done' })),
          new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
        ]),
    });
    const { session, store } = await openWorkbench({
      tools: [slow],
      script: (_, step) =>
        step === 0
          ? {
              toolCalls: [
                { tool: 'look', input: {}, callId: 'a' },
                { tool: 'look', input: {}, callId: 'b' },
              ],
            }
          : 'fine',
    });
    const abort = new AbortController();
    const answer = session.message('go', { signal: abort.signal }).catch((error: unknown) => error);
    await running.opened;
    abort.abort();
    expect(await answer).toMatchObject({ code: 'cancelled' });
    const { id } = await session.root();
    const results = (await store.tail(id, 20)).filter((entry) => entry.kind === 'tool-result');
    expect(results.map(({ callId, failed }) => ({ callId, failed }))).toEqual([
      { callId: 'a', failed: true },
      { callId: 'b', failed: true },
    ]);
    expect((await session.message('go on')).text).toBe('fine');
  });

  it('does not start a turn whose signal is aborted already, but keeps the words', async () => {
    const { session, store, model } = await openWorkbench();
    await expect(session.message('too late', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
    expect(model.requests).toHaveLength(0);
    expect((await store.tail((await session.root()).id, 5))[0]).toMatchObject({ text: 'too late' });
  });

  it('ends a turn that takes too long', async () => {
    const never = createGate();
    const { session, heard } = await openWorkbench({ script: [{ text: 'slow', before: () => never.opened }, 'fine'] });
    await expect(session.message('go', { timeout: 30 })).rejects.toMatchObject({ code: 'timeout', kind: 'timeout' });
    expect(heard('turn-end')).toMatchObject([{ outcome: 'failed', error: { kind: 'timeout' } }]);
    expect((await session.message('again')).text).toBe('fine');
  });

  it.each(['tool', 'model'] as const)('does not wait for a %s that never listens', { timeout: 10_000 }, async (who) => {
    const never = new Promise<never>(() => {});
    const deaf: TextModel = {
      id: 'deaf',
      // biome-ignore lint/correctness/useYield: it never says anything
      async *stream() {
        await never;
      },
    };
    const { session, store } = await openWorkbench({
      tools: [makeTool({ run: () => never })],
      script: (_, step) => (step === 0 ? { toolCalls: [{ tool: 'look', input: {} }] } : 'fine'),
    });
    const stuck = await session.open(who === 'model' ? { model: deaf } : {});
    await expect(stuck.message('go', { timeout: 50 })).rejects.toMatchObject({ code: 'timeout' });
    expect(session.running).toBeUndefined();
    expect((await store.tail(stuck.id, 1))[0]).toMatchObject({ kind: 'event', name: 'turn-end', code: 'timeout' });
    const other = await session.open({ model: createScriptedModel(['hello']) });
    expect((await other.message('and you?')).text).toBe('hello');
  });

  it('takes a time limit that no timer can hold as none, and refuses one that is no time', async () => {
    const { session } = await openWorkbench();
    for (const timeout of [30 * 24 * 3_600_000, Number.POSITIVE_INFINITY]) {
      expect((await session.message('slowly', { timeout })).text).toBe('fine');
    }
    for (const timeout of [0, -1, Number.NaN]) {
      await expect(session.message('never', { timeout })).rejects.toMatchObject({ code: 'invalid-input' });
      expect((await session.message('now')).text).toBe('fine');
    }
  });
});
