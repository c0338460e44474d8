// The program among other processes: many at once, a writer in the way, closed pipes, signals, and a person at a terminal.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { relative } from 'node:path';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { FileSystemStorageService } from '../../src/snapshot/file-system-storage-service.ts';
import { needs } from '../support/require-system.ts';
import { createSnapshot } from '../support/session-snapshots.ts';
import { Cli, collectResult, findProgram, type Result } from './cli-program.ts';

interface Saved {
  conversation: { id: string };
}

describe('many processes', () => {
  it('append to one conversation and to their own at the same moment: nothing is lost, nobody is refused', async () => {
    const cli = new Cli();
    const { conversation } = await cli.json<Saved>(['append', 'start']);
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, i) => cli.run(i % 2 ? ['append', conversation.id, `shared ${i}`] : ['append', `own ${i}`])),
    );
    expect(results.map(({ code, stderr }) => ({ code, stderr }))).toEqual(results.map(() => ({ code: 0, stderr: '' })));
    const { entries } = await cli.json<{ entries: { seq: number; text: string }[] }>(['show', conversation.id]);
    expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect(entries.map(({ text }) => text).sort()).toEqual(['shared 1', 'shared 3', 'shared 5', 'shared 7', 'start']);
    expect(await cli.json(['stats'])).toMatchObject({ conversations: 5, entries: 9 });
  });

  it('begin a new home together', async () => {
    const cli = new Cli();
    const results = await Promise.all(Array.from({ length: 4 }, (_, i) => cli.run(['append', '--key', 'same', `text ${i}`])));
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(await cli.json(['stats'])).toMatchObject({ conversations: 1, entries: 4 });
  });
});

describe('a conversation somebody else writes', () => {
  it('names the writer; it can be read, waited for, or forked', async () => {
    const cli = new Cli();
    const { conversation } = await cli.json<Saved>(['append', 'x']);
    await using store = await cli.open();
    const lease = await store.acquireLease((await store.get(conversation.id)).id, { owner: 'the editor' });
    expect(await cli.failure(['append', conversation.id, 'y'])).toMatchObject({
      code: 4,
      error: { code: 'conversation-locked', details: { id: conversation.id, owner: 'the editor', pid: process.pid } },
    });
    expect((await cli.run(['show', conversation.id])).code).toBe(0);
    expect((await cli.run(['fork', conversation.id])).code).toBe(0);
    const waiting = cli.run(['append', conversation.id, 'y', '--wait', '20s']);
    setTimeout(() => void lease.release(), 500);
    expect((await waiting).code).toBe(0);
  });
});

