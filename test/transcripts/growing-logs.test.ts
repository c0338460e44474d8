// Sessions of Gemini CLI, Qwen Code and pi as they lie on a real disk: growing, resumed, forked, left behind, broken.
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { geminiFormat } from '../../src/transcripts/gemini/gemini-format.ts';
import { piFormat } from '../../src/transcripts/pi/pi-format.ts';
import { qwenFormat } from '../../src/transcripts/qwen/qwen-format.ts';
import type { TranscriptFormat, TranscriptItem, TranscriptSource } from '../../src/transcripts/transcript-format.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';
import { collect, entriesOf, findSources, listEntry, readExpected, readItems } from './listing.ts';
import { copyFixtures, geminiRoots, importFrom, openTestStore, piRoots, qwenRoots, readStore } from './workbench.ts';

const cases = [
  { format: geminiFormat, roots: geminiRoots, grows: '5c0ffee0-0001-4002-8003-000000000004', lines: 22 },
  { format: qwenFormat, roots: qwenRoots, grows: 'aaaa1111-2222-4333-8444-555566667777', lines: 13 },
  { format: piFormat, roots: piRoots, grows: '019c0000-0000-7000-8000-00000000000a', lines: 18 },
];

/** What was written down by hand of a session, without its head. */
function expectedOf(format: TranscriptFormat, id: string): string[] {
  const lines = readExpected(format.name).get(id)?.split('\n') ?? [];
  return lines.filter((line) => /^(?:\d\d:|\? )/.test(line));
}

async function findSource(format: TranscriptFormat, root: string, id: string): Promise<TranscriptSource> {
  const source = (await findSources(format, root)).find((each) => each.id === id);
  if (!source) throw new Error(`no session ${id}`);
  return source;
}

const listed = (items: readonly TranscriptItem[]) => entriesOf(items).map(({ entry }) => listEntry(entry));
const notesOf = (items: readonly TranscriptItem[]) =>
  items.flatMap((item) => (item.type === 'skipped' ? [`${item.reason} ${item.what}`] : []));
const checkpointOf = (items: readonly TranscriptItem[]) => items.findLast((item) => item.type === 'checkpoint')?.checkpoint;

