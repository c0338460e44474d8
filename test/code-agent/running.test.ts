// Runs of a code agent and what may cut across them: tool groups, failing models, other runs, other agents, closing.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createQuickProject, git, readSessions, writeFiles } from '../support/code-project.ts';
import { acceptAnswer, createAgent, editAnswer } from '../support/test-agent.ts';

const failure = new Error('the line is cut');

function createGate(): { opened: Promise<void>; open(): void } {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('a run', () => {
  it('with the read-only group is offered what reads, and changes nothing: not even by a formatter', async () => {
    const root = createQuickProject();
    const write = { toolCalls: [{ tool: 'write_file', input: { path: 'add.js', content: 'mine' } }] };
    const { agent, model } = await createAgent(
      root,
      [
        {
          ...write,
          before: async () => writeFileSync(join(root, 'of-a-person.js'), 'x\n'),
        },
        'It subtracts.',
      ],
      { toolGroup: 'read-only' },
    );
    const report = await agent.run('What is wrong with add?');
    expect(model.requests[0]?.tools).toEqual(['read_file', 'list_files', 'search_files', 'who_imports', 'find_context']);
    expect(report).toMatchObject({ outcome: 'unchanged', text: 'It subtracts.', changes: { files: [] } });
    expect(report.checks).toBeUndefined();
    expect(readFileSync(join(root, 'add.js'), 'utf8')).toContain('a - b');
    await agent.close();
  });

  it('with an unknown group is refused before anything is said, and nothing is saved', async () => {
    const root = createQuickProject();
    const { agent, store } = await createAgent(root, [], { toolGroup: 'everything' });
    await expect(agent.run('Mend add.')).rejects.toMatchObject({
      code: 'code-tools-unknown',
      details: { group: 'everything', known: 'default, read-only' },
    });
    await agent.close();
    expect([(await store.list({})).items, existsSync(join(root, '.continuo'))]).toEqual([[], false]);
  });

  it('without words on a fresh agent is refused with a sentence', async () => {
    const { agent } = await createAgent(createQuickProject(), []);
    await expect(agent.run()).rejects.toMatchObject({
      code: 'invalid-input',
      message: 'The task is not valid: there is nothing to go on with',
    });
    await agent.close();
  });

  it('whose model fails in the middle is saved, and going on finishes it; in the same agent as well', async () => {
    const root = createQuickProject();
    const { agent, model } = await createAgent(root, [editAnswer, { text: 'It', error: failure }, 'It adds.', acceptAnswer]);
    await expect(agent.run('Mend add.')).rejects.toThrow('the line is cut');
    expect(readSessions(root)[0]?.document.state).toMatchObject({
      work: { phase: 'working' },
      messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'tool' }, { role: 'assistant', content: 'It' }],
    });
    expect(await agent.run()).toMatchObject({ outcome: 'done', text: 'It adds.' });
    expect(model.requests.length).toBe(4);
    await agent.close();
  });

  it('refuses another run and a restore meanwhile, and neither disturbs it', async () => {
    const root = createQuickProject();
    const asked = createGate();
    const gate = createGate();
    const before = async () => {
      asked.open();
      await gate.opened;
    };
    const { agent, notices } = await createAgent(root, [{ ...(editAnswer as object), before }, 'It adds.', acceptAnswer]);
    const run = agent.run('Mend add.');
    await asked.opened;
    await expect(agent.run('Something else.')).rejects.toMatchObject({ code: 'conversation-busy' });
    expect(await agent.restoreSession()).toBe(false);
    expect(notices.at(-1)).toMatchObject({ level: 'error', code: 'conversation-busy' });
    gate.open();
    expect((await run).outcome).toBe('done');
    await agent.close();
  });

  it('is refused while a session is being restored', async () => {
    const root = createQuickProject();
    const first = await createAgent(root, [editAnswer, { error: failure }]);
    await expect(first.agent.run('Mend add.')).rejects.toThrow();
    await first.agent.close();
    const { agent } = await createAgent(root, ['It adds.', acceptAnswer], { store: first.store });
    const restoring = agent.restoreSession();
    await expect(agent.run('Now.')).rejects.toMatchObject({ code: 'conversation-busy' });
    expect(await restoring).toBe(true);
    expect((await agent.run()).outcome).toBe('done');
    await agent.close();
  });

  it('a restore that is under way when the agent is closed leaves nothing held', async () => {
    const root = createQuickProject();
    const first = await createAgent(root, [editAnswer, { error: failure }]);
    await expect(first.agent.run('Mend add.')).rejects.toThrow();
    await first.agent.close();
    const { agent } = await createAgent(root, [], { store: first.store });
    const restoring = agent.restoreSession();
    await agent.close();
    expect(await restoring).toBe(true);
    const next = await createAgent(root, [], { store: first.store });
    expect(await next.agent.restoreSession()).toBe(true);
    await next.agent.close();
  });

  it('并发: the session that another agent holds is not restored, and the reason names who has it', async () => {
    const root = createQuickProject();
    const { agent, store } = await createAgent(root, [editAnswer, { error: failure }, 'It adds.', acceptAnswer]);
    await expect(agent.run('Mend add.')).rejects.toThrow();
    const other = await createAgent(root, [], { store });
    expect(await other.agent.restoreSession()).toBe(false);
    expect(other.notices.at(-1)).toMatchObject({ level: 'error', code: 'conversation-locked' });
    expect(other.notices.at(-1)?.text).toContain('continuo code');
    expect((await agent.run()).outcome).toBe('done');
    await agent.close();
    expect(await other.agent.restoreSession()).toBe(true);
    await other.agent.close();
  });

  it('that is closed in a turn ends as cancelled, and what was said is kept', async () => {
    const root = createQuickProject();
    const { agent } = await createAgent(root, [editAnswer, { text: 'It adds', before: () => new Promise(() => undefined) }]);
    const said = new Promise<void>((resolve) =>
      agent.listen((event) => event.type === 'runtime' && event.event.type === 'tool-result' && resolve()),
    );
    const run = agent.run('Mend add.').catch((error) => error);
    await said;
    await agent.close();
    expect(await run).toMatchObject({ code: 'cancelled' });
    expect(readSessions(root)[0]?.document.state).toMatchObject({
      work: { phase: 'working' },
      messages: [{}, {}, { role: 'tool' }],
    });
    await expect(agent.run()).rejects.toMatchObject({ code: expect.stringMatching(/closed/) });
  });

  it('that is called off before its first word ends as cancelled, and nothing is saved; so does a commit', async () => {
    const root = createQuickProject();
    const { agent } = await createAgent(root, []);
    const signal = AbortSignal.abort();
    await expect(agent.run('Mend add.', { signal })).rejects.toMatchObject({ code: 'cancelled' });
    await expect(agent.commit('add: it adds', { signal })).rejects.toMatchObject({ code: 'cancelled' });
    await agent.close();
    expect(existsSync(join(root, '.continuo'))).toBe(false);
  });

  it('that is closed in a check stops the check', async () => {
    const root = createQuickProject({ Makefile: 'test:\n\ttouch begun; sleep 600; touch ended\n' });
    const { agent } = await createAgent(root, [editAnswer, 'It adds.']);
    const run = agent.run('Mend add.').catch((error) => error);
    await expect.poll(() => existsSync(join(root, 'begun'))).toBe(true);
    await agent.close();
    expect(await run).toMatchObject({ code: 'cancelled' });
    expect(readSessions(root)[0]?.document.state.work).toMatchObject({ phase: 'checking' });
  });

  it('goes on where a listener throws', async () => {
    const root = createQuickProject();
    const { agent } = await createAgent(root, [editAnswer, 'It adds.', acceptAnswer]);
    agent.listen(() => {
      throw new Error('mine');
    });
    expect((await agent.run('Mend add.')).outcome).toBe('done');
    await agent.close();
  });

  it('words that came after the last save are what is worked on, also where the work was done before', async () => {
    const root = createQuickProject();
    const { agent, store } = await createAgent(root, [editAnswer, 'It adds.', acceptAnswer, { error: failure }]);
    await agent.run('Mend add.');
    const [done] = readSessions(root);
    await expect(agent.run('Write a comment.')).rejects.toThrow();
    await agent.close();
    writeFileSync(done?.path ?? '', done?.text ?? '');
    const later = await createAgent(root, ['Written.', acceptAnswer], { store });
    expect(await later.agent.restoreSession()).toBe(true);
    expect([later.agent.work.phase, later.agent.task]).toEqual(['working', 'Mend add.\n\nWrite a comment.']);
    expect(await later.agent.run()).toMatchObject({ outcome: 'done', text: 'Written.' });
    await later.agent.close();
  });
});

