import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bundleProgram, Child } from '../../test/support/child-program.ts';
import { needs } from '../../test/support/require-system.ts';
import { createTemporaryFolder } from '../../test/support/temporary-folder.ts';
import { type CommandOptions, runCommand } from './run-command.ts';
import { findSandbox } from './sandbox/find-sandbox.ts';

const found = await findSandbox();
const sandboxed = needs('sandbox' in found, `a sandbox (${'missing' in found ? found.missing : ''})`);
const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C.UTF-8' };

describe.each([
  ['without a sandbox', {}, true],
  ['in a sandbox', 'sandbox' in found ? { sandbox: found.sandbox } : {}, sandboxed],
] as const)('a command %s', (_name, where, possible) => {
  const run = (command: string, options: Partial<CommandOptions> = {}) =>
    runCommand({ command, cwd: options.cwd ?? createTemporaryFolder('exec'), env, ...where, ...options });
  const test = it.runIf(possible);

  test('gives its exit code and its output in the order it was written', async () => {
    const outcome = await run('for i in 1 2 3; do echo out$i; echo err$i >&2; done; echo again > /dev/stdout; exit 3');
    expect(outcome).toEqual({
      ended: 'exit',
      exitCode: 3,
      output: 'out1\nerr1\nout2\nerr2\nout3\nerr3\nagain\n',
      truncated: false,
      milliseconds: expect.any(Number),
    });
  });

  test('has the folder, the environment and the input it was given', async () => {
    const cwd = createTemporaryFolder('exec 中文 folder');
    const { output } = await run('pwd; echo "$GREETING"; cat; echo "$HOME."', { cwd, env: { ...env, GREETING: '你好' } });
    expect(output).toBe(`${cwd}\n你好\n.\n`);
  });

  test('shows characters whole while it runs', async () => {
    const shown: string[] = [];
    const { output } = await run("printf '\\344\\270'; sleep 0.1; printf '\\255'; sleep 0.1; echo '😀'", {
      onOutput: (text) => shown.push(text),
    });
    expect({ output, shown: shown.join('') }).toEqual({ output: '中😀\n', shown: '中😀\n' });
    expect(shown.every((text) => !text.includes('\ufffd'))).toBe(true);
  });

  test('keeps both ends of a long output', async () => {
    const outcome = await run('echo begin; yes x | head -c 100000; echo end', { limits: { outputBytes: 1_000 * 20 } });
    expect(outcome).toMatchObject({ ended: 'exit', exitCode: 0, truncated: true });
    expect(outcome.output).toMatch(/^begin\nx\n[x\n]*\n… \d+ bytes left out …\n[x\n]*end\n$/);
  });

  test('is ended when it writes without end', async () => {
    const outcome = await run('yes', { limits: { outputBytes: 10_000 } });
    expect(outcome).toMatchObject({ ended: 'output-limit', truncated: true });
    expect(outcome.output.length).toBeLessThan(11_000);
  });

  test('is ended when its time is over', async () => {
    const sleeper = uniqueSleep();
    const outcome = await run(`echo started; ${sleeper}`, { limits: { milliseconds: 300 } });
    expect(outcome).toEqual({ ended: 'timeout', output: 'started\n', truncated: false, milliseconds: expect.any(Number) });
    expect(countRunning(sleeper)).toBe(0);
  });

  test('is ended when it is cancelled, and may tidy up', async () => {
    const controller = new AbortController();
    const outcome = await run("trap 'echo tidy; exit 0' TERM; echo ready; while :; do sleep 0.05; done", {
      signal: controller.signal,
      onOutput: (text) => text.includes('ready') && controller.abort(),
    });
    expect(outcome).toMatchObject({ ended: 'cancelled', output: expect.stringMatching(/^ready\n(.*\n)*tidy\n/) });
  });

  test('is not started when it was cancelled before', async () => {
    const outcome = await run('echo never', { signal: AbortSignal.abort() });
    expect(outcome).toEqual({ ended: 'cancelled', output: '', truncated: false, milliseconds: expect.any(Number) });
  });

  test('is ended by what onOutput throws', async () => {
    const sleeper = uniqueSleep();
    const slip = new Error('slip');
    const running = run(`echo x; ${sleeper}`, {
      onOutput: () => {
        throw slip;
      },
    });
    await expect(running).rejects.toBe(slip);
    expect(countRunning(sleeper)).toBe(0);
  });

  describe.concurrent('leaves nothing behind', () => {
    const nowhere = { cwd: '/', writable: [] };
    const stubborn: Record<string, (sleeper: string) => string> = {
      'that ignores SIGTERM': (sleeper) => `trap '' TERM; ${sleeper}; ${sleeper}`,
      'in a session of its own': (sleeper) => `setsid ${sleeper} & setsid sh -c 'setsid ${sleeper}' & wait; ${sleeper}`,
      'that was handed to init': (sleeper) => `(setsid ${sleeper} &) ; (sh -c '${sleeper} & exit' &); ${sleeper}`,
      'that cleared its environment and left': (sleeper) => `(env -i setsid ${sleeper} &); sleep 0.1; ${sleeper}`,
      'that gave up its output and left': (sleeper) => `(setsid ${sleeper} >/dev/null 2>&1 &); ${sleeper}`,
      'that is stopped': (sleeper) => `${sleeper} & kill -STOP $!; ${sleeper}`,
    };

    test.each(Object.entries(stubborn))('%s, when its time is over', async (_kind, command) => {
      const sleeper = uniqueSleep();
      const outcome = await run(command(sleeper), { ...nowhere, limits: { milliseconds: 400 } });
      expect(outcome).toMatchObject({ ended: 'timeout', output: '' });
      expect(countRunning(sleeper)).toBe(0);
    });

    test.each([
      ['and holds the output open', (sleeper: string) => `${sleeper} & echo done`],
      ['in a session of its own', (sleeper: string) => `setsid ${sleeper} & echo done`],
      ['and gave up the output', (sleeper: string) => `(setsid ${sleeper} >/dev/null 2>&1 </dev/null &); echo done`],
      ['and ignores SIGTERM', (sleeper: string) => `(trap '' TERM; ${sleeper}; ${sleeper}) & echo done`],
    ])('that is in the background when the shell ends %s', async (_kind, command) => {
      const sleeper = uniqueSleep();
      const outcome = await run(command(sleeper), nowhere);
      expect(outcome).toMatchObject({ ended: 'exit', exitCode: 0, output: 'done\n' });
      expect(countRunning(sleeper)).toBe(0);
    });
  });

  test('is ended when it has too many processes', async () => {
    const sleeper = uniqueSleep();
    const outcome = await run(`for i in $(seq 60); do ${sleeper} & done; wait`, { limits: { processes: 30 } });
    expect(outcome).toMatchObject({ ended: 'process-limit' });
    expect(countRunning(sleeper)).toBe(0);
  });

  test('is ended when it multiplies', async () => {
    const sleeper = uniqueSleep();
    // Each doubles and leaves its parent; the depth keeps it bounded should nobody stop it: 1024 at most.
    const bomb = `bomb() { [ $1 -gt 0 ] || exec ${sleeper}; bomb $(($1 - 1)) & bomb $(($1 - 1)) & }; bomb 9; ${sleeper}`;
    const outcome = await run(bomb, { limits: { processes: 50 } });
    expect(outcome).toMatchObject({ ended: 'process-limit' });
    expect(countRunning(sleeper)).toBe(0);
  });

  test('may have as many processes as allowed, one after the other as many as it likes', async () => {
    const outcome = await run(
      'for i in $(seq 20); do sleep 0.2 & done; wait; for i in $(seq 100); do /bin/true; done; echo fine',
      {
        limits: { processes: 40 },
      },
    );
    expect(outcome).toMatchObject({ ended: 'exit', exitCode: 0, output: 'fine\n' });
  });

  test('that cannot be started says why', async () => {
    await expect(run('pwd', { cwd: '/no/such/folder' })).rejects.toMatchObject({
      code: 'command-failed',
      details: { reason: 'there is no folder /no/such/folder' },
    });
    await expect(run('echo a\0b')).rejects.toMatchObject({ code: 'command-failed' });
    await expect(run(`: ${'x'.repeat(4_000_000)}`)).rejects.toMatchObject({ code: 'command-failed' });
  });

  test('does not disturb another beside it', async () => {
    const sleeper = uniqueSleep(1);
    const [long, short] = await Promise.all([
      run(`${sleeper}; echo long`),
      run(`setsid ${uniqueSleep()} & exec sleep 100`, { limits: { milliseconds: 200 } }),
    ]);
    expect([long.output, short.ended]).toEqual(['long\n', 'timeout']);
  });
});

