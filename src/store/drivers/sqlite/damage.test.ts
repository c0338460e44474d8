import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';
import { afterAll, expect, it } from 'vitest';
import type { ConversationId } from '../../../model/id.ts';
import type { Problem } from '../../../model/ports/store-driver.ts';
import { ConversationStore } from '../../conversation-store.ts';
import { SqliteDriver } from './sqlite-driver.ts';

const folder = mkdtempSync(join(tmpdir(), 'continuo-sqlite-damage-'));
const path = join(folder, 'log.db');
const count = 60;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('an index that leads to one entry twice shows it once, in order, and tells of the one that is missing', async () => {
  const problems: Problem[] = [];
  const open = () =>
    ConversationStore.open({
      driver: new SqliteDriver({ folder }),
      redactor: false,
      onProblem: (problem) => problems.push(problem),
    });
  const store = await open();
  const { id } = await store.create();
  for (let i = 1; i <= count; i++) await store.append(id, { kind: 'message', role: 'user', text: `said ${i}` });
  // Indexes what is there.
  await store.verify();
  await store.close();

  for (const [from, to] of [
    [10, 11],
    [11, 10],
    [3, 40],
    [40, 3],
    [count - 1, 0],
  ] as const) {
    const undo = copyPointer(from, to);
    const damaged = await open();
    problems.length = 0;
    const expected = Array.from({ length: count }, (_, i) => i + 1).filter((seq) => seq !== to + 1);
    for (const limit of [1, 7, 1000]) {
      const forward = await readInPages(damaged, id, 'forward', limit);
      const backward = await readInPages(damaged, id, 'backward', limit);
      expect([...new Set(forward)].sort(byNumber)).toEqual(forward);
      expect([...new Set(backward)].sort(byNumber).reverse()).toEqual(backward);
      expect(expected).toEqual(expect.arrayContaining([...forward, ...backward]));
    }
    expect(problems.length).toBeGreaterThan(0);
    expect((await damaged.verify()).problems).not.toEqual([]);
    await damaged.close();
    undo();
  }
  const whole = await open();
  expect(await readInPages(whole, id, 'forward', 7)).toHaveLength(count);
  expect((await whole.verify()).problems).toEqual([]);
  await whole.close();
});

/** Makes the index's pointer `to` lead where `from` leads. Returns the way back. */
function copyPointer(from: number, to: number): () => void {
  const database = new Database(path, { readonly: true });
  const page = database
    .prepare<[], number>("SELECT rootpage FROM sqlite_schema WHERE name = 'positions'")
    .pluck()
    .get() as number;
  const pageSize = database.pragma('page_size', { simple: true }) as number;
  database.close();
  const place = (i: number) => (page - 1) * pageSize + 8 + 2 * i;
  const file = openSync(path, 'r+');
  const [source, before] = [Buffer.alloc(2), Buffer.alloc(2)];
  readSync(file, source, 0, 2, place(from));
  readSync(file, before, 0, 2, place(to));
  writeSync(file, source, 0, 2, place(to));
  closeSync(file);
  return () => {
    const again = openSync(path, 'r+');
    writeSync(again, before, 0, 2, place(to));
    closeSync(again);
  };
}

async function readInPages(
  store: ConversationStore,
  id: ConversationId,
  order: 'forward' | 'backward',
  limit: number,
): Promise<number[]> {
  const seqs: number[] = [];
  let options: Parameters<ConversationStore['read']>[1] = { order, limit };
  while (options) {
    const page = await store.read(id, options);
    for (const { seq, ...entry } of page.items) {
      expect('text' in entry && entry.text).toBe(`said ${seq}`);
      seqs.push(seq);
    }
    options = page.next;
  }
  return seqs;
}

function byNumber(a: number, b: number): number {
  return a - b;
}
