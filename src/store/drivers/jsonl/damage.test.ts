import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { append, conversation, readAll, said, texts, Workbench } from '../../../../test/support/jsonl-workbench.ts';
import { createLineSealer } from '../../../crypto/line-sealer.ts';
import { isContinuoError } from '../../../model/error.ts';
import { type ConversationId, createConversationId } from '../../../model/id.ts';
import type { StoreDriver } from '../../../model/ports/store-driver.ts';

const bench = new Workbench();
afterEach(() => bench.clear());

const coordinationFiles = ['coordination.db', 'coordination.db-wal', 'coordination.db-shm'];

const all = Array.from({ length: 13 }, (_, i) => `text ${i + 1} 中文`);

interface SmallStore {
  driver: StoreDriver;
  folder: string;
  id: ConversationId;
  file: string;
}

/** Two lines of metadata, entries, metadata with another title, and one more entry. */
async function smallStore(options = {}, count = all.length): Promise<SmallStore> {
  const folder = join(bench.folder(), 'data');
  const driver = await bench.open(folder, options);
  const made = conversation({ title: 'small' });
  const { id } = made;
  await driver.insertConversation(made);
  for (const text of all.slice(0, count - 1)) await append(driver, id, said(text));
  await driver.updateConversation(id, { title: 'renamed' });
  await append(driver, id, said(all[count - 1] as string));
  return { driver, folder, id, file: join(folder, 'conversations', `${id}.jsonl`) };
}

describe('a file cut at every byte', () => {
  it('gives the intact prefix and a report', async () => {
    const { driver, id, file } = await smallStore({}, 4);
    const whole = readFileSync(file);
    for (let size = whole.length - 1; size >= Math.max(0, whole.length - 4096); size--) {
      truncateSync(file, size);
      expect((await driver.verify()).problems.length, `cut to ${size} of ${whole.length}`).toBeGreaterThan(0);
      const prefix = await texts(driver, id).catch(orDamaged);
      expect(prefix).toEqual(all.slice(0, prefix.length));
    }
  });

  it.each(['beside its coordination file', 'without its coordination file'])(
    'is opened and written to again: %s',
    async (situation) => {
      const { driver, folder, id, file } = await smallStore();
      await driver.close();
      const whole = readFileSync(file);
      const coordination = situation.startsWith('beside') ? readFileSync(join(folder, 'coordination.db')) : undefined;
      for (let size = whole.length - 1; size >= 0; size -= 41) {
        writeFileSync(file, whole.subarray(0, size));
        for (const name of coordinationFiles) rmSync(join(folder, name), { force: true });
        if (coordination) writeFileSync(join(folder, 'coordination.db'), coordination);
        const reopened = await bench.open(folder);
        const prefix = await texts(reopened, id).catch(orDamaged);
        expect(prefix).toEqual(all.slice(0, prefix.length));
        const found = await reopened.findConversation(id).catch(orDamaged);
        if (found && 'id' in found) {
          await append(reopened, id, said('after'));
          expect(await texts(reopened, id)).toEqual([...prefix, 'after']);
          expect((await reopened.findConversation(id))?.lastSeq).toBe((coordination ? 13 : prefix.length) + 1);
        }
        await reopened.close();
      }
    },
  );
});

function orDamaged(error: unknown): never[] {
  if (isContinuoError(error, 'store-damaged')) return [];
  throw error;
}

describe('a torn last line', () => {
  it('is reported, not returned, and never glued to what comes next', async () => {
    const { driver, id, file } = await smallStore();
    appendFileSync(file, '{"type":"message","seq":14,"at":17');
    expect(await texts(driver, id)).toEqual(all);
    expect((await driver.verify()).problems).toEqual([
      {
        code: 'torn-tail',
        conversationId: id,
        file: `conversations/${id}.jsonl`,
        line: 17,
        detail: 'the last line is cut off; the next append removes it',
      },
    ]);
    await append(driver, id, said('next'));
    expect(await texts(driver, id)).toEqual([...all, 'next']);
    expect((await driver.findConversation(id))?.lastSeq).toBe(14);
    expect((await driver.verify()).problems).toEqual([]);
  });

  it('of a conversation that was being made when its process died is no damage', async () => {
    const { driver, folder } = await smallStore();
    const unborn = `conversations/${createConversationId(Date.now())}.jsonl`;
    writeFileSync(join(folder, unborn), '', { mode: 0o600 });
    expect((await driver.verify()).problems).toEqual([
      { code: 'torn-tail', file: unborn, detail: 'a conversation whose making was cut off; it never was' },
    ]);
  });

  it('that is whole but for its end is kept', async () => {
    const { driver, folder, id, file } = await smallStore();
    truncateSync(file, readFileSync(file).length - 1);
    expect(await texts(driver, id)).toEqual(all);
    expect((await driver.verify()).problems).toMatchObject([{ code: 'torn-tail', line: 16 }]);
    await append(driver, id, said('next'));
    const other = await bench.open(folder);
    expect(await texts(other, id)).toEqual([...all, 'next']);
    expect((await other.verify()).problems).toEqual([]);
  });

  it('whose end was changed into another byte is kept', async () => {
    const { driver, id, file } = await smallStore();
    const bytes = readFileSync(file);
    bytes[bytes.length - 1] = 0x0b;
    writeFileSync(file, bytes);
    expect(await texts(driver, id)).toEqual(all);
    await append(driver, id, said('next'));
    expect(await texts(driver, id)).toEqual([...all, 'next']);
    expect((await driver.verify()).problems).toEqual([]);
  });

  it('of a creation that was never acknowledged does not stand in the way of its key', async () => {
    const { driver, folder } = await smallStore();
    writeFileSync(join(folder, 'keyed', 'feishu%3aoc_1.jsonl'), '{"type":"metadata","da', { mode: 0o600 });
    expect(await driver.findByKey('feishu:oc_1')).toBeUndefined();
    const keyed = conversation({ key: 'feishu:oc_1' });
    await driver.insertConversation(keyed);
    expect(await driver.findByKey('feishu:oc_1')).toEqual(keyed);
    expect((await driver.verify()).problems).toEqual([]);
  });
});

