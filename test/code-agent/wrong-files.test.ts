// Session files that are older, foreign, incomplete or hostile: what the agent adds to the rows of the base class.
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json.ts';
import { createQuickProject, git, readSessions, writeFiles } from '../support/code-project.ts';
import { acceptAnswer, createAgent, editAnswer } from '../support/test-agent.ts';

const messages = [
  { role: 'system', content: 'You are an agent.' },
  { role: 'user', content: 'The test of add fails. Mend it.' },
  { role: 'assistant', content: 'I look.' },
];
let root: string;

/** The document's ten fields, as another program may have written them. */
function tenFields(more: JsonObject = {}): JsonObject {
  return {
    agent_type: 'code_agent',
    root_dir: root,
    tool_group: 'default',
    model_group: 'smart',
    model_name: 'scripted:model',
    disable_review: false,
    review_max_iterations: 3,
    start_commit: null,
    messages,
    non_interactive: false,
    ...more,
  };
}

function writeSession(state: JsonValue, { folder = join(root, '.continuo'), name = 'session.json' } = {}): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  const document = { version: '1.0', saved_at: '2025-01-19T12:34:56', file_prefix: 'code_agent', state };
  writeFileSync(path, JSON.stringify(document));
  return path;
}

async function tryRestore(path: string, options: Parameters<typeof createAgent>[2] = {}) {
  const made = await createAgent(root, [], options);
  const restored = await made.agent.restoreSession(path);
  const last = made.notices.at(-1);
  await made.agent.close();
  return { ...made, restored, told: [last?.level, last?.code, last?.details.reason ?? last?.details.path] };
}

beforeEach(() => {
  root = createQuickProject();
});

describe('边界条件, 边界情况验收 (edges)', () => {
  it('空会话: no message at all is saved, restored, and a task can be begun in it', async () => {
    const first = await createAgent(root, []);
    expect(await first.agent.saveSession()).toBe(true);
    expect(readSessions(root)[0]?.document.state.messages).toEqual([]);
    const { agent } = await createAgent(root, [editAnswer, 'It adds.', acceptAnswer]);
    expect(await agent.restoreSession()).toBe(true);
    expect([agent.messages, agent.work.phase, agent.conversationId]).toEqual([[], 'idle', undefined]);
    await expect(agent.run()).rejects.toMatchObject({ code: 'invalid-input' });
    expect((await agent.run('Mend add.')).outcome).toBe('done');
    await agent.close();
    expect(readSessions(root).map(({ document }) => (document.state.messages as []).length)).toEqual([4]);
  });

  it('空会话: an empty session that says where the work began keeps it', async () => {
    const start = git(root, 'rev-parse', 'HEAD').trim();
    const path = writeSession(tenFields({ messages: [], start_commit: start }));
    git(root, 'commit', '-q', '--allow-empty', '-m', 'later');
    const { agent } = await createAgent(root, [editAnswer, 'It adds.', acceptAnswer]);
    expect(await agent.restoreSession(path)).toBe(true);
    await agent.run('Mend add.');
    expect(agent.startCommit).toBe(start);
    await agent.close();
  });

  it('无 start_commit: null is saved as null and stays null, without git and without a commit', async () => {
    for (const hasRepository of [false, true]) {
      const project = createQuickProject({}, { hasGit: false });
      if (hasRepository) git(project, 'init', '-q');
      const { agent, store } = await createAgent(project, [editAnswer, 'It adds.'], { disableReview: true });
      await agent.run('Mend add.');
      await agent.close();
      expect(readSessions(project)[0]?.document.state.start_commit).toBeNull();
      const again = await createAgent(project, [], { store });
      expect(await again.agent.restoreSession()).toBe(true);
      expect(again.agent.startCommit).toBeNull();
      await again.agent.close();
    }
  });

  it('版本升级: a file of before the envelope, {messages, model_name}, goes on here with what it lacks taken from here', async () => {
    writeFiles(root, { 'notes.txt': 'mine\n' });
    const path = join(root, 'old.json');
    writeFileSync(path, JSON.stringify({ messages, model_name: 'scripted:model' }));
    git(root, 'add', 'old.json');
    git(root, 'commit', '-q', '-m', 'old');
    const { agent, notices, model } = await createAgent(root, [editAnswer, 'It adds.', acceptAnswer], { reviewMaxIterations: 1 });
    expect(await agent.restoreSession(path)).toBe(true);
    expect(notices.map(({ code }) => code)).toEqual(['session-upgraded', 'session-restored']);
    expect([agent.startCommit, agent.task, agent.work.phase, agent.messages]).toEqual([
      null,
      messages[1]?.content,
      'working',
      messages,
    ]);
    const report = await agent.run();
    // Nobody wrote down what was the person's: what had been changed when it was restored is left alone.
    expect([report.outcome, report.changes.files.map(({ path }) => path)]).toEqual(['done', ['add.js']]);
    expect(model.requests[0]?.prompt.map((item) => 'text' in item && item.text)).toEqual([
      ...messages.map(({ content }) => content),
      expect.stringContaining('go on with the task'),
    ]);
    expect((await agent.commit('add: it adds')).paths).toEqual(['add.js']);
    await agent.close();
    expect(readSessions(root)[0]?.document).toMatchObject({
      version: '1.0',
      state: { start_commit: null, review_max_iterations: 1 },
    });
  });

  it('向后兼容, v1.0: the file the document shows is restored, words in parts included', async () => {
    const start = git(root, 'rev-parse', '--short=12', 'HEAD').trim();
    const parts = [{ role: 'user', content: [{ type: 'text', text: 'Mend it.' }] }, messages[2] as JsonObject];
    const { restored, agent } = await tryRestore(writeSession(tenFields({ start_commit: start, messages: parts })));
    expect(restored).toBe(true);
    expect([agent.startCommit, agent.task, agent.work.phase]).toEqual([start, 'Mend it.', 'working']);
  });
});

