import { describe, expect, it } from 'vitest';
import { createTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { runCommand } from '../../exec/run-command.ts';
import { isContinuoError } from '../../model/error.ts';
import { createConversationId } from '../../model/id.ts';
import { type CommandResult, type CommandRunner, createRunCommand } from './run-command.ts';

const ended: CommandResult = { ended: 'exit', exitCode: 0, output: 'hello\n', truncated: false, milliseconds: 1234 };

function setUp(result: Partial<CommandResult> = {}, sandboxed = true) {
  const run = async (_command: string, { onOutput }: { onOutput?: (text: string) => void }) => {
    onOutput?.('hello\n');
    return { ...ended, ...result };
  };
  return createRunCommand({ run, sandboxed });
}

const context = () => ({ conversationId: createConversationId(0), signal: new AbortController().signal });

describe('what run_command would touch', () => {
  it.each([
    [
      'git status -s && npm test',
      {
        needs: [
          ['git', 'status', '-s'],
          ['npm', 'test'],
        ],
      },
    ],
    ['cat src/*.ts', { needs: [['cat', 'src/*.ts']] }],
    ['tar cf x.tar *', { needs: [['tar', 'cf', 'x.tar', '*']], askAlways: 'it has a pattern that may stand for options' }],
  ])('%s: every command of it', async (command, access) => {
    expect(await setUp().access({ command })).toEqual({ ...access, summary: command });
  });

  it('is the whole text where the shell would do more than run commands, and then a person is always asked', async () => {
    const command = 'echo $(rm -rf x)';
    const access = await setUp().access({ command });
    expect(access).toEqual({ needs: [['run_command', command]], askAlways: access.askAlways, summary: command });
    expect(access.askAlways).toMatch(/^it has /);
  });

  it('is always asked about where nothing keeps commands in bounds', async () => {
    expect(await setUp({}, false).access({ command: 'ls' })).toEqual({
      needs: [['ls']],
      askAlways: 'no sandbox is available here',
      summary: 'ls',
    });
  });

  it.each([[{}], [{ command: ' ' }], [{ command: 'a\0' }], [{ command: 'a', other: 1 }]])('is refused for %j', async (input) => {
    const refused = await Promise.resolve(setUp().access(input)).catch((error: unknown) => error);
    expect(isContinuoError(refused, 'invalid-input')).toBe(true);
  });
});

describe('run_command over a real shell', () => {
  it('runs what the runner of commands runs', async () => {
    const cwd = createTemporaryFolder('command');
    const run: CommandRunner['run'] = (command, more) => runCommand({ command, cwd, env: { PATH: '/usr/bin:/bin' }, ...more });
    const tool = createRunCommand({ run, sandboxed: false });
    const outcome = await tool.run({ command: 'echo 你好; exit 3' }, context());
    expect(outcome).toMatchObject({
      text: '你好\n(exit code 3)',
      failed: true,
      output: { ended: 'exit', exitCode: 3, truncated: false },
    });
  });
});

describe('run_command says how a command ended', () => {
  it.each([
    [{}, { text: 'hello\n(exit code 0)' }],
    [
      { exitCode: 2, output: 'oh' },
      { text: 'oh\n(exit code 2)', failed: true },
    ],
    [{ truncated: true }, { text: 'hello\n(exit code 0; some of the output was left out)' }],
    [
      { ended: 'timeout', exitCode: undefined, signal: 'SIGKILL' },
      { text: 'hello\n(stopped after 1.2 seconds, its time limit)', failed: true, code: 'timeout' },
    ],
    [
      { ended: 'cancelled', exitCode: undefined },
      { text: 'hello\n(cancelled)', failed: true, code: 'cancelled' },
    ],
    [
      { ended: 'signal', exitCode: undefined, signal: 'SIGSEGV' },
      { text: 'hello\n(ended by signal SIGSEGV)', failed: true },
    ],
  ])('%j', async (result, outcome) => {
    const { output: _, ...told } = await setUp(result).run({ command: 'x' }, context());
    expect(told).toEqual(outcome);
  });

  it('to those who watch as it comes, and in figures', async () => {
    const seen: string[] = [];
    const outcome = await setUp().run({ command: 'x' }, { ...context(), onOutput: (text) => void seen.push(text) });
    expect(seen).toEqual(['hello\n']);
    expect(outcome.output).toEqual({ ended: 'exit', exitCode: 0, truncated: false, milliseconds: 1234 });
  });

  it('and throws where the turn was cancelled meanwhile', async () => {
    const controller = new AbortController();
    const tool = createRunCommand({
      sandboxed: true,
      run: async () => {
        controller.abort();
        return { ...ended, ended: 'cancelled' };
      },
    });
    const refused = await tool
      .run({ command: 'x' }, { ...context(), signal: controller.signal })
      .catch((error: unknown) => error);
    expect(isContinuoError(refused, 'cancelled')).toBe(true);
  });

  it('and that it could not be started', async () => {
    const tool = createRunCommand({
      sandboxed: true,
      run: async () => {
        throw Object.assign(new Error('spawn bwrap ENOENT'), { code: 'ENOENT', path: 'bwrap' });
      },
    });
    expect(await tool.run({ command: 'x' }, context())).toEqual({
      text: 'Reading or writing bwrap failed: it does not exist.',
      failed: true,
      code: 'io-failed',
    });
  });
});
