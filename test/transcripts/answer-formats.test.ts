// Sessions of agents whose records hold whole answers: what they can carry survives being written and read again, what they cannot is counted
// as lost, as docs/formats/transcripts.md lists it.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { NewEntry } from '../../src/model/entry.ts';
import { claudeCodeFormat } from '../../src/transcripts/claude-code/claude-code-format.ts';
import { geminiFormat } from '../../src/transcripts/gemini/gemini-format.ts';
import { piFormat } from '../../src/transcripts/pi/pi-format.ts';
import { qwenFormat } from '../../src/transcripts/qwen/qwen-format.ts';
import type {
  OutgoingEntry,
  OutgoingSession,
  TranscriptFormat,
  TranscriptItem,
  TranscriptSource,
  WrittenTranscript,
} from '../../src/transcripts/transcript-format.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';
import { entriesOf, findSources, headerOf, listEntry, readItems } from './listing.ts';
import { claudeFixtures, geminiRoots, piRoots, qwenRoots } from './workbench.ts';

const at = 1_700_000_000_000;

function outgoing(items: readonly TranscriptItem[]): OutgoingSession {
  const { title, cwd = '/', branch, model, createdAt = 0 } = headerOf(items);
  let last = createdAt;
  const entries = entriesOf(items).map(({ entry }) => {
    last = entry.at ?? last;
    return { ...entry, at: last, ...(entry.kind === 'summary' && { covers: { from: 1, to: 1 } }) } as OutgoingEntry;
  });
  return { title, cwd, branch, model, createdAt, entries };
}

async function writeAndRead(format: TranscriptFormat, session: OutgoingSession) {
  const root = join(createQuickFolder('answer-formats'), 'sessions');
  const written = (await format.write?.(session, { root })) as WrittenTranscript;
  const sources = await findSources(format, root);
  expect(sources.map(({ id, path }) => [id, path])).toEqual([[written.id, written.files[0]]]);
  return { written, root, items: await readItems(format, sources[0] as TranscriptSource) };
}

const listed = (items: readonly TranscriptItem[]) => entriesOf(items).map(({ entry }) => listEntry(entry));
/** Notes in the margin, and what a command said that nobody but the user called. */
const isCarried = (entry: OutgoingEntry) =>
  entry.kind !== 'label' && entry.kind !== 'event' && !(entry.kind === 'tool-result' && entry.callId === '');

function withoutPlace(entry: NewEntry): NewEntry {
  const { cwd: _cwd, branch: _branch, ...meta } = entry.meta ?? {};
  return { ...entry, meta };
}

const cases = [
  { format: geminiFormat, roots: geminiRoots },
  { format: qwenFormat, roots: qwenRoots },
  { format: piFormat, roots: piRoots },
];

describe.each(cases)('$format.label', ({ format, roots }) => {
  it('reads what it wrote of its own sessions', async () => {
    for (const root of roots)
      for (const source of await findSources(format, root)) {
        const items = await readItems(format, source);
        const session = outgoing(items);
        const all = [...(session.entries as OutgoingEntry[])];
        const carried = all.filter(isCarried).map(listEntry);
        const { written, items: again } = await writeAndRead(format, session);
        // A sub-agent of Qwen Code has a moment for each part of an answer; an answer has one.
        const isTimed = !(format === qwenFormat && source.id.includes('/'));
        const compared = (lines: string[]) => (isTimed ? lines : lines.map((line) => line.slice(13)));
        expect(compared(listed(again))).toEqual(compared(carried));
        expect(written.entries).toBe(carried.length);
        expect(Object.values(written.lost).reduce((sum, count) => sum + count, 0)).toBe(all.length - carried.length);
        const { cwd, branch, model, title, createdAt } = headerOf(again);
        const had = headerOf(items);
        expect({ cwd, model, title, createdAt }).toEqual({
          cwd: had.cwd,
          model: had.model,
          title: had.title,
          createdAt: had.createdAt,
        });
        if (format === qwenFormat) expect(branch).toBe(had.branch);
        // And once more, it is the same.
        const { items: third } = await writeAndRead(format, outgoing(again));
        expect(listed(third)).toEqual(listed(again));
      }
  });

  it('takes a session of Claude Code with every word, thought, call and result', async () => {
    const [source] = (await findSources(claudeCodeFormat, claudeFixtures)).filter(({ id }) => id.startsWith('90258489'));
    const session = outgoing(await readItems(claudeCodeFormat, source as TranscriptSource));
    const { written, items } = await writeAndRead(format, session);
    expect(written.lost).toEqual({});
    // Only Qwen Code says with each record where it was.
    const words = (entry: NewEntry) => listEntry(format === qwenFormat ? entry : withoutPlace(entry)).slice(13);
    expect(listed(items).map((line) => line.slice(13))).toEqual((session.entries as OutgoingEntry[]).map(words));
  });

  it('makes it fit for the model: every call has its result right after the answer, whatever was recorded', async () => {
    const entries: OutgoingEntry[] = [
      { kind: 'message', role: 'user', text: 'Go', at },
      { kind: 'thinking', text: 'hm', at: at + 1 },
      { kind: 'tool-call', callId: 'call_1', tool: 'run it', input: 'free text', at: at + 2 },
      { kind: 'tool-call', callId: 'call_2', tool: 'look', input: {}, at: at + 3 },
      { kind: 'tool-result', callId: 'call_9', text: 'whose?', at: at + 4 },
      { kind: 'label', name: 'note', text: 'mine', at: at + 4 },
      { kind: 'message', role: 'system', text: 'be nice', at: at + 4 },
      { kind: 'tool-result', callId: 'call_2', text: 'seen', at: at + 5 },
      { kind: 'message', role: 'user', text: 'And?', at: at + 6 },
      { kind: 'tool-call', callId: '', tool: 'nameless', input: {}, at: at + 7 },
      { kind: 'summary', text: 'All of it.', covers: { from: 1, to: 2 }, at: at + 8 },
      { kind: 'message', role: 'assistant', text: 'one', at: at + 9 },
      { kind: 'message', role: 'assistant', text: 'two', at: at + 10 },
      { kind: 'thinking', text: 'after the fact', at: at + 11 },
    ];
    const { written, items } = await writeAndRead(format, { cwd: '/x y', createdAt: at, entries });
    expect(written).toMatchObject({
      entries: 10,
      lost: { 'tool-result': 1, label: 1, 'system message': 1, 'tool-call': 1 },
    });
    // Gemini CLI keeps results beside their calls, and names as the model's interface allows them.
    const isBeside = format === geminiFormat;
    const tool = isBeside ? 'run_it' : 'run it';
    const results = ['result look | seen', `result ${tool} failed | No result was recorded.`];
    expect(listed(items).map((line) => line.slice(13))).toEqual([
      'user | Go',
      'thinking | hm',
      `call ${tool} | {"input":"free text"}`,
      'call look | {}',
      ...(isBeside ? results.reverse() : results),
      'user | And?',
      'summary | All of it.',
      'assistant | one',
      'assistant | two',
      'thinking | after the fact',
    ]);
  });

  it('writes a file for its owner only, and never over another', async () => {
    const root = createQuickFolder('answer-formats');
    const entries: OutgoingEntry[] = [{ kind: 'message', role: 'user', text: 'Hello', at }];
    const session = { cwd: '/home/dev/code/x y', createdAt: at, entries };
    const id = '01a1dc9a-0aa9-4eb3-a49e-b212ebbf6400';
    const written = (await format.write?.(session, { root, id })) as WrittenTranscript;
    const path = written.files[0] as string;
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const before = readFileSync(path);
    await expect(format.write?.(session, { root, id })).rejects.toMatchObject({ code: 'file-exists' });
    expect(readFileSync(path)).toEqual(before);
  });
});