describe('恢复时的异常 (faults while restoring)', () => {
  it.each([
    'agent_type',
    'root_dir',
    'tool_group',
    'model_group',
    'model_name',
    'disable_review',
    'review_max_iterations',
    'start_commit',
    'messages',
    'non_interactive',
  ])('字段缺失: without %s it is false, and the field is named', async (field) => {
    const { [field]: _, ...state } = tenFields();
    const { restored, told } = await tryRestore(writeSession(state));
    expect([restored, told]).toEqual([false, ['error', 'session-damaged', `"${field}": it is missing`]]);
  });

  it.each<[string, JsonValue]>([
    ['agent_type', 'chat_agent'],
    ['root_dir', 5],
    ['tool_group', ''],
    ['model_group', null],
    ['model_name', ['x']],
    ['disable_review', 'false'],
    ['review_max_iterations', -1],
    ['review_max_iterations', 1.5],
    ['start_commit', 'HEAD; rm -rf /'],
    ['start_commit', '--output=x'],
    ['messages', ['words']],
    ['messages', [{ role: 5 }]],
    ['non_interactive', 0],
    ['conversation', { id: 5 }],
    ['task', {}],
    ['branch', 5],
    ['work', { phase: 'resting', checks: 0, reviews: 0 }],
    ['work', { phase: 'done', checks: 0, reviews: 0, verdict: 'fine' }],
    ['dirty_at_start', [['a']]],
  ])('字段错误: with a wrong %s (%j) it is false, and the field is named', async (field, value) => {
    const { restored, told } = await tryRestore(writeSession(tenFields({ [field]: value })));
    expect([restored, told]).toEqual([false, ['error', 'session-damaged', expect.stringMatching(`^"${field}": `)]]);
  });

  it('messages that are no list are told by the base class', async () => {
    const { restored, told } = await tryRestore(writeSession(tenFields({ messages: {} })));
    expect([restored, told]).toEqual([false, ['error', 'session-damaged', '"state.messages" is not a list']]);
  });

  it('an unknown tool group is refused by its name', async () => {
    const { restored, notices } = await tryRestore(writeSession(tenFields({ tool_group: '__proto__' })));
    expect([restored, notices.at(-1)?.code, notices.at(-1)?.details.group]).toEqual([false, 'code-tools-unknown', '__proto__']);
  });

  it('Git 状态变化: a start_commit that is gone is told, and the work goes on against HEAD', async () => {
    const gone = 'deadbeef'.repeat(5);
    writeFiles(root, { 'later.txt': 'later\n' });
    const path = writeSession(tenFields({ start_commit: gone }));
    const { agent, notices } = await createAgent(root, [editAnswer, 'It adds.', acceptAnswer]);
    expect(await agent.restoreSession(path)).toBe(true);
    expect(notices.map(({ level, code, details }) => [level, code, details.commit])).toEqual([
      ['warning', 'code-commit-gone', gone],
      ['info', 'session-restored', undefined],
    ]);
    expect(agent.startCommit).toBe(gone);
    const { outcome, changes } = await agent.run();
    expect(outcome).toBe('done');
    expect(changes.base).toBe(git(root, 'rev-parse', 'HEAD').trim());
    expect(changes.warnings.join()).toContain('is gone');
    expect(changes.files.map(({ path }) => path)).toEqual(['add.js', 'later.txt']);
    await agent.close();
  });
});

