// One session, many conversations: nothing of one shows in another, one turn at a time, storms of opening and closing.
import { describe, expect, it } from 'vitest';
import { createScriptedModel } from '../../src/testing/scripted-model.ts';
import { makeTool, openWorkbench } from './workbench.ts';

describe('isolated conversations', () => {
  it('have a history, tools, a model and a policy of their own', async () => {
    const { session, store, model } = await openWorkbench({ tools: [makeTool({ name: 'shared' })] });
    const other = createScriptedModel(() => 'other');
    const first = await session.open();
    const second = await session.open({
      model: other,
      tools: [makeTool({ name: 'own' })],
      instructions: 'Be brief.',
      create: { title: 'second', policy: { kind: 'headers-only' } },
    });
    await first.message('the secret of the first');
    await second.message('what do you know?');
    expect(model.requests.map(({ tools }) => tools)).toEqual([['shared']]);
    expect(other.requests).toEqual([
      {
        prompt: [expect.objectContaining({ text: 'what do you know?' })],
        tools: ['own'],
        instructions: 'Be brief.',
      },
    ]);
    expect(JSON.stringify(await store.tail(second.id, 10))).not.toContain('what do you know');
    expect(JSON.stringify(await store.tail(first.id, 10))).toContain('the secret of the first');
  });

  it('are one conversation only for those who need no more', async () => {
    const { session, store } = await openWorkbench({ root: { create: { title: 'root' } } });
    await session.message('one');
    await session.message('two');
    expect((await store.list()).items.map(({ title }) => title)).toEqual(['root']);
    expect(session.conversations).toHaveLength(1);
  });

  it('leave no empty root behind where it was never used', async () => {
    const { session, store } = await openWorkbench();
    await (await session.open()).message('hello');
    await session.close();
    expect((await store.list()).items).toHaveLength(1);
  });

  it('take turns: never two at work at once, served in the order they came', async () => {
    let working = 0;
    let most = 0;
    const order: string[] = [];
    const { session } = await openWorkbench({
      script: ({ prompt }) => ({
        text: 'ok',
        before: async () => {
          working += 1;
          most = Math.max(most, working);
          await new Promise((resolve) => setTimeout(resolve, 1));
          order.push((prompt.at(-1) as { text: string }).text);
          working -= 1;
        },
      }),
    });
    const conversations = await Promise.all(Array.from({ length: 20 }, () => session.open()));
    await Promise.all(conversations.map((conversation, index) => conversation.message(String(index))));
    expect(most).toBe(1);
    expect(order).toEqual(conversations.map((_, index) => String(index)));
  });

  it('survive a storm of open, message and close with cancellations', async () => {
    const { session, store } = await openWorkbench({
      script: () => ({ text: ['a', 'b'], beforeEach: () => new Promise((resolve) => setImmediate(resolve)) }),
    });
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const conversation = await session.open();
        const answer = conversation.message(`storm ${index}`).then(
          () => 'done',
          (error: { code: string }) => error.code,
        );
        if (index % 3 === 0) conversation.cancel();
        if (index % 3 === 1) void conversation.close();
        const outcome = await answer;
        await conversation.close();
        return { outcome, id: conversation.id };
      }),
    );
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['done', 'cancelled']));
    expect(outcomes.filter((_, index) => index % 3 === 2).map(({ outcome }) => outcome)).toEqual(
      Array.from({ length: 66 }, () => 'done'),
    );
    expect(session.running).toBeUndefined();
    expect(session.conversations).toEqual([]);
    for (const { id } of outcomes) expect((await store.tail(id, 10))[0]).toMatchObject({ kind: 'message', role: 'user' });
  });

  it('say the same twice for the same input', async () => {
    const run = async () => {
      const { session, model } = await openWorkbench({
        tools: [makeTool({ name: 'b' }), makeTool({ name: 'a' })],
        script: ({ prompt }) =>
          prompt.length === 1 ? { toolCalls: [{ tool: 'a', input: { x: 1 } }] } : `answer to ${prompt.length}`,
      });
      const texts = [(await session.message('one')).text, (await session.message('two')).text];
      const specs = JSON.stringify(await (await session.root()).listTools());
      const prompts = model.requests.map(({ prompt, tools }) => ({
        tools,
        prompt: prompt.map(({ at: _at, turnId: _turnId, ...item }) => item),
      }));
      return { texts, specs, prompts };
    };
    const first = await run();
    expect(await run()).toEqual(first);
    expect(first.prompts[0]?.tools).toEqual(['b', 'a']);
  });

  it('are refused to a second writer, who is told who has them', async () => {
    const bench = await openWorkbench({ owner: 'the first session' });
    const { id } = await bench.session.root();
    const other = await openWorkbench({ home: bench.home });
    await expect(other.session.open({ resume: id })).rejects.toMatchObject({
      code: 'conversation-locked',
      details: { owner: 'the first session' },
    });
    await bench.session.close();
    expect((await other.session.open({ resume: id })).id).toBe(id);
  });
});
