// continuo code for scripts: a real task in a real repository, through the built program and a model behind HTTP.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git } from '../support/code-project.ts';
import { testKey } from '../support/model-server/model-server.ts';
import { closeScripts } from './chat-server.ts';
import { Cli } from './cli-program.ts';
import { allowed, allowedWithNpm, createRepository, headOf, passesTest, startModel } from './code-repository.ts';

closeScripts();

const task = 'The test of add fails. Mend it.';

describe('continuo code on a task', () => {
  it('finds the bug, edits, has the project check it, has it reviewed, and tells what came of it', async () => {
    const cli = new Cli();
    const root = createRepository(cli, 'npm');
    const { env, server } = await startModel({ checker: 'npm' });
    const { code, stdout, stderr } = await cli.run(['code', task, ...allowedWithNpm], { env, cwd: root });
    const [file = ''] = readdirSync(join(root, '.continuo')).filter((name) => name.endsWith('.json'));
    expect(stdout.split('\n')).toEqual([
      'It subtracted. Now it is a + b.',
      '',
      'Done.',
      'CHANGE   +  -  FILE',
      'changed  1  1  add.js',
      'Checks      pass',
      'Reviews     1 accepted',
      `Session     ${join(root, '.continuo', file)} (8 messages)`,
      expect.stringMatching(/^Go on with {2}continuo code --resume ses_\w+$/),
      '',
    ]);
    const told = stderr.split('\n');
    for (const line of [
      `model compatible:local-test · ${root}`,
      '── working',
      '→ edit_file add.js a - b a + b',
      '→ run_command npm test',
      '── checking the change',
      "The project's own checks pass.",
      '── a fresh look at the change',
      '  Fine.',
      'The review accepts the change.',
    ])
      expect(told).toContain(line);
    expect(code).toBe(0);
    expect(passesTest(root)).toBe(true);
    expect(JSON.stringify(server.requests.at(-1)?.body.messages)).toContain(task);
    // The session is the person's alone, none of git's business, and holds no key.
    expect(statSync(join(root, '.continuo', file)).mode & 0o777).toBe(0o600);
    expect(git(root, 'status', '--porcelain')).toBe(' M add.js\n');
    expect(readFileSync(join(root, '.continuo', file), 'utf8')).not.toContain(testKey);
    expect(headOf(root)).toContain('first');
  });

  it('takes the task by pipe, commits on request, and prints one object with --json', async () => {
    const cli = new Cli();
    const root = createRepository(cli, 'npm');
    writeFileSync(join(root, 'notes.txt'), 'mine\n');
    const { env } = await startModel({ checker: 'npm' });
    const { code, stdout, stderr } = await cli.run(['code', ...allowedWithNpm, '--commit', '--json'], {
      env,
      cwd: root,
      input: 'Mend add\n\nIt subtracts.\n',
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const report = JSON.parse(stdout);
    expect(report).toEqual({
      task: 'Mend add\n\nIt subtracts.',
      root,
      model: 'compatible:local-test',
      resumed: false,
      outcome: 'done',
      text: 'It subtracted. Now it is a + b.',
      changes: {
        available: true,
        base: git(root, 'rev-parse', 'HEAD~1').trim(),
        files: [{ path: 'add.js', status: 'modified', additions: 1, deletions: 1, binary: false }],
        omitted: 0,
        warnings: [],
      },
      checks: { outcome: 'passed', text: '$ npm run test\n(passed)', formatted: [] },
      reviews: [{ outcome: 'accepted', text: 'Fine.' }],
      commit: {
        commit: git(root, 'rev-parse', 'HEAD').trim(),
        branch: 'main',
        paths: ['add.js'],
        leftOut: [],
        hooksNotRun: [],
        unsigned: false,
      },
      session: { id: expect.stringMatching(/^ses_/), path: expect.stringMatching(/\.json$/), messages: 8, saved: true },
      resume: `continuo code --resume ${report.session.id}`,
      conversationId: expect.stringMatching(/^cnv_/),
      notices: [],
      error: null,
    });
    expect(headOf(root)).toBe('Mend add\nLin\n\nadd.js\n');
    expect(git(root, 'status', '--porcelain')).toBe('?? notes.txt\n');
    expect(await cli.json(['show', report.conversationId])).toMatchObject({ conversation: { title: 'Mend add' } });
  });

  it('ends with 7 and commits nothing where the checks still fail', async () => {
    const cli = new Cli();
    const root = createRepository(cli);
    const { env } = await startModel({ edits: ['a * b', 'b * a', 'a ** b', 'b ** a'] });
    const { code, stdout, stderr } = await cli.run(['code', task, ...allowed, '--no-review', '--commit', 'never'], {
      env,
      cwd: root,
    });
    expect(code).toBe(7);
    expect(stdout).toContain("Not done: the project's own checks still fail.");
    expect(stdout).toMatch(/^Checks +fail$/m);
    expect(stdout).toMatch(/^Commit +none: the work is not done$/m);
    expect(stderr).toContain('── checking the change (round 4)');
    expect(passesTest(root)).toBe(false);
    expect(headOf(root)).toContain('first');
  });

  it('does what a review asks for, and ends when the next one accepts', async () => {
    const cli = new Cli();
    const root = createRepository(cli);
    const reviews = ['add.js:1 the order is odd.\nVERDICT: CHANGES', 'VERDICT: ACCEPT'];
    const { env } = await startModel({ edits: ['b + a', 'a + b'], reviews });
    const args = ['code', task, ...allowed, '--commit', 'sums: add adds'];
    const { code, stdout, stderr } = await cli.run(args, { env, cwd: root });
    expect(code).toBe(0);
    expect(stdout).toContain('Done.\n');
    expect(stdout).toMatch(/^Reviews +1 asked for changes, 1 accepted$/m);
    expect(stderr).toContain('  add.js:1 the order is odd.\nThe review asks for changes.\n');
    expect(stderr).toContain('── a fresh look at the change (round 2)');
    expect(readFileSync(join(root, 'add.js'), 'utf8')).toContain('a + b');
    expect(headOf(root)).toBe('sums: add adds\nLin\n\nadd.js\n');
  });

  it('ends with 7 where the reviews there may be are used up; in Chinese', async () => {
    const cli = new Cli();
    const root = createRepository(cli);
    const { env } = await startModel({ edits: ['b + a', 'a + b'], reviews: ['顺序不对。\nVERDICT: CHANGES'] });
    const args = ['code', '修好 add', ...allowed, '--max-review', '1', '--lang', 'zh'];
    const { code, stdout, stderr } = await cli.run(args, { env, cwd: root });
    expect(code).toBe(7);
    expect(stdout).toContain('未完成：最后一次评审要求的修改还没有人复查。\n');
    expect(stdout).toMatch(/^评审 {2}1 次要求修改$/m);
    expect(stdout).toMatch(/^继续 {2}continuo code --resume ses_\w+$/m);
    expect(stderr).toContain('── 正在检查改动\n');
    expect(stderr).toContain('评审要求修改。\n');
  });

  it('does nothing that no rule allows, and says so', async () => {
    const cli = new Cli();
    const root = createRepository(cli);
    const { env } = await startModel();
    const { code, stdout, stderr } = await cli.run(['code', task, '--non-interactive'], { env, cwd: root });
    expect(code).toBe(0);
    expect(stdout).toContain('No file was changed.\n');
    expect(stderr).toContain('→ edit_file add.js a - b a + b\n← not allowed\n');
    expect(git(root, 'status', '--porcelain')).toBe('');
  });

  it('names the check that no rule allows, and counts the change as unproven', async () => {
    const cli = new Cli();
    const root = createRepository(cli, 'npm');
    const { env } = await startModel({ checker: 'npm' });
    const { code, stdout, stderr } = await cli.run(['code', task, '--yes', 'write_file', '--no-review'], { env, cwd: root });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Checks +unproven$/m);
    expect(stderr).toContain('  $ npm run test\n  (not run: it was not allowed)\nNothing proves the change');
    const chinese = await cli.run(['code', '--resume', '--lang', 'zh'], { env, cwd: root });
    expect(chinese.stderr).toContain('  $ npm run test\n  （没有运行：没有得到许可）\n改动未经证实');
  });

  it('masks what the environment holds secret, and says so', async () => {
    const cli = new Cli();
    const root = createRepository(cli);
    const { env } = await startModel({ instead: () => ({ text: 'Noted.' }) });
    const secret = 'plain words that no rule knows';
    const { stdout } = await cli.run(['code', `Remember: ${secret}`], { env: { ...env, DEPLOY_TOKEN: secret }, cwd: root });
    const [file = ''] = readdirSync(join(root, '.continuo')).filter((name) => name.endsWith('.json'));
    expect(readFileSync(join(root, '.continuo', file), 'utf8')).not.toContain(secret);
    expect(stdout).toMatch(/\(2 messages\)\. \d+ secrets? masked\./);
  });

  it('goes on where the session cannot be saved, and says so once', async () => {
    const cli = new Cli();
    const root = createRepository(cli);
    writeFileSync(join(root, '.continuo'), 'in the way');
    const { env } = await startModel();
    const { code, stdout, stderr } = await cli.run(['code', task, ...allowed], { env, cwd: root });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Session +not saved$/m);
    expect(stderr.split('So the session is not saved; the work goes on').length).toBe(2);
    expect(passesTest(root)).toBe(true);
  });

  it('reads only with --tools read-only', async () => {
    const cli = new Cli();
    const root = createRepository(cli);
    const { env, server } = await startModel({ instead: () => ({ text: 'It subtracts.' }) });
    const report = await cli.json<{ outcome: string; text: string }>(['code', 'What is wrong?', '--tools', 'read-only'], {
      env,
      cwd: root,
    });
    expect(report).toMatchObject({ outcome: 'unchanged', text: 'It subtracts.' });
    const tools: { function: { name: string } }[] = server.requests[0]?.body.tools ?? [];
    const names = tools.map((tool) => tool.function.name);
    expect(names).toContain('read_file');
    expect(names.filter((name) => ['edit_file', 'write_file', 'run_command', 'check_project'].includes(name))).toEqual([]);
  });
});

