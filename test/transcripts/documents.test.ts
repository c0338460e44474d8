// Sessions that are one document or rows of a database: cut at any byte, taken up when they grow, and whatever stands in their fields.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import Sqlite from 'better-sqlite3-multiple-ciphers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { agentChatterFormat } from '../../src/transcripts/agent-chatter/agent-chatter-format.ts';
import { chatGptFormat } from '../../src/transcripts/chatgpt/chatgpt-format.ts';
import { cisFormat } from '../../src/transcripts/cis/cis-format.ts';
import { claudeAiFormat } from '../../src/transcripts/claude-ai/claude-ai-format.ts';
import { jarvisFormat } from '../../src/transcripts/jarvis/jarvis-format.ts';
import { nanobotFormat } from '../../src/transcripts/nanobot/nanobot-format.ts';
import { openAiFormat } from '../../src/transcripts/openai/openai-format.ts';
import type { TranscriptFormat, TranscriptItem, TranscriptSource } from '../../src/transcripts/transcript-format.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';
import { collect, entriesOf, findSources, readItems } from './listing.ts';
import { copyFixtures, fixtures, importFrom, openTestStore, readStore } from './workbench.ts';

const jarvisFile = 'jarvis/made-by-hand/proj-d/.jarvis/saved_session_code_agent_openai_gpt-4o_20250119T123456000Z.json';
const chatterFile =
  'agent-chatter/made-by-hand/sessions/design-team/20251125T140000000Z-5e551001-aaaa-4bbb-8ccc-000000000001.json';
const documents: { format: TranscriptFormat; path: string; every: number }[] = [
  { format: agentChatterFormat, path: chatterFile, every: 1 },
  { format: jarvisFormat, path: jarvisFile, every: 1 },
  { format: openAiFormat, path: 'openai/made-by-hand/weather.json', every: 1 },
  { format: chatGptFormat, path: 'chatgpt/made-by-hand/export/conversations.json', every: 5 },
  { format: claudeAiFormat, path: 'claude-ai/made-by-hand/export/conversations.json', every: 5 },
];
const textsOf = (items: readonly TranscriptItem[]) => entriesOf(items).map(({ entry }) => ('text' in entry ? entry.text : ''));
const notesOf = (items: readonly (TranscriptItem | TranscriptSource)[]) =>
  items.flatMap((item) => (item.type === 'skipped' ? [`${item.reason} ${item.what}`] : []));

/** Everything to the checkpoint, or to where the document was cut. */
async function readUpToFault(format: TranscriptFormat, source: TranscriptSource): Promise<TranscriptItem[]> {
  const items: TranscriptItem[] = [];
  try {
    for await (const item of format.read(source)) items.push(item);
  } catch (error) {
    expect(error).toMatchObject({ code: 'io-failed', details: { reason: 'it ends in the middle' } });
    return items;
  }
  expect(items.at(-1)).toMatchObject({ type: 'checkpoint' });
  return items;
}

