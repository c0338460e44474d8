// `continuo team` as a user runs it: the program in a process of its own, scripted models over real HTTP, fake programs on disk.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/open-store.ts';
import { closeScripts, saidTo, startScript } from '../e2e/chat-server.ts';
import { Cli, collectResult, findProgram } from '../e2e/cli-program.ts';
import { writeFakeProgram } from '../support/fake-agent-program.ts';

closeScripts();

const human = { kind: 'human', id: 'max', name: 'Max', role: 'Owner' };
const ana = { kind: 'model', id: 'ana', name: 'Ana', displayName: '安娜', role: 'Reviewer' };

interface Deployed {
  sessionId: string;
  conversationId: string;
  resumed: boolean;
  reason: string;
  messages: { speaker: { id: string }; content: string; interrupted?: boolean }[];
  failed: { member: string; error: { code: string } }[];
  left: object[];
  snapshot: string;
  sessions: number;
}

function writeTeam(cli: Cli, members: object[], more: object = {}): string {
  const path = join(cli.folder, 'team.json');
  writeFileSync(path, JSON.stringify({ id: 'review', name: 'Review', members: [human, ...members], ...more }));
  return path;
}

/** Until what was said so far would survive: the draft of an answer is in the store. */
async function untilSaved(cli: Cli): Promise<void> {
  await using store = await openStore({ home: cli.home });
  const draft = async () => {
    const { items } = await store.list();
    const drafts = await Promise.all(items.map(({ id }) => store.findDraft(id)));
    return drafts.some((each) => each !== undefined && 'interrupted' in each && each.interrupted);
  };
  await expect.poll(draft).toBe(true);
}

