// opencode's database: read without a trace, whatever state it is in, and never the tables that hold secrets.
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { opencodeFormat } from '../../src/transcripts/opencode/opencode-format.ts';
import type { TranscriptItem, TranscriptSource } from '../../src/transcripts/transcript-format.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';
import { collect, entriesOf, findSources, listEntry, listSession, readExpected, readItems } from './listing.ts';
import { copyFixtures, importFrom, opencodeFixtures, openTestStore, readStore } from './workbench.ts';

const format = opencodeFormat;
const original = 'ses_e23564b48ffeP0hnWm1WHSryf5';
const fork = 'ses_e2352bb4affeeo7S5utVyaMjRK';
const keyOf = (id: string) => `import:opencode:${id}`;
const textsOf = (items: readonly TranscriptItem[]) =>
  entriesOf(items).map(({ entry }) => ('text' in entry ? entry.text : entry.kind));
const notesOf = (items: readonly { type: string }[]) =>
  items.flatMap((item) => (item.type === 'skipped' ? [item as Extract<TranscriptItem, { type: 'skipped' }>] : []));

function copyDatabase(change: (database: Database.Database) => void = () => {}): { root: string; path: string } {
  const root = copyFixtures(opencodeFixtures);
  const path = join(root, 'opencode.db');
  const database = new Database(path);
  database.pragma('foreign_keys = OFF');
  change(database);
  database.close();
  return { root, path };
}

/** Everything in a folder, byte for byte. */
function photograph(folder: string): Record<string, string> {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString('base64')]));
}

async function sourceOf(root: string, id: string): Promise<TranscriptSource> {
  return (await findSources(format, root)).find((source) => source.id === id) as TranscriptSource;
}

async function listAll(root: string): Promise<Map<string, string>> {
  const listings = new Map<string, string>();
  for (const source of await findSources(format, root)) listings.set(source.id, await listSession(format, source));
  return listings;
}

