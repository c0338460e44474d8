// What a code agent saves and how it comes back: the document's ten fields, the managers, the events, and the same messages for the
// model. The rows of the base class are in test/snapshot.
import { cpSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CodeAgentEvent } from '../../src/code-agent/code-agent.ts';
import { goOnWords } from '../../src/code-agent/instructions.ts';
import type { PromptItem } from '../../src/model/ports/text-model.ts';
import { toModelMessages } from '../../src/providers/models/to-model-messages.ts';
import { createScriptedModel } from '../../src/testing/scripted-model.ts';
import { createQuickProject, git, readSessions, writeFiles } from '../support/code-project.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { acceptAnswer, createAgent, editAnswer, type TestAgent } from '../support/test-agent.ts';

const task = 'The test of add fails. Mend it.';
const failure = new Error('the line is cut');
/** What a provider is sent. */
const sent = (prompt: readonly PromptItem[] = []) =>
  toModelMessages(prompt, { hasTools: true, repeatsThinking: false, plainIds: false });
const goOn: PromptItem = { kind: 'message', role: 'user', text: goOnWords };

/** An agent that read and edited, and whose model then failed: half way. */
async function stopHalfWay(root: string, options: Parameters<typeof createAgent>[2] = {}): Promise<TestAgent> {
  const made = await createAgent(
    root,
    [
      { toolCalls: [{ tool: 'read_file', input: { path: 'add.js' } }] },
      { text: 'I see.', ...(editAnswer as object) },
      { error: failure },
    ],
    options,
  );
  await expect(made.agent.run(task)).rejects.toThrow();
  await made.agent.close();
  return made;
}

describe('CodeAgent 保存会话 (saving)', () => {
  it('完整保存: all ten fields are in the file, and what makes going on exact', async () => {
    const root = createQuickProject();
    const start = git(root, 'rev-parse', 'HEAD').trim();
    writeFiles(root, { 'notes.txt': 'mine\n' });
    const { agent } = await createAgent(root, [editAnswer, 'It adds now.'], {
      modelGroup: 'smart',
      disableReview: true,
      reviewMaxIterations: 2,
      nonInteractive: true,
      modelId: 'scripted:model-4o',
    });
    await agent.run(task);
    await agent.close();
    const [saved, ...others] = readSessions(root);
    expect(others).toEqual([]);
    expect(saved?.document).toMatchObject({
      version: '1.0',
      file_prefix: 'code_agent',
      saved_at: expect.stringMatching(/^\d{4}-/),
    });
    expect(saved?.document.state).toEqual({
      agent_type: 'code_agent',
      root_dir: root,
      tool_group: 'default',
      model_group: 'smart',
      model_name: 'scripted:model-4o',
      disable_review: true,
      review_max_iterations: 2,
      start_commit: start,
      non_interactive: true,
      messages: [
        { role: 'user', content: task },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'call-1-1',
              type: 'function',
              function: { name: 'edit_file', arguments: '{"path":"add.js","old_text":"a - b","new_text":"a + b"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call-1-1', content: expect.stringContaining('add.js') },
        { role: 'assistant', content: 'It adds now.' },
      ],
      work: { phase: 'done', checks: 0, reviews: 0 },
      conversation: { id: agent.conversationId, seq: expect.any(Number) },
      task,
      branch: 'main',
      dirty_at_start: [['notes.txt', expect.stringMatching(/^100644 [0-9a-f]{40}$/)]],
    });
    expect(saved?.path).toMatch(/saved_session_code_agent_scripted_model-4o\S*_\d+\S*\.json$/);
  });

  it('每个阶段: the file says at every phase how far the work is', async () => {
    const root = createQuickProject();
    const phases: string[] = [];
    const { agent } = await createAgent(root, [editAnswer, 'It adds now.', acceptAnswer], {
      report: ({ code }) => {
        if (code.startsWith('session-saved')) phases.push(JSON.stringify(readSessions(root)[0]?.document.state.work));
      },
    });
    await agent.run(task);
    await agent.close();
    expect([...new Set(phases)].map((phase) => JSON.parse(phase))).toEqual([
      { phase: 'working', checks: 0, reviews: 0 },
      { phase: 'checking', checks: 0, reviews: 0 },
      { phase: 'reviewing', checks: 0, reviews: 0 },
      { phase: 'done', checks: 0, reviews: 1, verdict: 'accepted' },
    ]);
  });
});

