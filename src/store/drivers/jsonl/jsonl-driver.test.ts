import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  append,
  conversation,
  now,
  rawBytes,
  readAll,
  said,
  texts,
  Workbench,
} from '../../../../test/support/jsonl-workbench.ts';
import { createLineSealer } from '../../../crypto/line-sealer.ts';
import type { ConversationId } from '../../../model/id.ts';
import { Coordination } from './coordination.ts';
import { JsonlDriver } from './jsonl-driver.ts';

const bench = new Workbench();
afterEach(() => bench.clear());

const sealer = createLineSealer(new Uint8Array(32).fill(1), '/store');
const ttl = (afterwards: 'headers-only' | 'delete') => ({ kind: 'ttl', milliseconds: 1000, afterwards }) as const;

describe('files', () => {
  it('have the format that is promised: metadata, then a line per entry, and an append adds one line', async () => {
    const folder = join(bench.folder(), 'data');
    const driver = await bench.open(folder);
    const made = conversation({ key: 'feishu:oc_1', title: '标题' });
    await driver.insertConversation(made);
    await append(driver, made.id, said('Hello', { data: '{"meta":{"a":1}}' }));
    const file = join(folder, 'keyed', 'feishu%3aoc_1.jsonl');
    const before = readFileSync(file, 'utf8');
    const [metadata, again, entry] = before.split('\n').map((line) => line && JSON.parse(line));
    expect(metadata).toEqual({
      type: 'metadata',
      data: made,
      log: { base: 0, removed: 0, rewrites: 0, nextExpiresAt: null },
      sum: expect.stringMatching(/^[0-9a-f]{8}$/),
    });
    expect(again).toEqual(metadata);
    expect(entry).toEqual({
      type: 'message',
      seq: 1,
      at: now,
      header: { role: 'user' },
      text: 'Hello',
      data: { meta: { a: 1 } },
      sum: expect.stringMatching(/^[0-9a-f]{8}$/),
    });
    const { ino } = statSync(file);
    await append(driver, made.id, said('again'));
    await driver.updateConversation(made.id, { title: 'other' });
    expect(readFileSync(file, 'utf8').startsWith(before)).toBe(true);
    expect(statSync(file).ino).toBe(ino);
  });

  it.skipIf(process.platform === 'win32')('are for their owner only, folders too, and loose ones are reported', async () => {
    const folder = join(bench.folder(), 'data');
    const driver = await bench.open(folder);
    await driver.insertConversation(conversation({ key: '中'.repeat(300) }));
    const made = conversation();
    await driver.insertConversation(made);
    const modes = new Set<string>([(lstatSync(folder).mode & 0o777).toString(8)]);
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const { mode } = lstatSync(join(entry.parentPath, entry.name));
      modes.add(`${entry.isFile() ? 'file' : 'folder'} ${(mode & 0o777).toString(8)}`);
    }
    expect(modes).toEqual(new Set(['700', 'file 600', 'folder 700']));
    chmodSync(join(folder, 'conversations', `${made.id}.jsonl`), 0o644);
    expect((await driver.verify()).problems).toMatchObject([
      { code: 'loose-permissions', file: `conversations/${made.id}.jsonl` },
    ]);
  });

  it('that are links are refused, read and write, and reported', async () => {
    const folder = join(bench.folder(), 'data');
    const driver = await bench.open(folder);
    const made = conversation({ key: 'k' });
    await driver.insertConversation(made);
    const elsewhere = join(bench.folder(), 'elsewhere.jsonl');
    const file = join(folder, 'keyed', 'k.jsonl');
    renameSync(file, elsewhere);
    symlinkSync(elsewhere, file);
    await expect(driver.findByKey('k')).rejects.toMatchObject({ code: 'unsafe-path' });
    await expect(driver.findConversation(made.id)).rejects.toMatchObject({ code: 'unsafe-path' });
    await expect(append(driver, made.id, said('x'))).rejects.toMatchObject({ code: 'unsafe-path' });
    await expect(driver.insertConversation(conversation({ key: 'k' }))).rejects.toMatchObject({ code: 'unsafe-path' });
    expect((await driver.verify()).problems).toMatchObject([{ code: 'unexpected-file', file: 'keyed/k.jsonl' }]);
    expect(readFileSync(elsewhere, 'utf8')).not.toContain('"text"');
  });

  it('in a folder that is a link are refused', async () => {
    const folder = join(bench.folder(), 'data');
    const driver = await bench.open(folder);
    const made = conversation();
    await driver.insertConversation(made);
    await driver.close();
    const elsewhere = join(bench.folder(), 'elsewhere');
    renameSync(join(folder, 'conversations'), elsewhere);
    symlinkSync(elsewhere, join(folder, 'conversations'));
    await expect(new JsonlDriver({ folder }).open()).rejects.toMatchObject({ code: 'unsafe-path' });
  });

  it('that do not belong are reported and left alone', async () => {
    const folder = join(bench.folder(), 'data');
    const driver = await bench.open(folder);
    writeFileSync(join(folder, 'keyed', 'notes.txt'), 'mine', { mode: 0o600 });
    expect((await driver.verify()).problems).toEqual([
      { code: 'unexpected-file', file: 'keyed/notes.txt', detail: 'not a file of this store' },
    ]);
    expect(readFileSync(join(folder, 'keyed', 'notes.txt'), 'utf8')).toBe('mine');
  });
});

