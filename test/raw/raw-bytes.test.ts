// What must be gone is gone from every byte of every file: after a purge, after a time to live, under policies that keep nothing.
import { beforeAll, describe, expect, it } from 'vitest';
import type { ConversationId } from '../../src/model/id.ts';
import type { ConversationStore } from '../../src/store/conversation-store.ts';
import { campaignScale, scaled } from '../support/campaign.ts';
import { bundleProgram, Child } from '../support/child-program.ts';
import { findWords, wordsIn } from '../support/raw-files.ts';
import { isEncrypted, openSubject, type SubjectName, subjectNames } from '../support/store-subjects.ts';
import { createQuickFolder, createTemporaryFolder } from '../support/temporary-folder.ts';
import type { BystanderInput } from './bystander-child.ts';
import { Telltale } from './telltale.ts';

const hour = 3_600_000;
const lengths = [10, 300, 2000, 9000, 40_000];
/** How many kinds of entries there are, each told once for every length. */
const kinds = new Telltale().entries(1).length;

describe('the bytes of a purged conversation', () => {
  it.each(subjectNames)('%s: are in no file, wherever they had been', async (subject) => {
    const folder = createQuickFolder('raw-purge');
    const { store, doomed, gone, kept } = await buildInterleaved(subject, folder, {});
    expectPresent(subject, folder, [...gone.words, ...kept.words]);
    await purge(store, doomed);
    expect(findWords(folder, gone.words)).toEqual({});
    await expectWhole(store, folder, subject, kept);
    await store.close();
    expect(findWords(folder, gone.words)).toEqual({});
  });

  it.each(['sqlite', 'sqlite-encrypted'] as const)('%s: are in no file, though they had been packed before', async (subject) => {
    const folder = createQuickFolder('raw-packed');
    const { store, doomed, gone, kept } = await buildInterleaved(subject, folder, {});
    const packed = await store.compressCold(Date.now() + hour);
    expect(packed.entries).toBeGreaterThan(0);
    await purge(store, doomed);
    expect(findWords(folder, gone.words)).toEqual({});
    await expectWhole(store, folder, subject, kept, { isPacked: true });
    await store.close();
    expect(findWords(folder, gone.words)).toEqual({});
  });

  it.each(subjectNames)('%s: are in no file, while another connection and another process are at work', async (subject) => {
    const folder = createTemporaryFolder('raw-others');
    const { store, doomed, gone, kept } = await buildInterleaved(subject, folder, {});
    const other = await openSubject(subject, folder, { redactor: false });
    await other.read(doomed[0] as ConversationId, { limit: 5 });
    const child = new Child<{ ready: true }>(await bystander(), { subject, folder } satisfies BystanderInput);
    expect(await child.next()).toEqual({ ready: true });
    await purge(store, doomed);
    expect(findWords(folder, gone.words)).toEqual({});
    await expect(other.get(doomed[0] as ConversationId)).rejects.toMatchObject({ code: 'conversation-not-found' });
    child.send('stop');
    await child.finish();
    await other.close();
    await expectWhole(store, folder, subject, kept);
    await store.close();
    expect(findWords(folder, gone.words)).toEqual({});
  });

  it.each(['sqlite', 'sqlite-encrypted'] as const)(
    '%s: are in no file of a store that is too large to be compacted at once',
    async (subject) => {
      const folder = createQuickFolder('raw-large');
      const { store, doomed, gone, kept } = await buildInterleaved(subject, folder, { ballast: 40_000_000 });
      const other = await openSubject(subject, folder, { redactor: false });
      expect((await store.stats()).bytesOnDisk).toBeGreaterThan(36_000_000);
      await purge(store, doomed);
      expect(findWords(folder, gone.words)).toEqual({});
      await expectWhole(store, folder, subject, kept);
      await other.close();
      await store.close();
      expect(findWords(folder, gone.words)).toEqual({});
    },
  );

  const cutShort = '%s: are in no file, when the purge was cut short by a crash and repeated';
  it.each(subjectNames)(cutShort, { timeout: 120_000 * Math.max(1, campaignScale) }, async (subject) => {
    for (let i = 0; i < scaled(1); i++) {
      const folder = createTemporaryFolder('raw-crash');
      const { store, doomed, gone, kept } = await buildInterleaved(subject, folder, {});
      for (const id of doomed) await store.trash(id);
      await store.close();
      const child = new Child<{ ready: true }>(await bystander(), { subject, folder, purges: doomed } satisfies BystanderInput);
      expect(await child.next()).toEqual({ ready: true });
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
      child.kill();
      await child.ended;
      const reopened = await openSubject(subject, folder, { redactor: false });
      for (const id of doomed) if (await reopened.find(id)) await reopened.purge(id);
      await expectWhole(reopened, folder, subject, kept);
      await reopened.close();
      expect(findWords(folder, gone.words)).toEqual({});
    }
  });
});