/** Where copies are made; empty again a moment after they were used. */
let temporary: string;
const systemTemporary = process.env.TMPDIR;
beforeEach(() => {
  temporary = createQuickFolder('copies');
  process.env.TMPDIR = temporary;
});
afterEach(() => {
  if (systemTemporary === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = systemTemporary;
});

describe('an import of opencode', () => {
  it('keeps what was said, and a second one changes nothing', async () => {
    const store = await openTestStore();
    expect(await importFrom(store, opencodeFixtures, { format })).toMatchObject({
      sources: { created: 12, failed: 0, empty: 0 },
      broken: [],
      failed: [],
    });
    const stored = await readStore(store);
    for (const [id, listing] of readExpected('opencode')) {
      const lines = listing.split('\n').filter((line) => /^\d\d:/.test(line));
      expect(stored.get(keyOf(id))?.entries.map(listEntry)).toEqual(lines);
    }
    expect(await importFrom(store, opencodeFixtures, { format })).toMatchObject({ sources: { unchanged: 12 }, entries: 0 });
    expect(await readStore(store)).toEqual(stored);
  });

  it('stores what a fork and its origin share once, and makes a sub-agent a child', async () => {
    const store = await openTestStore();
    await importFrom(store, opencodeFixtures, { format });
    const [first, second] = [await store.get(keyOf(fork)), await store.get(keyOf(original))];
    // The origin was gone on with after the fork, so the fork comes first.
    expect(second.forkedFrom).toEqual({ id: first.id, seq: 17 });
    expect(await store.get(keyOf('ses_e2351f01dffeoVxzIe19hTrwJI'))).toMatchObject({
      tags: ['sub-agent'],
      meta: { parent: { key: keyOf('ses_e2352007fffeuUf4xJrMNFbWaz'), callId: 'call_3xRZxd4qMmDtyvOxAiWCwjgI' } },
    });
  });

  it('takes only what a session grew by', async () => {
    const { root, path } = copyDatabase();
    const store = await openTestStore();
    await importFrom(store, root, { format });
    say(path, { id: 'msg_z1', at: 1_794_800_000_000, role: 'user', text: 'One more thing' });
    say(path, { id: 'msg_z2', at: 1_794_800_001_000, role: 'assistant', text: 'Which?', completed: 1_794_800_002_000 });
    expect(await importFrom(store, root, { format })).toMatchObject({
      sources: { grown: 1, unchanged: 11 },
      entries: 2,
      known: 0,
    });
    const entries = (await readStore(store)).get(keyOf(original))?.entries ?? [];
    expect(entries.slice(-2).map(listEntry)).toEqual(['03:33:20.000 user | One more thing', '03:33:21.000 assistant | Which?']);
  });

  it('doubles nothing where the message it ended at is gone', async () => {
    const { root, path } = copyDatabase();
    const store = await openTestStore();
    await importFrom(store, root, { format });
    change(path, `DELETE FROM message WHERE id = 'msg_1dcade68c001mwC7RrC64316xa'`);
    say(path, { id: 'msg_z1', at: 1_794_800_000_000, role: 'user', text: 'Again, then' });
    say(path, { id: 'msg_z2', at: 1_794_800_001_000, role: 'assistant', text: 'Yes.', completed: 1_794_800_002_000 });
    expect(await importFrom(store, root, { format })).toMatchObject({ sources: { grown: 1 }, entries: 2, known: 18 });
  });
});

describe('an answer that is being written', () => {
  const now = Date.now();
  const createEmpty = () =>
    copyDatabase((database) => {
      database.exec('DELETE FROM part; DELETE FROM message; UPDATE session SET time_updated = 1, time_created = 1');
      database.exec(`DELETE FROM session WHERE id <> '${original}'`);
    });

  it('is left for the next time, with what was said after it', async () => {
    const { root, path } = createEmpty();
    const store = await openTestStore();
    say(path, { id: 'msg_z1', at: now, role: 'user', text: 'Go' });
    say(path, { id: 'msg_z2', at: now + 1, role: 'assistant', text: 'Goi' });
    say(path, { id: 'msg_z3', at: now + 2, role: 'user', text: 'And then?' });
    const first = await importFrom(store, root, { format });
    expect(first).toMatchObject({ sources: { created: 1 }, entries: 1 });
    change(
      path,
      `UPDATE part SET data = json_set(data, '$.text', 'Going.'), time_updated = ${now + 3} WHERE message_id = 'msg_z2'`,
    );
    change(path, `UPDATE message SET data = json_set(data, '$.time.completed', ${now + 3}) WHERE id = 'msg_z2'`);
    await importFrom(store, root, { format });
    say(path, { id: 'msg_z4', at: now + 4, role: 'assistant', text: 'Done.', completed: now + 5 });
    await importFrom(store, root, { format });
    const entries = (await readStore(store)).get(keyOf(original))?.entries ?? [];
    expect(entries.map((entry) => ('text' in entry ? entry.text : ''))).toEqual(['Go', 'Going.', 'And then?', 'Done.']);
  });

  it('is taken as it is after an hour, and what comes of its calls later is taken then', async () => {
    const { root, path } = createEmpty();
    const store = await openTestStore();
    const start = now - 3 * 60 * 60 * 1000;
    const tool = { type: 'tool', tool: 'bash', callID: 'call_1', state: { status: 'pending', input: { command: 'make' } } };
    say(path, { id: 'msg_z1', at: start, role: 'user', text: 'Build it' });
    say(path, { id: 'msg_z2', at: start + 1, role: 'assistant', text: 'May I?' });
    addPart(path, { id: 'prt_z2_b', message: 'msg_z2', at: start + 2, data: tool });
    const run = async () => importFrom(store, root, { format, sources: [await sourceOf(root, original)] });
    expect(await run()).toMatchObject({ sources: { created: 1 }, entries: 3 });
    expect(await run()).toMatchObject({ sources: { unchanged: 1 }, entries: 0 });
    const state = { status: 'completed', input: { command: 'make' }, output: 'ok', time: { start: now, end: now } };
    change(path, `UPDATE part SET data = '${JSON.stringify({ ...tool, state })}', time_updated = ${now} WHERE id = 'prt_z2_b'`);
    change(
      path,
      `UPDATE message SET data = json_set(data, '$.time.completed', ${now}), time_updated = ${now} WHERE id = 'msg_z2'`,
    );
    expect(await run()).toMatchObject({ sources: { grown: 1 }, entries: 1, known: 0 });
    const entries = (await readStore(store)).get(keyOf(original))?.entries ?? [];
    expect(entries.map((entry) => ('text' in entry ? entry.text : entry.kind))).toEqual([
      'Build it',
      'May I?',
      'tool-call',
      'ok',
    ]);
  });
});

describe('the database', () => {
  it('is read with its log, without a file made or changed beside it, and copies are gone afterwards', async () => {
    const { root, path } = copyDatabase((database) => database.pragma('journal_mode = WAL'));
    const writer = new Database(path);
    onTestFinished(() => void writer.close());
    writer.pragma('wal_autocheckpoint = 0');
    writer.exec(`UPDATE session SET title = 'said in the log' WHERE id = '${original}'`);
    const before = photograph(root);
    expect(Object.keys(before).sort()).toEqual(['opencode.db', 'opencode.db-shm', 'opencode.db-wal']);
    const titles = (await findSources(format, root)).map(({ title }) => title);
    expect(titles).toContain('said in the log');
    const listings = await listAll(root);
    expect(listings.get(fork)).toBe(readExpected('opencode').get(fork));
    expect(photograph(root)).toEqual(before);
    const [copy] = readdirSync(temporary);
    expect(statSync(join(temporary, copy as string)).mode & 0o777).toBe(0o700);
    expect(statSync(join(temporary, copy as string, 'copy.db')).mode & 0o777).toBe(0o600);
    await vi.waitFor(() => expect(readdirSync(temporary)).toEqual([]), 30_000);
  });

  it('is read while it is written to, whole at every moment', async () => {
    const { root, path } = copyDatabase((database) => database.pragma('journal_mode = WAL'));
    const writer = new Database(path);
    writer.pragma('foreign_keys = OFF');
    let said = 0;
    const timer = setInterval(() => {
      said += 1;
      const at = 1_794_800_000_000 + said;
      const id = `msg_z${String(said).padStart(9, '0')}`;
      const insert = writer.transaction(() => {
        const info = JSON.stringify({ role: 'assistant', time: { completed: at } });
        writer.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)').run(id, original, at, at, info);
        const data = JSON.stringify({ type: 'text', text: `number ${said}` });
        writer.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)').run(`prt_${id}`, id, original, at, at, data);
      });
      insert();
    }, 1);
    onTestFinished(() => {
      clearInterval(timer);
      writer.close();
    });
    for (let round = 0; round < 10; round += 1) {
      const before = said;
      const found = await collect(format.discover(root));
      expect(notesOf(found)).toEqual([]);
      const source = found.find((each) => each.type === 'source' && each.id === original) as TranscriptSource;
      const numbers = textsOf(await readItems(format, source)).slice(19);
      expect(numbers.length).toBeGreaterThanOrEqual(before);
      expect(numbers).toEqual(numbers.map((_, index) => `number ${index + 1}`));
    }
  });

  it('that was closed in WAL mode is read without its log, from a folder nobody may write to', async () => {
    const { root, path } = copyDatabase((database) => database.pragma('journal_mode = WAL'));
    rmSync(`${path}-wal`, { force: true });
    rmSync(`${path}-shm`, { force: true });
    chmodSync(root, 0o500);
    onTestFinished(() => chmodSync(root, 0o700));
    expect(await listAll(root)).toEqual(readExpected('opencode'));
    expect(readdirSync(root)).toEqual(['opencode.db']);
  });

  it('is never asked for accounts, credentials or shares: without those tables, or with them damaged, all is read', async () => {
    const secret = ['account', 'account_state', 'control_account', 'credential', 'session_share'];
    const { root } = copyDatabase((database) => {
      for (const table of secret) database.exec(`DROP TABLE \`${table}\``);
    });
    expect(await listAll(root)).toEqual(readExpected('opencode'));
    const damaged = copyDatabase((database) => {
      const fill = database.prepare('INSERT INTO credential VALUES (?, null, ?, ?, null, null, 1, 1, 1)');
      for (let index = 0; index < 50; index += 1) fill.run(`c${index}`, 'label', 'PRETEND-SECRET'.repeat(50));
    });
    const pages = credentialPages(damaged.path);
    const bytes = readFileSync(damaged.path);
    for (const page of pages) bytes.fill(0xa5, (page - 1) * 1024, page * 1024);
    writeFileSync(damaged.path, bytes);
    expect(() => new Database(damaged.path).prepare('SELECT * FROM credential').all()).toThrow(/malformed/);
    expect(await listAll(damaged.root)).toEqual(readExpected('opencode'));
  });

  it('that another process keeps locked is a note, and read once it is free', async () => {
    const { root, path } = copyDatabase();
    const holder = new Database(path);
    onTestFinished(() => void holder.close());
    holder.exec('BEGIN EXCLUSIVE');
    expect(await collect(format.discover(root))).toEqual([
      { type: 'skipped', reason: 'broken', what: 'database (store-busy)', path },
    ]);
    const store = await openTestStore();
    const held: TranscriptSource = { type: 'source', id: original, part: original, path, size: 1, modifiedAt: 1 };
    expect((await importFrom(store, root, { format, sources: [held] })).failed).toMatchObject([{ path, code: 'store-busy' }]);
    holder.exec('ROLLBACK');
    expect(await findSources(format, root)).toHaveLength(12);
  });

  it('that is none, is damaged, empty, a link or of an unknown version is a note', async () => {
    const whole = readFileSync(join(opencodeFixtures, 'opencode.db'));
    const cases: [string, (path: string) => void, string][] = [
      ['text', (path) => writeFileSync(path, 'SQLite is nice'), 'database (store-damaged)'],
      ['nothing', (path) => writeFileSync(path, ''), 'database (store-damaged)'],
      ['its beginning', (path) => writeFileSync(path, whole.subarray(0, 3000)), 'database (store-damaged)'],
      ['other tables', (path) => new Database(path).exec('CREATE TABLE notes (id)').close(), 'database (io-failed)'],
      ['other columns', (path) => change(path, 'ALTER TABLE part RENAME COLUMN data TO body', whole), 'database (io-failed)'],
      ['a link', (path) => symlinkSync(join(opencodeFixtures, 'opencode.db'), path), 'symbolic link'],
    ];
    for (const [name, make, what] of cases) {
      const root = createQuickFolder('opencode');
      const path = join(root, 'opencode.db');
      make(path);
      expect([name, notesOf(await collect(format.discover(root))).map((note) => [note.what, note.path])]).toEqual([
        name,
        [[what, path]],
      ]);
    }
    expect(await collect(format.discover(join(createQuickFolder('opencode'), 'nowhere')))).toEqual([]);
  });

  it('cut anywhere is a note or gives what is left, and never a crash', async () => {
    const whole = readFileSync(join(opencodeFixtures, 'opencode.db'));
    const root = createQuickFolder('opencode');
    const path = join(root, 'opencode.db');
    const store = await openTestStore();
    for (let at = 0; at < whole.length; at += 4999) {
      writeFileSync(path, whole.subarray(0, at));
      const report = await importFrom(store, root, { format, dryRun: true });
      expect(report.failed.length + report.broken.length).toBeGreaterThan(0);
      for (const { code } of report.failed) expect(code).toBe('store-damaged');
    }
    writeFileSync(path, whole);
    expect(await importFrom(store, root, { format })).toMatchObject({ sources: { created: 12 }, broken: [] });
  });

  it('of another channel is found, and what a newer version keeps elsewhere is told', async () => {
    const { root, path } = copyDatabase((database) =>
      database.exec(`INSERT INTO session_message VALUES ('a', '${original}', 'user', 1, 1, 1, '{}')`),
    );
    writeFileSync(join(root, 'opencode-dev.db'), readFileSync(join(opencodeFixtures, 'opencode.db')));
    const found = await collect(format.discover(root));
    expect(found.filter(({ type }) => type === 'source')).toHaveLength(24);
    expect(notesOf(found)).toEqual([{ type: 'skipped', reason: 'unknown', what: 'session_message', path }]);
  });
});

