// Imports that are killed, that meet each other, and that read a session while its agent writes it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { claudeCodeFormat } from '../../src/transcripts/claude-code/claude-code-format.ts';
import { formatImportKey } from '../../src/transcripts/import-state.ts';
import { importTranscripts } from '../../src/transcripts/import-transcripts.ts';
import { foreignId } from '../../src/transcripts/known-entries.ts';
import { bundleProgram, Child } from '../support/child-program.ts';
import { campaignSeed, createSeededRandom } from '../support/seeded-random.ts';
import { openSubject, type SubjectName } from '../support/store-subjects.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';
import type { ImportChildInput, ImportChildLine } from './import-child.ts';
import { collect } from './listing.ts';
import { sessionId, writeTalk } from './many-lines.ts';
import { claudeFixtures, continueFixtures, geminiRoots, opencodeFixtures, piRoots } from './workbench.ts';

let program: string;
beforeAll(async () => {
  program = await bundleProgram(new URL('./import-child.ts', import.meta.url));
});

const start = (input: ImportChildInput) => new Child<ImportChildLine>(program, input);
const count = 4000;

function makeTalk(): { root: string; path: string; folder: string } {
  const folder = createQuickFolder('import-processes');
  const root = join(folder, 'projects');
  mkdirSync(join(root, 'long'), { recursive: true });
  return { root, path: join(root, 'long', `${sessionId}.jsonl`), folder: join(folder, 'store') };
}

/** The ids that were stored, in the order they are in. */
async function storedIds(subject: SubjectName, folder: string): Promise<string[]> {
  const store = await openSubject(subject, folder);
  try {
    const conversation = await store.find(formatImportKey('claude-code', sessionId));
    if (!conversation) return [];
    return (await collect(store.readAll(conversation.id))).map((entry) => foreignId(entry) ?? 'none');
  } finally {
    await store.close();
  }
}

const wanted = Array.from({ length: count }, (_, index) => `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`);

describe.each(['sqlite', 'jsonl'] as const)('imports into a %s store', (subject) => {
  it('lose nothing and double nothing when they are killed again and again', async () => {
    const random = createSeededRandom(campaignSeed);
    const { root, path, folder } = makeTalk();
    writeTalk(path, count, (number) => `Words of number ${number}. `.repeat(5));
    for (let round = 0; round < 2; round += 1) {
      const child = start({ task: 'import', subject, folder, root, format: 'claude-code' });
      await child.next();
      const lines = random.between(0, 3);
      for (let told = 0; told < lines; told += 1) if ((await child.next()) === undefined) break;
      await new Promise((resolve) => setTimeout(resolve, random.between(0, 20)));
      child.kill();
      await child.ended;
      const ids = await storedIds(subject, folder);
      expect(ids, `seed ${campaignSeed}, round ${round}`).toEqual(wanted.slice(0, ids.length));
    }
    await start({ task: 'import', subject, folder, root, format: 'claude-code' }).finish();
    expect(await storedIds(subject, folder)).toEqual(wanted);
  });

  it('know what was stored when they died between an append and its checkpoint', async () => {
    const { root, path, folder } = makeTalk();
    writeTalk(path, count, (number) => `Words of number ${number}.`);
    const stored: number[] = [];
    for (let round = 0; round < 2; round += 1) {
      const child = start({ task: 'import', subject, folder, root, format: 'claude-code', diesAfterAppend: true });
      expect((await child.ended).signal).toBe('SIGKILL');
      const ids = await storedIds(subject, folder);
      expect(ids).toEqual(wanted.slice(0, ids.length));
      stored.push(ids.length);
    }
    expect(new Set(stored).size).toBe(2);
    await start({ task: 'import', subject, folder, root, format: 'claude-code' }).finish();
    expect(await storedIds(subject, folder)).toEqual(wanted);
  });

  it('double nothing when two of them run at the same time', async () => {
    const { root, path, folder } = makeTalk();
    writeTalk(path, count, (number) => `Words of number ${number}.`);
    const children = [1, 2].map(() => start({ task: 'import', subject, folder, root, format: 'claude-code' }));
    await Promise.all(children.map((child) => child.finish()));
    expect(await storedIds(subject, folder)).toEqual(wanted);
  });

  it('follow a session that is being written, cut wherever it may be', async () => {
    const { root, path, folder } = makeTalk();
    const from = join(root, '..', 'whole.jsonl');
    writeTalk(from, count, (number) => `Words of number ${number} 你好.`);
    writeFileSync(path, '');
    const pieces = 37;
    const writer = start({ task: 'grow', from, path, pieces });
    const store = await openSubject(subject, folder);
    const run = () => importTranscripts({ store, format: claudeCodeFormat, sources: claudeCodeFormat.discover(root) });
    let grown = 0;
    for (let piece = 0; piece < pieces; piece += 1) {
      writer.send('go');
      const [report] = await Promise.all([run(), writer.next()]);
      expect(report.broken).toEqual([]);
      grown += report.sources.grown;
    }
    await writer.finish();
    await run();
    expect(grown).toBeGreaterThan(1);
    await store.close();
    expect(await storedIds(subject, folder)).toEqual(wanted);
  });
});

/** Every agent whose fixtures have forks. */
const sessions = [
  { format: 'claude-code', root: claudeFixtures },
  { format: 'pi', root: piRoots[0] as string },
  { format: 'gemini', root: geminiRoots[0] as string },
  { format: 'opencode', root: opencodeFixtures },
  { format: 'continue', root: continueFixtures },
];

/** What is stored: each session with its entries and what it shares, and how many entries that takes. */
async function readShared(subject: SubjectName, folder: string) {
  const store = await openSubject(subject, folder);
  try {
    const { items } = await store.list({ limit: 1000 });
    const keyOf = new Map(items.map(({ id, key }) => [id, key]));
    const sessions = items.map(async ({ id, key, forkedFrom }) => ({
      key,
      ids: (await collect(store.readAll(id))).map(foreignId),
      shared: forkedFrom && { key: keyOf.get(forkedFrom.id), seq: forkedFrom.seq },
    }));
    const listed = (await Promise.all(sessions)).sort((a, b) => (String(a.key) < String(b.key) ? -1 : 1));
    return { entries: (await store.stats()).entries, sessions: listed };
  } finally {
    await store.close();
  }
}

async function importAtOnce(subject: SubjectName, importers: number) {
  const folder = join(createQuickFolder('import-together'), 'store');
  await (await openSubject(subject, folder)).close();
  const children = Array.from({ length: importers }, () => start({ task: 'import-all', subject, folder, sessions }));
  await Promise.all(children.map((child) => child.next()));
  for (const child of children) child.send('go');
  await Promise.all(children.map((child) => child.finish()));
  return readShared(subject, folder);
}

describe.each(['sqlite', 'jsonl'] as const)('several imports of sessions with forks into a %s store', (subject) => {
  it('store what one import stores', async () => {
    const wanted = await importAtOnce(subject, 1);
    for (const { format } of sessions)
      expect(wanted.sessions.some(({ key, shared }) => shared && key?.startsWith(`import:${format}:`))).toBe(true);
    for (const importers of [2, 3, 2, 3, 2])
      expect(await importAtOnce(subject, importers), `${importers} at once`).toEqual(wanted);
  });
});
