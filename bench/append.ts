// Durable appends: one writer against a bare write+fdatasync loop, and many writers against the bare database's best case.
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import Database from 'better-sqlite3-multiple-ciphers';
import { openStore } from '../src/open-store.ts';
import { makeMessage, makeText, withFolder } from './material.ts';
import { compare, type Job, median } from './measure.ts';
import { type Figure, rate } from './report.ts';

const writers = 64;

export async function benchAppend(): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const store = await openStore({ home: join(folder, 'home') });
    const ids = await Promise.all(Array.from({ length: writers }, async () => (await store.create()).id));
    const [id] = ids as [(typeof ids)[0]];
    let n = 0;
    const oneWriter: Job = async (count) => {
      for (let i = 0; i < count; i++) await store.append(id, makeMessage(n++));
    };
    const manyWriters: Job = async (count) => {
      const each = count / writers;
      await Promise.all(
        ids.map(async (own) => {
          for (let i = 0; i < each; i++) await store.append(own, makeMessage(n++));
        }),
      );
    };
    const bare = createBareLoop(join(folder, 'bare'));
    const batched = createBatchedInsert(join(folder, 'raw.db'));

    await manyWriters(64 * 300);
    const one = await compare({ bare: bare.write, store: oneWriter }, { rounds: 60, warmup: 40, count: 100 });
    const many = await compare(
      { batched: batched.insert, store: manyWriters },
      { rounds: 25, warmup: 5, count: { batched: 10_000, store: 6400 } },
    );
    const delay = await measureLoopDelay(() => manyWriters(64 * 500));
    await store.close();
    bare.close();
    batched.close();
    return [
      {
        name: 'durable append, 1 writer, of bare write+fdatasync',
        value: one.bare / one.store,
        bound: { kind: 'at least', value: 0.7 },
        detail: `${rate(one.store)} of ${rate(one.bare)}`,
      },
      {
        name: '64 writers, of a bare batched insert (1000 rows a commit)',
        value: many.batched / many.store,
        bound: { kind: 'at least', value: 0.4 },
        detail: `${rate(many.store)} of ${rate(many.batched)}`,
      },
      {
        name: '64 writers, times the rate of 1 writer',
        value: one.store / many.store,
        bound: { kind: 'at least', value: 4 },
        detail: `${rate(many.store)} against ${rate(one.store)}`,
      },
      { name: 'event loop delay under 64 writers, p99 in ms', value: delay.p99, detail: `median ${delay.p50.toFixed(2)} ms` },
    ];
  });
}

function createBareLoop(path: string): { write: Job; close(): void } {
  const file = openSync(path, 'a');
  let n = 0;
  return {
    write(count) {
      for (let i = 0; i < count; i++) {
        writeSync(file, `${JSON.stringify(makeMessage(n++))}\n`);
        fdatasyncSync(file);
      }
    },
    close: () => closeSync(file),
  };
}

/** The plain table anybody would make for this, with the index that reading a conversation needs. */
function createBatchedInsert(path: string): { insert: Job; close(): void } {
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(
    `CREATE TABLE messages (number INTEGER PRIMARY KEY, conversation INTEGER, seq INTEGER, at INTEGER, role TEXT, text TEXT,
       UNIQUE (conversation, seq))`,
  );
  const insert = database.prepare('INSERT INTO messages (conversation, seq, at, role, text) VALUES (?, ?, ?, ?, ?)');
  let n = 0;
  const commit = database.transaction((rows: number) => {
    for (let i = 0; i < rows; i++, n++) insert.run(n % writers, n, Date.now(), 'user', makeText(n));
  });
  return {
    insert(count) {
      for (let done = 0; done < count; done += 1000) commit.immediate(1000);
    },
    close: () => void database.close(),
  };
}

/** How late timers fire while the work runs. */
async function measureLoopDelay(work: () => void | Promise<void>): Promise<{ p50: number; p99: number }> {
  const resolution = 1;
  const runs: { p50: number; p99: number }[] = [];
  for (let i = 0; i < 3; i++) {
    const histogram = monitorEventLoopDelay({ resolution });
    histogram.enable();
    await work();
    histogram.disable();
    const late = (percentile: number) => Math.max(0, histogram.percentile(percentile) / 1e6 - resolution);
    runs.push({ p50: late(50), p99: late(99) });
  }
  return { p50: median(runs.map((run) => run.p50)), p99: median(runs.map((run) => run.p99)) };
}
