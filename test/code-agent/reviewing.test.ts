// The fresh look at a change: what it is shown, how often it is asked for, and what comes of a verdict.
import { describe, expect, it } from 'vitest';
import { createQuickProject, readSessions } from '../support/code-project.ts';
import { acceptAnswer, changesAnswer, createAgent, editAnswer } from '../support/test-agent.ts';

const comment = {
  toolCalls: [{ tool: 'edit_file', input: { path: 'add.js', old_text: 'exports', new_text: '// The sum.\nexports' } }],
};

describe('a review', () => {
  it('that asks for changes is told to the model, which mends; the next one accepts', async () => {
    const root = createQuickProject();
    const script = [editAnswer, 'It adds.', changesAnswer, comment, 'Commented.', acceptAnswer];
    const { agent, model, store } = await createAgent(root, script);
    const report = await agent.run('Mend add.');
    expect(report).toMatchObject({
      outcome: 'done',
      text: 'Commented.',
      reviews: [
        { outcome: 'changes', text: 'add.js:1 has no comment. Write one.' },
        { outcome: 'accepted', text: 'It does what was asked.' },
      ],
    });
    expect(agent.work).toEqual({ phase: 'done', checks: 0, reviews: 2, verdict: 'accepted' });
    expect(JSON.stringify(model.requests[3]?.prompt.at(-1))).toContain('has no comment');
    // The reviewer knows the task and the change and nothing else, reads only, and has a conversation of its own.
    const asked = model.requests[5];
    expect(asked?.prompt.length).toBe(1);
    expect(asked?.tools).toEqual(['read_file', 'list_files', 'search_files']);
    const words = JSON.stringify(asked?.prompt);
    for (const part of ['Mend add.', '+// The sum.', 'test.js', 'make test']) expect(words).toContain(part);
    expect(words).not.toContain('Commented.');
    const agents = (await store.list({})).items.map(({ agent: name }) => name);
    expect(agents.sort()).toEqual(['continuo-code', 'continuo-review', 'continuo-review']);
    await agent.close();
  });

  it('without a verdict ends the work, and is told', async () => {
    const root = createQuickProject();
    const { agent } = await createAgent(root, [editAnswer, 'It adds.', 'Nice weather.']);
    expect(await agent.run('Mend add.')).toMatchObject({
      outcome: 'done',
      reviews: [{ outcome: 'unclear', text: 'Nice weather.' }],
    });
    await agent.close();
  });

  it.each([
    [0, 2, 'done', 0],
    [1, 5, 'review-open', 1],
    [2, 8, 'review-open', 2],
  ] as const)(
    'review_max_iterations %i: so many reviews, and what the last one asked for is open',
    async (max, requests, outcome, reviews) => {
      const root = createQuickProject();
      const round = [changesAnswer, { toolCalls: [{ tool: 'list_files', input: {} }] }, 'I did.'];
      const { agent, model, store } = await createAgent(root, [editAnswer, 'It adds.', ...round, ...round, ...round], {
        reviewMaxIterations: max,
      });
      const report = await agent.run('Mend add.');
      expect([report.outcome, report.reviews.length, model.requests.length]).toEqual([outcome, reviews, requests]);
      await agent.close();
      const again = await createAgent(root, [], { store });
      expect(await again.agent.restoreSession()).toBe(true);
      // Also after a restore it is known that nobody has looked at it again.
      expect((await again.agent.run()).outcome).toBe(outcome);
      await again.agent.close();
    },
  );

  it('is not held where it is disabled, and not again where it was accepted', async () => {
    const root = createQuickProject();
    const { agent, model } = await createAgent(root, [editAnswer, 'It adds.'], { disableReview: true });
    expect((await agent.run('Mend add.')).outcome).toBe('done');
    expect(model.requests.length).toBe(2);
    await agent.close();
    const other = createQuickProject();
    const reviewed = await createAgent(other, [editAnswer, 'It adds.', acceptAnswer]);
    await reviewed.agent.run('Mend add.');
    expect(await reviewed.agent.run()).toMatchObject({ outcome: 'done', reviews: [], checks: { outcome: 'passed' } });
    expect(reviewed.model.requests.length).toBe(3);
    await reviewed.agent.close();
  });

  it('that fails loses nothing: the outcome tells it, and going on holds it again', async () => {
    const root = createQuickProject();
    const { agent, model, events } = await createAgent(root, [
      editAnswer,
      'It adds.',
      { error: new Error('no line') },
      acceptAnswer,
    ]);
    const report = await agent.run('Mend add.');
    expect(report).toMatchObject({
      outcome: 'review-failed',
      text: 'It adds.',
      checks: { outcome: 'passed' },
      reviews: [{ outcome: 'failed', text: expect.stringContaining('no line') }],
    });
    expect(report.changes.files.map(({ path }) => path)).toEqual(['add.js']);
    expect(events).toContainEqual({ type: 'review', verdict: report.reviews[0] });
    expect(readSessions(root)[0]?.document.state.work).toEqual({ phase: 'reviewing', checks: 0, reviews: 0 });
    expect(await agent.run()).toMatchObject({ outcome: 'done', reviews: [{ outcome: 'accepted' }] });
    expect(model.requests.length).toBe(4);
    await agent.close();
  });

  it('is told all that was asked for, also what was asked for later', async () => {
    const root = createQuickProject();
    const script = [editAnswer, 'It adds.', acceptAnswer, comment, 'Commented.', acceptAnswer];
    const { agent, model } = await createAgent(root, script);
    await agent.run('Mend add.');
    expect((await agent.run('Write a comment.')).outcome).toBe('done');
    expect(JSON.stringify(model.requests[5]?.prompt)).toContain('Mend add.\\n\\nWrite a comment.');
    expect(agent.task).toBe('Mend add.\n\nWrite a comment.');
    await agent.close();
  });
});