describe('keys', () => {
  it.each([
    ['with a colon', 'a:b'],
    ['with an underscore', 'a_b'],
    ['with upper case', 'A_b'],
    ['that climb', '../../x'],
    ['of 300 CJK characters', '中'.repeat(300)],
    ['of 150 emoji', '😀'.repeat(150)],
    ['as long as a key may be', '中'.repeat(1024)],
    ['that Windows reserves', 'con'],
    ['that are a dot', '.'],
    ['that are half a character', '\ud800'],
    ['that are another half', '\ud801'],
  ])('%s find their conversation', async (_, key) => {
    for (const options of [{}, { sealer }]) {
      const folder = join(bench.folder(), 'data');
      const driver = await bench.open(folder, options);
      const made = conversation({ key });
      await driver.insertConversation(made);
      await append(driver, made.id, said('x'));
      const other = await bench.open(folder, options);
      expect(await other.findByKey(key)).toEqual({ ...made, lastSeq: 1 });
      expect(await other.findConversation(made.id)).toEqual({ ...made, lastSeq: 1 });
      await expect(other.insertConversation(conversation({ key }))).rejects.toMatchObject({
        code: 'key-taken',
        details: { key, holder: made.id },
      });
      expect(await other.deleteConversation(made.id)).toBe(true);
      expect(readdirSync(join(folder, 'keyed'))).toEqual([]);
      await driver.insertConversation(conversation({ key }));
    }
  });

  it('that are given up can be taken by another conversation; the first goes on under its id', async () => {
    const folder = join(bench.folder(), 'data');
    const [one, two] = [await bench.open(folder), await bench.open(folder)];
    const first = conversation({ key: 'k' });
    await one.insertConversation(first);
    await append(two, first.id, said('a'));
    const { key, ...rest } = { ...first, lastSeq: 1 };
    expect(key).toBe('k');
    expect(await one.updateConversation(first.id, { key: null })).toEqual(rest);
    const second = conversation({ key: 'k' });
    await two.insertConversation(second);
    await append(one, second.id, said('of the second'));
    await append(two, first.id, said('b'));
    for (const driver of [one, two, await bench.open(folder)]) {
      expect(await texts(driver, first.id)).toEqual(['a', 'b']);
      expect(await driver.findByKey('k')).toEqual({ ...second, lastSeq: 1 });
      expect(await driver.findConversation(first.id)).toEqual({ ...rest, lastSeq: 2 });
      expect((await driver.verify()).problems).toEqual([]);
    }
  });

  it('are given up by the move of the file alone, as after a crash just then', async () => {
    const folder = join(bench.folder(), 'data');
    const driver = await bench.open(folder);
    const made = conversation({ key: 'k' });
    await driver.insertConversation(made);
    await driver.close();
    renameSync(join(folder, 'keyed', 'k.jsonl'), join(folder, 'conversations', `${made.id}.jsonl`));
    const reopened = await bench.open(folder);
    expect((await reopened.findConversation(made.id))?.key).toBeUndefined();
    await reopened.insertConversation(conversation({ key: 'k' }));
    expect((await reopened.verify()).problems).toEqual([]);
  });
});

