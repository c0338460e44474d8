// What a format can carry survives being written and read again; what it cannot is counted as lost, as docs/formats/transcripts.md lists it.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { NewEntry } from '../../src/model/entry.ts';
import { claudeCodeFormat } from '../../src/transcripts/claude-code/claude-code-format.ts';
import { codexFormat } from '../../src/transcripts/codex/codex-format.ts';
import type {
  OutgoingEntry,
  OutgoingSession,
  TranscriptFormat,
  TranscriptItem,
  WrittenTranscript,
} from '../../src/transcripts/transcript-format.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';
import { entriesOf, findSources, headerOf, listEntry, readItems } from './listing.ts';
import { claudeFixtures, codexFixtures, fixtures } from './workbench.ts';

const claudeRoots = [claudeFixtures, join(fixtures, 'claude/made-by-hand/projects')];
const codexRoots = [codexFixtures, join(fixtures, 'codex/made-by-hand/0.80.0/sessions')];

function outgoing(items: readonly TranscriptItem[]): OutgoingSession {
  const { title, cwd = '/', branch, model, createdAt = 0 } = headerOf(items);
  const entries = entriesOf(items).map(({ id, entry }) => {
    const covers = entry.kind === 'summary' ? { covers: { from: 1, to: 1 } } : {};
    return { ...entry, ...covers, meta: { ...entry.meta, foreignId: id } } as OutgoingEntry;
  });
  return { title, cwd, branch, model, createdAt, entries };
}

async function writeAndRead(format: TranscriptFormat, session: OutgoingSession) {
  const root = createQuickFolder('round-trip');
  const written = (await format.write?.(session, { root })) as WrittenTranscript;
  const sources = await findSources(format, root);
  expect(sources.map(({ id, path }) => [id, path])).toEqual([[written.id, written.files[0]]]);
  return { written, root, items: await readItems(format, sources[0] as never) };
}

/** What is compared: everything but the ids of records and turns, which are new. */
const listed = (entries: readonly (NewEntry | OutgoingEntry)[]) => entries.map(listEntry);
const carriedBy = {
  'claude-code': () => true,
  codex: ({ kind }: { kind: string }) => kind !== 'thinking',
};

const cases = [
  { format: claudeCodeFormat, roots: claudeRoots, carries: carriedBy['claude-code'] },
  { format: codexFormat, roots: codexRoots, carries: carriedBy.codex },
];

describe.each(cases)('$format.label', ({ format, roots, carries }) => {
  it('reads what it wrote of its own sessions', async () => {
    for (const root of roots)
      for (const source of await findSources(format, root)) {
        const items = await readItems(format, source);
        const session = outgoing(items);
        const { written, items: again } = await writeAndRead(format, session);
        const all = [...(session.entries as OutgoingEntry[])];
        const carried = all.filter(carries);
        expect(listed(entriesOf(again).map(({ entry }) => entry as NewEntry))).toEqual(listed(carried));
        expect(written).toMatchObject({ entries: carried.length });
        expect(Object.values(written.lost).reduce((sum, count) => sum + count, 0)).toBe(all.length - carried.length);
        const { cwd, branch, model, createdAt, title } = headerOf(again);
        const had = headerOf(items);
        expect({ cwd, branch }).toEqual({ cwd: had.cwd, branch: had.branch });
        // Titles of Codex stand in an index of its own, and a model it was told of it would go on with, whoever's it is. The moment a
        // session of Claude Code began is that of its first record.
        if (format === codexFormat) expect({ createdAt, model }).toEqual({ createdAt: had.createdAt, model: undefined });
        else expect({ title, model }).toEqual({ title: had.title, model: had.model });
      }
  });

  it('writes a file for its owner only, and never over another', async () => {
    const root = createQuickFolder('round-trip');
    const entries: OutgoingEntry[] = [{ kind: 'message', role: 'user', text: 'Hello', at: 1_700_000_000_000 }];
    const session = { cwd: '/home/dev/code/x y', createdAt: 1_700_000_000_000, entries };
    const id = '01a1dc9a-0aa9-4eb3-a49e-b212ebbf6400';
    const written = (await format.write?.(session, { root, id })) as WrittenTranscript;
    const path = written.files[0] as string;
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const before = readFileSync(path);
    await expect(format.write?.(session, { root, id })).rejects.toMatchObject({ code: 'file-exists' });
    expect(readFileSync(path)).toEqual(before);
  });
});

