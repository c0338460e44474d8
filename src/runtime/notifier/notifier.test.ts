import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createConversationId, createSessionId } from '../../model/id.ts';
import { EventBus } from '../event-bus.ts';
import type { RuntimeEvent } from '../runtime-event.ts';
import { buildNotice, formatNotice, type Notice } from './notice.ts';
import { attachNotifier, createNotifier } from './notifier.ts';

const sessionId = createSessionId(1);
const conversationId = createConversationId(1);
const origin = { at: 5, sessionId, conversationId };
const longTurn: Notice = { kind: 'turn-end', ...origin, outcome: 'done', milliseconds: 42_000, text: 'a secret answer' };
const question: Notice = { kind: 'approval-request', ...origin, tool: 'run_command', summary: 'rm -rf secret' };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-notifier-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a notifier', () => {
  it('rings for turns that took long and for every question, and not for short turns', async () => {
    const bell = new PassThrough();
    const notifier = createNotifier({ bell, after: 10_000 });
    await notifier.notify({ ...longTurn, milliseconds: 9_999 });
    expect(bell.read()).toBe(null);
    await notifier.notify(longTurn);
    await notifier.notify(question);
    expect(bell.read()?.toString()).toBe('\u0007\u0007');
  });

  it('listens to a bus: to ends of turns and to questions, and is waited for', async () => {
    const heard: Notice[] = [];
    const bus = new EventBus({ sessionId });
    const attached = attachNotifier(bus, {
      async notify(notice) {
        await new Promise(setImmediate);
        heard.push(notice);
        throw new Error('disturbs nobody');
      },
    });
    for (const event of [turnEnd('done'), turnEnd('cancelled'), request, delta]) void bus.publish(event);
    await attached.close();
    expect(heard).toEqual([
      { kind: 'turn-end', ...origin, outcome: 'done', milliseconds: 3, text: 'x' },
      { kind: 'approval-request', ...origin, tool: 'write_file', summary: 'write a.ts' },
    ]);
    void bus.publish(request);
    expect(heard.length).toBe(2);
  });

  it('says in one line what happened', () => {
    expect([longTurn, { ...longTurn, outcome: 'failed' as const }, question].map(formatNotice)).toEqual([
      'The answer is there, after 42 s',
      'The turn failed, after 42 s',
      'A question waits for you: rm -rf secret',
    ]);
    expect(buildNotice(delta)).toBeUndefined();
  });
});

describe('on the desktop', () => {
  it('the notice goes to notify-send as one argument that cannot be an option, a command or markup', async () => {
    const program = await writeProgram(folder, 0);
    const notifier = createNotifier({ desktop: { platform: 'linux', program } });
    await notifier.notify({ ...question, summary: '--x $(touch /tmp/y) "<b>" & `id`\n\u001b[2Jend' });
    const body = 'A question waits for you: --x $(touch /tmp/y) "&lt;b&gt;" &amp; `id` [2Jend';
    expect(await readArguments(folder)).toEqual([['--app-name', 'Continuo', '--', 'Continuo', body]]);
  });

  it('the notice goes to osascript beside the script, not into it', async () => {
    const program = await writeProgram(folder, 0);
    await createNotifier({ desktop: { platform: 'darwin', program }, format: () => '-x" & quit' }).notify(question);
    const [args = []] = await readArguments(folder);
    expect(args.slice(-2)).toEqual(['Continuo', '-x" & quit']);
    expect(args.slice(0, -2).join(' ')).not.toContain('quit');
  });

  it('a long notice is cut', async () => {
    const program = await writeProgram(folder, 0);
    await createNotifier({ desktop: { platform: 'linux', program }, format: () => '话'.repeat(5000) }).notify(question);
    expect((await readArguments(folder))[0]?.at(-1)).toBe(`${'话'.repeat(299)}…`);
  });

  it('a program that is missing is reported once', async () => {
    const { problems, onProblem } = collectProblems();
    const notifier = createNotifier({ desktop: { platform: 'linux', program: join(folder, 'nowhere') }, onProblem });
    for (let i = 0; i < 3; i++) await notifier.notify(question);
    expect(problems).toEqual([`The command could not be started: ${join(folder, 'nowhere')} is not installed.`]);
  });

  it('a program that fails or hangs, or a system without one, is reported once and holds nothing up', async () => {
    const { problems, onProblem } = collectProblems();
    const failing = createNotifier({ desktop: { platform: 'linux', program: await writeProgram(folder, 3) }, onProblem });
    await failing.notify(question);
    await failing.notify(question);
    const hanging = join(folder, 'hanging');
    await writeFile(hanging, '#!/bin/sh\nexec sleep 60\n');
    await chmod(hanging, 0o700);
    await createNotifier({ desktop: { platform: 'linux', program: hanging, timeout: 50 }, onProblem }).notify(question);
    await createNotifier({ desktop: { platform: 'aix' }, onProblem }).notify(question);
    expect(problems).toEqual([
      `The command could not be started: ${join(folder, 'program')} ended with 3.`,
      `The command could not be started: ${hanging} ended with SIGKILL.`,
      'The command could not be started: this system has no program for notices on the desktop.',
    ]);
  });
});

