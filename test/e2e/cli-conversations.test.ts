// Conversations from the shell: what each command does, and the exact shape of what it prints for programs.
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Cli } from './cli-program.ts';

interface Saved {
  conversation: { id: string; lastSeq: number; createdAt: number; activeAt: number };
  entries: { id: string; at: number }[];
}

const nothingSwept = { purged: [], withheld: 0, removed: 0 };
const moment = expect.any(Number);

function conversation(saved: Saved, more: object = {}): object {
  const { id } = saved.conversation;
  return {
    id,
    tags: [],
    pinned: false,
    policy: { kind: 'full' },
    meta: {},
    createdAt: moment,
    activeAt: moment,
    lastSeq: 1,
    ...more,
  };
}

describe('append', () => {
  it('begins a conversation, continues it by the beginning of its id, and says what it saved', async () => {
    const cli = new Cli();
    const first = await cli.json<Saved>([
      'append',
      '怎么部署？',
      '--title',
      '部署',
      '--tag',
      'work',
      '--tag',
      'ops',
      '--agent',
      'claude',
      '--project',
      'p',
      '--team',
      't',
    ]);
    const { id } = first.conversation;
    const facts = { title: '部署', tags: ['work', 'ops'], agent: 'claude', project: 'p', team: 't' };
    expect(first).toEqual({
      conversation: conversation(first, facts),
      created: true,
      entries: [
        {
          id: expect.stringMatching(/^ent_/),
          conversationId: id,
          seq: 1,
          at: moment,
          kind: 'message',
          role: 'user',
          text: '怎么部署？',
        },
      ],
      masked: 0,
      swept: nothingSwept,
    });
    const second = await cli.json<Saved>(['append', id.slice(4, 16), '--role', 'assistant', 'With one command.']);
    expect(second).toEqual({
      conversation: conversation(first, { ...facts, lastSeq: 2 }),
      created: false,
      entries: [
        {
          id: expect.stringMatching(/^ent_/),
          conversationId: id,
          seq: 2,
          at: moment,
          kind: 'message',
          role: 'assistant',
          text: 'With one command.',
        },
      ],
      masked: 0,
      swept: nothingSwept,
    });
  });

  it('reads the text from stdin where it is "-" or missing', async () => {
    const cli = new Cli();
    const piped = await cli.json<Saved>(['append'], { input: 'first line\nsecond line\n' });
    expect(piped.entries).toMatchObject([{ text: 'first line\nsecond line' }]);
    const { id } = piped.conversation;
    expect((await cli.json<Saved>(['append', id, '-'], { input: 'dash' })).entries).toMatchObject([{ seq: 2, text: 'dash' }]);
    expect((await cli.json<Saved>(['append', id], { input: 'id alone' })).entries).toMatchObject([{ seq: 3, text: 'id alone' }]);
    expect(await cli.failure(['append', '-'], { input: Buffer.from([0xff, 0xfe, 0x41]) })).toMatchObject({
      code: 2,
      error: { code: 'usage' },
    });
    expect(await cli.failure(['append', '-'], { input: ' \n' })).toMatchObject({ code: 2, error: { code: 'usage' } });
  });

  it('masks secrets before they are written, and says how many', async () => {
    const cli = new Cli();
    const { code, stdout, stderr } = await cli.run([
      'append',
      'use sk-ant-api03-Zq3vT8wLmN5pR2xK7yB4cD9fG1hJ6sA0-Zq3vT8wLmN5pR2xK7yB4cD9fG1hJ6sA0_Zq3vT8wLmN5pAA',
    ]);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^Saved in a new conversation, cnv_\w{8}\.\n$/),
      stderr: '1 secret was masked before saving.\n',
    });
    const { entries } = await cli.json<{ entries: { text: string }[] }>(['show', 'latest']);
    expect(entries[0]?.text).not.toContain('Zq3vT8wLmN5pR2xK7yB4');
  });

  it('finds a conversation by its key or begins it', async () => {
    const cli = new Cli();
    const first = await cli.json<Saved>(['append', '--key', 'cron:nightly', '--title', 'Nightly', 'one']);
    const second = await cli.json<Saved>(['append', '--key', 'cron:nightly', '--title', 'Nightly', 'two']);
    expect(second).toMatchObject({
      conversation: { id: first.conversation.id, lastSeq: 2, key: 'cron:nightly' },
      created: false,
    });
  });

  it('keeps only what the policy allows', async () => {
    const cli = new Cli();
    const ttl = await cli.json<Saved>(['append', '--policy', 'ttl:30d:delete', 'x']);
    expect(ttl.conversation).toMatchObject({ policy: { kind: 'ttl', milliseconds: 30 * 24 * 3_600_000, afterwards: 'delete' } });
    const none = await cli.json<Saved>(['append', '--policy', 'none', 'x']);
    expect(none).toMatchObject({ entries: [], conversation: { lastSeq: 0 } });
    expect(await cli.failure(['append', '--policy', 'ttl', 'x'])).toMatchObject({ code: 2, error: { code: 'usage' } });
  });

  it('refuses what makes no sense, and helps where the quotes were forgotten', async () => {
    const cli = new Cli();
    await cli.run(['append', 'something']);
    expect(await cli.run(['append', 'hello', 'world'])).toEqual({
      code: 3,
      signal: null,
      stdout: '',
      stderr:
        'If that was meant as text, put all of it in quotes: continuo append "…"\n' +
        'Error: No conversation matches "hello". See what is stored with "continuo list --all".\n',
    });
    expect(await cli.failure(['append', 'latest', '--title', 't', 'x'])).toMatchObject({ code: 2, error: { code: 'usage' } });
    expect(await cli.failure(['append', 'latest', '--role', 'robot', 'x'])).toEqual({
      code: 2,
      error: { code: 'usage', message: '--role must be one of user, assistant, system, not "robot".', details: {} },
    });
  });
});

