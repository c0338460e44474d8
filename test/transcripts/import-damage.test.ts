// A whole file that cannot be read is told of, whichever agent's it is; one that an agent may just be writing is no damage.
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findFormat, transcriptFormats } from '../../src/transcripts/formats.ts';
import type { SourceOutcome } from '../../src/transcripts/import-report.ts';
import type { TranscriptFormat } from '../../src/transcripts/transcript-format.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';
import { fixtures, importFrom, openTestStore } from './workbench.ts';

/** A format, a folder of fixtures and a file in it, by how the format keeps a session. */
const samples = {
  log: [
    ['claude-code', 'claude/made-by-hand/projects', '-home-dev-code-proj-d/aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee.jsonl'],
    [
      'codex',
      'codex/made-by-hand/0.80.0/sessions',
      '2026/01/10/rollout-2026-01-10T09-00-00-019ba5c0-1111-7222-8333-444455556666.jsonl',
    ],
    ['gemini', 'gemini/made-by-hand/.gemini/tmp', 'proj-d/chats/session-2026-03-02T10-00-5c0ffee0.jsonl'],
    ['qwen', 'qwen/made-by-hand/projects', '-home-dev-code-proj-d/chats/aaaa1111-2222-4333-8444-555566667777.jsonl'],
    [
      'pi',
      'pi/made-by-hand/sessions',
      '--home-dev-code-proj-d--/2026-02-03T08-00-00-000Z_019c0000-0000-7000-8000-00000000000a.jsonl',
    ],
    ['copilot', 'copilot/1.0.102/.copilot/session-state', '6b6f8c4b-d1a0-4c1b-8cd7-69d17cc0d218/events.jsonl'],
    ['nanobot', 'nanobot/made-by-hand/sessions', 'cli_direct.jsonl'],
  ],
  packed: [['codex', 'codex/made-by-hand/packed', 'rollout-2026-01-10T09-00-00-019ba5c0-1111-7222-8333-444455556666.jsonl.zst']],
  whole: [
    [
      'gemini',
      'gemini/made-by-hand/.gemini/tmp',
      '8949008e05e40cd39f481597f7e60166f7919054428810ebf6f508afa2fc7417/chats/session-2025-08-01T09-00-0ld00000.json',
    ],
    ['continue', 'continue/1.5.47/.continue/sessions', '6e2cb2d1-3d35-4f36-b4c0-ef192b6593a9.json'],
  ],
  list: [
    [
      'agent-chatter',
      'agent-chatter/made-by-hand/sessions',
      'design-team/20251125T140000000Z-5e551001-aaaa-4bbb-8ccc-000000000001.json',
    ],
    ['jarvis', 'jarvis/made-by-hand/proj-d', '.jarvis/saved_session_code_agent_openai_gpt-4o_20250119T123456000Z.json'],
    ['openai', 'openai/made-by-hand', 'weather.json'],
  ],
  export: [
    ['chatgpt', 'chatgpt/made-by-hand/export', 'conversations.json'],
    ['claude-ai', 'claude-ai/made-by-hand/export', 'conversations.json'],
  ],
  database: [
    ['opencode', 'opencode/1.18.18/.local/share/opencode', 'opencode.db'],
    ['cis', 'cis/made-by-hand', 'data/conversations.db'],
  ],
} as const;

const damages = {
  'empty and new': () => Buffer.alloc(0),
  'empty for long': () => Buffer.alloc(0),
  'cut at its beginning': (bytes: Buffer) => bytes.subarray(0, 30),
  'cut in half': (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1),
  'lines of anything': () => Buffer.from('no session at all\n'.repeat(50)),
  'one line of anything': () => Buffer.from('no session at all'),
  'all zeros': (bytes: Buffer) => Buffer.alloc(bytes.length),
};

