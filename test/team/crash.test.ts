// Killed at any moment, a team loses nothing that it told: every message that was announced is there when the session goes on.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { closeScripts, startScript } from '../e2e/chat-server.ts';
import { Cli, collectResult, findProgram } from '../e2e/cli-program.ts';
import { makeTeam, openTeamBench } from './workbench.ts';

closeScripts();

const members = [
  { kind: 'human', id: 'max' },
  { kind: 'model', id: 'ana' },
  { kind: 'model', id: 'bob' },
];

describe('kill -9', () => {
  // By number of announced messages: at the start, in the middle, between saves.
  it.each([2, 9, 23])('after %i messages leaves all of them, and the order', async (count) => {
    const cli = new Cli();
    const limits = { maxRounds: 500, saveEvery: 5 };
    writeFileSync(join(cli.folder, 'team.json'), JSON.stringify({ id: 'review', members, limits }));
    const { env } = await startScript((_, index) => ({ text: `[NEXT: ${index % 2 ? 'ana' : 'bob'}] message ${index}` }));
    const child = spawn(
      process.execPath,
      [await findProgram(), 'team', 'deploy', 'team.json', '-p', '[NEXT: ana] go', '--stream-json'],
      {
        cwd: cli.folder,
        env: cli.environment(env),
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const closed = collectResult(child);
    const announced: string[] = [];
    let sessionId = '';
    for await (const line of createInterface({ input: child.stdout })) {
      // The last line may be torn.
      if (!line.endsWith('}')) continue;
      const event = JSON.parse(line) as { type: string; sessionId: string; message?: { content: string } };
      sessionId = event.sessionId;
      if (event.type === 'message') announced.push(event.message?.content ?? '');
      if (announced.length === count) child.kill('SIGKILL');
    }
    expect(await closed).toMatchObject({ signal: 'SIGKILL' });
    const { coordinator, said } = await openTeamBench({ home: cli.home });
    await coordinator.setTeam(makeTeam(), { resumeSessionId: sessionId });
    const kept = said().map((text) => text.replace(/^\w+: /, ''));
    expect(announced.length).toBeGreaterThanOrEqual(count);
    expect(kept.slice(0, announced.length)).toEqual(announced);
    expect(kept[0]).toBe('go');
    // The last may be an answer that was cut off.
    expect(kept.slice(1).filter((text, i) => !`message ${i}`.startsWith(text))).toEqual([]);
  });
});