describe('list', () => {
  it('gives a page with previews, and the next page by its cursor', async () => {
    const cli = new Cli();
    await using store = await cli.open();
    const older = await store.create({ title: 'Titled', createdAt: 1_000 });
    const newer = await store.create({ createdAt: 2_000 });
    await store.append(newer.id, { kind: 'message', role: 'user', text: '\n first line \nsecond', at: 3_000 });
    const page = await cli.json<{ nextCursor: string }>(['list', '--limit', '1']);
    expect(page).toEqual({
      conversations: [{ ...newer, activeAt: 3_000, lastSeq: 1, preview: 'first line' }],
      nextCursor: expect.any(String),
    });
    expect(await cli.json(['list', '--limit', '1', '--cursor', page.nextCursor])).toEqual({
      conversations: [older],
      nextCursor: null,
    });
  });

  it('narrows by every flag', async () => {
    const cli = new Cli();
    await using store = await cli.open();
    const now = Date.now();
    const hour = 3_600_000;
    const wanted = await store.create({
      title: 'Wanted',
      key: 'k:1',
      project: 'p',
      team: 't',
      agent: 'a',
      tags: ['x'],
      pinned: true,
      createdAt: now - 5 * hour,
    });
    const other = await store.create({ title: 'Other', createdAt: now - 50 * hour });
    const gone = await store.create({ title: 'Gone', createdAt: now - 5 * hour });
    await store.trash(gone.id);
    const fork = await store.fork(other.id, { title: 'Fork' });
    const listed = async (...flags: string[]) =>
      (await cli.json<{ conversations: { title: string }[] }>(['list', ...flags])).conversations.map(({ title }) => title);
    const filters = [
      ['--project', 'p'],
      ['--key', 'k:1'],
      ['--team', 't'],
      ['--agent', 'a'],
      ['--tag', 'x'],
      ['--title', 'WANT'],
      ['--pinned'],
    ];
    expect(await listed(...filters.flat())).toEqual(['Wanted']);
    expect(await listed('--since', '24h', '--before', '1h')).toEqual(['Wanted']);
    expect(await listed('--before', '1d')).toEqual(['Other']);
    expect(await listed('--trash')).toEqual(['Gone']);
    expect((await listed('--all')).sort()).toEqual(['Fork', 'Gone', 'Other', 'Wanted']);
    expect(await listed('--forks-of', other.id)).toEqual(['Fork']);
    expect(wanted.id).not.toBe(fork.id);
  });

  it('refuses a value it does not understand', async () => {
    const cli = new Cli();
    const codes = async (...args: string[]) => (await cli.run(['list', ...args])).code;
    expect(await codes('--since', 'whenever')).toBe(2);
    expect(await codes('--limit', '0')).toBe(2);
    expect(await codes('--limit', '1001')).toBe(2);
    expect(await codes('--cursor', 'nonsense')).toBe(2);
  });
});