describe('to a webhook', () => {
  it('the notice goes without what was said, or with it where that is wanted', async () => {
    await withServer([200, 204, 200], async (url, bodies) => {
      await createNotifier({ webhook: { url } }).notify(longTurn);
      await createNotifier({ webhook: { url } }).notify(question);
      await createNotifier({ webhook: { url, includeText: true } }).notify(question);
      expect(bodies).toEqual([
        { kind: 'turn-end', ...origin, outcome: 'done', milliseconds: 42_000 },
        { kind: 'approval-request', ...origin, tool: 'run_command' },
        question,
      ]);
      expect(JSON.stringify(bodies.slice(0, 2))).not.toContain('secret');
    });
  });

  it('a fault of the server is tried once more', async () => {
    await withServer([503, 200, 500, 500], async (url, bodies) => {
      const { problems, onProblem } = collectProblems();
      const notifier = createNotifier({ webhook: { url: `${url}/token-secret` }, onProblem });
      await notifier.notify(question);
      expect([bodies.length, problems]).toEqual([2, []]);
      await notifier.notify(question);
      expect([bodies.length, problems]).toEqual([4, [`Reading or writing ${url} failed: it answered 500.`]]);
    });
  });

  it('a refusal or a redirection is not followed and not tried again', async () => {
    await withServer([404, 302], async (url, bodies) => {
      const { problems, onProblem } = collectProblems();
      const notifier = createNotifier({ webhook: { url }, onProblem });
      await notifier.notify(question);
      await notifier.notify(question);
      expect(bodies.length).toBe(2);
      expect(problems).toEqual([404, 302].map((status) => `Reading or writing ${url} failed: it answered ${status}.`));
    });
  });

  it('a server that does not answer, or is not there, holds nothing up', async () => {
    const { problems, onProblem } = collectProblems();
    let address = '';
    await withServer(['silence', 'silence'], async (url) => {
      address = url;
      const started = performance.now();
      await createNotifier({ webhook: { url, timeout: 50 }, onProblem }).notify(question);
      expect(performance.now() - started).toBeLessThan(2000);
    });
    await createNotifier({ webhook: { url: address }, onProblem }).notify(question);
    const failed = `Reading or writing ${address} failed`;
    expect(problems).toEqual([`${failed}: it did not answer in time.`, `${failed}: it cannot be reached.`]);
  });

  it('a problem that cannot be reported disturbs nobody', async () => {
    const onProblem = () => {
      throw new Error('broken');
    };
    await expect(createNotifier({ desktop: { platform: 'aix' }, onProblem }).notify(question)).resolves.toBeUndefined();
  });

  it.each(['', 'me', 'file:///etc/passwd', 'ftp://x'])('%j is refused as an address', (url) => {
    expect(() => createNotifier({ webhook: { url } })).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  });

  it('no more than eight notices are under way at once', async () => {
    const { problems, onProblem } = collectProblems();
    await withServer(Array(16).fill('silence'), async (url, bodies) => {
      const notifier = createNotifier({ webhook: { url, timeout: 1500 }, onProblem });
      await Promise.all(Array.from({ length: 20 }, () => notifier.notify(question)));
      expect(bodies.length).toBe(16);
      expect(problems).toContain(`Reading or writing ${url} failed: too many notices wait for an answer.`);
    });
  });
});

const delta: RuntimeEvent = { type: 'text-delta', ...origin, text: 'x' };
const request: RuntimeEvent = {
  type: 'tool-approval-request',
  ...origin,
  requestId: 'r',
  callId: 'c',
  tool: 'write_file',
  summary: 'write a.ts',
  needs: [],
};

function turnEnd(outcome: 'done' | 'cancelled'): RuntimeEvent {
  return { type: 'turn-end', ...origin, turnId: 't', outcome, text: 'x', usage: {}, steps: 1, toolCalls: 0, milliseconds: 3 };
}

function collectProblems() {
  const problems: string[] = [];
  return { problems, onProblem: (problem: Error) => void problems.push(problem.message) };
}

/** A program that writes its arguments down, each ended by a NUL, and ends with the status. */
async function writeProgram(home: string, status: number): Promise<string> {
  const program = join(home, 'program');
  await writeFile(
    program,
    `#!/bin/sh\nprintf '%s\\0' "$@" >> '${home}/arguments'\nprintf '\\n' >> '${home}/arguments'\nexit ${status}\n`,
  );
  await chmod(program, 0o700);
  return program;
}

async function readArguments(home: string): Promise<string[][]> {
  const text = await readFile(join(home, 'arguments'), 'utf8');
  return text
    .split('\0\n')
    .slice(0, -1)
    .map((line) => line.split('\0'));
}

async function withServer(
  answers: (number | 'silence')[],
  work: (url: string, bodies: unknown[]) => Promise<void>,
): Promise<void> {
  const bodies: unknown[] = [];
  const server: Server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      bodies.push(JSON.parse(Buffer.concat(chunks).toString()));
      const answer = answers[bodies.length - 1];
      if (answer !== 'silence') outgoing.writeHead(answer ?? 500, { location: '/elsewhere' }).end('read by nobody');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