/** What comes of it: the session's outcome, or `told` where no session is found in the file and that is a note. */
type Fate = SourceOutcome | 'told';
const fates: Record<keyof typeof samples, Record<keyof typeof damages, Fate>> = {
  // Grows line by line: a line without its end may be about to get one.
  log: {
    'empty and new': 'empty',
    'empty for long': 'empty',
    'cut at its beginning': 'empty',
    'cut in half': 'created',
    'lines of anything': 'failed',
    'one line of anything': 'failed',
    'all zeros': 'failed',
  },
  packed: fate('failed', { 'empty and new': 'empty' }),
  // Written anew as a whole: a part of it says nothing.
  whole: fate('failed', { 'empty and new': 'empty' }),
  // One message after the other can be read, also of a part: what was complete is taken, and that the rest is missing is told each time.
  list: fate('failed', { 'empty and new': 'empty' }),
  // Looked through for its conversations.
  export: fate('told'),
  database: fate('told'),
};

function fate(usual: Fate, others: Partial<Record<keyof typeof damages, Fate>> = {}): Record<keyof typeof damages, Fate> {
  const names = Object.keys(damages) as (keyof typeof damages)[];
  return Object.fromEntries(names.map((name) => [name, others[name] ?? usual])) as never;
}

const cases = Object.entries(samples).flatMap(([kind, rows]) =>
  rows.map(([name, root, file]) => ({ kind: kind as keyof typeof samples, name, root, file })),
);

it('has a sample of every format', () => {
  expect(new Set(cases.map(({ name }) => name))).toEqual(new Set(transcriptFormats.map(({ name }) => name)));
});

describe.each(cases)('a session of $name in $file', ({ kind, name, root, file }) => {
  const format = findFormat(name) as TranscriptFormat;
  const bytes = readFileSync(join(fixtures, root, file));
  // Where an agent has a folder of its own, everything in it with the right name is its session.
  const isAtHome = format.roots({}, '/home/dev').length > 0;

  it.each(Object.keys(damages) as (keyof typeof damages)[])('that is %s', async (damage) => {
    const folder = createQuickFolder('damage');
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, damages[damage](bytes));
    if (damage !== 'empty and new') utimesSync(path, 1_700_000_000, 1_700_000_000);
    const store = await openTestStore();
    const looked = isAtHome ? folder : path;
    const report = await importFrom(store, looked, { format });
    const expected = fates[kind][damage];
    const outcomes = Object.entries(report.sources).flatMap(([outcome, count]) => (count > 0 ? [outcome] : []));
    if (expected === 'told') {
      expect(report.broken).toContainEqual(expect.objectContaining({ reason: 'broken', path }));
      return;
    }
    expect(outcomes).toEqual([expected]);
    if (expected !== 'failed') return;
    expect(report.failed).toMatchObject([{ path, code: 'io-failed' }]);
    // Nothing is remembered of it: it is told again, and read when it is whole.
    expect((await importFrom(store, looked, { format })).sources).toMatchObject({ failed: 1 });
    writeFileSync(path, bytes);
    expect((await importFrom(store, looked, { format })).sources).toMatchObject({ failed: 0 });
    expect((await store.stats()).conversations).toBeGreaterThan(0);
  });

  // Of the others no session is found in a file like that: it is told of, and nothing is asked to change.
  if (kind !== 'whole' && kind !== 'list' && kind !== 'log') return;

  it('that was stored before it was damaged', async () => {
    const folder = createQuickFolder('damage');
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    const store = await openTestStore();
    const looked = isAtHome ? folder : path;
    await importFrom(store, looked, { format });
    const before = await store.stats();
    writeFileSync(path, 'no session at all\n'.repeat(50));
    expect(await importFrom(store, looked, { format })).toMatchObject({ sources: { failed: 1 }, entries: 0 });
    expect(await importFrom(store, looked, { format })).toMatchObject({ sources: { failed: 1 }, entries: 0 });
    writeFileSync(path, bytes);
    expect(await importFrom(store, looked, { format })).toMatchObject({ sources: { failed: 0 }, entries: 0 });
    expect(await store.stats()).toMatchObject({ conversations: before.conversations, entries: before.entries });
  });
});