describe.each(cases)('$format.label', ({ format, roots, grows, lines: lineCount }) => {
  it('imports every session once, and a second time nothing', async () => {
    const store = await openTestStore();
    for (const root of roots) expect(await importFrom(store, root, { format })).toMatchObject({ failed: [], broken: [] });
    const before = await readStore(store);
    expect([...before.keys()].sort()).toEqual(
      [...readExpected(format.name).keys()].map((id) => `import:${format.name}:${id}`).sort(),
    );
    for (const root of roots) {
      const { sources } = await importFrom(store, root, { format });
      expect({ ...sources, unchanged: 0 }).toEqual({ ...sources, created: 0, grown: 0, unchanged: 0 });
    }
    expect(await readStore(store)).toEqual(before);
  });

  it('takes from a session that grows line by line only what is new', async () => {
    const source = await findSource(format, roots[1] as string, grows);
    const lines = readFileSync(source.path, 'utf8').trimEnd().split('\n');
    expect(lines.length).toBe(lineCount);
    const path = join(createQuickFolder('growing'), 'session.jsonl');
    writeFileSync(path, '');
    const all: string[] = [];
    let from: ReturnType<typeof checkpointOf>;
    for (const line of lines) {
      appendFileSync(path, `${line}\n`);
      const items = await collect(format.read({ ...source, path }, { from }));
      expect(items[0]).not.toHaveProperty('resumed');
      all.push(...listed(items));
      from = checkpointOf(items);
      expect(JSON.stringify(from).length).toBeLessThan(16_384);
    }
    expect(all).toEqual(expectedOf(format, grows));
  });

  it('reads records whose fields are of any other type', async () => {
    const { path } = await findSource(format, roots[1] as string, grows);
    const samples = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const random = createSeededRandom(11);
    const odd: unknown[] = [null, 0, -1, '', 'text', [], [null], {}, { type: 5 }, true, [[['x']]], { text: {} }];
    const spoil = (value: unknown): unknown => {
      if (random.chance(0.15)) return random.pick(odd);
      if (Array.isArray(value)) return value.map(spoil);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, spoil(field)]));
    };
    const spoilt = join(createQuickFolder('spoilt'), 'session.jsonl');
    const lines = Array.from({ length: 2000 }, () => JSON.stringify(spoil(random.pick(samples))));
    writeFileSync(spoilt, `${lines.join('\n')}\n`);
    const source: TranscriptSource = { type: 'source', id: 'spoilt', path: spoilt, size: 1, modifiedAt: 1 };
    const items = await collect(format.read(source));
    expect(items.at(-1)).toMatchObject({ type: 'checkpoint', checkpoint: { line: 2000 } });
    const middle = items.find((item) => item.type === 'checkpoint')?.checkpoint;
    await collect(format.read(source, { from: middle }));
    const store = await openTestStore();
    const report = await importFrom(store, spoilt, { format, sources: [source] });
    expect(report).toMatchObject({ sources: { created: 1 }, failed: [] });
  });

  it('keeps the rest of a file with zeros, broken bytes, bare values, endless nesting and lines too long', async () => {
    const source = await findSource(format, roots[1] as string, grows);
    const lines = readFileSync(source.path).toString('latin1').trimEnd().split('\n');
    const deep = `{"type":"user","id":"x","content":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const odd = ['\0\0\0', 'null', '[1]', '"x"', '{"half', '\xff\xfe', '{}', `{"type":"${'x'.repeat(70_000)}"}`, deep, ''];
    const path = join(createQuickFolder('broken'), 'session.jsonl');
    const mixed = lines.flatMap((line, index) => [odd[index % odd.length] as string, line]);
    writeFileSync(path, Buffer.from(`${mixed.join('\r\n')}\n`, 'latin1'));
    const items = await collect(format.read({ ...source, path }, { mostLineBytes: 60_000 }));
    expect(listed(items)).toEqual(expectedOf(format, grows));
    const notes = notesOf(items);
    for (const note of ['broken not JSON', 'broken not an object', 'too-long line']) expect(notes).toContain(note);
  });

  it('follows no link, and reads a file of any name that is one of its sessions', async () => {
    const source = await findSource(format, roots[1] as string, grows);
    const folder = createQuickFolder('links');
    const copy = join(folder, 'copy.jsonl');
    copyFileSync(source.path, copy);
    expect((await findSources(format, copy)).map(({ id }) => id)).toEqual([grows]);
    const root = copyFixtures(roots[1] as string);
    const { path } = await findSource(format, root, grows);
    rmSync(path);
    symlinkSync(copy, path);
    const found = await collect(format.discover(root));
    expect(found).toContainEqual({ type: 'skipped', reason: 'link', what: 'symbolic link', path });
    expect(found.some((each) => each.type === 'source' && each.id === grows)).toBe(false);
    await expect(collect(format.read({ ...source, path }))).rejects.toThrow();
  });

  it('finds nothing where nothing is', async () => {
    expect(await collect(format.discover(join(createQuickFolder('nothing'), 'gone')))).toEqual([]);
  });
});

describe('Gemini CLI', () => {
  const [real, byHand] = geminiRoots as [string, string];

  it('takes the empty sessions that resuming leaves behind for none, also when the program has deleted the real one', async () => {
    const root = copyFixtures(real);
    const stubs = (await collect(geminiFormat.discover(root))).filter((each) => each.type === 'skipped');
    const chats = (project: string, name: string) => join(root, project, 'chats', `session-2026-11-15T00-${name}.jsonl`);
    expect(stubs).toEqual(
      [chats('proj-a', '40-a03da34f'), chats('proj-b', '40-e403323d'), chats('proj-b', '41-d9dd8283')].map((path) => ({
        type: 'skipped',
        reason: 'empty',
        what: 'session without words',
        path,
      })),
    );
    const store = await openTestStore();
    await importFrom(store, root, { format: geminiFormat });
    const before = await readStore(store);
    rmSync(chats('proj-a', '39-a03da34f'));
    await importFrom(store, root, { format: geminiFormat });
    expect(await readStore(store)).toEqual(before);
  });

  it('knows a session whose whole list of messages comes again after it was imported', async () => {
    const source = await findSource(geminiFormat, real, 'a03da34f-7625-467d-8b9b-403c8137ea02');
    const lines = readFileSync(source.path, 'utf8').trimEnd().split('\n');
    const again = lines.findIndex((line, index) => index > 2 && line.startsWith('{"$set":{"messages"'));
    const root = join(createQuickFolder('resumed'), 'chats');
    const path = join(root, 'session-x.jsonl');
    mkdirSync(root);
    writeFileSync(path, `${lines.slice(0, again).join('\n')}\n`);
    const first = await collect(geminiFormat.read({ ...source, path }));
    // So long ago that nothing of it is remembered.
    const forgetful = { ...checkpointOf(first), state: { recent: [], newest: Date.parse('2027-01-01') } };
    writeFileSync(path, `${lines.join('\n')}\n`);
    const rest = await collect(geminiFormat.read({ ...source, path }, { from: forgetful }));
    expect([...listed(first), ...listed(rest)]).toEqual(expectedOf(geminiFormat, source.id));
  });

  it('goes on with an older session that a newer version has moved into a file of lines', async () => {
    const id = '0ld00000-1111-4222-8333-444444444444';
    const root = copyFixtures(byHand);
    const store = await openTestStore();
    await importFrom(store, root, { format: geminiFormat });
    const { path } = await findSource(geminiFormat, root, id);
    const { messages, ...header } = JSON.parse(readFileSync(path, 'utf8'));
    const more = { id: 'o3', timestamp: '2025-08-02T09:00:00.000Z', type: 'user', content: [{ text: 'Still there?' }] };
    writeFileSync(`${path}l`, `${[header, ...messages, more].map((each) => JSON.stringify(each)).join('\n')}\n`);
    const found = await collect(geminiFormat.discover(root));
    expect(found).toContainEqual({ type: 'skipped', reason: 'repeat', what: 'session that was moved', path });
    await importFrom(store, root, { format: geminiFormat });
    const stored = (await readStore(store)).get(`import:gemini:${id}`);
    expect(stored?.entries.map((entry) => listEntry(entry))).toEqual([
      ...expectedOf(geminiFormat, id),
      '09:00:00.000 user | Still there?',
    ]);
  });

  it('reports an older session that is broken or too large and goes on', async () => {
    const folder = join(createQuickFolder('documents'), 'chats');
    mkdirSync(folder);
    const path = join(folder, 'session-2025-01-01T00-00-aaaaaaaa.json');
    const source: TranscriptSource = { type: 'source', id: 'a', path, size: 1, modifiedAt: 1 };
    writeFileSync(path, '{"sessionId":"a","projectHash":"b","messages":[');
    expect(notesOf(await readItems(geminiFormat, source))).toEqual(['broken not JSON']);
    expect(notesOf(await collect(geminiFormat.read(source, { mostLineBytes: 10 })))).toEqual(['too-long document']);
  });

  it('takes its folder from what the program told the model where no file says it', async () => {
    const folder = join(createQuickFolder('homeless'), 'chats');
    mkdirSync(folder);
    const { path } = await findSource(geminiFormat, real, '9d94cbb8-278e-492c-9c20-83cda0dbf2df');
    copyFileSync(path, join(folder, 'session-1.jsonl'));
    const [source] = await findSources(geminiFormat, folder);
    const headers = (await readItems(geminiFormat, source as TranscriptSource)).filter((item) => item.type === 'header');
    expect(headers.map(({ header }) => header.cwd).filter((cwd) => cwd !== undefined)).toEqual([
      '/home/dev/code/proj-c 中文.dir_v2',
    ]);
  });

  it('stores what an imported session shares with its origin once, and makes sub-agents children', async () => {
    const store = await openTestStore();
    for (const root of geminiRoots) await importFrom(store, root, { format: geminiFormat });
    const stored = await readStore(store);
    const origin = stored.get('import:gemini:444f87ac-6719-4899-a422-0c443c72a089')?.conversation;
    const fork = stored.get('import:gemini:d9dd8283-5e55-46bb-b96b-5d87a42977ad')?.conversation;
    expect(fork?.forkedFrom).toEqual({ id: origin?.id, seq: 6 });
    const child = stored.get('import:gemini:5c0ffee0-0001-4002-8003-000000000004/finder-1')?.conversation;
    expect(child?.tags).toContain('sub-agent');
    expect(child?.meta.parent).toMatchObject({ key: 'import:gemini:5c0ffee0-0001-4002-8003-000000000004' });
  });
});

describe('forks', () => {
  it('of Qwen Code and of pi share their beginning in the store', async () => {
    const store = await openTestStore();
    await importFrom(store, qwenRoots[1] as string, { format: qwenFormat });
    await importFrom(store, piRoots[0] as string, { format: piFormat });
    const stored = await readStore(store);
    const conversation = (key: string) => stored.get(`import:${key}`)?.conversation;
    const forkOf = (key: string) => conversation(key)?.forkedFrom;
    expect(forkOf('qwen:bbbb1111-2222-4333-8444-555566667777')).toMatchObject({
      id: conversation('qwen:aaaa1111-2222-4333-8444-555566667777')?.id,
      seq: 3,
    });
    expect(forkOf('pi:01a1dcaf-f70a-7789-80c5-8d326e17836c')).toMatchObject({
      id: conversation('pi:01a1dcaf-4bdb-7705-91eb-233294175e3b')?.id,
      seq: 17,
    });
  });
});

describe('Qwen Code', () => {
  it('makes a sub-agent the child of its session, with what it was started for', async () => {
    const store = await openTestStore();
    await importFrom(store, qwenRoots[0] as string, { format: qwenFormat });
    const id = 'df411b22-8965-4cfc-882d-deb9c7a37835';
    const call = 'call_oOdC6n8xsTo4x7e8hgmoLaTa';
    const { conversation } = (await readStore(store)).get(`import:qwen:${id}/general-purpose-${call}`) ?? {};
    expect(conversation).toMatchObject({ title: 'Count the files', tags: ['sub-agent'] });
    expect(conversation?.meta.parent).toEqual({ kind: 'sub-agent', id, key: `import:qwen:${id}`, callId: call });
  });
});

describe('pi', () => {
  it('says of an entry on another branch from where it goes on', async () => {
    const source = await findSource(piFormat, piRoots[1] as string, '019c0000-0000-7000-8000-00000000000a');
    const branched = entriesOf(await readItems(piFormat, source)).filter(({ entry }) => entry.meta?.branchFrom !== undefined);
    expect(branched.map(({ entry }) => [listEntry(entry), entry.meta?.branchFrom])).toEqual([
      ['08:00:05.000 label | The first try ended with a refusal.', '00000004'],
    ]);
  });

  it('knows a session of the first version after pi has given all its records new ids', async () => {
    const id = '019c0000-0000-7000-8000-00000000000b';
    const root = copyFixtures(piRoots[1] as string);
    const store = await openTestStore();
    await importFrom(store, root, { format: piFormat });
    const { path } = await findSource(piFormat, root, id);
    const [header, ...records] = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const more = {
      type: 'message',
      timestamp: '2025-10-01T09:00:00.000Z',
      message: { role: 'user', content: 'Again', timestamp: 1 },
    };
    const migrated = [...records, more].map((record, index) => ({ ...record, id: `1000000${index}`, parentId: null }));
    const text = [{ ...header, version: 3 }, ...migrated].map((each) => JSON.stringify(each)).join('\n');
    writeFileSync(`${path}.new`, `${text}\n`);
    renameSync(`${path}.new`, path);
    utimesSync(path, new Date(), new Date());
    const report = await importFrom(store, dirname(path), { format: piFormat });
    expect(report.sources).toMatchObject({ grown: 1 });
    const stored = (await readStore(store)).get(`import:pi:${id}`);
    expect(stored?.entries.map((entry) => listEntry(entry))).toEqual([...expectedOf(piFormat, id), '09:00:00.000 user | Again']);
  });
});