describe('show --follow', () => {
  it('prints what other processes say, until Ctrl-C, with exit code 130', async () => {
    const cli = new Cli();
    const { conversation } = await cli.json<Saved>(['append', 'before']);
    const child = spawn(process.execPath, [await findProgram(), 'show', conversation.id, '--follow', '--json'], {
      env: cli.environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const result = collectResult(child);
    const words = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    await words.next();
    await cli.run(['append', conversation.id, 'after']);
    await words.next();
    child.kill('SIGINT');
    const { code, stdout, stderr } = await result;
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
    const [head = '', followed = ''] = stdout.trimEnd().split('\n');
    expect(JSON.parse(head)).toMatchObject({ before: null, entries: [{ seq: 1 }] });
    expect(JSON.parse(followed)).toMatchObject({ seq: 2, text: 'after' });
  });
});

describe('a reader that goes away', () => {
  it('ends the program quietly', async () => {
    const cli = new Cli();
    await using store = await cli.open();
    const { id } = await store.create();
    await store.append(
      id,
      Array.from({ length: 3000 }, (_, i) => ({ kind: 'message' as const, role: 'user' as const, text: `${i} `.repeat(50) })),
    );
    const command = `"${process.execPath}" "${await findProgram()}" export ${id} --to jsonl | head -n 1 | cut -c1-10; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', command], { env: cli.environment(), encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: '{"format":\n0\n', stderr: '' });
  });
});

describe('an interrupted export', () => {
  it('leaves no half file behind', async () => {
    const cli = new Cli();
    await using store = await cli.open();
    const { id } = await store.create();
    const words = Array.from({ length: 1000 }, () => ({
      kind: 'message' as const,
      role: 'user' as const,
      text: 'many words '.repeat(1000),
    }));
    await store.append(id, words);
    const child = spawn(process.execPath, [await findProgram(), 'export', id, '-o', 'talk.json'], {
      cwd: cli.folder,
      env: cli.environment(),
    });
    const result = collectResult(child);
    await expect.poll(async () => (await readdir(cli.folder)).length, { interval: 5, timeout: 20_000 }).toBeGreaterThan(1);
    child.kill('SIGINT');
    const { code } = await result;
    // Where the machine was faster than the signal, the whole file must be there.
    expect(await readdir(cli.folder)).toEqual(code === 130 ? ['home'] : ['home', 'talk.json']);
    expect([0, 130]).toContain(code);
  });
});

const hasScript = spawnSync('script', ['--version']).status === 0;
const suite = needs(hasScript, 'script (bsdutils or util-linux), which gives a program a terminal');

describe.runIf(suite)('at a terminal', () => {
  it('shows colours and fits the width', async () => {
    const cli = new Cli();
    await cli.run(['append', 'x', '--title', '很长的标题'.repeat(30)]);
    const { stdout } = await atTerminal(cli, ['list'], '', 60);
    expect(stdout).toContain('\x1b[1m');
    expect(stdout).toContain('…');
  });

  it('asks before it purges, and takes nothing but a yes for a yes', async () => {
    const cli = new Cli();
    await cli.run(['append', 'x', '--title', 'Precious', '--key', 'k']);
    await cli.run(['trash', 'k']);
    const refused = await atTerminal(cli, ['purge', 'k'], 'n\n');
    expect(refused.code).toBe(4);
    expect(refused.stdout).toContain('Precious');
    expect(refused.stdout).toContain('Remove for good? [y/N]');
    expect((await atTerminal(cli, ['purge', 'k', '--lang', 'zh'], '\n')).stdout).toContain('确定彻底删除吗？');
    expect(await cli.json(['list', '--trash'])).toMatchObject({ conversations: [{ title: 'Precious' }] });
    const done = await atTerminal(cli, ['purge', 'k'], 'y\n');
    expect(done.code).toBe(0);
    expect(done.stdout).toContain('1 conversation removed for good.');
  });

  it('names the session files of a team before it purges', async () => {
    const cli = new Cli();
    const store = await cli.open();
    const { id } = await store.create({ key: 'team-session:ses_1', team: 'review' });
    await store.trash(id);
    await store.close();
    const storage = new FileSystemStorageService({ home: cli.home });
    const metadata = { messageCount: 3, log: { conversationId: id, seq: 0 } };
    const { path } = await storage.saveSession('review', createSnapshot(3, { metadata }));
    const asked = await atTerminal(cli, ['purge', 'team-session:ses_1'], 'n\n');
    expect(asked.stdout).toContain('With 1 session file of a team:');
    expect(asked.stdout).toContain(relative(cli.home, path));
    expect(existsSync(path)).toBe(true);
  });

  it('asks for the passphrase without showing it, again after a slip', async () => {
    const cli = new Cli();
    await cli.run(['append', 'hidden words']);
    const made = await atTerminal(cli, ['encrypt'], 'open sesame\nopen sesame\n');
    expect(made.code).toBe(0);
    expect(made.stdout).not.toContain('sesame');
    const shown = await atTerminal(cli, ['show', 'latest'], 'wrong\nopen sesamx\x7fe\n');
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('That is not the passphrase of this store. Try again.');
    expect(shown.stdout).toContain('hidden words');
    expect(shown.stdout).not.toContain('sesam');
    expect((await atTerminal(cli, ['list'], '\x03')).code).toBe(130);
  });

  it('prints JSON that is nice to read', async () => {
    const cli = new Cli();
    const { stdout } = await atTerminal(cli, ['config', 'path', '--json'], '');
    expect(stdout.replaceAll('\r', '')).toBe(`{\n  "file": "${cli.home}/conversation.toml"\n}\n`);
  });
});

/** The program on a pseudo-terminal; what is typed is typed when it asks, line by line. */
async function atTerminal(cli: Cli, args: string[], typed: string, columns = 100): Promise<Result> {
  const words = [process.execPath, await findProgram(), ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', `stty cols ${columns}; ${words}`, '/dev/null'], {
    env: cli.environment({ TERM: 'xterm-256color' }),
    cwd: cli.folder,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const answers = typed.match(/[^\n]*\n|[^\n]+/g) ?? [];
  child.stdout.on('data', (text: Buffer) => {
    // Every question ends with a colon or with the choice, and a space.
    if (/(?:[:：]|\[y\/N\]) $/.test(stripVTControlCharacters(text.toString())) && answers.length > 0)
      child.stdin.write((answers.shift() as string).replace('\n', '\r'));
  });
  return collectResult(child);
}