describe('continuo code that cannot work', () => {
  it('says what to set where there is no model', async () => {
    const cli = new Cli();
    const root = createRepository(cli);
    expect(await cli.failure(['code', task], { cwd: root })).toEqual({
      code: 2,
      error: {
        code: 'model-not-set',
        message: expect.stringContaining('continuo config set model.name provider:model'),
        details: {},
      },
    });
    const chinese = await cli.run(['code', task, '--lang', 'zh'], { cwd: root });
    expect(chinese).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('没有设置模型') });
  });

  it.each([
    { args: ['code', task, '--root', 'nowhere'], status: 2, named: 'usage', says: /nowhere is no folder/ },
    { args: ['code', task, '--root', 'add.js'], status: 2, named: 'usage', says: /add\.js is no folder/ },
    { args: ['code'], status: 2, named: 'usage', says: /There is no task/ },
    { args: ['code', '  '], status: 2, named: 'usage', says: /There is no task/ },
    { args: ['code', task, '--tools', 'all'], status: 2, named: 'code-tools-unknown', says: /default, read-only/ },
    { args: ['code', task, '--commit', ''], status: 2, named: 'usage', says: /message of --commit is empty/ },
    {
      args: ['code', '--resume', '--no-review'],
      status: 2,
      named: 'usage',
      says: /--no-review can only be given to a new session/,
    },
    { args: ['code', 'sessions', '--yes', 'ls'], status: 2, named: 'usage', says: /--yes does not go with/ },
    { args: ['code', '--resume'], status: 3, named: 'no-saved-session', says: /no saved session/ },
    { args: ['code', '--resume', 'ses_none'], status: 3, named: 'saved-session-not-found', says: /"ses_none"/ },
    {
      args: ['code', '--resume', 'also this'],
      status: 3,
      named: 'saved-session-not-found',
      says: /continuo code "WORDS" --resume/,
    },
  ])('$args ends with $status', async ({ args, status, named, says }) => {
    const cli = new Cli();
    const root = createRepository(cli);
    const { env } = await startModel();
    expect(await cli.failure(args, { env, cwd: root })).toEqual({
      code: status,
      error: { code: named, message: expect.stringMatching(says), details: expect.anything() },
    });
  });

  it('keeps the session where the model fails, and says how to go on', async () => {
    const cli = new Cli();
    const root = createRepository(cli, 'npm');
    let isDown = true;
    const { env } = await startModel({
      checker: 'npm',
      instead: ({ calls }) => (isDown && calls.includes('edit_file') ? { fault: { type: 'refuse-key' } } : undefined),
    });
    const failed = await cli.run(['code', task, ...allowedWithNpm], { env, cwd: root });
    expect(failed).toMatchObject({ code: 4, stdout: '' });
    const [, id = ''] = /Go on with: continuo code --resume (ses_\w+)\n$/.exec(failed.stderr) ?? [];
    isDown = false;
    expect(await cli.json(['code', '--resume', id, ...allowedWithNpm], { env, cwd: root })).toMatchObject({
      resumed: true,
      outcome: 'done',
    });
    expect(passesTest(root)).toBe(true);
  });

  it('stops after its time with a code, and is saved', async () => {
    const cli = new Cli();
    const root = createRepository(cli);
    const { env } = await startModel({ instead: () => ({ fault: { type: 'hang', after: 0 } }) });
    const late = await cli.run(['code', task, '--timeout', '8s', '--json'], { env, cwd: root });
    expect({ code: late.code, stderr: late.stderr }).toEqual({ code: 1, stderr: '' });
    expect(JSON.parse(late.stdout)).toMatchObject({
      outcome: null,
      error: { code: 'timeout', message: 'The work took longer than 8 seconds and was stopped.' },
      session: { saved: true },
    });
  });
});
