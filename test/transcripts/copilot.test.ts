// Sessions of GitHub Copilot CLI: sub-agents in the same file, growth, and records nobody meant well.
import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copilotFormat } from '../../src/transcripts/copilot/copilot-format.ts';
import type { TranscriptItem } from '../../src/transcripts/transcript-format.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';
import { collect, entriesOf, findSources, headerOf, listEntry, readExpected, readItems } from './listing.ts';
import { copilotFixtures, copyFixtures, importFrom, openTestStore, readStore } from './workbench.ts';

const format = copilotFormat;
const delegating = '4aae5b37-bba6-466e-8023-aa6e68bfbd87';
const helper = `${delegating}/ad4a0512-0a59-437f-88d9-55f68c304fe7`;
const keyOf = (id: string) => `import:copilot:${id}`;
const expectedLines = (id: string) => (readExpected('copilot').get(id) ?? '').split('\n').filter((line) => /^\d\d:/.test(line));

interface Event {
  type: string;
  data?: unknown;
  id?: unknown;
  agentId?: unknown;
  timestamp?: unknown;
}

function sessionFile(events: readonly (Event | string)[], workspace?: string): { root: string; path: string } {
  const root = createQuickFolder('copilot');
  mkdirSync(join(root, 'one'));
  const path = join(root, 'one', 'events.jsonl');
  writeFileSync(path, events.map((event) => `${typeof event === 'string' ? event : JSON.stringify(event)}\n`).join(''));
  if (workspace !== undefined) writeFileSync(join(root, 'one', 'workspace.yaml'), workspace);
  return { root, path };
}

let count = 0;
function event(type: string, data: object, more: object = {}): Event {
  count += 1;
  return { type, data, id: `event-${count}`, timestamp: '2026-01-01T00:00:00.000Z', ...more };
}

async function readOne(root: string): Promise<TranscriptItem[]> {
  const [source] = await findSources(format, root);
  return readItems(format, source as never);
}

const start = () =>
  event('session.start', { sessionId: 'one', copilotVersion: '1.0.102', context: { cwd: '/a', branch: 'main' } });
const listed = (items: readonly TranscriptItem[]) => entriesOf(items).map(({ entry }) => listEntry(entry).slice(13));
const notesOf = (items: readonly TranscriptItem[]) =>
  items.flatMap((item) => (item.type === 'skipped' ? [`${item.line} ${item.reason} ${item.what}`] : []));

describe('an import of Copilot', () => {
  it('keeps what was said, and a second one changes nothing', async () => {
    const store = await openTestStore();
    expect(await importFrom(store, copilotFixtures, { format })).toMatchObject({
      sources: { created: 14, failed: 0, empty: 0 },
      broken: [],
      failed: [],
    });
    const stored = await readStore(store);
    for (const id of readExpected('copilot').keys())
      expect(stored.get(keyOf(id))?.entries.map(listEntry)).toEqual(expectedLines(id));
    expect(await importFrom(store, copilotFixtures, { format })).toMatchObject({ sources: { unchanged: 14 }, entries: 0 });
    expect(await readStore(store)).toEqual(stored);
  });

  it('makes a sub-agent a child of its session, by the call that started it', async () => {
    const store = await openTestStore();
    await importFrom(store, copilotFixtures, { format });
    expect(await store.get(keyOf(helper))).toMatchObject({
      title: 'Count the files',
      tags: ['sub-agent'],
      meta: { parent: { kind: 'sub-agent', key: keyOf(delegating), callId: 'call_YpHXqLNR0W8c9mRn5CupItcl' } },
    });
    expect((await store.get(keyOf(delegating))).title).toBeUndefined();
  });

  it('takes what a session and its sub-agents grow by, line by line', async () => {
    const root = copyFixtures(join(copilotFixtures, delegating));
    const path = join(root, 'events.jsonl');
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    const store = await openTestStore();
    writeFileSync(path, '');
    for (const line of lines) {
      appendFileSync(path, `${line.slice(0, 40)}`);
      await importFrom(store, path, { format });
      appendFileSync(path, `${line.slice(40)}\n`);
      await importFrom(store, path, { format });
    }
    const stored = await readStore(store);
    for (const id of [delegating, helper]) expect(stored.get(keyOf(id))?.entries.map(listEntry)).toEqual(expectedLines(id));
    expect(stored.size).toBe(2);
  });

  it('tells what it left out once, not again with every sub-agent', async () => {
    const [main, sub] = (await findSources(format, copilotFixtures)).filter(({ id }) => id.startsWith(delegating));
    const notes = notesOf(await readItems(format, main as never)).map((note) => note.replace(/^\d+ /, ''));
    expect(notes.filter((note) => !note.startsWith('harness'))).toEqual(['repeat tool.execution_start']);
    expect(notesOf(await readItems(format, sub as never))).toEqual([]);
  });
});