describe('the coordination file', () => {
  async function filledStore(): Promise<{ folder: string; driver: JsonlDriver; ids: ConversationId[] }> {
    const folder = join(bench.folder(), 'data');
    const driver = await bench.open(folder);
    const ids: ConversationId[] = [];
    for (let i = 0; i < 5; i++) {
      const made = conversation(i % 2 ? { key: `key ${i}`, title: `secret title ${i}` } : { tags: ['secret tag'] });
      await driver.insertConversation(made);
      await append(driver, made.id, said(`secret text ${i}`, { at: now + i }));
      ids.push(made.id);
    }
    return { folder, driver, ids };
  }

  it('holds nothing that was said', async () => {
    const { folder, driver } = await filledStore();
    await driver.close();
    expect(readFileSync(join(folder, 'coordination.db'), 'latin1')).not.toContain('secret');
  });

  it.each([
    ['lost', (path: string) => rmSync(path)],
    ['overwritten', (path: string) => writeFileSync(path, 'x'.repeat(20_000))],
    ['emptied', (path: string) => writeFileSync(path, '')],
    ['cut off', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 3000))],
    ['full of zeroes but for its beginning', (path: string) => writeFileSync(path, readFileSync(path).fill(0, 1024))],
  ])('may be %s: everything is found again', async (_, destroy) => {
    const { folder, driver, ids } = await filledStore();
    const expected = await driver.listConversations({ limit: 10 });
    await driver.close();
    destroy(join(folder, 'coordination.db'));
    const reopened = await bench.open(folder);
    expect(await reopened.listConversations({ limit: 10 })).toEqual(expected);
    await append(reopened, ids[1] as ConversationId, said('more'));
    expect(await texts(reopened, ids[1] as ConversationId)).toEqual(['secret text 1', 'more']);
    expect(await reopened.verify()).toEqual({ conversations: 5, entries: 6, problems: [] });
  });

  it('may have any of its bytes changed: lists stay right', async () => {
    const { folder, driver } = await filledStore();
    const expected = await driver.listConversations({ limit: 10 });
    await driver.close();
    const path = join(folder, 'coordination.db');
    const whole = readFileSync(path);
    for (let at = 7; at < whole.length; at += 397) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] as number) ^ (1 << (at % 8));
      writeFileSync(path, changed);
      const reopened = await bench.open(folder);
      expect(await reopened.listConversations({ limit: 10 }), `byte ${at}`).toEqual(expected);
      for (const { id } of expected) expect(await reopened.findConversation(id)).toMatchObject({ id });
      const { problems, ...counts } = await reopened.verify();
      expect(counts).toEqual({ conversations: 5, entries: 5 });
      // A page that nobody has needed yet is still as it was found.
      expect(problems.filter(({ code, file }) => code !== 'file-damaged' || file !== 'coordination.db')).toEqual([]);
      await reopened.close();
    }
  });

  it('may be thrown away while it is in use: all go on with a new one', async () => {
    const { folder, driver, ids } = await filledStore();
    const other = await bench.open(folder);
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(folder, `coordination.db${suffix}`), { force: true });
    await new Promise((resolve) => setTimeout(resolve, 60));
    await append(driver, ids[0] as ConversationId, said('from one'));
    await append(other, ids[0] as ConversationId, said('from the other'));
    for (const each of [driver, other]) {
      expect(await texts(each, ids[0] as ConversationId)).toEqual(['secret text 0', 'from one', 'from the other']);
      expect((await each.listConversations({ limit: 10 })).length).toBe(5);
    }
  });

  it('learns of files that were put in by hand', async () => {
    const { folder, driver, ids } = await filledStore();
    await driver.close();
    const made = join(folder, 'conversations', `${ids[0]}.jsonl`);
    const copyFolder = join(bench.folder(), 'data');
    const copy = await bench.open(copyFolder);
    writeFileSync(join(copyFolder, 'conversations', `${ids[0]}.jsonl`), readFileSync(made), { mode: 0o600 });
    expect(await copy.findConversation(ids[0] as ConversationId)).toMatchObject({ id: ids[0], lastSeq: 1 });
    expect((await copy.listConversations({ limit: 10 })).map(({ id }) => id)).toEqual([ids[0]]);
  });

  it('makes writers wait for each other and says so when it takes too long', async () => {
    const { folder, ids } = await filledStore();
    const impatient = await bench.open(folder, { lockTimeout: 100 });
    const blocker = new Coordination(folder, 1000);
    await blocker.open();
    let release = () => {};
    const held = blocker.locked(() => new Promise<void>((resolve) => (release = resolve)));
    await new Promise((resolve) => setTimeout(resolve, 20));
    await expect(append(impatient, ids[0] as ConversationId, said('x'))).rejects.toMatchObject({
      code: 'store-busy',
      details: { path: join(folder, 'coordination.db'), waited: expect.any(Number) },
    });
    expect(await texts(impatient, ids[0] as ConversationId)).toEqual(['secret text 0']);
    release();
    await held;
    await append(impatient, ids[0] as ConversationId, said('x'));
    await blocker.close();
  });
});