describe('CodeAgent 恢复会话 (restoring)', () => {
  it('1 恢复所有核心状态 (完整恢复): everything the file says is here again, and saved as it was', async () => {
    const root = createQuickProject();
    const first = await stopHalfWay(root, {
      modelGroup: 'smart',
      disableReview: true,
      reviewMaxIterations: 7,
      nonInteractive: true,
      toolGroup: 'default',
    });
    const before = readSessions(root)[0]?.document.state;
    const { agent, notices } = await createAgent(root, [], { store: first.store });
    expect(await agent.restoreSession()).toBe(true);
    expect(notices.map(({ level, code }) => [level, code])).toEqual([['info', 'session-restored']]);
    expect({
      rootDir: agent.rootDir,
      startCommit: agent.startCommit,
      model: agent.model.id,
      task: agent.task,
      work: agent.work,
      conversation: agent.conversationId,
      messages: agent.messages,
      isSaved: agent.isSaved,
    }).toEqual({
      rootDir: root,
      startCommit: git(root, 'rev-parse', 'HEAD').trim(),
      model: 'scripted:model',
      task,
      work: { phase: 'working', checks: 0, reviews: 0 },
      conversation: first.agent.conversationId,
      messages: before?.messages,
      isSaved: true,
    });
    expect(await agent.saveSession()).toBe(true);
    const [again, ...others] = readSessions(root);
    expect(others).toEqual([]);
    expect(again?.document.state).toEqual(before);
    await agent.close();
  });

  it('2-3 重建所有 Manager 和 context_recommender: they are new ones, for the folder, and they work', async () => {
    const root = createQuickProject();
    const { store } = await stopHalfWay(root);
    const { agent } = await createAgent(root, [], { store });
    const old = agent.managers;
    expect(await agent.restoreSession()).toBe(true);
    const made = agent.managers;
    const names = Object.keys(made) as (keyof typeof made)[];
    expect(names.sort()).toEqual([
      'buildValidationManager',
      'contextManager',
      'contextRecommender',
      'diffManager',
      'gitManager',
      'impactManager',
      'lintManager',
      'postProcessManager',
    ]);
    expect(names.filter((name) => made[name] === old[name])).toEqual([]);
    const { signal } = new AbortController();
    expect(await made.gitManager.inspect()).toMatchObject({ kind: 'repository', top: root, head: agent.startCommit });
    expect((await made.diffManager.changesSince(agent.startCommit)).files.map(({ path }) => path)).toEqual(['add.js']);
    expect(made.contextManager.describe({ tokens: 500 })).toContain('add.js');
    expect(JSON.stringify(await made.impactManager.impactOf(['add.js']))).toContain('test.js');
    expect((await made.buildValidationManager.detect()).map(({ command }) => command)).toEqual(['make test']);
    expect(await made.buildValidationManager.validate({ signal })).toMatchObject({ outcome: 'passed' });
    expect((await made.lintManager.lint({ changed: ['add.js'], signal })).outcome).toBe('nothing-found');
    expect((await made.postProcessManager.process({ changed: ['add.js'], signal })).altered).toEqual([]);
    const recommended = await made.contextRecommender.recommend('mend add in add.js');
    expect(recommended[0]?.path).toBe('add.js');
    // What was read before the restore is still known to matter.
    expect(recommended[0]?.why).toContainEqual({ kind: 'read' });
    await agent.close();
  });

  it('4 重新订阅事件总线: those who listened before the restore hear what happens after it', async () => {
    const root = createQuickProject();
    const { store } = await stopHalfWay(root);
    const { agent, events } = await createAgent(root, ['Done already.', acceptAnswer], { store });
    const late: CodeAgentEvent[] = [];
    expect(await agent.restoreSession()).toBe(true);
    const stop = agent.listen((event) => late.push(event));
    expect(await agent.run()).toMatchObject({ outcome: 'done', checks: { outcome: 'passed' } });
    const typesOf = (list: CodeAgentEvent[]) =>
      new Set(list.map((event) => (event.type === 'runtime' ? event.event.type : event.type)));
    for (const type of [
      'phase',
      'turn-start',
      'text-delta',
      'entry-append',
      'check-output',
      'checks',
      'review',
      'turn-end',
    ] as const) {
      expect(typesOf(events)).toContain(type);
      expect(typesOf(late)).toContain(type);
    }
    stop();
    const heard = late.length;
    await agent.close();
    expect(late.length).toBe(heard);
  });

  it('5 验证恢复的完整性 (工作目录不存在): a root_dir that is gone is told, and nothing has changed', async () => {
    const root = createQuickProject({}, { hasGit: false });
    const { store } = await stopHalfWay(root);
    const moved = join(dirname(root), 'moved');
    renameSync(root, moved);
    const { agent, notices } = await createAgent(moved, [], { store });
    expect(await agent.restoreSession()).toBe(false);
    expect(notices.map(({ level, code, details }) => [level, code, details.path])).toEqual([
      ['error', 'code-root-missing', root],
    ]);
    expect([agent.rootDir, agent.messages, agent.work.phase, agent.conversationId]).toEqual([moved, [], 'idle', undefined]);
  });

  it('the folder a person names wins, also where git cannot tell that it is the same project', async () => {
    const root = createQuickProject({}, { hasGit: false });
    const { store } = await stopHalfWay(root);
    const moved = join(dirname(root), 'moved');
    renameSync(root, moved);
    const { agent, notices } = await createAgent(moved, [], { store, isRootNamed: true });
    expect(await agent.restoreSession()).toBe(true);
    expect(notices.map(({ code, details }) => [code, details.from, details.to])).toEqual([
      ['code-root-moved', root, moved],
      ['session-restored', undefined, undefined],
    ]);
    expect(agent.rootDir).toBe(moved);
    await agent.close();
  });

  it('restores into an agent that holds the same session, and goes on', async () => {
    const root = createQuickProject();
    const { agent } = await createAgent(root, [editAnswer, { error: failure }, 'It adds.', acceptAnswer]);
    await expect(agent.run(task)).rejects.toThrow();
    const { conversationId, messages } = agent;
    expect(await agent.restoreSession()).toBe(true);
    expect([agent.conversationId, agent.messages]).toEqual([conversationId, messages]);
    expect((await agent.run()).outcome).toBe('done');
    await agent.close();
  });

  it('keeps the session it holds where another one cannot be restored', async () => {
    const root = createQuickProject();
    const { agent, notices } = await createAgent(root, [editAnswer, { error: failure }, 'It adds.', acceptAnswer]);
    await expect(agent.run(task)).rejects.toThrow();
    const [saved] = readSessions(root);
    const bad = join(root, '.continuo', 'bad.json');
    const state = { ...saved?.document.state, tool_group: 'everything' };
    writeFileSync(bad, JSON.stringify({ ...saved?.document, state }));
    const { conversationId, messages } = agent;
    expect(await agent.restoreSession(bad)).toBe(false);
    expect(notices.at(-1)).toMatchObject({ level: 'error', code: 'code-tools-unknown', details: { group: 'everything' } });
    expect([agent.conversationId, agent.messages]).toEqual([conversationId, messages]);
    expect((await agent.run()).outcome).toBe('done');
    await agent.close();
  });

  it('goes on with the model the session names where it can be had, and says so where not', async () => {
    const root = createQuickProject();
    const { store } = await stopHalfWay(root, { modelId: 'scripted:first' });
    const named = createScriptedModel(['Done.', acceptAnswer], { id: 'scripted:first' });
    const had = await createAgent(root, [], { store, modelId: 'scripted:second', findModel: async () => named });
    expect(await had.agent.restoreSession()).toBe(true);
    expect([had.agent.model.id, had.notices.map(({ code }) => code)]).toEqual(['scripted:first', ['session-restored']]);
    await had.agent.run();
    expect(named.requests.length).toBe(2);
    await had.agent.close();
    const other = await createAgent(root, [], { store, modelId: 'scripted:second', findModel: async () => undefined });
    expect(await other.agent.restoreSession()).toBe(true);
    expect(other.notices[0]).toMatchObject({
      level: 'warning',
      code: 'code-model-other',
      details: { saved: 'scripted:first', model: 'scripted:second' },
    });
    await other.agent.close();
  });
});