describe('rows nobody meant well', () => {
  it('of any other type, too long, nested too deeply or with broken bytes are notes, and the rest is read', async () => {
    const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
    const { root, path } = copyDatabase((database) => {
      database.exec(`DELETE FROM part; DELETE FROM message; DELETE FROM session WHERE id <> '${original}'`);
    });
    const first = 1_794_703_472_609;
    const text = (value: string) => `{"type":"text","text":"${value}"}`;
    say(path, { id: 'msg_1', at: first, role: 'user', text: 'Begin' });
    const rows: [string, unknown][] = [
      ['prt_a', Buffer.from('blob')],
      ['prt_b', 42],
      ['prt_c', 'not json'],
      ['prt_d', '[1]'],
      ['prt_e', text('x'.repeat(2000))],
      ['prt_f', `{"type":"tool","tool":"t","callID":"c","state":{"status":"completed","input":${deep},"output":${deep}}}`],
      ['prt_g', '{"type":7,"text":{}}'],
      ['prt_h', '{"type":"text","text":["no"]}'],
      ['prt_i', text('nul \\u0000 inside')],
      ['prt_j', '{"type":"tool","tool":5,"callID":{},"state":"done"}'],
      ['prt_k', '{"type":"text","text":"odd time","time":{"start":"never"}}'],
      ['prt_l', '{"type":"hologram"}'],
    ];
    const database = new Database(path);
    database.pragma('foreign_keys = OFF');
    database
      .prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)')
      .run('msg_2', original, first + 1, 1, '{"role":"assistant","time":{"completed":1},"tokens":{"input":-1,"cache":9}}');
    const insert = database.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)');
    for (const [id, data] of rows) insert.run(id, 'msg_2', original, 1, 1, data);
    const broken = database.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, CAST(? AS TEXT))');
    broken.run(
      'prt_m',
      'msg_2',
      original,
      1,
      1,
      Buffer.concat([Buffer.from('{"type":"text","text":"caf'), Buffer.from([0xe9]), Buffer.from('"}')]),
    );
    const message = database.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)');
    message.run('msg_3', original, 'yesterday', 1, '{"role":"user"}');
    message.run('msg_4', original, -5, 1, '{"role":"user"}');
    message.run(null, original, first + 4, 1, '{"role":"user"}');
    message.run('msg_5', original, first + 5, 'x', '{"role":"wizard"}');
    message.run('msg_6', original, first + 6, 1, '{');
    database.exec(
      `UPDATE session SET title = x'00ff', version = 7, parent_id = 9, time_created = 'then' WHERE id = '${original}'`,
    );
    database.close();
    say(path, { id: 'msg_7', at: first + 7, role: 'assistant', text: 'End', completed: 1 });

    const source = await sourceOf(root, original);
    const items = await collect(format.read(source, { mostLineBytes: 1500 }));
    expect(textsOf(items)).toEqual(['Begin', 'nul \u0000 inside', 'tool-call', 'odd time', 'caf\ufffd', 'End']);
    expect(notesOf(items).map(({ reason, what }) => `${reason} ${what}`)).toEqual([
      'broken message row',
      'broken part prt_a',
      'broken part prt_b',
      'broken part prt_c',
      'broken part prt_d',
      'too-long part prt_e',
      'too-long part prt_f',
      'unknown part/without type',
      'empty text',
      'unknown part/hologram',
      'unknown message of wizard',
      'broken message msg_6',
    ]);
    const store = await openTestStore();
    const report = await importFrom(store, root, { format });
    expect(report).toMatchObject({ sources: { created: 1 }, failed: [] });
    const [stored] = (await readStore(store)).values();
    expect(stored?.entries.map((entry) => ('text' in entry ? entry.text.slice(0, 22) : entry.kind))).toEqual([
      'Begin',
      'x'.repeat(22),
      'nul \u0000 inside',
      'tool-call',
      'odd time',
      'caf\ufffd',
      '[not writable as JSON]',
      'End',
    ]);
    expect(report.broken.filter(({ reason }) => reason === 'refused')).toHaveLength(1);
  });

  it('of 300 MB in one message are read in bounded memory', async () => {
    const { root, path } = copyDatabase((database) => {
      const message = database.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)');
      const part = database.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)');
      database.pragma('page_size = 16384');
      database.exec('VACUUM');
      const moment = 1_794_800_000_000;
      const words = 'All work and no play makes a long session. '.repeat(1200);
      database.transaction(() => {
        message.run('msg_z', original, moment, moment, '{"role":"assistant","time":{"completed":1}}');
        for (let index = 0; index < 6000; index += 1) {
          const data = JSON.stringify({ type: 'text', text: `${words}${index}` });
          part.run(`prt_z${String(index).padStart(5, '0')}`, 'msg_z', original, moment, moment, data);
        }
      })();
    });
    expect(statSync(path).size).toBeGreaterThan(300_000_000);
    const source = await sourceOf(root, original);
    global.gc?.();
    const before = process.memoryUsage().rss;
    let most = 0;
    let entries = 0;
    for await (const item of format.read(source)) {
      if (item.type === 'entry') entries += 1;
      if (entries % 100 === 0) most = Math.max(most, process.memoryUsage().rss - before);
    }
    expect(entries).toBe(6019);
    expect(most).toBeLessThan(200 * 1024 * 1024);
  });
});