describe('a conversation of another agent', () => {
  it('becomes a session of Codex with every word and call, and of Claude Code too', async () => {
    const [source] = (await findSources(claudeCodeFormat, claudeFixtures)).filter(({ id }) => id.startsWith('90258489'));
    const session = outgoing(await readItems(claudeCodeFormat, source as never));
    const words = (entries: readonly NewEntry[]) =>
      entries
        .filter(({ kind }) => kind === 'message' || kind.startsWith('tool-'))
        .map((entry) => listEntry({ ...entry, meta: {}, usage: undefined } as never));
    const { items } = await writeAndRead(codexFormat, session);
    expect(words(entriesOf(items).map(({ entry }) => entry as NewEntry))).toEqual(words(session.entries as OutgoingEntry[]));
    const back = await writeAndRead(claudeCodeFormat, outgoing(items));
    expect(words(entriesOf(back.items).map(({ entry }) => entry as NewEntry))).toEqual(words(session.entries as OutgoingEntry[]));
  });

  it('is made fit for the model: every call has a result, results without a call and unsigned thinking are lost', async () => {
    const at = 1_700_000_000_000;
    const entries: OutgoingEntry[] = [
      { kind: 'message', role: 'user', text: 'Go', at },
      { kind: 'thinking', text: 'hm', at },
      { kind: 'tool-call', callId: 'call_1', tool: 'run', input: 'free text', at },
      { kind: 'tool-result', callId: 'call_9', text: 'whose?', at },
      { kind: 'label', name: 'note', text: 'mine', at },
      { kind: 'message', role: 'user', text: 'And?', at },
    ];
    const { written, items } = await writeAndRead(claudeCodeFormat, { cwd: '/x', createdAt: at, entries });
    expect(written).toMatchObject({ entries: 3, lost: { thinking: 1, 'tool-result': 1, label: 1 } });
    expect(listed(entriesOf(items).map(({ entry }) => entry as NewEntry)).map((line) => line.slice(13))).toEqual([
      'user | Go',
      'call run | {"input":"free text"}',
      'result run failed | No result was recorded.',
      'user | And?',
    ]);
  });
});

