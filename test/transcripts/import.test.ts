// What an import leaves in the store: each session once, however often it is imported and whatever becomes of its file.
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codexFormat } from '../../src/transcripts/codex/codex-format.ts';
import { listEntry, readExpected } from './listing.ts';
import { claudeFixtures, codexFixtures, copyFixtures, importFrom, openTestStore, readStore } from './workbench.ts';

const original = '90258489-e943-40a6-aad2-a42acd72066a';
const fork = 'fd8a0d1c-064e-49b6-a299-e94bd398125a';
const proj = '-home-dev-code-proj-a';
const keyOf = (id: string) => `import:claude-code:${id}`;

/** The entries of a session as they were written down by hand, without its head. */
function expectedEntries(format: string, id: string): string[] {
  const lines = readExpected(format).get(id)?.split('\n') ?? [];
  return lines.filter((line) => /^\d\d:/.test(line));
}

describe.each(['sqlite', 'jsonl'] as const)('an import into a %s store', (driver) => {
  it('keeps what was said, by whom, when and where, and a second one changes nothing', async () => {
    const store = await openTestStore(driver);
    const first = await importFrom(store, claudeFixtures);
    expect(first).toMatchObject({ sources: { created: 19, failed: 0, empty: 0 }, broken: [], failed: [] });
    const stored = await readStore(store);
    expect(stored.size).toBe(19);
    for (const [id] of readExpected('claude-code')) {
      if (id.startsWith('aaaaaaaa')) continue;
      const { conversation, entries } = stored.get(keyOf(id)) as never as { conversation: { agent: string }; entries: never[] };
      expect(conversation.agent).toBe('claude-code');
      const expected = expectedEntries('claude-code', id);
      // The shared part of a fork is the original's own, with the folder that was changed to in it.
      const told = entries.map(listEntry).map((line) => (id === fork ? line.replace(/ \((?:cwd|branch) [^)]*\)/g, '') : line));
      expect(told).toEqual(expected);
    }
    const second = await importFrom(store, claudeFixtures);
    expect(second).toMatchObject({ sources: { created: 0, grown: 0, unchanged: 19 }, entries: 0 });
    expect(await readStore(store)).toEqual(stored);
  });

  it('stores the beginning a fork shares once', async () => {
    const store = await openTestStore(driver);
    await importFrom(store, claudeFixtures);
    const origin = await store.get(keyOf(original));
    const forked = await store.get(keyOf(fork));
    expect(forked).toMatchObject({
      forkedFrom: { id: origin.id, seq: 17 },
      lastSeq: 19,
      createdAt: Date.parse('2026-11-15T00:23:05.405Z'),
    });
    expect(await store.stats()).toMatchObject({ entries: expectedTotal() - 17 });
  });
});

/** Of all fixtures of Claude Code, the one with its result beside it included. */
function expectedTotal(): number {
  const ids = [...readExpected('claude-code').keys()].filter((id) => !id.startsWith('aaaaaaaa'));
  return ids.reduce((sum, id) => sum + expectedEntries('claude-code', id).length, 4);
}

