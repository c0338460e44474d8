// kill -9 in the middle of a streamed answer: what had been acknowledged is there afterwards, marked, and the talk goes on.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { closeScripts, saidTo, startScript } from './chat-server.ts';
import { Cli, collectResult, findProgram } from './cli-program.ts';

closeScripts();

const pieces = Array.from({ length: 200 }, (_, i) => `piece ${i}, `);
const whole = pieces.join('');

interface Shown {
  entries: { kind: string; role?: string; text: string; interrupted?: boolean; name?: string; code?: string; turnId: string }[];
}

interface Killed {
  conversationId: string;
  /** How many characters of the answer had been acknowledged as saved. */
  saved: number;
  /** What had been shown of it. */
  shown: string;
}

describe.each(['sqlite', 'jsonl'])('a killed answer in a %s store', (driver) => {
  // By number of acknowledgements: after the first, in the middle, after many.
  it.each([1, 3, 8])('is kept as far as it was acknowledged (%i times)', async (times) => {
    const cli = new Cli({ CONTINUO_DRIVER: driver });
    const { server, env } = await startScript([{ text: pieces, delayBetweenChunks: 10 }, { text: 'Here I am again.' }]);
    const { conversationId, saved, shown } = await killWhile(
      cli,
      env,
      'Tell me everything',
      ({ acknowledged }) => acknowledged >= times,
    );
    expect(saved).toBeGreaterThan(0);

    const again = await cli.run(['chat', '-p', 'Go on', '--resume', conversationId], { env });
    expect(again).toEqual({
      code: 0,
      signal: null,
      stdout: 'Here I am again.\n',
      stderr: 'The last answer was interrupted. What had been saved of it is there, marked as interrupted.\n',
    });
    const { entries } = await cli.json<Shown>(['show', conversationId, '--all']);
    const kept = entries[2]?.text ?? '';
    expect(
      entries.map(({ kind, role, name, code, text, interrupted }) => ({ what: role ?? name ?? kind, code, text, interrupted })),
    ).toEqual([
      { what: 'user', text: 'Tell me everything' },
      { what: 'turn-start', text: '' },
      { what: 'assistant', text: kept, interrupted: true },
      { what: 'turn-end', code: 'interrupted', text: '' },
      { what: 'user', text: 'Go on' },
      { what: 'turn-start', text: '' },
      { what: 'assistant', text: 'Here I am again.' },
      { what: 'turn-end', code: 'done', text: '' },
    ]);
    expect(kept.length).toBeGreaterThanOrEqual(saved);
    expect(whole.startsWith(kept)).toBe(true);
    // Nothing is kept that had not come; what was shown may be a write ahead of what is kept.
    expect(shown.startsWith(kept) || kept.startsWith(shown)).toBe(true);
    expect(saidTo(server.requests[1] as never)).toEqual(['user: Tell me everything', `assistant: ${kept}`, 'user: Go on']);
  });

  it('before its first word leaves the question, and says so', async () => {
    const cli = new Cli({ CONTINUO_DRIVER: driver });
    // The program may be killed before its request is on its way.
    const { env } = await startScript((request) =>
      JSON.stringify(request.body).includes('Hello?') ? { text: 'Now.' } : { fault: { type: 'hang', after: 0 } },
    );
    const { conversationId } = await killWhile(cli, env, 'Anybody?', ({ types }) => types.includes('step-start'));
    const again = await cli.run(['chat', '-p', 'Hello?', '--continue'], { env });
    expect(again).toMatchObject({ code: 0, stdout: 'Now.\n' });
    expect(again.stderr).toContain('interrupted before any of its answer was saved');
    const { entries } = await cli.json<Shown>(['show', conversationId, '--all']);
    expect(entries.filter(({ kind }) => kind === 'message').map(({ text }) => text)).toEqual(['Anybody?', 'Hello?', 'Now.']);
  });
});

/** Says something and kills the program as soon as its events are what is waited for. */
async function killWhile(
  cli: Cli,
  env: Record<string, string>,
  said: string,
  isTime: (seen: { acknowledged: number; types: string[] }) => boolean,
): Promise<Killed> {
  const child = spawn(process.execPath, [await findProgram(), 'chat', '-p', said, '--stream-json'], {
    cwd: cli.folder,
    env: cli.environment(env),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = collectResult(child);
  const killed: Killed = { conversationId: '', saved: 0, shown: '' };
  const types: string[] = [];
  let acknowledged = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line) as { type: string; conversationId: string; characters: number; text: string };
    types.push(event.type);
    killed.conversationId = event.conversationId;
    if (event.type === 'text-delta') killed.shown += event.text;
    if (event.type === 'text-saved') {
      acknowledged += 1;
      killed.saved = event.characters;
    }
    if (isTime({ acknowledged, types })) child.kill('SIGKILL');
  }
  expect(await closed).toMatchObject({ signal: 'SIGKILL' });
  return killed;
}