describe('a session of Copilot', () => {
  it('has the title somebody gave it, however it is quoted, and no other', async () => {
    const titleOf = async (yaml: string) => (await findSources(format, sessionFile([start()], yaml).root))[0]?.title;
    expect(await titleOf('id: one\nname: Retry talk\nuser_named: true\n')).toBe('Retry talk');
    expect(await titleOf('name: "Say \\"hi\\": \\u4f60"\nuser_named: true\n')).toBe('Say "hi": 你');
    expect(await titleOf("name: 'it''s done'\nuser_named: true\n")).toBe("it's done");
    expect(await titleOf('name: |-\n  two\n  lines\nuser_named: true\n')).toBeUndefined();
    expect(await titleOf('name: The first prompt\nuser_named: false\n')).toBeUndefined();
  });

  it('tells where it went on in another folder, with another model, and what a call nobody answered cost', async () => {
    const usage = (apiCallId: string) =>
      event('session.usage_record', { usage: { inputTokens: 10, outputTokens: 2, cacheReadTokens: 3, apiCallId } });
    const { root } = sessionFile([
      start(),
      event('user.message', { content: 'Hello', interactionId: 'i1' }),
      usage('call-a'),
      usage('call-b'),
      event('assistant.message', { content: 'Hi', model: 'm1', apiCallId: 'call-b' }),
      event('session.resume', { context: { cwd: '/b', branch: 'next' } }),
      event('user.message', { content: 'injected', source: 'skill-pdf' }),
      event('user.message', { content: 'Here', interactionId: 'i2' }),
      event('assistant.message', {
        content: '',
        model: 'm2',
        toolRequests: [{ toolCallId: 'c1', name: 'bash', arguments: { command: 'ls' } }],
      }),
      event('tool.execution_start', { toolCallId: 'c1', toolName: 'bash' }),
      event('tool.execution_start', { toolCallId: 'c2', toolName: 'view', arguments: { path: 'x' } }),
      event('tool.execution_complete', { toolCallId: 'c2', success: true, result: { content: [{ type: 'text' }] } }),
      event('session.compaction_complete', { success: true, summaryContent: 'So far: hello.' }),
    ]);
    const items = await readOne(root);
    expect(listed(items)).toEqual([
      'user | Hello',
      'usage 10/2/3',
      'assistant 10/2/3 | Hi',
      'user (cwd /b) (branch next) | Here',
      'call bash | {"command":"ls"}',
      'call view | {"path":"x"}',
      'result view | [{"type":"text"}]',
      'summary | So far: hello.',
    ]);
    expect(headerOf(items)).toMatchObject({ cwd: '/a', branch: 'main', model: 'm2', agentVersion: '1.0.102' });
    expect(notesOf(items)).toEqual(
      [
        '6 harness session.resume',
        '7 harness user.message/skill-pdf',
        '10 repeat tool.execution_start',
        '1 harness session.start',
      ].sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10)),
    );
  });

  it('of broken bytes, zeros, bare values and deep nesting keeps the rest', async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const { root, path } = sessionFile([
      start(),
      'null',
      '[1]',
      '{"type":',
      '\u0000\u0000',
      JSON.stringify(
        event('assistant.message', { content: 'Deep', toolRequests: [{ toolCallId: 'c', name: 't', arguments: 0 }] }),
      ).replace('"arguments":0', `"arguments":${deep}`),
      event('user.message', { content: 'caf#' }),
      event('user.message', { content: 'x'.repeat(5000) }),
      event('hologram.shown', {}),
    ]);
    const bytes = readFileSync(path);
    bytes[bytes.indexOf('#')] = 0xe9;
    writeFileSync(path, bytes);
    const store = await openTestStore();
    const report = await importFrom(store, root, { format, mostLineBytes: 200_000 });
    const [stored] = (await readStore(store)).values();
    expect(stored?.entries.map((entry) => ('text' in entry ? entry.text.slice(0, 5) : entry.kind))).toEqual([
      'Deep',
      'caf\ufffd',
      'xxxxx',
    ]);
    expect(report.broken.map(({ reason, line }) => [reason, line])).toEqual([
      ['broken', 2],
      ['broken', 3],
      ['broken', 4],
      ['refused', undefined],
    ]);
    const [source] = await findSources(format, root);
    expect(notesOf(await collect(format.read(source as never, { mostLineBytes: 4000 })))).toEqual([
      '1 harness session.start',
      '2 broken not an object',
      '3 broken not an object',
      '4 broken not JSON',
      '6 too-long line',
      '8 too-long line',
      '9 unknown hologram.shown',
    ]);
  });

  it('whose fields are of any other type is read to its end, with every sub-agent', async () => {
    const random = createSeededRandom(11);
    const samples = readFileSync(join(copilotFixtures, delegating, 'events.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const odd: unknown[] = [null, 0, -1, '', 'text', [], [null], {}, { type: 5 }, true, [[['x']]], { text: {} }];
    const spoil = (value: unknown): unknown => {
      if (random.chance(0.1)) return random.pick(odd);
      if (Array.isArray(value)) return value.map(spoil);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, spoil(field)]));
    };
    const lines = Array.from({ length: 3000 }, () => JSON.stringify(spoil(random.pick(samples))));
    const { root } = sessionFile(lines);
    const store = await openTestStore();
    const report = await importFrom(store, root, { format });
    expect(report.failed).toEqual([]);
    expect(report.sources.created + report.sources.empty).toBe((await findSources(format, root)).length);
    expect((await readOne(root)).at(-1)).toMatchObject({ type: 'checkpoint', checkpoint: { line: 3000 } });
  });

  it('behind a link is told and not followed', async () => {
    const root = createQuickFolder('copilot');
    symlinkSync(join(copilotFixtures, delegating), join(root, 'linked'));
    expect(await collect(format.discover(root))).toEqual([
      { type: 'skipped', reason: 'link', what: 'symbolic link', path: join(root, 'linked') },
    ]);
  });
});

it('sessions are looked for where the agent was told to keep them, and resumed by their id', () => {
  expect(format.roots({}, '/home/me')).toEqual(['/home/me/.copilot/session-state']);
  expect(format.roots({ COPILOT_HOME: '/c' }, '/home/me')).toEqual(['/c/session-state']);
  expect(format.resumeCommand?.({ id: 'abc', cwd: '/x' })).toEqual({ command: 'copilot', args: ['--resume=abc'], cwd: '/x' });
  expect(format.resumeCommand?.({ id: 'abc/helper' })).toEqual({ command: 'copilot', args: ['--resume=abc'] });
  expect(format.write).toBeUndefined();
});
