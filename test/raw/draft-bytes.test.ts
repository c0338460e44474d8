// Drafts come and go many times a second: what was replaced is soon overwritten, and what must be gone is gone from every byte.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { NewEntry } from '../../src/model/entry.ts';
import type { ConversationId } from '../../src/model/id.ts';
import { restoreBackup } from '../../src/store/backup.ts';
import type { ConversationStore } from '../../src/store/conversation-store.ts';
import { findWords, wordsIn } from '../support/raw-files.ts';
import { isEncrypted, openSubject, type SubjectName, subjectNames } from '../support/store-subjects.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';
import { Telltale } from './telltale.ts';

const hour = 3_600_000;
const lengths = [10, 300, 2500, 1200, 9000, 40_000, 500, 4000];

describe('the bytes of a draft', () => {
  it.each(subjectNames)('%s: are in no file after its conversation was purged, however it ended', async (subject) => {
    const folder = createQuickFolder('draft-purge');
    const { store, doomed, gone, kept } = await build(subject, folder);
    const other = await openSubject(subject, folder, { redactor: false });
    await other.findDraft(doomed[0] as ConversationId);
    for (const id of doomed) {
      await store.trash(id);
      await store.purge(id);
    }
    expect(findWords(folder, gone.words)).toEqual({});
    await expectKept(store, kept);
    await other.close();
    await store.close();
    expect(findWords(folder, gone.words)).toEqual({});
  });

  it('sqlite: are in no file of a store that is too large to be compacted at once', async () => {
    const folder = createQuickFolder('draft-large');
    const { store, doomed, gone, kept } = await build('sqlite', folder, { ballast: 40_000_000, count: 30 });
    for (const id of doomed) {
      await store.trash(id);
      await store.purge(id);
    }
    expect(findWords(folder, gone.words)).toEqual({});
    await expectKept(store, kept);
    await store.close();
  });

  it.each(subjectNames)('%s: are in no file after it was deleted', async (subject) => {
    const folder = createQuickFolder('draft-delete');
    const store = await openSubject(subject, folder, { redactor: false });
    const [gone, kept] = [new Telltale(), new Telltale()];
    const ids = await createMany(store, 4);
    for (const length of lengths) for (const id of ids) await store.putDraft(id, write(gone.text(length)));
    expectPresent(subject, folder, gone.words.slice(-5));
    const [first, ...others] = ids as [ConversationId];
    const stays = write(kept.text(3000));
    await store.putDraft(first, stays);
    for (const id of others) await store.deleteDraft(id);
    expect(findWords(folder, gone.words)).toEqual({});
    expect(await store.findDraft(first)).toMatchObject(stays);
    expect((await store.verify()).problems).toEqual([]);
    await store.close();
    expect(findWords(folder, gone.words)).toEqual({});
  });

  it.each(subjectNames)('%s: are in no file when their time is over, also those of drafts that ended', async (subject) => {
    const folder = createQuickFolder('draft-ttl');
    let now = Date.UTC(2026, 0, 1);
    const store = await openSubject(subject, folder, { redactor: false, clock: () => now });
    const [gone, kept] = [new Telltale(), new Telltale()];
    const stays = await store.create();
    const fades = await store.create({ policy: { kind: 'ttl', milliseconds: hour, afterwards: 'headers-only' } });
    const vanishes = await store.create({ policy: { kind: 'ttl', milliseconds: hour, afterwards: 'delete' } });
    for (const length of lengths) {
      for (const { id } of [fades, vanishes]) {
        await store.putDraft(id, write(gone.text(length)));
        if (length === 9000) await store.append(id, write(gone.text(length)), { endsDraft: true });
      }
      await store.putDraft(stays.id, write('words that change '.repeat(length / 10)));
    }
    const last = write(kept.text(9000));
    await store.putDraft(stays.id, last);
    expectPresent(subject, folder, gone.words.slice(-5));
    now += 2 * hour;
    expect(await store.sweep()).toEqual({ purged: [], withheld: 1, removed: 3 });
    expect(findWords(folder, gone.words)).toEqual({});
    expect(await store.findDraft(stays.id)).toMatchObject(last);
    await store.close();
    expect(findWords(folder, gone.words)).toEqual({});
  });

  it.each(subjectNames)('%s: never reach a file under headers-only and none', async (subject) => {
    const folder = createQuickFolder('draft-policy');
    const store = await openSubject(subject, folder, { redactor: false });
    const gone = new Telltale();
    for (const kind of ['headers-only', 'none'] as const) {
      const { id } = await store.create({ policy: { kind } });
      for (const length of lengths) await store.putDraft(id, write(gone.text(length)));
      await store.append(id, write(gone.text(100)), { endsDraft: true });
    }
    expect(findWords(folder, gone.words)).toEqual({});
    await store.close();
    expect(findWords(folder, gone.words)).toEqual({});
  });
});