it('sessions are looked for where the system keeps data, and resumed by their id in their folder', () => {
  expect(format.roots({}, '/home/me')).toEqual(['/home/me/.local/share/opencode']);
  expect(format.roots({ XDG_DATA_HOME: '/data' }, '/home/me')).toEqual(['/data/opencode']);
  expect(format.resumeCommand?.({ id: 'ses_1', cwd: '/x' })).toEqual({
    command: 'opencode',
    args: ['--session', 'ses_1'],
    cwd: '/x',
  });
  expect(format.write).toBeUndefined();
});

it('reads a session by the path of its database, and titles that say nothing are none', async () => {
  const { path } = copyDatabase((database) =>
    database.exec(`UPDATE session SET title = 'New session - 2026-11-15T00:44:31.799Z' WHERE id = '${original}'`),
  );
  const { title, ...source } = await sourceOf(path, original);
  expect(title).toBeUndefined();
  expect((await readItems(format, source)).at(0)).toMatchObject({ type: 'header', header: { cwd: '/home/dev/code/proj-a' } });
});

interface Spoken {
  id: string;
  at: number;
  role: 'user' | 'assistant';
  text: string;
  completed?: number;
}

/** A message of one part in the first session, as opencode writes it. */
function say(path: string, { id, at, role, text, completed }: Spoken): void {
  const time = { created: at, ...(completed !== undefined && { completed }) };
  const info = role === 'user' ? { role, time } : { role, time, modelID: 'scripted-1', path: { cwd: '/home/dev/code/proj-a' } };
  const database = new Database(path);
  database.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)').run(id, original, at, at, JSON.stringify(info));
  database.close();
  addPart(path, { id: `prt_${id}`, message: id, at, data: { type: 'text', text } });
}

function addPart(path: string, { id, message, at, data }: { id: string; message: string; at: number; data: object }): void {
  const database = new Database(path);
  database.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)').run(id, message, original, at, at, JSON.stringify(data));
  database.close();
}

function change(path: string, sql: string, bytes?: Buffer): void {
  if (bytes) writeFileSync(path, bytes);
  const database = new Database(path);
  database.exec(sql);
  database.close();
}

/** The pages of the credentials' table but none of its neighbours'. */
function credentialPages(path: string): number[] {
  const database = new Database(path, { readonly: true });
  const [root] = database.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'credential'").pluck().all() as number[];
  database.close();
  return [root as number];
}