/** Runs the program until its events are what is waited for and saved, then kills it. */
async function killWhile(
  cli: Cli,
  env: Record<string, string>,
  args: string[],
  isTime: (event: { type: string }) => boolean,
): Promise<object[]> {
  const child = spawn(process.execPath, [await findProgram(), ...args, '--stream-json'], {
    cwd: cli.folder,
    env: cli.environment(env),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = collectResult(child);
  const seen: object[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line) as { type: string };
    seen.push(event);
    if (isTime(event)) {
      await untilSaved(cli);
      child.kill('SIGKILL');
    }
  }
  expect(await closed).toMatchObject({ signal: 'SIGKILL' });
  return seen;
}

describe('continuo team', () => {
  it('writes a team file, checks it, and lists it', async () => {
    const cli = new Cli();
    const example = readFileSync(fileURLToPath(new URL('../../examples/teams/code-review.json', import.meta.url)), 'utf8');
    const planning = readFileSync(fileURLToPath(new URL('../../examples/teams/planning.toml', import.meta.url)), 'utf8');
    expect(await cli.json(['team', 'init'])).toMatchObject({ team: { id: 'code-review' } });
    await cli.json(['team', 'init', 'planning.team.toml', '--from', 'planning']);
    expect(JSON.parse(readFileSync(join(cli.folder, 'team.json'), 'utf8'))).toEqual({
      ...JSON.parse(example),
      $schema: undefined,
    });
    expect(readFileSync(join(cli.folder, 'planning.team.toml'), 'utf8')).toBe(planning);
    expect((await cli.failure(['team', 'init'])).error).toMatchObject({ code: 'file-exists' });
    expect(await cli.json(['team', 'check', 'team.json'])).toMatchObject({
      members: [{ id: 'owner' }, { speaks: 'offline' }, {}, {}],
    });
    expect(await cli.json(['team', 'list'])).toMatchObject({
      teams: [{ id: 'code-review', members: 4, sessions: 0 }, { id: 'planning' }],
      broken: [],
    });
  });

  it('points to a mistake by place and line, in both languages', async () => {
    const cli = new Cli();
    writeFileSync(
      join(cli.folder, 'a.toml'),
      'id = "a"\n\n[[members]]\nkind = "human"\nid = "me"\n\n[[members]]\nkind = "model"\nid = "x"\nmodle = "y"\n',
    );
    writeFileSync(
      join(cli.folder, 'b.json'),
      '{\n  "id": "b",\n  "members": [\n    { "kind": "human", "id": "me" },\n    { "kind": "model",\n      "id": "Me" }\n  ]\n}\n',
    );
    expect((await cli.failure(['team', 'check', 'a.toml'])).error).toMatchObject({
      code: 'team-invalid',
      details: { line: 10, place: 'members[1].modle', reason: 'there is no such field' },
    });
    expect((await cli.failure(['team', 'check', 'b.json'])).error).toMatchObject({
      details: { line: 6, place: 'members[1].id' },
    });
    expect((await cli.run(['team', 'check', 'a.toml', '--lang', 'zh'])).stderr).toContain(
      '第 10 行，members[1].modle：没有这个字段',
    );
    expect((await cli.failure(['team', 'deploy', 'none.json', '-p', 'x'])).error).toMatchObject({ code: 'team-not-found' });
  });

  it('deploys for a script, hints at the history, resumes only when told to, and answers in Chinese', async () => {
    const cli = new Cli();
    const { server, env } = await startScript(['One.', 'Two.', 'Three.', '四'].map((text) => ({ text })));
    writeTeam(cli, [ana], { task: 'find the leak' });
    const first = await cli.json<Deployed>(['team', 'deploy', 'team.json', '-p', 'Where?'], { env });
    expect(first).toMatchObject({ resumed: false, reason: 'turn-completed', sessions: 0, failed: [] });
    expect(first.messages.map(({ speaker, content }) => `${speaker.id}: ${content}`)).toEqual(['max: Where?', 'ana: One.']);
    expect(JSON.parse(readFileSync(first.snapshot, 'utf8').split('\n').join(''))).toBeTypeOf('object');

    const second = await cli.run(['team', 'deploy', 'team.json', '-p', 'New?'], { env });
    expect(second).toMatchObject({ code: 0, stdout: '安娜:\nTwo.\n\n' });
    expect(second.stderr).toMatch(
      /^This team has 1 session, last active .* \(2 messages\)\. This is a new one; --resume goes on\.\nSaved\. Go on with: --resume ses_/,
    );

    const third = await cli.json<Deployed>(['team', 'deploy', 'team.json', '--resume', first.sessionId, '-p', 'And now?'], {
      env,
    });
    expect(third).toMatchObject({ resumed: true, sessionId: first.sessionId, conversationId: first.conversationId, sessions: 2 });
    const prompt = saidTo(server.requests[2] as never).join('\n');
    for (const part of ['> find the leak', '> Where?', '> One.', '> And now?']) expect(prompt).toContain(part);
    expect(prompt).not.toContain('New?');

    const last = await cli.run(['team', 'deploy', 'team.json', '--resume', '-p', '最后', '--lang', 'zh'], { env });
    expect(last).toMatchObject({ code: 0, stdout: '安娜:\n四\n\n', stderr: `已保存。接着聊：--resume ${first.sessionId}\n` });
    expect(await cli.json(['team', 'history', 'review'])).toMatchObject({
      sessions: [{ sessionId: first.sessionId, messages: 6, saved: true, summary: 'find the leak' }, { messages: 2 }],
    });
    expect((await cli.failure(['team', 'deploy', 'team.json', '--resume', 'ses_x', '-p', 'x'], { env })).error).toMatchObject({
      code: 'session-not-found',
    });
  });

  it('speaks offline where no model is set, and never waits for a person', async () => {
    const cli = new Cli();
    writeTeam(cli, [ana]);
    const { code, stdout } = await cli.run(['team', 'deploy', 'team.json', '-p', 'hello there']);
    expect({ code, named: stdout.startsWith('安娜:\n') }).toEqual({ code: 0, named: true });
    expect((await cli.failure(['team', 'deploy', 'team.json'])).error).toMatchObject({ code: 'usage' });
  });

  it('stops members after the rounds and the time it is given', async () => {
    const cli = new Cli();
    const bob = { kind: 'model', id: 'bob' };
    const { env } = await startScript((request, index) =>
      JSON.stringify(request.body).includes('too slow')
        ? { text: ['slow ', 'slower'], delayBetweenChunks: 30_000 }
        : { text: `${index} [NEXT: ${index % 2 ? 'ana' : 'bob'}]` },
    );
    writeTeam(cli, [ana, bob]);
    const args = ['team', 'deploy', 'team.json', '-p'];
    const rounds = await cli.json<Deployed>([...args, '[NEXT: ana] go', '--max-rounds', '3'], { env });
    expect({ reason: rounds.reason, said: rounds.messages.length }).toEqual({ reason: 'round-limit', said: 4 });
    expect(await cli.run([...args, '[NEXT: ana] too slow', '--timeout', '1', '--quiet'], { env })).toMatchObject({ code: 1 });
    expect((await cli.failure([...args, 'x', '--max-rounds', 'many'], { env })).error).toMatchObject({ code: 'usage' });
    expect((await cli.failure(['team', 'list', '--resume'])).error).toMatchObject({ code: 'usage' });
  });
});

describe.each(['sqlite', 'jsonl'])('a team that is killed in a %s store', (driver) => {
  it('goes on with history, task and roster in the next prompt of its model', async () => {
    const cli = new Cli({ CONTINUO_DRIVER: driver });
    const { server, env } = await startScript([
      { text: ['Half of an answer ', 'never said'], delayBetweenChunks: 60_000 },
      { text: 'Again.' },
    ]);
    writeTeam(cli, [ana]);
    await killWhile(
      cli,
      env,
      ['team', 'deploy', 'team.json', '-p', '[TEAM_TASK: find the leak] Where is it?'],
      ({ type }) => type === 'text-delta',
    );
    const { sessions } = await cli.json<{ sessions: { sessionId: string }[] }>(['team', 'history', 'team.json']);
    expect(sessions).toMatchObject([{ saved: false, summary: 'find the leak' }]);
    const again = await cli.json<Deployed>(['team', 'deploy', 'team.json', '--resume', '-p', 'Go on'], { env });
    expect(again).toMatchObject({ resumed: true, sessionId: sessions[0]?.sessionId });
    const { body } = server.requests[1] as { body: { system: unknown } };
    const prompt = saidTo(server.requests[1] as never).join('\n');
    for (const part of ['> find the leak', '> Where is it?', 'cut off:\n> Half of an answer', '> Go on'])
      expect(prompt).toContain(part);
    expect(JSON.stringify(body.system)).toContain('- max (Max, a human): Owner');
  });
});

it('a killed team goes on with the own session of its program, and with everything where that is gone', async () => {
  const cli = new Cli();
  const path = writeFakeProgram(`
    const id = args.includes('--resume') ? after('--resume') : 'f00d-' + process.pid;
    const words = input();
    if (words.includes('LOSE IT') && args.includes('--resume')) process.exit(1);
    say({ type: 'system', subtype: 'init', session_id: id });
    say({ type: 'stream_event', event: { type: 'content_block_delta', delta: { type: 'text_delta', text: 'working on it' } } });
    if (words.includes('second words') && !words.includes('third words')) { setTimeout(() => {}, 60000); }
    else say({ type: 'result', subtype: 'success', is_error: false, result: 'args: ' + args.join(' ') + ' prompt: ' + words, session_id: id });
  `);
  writeTeam(cli, [{ kind: 'program', id: 'cody', program: 'claude', path, role: 'Builder' }]);
  const first = await cli.json<Deployed>(['team', 'deploy', 'team.json', '-p', '[TEAM_TASK: build it] first words']);
  expect(first.messages[1]?.content).not.toContain('--resume');
  expect(first.messages[1]?.content).toContain('- cody (cody, an AI, that is you): Builder');
  await killWhile(
    cli,
    {},
    ['team', 'deploy', 'team.json', '--resume', '-p', 'second words'],
    ({ type }) => type === 'text-delta',
  );
  const third = await cli.json<Deployed>(['team', 'deploy', 'team.json', '--resume', '-p', 'third words']);
  const said = third.messages.at(-1)?.content ?? '';
  expect(said).toMatch(/--resume f00d-\d+/);
  for (const part of ['> build it', '> second words', '> third words']) expect(said).toContain(part);
  const lost = await cli.json<Deployed>(['team', 'deploy', 'team.json', '--resume', '-p', 'LOSE IT']);
  expect(lost.messages.at(-1)?.content.split('\n')[0]).not.toContain('--resume');
  expect(lost.messages.at(-1)?.content).toContain('> first words');
});

it('goes round although one program hangs, one fails and one floods, in bounded memory', async () => {
  const cli = new Cli();
  const program = (id: string, body: string, more: object = {}) => ({
    kind: 'program',
    id,
    program: 'template',
    command: [writeFakeProgram(body)],
    ...more,
  });
  writeTeam(
    cli,
    [
      program('hang', 'setTimeout(() => {}, 600000);', { timeoutSeconds: 1 }),
      program('fail', 'process.stderr.write("no disk"); process.exit(3);'),
      program(
        'flood',
        'const line = "y".repeat(65536); (function more() { while (process.stdout.write(line)); process.stdout.once("drain", more); })();',
        { timeoutSeconds: 20 },
      ),
      program('good', 'process.stdout.write("All good.");'),
    ],
    { limits: { maxAnswerCharacters: 100_000 } },
  );
  const child = spawn(process.execPath, [await findProgram(), 'team', 'deploy', 'team.json', '-p', 'Go', '--json'], {
    cwd: cli.folder,
    env: cli.environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let peak = 0;
  const watch = setInterval(() => {
    try {
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0));
    } catch {
      // It has ended, or this system tells nothing.
    }
  }, 50);
  const { code, stdout } = await collectResult(child);
  clearInterval(watch);
  const deployed = JSON.parse(stdout) as Deployed;
  expect(code).toBe(0);
  expect(deployed.failed.map(({ member, error }) => [member, error.code])).toEqual([
    ['hang', 'timeout'],
    ['fail', 'program-failed'],
    ['flood', 'answer-too-long'],
  ]);
  expect(deployed.messages.map(({ speaker, content }) => [speaker.id, content.length])).toEqual([
    ['max', 2],
    ['flood', 100_000],
    ['good', 9],
  ]);
  expect(peak).toBeLessThan(400 * 1024);
});