describe.each(documents)('$format.label', ({ format, path, every }) => {
  const bytes = readFileSync(join(fixtures, path));

  it('that is cut at any byte says the beginning of the whole', async () => {
    const whole = new Map<string, unknown[]>();
    for (const source of await findSources(format, join(fixtures, path)))
      whole.set(source.id, entriesOf(await readItems(format, source)));
    const file = join(createQuickFolder('cut'), basename(path));
    for (let at = 0; at < bytes.length - 2; at += every) {
      writeFileSync(file, bytes.subarray(0, at));
      for (const source of await findSources(format, file)) {
        const items = await readUpToFault(format, source);
        const entries = entriesOf(items);
        expect(items[0]).toMatchObject({ type: 'header' });
        if (whole.has(source.id)) expect(entries).toEqual(whole.get(source.id)?.slice(0, entries.length));
        else expect({ at, entries }).toEqual({ at, entries: [] });
      }
    }
  });

  it('is imported once, however often, and goes on where it was cut', async () => {
    const store = await openTestStore();
    const root = createQuickFolder('documents');
    const file = join(root, basename(path));
    writeFileSync(file, bytes.subarray(0, Math.trunc(bytes.length * 0.95)));
    const cutOff = await importFrom(store, file, { format });
    expect(cutOff.entries).toBeGreaterThan(0);
    // Told each time until it is whole.
    const told = await importFrom(store, file, { format });
    expect(told.failed.map(({ reason }) => reason).concat(told.broken.map(({ what }) => what))).toHaveLength(1);
    expect(told.entries).toBe(0);
    writeFileSync(file, bytes);
    const report = await importFrom(store, file, { format });
    expect(report.failed).toEqual([]);
    const before = await readStore(store);
    const again = await importFrom(store, file, { format });
    expect(again).toMatchObject({ entries: 0, sources: { created: 0, grown: 0, failed: 0 } });
    expect(await readStore(store)).toEqual(before);
    const fresh = await openTestStore();
    await importFrom(fresh, file, { format });
    const said = async (from: typeof store) =>
      [...(await readStore(from))].map(([key, { entries }]) => [key, entries.map(({ meta }) => meta?.foreignId)]).sort();
    expect(await said(store)).toEqual(await said(fresh));
  });

  it('reads fields of any other type', async () => {
    const random = createSeededRandom(5);
    const odd: unknown[] = [null, 0, -1, 1e300, '', 'text', [], [null], {}, { type: 5 }, true, [[['x']]], { text: {} }];
    const spoil = (value: unknown, level = 0): unknown => {
      if (level > 1 && random.chance(0.06)) return random.pick(odd);
      if (Array.isArray(value)) return value.map((each) => spoil(each, level + 1));
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, spoil(field, level + 1)]));
    };
    const file = join(createQuickFolder('spoiled'), basename(path));
    const sample: unknown = JSON.parse(bytes.toString());
    let entries = 0;
    for (let round = 0; round < 150; round += 1) {
      writeFileSync(file, JSON.stringify(spoil(sample)));
      const store = round % 30 === 0 ? await openTestStore() : undefined;
      if (store) expect((await importFrom(store, file, { format })).failed).toEqual([]);
      for (const source of await findSources(format, file)) {
        const items = await collect(format.read(source));
        expect(items.at(-1)).toMatchObject({ type: 'checkpoint' });
        entries += entriesOf(items).length;
      }
    }
    expect(entries).toBeGreaterThan(150);
  });

  it('with zeros, broken bytes and endless nesting is read without a fault', async () => {
    const file = join(createQuickFolder('hostile'), basename(path));
    const nested = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const deep = bytes.toString().replace('"content": "', `"deep": ${nested}, "content": "`);
    const broken = Buffer.from(bytes);
    broken[broken.indexOf('"content"') + 14] = 0xe9;
    const zeros = Buffer.concat([bytes.subarray(0, bytes.length >> 1), Buffer.alloc(4096)]);
    for (const content of [deep, broken, zeros, Buffer.alloc(100), 'null', '"text"', '[[[', '{"state":{"messages":[']) {
      writeFileSync(file, content);
      for (const source of await findSources(format, file))
        expect((await readUpToFault(format, source))[0]).toMatchObject({ type: 'header' });
    }
  });
});

describe('Jarvis', () => {
  it('saves that begin the same are stored once', async () => {
    const root = copyFixtures(join(fixtures, 'jarvis/made-by-hand/proj-d'));
    const [name = ''] = readdirSync(join(root, '.jarvis'));
    const saved = JSON.parse(readFileSync(join(root, '.jarvis', name), 'utf8'));
    saved.state.messages.push({ role: 'assistant', content: 'Later.' });
    writeFileSync(join(root, '.jarvis', name.replace('123456', '133456')), JSON.stringify(saved));
    const store = await openTestStore();
    expect(await importFrom(store, root, { format: jarvisFormat })).toMatchObject({ entries: 10, known: 9 });
    const all = [...(await readStore(store)).values()];
    expect(all.map(({ entries }) => entries.length).sort()).toEqual([10, 9]);
  });

  it('files without an envelope belong to the directory their folder is in', async () => {
    const root = createQuickFolder('jarvis');
    mkdirSync(join(root, '.jarvis'));
    const state = { messages: [{ role: 'user', content: 'x' }], model_name: 'm' };
    writeFileSync(join(root, '.jarvis', 'saved_session_code_agent_a_m_1.json'), JSON.stringify(state));
    const [source] = await findSources(jarvisFormat, root);
    expect((await readItems(jarvisFormat, source as never))[0]).toEqual({ type: 'header', header: { cwd: root, model: 'm' } });
  });
});

describe('agent-chatter', () => {
  it('a snapshot of a newer version is refused, and named', async () => {
    const root = copyFixtures(join(fixtures, 'agent-chatter/made-by-hand/sessions'));
    const [source] = await findSources(agentChatterFormat, root);
    const path = source?.path ?? '';
    writeFileSync(path, readFileSync(path, 'utf8').replace('"1.0"', '"7.0"'));
    const report = await importFrom(await openTestStore(), root, { format: agentChatterFormat });
    expect(report).toMatchObject({ sources: { created: 1, failed: 1 }, failed: [{ path, code: 'session-newer' }] });
  });

  it('a message that cannot be understood is a note', async () => {
    const sources = await findSources(agentChatterFormat, join(fixtures, 'agent-chatter/made-by-hand/sessions/old-team'));
    expect(notesOf(await readItems(agentChatterFormat, sources[0] as never))).toEqual(['broken message']);
  });
});