describe('a damaged line in the middle', () => {
  const damages: [string, (line: Buffer) => Buffer][] = [
    [
      'a flipped bit',
      (line) => Buffer.concat([line.subarray(0, 70), Buffer.from([(line[70] as number) ^ 4]), line.subarray(71)]),
    ],
    ['invalid UTF-8', (line) => Buffer.concat([line.subarray(0, 60), Buffer.from([0xff, 0xfe]), line.subarray(62)])],
    ['zeroes', (line) => Buffer.alloc(line.length)],
    ['no JSON', () => Buffer.from('hello there')],
    ['another shape', () => Buffer.from('{"type":"message","seq":"five"}')],
    ['nothing', () => Buffer.alloc(0)],
  ];

  it.each(damages)('(%s) is reported with its number, passed over, and costs nothing else', async (_, damage) => {
    const { driver, folder, id, file } = await smallStore();
    const lines = splitLines(readFileSync(file));
    lines[6] = damage(lines[6] as Buffer);
    writeFileSync(file, joinLines(lines));
    for (const each of [driver, await bench.open(folder)]) {
      expect(await texts(each, id)).toEqual(all.filter((text) => text !== 'text 5 中文'));
      expect((await each.readEntries(id, { after: 3, before: 7, limit: 10, order: 'backward' })).map(({ seq }) => seq)).toEqual([
        6, 4,
      ]);
      expect(await each.verify()).toEqual({
        conversations: 1,
        entries: 12,
        problems: [
          {
            code: 'damaged-record',
            conversationId: id,
            file: `conversations/${id}.jsonl`,
            line: 7,
            detail: 'the line is not what was written',
          },
        ],
      });
      expect((await each.findConversation(id))?.title).toBe('renamed');
    }
  });

  it('that is missing is reported as missing', async () => {
    const { driver, id, file } = await smallStore();
    const lines = splitLines(readFileSync(file));
    writeFileSync(file, joinLines(lines.toSpliced(6, 2)));
    expect((await driver.verify()).problems).toEqual([
      {
        code: 'missing-entries',
        conversationId: id,
        file: `conversations/${id}.jsonl`,
        detail: '2 of 13 entries are not in the file',
      },
    ]);
  });

  it('that is there twice is read once and reported', async () => {
    const { driver, id, file } = await smallStore();
    const lines = splitLines(readFileSync(file));
    writeFileSync(file, joinLines(lines.toSpliced(6, 0, lines[5] as Buffer)));
    expect(await texts(driver, id)).toEqual(all);
    expect((await driver.verify()).problems).toMatchObject([{ code: 'damaged-record', line: 7 }]);
  });

  it('never lets the last acknowledged position be given out again', async () => {
    const { driver, folder, id, file } = await smallStore();
    await driver.close();
    const lines = splitLines(readFileSync(file));
    lines[lines.length - 1] = Buffer.from('x');
    writeFileSync(file, joinLines(lines));
    for (const name of coordinationFiles) rmSync(join(folder, name), { force: true });
    const reopened = await bench.open(folder);
    await append(reopened, id, said('next'));
    expect((await readAll(reopened, id)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14]);
  });

  it('may be the first metadata: the conversation is still there', async () => {
    const { driver, id, file } = await smallStore();
    const lines = splitLines(readFileSync(file));
    writeFileSync(file, joinLines([Buffer.from('x'), ...lines.slice(1, 5)]));
    expect((await driver.findConversation(id))?.title).toBe('small');
    expect(await texts(driver, id)).toEqual(all.slice(0, 3));
  });
});

describe('random bytes', () => {
  it.each([
    ['plain', {}],
    ['sealed', { sealer: createLineSealer(new Uint8Array(32).fill(9), '/store') }],
  ])('never become words in a %s file', async (_, options) => {
    const { driver, folder, id, file } = await smallStore(options);
    await driver.close();
    const whole = readFileSync(file);
    const flip = fc.record({ at: fc.nat(whole.length - 1), to: fc.integer({ min: 0, max: 255 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(flip, { minLength: 1, maxLength: 4 }), async (flips) => {
        const changed = Buffer.from(whole);
        for (const { at, to } of flips) changed[at] = to;
        writeFileSync(file, changed);
        const reopened = await bench.open(folder, options);
        try {
          const { problems } = await reopened.verify();
          expect(problems.length > 0).toBe(!changed.equals(whole));
          const found = await texts(reopened, id);
          expect(all.filter((text) => found.includes(text))).toEqual(found);
          expect(['small', 'renamed']).toContain((await reopened.findConversation(id))?.title);
        } catch (error) {
          if (!isContinuoError(error, 'store-damaged')) throw error;
        } finally {
          await reopened.close();
        }
      }),
      { numRuns: 150 },
    );
  });
});

function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length; start = (lines.at(-1)?.length ?? 0) + start + 1) {
    const at = bytes.indexOf(10, start);
    lines.push(bytes.subarray(start, at < 0 ? bytes.length : at));
  }
  return lines;
}

function joinLines(lines: Buffer[]): Buffer {
  return Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));
}