describe('Gemini CLI', () => {
  const entries: OutgoingEntry[] = [{ kind: 'message', role: 'user', text: 'Hello', at }];

  it('finds the folder of a project as the program does, and leaves those of others alone', async () => {
    const home = createQuickFolder('gemini-home');
    const root = join(home, 'tmp');
    const write = async (cwd: string) => {
      const written = (await geminiFormat.write?.({ cwd, createdAt: at, entries }, { root })) as WrittenTranscript;
      return (written.files[0] as string).slice(root.length + 1).split('/')[0];
    };
    expect(await write('/home/dev/My Project!')).toBe('my-project');
    expect(await write('/home/dev/My Project!')).toBe('my-project');
    expect(await write('/srv/my-project')).toBe('my-project-1');
    expect(readFileSync(join(root, 'my-project-1', '.project_root'), 'utf8')).toBe('/srv/my-project');
    writeFileSync(join(home, 'projects.json'), JSON.stringify({ projects: { '/a/b': 'named', '/c/d': '../../out' } }));
    expect(await write('/a/b')).toBe('named');
    expect(await write('/c/d')).toBe('d');
    expect(await write('/')).toBe('project');
  });

  it('gives an old conversation the moment it was written, so that the program does not delete it for its age', async () => {
    const { written } = await writeAndRead(geminiFormat, { cwd: '/x', createdAt: 1, entries });
    const header = JSON.parse(readFileSync(written.files[0] as string, 'utf8').split('\n')[0] as string);
    expect(header).toMatchObject({ startTime: '1970-01-01T00:00:00.001Z', kind: 'main' });
    expect(Date.parse(header.lastUpdated)).toBeGreaterThan(at);
  });
});

it('the command that goes on with a session names its id and its folder, or its file', () => {
  const session = { id: 'abc', cwd: '/x', path: '/y/abc.jsonl' };
  expect(geminiFormat.resumeCommand?.(session)).toEqual({ command: 'gemini', args: ['--resume', 'abc'], cwd: '/x' });
  expect(qwenFormat.resumeCommand?.(session)).toEqual({ command: 'qwen', args: ['--resume', 'abc'], cwd: '/x' });
  expect(piFormat.resumeCommand?.(session)).toEqual({ command: 'pi', args: ['--session', '/y/abc.jsonl'], cwd: '/x' });
  expect(piFormat.resumeCommand?.({ id: 'abc' })).toEqual({ command: 'pi', args: ['--session', 'abc'] });
});

it('sessions are looked for where the agent was told to keep them', () => {
  expect(geminiFormat.roots({}, '/home/me')).toEqual(['/home/me/.gemini/tmp']);
  expect(geminiFormat.roots({ GEMINI_CLI_HOME: '/g' }, '/home/me')).toEqual(['/g/.gemini/tmp']);
  expect(qwenFormat.roots({}, '/home/me')).toEqual(['/home/me/.qwen/projects']);
  expect(qwenFormat.roots({ QWEN_HOME: '/q' }, '/home/me')).toEqual(['/q/projects']);
  expect(qwenFormat.roots({ QWEN_HOME: '/q', QWEN_RUNTIME_DIR: '/r' }, '/home/me')).toEqual(['/r/projects', '/q/projects']);
  expect(piFormat.roots({}, '/home/me')).toEqual(['/home/me/.pi/agent/sessions']);
  expect(piFormat.roots({ PI_CODING_AGENT_DIR: '/p' }, '/home/me')).toEqual(['/p/sessions']);
  expect(piFormat.roots({ PI_CODING_AGENT_SESSION_DIR: '/s' }, '/home/me')).toEqual(['/s', '/home/me/.pi/agent/sessions']);
});
