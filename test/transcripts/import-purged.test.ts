// What was purged stays away: no later import brings it back, by whatever way its words lie in the folders of agents.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { convertStore } from '../../src/convert-store.ts';
import { type OpenStoreOptions, openStore } from '../../src/open-store.ts';
import { restoreBackup } from '../../src/store/backup.ts';
import type { ConversationStore } from '../../src/store/conversation-store.ts';
import { PurgeRecord, purgeRecordPath } from '../../src/store/purge-record.ts';
import { claudeCodeFormat } from '../../src/transcripts/claude-code/claude-code-format.ts';
import { codexFormat } from '../../src/transcripts/codex/codex-format.ts';
import { rememberHandover } from '../../src/transcripts/handover.ts';
import type { TranscriptFormat } from '../../src/transcripts/transcript-format.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';
import { collect } from './listing.ts';
import { answerLine, questionLine, sessionId, writeTalk } from './many-lines.ts';
import { importFrom } from './workbench.ts';

const key = `import:claude-code:${sessionId}`;
const day = 24 * 60 * 60 * 1000;

async function open(options: Partial<OpenStoreOptions> & { home: string }): Promise<ConversationStore> {
  const store = await openStore(options);
  onTestFinished(() => store.close());
  return store;
}

/** A home, and an agent's folder with one session in it. */
async function setUp(options: Partial<OpenStoreOptions> = {}) {
  const home = join(createQuickFolder('purged'), 'home');
  const root = join(home, '..', 'agent');
  mkdirSync(join(root, 'project'), { recursive: true });
  const path = join(root, 'project', `${sessionId}.jsonl`);
  writeTalk(path, 4, (number) => `Words number ${number}.`);
  const store = await open({ home, ...options });
  await importFrom(store, root);
  return { home, root, path, store };
}

async function purge(store: ConversationStore, name = key): Promise<void> {
  const { id } = await store.get(name);
  await store.trash(id);
  await store.purge(id, { withForks: true });
}

const leftAlone = { sources: { created: 0, grown: 0, purged: 1 }, entries: 0 };