describe('the bytes of what a policy does not keep', () => {
  it.each(subjectNames)('%s: are in no file when their time is over', async (subject) => {
    const folder = createQuickFolder('raw-ttl');
    let now = Date.UTC(2026, 0, 1);
    const store = await openSubject(subject, folder, { redactor: false, clock: () => now });
    const gone = new Telltale();
    const kept = new Telltale();
    const removed = await store.create({ policy: { kind: 'ttl', milliseconds: hour, afterwards: 'delete' } });
    const withheld = await store.create({ policy: { kind: 'ttl', milliseconds: hour, afterwards: 'headers-only' } });
    const later = await store.create({ policy: { kind: 'ttl', milliseconds: 100 * hour, afterwards: 'delete' } });
    const full = await store.create();
    for (const length of lengths) {
      for (const [id, words] of [
        [removed.id, gone],
        [full.id, kept],
        [withheld.id, gone],
        [later.id, kept],
      ] as const) {
        for (const entry of words.entries(length)) await store.append(id, entry);
      }
    }
    expectPresent(subject, folder, [...gone.words, ...kept.words]);
    now += 2 * hour;
    await store.append(removed.id, { kind: 'message', role: 'user', text: kept.word() });
    const count = lengths.length * kinds;
    expect(await store.sweep()).toEqual({ purged: [], withheld: count, removed: count });
    expect(findWords(folder, gone.words)).toEqual({});
    expect((await store.read(withheld.id, { limit: 1000 })).items.map((entry) => entry.withheld !== undefined)).toEqual(
      Array(count).fill(true),
    );
    expect((await store.read(removed.id)).items.map((entry) => entry.seq)).toEqual([count + 1]);
    await expectWhole(store, folder, subject, kept);
    await store.close();
    expect(findWords(folder, gone.words)).toEqual({});
  });

  it.each(subjectNames)('%s: never reach a file at all under headers-only and none', async (subject) => {
    const folder = createQuickFolder('raw-policy');
    const store = await openSubject(subject, folder, { redactor: false });
    const gone = new Telltale();
    const headers = await store.create({ policy: { kind: 'headers-only' } });
    const nothing = await store.create({ policy: { kind: 'none' } });
    for (const length of lengths) {
      for (const entry of gone.entries(length)) {
        for (const { id } of [headers, nothing]) {
          await store.append(id, entry);
          expect(findWords(folder, gone.words.slice(-30))).toEqual({});
        }
      }
    }
    expect(findWords(folder, gone.words)).toEqual({});
    expect((await store.get(headers.id)).lastSeq).toBe(lengths.length * kinds);
    // The record that an event happened, and nothing else.
    const events = (await store.read(nothing.id)).items.map(({ kind, withheld }) => [kind, withheld !== undefined]);
    expect(events).toEqual(lengths.map(() => ['event', true]));
    await store.close();
    expect(findWords(folder, gone.words)).toEqual({});
  });
});

let program: Promise<string> | undefined;
function bystander(): Promise<string> {
  program ??= bundleProgram(new URL('bystander-child.ts', import.meta.url));
  return program;
}
beforeAll(bystander);

interface Built {
  store: ConversationStore;
  doomed: ConversationId[];
  gone: Telltale;
  kept: Telltale;
}

/** Conversations that stay and conversations that go, written in turns, so that they share pages wherever pages are shared. */
async function buildInterleaved(subject: SubjectName, folder: string, { ballast = 0 }): Promise<Built> {
  const store = await openSubject(subject, folder, { redactor: false });
  const gone = new Telltale();
  const kept = new Telltale();
  const doomed: ConversationId[] = [];
  const staying: ConversationId[] = [];
  for (let i = 0; i < 4; i++) {
    staying.push((await store.create(kept.conversation())).id);
    doomed.push((await store.create(gone.conversation())).id);
  }
  if (ballast > 0) {
    const { id } = await store.create({ title: 'ballast' });
    const text = 'ballast '.repeat(ballast / 8 / 20);
    for (let i = 0; i < 20; i++) await store.append(id, { kind: 'message', role: 'user', text });
  }
  for (const length of lengths) {
    for (let i = 0; i < staying.length; i++) {
      const [stays, goes] = [staying[i], doomed[i]] as [ConversationId, ConversationId];
      await store.append(stays, kept.entries(length));
      for (const entry of gone.entries(length)) await store.append(goes, entry);
      await store.rename(goes, `renamed ${gone.word()} ${'x'.repeat(length % 700)}`);
      await store.tag(goes, { add: [gone.word()] });
      await store.putMeta(goes, { note: gone.text(length % 3000) });
    }
  }
  const fork = await store.fork(doomed[0] as ConversationId, { at: 3, title: gone.word() });
  await store.append(fork.id, gone.entries(50));
  return { store, doomed: [fork.id, ...doomed], gone, kept };
}

async function purge(store: ConversationStore, ids: ConversationId[]): Promise<void> {
  for (const id of ids) {
    await store.trash(id);
    await store.purge(id);
  }
}

/** A search that finds nothing proves nothing unless it would have found something. */
function expectPresent(subject: SubjectName, folder: string, words: string[]): void {
  const found = Object.keys(findWords(folder, words)).length;
  if (isEncrypted(subject)) expect(found).toBe(0);
  // A few are cut in two by the end of a page, or were replaced by a later name.
  else expect(found).toBeGreaterThan(words.length * 0.95);
}

/** What stays is still there, for the store and, in a plain store, for the eye. */
async function expectWhole(
  store: ConversationStore,
  folder: string,
  subject: SubjectName,
  kept: Telltale,
  { isPacked = false } = {},
): Promise<void> {
  const { problems } = await store.verify();
  // A transaction that a crash cut short is left at the end of the log, and reported.
  expect(problems.filter((problem) => problem.code !== 'torn-tail')).toEqual([]);
  let all = '';
  for (const conversation of (await store.list({ limit: 1000 })).items) {
    all += JSON.stringify(conversation);
    for await (const entry of store.readAll(conversation.id)) all += JSON.stringify(entry);
  }
  const present = wordsIn(all);
  expect(kept.words.filter((word) => !present.has(word))).toEqual([]);
  if (!isPacked) expectPresent(subject, folder, kept.words);
}