describe('what the agent changed', () => {
  it('启动后的提交: right after a restore it is the difference since start_commit, commits of the person included', async () => {
    const root = createQuickProject();
    const start = git(root, 'rev-parse', 'HEAD').trim();
    const first = await createAgent(root, [editAnswer, { error: failure }]);
    await expect(first.agent.run('Mend add.')).rejects.toThrow();
    await first.agent.close();
    writeFiles(root, { 'readme.md': 'Sums.\n' });
    git(root, 'add', 'readme.md');
    git(root, 'commit', '-q', '-m', 'readme');
    const { agent } = await createAgent(root, [], { store: first.store });
    expect(await agent.restoreSession()).toBe(true);
    const changes = await agent.findChanges();
    expect([changes.base, changes.warnings]).toEqual([start, []]);
    expect(changes.files.map(({ path, status, additions }) => [path, status, additions])).toEqual([
      ['add.js', 'modified', 1],
      ['readme.md', 'added', 1],
    ]);
    await agent.close();
  });

  it('leaves the person’s own changes out after a restore, of the list and of a commit; committed meanwhile as well', async () => {
    const root = createQuickProject({ 'api_key.txt': 'none\n', 'plan.md': 'plan\n' });
    writeFiles(root, { 'api_key.txt': 'mine\n', 'plan.md': 'my plan\n', 'token.txt': 'mine too\n', 'test.js.orig': 'old\n' });
    const first = await createAgent(root, [editAnswer, { error: failure }]);
    await expect(first.agent.run('Mend add.')).rejects.toThrow();
    await first.agent.close();
    git(root, 'commit', '-q', '-m', 'plan', 'plan.md');
    const { agent } = await createAgent(root, ['It adds.', acceptAnswer], { store: first.store });
    expect(await agent.restoreSession()).toBe(true);
    expect((await agent.findChanges()).files.map(({ path }) => path)).toEqual(['add.js']);
    expect((await agent.run()).changes.files.map(({ path }) => path)).toEqual(['add.js']);
    const { paths } = await agent.commit('add: it adds');
    expect(paths).toEqual(['add.js']);
    expect(git(root, 'status', '--porcelain')).toBe(' M api_key.txt\n?? test.js.orig\n?? token.txt\n');
    await agent.close();
  });

  it('in a repository inside, such as a submodule, is listed and reviewed, and named by a commit that leaves it out', async () => {
    const root = createQuickProject();
    const inner = createQuickProject({ Makefile: '', 'of-the-person.txt': 'mine\n' });
    git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'inner');
    git(root, 'commit', '-q', '-m', 'inner');
    writeFiles(join(root, 'inner'), { 'of-the-person.txt': 'changed\n' });
    const editInner = {
      toolCalls: [{ tool: 'edit_file', input: { path: 'inner/add.js', old_text: 'a - b', new_text: 'a + b' } }],
    };
    const { agent, model } = await createAgent(root, [editAnswer, editInner, 'Both add.', acceptAnswer]);
    const { outcome, changes } = await agent.run('Mend add, in both.');
    expect([outcome, changes.files.map(({ path, additions }) => [path, additions])]).toEqual([
      'done',
      [
        ['add.js', 1],
        ['inner/add.js', 1],
      ],
    ]);
    expect(JSON.stringify(model.requests.at(-1)?.prompt)).toContain('M inner/add.js (+1 -1)');
    expect(await agent.commit('add: it adds')).toMatchObject({
      paths: ['add.js'],
      leftOut: [{ path: 'inner/add.js', reason: 'it is in a repository of its own' }],
    });
    await agent.close();
  });

  it('is listed from its edits where there is no git; a commit is refused with a sentence', async () => {
    const root = createQuickProject({}, { hasGit: false });
    const write = { toolCalls: [{ tool: 'write_file', input: { path: 'notes.md', content: 'It adds.\n' } }] };
    const first = await createAgent(root, [editAnswer, write, { error: failure }]);
    await expect(first.agent.run('Mend add.')).rejects.toThrow();
    await first.agent.close();
    const { agent } = await createAgent(root, ['It adds.', acceptAnswer], { store: first.store });
    expect(await agent.restoreSession()).toBe(true);
    const report = await agent.run();
    expect(report).toMatchObject({ outcome: 'done', checks: { outcome: 'passed' }, changes: { available: false, base: null } });
    expect(report.changes.files.map(({ path }) => path)).toEqual(['add.js', 'notes.md']);
    await expect(agent.commit('add: it adds')).rejects.toMatchObject({
      code: 'git-unavailable',
      message: expect.stringMatching(/^Git cannot be used in .*\.$/),
    });
    await agent.close();
  });
});