describe('nanobot', () => {
  it('a file that was written anew is read again, and nothing is doubled', async () => {
    const root = copyFixtures(join(fixtures, 'nanobot/made-by-hand/sessions'));
    const path = join(root, 'feishu%3Aoc_a1b2.jsonl');
    const store = await openTestStore();
    expect(await importFrom(store, root, { format: nanobotFormat })).toMatchObject({ entries: 9 });
    const text = readFileSync(path, 'utf8').replace('"updated_at":1769990460000', '"updated_at":17699905000000000');
    writeFileSync(path, `${text}{"type":"message","data":{"role":"user","content":"pong","timestamp":1769990500000}}\n`);
    expect(await importFrom(store, root, { format: nanobotFormat })).toMatchObject({ entries: 1, known: 5 });
    appendFileSync(path, '{"type":"message","data":{"role":"user","content":"pong","timestamp":1769990500000}}\n');
    expect(await importFrom(store, root, { format: nanobotFormat })).toMatchObject({ entries: 1, known: 0 });
  });
});

describe('CIS', () => {
  function makeDatabase(): { root: string; path: string; database: InstanceType<typeof Sqlite> } {
    const root = copyFixtures(join(fixtures, 'cis/made-by-hand'));
    const path = join(root, 'data', 'conversations.db');
    const database = new Sqlite(path);
    onTestFinished(() => void database.close());
    return { root, path, database };
  }

  it('the database in the fixtures is what its statements say', () => {
    const made = new Sqlite(':memory:');
    made.exec(readFileSync(join(fixtures, 'cis/made-by-hand/conversations.sql'), 'utf8'));
    const stored = new Sqlite(join(fixtures, 'cis/made-by-hand/data/conversations.db'), { readonly: true });
    for (const table of ['sqlite_master WHERE rootpage > 0', 'conversations', 'conversation_messages']) {
      const columns = table.startsWith('sqlite') ? 'name, sql' : '*';
      expect(stored.prepare(`SELECT ${columns} FROM ${table}`).all()).toEqual(
        made.prepare(`SELECT ${columns} FROM ${table}`).all(),
      );
    }
    made.close();
    stored.close();
  });

  it('conversations grow while the program has them open, and its folder is left as it was', async () => {
    const { root, database } = makeDatabase();
    database.pragma('journal_mode = WAL');
    const store = await openTestStore();
    expect(await importFrom(store, root, { format: cisFormat })).toMatchObject({ entries: 7, sources: { created: 2 } });
    database.exec(
      `INSERT INTO conversation_messages VALUES ('m5', 'c0ffee00-1111-4222-8333-555555555555', 'User', 'Thanks.', NULL, 1770030020)`,
    );
    const before = readdirSync(join(root, 'data'));
    expect(await importFrom(store, root, { format: cisFormat })).toMatchObject({
      entries: 1,
      sources: { grown: 1, unchanged: 1 },
    });
    expect(readdirSync(join(root, 'data'))).toEqual(before);
  });

  it('rows of any type are notes where they say nothing', async () => {
    const { root, database } = makeDatabase();
    const id = 'c0ffee00-1111-4222-8333-555555555555';
    const insert = database.prepare('INSERT INTO conversation_messages VALUES (?, ?, ?, ?, NULL, ?)');
    insert.run('n1', id, 'user', Buffer.from([0xff, 0x00]), 1770030030);
    insert.run('n2', id, 'user', 'x'.repeat(2000), 'not a time');
    insert.run('n3', id, Buffer.from('user'), 'x', 1770030031);
    insert.run('n4', id, 'user', 12n, -5);
    database.prepare('UPDATE conversations SET topics = ?, summary = ?').run('{"not": "a list"}', Buffer.from('x'));
    const source = (await findSources(cisFormat, root)).find((each) => each.id === id);
    const items = await collect(cisFormat.read(source as never, { mostLineBytes: 1000 }));
    expect(textsOf(items).sort()).toEqual(['12', 'Be short.', 'In the folder test.', 'Where are the tests?']);
    expect(notesOf(items).sort()).toEqual(['broken message', 'too-long message', 'unknown Tool', 'unknown message without role']);
  });

  it('a database that is broken, locked or another program’s is a note', async () => {
    const { root, path, database } = makeDatabase();
    database.exec('BEGIN EXCLUSIVE');
    expect(notesOf(await collect(cisFormat.discover(root)))).toEqual(['broken database (store-busy)']);
    database.exec('ROLLBACK');
    database.exec('DROP TABLE conversation_messages');
    expect(notesOf(await collect(cisFormat.discover(root)))).toEqual(['broken database']);
    writeFileSync(path, 'SQLite format 3\u0000 and nothing else');
    expect(notesOf(await collect(cisFormat.discover(root)))).toEqual(['broken database (store-damaged)']);
  }, 30_000);
});