describe('a draft in a backup', () => {
  it.each(subjectNames)('%s: is there when it is restored, and those that ended are not', async (subject) => {
    const folder = createQuickFolder('draft-backup');
    const { store, living } = await build(subject, join(folder, 'store'));
    const drafts = await Promise.all(living.map((id) => store.findDraft(id)));
    await store.backup(join(folder, 'backup'));
    await store.close();
    await restoreBackup(join(folder, 'backup'), join(folder, 'home'));
    const restored = await openSubject(subject, join(folder, 'home', 'store'), { redactor: false });
    expect(await Promise.all(living.map((id) => restored.findDraft(id)))).toEqual(drafts);
    expect(drafts.map((draft) => draft !== undefined)).toEqual(living.map((_, i) => i % 3 === 0));
    expect((await restored.verify()).problems).toEqual([]);
    await restored.putDraft(living[0] as ConversationId, write('goes on'));
    expect(await restored.findDraft(living[0] as ConversationId)).toMatchObject({ text: 'goes on' });
    await restored.close();
  });
});

/** Conversations that stay and that go, whose drafts grow in turns: a third stay drafts, a third are ended, a third deleted. */
async function build(subject: SubjectName, folder: string, { ballast = 0, count = 6 } = {}) {
  const store = await openSubject(subject, folder, { redactor: false });
  const [gone, kept] = [new Telltale(), new Telltale()];
  const living: ConversationId[] = [];
  const doomed: ConversationId[] = [];
  // In turns, so that their rows are neighbours.
  for (let i = 0; i < count; i++) for (const list of [living, doomed]) list.push((await store.create()).id);
  if (ballast > 0) {
    const { id } = await store.create();
    for (let i = 0; i < 20; i++) await store.append(id, write('ballast '.repeat(ballast / 8 / 20)));
  }
  for (const base of lengths) {
    for (let i = 0; i < living.length; i++) {
      const length = Math.ceil(base / ((i % 5) + 1));
      await store.putDraft(living[i] as ConversationId, write('words that change '.repeat(length / 10)));
      await store.putDraft(doomed[i] as ConversationId, write(gone.text(length)));
    }
  }
  for (let i = 0; i < living.length; i++) {
    const [stays, goes] = [living[i], doomed[i]] as [ConversationId, ConversationId];
    if (i % 3 === 0) await store.putDraft(stays, write(kept.text(5000)));
    if (i % 3 === 1) await store.append(stays, write('ended'), { endsDraft: true });
    if (i % 3 === 1) await store.append(goes, write(gone.text(50)), { endsDraft: true });
    if (i % 3 === 2) for (const id of [stays, goes]) await store.deleteDraft(id);
  }
  return { store, living, doomed, gone, kept };
}

async function createMany(store: ConversationStore, count: number): Promise<ConversationId[]> {
  const ids: ConversationId[] = [];
  for (let i = 0; i < count; i++) ids.push((await store.create()).id);
  return ids;
}

function write(text: string): NewEntry {
  return { kind: 'message', role: 'assistant', text, turnId: 't', meta: { about: 'it' } };
}

/** A search that finds nothing proves nothing unless it would have found something. */
function expectPresent(subject: SubjectName, folder: string, words: string[]): void {
  const found = Object.keys(findWords(folder, words)).length;
  if (isEncrypted(subject)) expect(found).toBe(0);
  else expect(found).toBeGreaterThan(words.length / 2);
}

async function expectKept(store: ConversationStore, kept: Telltale): Promise<void> {
  let all = '';
  for (const { id } of (await store.list({ limit: 1000 })).items) all += JSON.stringify((await store.findDraft(id)) ?? '');
  const present = wordsIn(all);
  expect(kept.words.filter((word) => !present.has(word))).toEqual([]);
  expect((await store.verify()).problems).toEqual([]);
}