describe('an import', () => {
  it('makes sub-agents children of their sessions', async () => {
    const store = await openTestStore();
    await importFrom(store, claudeFixtures);
    await importFrom(store, codexFixtures, { format: codexFormat });
    const parent = '359d69ab-9d9a-4937-85d4-6c586cc82372';
    expect(await store.get(keyOf(`${parent}/a1c0554c1010cd76c`))).toMatchObject({
      title: 'Count the files',
      tags: ['sub-agent'],
      meta: { parent: { kind: 'sub-agent', id: parent, key: keyOf(parent), callId: 'toolu_010GwNkvPu2NIUCDRDXMmjHO' } },
    });
    expect(await store.get('import:codex:01a1dc9b-1e5b-7891-8b86-2bc9c6ab530d')).toMatchObject({
      meta: { parent: { key: 'import:codex:01a1dc9b-1b76-7642-b4e3-f772d4105e1d' } },
    });
  });

  it('files a session under the project of its folder', async () => {
    const store = await openTestStore();
    await importFrom(store, claudeFixtures);
    expect(await store.get(keyOf(original))).toMatchObject({
      project: 'path:/home/dev/code/proj-a',
      createdAt: Date.parse('2026-11-15T00:22:13.123Z'),
      activeAt: Date.parse('2026-11-15T00:23:04.098Z'),
      meta: {
        place: { path: '/home/dev/code/proj-a', name: 'proj-a' },
        import: { agent: 'claude-code', id: original, cwd: '/home/dev/code/proj-a', branch: 'feature/retry' },
      },
    });
  });

  it('takes only what a session grew by, and leaves a line that is not finished for the next time', async () => {
    const root = copyFixtures(claudeFixtures);
    const store = await openTestStore();
    const path = join(root, proj, `${original}.jsonl`);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    writeFileSync(path, `${lines.slice(0, 40).join('\n')}\n${lines[40]?.slice(0, 30)}`);
    await importFrom(store, root, { sources: await only(root, original) });
    const before = (await readStore(store)).get(keyOf(original))?.entries.length;
    appendFileSync(path, `${lines[40]?.slice(30)}\n${lines.slice(41).join('\n')}\n`);
    const report = await importFrom(store, root, { sources: await only(root, original) });
    expect(report).toMatchObject({ sources: { grown: 1 }, entries: 17 - (before as number), known: 0 });
    expect((await readStore(store)).get(keyOf(original))?.entries.map(listEntry)).toEqual(
      expectedEntries('claude-code', original),
    );
  });

  it('doubles nothing where the file was written anew, and takes what is new in it', async () => {
    const root = copyFixtures(claudeFixtures);
    const store = await openTestStore();
    const path = join(root, proj, `${original}.jsonl`);
    await importFrom(store, root, { sources: await only(root, original) });
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    const said = {
      ...JSON.parse(lines.findLast((line) => line.includes('"type":"assistant"')) as string),
      uuid: 'f0000000-0000-4000-8000-000000000000',
    };
    // The first half is gone, as after a clean-up, and one answer is new.
    writeFileSync(path, `${[...lines.slice(30), JSON.stringify(said)].join('\n')}\n`);
    const report = await importFrom(store, root, { sources: await only(root, original) });
    expect(report).toMatchObject({ sources: { grown: 1 }, entries: 1, known: 11 });
    expect((await readStore(store)).get(keyOf(original))?.entries).toHaveLength(18);
  });

  it('keeps what was imported when its source is gone', async () => {
    const root = copyFixtures(claudeFixtures);
    const store = await openTestStore();
    await importFrom(store, root);
    const stored = await readStore(store);
    rmSync(join(root, proj), { recursive: true });
    expect(await importFrom(store, root)).toMatchObject({ sources: { unchanged: 3 }, entries: 0 });
    expect(await readStore(store)).toEqual(stored);
  });

  it('goes on with a session whose file was packed meanwhile', async () => {
    const root = copyFixtures(codexFixtures);
    const store = await openTestStore();
    await importFrom(store, root, { format: codexFormat });
    const stored = await readStore(store);
    const folder = join(root, '2026/11/15');
    const name = 'rollout-2026-11-15T00-27-25-01a1dc9a-0aa9-7eb3-a49e-b212ebbf6400.jsonl';
    writeFileSync(join(folder, `${name}.zst`), packRaw(readFileSync(join(folder, name))));
    rmSync(join(folder, name));
    expect(await importFrom(store, root, { format: codexFormat })).toMatchObject({
      sources: { unchanged: 16 },
      entries: 0,
      known: 0,
      failed: [],
    });
    expect([...(await readStore(store)).values()].map(({ entries }) => entries)).toEqual(
      [...stored.values()].map(({ entries }) => entries),
    );
  });

  it('reports a file it cannot read and goes on with the rest', async () => {
    const root = copyFixtures(codexFixtures);
    const store = await openTestStore();
    const broken = join(root, '2026/11/15', 'rollout-2026-11-15T00-00-00-01a1dc9a-0000-7eb3-a49e-b212ebbf6400.jsonl.zst');
    writeFileSync(broken, 'this is not zstd');
    const report = await importFrom(store, root, { format: codexFormat });
    expect(report).toMatchObject({ sources: { created: 16, failed: 1 }, failed: [{ path: broken, code: 'io-failed' }] });
  });

  it('follows no link out of the folder', async () => {
    const root = copyFixtures(claudeFixtures);
    const outside = copyFixtures(claudeFixtures);
    const store = await openTestStore();
    rmSync(join(root, proj), { recursive: true });
    symlinkSync(join(outside, proj), join(root, proj));
    mkdirSync(join(root, 'other'));
    symlinkSync(join(outside, proj, `${original}.jsonl`), join(root, 'other', `${original}.jsonl`));
    const report = await importFrom(store, root);
    expect(report.sources.created).toBe(3);
    expect(report.broken.map(({ reason, path }) => [reason, path])).toEqual([
      ['link', join(root, proj)],
      ['link', join(root, 'other', `${original}.jsonl`)],
    ]);
  });

  it('writes nothing when it only counts', async () => {
    const store = await openTestStore();
    const counted = await importFrom(store, claudeFixtures, { dryRun: true });
    expect(await store.stats()).toMatchObject({ conversations: 0, entries: 0 });
    const done = await importFrom(store, claudeFixtures);
    expect(counted.sources).toEqual(done.sources);
    expect(await importFrom(store, claudeFixtures, { dryRun: true })).toMatchObject({ sources: { unchanged: 19 }, entries: 0 });
  });

  it('takes a new title, and leaves one that was given here', async () => {
    const root = copyFixtures(join(codexFixtures, '..'));
    const store = await openTestStore();
    const key = 'import:codex:01a1dc9d-963c-7563-aab2-90dcb0aa3faa';
    const run = () => importFrom(store, join(root, 'sessions'), { format: codexFormat });
    await run();
    const { id, title } = await store.get(key);
    expect(title).toBe('retry talk');
    const name = (thread_name: string) =>
      appendFileSync(
        join(root, 'session_index.jsonl'),
        `${JSON.stringify({ id: key.slice('import:codex:'.length), thread_name })}\n`,
      );
    name('retries, settled');
    await run();
    expect((await store.get(key)).title).toBe('retries, settled');
    await store.rename(id, 'my own');
    name('something else');
    await run();
    expect((await store.get(key)).title).toBe('my own');
  });

  it('leaves a conversation in the trash alone', async () => {
    const root = copyFixtures(claudeFixtures);
    const store = await openTestStore();
    await importFrom(store, root, { sources: await only(root, original) });
    const { id } = await store.get(keyOf(original));
    await store.trash(id);
    utimesSync(join(root, proj, `${original}.jsonl`), 1, 1);
    expect(await importFrom(store, root, { sources: await only(root, original) })).toMatchObject({
      sources: { trashed: 1 },
      entries: 0,
    });
  });

  it('keeps to the storage policy, and is as incremental under one that withholds every word', async () => {
    const root = copyFixtures(claudeFixtures);
    const path = join(root, proj, `${original}.jsonl`);
    const text = readFileSync(path, 'utf8');
    const half = text.indexOf('\n', text.length / 2) + 1;
    for (const [kind, kept] of [
      ['headers-only', 17],
      ['none', 0],
    ] as const) {
      writeFileSync(path, text.slice(0, half));
      const store = await openTestStore();
      const run = async () => importFrom(store, root, { sources: await only(root, original), policy: { kind } });
      await run();
      appendFileSync(path, text.slice(half));
      await run();
      utimesSync(path, 1, 1);
      await run();
      const stored = (await readStore(store)).get(keyOf(original));
      expect(stored?.entries.map((entry) => ('text' in entry ? entry.text : ''))).toEqual(Array(kept).fill(''));
    }
  });

  it('knows a session that moved to another folder', async () => {
    const root = copyFixtures(claudeFixtures);
    const store = await openTestStore();
    await importFrom(store, root);
    const stored = await readStore(store);
    renameSync(join(root, proj), join(root, '-somewhere-else'));
    expect(await importFrom(store, root)).toMatchObject({ sources: { unchanged: 19 }, entries: 0 });
    expect(await readStore(store)).toEqual(stored);
  });

  it('keeps what people said in an imported conversation apart from what its agent says later', async () => {
    const root = copyFixtures(claudeFixtures);
    const store = await openTestStore();
    const path = join(root, proj, `${original}.jsonl`);
    const text = readFileSync(path, 'utf8');
    const half = text.indexOf('\n', text.length / 2) + 1;
    writeFileSync(path, text.slice(0, half));
    await importFrom(store, root, { sources: await only(root, original) });
    const { id } = await store.get(keyOf(original));
    await store.append(id, { kind: 'message', role: 'user', text: 'Said here.' });
    appendFileSync(path, text.slice(half));
    await importFrom(store, root, { sources: await only(root, original) });
    const told = (await readStore(store)).get(keyOf(original))?.entries ?? [];
    expect(told.filter((entry) => 'text' in entry && entry.text === 'Said here.')).toHaveLength(1);
    expect(told.filter((entry) => entry.meta?.foreignId).map(listEntry)).toEqual(expectedEntries('claude-code', original));
  });
});