describe('show', () => {
  it('gives the tail, pages back, and never more than was asked for', async () => {
    const cli = new Cli();
    await using store = await cli.open();
    const { id } = await store.create({ title: 'Long' });
    await store.append(
      id,
      Array.from({ length: 45 }, (_, i) => ({
        kind: 'message' as const,
        role: 'user' as const,
        text: `text ${i + 1}`,
        at: 1_000 + i,
      })),
    );
    const shown = async (...flags: string[]) => {
      const { before, entries } = await cli.json<{ before: number | null; entries: { seq: number }[] }>(['show', id, ...flags]);
      return { before, from: entries[0]?.seq, to: entries.at(-1)?.seq, count: entries.length };
    };
    expect(await shown()).toEqual({ before: 26, from: 26, to: 45, count: 20 });
    expect(await shown('--before', '26')).toEqual({ before: 6, from: 6, to: 25, count: 20 });
    expect(await shown('--before', '6')).toEqual({ before: null, from: 1, to: 5, count: 5 });
    expect(await shown('--all')).toEqual({ before: null, from: 1, to: 45, count: 45 });
    expect(await cli.json(['show', id, '--tail', '1'])).toEqual({
      conversation: {
        id,
        title: 'Long',
        tags: [],
        pinned: false,
        policy: { kind: 'full' },
        meta: {},
        createdAt: moment,
        activeAt: moment,
        lastSeq: 45,
      },
      before: 45,
      entries: [
        {
          id: expect.stringMatching(/^ent_/),
          conversationId: id,
          seq: 45,
          at: 1_044,
          kind: 'message',
          role: 'user',
          text: 'text 45',
        },
      ],
    });
  });
});

