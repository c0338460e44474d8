// The project's own checks after the agent's change: told to the model when they fail, and never taken for passed when not run.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { maxCheckRounds } from '../../src/code-agent/work-loop.ts';
import { runCommand } from '../../src/exec/run-command.ts';
import { createQuickProject, readSessions, writeFiles } from '../support/code-project.ts';
import { acceptAnswer, createAgent, editAnswer } from '../support/test-agent.ts';

const wrongEdit = {
  toolCalls: [{ tool: 'edit_file', input: { path: 'add.js', old_text: 'a - b', new_text: 'a * b' } }],
};

describe('checks', () => {
  it('that fail are told to the model, which mends the cause', async () => {
    const root = createQuickProject();
    const mend = { toolCalls: [{ tool: 'edit_file', input: { path: 'add.js', old_text: 'a * b', new_text: 'a + b' } }] };
    const { agent, model } = await createAgent(root, [wrongEdit, 'I am sure.', mend, 'Now it adds.', acceptAnswer]);
    const report = await agent.run('Mend add.');
    expect(report).toMatchObject({ outcome: 'done', text: 'Now it adds.', checks: { outcome: 'passed' } });
    expect(agent.work).toEqual({ phase: 'done', checks: 1, reviews: 1, verdict: 'accepted' });
    const told = model.requests[2]?.prompt.at(-1);
    expect(told).toMatchObject({ role: 'user', text: expect.stringContaining('make test') });
    expect(JSON.stringify(told)).toContain('6 == 5');
    await agent.close();
  });

  it('that go on failing are told three times, and then the outcome says so; the next words have three again', async () => {
    const root = createQuickProject();
    const { agent, model } = await createAgent(root, [wrongEdit, ...Array.from({ length: 8 }, () => 'I am sure.')]);
    const report = await agent.run('Mend add.');
    expect(report).toMatchObject({ outcome: 'checks-failed', checks: { outcome: 'failed' }, reviews: [] });
    expect([agent.work, model.requests.length]).toEqual([
      { phase: 'done', checks: maxCheckRounds, reviews: 0 },
      maxCheckRounds + 2,
    ]);
    expect(await agent.run()).toMatchObject({ outcome: 'checks-failed' });
    expect(model.requests.length).toBe(maxCheckRounds + 2);
    expect((await agent.run('Try again.')).outcome).toBe('checks-failed');
    expect(model.requests.length).toBe(2 * maxCheckRounds + 3);
    await agent.close();
  });

  it('that nobody allowed are unproven, not failed, and the reason is told', async () => {
    const root = createQuickProject();
    const { agent } = await createAgent(root, [editAnswer, 'It adds.', acceptAnswer], { approvals: { allow: ['write_file'] } });
    const report = await agent.run('Mend add.');
    expect(report).toMatchObject({
      outcome: 'done',
      checks: {
        outcome: 'unproven',
        text: '$ make test\n(not run: it was not allowed)',
      },
    });
    await agent.close();
  });

  it('whose program is not installed are unproven, not failed, and what the shell said is told', async () => {
    const scripts = { test: 'no-such-program-here --all' };
    const root = createQuickProject({ 'package.json': JSON.stringify({ name: 'sums', scripts }), Makefile: '' });
    const { agent } = await createAgent(root, [editAnswer, 'It adds.', acceptAnswer]);
    const { outcome, checks } = await agent.run('Mend add.');
    expect([outcome, checks?.outcome]).toEqual(['done', 'unproven']);
    expect(checks?.text).toMatch(/no-such-program-here: .*not found\n\(not run: a program it needs is not installed\)$/);
    await agent.close();
  });

  it('are unproven where the project has none, or no command may be run', async () => {
    const root = createQuickProject({ Makefile: 'build:\n\ttrue\n' });
    const { agent } = await createAgent(root, [editAnswer, 'It adds.'], { disableReview: true });
    expect(await agent.run('Mend add.')).toMatchObject({ outcome: 'done', checks: { outcome: 'unproven' } });
    await agent.close();
    const other = createQuickProject();
    const bare = await createAgent(other, [editAnswer, 'It adds.'], { disableReview: true, hasCommands: false });
    const { checks } = await bare.agent.run('Mend add.');
    expect(checks).toMatchObject({ outcome: 'unproven', text: expect.stringContaining('no commands may be run here') });
    await bare.agent.close();
  });

  it('that hang are stopped at their limit and count as failed', async () => {
    const root = createQuickProject({ Makefile: 'test:\n\tsleep 600\n' });
    const { agent, model } = await createAgent(root, [editAnswer, 'It adds.', ...Array.from({ length: 3 }, () => 'Hm.')], {
      commands: {
        sandboxed: true,
        run: (command, given) =>
          runCommand({ cwd: root, env: { PATH: process.env.PATH ?? '' }, limits: { milliseconds: 300 }, command, ...given }),
      },
    });
    expect(await agent.run('Mend add.')).toMatchObject({ outcome: 'checks-failed' });
    expect(JSON.stringify(model.requests[2]?.prompt.at(-1))).toContain('it was stopped at its time limit');
    await agent.close();
  });

  it('that are called off in the middle end the run, and going on checks again without a word to the model', async () => {
    const root = createQuickProject({ Makefile: 'test:\n\ttouch begun; test -e go || sleep 600\n' });
    const first = await createAgent(root, [editAnswer, 'It adds.'], { disableReview: true });
    const abort = new AbortController();
    const run = first.agent.run('Mend add.', { signal: abort.signal });
    await expect.poll(() => existsSync(join(root, 'begun'))).toBe(true);
    abort.abort();
    await expect(run).rejects.toMatchObject({ code: 'cancelled' });
    expect(readSessions(root)[0]?.document.state.work).toEqual({ phase: 'checking', checks: 0, reviews: 0 });
    await first.agent.close();
    writeFiles(root, { go: '' });
    const { agent, model } = await createAgent(root, [], { store: first.store });
    expect(await agent.restoreSession()).toBe(true);
    expect(await agent.run()).toMatchObject({ outcome: 'done', checks: { outcome: 'passed' } });
    expect(model.requests).toEqual([]);
    await agent.close();
  });

  it('are asked for by the model too, and their failure is its to see', async () => {
    const root = createQuickProject();
    const check = { toolCalls: [{ tool: 'check_project', input: {} }] };
    const { agent, model } = await createAgent(root, [check, 'It fails indeed.']);
    expect((await agent.run('Does it pass?')).outcome).toBe('unchanged');
    const result = model.requests[1]?.prompt.at(-1);
    expect(result).toMatchObject({ kind: 'tool-result', tool: 'check_project', failed: true });
    expect(JSON.stringify(result)).toContain('make test');
    await agent.close();
  });
});
