// Commands of a turn: real processes, in the sandbox and without, gone when the turn is.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../src/exec/run-command.ts';
import { findSandbox } from '../../src/exec/sandbox/find-sandbox.ts';
import type { Sandbox } from '../../src/exec/sandbox/sandbox.ts';
import { createBuiltinTools } from '../../src/tools/builtin/builtin-tools.ts';
import { needs } from '../support/require-system.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { openWorkbench } from './workbench.ts';

const found = await findSandbox();
const hasSandbox = process.platform === 'linux' && needs('sandbox' in found, 'a sandbox (bubblewrap)');
const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };

describe.runIf(hasSandbox).each(['sandboxed', 'bare'] as const)('a command, %s', (kind) => {
  it('dies with its turn, and everything it started with it', async () => {
    const sandbox = kind === 'sandboxed' ? (found as { sandbox: Sandbox }).sandbox : undefined;
    const root = createTemporaryFolder('command');
    const runner = {
      sandboxed: sandbox !== undefined,
      run: (command: string, more: object) => runCommand({ command, cwd: root, env, ...(sandbox && { sandbox }), ...more }),
    };
    const mark = `9${process.pid}.${Math.floor(Math.random() * 1e9)}`;
    const command = `sleep ${mark} & setsid sleep ${mark} & (trap '' TERM; sleep ${mark}) & sleep ${mark}`;
    const { session, store } = await openWorkbench({
      tools: createBuiltinTools({ root, runCommand: runner }),
      approvals: { ask: async () => ({ allow: true }) },
      script: (_, step) => (step === 0 ? { toolCalls: [{ tool: 'run_command', input: { command } }] } : 'fine'),
    });
    const answer = session.message('go').catch((error: unknown) => error);
    await expect.poll(() => countRunning(mark)).toBeGreaterThanOrEqual(4);
    (await session.root()).cancel();
    expect(await answer).toMatchObject({ kind: 'cancelled' });
    await expect.poll(() => countRunning(mark)).toBe(0);
    const results = (await store.tail((await session.root()).id, 10)).filter((entry) => entry.kind === 'tool-result');
    expect(results).toMatchObject([{ failed: true }]);
    expect((await session.message('and now?')).text).toBe('fine');
  });
});

/** How many sleeps with the mark are alive, whoever their parent is. */
function countRunning(mark: string): number {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8') === `sleep\0${mark}\0`;
    } catch {
      return false;
    }
  }).length;
}