describe('sealed files', () => {
  it('show no word, no name and no key to anybody without the key', async () => {
    // Each is long or in quotation marks: sealed text is letters and digits at random, which make a short word now and then.
    const telltale = /plain(key|title|project|tag|text|role|data|other)|"user"|metadata|message/;
    const folder = join(bench.folder(), 'data');
    const driver = await bench.open(folder, { sealer });
    const made = conversation({ key: 'plainkey', title: 'plaintitle', project: 'plainproject', tags: ['plaintag'] });
    await driver.insertConversation(made);
    await append(driver, made.id, said('plaintext', { header: '{"role":"plainrole"}', data: '{"x":"plaindata"}' }));
    await driver.updateConversation(made.id, { title: 'plainother' });
    expect(rawBytes(folder)).not.toMatch(telltale);
    await driver.close();
    expect(rawBytes(folder)).not.toMatch(telltale);
    const reopened = await bench.open(folder, { sealer });
    expect(await reopened.findByKey('plainkey')).toEqual({ ...made, title: 'plainother', lastSeq: 1 });
    expect((await readAll(reopened, made.id)).map(({ text }) => text)).toEqual(['plaintext']);
  });

  it('cannot be read, nor written to, with another key or without one', async () => {
    const folder = join(bench.folder(), 'data');
    const driver = await bench.open(folder, { sealer });
    const made = conversation();
    await driver.insertConversation(made);
    await driver.close();
    const before = rawBytes(join(folder, 'conversations'));
    for (const options of [{}, { sealer: createLineSealer(new Uint8Array(32).fill(2), '/store') }]) {
      const stranger = await bench.open(folder, options);
      await expect(stranger.findConversation(made.id)).rejects.toMatchObject({ code: 'store-damaged' });
      await expect(append(stranger, made.id, said('x'))).rejects.toMatchObject({ code: 'store-damaged' });
      await stranger.close();
    }
    expect(rawBytes(join(folder, 'conversations'))).toBe(before);
  });
});

