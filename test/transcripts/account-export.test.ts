// Exports of accounts: branches are forks, a later export only adds, and a file of any length is gone through one conversation at a time.
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chatGptFormat } from '../../src/transcripts/chatgpt/chatgpt-format.ts';
import { claudeAiFormat } from '../../src/transcripts/claude-ai/claude-ai-format.ts';
import { detectFormat } from '../../src/transcripts/formats.ts';
import { readHead } from '../../src/transcripts/session-folder.ts';
import { createQuickFolder, createTemporaryFolder } from '../support/temporary-folder.ts';
import { collect, entriesOf, findSources, readItems } from './listing.ts';
import { copyFixtures, fixtures, importFrom, openTestStore, readStore } from './workbench.ts';

const megabyte = 1024 * 1024;
const hugeBytes = process.env.CONTINUO_HUGE ? 1024 * megabyte : 200 * megabyte;
const chatGptFixtures = join(fixtures, 'chatgpt/made-by-hand');
const claudeFixtures = join(fixtures, 'claude-ai/made-by-hand');
const accounts = [
  { format: chatGptFormat, root: chatGptFixtures, entries: 12, shared: 1 },
  { format: claudeAiFormat, root: claudeFixtures, entries: 13, shared: 7 },
];

type Json = Record<string, unknown>;
const readExport = (root: string): Json[] => JSON.parse(readFileSync(join(root, 'export/conversations.json'), 'utf8'));
const writeExport = (root: string, conversations: readonly unknown[]) =>
  writeFileSync(join(root, 'export/conversations.json'), JSON.stringify(conversations));

describe.each(accounts)('an export of $format.label', ({ format, root, entries, shared }) => {
  it('makes a fork of each other branch, and stores what is shared once', async () => {
    const store = await openTestStore();
    expect(await importFrom(store, root, { format })).toMatchObject({ entries, known: shared, failed: [] });
    const all = await readStore(store);
    const forks = [...all].filter(([key]) => key.includes('/'));
    for (const [key, { conversation, entries: said }] of forks) {
      const origin = all.get(key.slice(0, key.indexOf('/')));
      expect(conversation.meta.parent).toMatchObject({ kind: 'fork', key: origin?.conversation.key });
      const isShared = said[0]?.id === origin?.entries[0]?.id;
      expect(conversation.forkedFrom?.id).toBe(isShared ? origin?.conversation.id : undefined);
    }
    expect(forks.length).toBeGreaterThan(0);
  });

  it('that comes again, moved and in another order, changes nothing', async () => {
    const folder = copyFixtures(root);
    const store = await openTestStore();
    await importFrom(store, folder, { format });
    const before = await readStore(store);
    const later = join(createQuickFolder('later'), 'export');
    mkdirSync(later);
    writeFileSync(join(later, 'conversations-001.json'), JSON.stringify(readExport(folder).reverse(), null, 4));
    const report = await importFrom(store, later, { format });
    expect(report).toMatchObject({ entries: 0, sources: { created: 0, grown: 0 }, failed: [] });
    const said = (all: typeof before) => [...all].map(([key, each]) => [key, each.entries]).sort();
    expect(said(await readStore(store))).toEqual(said(before));
  });

  it('may also be one conversation, or one to a line', async () => {
    const folder = createQuickFolder('lines');
    const conversations = readExport(root);
    const ids = (await findSources(format, root)).map(({ id }) => id);
    writeFileSync(join(folder, 'conversations.jsonl'), conversations.map((each) => `${JSON.stringify(each)}\n`).join(''));
    expect((await findSources(format, folder)).map(({ id }) => id)).toEqual(ids);
    const single = join(folder, 'one.json');
    writeFileSync(single, JSON.stringify(conversations[0], null, 2));
    expect(detectFormat({ path: single, head: await readHead(single) })?.name).toBe(format.name);
    expect((await findSources(format, single))[0]?.id).toBe(ids[0]);
  });

  it('that was rewritten after it was looked through is read by the ids', async () => {
    const folder = copyFixtures(root);
    const sources = await findSources(format, folder);
    const expected = await Promise.all(sources.map(async (source) => entriesOf(await readItems(format, source))));
    writeExport(folder, readExport(folder).reverse());
    expect(await Promise.all(sources.map(async (source) => entriesOf(await readItems(format, source))))).toEqual(expected);
    writeExport(folder, []);
    await expect(readItems(format, sources[0] as never)).rejects.toMatchObject({ code: 'io-failed' });
  });

  it(`of ${hugeBytes / megabyte} MB is gone through in bounded memory, and one conversation above the limit is a note`, async () => {
    const folder = join(createTemporaryFolder('account'), 'export');
    mkdirSync(folder);
    const path = join(folder, 'conversations.json');
    const [sample] = readExport(root);
    const text = JSON.stringify(sample);
    const own = format === chatGptFormat ? '8f3a2b1c-0000-4000-8000-000000000001' : 'b2b00000-0000-4000-8000-000000000001';
    const padding = 'All work and no play. '.repeat(20_000);
    const count = Math.ceil(hugeBytes / (text.length + padding.length));
    const file = openSync(path, 'w');
    writeSync(file, '[');
    for (let number = 0; number < count; number += 1) {
      const id = `${String(number).padStart(8, '0')}${own.slice(8)}`;
      writeSync(file, `${number === 0 ? '' : ',\n'}${text.replaceAll(own, id).slice(0, -1)},"padding":"${padding}"}`);
      if (number !== 3) continue;
      writeSync(file, `,{"title":"`);
      for (let block = 0; block < 40; block += 1) writeSync(file, 'x'.repeat(megabyte));
      writeSync(file, '"}');
    }
    writeSync(file, ']');
    closeSync(file);
    expect(statSync(path).size).toBeGreaterThan(hugeBytes);
    const before = process.memoryUsage().rss;
    let most = 0;
    const notes: string[] = [];
    const found: string[] = [];
    for await (const each of format.discover(folder)) {
      most = Math.max(most, process.memoryUsage().rss - before);
      if (each.type === 'skipped') notes.push(`${each.reason} ${each.what}`);
      else if (each.id.includes('/')) continue;
      else if (found.push(each.id) % 100 === 1) expect(entriesOf(await collect(format.read(each))).length).toBeGreaterThan(4);
    }
    expect({ count: found.length, notes }).toEqual({ count, notes: ['too-long conversation'] });
    expect(most).toBeLessThan(250 * megabyte);
  }, 120_000);

  it('as an archive says that it must be unpacked', async () => {
    const path = join(createQuickFolder('archive'), 'data.zip');
    const name = format === chatGptFormat ? 'user.json' : 'users.json';
    writeFileSync(path, `PK\u0003\u0004${'\0'.repeat(26)}${name}…conversations.json…`);
    expect(detectFormat({ path, head: await readHead(path) })?.name).toBe(format.name);
    const what = 'zip archive: unpack it and import the folder';
    expect(await collect(format.discover(path))).toEqual([{ type: 'skipped', reason: 'unknown', what, path }]);
  });
});