describe('路径验证 (root_dir)', () => {
  const refused: [string, (project: string) => string, string, RegExp][] = [
    ['with ..', (project) => `${project}/sub/..`, 'session-damaged', /^"root_dir": it must not contain/],
    ['with .', (project) => `${project}/./`, 'session-damaged', /^"root_dir": it must not contain/],
    ['relative', () => 'project', 'session-damaged', /^"root_dir": it must be an absolute path/],
    ['empty', () => '', 'session-damaged', /^"root_dir": it must be text/],
    ['with NUL', (project) => `${project}\0/etc`, 'session-damaged', /^"root_dir": it holds a NUL/],
    ['with two slashes', (project) => project.replace('/', '//'), 'session-damaged', /^"root_dir": it is not a plain path/],
    ['of Windows', () => 'C:\\work\\project', 'code-root-missing', /C:\\work/],
    ['of a Windows share', () => '\\\\server\\project', 'code-root-missing', /server/],
    ['of Windows with ..', () => 'C:\\work\\..\\project', 'session-damaged', /^"root_dir": it must not contain/],
    ['a file', (project) => join(project, 'add.js'), 'code-root-missing', /add\.js/],
    ['that does not exist', (project) => `${project}-gone`, 'code-root-missing', /-gone/],
    ['far too long', (project) => `${project}/${'a/'.repeat(5000)}b`, 'code-root-missing', /a\/a/],
  ];
  it.each(refused)('目录不存在 / 路径遍历: %s is refused', async (_name, rootOf, code, reason) => {
    const { restored, told, agent } = await tryRestore(writeSession(tenFields({ root_dir: rootOf(root) })));
    expect([restored, told, agent.rootDir]).toEqual([false, ['error', code, expect.stringMatching(reason)], root]);
  });

  it('a symbolic link, or a path through one, is refused', async () => {
    const link = join(dirname(root), 'link');
    symlinkSync(root, link);
    const parent = join(dirname(root), 'parent');
    symlinkSync(dirname(root), parent);
    for (const path of [link, join(parent, 'project')]) {
      const { restored, told } = await tryRestore(writeSession(tenFields({ root_dir: path })));
      expect([restored, told]).toEqual([false, ['error', 'unsafe-path', 'it leads through a symbolic link']]);
    }
  });

  it('a file leads the agent to no folder but its own, the one it was started in, or the one a person named', async () => {
    const victim = join(dirname(root), 'victim');
    writeFiles(victim, { 'secret.txt': 'not yours\n' });
    const path = writeSession(tenFields({ root_dir: victim }));
    const { restored, told } = await tryRestore(path);
    expect([restored, told]).toEqual([false, ['error', 'unsafe-path', expect.stringContaining('another project')]]);
    const named = await tryRestore(path, { rootDir: victim, isRootNamed: true });
    expect([named.restored, named.agent.rootDir]).toEqual([true, victim]);
  });

  it('目录间迁移: a file that lies elsewhere works in the folder the agent was started in, if that is the project', async () => {
    const start = git(root, 'rev-parse', 'HEAD').trim();
    const elsewhere = { folder: join(dirname(root), 'backup', 'of sessions') };
    const same = await tryRestore(writeSession(tenFields({ root_dir: `${root}/` }), elsewhere));
    expect([same.restored, same.agent.rootDir, same.notices[0]?.code]).toEqual([true, root, 'session-restored']);
    // A folder inside of the project, where somebody has put a copy of the file, is not the project.
    const inside = await tryRestore(writeSession(tenFields({ start_commit: start }), { folder: join(root, 'files', 'copies') }));
    expect([inside.restored, inside.agent.rootDir]).toEqual([true, root]);
    const moved = join(dirname(root), 'moved');
    renameSync(root, moved);
    const foreign = writeSession(tenFields({ root_dir: 'C:\\work\\project', start_commit: start }), elsewhere);
    const there = await tryRestore(foreign, { rootDir: moved });
    expect([there.restored, there.agent.rootDir, there.notices[0]?.code]).toEqual([true, moved, 'code-root-moved']);
  });
});