describe('for the models behind other agents', () => {
  const at = 1_700_000_000_000;
  const write = (format: TranscriptFormat, entries: OutgoingEntry[]) =>
    writeAndRead(format, { cwd: '/x', createdAt: at, model: 'their-model-1', entries });
  const payloads = (written: WrittenTranscript) =>
    readFileSync(written.files[0] as string, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));

  const calls: OutgoingEntry[] = [
    { kind: 'message', role: 'user', text: 'Go', at },
    { kind: 'tool-call', callId: 'call_1|fc_1', tool: 'files.读 all', input: {}, at },
    { kind: 'tool-result', callId: 'call_1|fc_1', text: 'one', at },
    { kind: 'tool-call', callId: 'same', tool: 'run', input: {}, at },
    { kind: 'tool-result', callId: 'same', text: 'two', at },
    { kind: 'tool-call', callId: 'same', tool: 'run', input: {}, at },
    { kind: 'tool-result', callId: 'same', text: 'three', at },
    { kind: 'tool-call', callId: '', tool: 't'.repeat(300), input: {}, at },
    { kind: 'tool-result', callId: '', text: 'four', at },
  ];

  it.each([
    { format: claudeCodeFormat, longest: 128 },
    { format: codexFormat, longest: 64 },
  ])('$format.label gets calls with ids of their own and names its interface takes', async ({ format, longest }) => {
    const { written, items } = await write(format, calls);
    expect(written).toMatchObject({ entries: calls.length, lost: {} });
    const entries = entriesOf(items).map(({ entry }) => entry);
    const made = entries.filter((entry) => entry.kind === 'tool-call');
    const results = entries.filter((entry) => entry.kind === 'tool-result');
    expect(made.map(({ tool }) => tool)).toEqual(['files___all', 'run', 'run', 't'.repeat(longest)]);
    expect(new Set(made.map(({ callId }) => callId)).size).toBe(4);
    expect(made[1]?.callId).toBe('same');
    for (const { callId } of made) expect(callId).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(results.map(({ callId, text }) => [callId, text])).toEqual(
      ['one', 'two', 'three', 'four'].map((text, index) => [made[index]?.callId, text]),
    );
  });

  it('Claude Code gets a prompt before an answer to nothing, which is no entry when it is read', async () => {
    const { written, items } = await write(claudeCodeFormat, [
      { kind: 'message', role: 'assistant', text: 'Welcome!', at },
      { kind: 'message', role: 'user', text: 'Hi', at },
    ]);
    expect(payloads(written).map(({ type, isMeta }) => [type, isMeta])).toEqual([
      ['user', true],
      ['assistant', undefined],
      ['user', undefined],
    ]);
    expect(entriesOf(items).map(({ entry }) => 'text' in entry && entry.text)).toEqual(['Welcome!', 'Hi']);
  });

  it('Claude Code gets the session in the folder it makes for the project, however long its path is', async () => {
    const entries: OutgoingEntry[] = [{ kind: 'message', role: 'user', text: 'Hello', at }];
    const folderOf = async (cwd: string) => {
      const { written, root } = await writeAndRead(claudeCodeFormat, { cwd, createdAt: at, entries });
      return relative(root, dirname(written.files[0] as string));
    };
    expect(await folderOf('/home/dev/proj-c 中文.dir_v2')).toBe('-home-dev-proj-c----dir-v2');
    // The name Claude Code 2.1.325 gave to it.
    const long = `/home/dev/code/${'long-'.repeat(30)}/${'path_'.repeat(12)}中文`;
    expect(await folderOf(long)).toBe(`-home-dev-code-${'long-'.repeat(30)}-${'path-'.repeat(6)}path-8r2u9q`);
  });

  it.each([
    { settings: undefined, provider: 'openai' },
    { settings: 'model = "m"\nmodel_provider = "house" # ours\n[profiles.x]\nmodel_provider = "other"\n', provider: 'house' },
    { settings: 'model_provider = ', provider: 'openai' },
  ])('Codex gets the provider it is set to ($provider), because it resumes no session of another', async (given) => {
    const home = createQuickFolder('codex-home');
    if (given.settings !== undefined) writeFileSync(join(home, 'config.toml'), given.settings);
    const entries: OutgoingEntry[] = [{ kind: 'message', role: 'user', text: 'Hello', at, meta: { cwd: '/later' } }];
    const session = { cwd: '/x', createdAt: at, model: 'their-model-1', entries };
    const written = (await codexFormat.write?.(session, { root: join(home, 'sessions') })) as WrittenTranscript;
    const [first, ...others] = payloads(written);
    expect(first).toMatchObject({ type: 'session_meta', payload: { cwd: '/x', model_provider: given.provider } });
    // Nor does it hear of the model: it would ask its own provider for it.
    expect(JSON.stringify([first, others])).not.toContain('their-model-1');
    expect(others[0]).toMatchObject({ type: 'turn_context', payload: { cwd: '/later' } });
  });

  it.each([
    { format: claudeCodeFormat, frame: /^This session is being continued from a previous conversation .*\n\nTwo talked\.$/ },
    { format: codexFormat, frame: /^Another language model started to solve this problem .*:\nTwo talked\.$/ },
  ])('$format.label gets a summary in its own frame, which is no part of it when it is read', async ({ format, frame }) => {
    const { written, items } = await write(format, [
      { kind: 'message', role: 'user', text: 'Old', at },
      { kind: 'summary', text: 'Two talked.', covers: { from: 1, to: 1 }, at },
      { kind: 'message', role: 'user', text: 'New', at },
    ]);
    const records = payloads(written);
    const record = records.find(({ type, isCompactSummary }) => isCompactSummary === true || type === 'compacted');
    expect(record.payload?.message ?? record.message.content).toMatch(frame);
    expect(entriesOf(items).map(({ entry }) => [entry.kind, 'text' in entry && entry.text])).toEqual([
      ['message', 'Old'],
      ['summary', 'Two talked.'],
      ['message', 'New'],
    ]);
  });

  it('Codex gets the title in the index of its home, after what stands there; elsewhere none is made', async () => {
    const home = createQuickFolder('codex-home');
    const index = join(home, 'session_index.jsonl');
    const root = join(home, 'sessions');
    const entries: OutgoingEntry[] = [{ kind: 'message', role: 'user', text: 'Hello', at }];
    const session = { cwd: '/x', createdAt: at, entries };
    writeFileSync(index, '{"id":"other","thread_name":"Theirs"}\n');
    const written = (await codexFormat.write?.({ ...session, title: '标题 "one"' }, { root })) as WrittenTranscript;
    await codexFormat.write?.(session, { root });
    const lines = readFileSync(index, 'utf8').split('\n');
    expect(lines).toEqual(['{"id":"other","thread_name":"Theirs"}', expect.any(String), '']);
    expect(JSON.parse(lines[1] as string)).toEqual({
      id: written.id,
      thread_name: '标题 "one"',
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    const titles = (await findSources(codexFormat, root)).map(({ id, title }) => [id === written.id, title]);
    expect(titles.sort()).toEqual([
      [false, undefined],
      [true, '标题 "one"'],
    ]);
    const elsewhere = createQuickFolder('elsewhere');
    await codexFormat.write?.({ ...session, title: 'Other' }, { root: join(elsewhere, 'mine') });
    expect(readdirSync(elsewhere)).toEqual(['mine']);
  });
});

it('the command that goes on with a session names its id and its folder', () => {
  expect(claudeCodeFormat.resumeCommand?.({ id: 'abc', cwd: '/x' })).toEqual({
    command: 'claude',
    args: ['--resume', 'abc'],
    cwd: '/x',
  });
  expect(codexFormat.resumeCommand?.({ id: 'abc', cwd: '/x' })).toEqual({ command: 'codex', args: ['resume', 'abc'], cwd: '/x' });
});

it('sessions are looked for where the agent was told to keep them', () => {
  expect(claudeCodeFormat.roots({}, '/home/me')).toEqual(['/home/me/.claude/projects']);
  expect(claudeCodeFormat.roots({ CLAUDE_CONFIG_DIR: '/elsewhere' }, '/home/me')).toEqual(['/elsewhere/projects']);
  expect(codexFormat.roots({}, '/home/me')).toEqual(['/home/me/.codex/sessions', '/home/me/.codex/archived_sessions']);
  expect(codexFormat.roots({ CODEX_HOME: '/c' }, '/home/me')).toEqual(['/c/sessions', '/c/archived_sessions']);
});