describe('a conversation that went on', () => {
  it('grows; where another branch has become the current one, that is told', async () => {
    const folder = copyFixtures(chatGptFixtures);
    const store = await openTestStore();
    await importFrom(store, folder, { format: chatGptFormat });
    const [first = {}] = readExport(folder);
    const mapping = first.mapping as Record<string, Json>;
    const parent = 'aaa00000-0000-4000-8000-00000000000d';
    const id = 'aaa00000-0000-4000-8000-0000000000ff';
    const message = {
      author: { role: 'user' },
      create_time: 1709660000,
      content: { content_type: 'text', parts: ['Are you sure?'] },
    };
    mapping[id] = { id, parent, children: [], message };
    writeExport(folder, [{ ...first, current_node: id, update_time: 1709660000 }]);
    const key = 'import:chatgpt:8f3a2b1c-0000-4000-8000-000000000001';
    expect(await importFrom(store, folder, { format: chatGptFormat })).toMatchObject({ failed: [] });
    const { entries = [] } = (await readStore(store)).get(key) ?? {};
    expect(entries.slice(5).map((entry) => [entry.kind, 'text' in entry ? entry.text : '', entry.meta?.to])).toEqual([
      ['event', '', 'aaa00000-0000-4000-8000-00000000000c'],
      ['message', 'Mont Blanc, I think.', undefined],
      ['message', 'Are you sure?', undefined],
    ]);
    writeExport(folder, [{ ...first, current_node: id, update_time: 1709660001 }]);
    expect(await importFrom(store, folder, { format: chatGptFormat })).toMatchObject({ entries: 0 });
  });

  it('and lost the file keeps what was imported', async () => {
    const folder = copyFixtures(claudeFixtures);
    const store = await openTestStore();
    await importFrom(store, folder, { format: claudeAiFormat });
    const before = await readStore(store);
    renameSync(join(folder, 'export'), join(folder, '..', 'gone'));
    expect(await importFrom(store, folder, { format: claudeAiFormat })).toMatchObject({ entries: 0, failed: [] });
    expect(await readStore(store)).toEqual(before);
  });
});

it('a tree that closes in a circle, names nobody, or has a thousand branches comes to an end', async () => {
  const path = join(createQuickFolder('tree'), 'conversations.json');
  const said = (text: string) => ({ author: { role: 'user' }, create_time: 1, content: { content_type: 'text', parts: [text] } });
  const circle = { a: { parent: 'b', message: said('a') }, b: { parent: 'a', message: said('b') } };
  const comb: Json = {};
  for (let number = 0; number < 1000; number += 1) {
    comb[`s${number}`] = { parent: number === 0 ? null : `s${number - 1}`, message: said(`s${number}`) };
    comb[`l${number}`] = { parent: `s${number}`, message: said(`l${number}`) };
  }
  const trees = [
    { id: 'circle', mapping: circle, current_node: 'a' },
    { id: 'comb', mapping: comb, current_node: 's999' },
    { id: 'nobody', mapping: { x: null, y: 5, z: { message: {} } } },
  ];
  writeFileSync(path, JSON.stringify(trees));
  const found = await collect(chatGptFormat.discover(path));
  const count = (id: string) => found.filter((each) => each.type === 'source' && each.id.startsWith(id)).length;
  expect([count('circle'), count('comb'), count('nobody')]).toEqual([1, 201, 1]);
  expect(found.filter((each) => each.type === 'skipped')).toHaveLength(800);
  for (const each of found.slice(0, 20)) if (each.type === 'source') await collect(chatGptFormat.read(each));
});