describe('多会话管理, 文件信息 (several sessions)', () => {
  it('are listed with time, size, messages, task and branch; the newest is restored, or the one that is picked', async () => {
    const root = createQuickProject();
    const old = await stopHalfWay(root);
    git(root, 'checkout', '-q', '-b', 'other');
    const recent = await createAgent(root, ['It subtracts.'], { store: old.store });
    await recent.agent.run('What is wrong?');
    await recent.agent.close();
    const { agent } = await createAgent(root, [], { store: old.store });
    const sessions = await agent.listSessions();
    expect(sessions.map(({ task, branch, messages }) => [task, branch, messages])).toEqual([
      ['What is wrong?', 'other', 2],
      [task, 'main', old.agent.messages.length],
    ]);
    for (const { savedAt, bytes } of sessions) expect([Date.parse(savedAt) > 0, bytes > 100]).toEqual([true, true]);
    expect(await agent.restoreSession()).toBe(true);
    expect(agent.task).toBe('What is wrong?');
    await agent.close();
    const picking = await createAgent(root, [], { store: old.store, interactive: true, pick: async (list) => list[1] });
    expect(await picking.agent.restoreSession()).toBe(true);
    expect(picking.agent.task).toBe(task);
    await picking.agent.close();
  });
});

describe('继续工作 (going on): the model receives the same messages', () => {
  it('in the same store: all that was said and done, and the words to go on', async () => {
    const root = createQuickProject();
    const first = await stopHalfWay(root);
    const { agent, model } = await createAgent(root, ['Done.', acceptAnswer], { store: first.store });
    expect(await agent.restoreSession()).toBe(true);
    await agent.run();
    const before = first.model.requests.at(-1)?.prompt ?? [];
    expect(sent(before)).toHaveLength(5);
    expect(sent(model.requests[0]?.prompt)).toEqual(sent([...before, goOn]));
    expect(model.requests[0]?.tools).toEqual(first.model.requests[0]?.tools);
    expect(model.requests[0]?.instructions).toContain(root);
    await agent.close();
  });

  it('in a copy of the project: both go on, each by itself, from what was said until then', async () => {
    const root = createQuickProject();
    const first = await stopHalfWay(root);
    const { store } = first;
    const copy = `${createTemporaryFolder('copy')}/copy`;
    cpSync(root, copy, { recursive: true });
    const there = await createAgent(copy, ['Done there.', acceptAnswer], { store });
    expect(await there.agent.restoreSession()).toBe(true);
    expect([there.agent.messages, there.agent.rootDir]).toEqual([first.agent.messages, copy]);
    expect((await there.agent.run('Only there.')).text).toBe('Done there.');
    await there.agent.close();
    const here = await createAgent(root, ['Done here.', acceptAnswer], { store });
    expect(await here.agent.restoreSession()).toBe(true);
    expect(here.agent.messages).toEqual(first.agent.messages);
    expect((await here.agent.run('Only here.')).text).toBe('Done here.');
    await here.agent.close();
    // The copy has a conversation of its own by now.
    const again = await createAgent(copy, [], { store });
    expect(await again.agent.restoreSession()).toBe(true);
    expect([again.agent.conversationId, again.agent.task]).toEqual([there.agent.conversationId, there.agent.task]);
    expect(again.agent.messages).toEqual(there.agent.messages);
    await again.agent.close();
    // Copied before, and first gone on with after the original was: the original's words are its own.
    const late = `${createTemporaryFolder('copy')}/late`;
    cpSync(root, late, { recursive: true });
    const before = here.agent.messages;
    const onceMore = await createAgent(root, ['Once more.', acceptAnswer], { store });
    expect(await onceMore.agent.restoreSession()).toBe(true);
    await onceMore.agent.run('After the copy.');
    await onceMore.agent.close();
    const last = await createAgent(late, [], { store });
    expect([await last.agent.restoreSession(), last.agent.messages]).toEqual([true, before]);
    await last.agent.close();
  });

  it('in another store: the conversation is laid anew from the file, once', async () => {
    const root = createQuickProject();
    const first = await stopHalfWay(root);
    const other = await createAgent(root, ['Done.', acceptAnswer]);
    expect(await other.agent.restoreSession()).toBe(true);
    expect(other.agent.conversationId).not.toBe(first.agent.conversationId);
    expect([other.agent.messages, other.agent.isSaved]).toEqual([first.agent.messages, false]);
    await other.agent.close();
    // Saved when it was closed: the next one finds it in this store.
    const again = await createAgent(root, ['Done.', acceptAnswer], { store: other.store });
    expect(await again.agent.restoreSession()).toBe(true);
    expect(again.agent.conversationId).toBe(other.agent.conversationId);
    expect((await again.agent.run()).outcome).toBe('done');
    const before = first.model.requests.at(-1)?.prompt ?? [];
    expect(sent(again.model.requests[0]?.prompt)).toEqual(sent([...before, goOn]));
    await again.agent.close();
    expect((await other.store.list({})).items.filter(({ agent }) => agent === 'continuo-code').length).toBe(1);
  });

  it('from an older save and the tail of the log: what was said after the last save is there', async () => {
    const root = createQuickProject();
    const { agent, store } = await createAgent(root, [editAnswer, 'It adds.']);
    let early: string | undefined;
    agent.listen((event) => {
      if (event.type === 'runtime' && event.event.type === 'step-start') early ??= readSessions(root)[0]?.text;
    });
    await agent.run(task, {}).catch(() => undefined);
    await agent.close();
    const messages = agent.messages;
    const [saved] = readSessions(root);
    expect(early).toBeDefined();
    expect(JSON.parse(early ?? '').state.messages.length).toBeLessThan(messages.length);
    writeFileSync(saved?.path ?? '', early ?? '');
    const later = await createAgent(root, [], { store });
    expect(await later.agent.restoreSession()).toBe(true);
    expect(later.agent.messages).toEqual(messages);
    await later.agent.close();
  });
});
