// A real task, killed with SIGKILL half way and taken up in a new process: where it was, in a project that was moved, and in a copy.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleProgram, Child } from '../support/child-program.ts';
import { createQuickProject, git, readSessions } from '../support/code-project.ts';
import { acceptAnswer, editAnswer } from '../support/test-agent.ts';
import type { AgentChildInput, AgentChildLine } from './agent-child.ts';

const task = 'The test of add fails. Mend it.';
const lookAnswer = { toolCalls: [{ tool: 'read_file', input: { path: 'add.js' } }] };
const checkAnswer = { toolCalls: [{ tool: 'check_project', input: {} }] };
let program: string;

beforeAll(async () => {
  program = await bundleProgram(new URL('./agent-child.ts', import.meta.url));
});

function start(input: AgentChildInput): Child<AgentChildLine> {
  return new Child<AgentChildLine>(program, input);
}

/** Begins the task and is killed while the model is asked for the third time. */
async function killHalfWay(root: string, folder: string, script: AgentChildInput['script']): Promise<void> {
  const child = start({ root, folder, script, task });
  expect(await child.next(), child.errors).toEqual({ tells: 'waiting' });
  child.kill();
  expect((await child.ended).signal).toBe('SIGKILL');
}

function prepare(): { root: string; folder: string } {
  const root = createQuickProject();
  const folder = join(dirname(root), 'store');
  mkdirSync(folder);
  return { root, folder };
}

const calls = (messages: unknown) => [...JSON.stringify(messages).matchAll(/"name":"(\w+)"/g)].map(([, name]) => name);

describe('使用场景 1, 继续工作: a task that is killed half way', () => {
  it('is restored in a new process with all that was said after the last save, finishes, and the test passes', async () => {
    const { root, folder } = prepare();
    await killHalfWay(root, folder, [lookAnswer, editAnswer, 'wait']);
    // The last save was at the beginning of the turn: what came after it is in the log alone.
    expect(calls(readSessions(root)[0]?.document.state.messages)).toEqual([]);
    const child = start({ root, folder, script: [checkAnswer, 'It adds now.', acceptAnswer] });
    const [restored, report] = await child.finish();
    expect(restored).toMatchObject({ tells: 'restored', restored: true, notices: ['session-restored'], root });
    expect(calls((restored as { messages: unknown }).messages)).toEqual(['read_file', 'edit_file']);
    expect(report).toMatchObject({ tells: 'report', outcome: 'done', checks: 'passed', changed: ['add.js'] });
    execFileSync('node', ['test.js'], { cwd: root, stdio: 'pipe' });
    expect(readSessions(root).map(({ document }) => (document.state.work as { phase: string }).phase)).toEqual(['done']);
  });

  it('is taken up in the middle of the review as well, and again after a second kill', async () => {
    const { root, folder } = prepare();
    await killHalfWay(root, folder, [editAnswer, 'It adds now.', 'wait']);
    expect(readSessions(root)[0]?.document.state.work).toEqual({ phase: 'reviewing', checks: 0, reviews: 0 });
    const second = start({ root, folder, script: ['wait'] });
    expect(await second.next()).toMatchObject({ restored: true });
    expect(await second.next()).toEqual({ tells: 'waiting' });
    second.kill();
    await second.ended;
    const [, report] = await start({ root, folder, script: [acceptAnswer] }).finish();
    // The first that is asked is the reviewer: nothing of the work is done twice.
    expect(report).toMatchObject({ outcome: 'done', checks: 'passed' });
    expect(JSON.stringify((report as { prompt: unknown }).prompt)).toContain('The change since the work began');
  });

  it('多环境切换: finishes in another directory after the repository was moved', async () => {
    const { root, folder } = prepare();
    await killHalfWay(root, folder, [lookAnswer, editAnswer, 'wait']);
    const moved = join(dirname(root), 'a folder', '项目');
    mkdirSync(dirname(moved));
    renameSync(root, moved);
    const [restored, report] = await start({ root: moved, folder, script: [checkAnswer, 'It adds now.', acceptAnswer] }).finish();
    expect(restored).toMatchObject({ restored: true, notices: ['code-root-moved', 'session-restored'], root: moved });
    expect(report).toMatchObject({ outcome: 'done', checks: 'passed', changed: ['add.js'] });
    execFileSync('node', ['test.js'], { cwd: moved, stdio: 'pipe' });
    expect(readSessions(moved).map(({ document }) => document.state.root_dir)).toEqual([moved]);
  });

  it('works in a copy where the old project still exists, and never touches the old one', async () => {
    const { root, folder } = prepare();
    await killHalfWay(root, folder, [lookAnswer, 'wait']);
    const copy = join(dirname(root), 'copy');
    cpSync(root, copy, { recursive: true });
    const look = () => [
      git(root, 'status', '--porcelain'),
      readFileSync(join(root, 'add.js'), 'utf8'),
      readSessions(root).map(({ path, text }) => [path, text, statSync(path).mtimeMs]),
    ];
    const before = look();
    const [restored, report] = await start({ root: copy, folder, script: [editAnswer, 'It adds now.', acceptAnswer] }).finish();
    expect(restored).toMatchObject({ restored: true, notices: ['code-root-moved', 'session-restored'], root: copy });
    expect(report).toMatchObject({ outcome: 'done', checks: 'passed', changed: ['add.js'] });
    expect(look()).toEqual(before);
    execFileSync('node', ['test.js'], { cwd: copy, stdio: 'pipe' });
  });
});
