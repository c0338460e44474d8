// A clock that jumps: back by an hour, far into the future and home again. Time orders nothing that positions order.
import { describe, expect, it } from 'vitest';
import type { ConversationId } from '../../src/model/id.ts';
import { openSubject, subjectNames } from '../support/store-subjects.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const start = Date.UTC(2026, 5, 1);
const hour = 3_600_000;
const jumps = [0, -hour, hour, -300 * 24 * hour, 10 * 365 * 24 * hour, -hour, 0];

describe('a clock that jumps back', () => {
  it.each(subjectNames)('%s: appends go on in the order of the calls, and lists stay whole', async (subject) => {
    const folder = createTemporaryFolder('clock');
    let now = start;
    const clock = () => now;
    const store = await openSubject(subject, folder, { clock, redactor: false });
    const { id } = await store.create({ title: 'one' });
    const made: ConversationId[] = [id];
    let count = 0;
    for (const jump of jumps) {
      now = start + jump;
      await store.append(id, [say(++count), say(++count)]);
      await Promise.all([store.append(id, say(++count)), store.append(id, say(++count))]);
      made.push((await store.create({ title: `at ${jump}` })).id);
    }
    const expected = Array.from({ length: count }, (_, i) => [i + 1, `said ${i + 1}`]);
    const read = async (reader: typeof store) =>
      (await reader.read(id, { limit: 1000 })).items.map((entry) => [entry.seq, (entry as { text: string }).text]);
    expect(await read(store)).toEqual(expected);
    expect(await store.get(id)).toMatchObject({ lastSeq: count, activeAt: start + Math.max(...jumps), createdAt: start });
    expect([...made].sort()).toEqual(made);
    const listed: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await store.list({ limit: 2, ...(cursor !== undefined && { cursor }) });
      listed.push(...page.items.map((conversation) => conversation.id));
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    expect(listed.sort()).toEqual([...made].sort());
    await store.close();
    now = start - hour;
    const reopened = await openSubject(subject, folder, { clock, redactor: false });
    expect(await read(reopened)).toEqual(expected);
    expect((await reopened.append(id, say(++count))).entries.map((entry) => entry.seq)).toEqual([count]);
    expect((await reopened.verify()).problems).toEqual([]);
    await reopened.close();
  });

  it.each(subjectNames)('%s: a lease outlives the jump, and what was trashed keeps its grace', async (subject) => {
    const folder = createTemporaryFolder('clock');
    let now = start;
    const options = { clock: () => now, redactor: false, trashGrace: 10 * hour } as const;
    const store = await openSubject(subject, folder, options);
    const other = await openSubject(subject, folder, options);
    const { id } = await store.create();
    const scrap = await store.create();
    const fleeting = await store.create({ policy: { kind: 'ttl', milliseconds: hour, afterwards: 'delete' } });
    await store.append(fleeting.id, say(1));
    await store.trash(scrap.id);
    const lease = await store.acquireLease(id);
    now = start - hour;
    await store.append(id, say(1));
    await expect(other.append(id, say(2))).rejects.toMatchObject({ code: 'conversation-locked' });
    await expect(other.acquireLease(id)).rejects.toMatchObject({ code: 'conversation-locked' });
    expect(await store.sweep()).toEqual({ purged: [], withheld: 0, removed: 0 });
    await lease.release();
    await other.append(id, say(2));
    now = start + 11 * hour;
    expect(await store.sweep()).toEqual({ purged: [scrap.id], withheld: 0, removed: 1 });
    now = start;
    expect((await other.read(id)).items.map((entry) => entry.seq)).toEqual([1, 2]);
    await store.close();
    await other.close();
  });
});

function say(number: number) {
  return { kind: 'message', role: 'user', text: `said ${number}` } as const;
}