async function only(root: string, id: string) {
  const { findSources } = await import('./listing.ts');
  const { claudeCodeFormat } = await import('../../src/transcripts/claude-code/claude-code-format.ts');
  return (await findSources(claudeCodeFormat, root)).filter((source) => source.id === id);
}

/** A zstd frame of blocks that are not compressed. */
function packRaw(bytes: Buffer): Buffer {
  const most = 100_000;
  const parts: Buffer[] = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58])];
  for (let at = 0; at < bytes.length; at += most) {
    const block = bytes.subarray(at, at + most);
    const isLast = at + most >= bytes.length;
    const head = Buffer.alloc(3);
    head.writeUIntLE((block.length << 3) | (isLast ? 1 : 0), 0, 3);
    parts.push(head, block);
  }
  return Buffer.concat(parts);
}

describe('an import that died before the first entries came', () => {
  it('is begun again, although its checkpoint stands in the conversation', async () => {
    const whole = await openTestStore();
    await importFrom(whole, claudeFixtures);
    const made = await whole.get(keyOf(original));
    const store = await openTestStore();
    const { agent = '', key = '', tags, meta, createdAt } = made;
    await store.create({ agent, key, tags, meta, createdAt });
    const report = await importFrom(store, claudeFixtures);
    expect(report.sources).toMatchObject({ created: 18, grown: 1, unchanged: 0 });
    const [again, stored] = await Promise.all([readStore(store), readStore(whole)]);
    expect(again.get(key)?.entries.map(listEntry)).toEqual(stored.get(key)?.entries.map(listEntry));
    expect((await importFrom(store, claudeFixtures)).sources).toMatchObject({ unchanged: 19 });
  });
});
