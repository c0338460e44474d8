// Many processes on one store. Eight append to the same and to different conversations while a ninth lists, reads, renames and
// verifies; one of them may die on the way.
import { beforeAll, describe, expect, it } from 'vitest';
import type { ConversationId } from '../../src/model/id.ts';
import { campaignScale, scaled } from '../support/campaign.ts';
import { bundleProgram, Child } from '../support/child-program.ts';
import { openSubject, type SubjectName, subjectNames } from '../support/store-subjects.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { digest, parseMark } from './entry-mark.ts';
import type { SharedStoreInput, SharedStoreLine } from './shared-store-child.ts';

const writers = 8;
const appends = scaled(40);
const timeout = 120_000 * Math.max(1, campaignScale);

let program: string;
beforeAll(async () => {
  program = await bundleProgram(new URL('shared-store-child.ts', import.meta.url));
});

describe('eight writers and an observer on one store', () => {
  it.each(subjectNames)('%s: nothing is lost, reordered, doubled or refused', { timeout }, async (subject) => {
    const folder = createTemporaryFolder('processes');
    const shared = await prepare(subject, folder);
    const start = (role: SharedStoreInput['role'], process: number) =>
      new Child<SharedStoreLine>(program, { subject, folder, role, process, shared, appends } satisfies SharedStoreInput);
    const observer = start('observer', 0);
    const children = Array.from({ length: writers }, (_, i) => start('writer', i + 1));
    const victim = children[0] as Child<SharedStoreLine>;
    for (const child of [observer, ...children]) expect(await child.next()).toEqual({ tells: 'ready' });
    for (const child of children) child.send('go');
    const acknowledged = new Map<string, string>();
    const problems: SharedStoreLine[] = [];
    const collect = async (child: Child<SharedStoreLine>) => {
      let lines = 0;
      for await (const line of child) {
        if (line.tells === 'appended') for (const [id, sum] of line.entries) acknowledged.set(id, sum);
        else if (line.tells === 'problem') problems.push(line);
        else if (line.tells === 'observed') expect(line.rounds).toBeGreaterThan(2);
        lines += 1;
        if (child === victim && lines === 20) child.kill();
      }
      const { code, signal } = await child.ended;
      return { code, signal, errors: child.errors };
    };
    const ends = await Promise.all(children.map(collect));
    observer.send('stop');
    const watched = await collect(observer);
    const well = { code: 0, signal: null, errors: '' };
    expect([watched, ...ends]).toEqual([well, { code: null, signal: 'SIGKILL', errors: '' }, ...Array(writers - 1).fill(well)]);
    expect(problems).toEqual([]);
    expect(acknowledged.size).toBeGreaterThanOrEqual((writers - 1) * appends);
    await check(subject, folder, acknowledged);
  });
});

describe('three processes that open and close one store all the time', () => {
  it.each(subjectNames)('%s: are never told of damage, and lose nothing', { timeout }, async (subject) => {
    const folder = createTemporaryFolder('visitors');
    const shared = await prepare(subject, folder);
    const visits = scaled(15);
    const store = await openSubject(subject, folder);
    const visitors = [1, 2, 3].map((process) => {
      const input: SharedStoreInput = { subject, folder, role: 'visitor', process, shared, appends: visits };
      return new Child<SharedStoreLine>(program, input);
    });
    expect(await Promise.all(visitors.map((visitor) => visitor.finish()))).toEqual([[], [], []]);
    expect((await store.stats()).conversations).toBe(shared.length + 3 * Math.ceil(visits / 3));
    expect((await store.verify()).problems).toEqual([]);
    await store.close();
  });
});

describe('a lease whose holder dies', () => {
  it.each(subjectNames)(
    '%s: is refused to others with the name of its holder while that lives, and is free at once when it is dead',
    async (subject) => {
      const folder = createTemporaryFolder('lease');
      const shared = await prepare(subject, folder);
      const id = shared[0] as ConversationId;
      const input: SharedStoreInput = { subject, folder, role: 'holder', process: 1, shared, appends: 0 };
      const holder = new Child<SharedStoreLine>(program, input);
      expect(await holder.next()).toEqual({ tells: 'ready' });
      const store = await openSubject(subject, folder);
      const refusal = { code: 'conversation-locked', details: { id, owner: 'the holder', pid: holder.pid } };
      const say = { kind: 'message', role: 'user', text: 'mine' } as const;
      await expect(store.append(id, say)).rejects.toMatchObject(refusal);
      await expect(store.acquireLease(id, { wait: 200 })).rejects.toMatchObject(refusal);
      const fork = await store.fork(id);
      await store.append(fork.id, say);
      holder.kill();
      await holder.ended;
      // Without "wait" it is given at once or refused.
      const lease = await store.acquireLease(id, { owner: 'the heir' });
      expect((await store.append(id, say)).entries.map((entry) => entry.seq)).toEqual([1]);
      expect(await store.findLease(id)).toMatchObject({ owner: 'the heir', pid: process.pid });
      await lease.release();
      await store.close();
    },
  );
});

async function prepare(subject: SubjectName, folder: string): Promise<ConversationId[]> {
  const store = await openSubject(subject, folder);
  const shared = [(await store.create({ key: 'shared one' })).id, (await store.create({ title: 'shared two' })).id];
  await store.close();
  return shared;
}

/** Everything acknowledged is there as it was said, positions are dense, and each process's entries are in the order it wrote them. */
async function check(subject: SubjectName, folder: string, acknowledged: Map<string, string>): Promise<void> {
  const store = await openSubject(subject, folder);
  const missing = new Map(acknowledged);
  const counters = new Set<string>();
  for (const { id, lastSeq } of (await store.list({ limit: 100 })).items) {
    const newest = new Map<number, number>();
    let position = 0;
    for await (const entry of store.readAll(id)) {
      const { text } = entry as { text: string };
      const mark = parseMark(text);
      position += 1;
      expect(entry.seq).toBe(position);
      if (missing.get(entry.id) === digest(text)) missing.delete(entry.id);
      const { writer = 0, counter = 0 } = mark ?? {};
      expect(counter, entry.id).toBeGreaterThan(newest.get(writer) ?? 0);
      newest.set(writer, counter);
      expect(counters.has(`${writer}.${counter}`)).toBe(false);
      counters.add(`${writer}.${counter}`);
    }
    expect(position).toBe(lastSeq);
  }
  expect([...missing.keys()]).toEqual([]);
  // The one that was killed may have left a single call unacknowledged in each of its lanes.
  expect(counters.size - acknowledged.size).toBeLessThanOrEqual(15);
  expect((await store.verify()).problems).toEqual([]);
  await store.close();
}
