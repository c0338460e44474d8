// Processes that die in the middle, and processes at the same time: exactly what is missing is indexed, nothing twice.
import { join } from 'node:path';
import Sqlite from 'better-sqlite3-multiple-ciphers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ConversationId } from '../../src/model/id.ts';
import { IndexDatabase } from '../../src/recall/index/index-database.ts';
import { RecallIndexer } from '../../src/recall/index/indexer.ts';
import { scaled } from '../support/campaign.ts';
import { bundleProgram, Child } from '../support/child-program.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { openSubject, type SubjectName } from '../support/store-subjects.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import type { IndexChildInput, IndexChildLine } from './index-child.ts';

const timeout = 120_000;
let program: string;
beforeAll(async () => {
  program = await bundleProgram(new URL('index-child.ts', import.meta.url));
});

describe('a process that is killed while it indexes', () => {
  it.each<SubjectName>(['sqlite', 'jsonl'])('%s: leaves exactly what is missing to the next', { timeout }, async (subject) => {
    const folder = createTemporaryFolder('index-crash');
    const expected = await fillStore(subject, folder, 60, 400);
    const random = createSeededRandom(Date.now() % 1_000_000);
    const kills = scaled(5);
    for (let i = 0; i < kills; i++) {
      const child = startChild({ subject, folder, does: 'catch-up', name: `${i}`, appends: 0 });
      expect(await child.next()).toEqual({ tells: 'ready' });
      child.send('go');
      // Some die at once, some after a commit, some in the middle of one.
      if (i % 2 === 1) {
        await child.next();
        await child.next();
      }
      await new Promise((resolve) => setTimeout(resolve, random.between(0, 120)));
      child.kill();
      await child.ended;
      expectNothingTwice(folder);
    }
    const before = countDocuments(folder);
    const last = startChild({ subject, folder, does: 'catch-up', name: 'last', appends: 0 });
    await last.next();
    last.send('go');
    const lines = await last.finish();
    expect(lines.at(-1)).toEqual({ tells: 'done', documents: expected - before });
    expect(countDocuments(folder)).toBe(expected);
    expectNothingTwice(folder);
    expectEveryTokenOnce(folder, expected);
  });
});

describe('several processes on one index', () => {
  it.each<SubjectName>(['sqlite', 'jsonl'])(
    '%s: index everything once and find what the others said',
    { timeout },
    async (subject) => {
      const folder = createTemporaryFolder('index-many');
      const start = await fillStore(subject, folder, 4, 100);
      const appends = scaled(60);
      const names = ['amber', 'beryl', 'coral'];
      const children = names.map((name) => startChild({ subject, folder, does: 'follow', name, appends }));
      for (const child of children) expect(await child.next()).toEqual({ tells: 'ready' });
      for (const child of children) child.send('go');
      const total = start + names.length * appends;
      const deadline = Date.now() + 60_000;
      while (countDocuments(folder) < total && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
      expect(countDocuments(folder)).toBe(total);
      for (const child of children) child.send('stop');
      for (const child of children) {
        const lines = await child.finish();
        expect(lines).toEqual([{ tells: 'searched', found: 50 }]);
      }
      expectNothingTwice(folder);
      expectEveryTokenOnce(folder, total);
    },
  );

  it('leave the work to the one that is at it, and take it over when that one is dead', { timeout }, async () => {
    const folder = createTemporaryFolder('index-lease');
    await fillStore('sqlite', folder, 200, 200);
    const child = startChild({ subject: 'sqlite', folder, does: 'catch-up', name: 'first', appends: 0 });
    await child.next();
    child.send('go');
    await child.next();
    const store = await openSubject('sqlite', join(folder, 'store'));
    const index = await IndexDatabase.open({ path: join(folder, 'index.db') });
    const indexer = new RecallIndexer({ store, index });
    expect(await indexer.catchUp()).toEqual({ entries: 0, documents: 0, complete: false, scrubbed: false });
    child.kill();
    await child.ended;
    expect((await indexer.catchUp()).complete).toBe(true);
    expect(countDocuments(folder)).toBe(40_000);
    index.close();
    await store.close();
  });
});

function startChild(input: IndexChildInput): Child<IndexChildLine> {
  return new Child<IndexChildLine>(program, input);
}

/** How many documents the store should give. */
async function fillStore(subject: SubjectName, folder: string, conversations: number, entries: number): Promise<number> {
  const store = await openSubject(subject, join(folder, 'store'), { redactor: false });
  for (let i = 0; i < conversations; i++) {
    const { id } = await store.create({ title: `t${i}` });
    await say(store, id, i, entries);
  }
  await store.close();
  return conversations * entries;
}

async function say(
  store: Awaited<ReturnType<typeof openSubject>>,
  id: ConversationId,
  number: number,
  count: number,
): Promise<void> {
  const entries = Array.from({ length: count }, (_, i) => ({
    kind: 'message' as const,
    role: 'user' as const,
    text: `共同的词 robin ${number}x${i} 一些别的话 and some more words of the day`,
  }));
  await store.append(id, entries);
}

function look<T>(folder: string, work: (database: InstanceType<typeof Sqlite>) => T): T {
  const database = new Sqlite(join(folder, 'index.db'), { timeout: 10_000 });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

function countDocuments(folder: string): number {
  return look(folder, (database) => database.prepare('SELECT count(*) FROM documents WHERE seq > 0').pluck().get() as number);
}

function expectNothingTwice(folder: string): void {
  const twice = look(folder, (database) =>
    database.prepare('SELECT conversation, seq FROM documents GROUP BY conversation, seq HAVING count(*) > 1').all(),
  );
  expect(twice).toEqual([]);
}

/** The words are in the lexical index as often as there are documents, and it is sound. */
function expectEveryTokenOnce(folder: string, documents: number): void {
  const found = look(folder, (database) => {
    database.exec("INSERT INTO lexical (lexical) VALUES ('integrity-check')");
    const count = (match: string) => database.prepare('SELECT count(*) FROM lexical WHERE lexical MATCH ?').pluck().get(match);
    const state = database
      .prepare("SELECT sum(iif(name = 'documents', value, -value)) FROM state WHERE name IN ('documents', 'titles')")
      .pluck()
      .get();
    return [count('"共同 同的 的词"'), state];
  });
  expect(found).toEqual([documents, documents]);
}