describe('a purged conversation', () => {
  it('is left alone by later imports, also when its session grew, until it is asked for again', async () => {
    const { root, path, store, home } = await setUp();
    await purge(store);
    expect(await importFrom(store, root)).toMatchObject(leftAlone);
    appendFileSync(path, `${questionLine(5)}\n${answerLine(6)}\n`);
    expect(await importFrom(store, root)).toMatchObject(leftAlone);
    expect(await importFrom(store, root, { dryRun: true })).toMatchObject(leftAlone);
    expect(await store.stats()).toMatchObject({ conversations: 0 });
    // Nothing but a digest tells of it.
    expect(readFileSync(purgeRecordPath(home), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);

    expect(await importFrom(store, root, { again: true, dryRun: true })).toMatchObject({ sources: { created: 1, purged: 0 } });
    expect(await importFrom(store, root, { again: true })).toMatchObject({ sources: { created: 1, purged: 0 }, entries: 6 });
    // From then on it is a conversation like every other.
    appendFileSync(path, `${questionLine(7)}\n`);
    expect(await importFrom(store, root)).toMatchObject({ sources: { grown: 1, purged: 0 }, entries: 1 });
    await purge(store);
    expect(await importFrom(store, root)).toMatchObject(leftAlone);
  });

  it('is left alone where its days in the trash were over', async () => {
    let now = Date.now();
    const { root, store } = await setUp({ clock: () => now });
    await store.trash((await store.get(key)).id);
    now += 31 * day;
    expect(await store.sweep()).toMatchObject({ purged: [expect.stringMatching(/^cnv_/)] });
    expect(await importFrom(store, root)).toMatchObject(leftAlone);
  });

  it('is known to another process at work, to an encrypted store and to a converted one', async () => {
    const key = { passphrase: 'a long enough passphrase' };
    const { home, root, store } = await setUp({ key });
    const other = await open({ home, key });
    await purge(store);
    expect(await importFrom(other, root)).toMatchObject(leftAlone);
    await store.close();
    await other.close();
    await convertStore({ home, from: key, driver: 'jsonl' });
    expect(await importFrom(await open({ home }), root)).toMatchObject(leftAlone);
  });

  it('stays away where the store comes from a backup', async () => {
    const { home, root, store } = await setUp();
    await store.backup(join(home, '../before'));
    await purge(store);
    await store.backup(join(home, '../after'));
    expect(existsSync(purgeRecordPath(join(home, '../before')))).toBe(false);
    const restored = join(home, '../restored');
    await restoreBackup(join(home, '../after'), restored);
    expect(await importFrom(await open({ home: restored }), root)).toMatchObject(leftAlone);
  });

  it('grows on where it was recorded but the process died before anything was deleted', async () => {
    const { home, root, path, store } = await setUp();
    const conversation = await store.get(key);
    await store.mergeMeta(conversation.id, { handovers: { 'import:codex:other': {} } });
    await new PurgeRecord(purgeRecordPath(home)).add([key]);
    appendFileSync(path, `${questionLine(5)}\n`);
    expect(await importFrom(store, root)).toMatchObject({ sources: { grown: 1, purged: 0 }, entries: 1 });
  });

  it.each([
    ['purged', 'purged'],
    ['put into the trash', 'trashed'],
  ])('that is %s while its session is imported is left alone', async (_, outcome) => {
    const { root, path, store } = await setUp();
    const { id } = await store.get(key);
    const format: TranscriptFormat = {
      ...claudeCodeFormat,
      async *read(source, options) {
        await store.trash(id);
        if (outcome === 'purged') await store.purge(id);
        yield* claudeCodeFormat.read(source, options);
      },
    };
    appendFileSync(path, `${questionLine(5)}\n`);
    expect(await importFrom(store, root, { format })).toMatchObject({
      sources: { grown: 0, [outcome]: 1 },
      entries: 0,
      failed: [],
    });
  });

  it('may come back where it gave up its key', async () => {
    const { root, store } = await setUp();
    const { id } = await store.get(key);
    await store.trash(id, { releaseKey: true });
    await store.purge(id);
    expect(await importFrom(store, root)).toMatchObject({ sources: { created: 1, purged: 0 } });
  });

  it('comes back only when told so where it was purged, taken back and gave up its key then', async () => {
    const { root, store } = await setUp();
    await purge(store);
    await importFrom(store, root, { again: true });
    await store.trash((await store.get(key)).id, { releaseKey: true });
    expect(await importFrom(store, root)).toMatchObject(leftAlone);
    expect(await importFrom(store, root, { again: true })).toMatchObject({ sources: { created: 1, purged: 0 } });
  });

  it('stops an import that cannot read what was purged, rather than coming back', async () => {
    const { home, root, store } = await setUp();
    await purge(store);
    writeFileSync(purgeRecordPath(home), 'scribble\n');
    await expect(importFrom(store, root)).rejects.toMatchObject({ code: 'io-failed', details: { path: purgeRecordPath(home) } });
    expect(await importFrom(store, root, { again: true })).toMatchObject({ sources: { created: 1 } });
  });

  it('is not purged where that cannot be recorded', async () => {
    const { home, store } = await setUp();
    mkdirSync(purgeRecordPath(home));
    await expect(purge(store)).rejects.toMatchObject({ code: 'io-failed', details: { path: purgeRecordPath(home) } });
    expect(await store.get(key)).toMatchObject({ lastSeq: 4 });
    // One that was never imported needs no record.
    const { id } = await store.create({ key: 'chat:1' });
    await store.trash(id);
    await store.purge(id);
  });
});

describe('a conversation that was handed over', () => {
  async function handOver(store: ConversationStore, root: string, format: TranscriptFormat = codexFormat) {
    const conversation = await store.get(key);
    const entries = await collect(store.readAll(conversation.id));
    const session = { cwd: '/home/dev/code/long', createdAt: conversation.createdAt, entries };
    const written = await format.write?.(session, { root });
    if (!written) throw new Error('nothing was written');
    await rememberHandover(store, conversation, format, written);
    return { id: written.id, file: written.files[0] as string };
  }

  it('does not come back by the session it was written as, once it is trashed or purged', async () => {
    const { home, root, store } = await setUp();
    const codex = join(home, '../codex');
    await handOver(store, codex);
    const run = (options = {}) => importFrom(store, codex, { format: codexFormat, ...options });
    expect(await run()).toMatchObject({ sources: { unchanged: 1 } });
    const { id } = await store.get(key);
    await store.trash(id);
    expect(await run()).toMatchObject({ sources: { created: 0, trashed: 1 } });
    await store.restore(id);
    expect(await run()).toMatchObject({ sources: { unchanged: 1 } });
    await purge(store);
    expect(await run()).toMatchObject(leftAlone);
    expect(await importFrom(store, root)).toMatchObject(leftAlone);
    expect(await run({ again: true })).toMatchObject({ sources: { created: 1 } });
  });

  it('keeps away the branch that was purged, and only that', async () => {
    const { root, store } = await setUp();
    const { id, file } = await handOver(store, root, claudeCodeFormat);
    const said = (text: string) =>
      appendFileSync(file, `${questionLine(50, text).replaceAll(sessionId, id)}\n${answerLine(51).replaceAll(sessionId, id)}\n`);
    said('Said there.');
    expect(await importFrom(store, root)).toMatchObject({ sources: { created: 1, unchanged: 1 }, entries: 2 });
    await purge(store, `import:claude-code:${id}`);
    expect(await importFrom(store, root)).toMatchObject({ sources: { created: 0, unchanged: 1, purged: 1 }, entries: 0 });
    expect(await importFrom(store, root, { again: true })).toMatchObject({ sources: { created: 1, purged: 0 }, entries: 2 });
    expect((await store.get(`import:claude-code:${id}`)).forkedFrom?.id).toBe((await store.get(key)).id);
  });

  it('still gets what is said there where its purge was begun and never done', async () => {
    const { home, root, store } = await setUp();
    const { id, file } = await handOver(store, root, claudeCodeFormat);
    await new PurgeRecord(purgeRecordPath(home)).add([key, `handed over import:claude-code:${id}`]);
    appendFileSync(file, `${questionLine(50, 'Said there.').replaceAll(sessionId, id)}\n`);
    expect(await importFrom(store, root)).toMatchObject({ sources: { created: 1, unchanged: 1, purged: 0 }, entries: 1 });
  });
});