describe('text whose time is over', () => {
  it.each(['headers-only', 'delete'] as const)('leaves no byte behind and nothing else changes: %s', async (afterwards) => {
    const folder = join(bench.folder(), 'data');
    const [driver, other] = [await bench.open(folder), await bench.open(folder)];
    const made = conversation({ policy: ttl(afterwards), key: 'k' });
    await driver.insertConversation(made);
    for (let i = 1; i <= 6; i++) await append(driver, made.id, said(`word${i}`, { expiresAt: now + i * 10 }));
    await append(driver, made.id, said('stays'));
    expect((await readAll(other, made.id)).length).toBe(7);
    expect(await driver.countExpired(now + 30)).toBe(3);
    const removes = afterwards === 'delete';
    expect(await driver.expireEntries(now + 30)).toEqual(removes ? { withheld: 0, removed: 3 } : { withheld: 3, removed: 0 });
    const raw = rawBytes(folder);
    for (const word of ['word1', 'word2', 'word3']) expect(raw).not.toContain(word);
    for (const each of [driver, other, await bench.open(folder)]) {
      const kept = (await readAll(each, made.id)).map(({ seq, text }) => [seq, text]);
      const gone = removes ? [] : [1, 2, 3].map((seq) => [seq, null]);
      expect(kept).toEqual([...gone, [4, 'word4'], [5, 'word5'], [6, 'word6'], [7, 'stays']]);
      expect(await each.findByKey('k')).toEqual({ ...made, lastSeq: 7 });
      expect(await each.verify()).toEqual({ conversations: 1, entries: removes ? 4 : 7, problems: [] });
      expect((await each.stats()).entries).toBe(removes ? 4 : 7);
      expect(await each.countExpired(now + 30)).toBe(0);
    }
    await append(other, made.id, said('later', { expiresAt: now + 90 }));
    expect(await driver.expireEntries(now + 100)).toEqual(removes ? { withheld: 0, removed: 4 } : { withheld: 4, removed: 0 });
    expect((await readAll(driver, made.id)).at(-1)).toMatchObject(removes ? { seq: 7 } : { seq: 8, text: null });
    await append(driver, made.id, said('next'));
    expect((await readAll(other, made.id)).at(-1)).toMatchObject({ seq: 9, text: 'next' });
    expect((await driver.verify()).problems).toEqual([]);
  });

  it('is gone for good also where the process died just after: nothing is reported as lost', async () => {
    const folder = join(bench.folder(), 'data');
    const driver = await bench.open(folder);
    const made = conversation({ policy: ttl('headers-only') });
    await driver.insertConversation(made);
    await append(driver, made.id, said('word '.repeat(50), { expiresAt: now }));
    await driver.close();
    const saved = readFileSync(join(folder, 'coordination.db'));
    const second = await bench.open(folder);
    await second.expireEntries(now);
    await second.close();
    writeFileSync(join(folder, 'coordination.db'), saved);
    const third = await bench.open(folder);
    expect((await third.verify()).problems).toEqual([]);
    await third.expireEntries(now);
    await append(third, made.id, said('next'));
    expect((await third.verify()).problems).toEqual([]);
  });

  it('does not survive in a damaged line, and a rewrite that was cut short is cleared away', async () => {
    const folder = join(bench.folder(), 'data');
    const driver = await bench.open(folder);
    const made = conversation({ policy: ttl('headers-only') });
    await driver.insertConversation(made);
    for (let i = 1; i <= 3; i++) await append(driver, made.id, said(`word${i}`, { expiresAt: now }));
    const file = join(folder, 'conversations', `${made.id}.jsonl`);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"word2"', '"Word2"').replace('"word3"', '"Word3"'));
    writeFileSync(`${file}.rewrite`, 'word1', { mode: 0o600 });
    await driver.expireEntries(now);
    expect(rawBytes(folder).toLowerCase()).not.toContain('word');
    expect((await driver.findConversation(made.id))?.lastSeq).toBe(3);
  });
});

describe('a backup', () => {
  it('opens as a store of its own with everything in it', async () => {
    for (const options of [{}, { sealer }]) {
      const driver = await bench.open(undefined, options);
      const keyed = conversation({ key: '中'.repeat(300), title: 'keyed' });
      const plain = conversation({ pinned: true });
      for (const made of [keyed, plain]) {
        await driver.insertConversation(made);
        for (let i = 0; i < 300; i++) await append(driver, made.id, said(`text ${i}`, { at: now + i }));
      }
      const target = join(bench.folder(), 'copy');
      mkdirSync(target, { mode: 0o700 });
      const ticks: [number, number][] = [];
      await driver.backup(target, (done, total) => ticks.push([done, total]));
      expect(ticks.at(-1)?.[0]).toBe(ticks.at(-1)?.[1]);
      expect(existsSync(join(target, 'coordination.db'))).toBe(false);
      const copy = await bench.open(target, options);
      expect(await copy.listConversations({ limit: 10 })).toEqual(await driver.listConversations({ limit: 10 }));
      for (const { id } of [keyed, plain]) expect(await readAll(copy, id)).toEqual(await readAll(driver, id));
      expect((await copy.verify()).problems).toEqual([]);
      await expect(driver.backup(target)).rejects.toMatchObject({ code: 'backup-exists' });
    }
  });
});

describe('a closed driver', () => {
  it('refuses everything, and closing and opening again is fine', async () => {
    const driver = await bench.open();
    const made = conversation();
    await driver.insertConversation(made);
    await driver.close();
    await driver.close();
    await expect(driver.findConversation(made.id)).rejects.toMatchObject({ code: 'store-closed' });
    await expect(append(driver, made.id, said('x'))).rejects.toMatchObject({ code: 'store-closed' });
    await driver.open();
    await append(driver, made.id, said('x'));
    expect(await texts(driver, made.id)).toEqual(['x']);
  });

  it('says what it cannot do at all', async () => {
    const driver = await bench.open();
    await expect(driver.compressCold()).rejects.toMatchObject({ code: 'not-supported' });
  });
});