describe('rename, tag, pin', () => {
  it('change one thing each and give the conversation back', async () => {
    const cli = new Cli();
    const saved = await cli.json<Saved>(['append', 'x']);
    expect(await cli.json(['rename', 'latest', ' 新标题 '])).toEqual({ conversation: conversation(saved, { title: '新标题' }) });
    expect(await cli.json(['rename', 'latest', ''])).toEqual({ conversation: conversation(saved) });
    expect(await cli.json(['tag', 'latest', 'work', '#紧急'])).toEqual({
      conversation: conversation(saved, { tags: ['work', '紧急'] }),
    });
    expect(await cli.json(['tag', 'latest', '--remove', 'work'])).toEqual({
      conversation: conversation(saved, { tags: ['紧急'] }),
    });
    expect((await cli.run(['tag', 'latest'])).stdout).toMatch(/^cnv_\w+ has the tags #紧急\n$/);
    expect(await cli.json(['pin', 'latest'])).toEqual({ conversations: [conversation(saved, { tags: ['紧急'], pinned: true })] });
    expect(await cli.json(['pin', 'latest', '--off'])).toEqual({ conversations: [conversation(saved, { tags: ['紧急'] })] });
  });
});

describe('fork', () => {
  it('shares what came before, at a position or at an entry', async () => {
    const cli = new Cli();
    const saved = await cli.json<Saved>(['append', 'one']);
    const { id } = saved.conversation;
    await cli.run(['append', id, 'two']);
    const fork = await cli.json<{ conversation: { id: string } }>(['fork', id, '--at', '1', '--title', 'Plan B']);
    const expected = { ...conversation(saved), id: expect.stringMatching(/^cnv_/), title: 'Plan B', forkedFrom: { id, seq: 1 } };
    expect(fork).toEqual({ conversation: expected });
    const entryId = saved.entries[0]?.id as string;
    expect(await cli.json(['fork', id, '--at', entryId])).toMatchObject({ conversation: { forkedFrom: { id, seq: 1 } } });
    expect(await cli.json(['fork', entryId])).toMatchObject({ conversation: { forkedFrom: { id, seq: 1 } } });
    const { entries } = await cli.json<{ entries: object[] }>(['show', fork.conversation.id]);
    expect(entries).toMatchObject([{ text: 'one' }]);
    expect(await cli.failure(['fork', id, '--at', '3'])).toMatchObject({ code: 3, error: { code: 'entry-not-found' } });
    const stranger = await cli.json<Saved>(['append', 'stranger']);
    expect(await cli.failure(['fork', id, '--at', stranger.entries[0]?.id as string])).toMatchObject({
      code: 3,
      error: { code: 'entry-not-found' },
    });
  });
});

describe('trash, restore, purge', () => {
  it('put aside, take back, and remove for good only what is in the trash and confirmed', async () => {
    const cli = new Cli();
    const saved = await cli.json<Saved>(['append', 'x', '--key', 'k']);
    const { id } = saved.conversation;
    expect(await cli.failure(['purge', id, '--yes'])).toMatchObject({
      code: 4,
      error: { code: 'not-in-trash', details: { id } },
    });
    const trashed = await cli.json<{ conversations: { trashedAt: number }[] }>(['trash', id]);
    const { trashedAt } = trashed.conversations[0] as { trashedAt: number };
    const inTrash = conversation(saved, { key: 'k', trashedAt, purgeAt: trashedAt + 30 * 24 * 3_600_000 });
    expect(trashed).toEqual({ conversations: [inTrash], swept: nothingSwept });
    expect(await cli.json(['list', '--trash'])).toEqual({ conversations: [{ ...inTrash, preview: 'x' }], nextCursor: null });
    expect(await cli.failure(['append', id, 'more'])).toMatchObject({ code: 4, error: { code: 'conversation-trashed' } });
    expect(await cli.json(['restore', id])).toEqual({ conversations: [conversation(saved, { key: 'k' })] });
    await cli.run(['trash', id]);
    expect(await cli.failure(['purge', id])).toEqual({
      code: 4,
      error: { code: 'not-confirmed', message: expect.any(String), details: {} },
    });
    expect(await cli.json(['purge', id, '--yes'])).toEqual({
      purged: [id],
      sessionFiles: [],
      subAgents: [],
      swept: nothingSwept,
    });
    expect(await cli.json(['list', '--all'])).toEqual({ conversations: [], nextCursor: null });
  });

  it('spares a conversation whose text a fork shares, unless the fork may go too', async () => {
    const cli = new Cli();
    const { conversation: origin } = await cli.json<Saved>(['append', 'x']);
    const { conversation: fork } = await cli.json<Saved>(['fork', origin.id]);
    await cli.run(['trash', origin.id]);
    expect(await cli.failure(['purge', origin.id, '--yes'])).toMatchObject({
      code: 4,
      error: { code: 'has-forks', details: { count: 1, forks: [fork.id] } },
    });
    expect(await cli.json(['purge', origin.id, '--yes', '--with-forks'])).toEqual({
      purged: [fork.id, origin.id],
      sessionFiles: [],
      subAgents: [],
      swept: nothingSwept,
    });
  });

  it('tell until when and how to get back what was trashed, and do nothing at all if one name is wrong', async () => {
    const cli = new Cli();
    await cli.run(['append', 'x', '--title', 'Mine', '--key', 'k']);
    expect(await cli.run(['trash', 'k', 'nobody'])).toMatchObject({ code: 3 });
    expect(await cli.json(['list', '--trash'])).toEqual({ conversations: [], nextCursor: null });
    const until = new Date(Date.now() + 30 * 24 * 3_600_000).toISOString().slice(0, 10);
    const { stdout } = await cli.run(['trash', 'k']);
    expect(stdout).toMatch(
      new RegExp(
        `^cnv_\\w+ \\(Mine\\) is in the trash and can be restored until ${until}\\.\nTake it back with: continuo restore cnv_\\w+\n$`,
      ),
    );
  });
});

describe('what is due', () => {
  it('goes after a command that writes, with one line about it', async () => {
    const cli = new Cli();
    const day = 24 * 3_600_000;
    await using store = await cli.open();
    const old = await store.create({ policy: { kind: 'ttl', milliseconds: 1000, afterwards: 'headers-only' } });
    await store.append(old.id, { kind: 'message', role: 'user', text: 'short-lived', at: Date.now() - day });
    const { stderr } = await cli.run(['append', 'x']);
    expect(stderr).toBe('Removed, as announced: the text of 1 entry.\n');
    const { entries } = await cli.json<{ entries: object[] }>(['show', old.id]);
    expect(entries).toMatchObject([{ text: '', withheld: { characters: 11 } }]);
  });

  it('can be previewed: sweep --dry-run changes nothing', async () => {
    const cli = new Cli({ CONTINUO_TRASH_GRACE_DAYS: '0' });
    const { conversation: first } = await cli.json<Saved>(['append', 'x']);
    await cli.run(['trash', first.id]);
    const kept = { sessionFiles: [], keptForForks: [], expiring: 0, withheld: 0, removed: 0 };
    expect(await cli.json(['sweep', '--dry-run'])).toEqual({ dryRun: true, purged: [first.id], ...kept });
    expect(await cli.json(['sweep', '--dry-run'])).toEqual({ dryRun: true, purged: [first.id], ...kept });
    expect(await cli.json(['sweep'])).toEqual({ dryRun: false, purged: [first.id], ...kept });
    expect(await cli.json(['sweep'])).toEqual({ dryRun: false, purged: [], ...kept });
  });
});

describe('export', () => {
  it('writes json, jsonl and md with the same entries', async () => {
    const cli = new Cli();
    const saved = await cli.json<Saved>(['append', '你好', '--title', 'Talk']);
    const { id } = saved.conversation;
    await cli.run(['append', id, '--role', 'assistant', 'fence: ``` end']);
    const whole = JSON.parse((await cli.run(['export', id])).stdout) as { entries: object[]; conversation: object };
    const head = {
      format: 'continuo-conversation',
      version: 1,
      exportedAt: moment,
      conversation: conversation(saved, { title: 'Talk', lastSeq: 2 }),
    };
    expect(whole).toEqual({
      ...head,
      entries: [expect.objectContaining({ seq: 1, text: '你好' }), expect.objectContaining({ seq: 2 })],
    });
    const lines = (await cli.run(['export', id, '--to', 'jsonl'])).stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toEqual([head, ...whole.entries]);
    const page = (await cli.run(['export', id, '--to', 'md'])).stdout;
    expect(page.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'WHEN')).toBe(
      `# Talk\n\n- Id: \`${id}\`\n- Created: WHEN\n\n## user · WHEN\n\n你好\n\n## assistant · WHEN\n\nfence: \`\`\` end\n`,
    );
  });

  it('makes a private file, by its name in the right format, and never overwrites one unasked', async () => {
    const cli = new Cli();
    await cli.run(['append', 'x']);
    const file = join(cli.folder, 'talk.md');
    const done = { file, bytes: expect.any(Number), format: 'md', entries: 1 };
    expect(await cli.json(['export', 'latest', '-o', 'talk.md'])).toEqual(done);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await writeFile(file, 'precious');
    expect(await cli.failure(['export', 'latest', '-o', 'talk.md'])).toEqual({
      code: 4,
      error: {
        code: 'file-exists',
        message: `${file} exists already. Choose another name, or overwrite it with --force.`,
        details: { path: file },
      },
    });
    expect(await readFile(file, 'utf8')).toBe('precious');
    expect(await cli.json(['export', 'latest', '-o', 'talk.md', '--force'])).toEqual(done);
    expect(await readFile(file, 'utf8')).toMatch(/^# /);
    expect(await cli.failure(['export', 'latest', '-o', 'no/such/folder/x.json'])).toMatchObject({
      code: 5,
      error: { code: 'io-failed' },
    });
    expect(await cli.failure(['export', 'latest', '--to', 'md'])).toMatchObject({ code: 2, error: { code: 'usage' } });
  });
});

describe('names of conversations', () => {
  it('are found by prefix, key and "latest"; a prefix of several is refused with its count', async () => {
    const cli = new Cli();
    const { conversation: first } = await cli.json<Saved>(['append', 'a', '--key', 'a:b']);
    const { conversation: second } = await cli.json<Saved>(['append', 'b']);
    const found = async (name: string) => (await cli.json<Saved>(['show', name])).conversation.id;
    expect([
      await found(first.id.slice(0, 20)),
      await found(first.id.slice(4, 20).toUpperCase()),
      await found('a:b'),
      await found('latest'),
    ]).toEqual([first.id, first.id, first.id, second.id]);
    expect(await cli.failure(['show', 'cnv_0'])).toEqual({
      code: 3,
      error: {
        code: 'ambiguous-id',
        message: '"cnv_0" matches 2 conversations. Give more characters of the id.',
        details: { prefix: 'cnv_0', count: 2, ids: [first.id, second.id] },
      },
    });
    expect(await cli.failure(['show', 'nobody'])).toMatchObject({
      code: 3,
      error: { code: 'conversation-not-found', details: { id: 'nobody' } },
    });
  });
});