it('a command that a signal ends says which', async () => {
  const outcome = await runCommand({ command: 'kill -KILL $$', cwd: createTemporaryFolder('exec'), env });
  expect(outcome).toEqual({ ended: 'signal', signal: 'SIGKILL', output: '', truncated: false, milliseconds: expect.any(Number) });
});

it('a sandbox that does not start is not taken for a command that failed', async () => {
  const broken = { name: 'broken', holdsTree: true, wrap: () => ['/bin/sh', '-c', 'echo "no namespaces" >&2; exit 1'] };
  await expect(runCommand({ command: 'pwd', cwd: '/', env, sandbox: broken })).rejects.toMatchObject({
    code: 'sandbox-failed',
    details: { reason: 'no namespaces' },
  });
});

describe.runIf(sandboxed && process.platform === 'linux')('a command in a sandbox', () => {
  it('dies with the process that runs it, also when that is killed', async () => {
    const sleeper = uniqueSleep();
    const folder = createTemporaryFolder('exec');
    const child = new Child<string>(await bundleProgram(writeOwner(folder)), {
      cwd: folder,
      env,
      command: `setsid ${sleeper} & (setsid sh -c "trap '' TERM HUP; ${sleeper}; ${sleeper}" &) ; echo ready; ${sleeper}`,
    });
    expect(await child.next()).toBe('ready\n');
    await waitFor(() => countRunning(sleeper) >= 3);
    child.kill();
    expect(await child.ended).toEqual({ code: null, signal: 'SIGKILL' });
    await waitFor(() => countRunning(sleeper) === 0);
    expect(countRunning(sleeper)).toBe(0);
  });
});

/** A program that runs a command in the sandbox and tells what it prints. */
function writeOwner(folder: string): URL {
  const path = (name: string) => JSON.stringify(fileURLToPath(new URL(name, import.meta.url)));
  const program = join(folder, 'owner.ts');
  writeFileSync(
    program,
    `import { childInput, tell } from ${path('../../test/support/child-side.ts')};
    import { runCommand } from ${path('./run-command.ts')};
    import { findSandbox } from ${path('./sandbox/find-sandbox.ts')};
    const { sandbox } = await findSandbox();
    await runCommand({ ...childInput(), sandbox, onOutput: tell });`,
  );
  return pathToFileURL(program);
}

/** A command that is found again among all that run. */
function uniqueSleep(seconds = 1_000): string {
  return `sleep ${seconds}.${String(randomInt(1e9)).padStart(9, '0')}`;
}

function countRunning(sleeper: string): number {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'stat=,args='], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => !line.startsWith('Z') && line.endsWith(` ${sleeper}`)).length;
}

async function waitFor(condition: () => boolean): Promise<void> {
  await expect.poll(condition).toBe(true);
}
