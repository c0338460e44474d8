// Moves a store to another way of keeping: encrypted or plain, sqlite or jsonl. A full copy is made beside the original while
// nobody can write, compared entry by entry, and takes effect by one atomic change of `store.json`. Until then the original counts.
// Sessions of teams go the same way; their new files take their places after that change, at the latest when the store is opened.
import { rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createUlid } from './base/id.ts';
import { convertSessions, tidyConversions } from './home-sessions.ts';
import type { Conversation } from './model/conversation.ts';
import { ContinuoError } from './model/error.ts';
import type { DraftRecord, EncodedEntry, EntryRecord, Progress, StoreDriver } from './model/ports/store-driver.ts';
import { createDriver, createEncryption, type DriverName, type StoreKey, unlock } from './open-store.ts';
import { stagedSessions } from './snapshot/conversion-folder.ts';
import { assertComplete, dataFolder, type HomeRecord, loadHome, saveHome } from './store/home.ts';

const entriesPerStep = 1000;

export interface ConvertOptions {
  home: string;
  /** The key of the store as it is now, where it is encrypted. */
  from?: StoreKey;
  /** The key it shall have; left out, it becomes a plain store. */
  to?: StoreKey;
  /** The driver it shall have; left out, the one it has. */
  driver?: DriverName;
}

export interface ConvertResult {
  conversations: number;
  entries: number;
  /** Sessions of teams. */
  sessions: number;
  /** Damaged session files: sealed or opened byte by byte. */
  damagedSessions: string[];
}

type CopiedLog = Pick<ConvertResult, 'conversations' | 'entries'>;

export async function convertStore(options: ConvertOptions, progress?: Progress): Promise<ConvertResult> {
  const home = resolve(options.home);
  const record = await loadHome(home);
  if (!record) throw new ContinuoError('store-not-found', { path: home });
  assertComplete(home, record);
  const from = await unlock(home, record, options.from);
  const source = await createDriver(record.driver, dataFolder(home, record), from);
  await tidyConversions(home, basename(dataFolder(home, record)), from);
  const { target, targetRecord, key: to } = await createTarget(home, record, options);
  const sessions = convertSessions(home, stagedSessions(home, basename(dataFolder(home, targetRecord))), { from, to });
  let result: ConvertResult = { conversations: 0, entries: 0, sessions: 0, damagedSessions: [] };
  let moved = false;
  let placed = false;
  source.onProblem = (problem) => {
    throw new ContinuoError('store-damaged', { path: home, reason: problem.detail });
  };
  await source.open();
  try {
    await source.retire(async () => {
      await sessions.begin();
      await target.open();
      const copied = await copyAll(source, target, progress);
      await target.close();
      const staged = await sessions.stage();
      result = { ...copied, sessions: staged.sessions, damagedSessions: staged.carried };
      await saveHome(home, targetRecord);
      moved = true;
    });
    await sessions.place();
    placed = true;
  } finally {
    await source.close();
    await target.close();
    // Whichever of the two is not the store is left over.
    await rm(dataFolder(home, moved ? record : targetRecord), { recursive: true, force: true });
    // Last, because it is what tells of an unfinished conversion.
    if (placed || !moved) await sessions.drop();
  }
  return result;
}

async function createTarget(
  home: string,
  record: HomeRecord,
  { to, driver = record.driver }: ConvertOptions,
): Promise<{ target: StoreDriver; targetRecord: HomeRecord; key: Uint8Array | undefined }> {
  const { encryption: _old, ...rest } = record;
  const targetRecord: HomeRecord = { ...rest, driver, ready: true, folder: `store-${createUlid(Date.now())}` };
  let key: Uint8Array | undefined;
  if (to) {
    const created = await createEncryption(to);
    targetRecord.encryption = created.encryption;
    key = created.raw;
  }
  return { target: await createDriver(driver, join(home, targetRecord.folder as string), key), targetRecord, key };
}

async function copyAll(source: StoreDriver, target: StoreDriver, progress?: Progress): Promise<CopiedLog> {
  const { entries: total } = await source.stats();
  const result: CopiedLog = { conversations: 0, entries: 0 };
  for await (const conversation of listAll(source)) {
    const copied = await copyConversation(source, target, conversation);
    await compareConversation(source, target, conversation);
    result.conversations += 1;
    result.entries += copied;
    progress?.(result.entries, total);
  }
  return result;
}

async function copyConversation(source: StoreDriver, target: StoreDriver, conversation: Conversation): Promise<number> {
  const { trashedAt, ...living } = conversation;
  const start = conversation.forkedFrom?.seq ?? 0;
  await target.insertConversation({ ...living, lastSeq: start });
  let copied = 0;
  let last = start;
  for await (const records of readPages(source, conversation)) {
    const entries: EncodedEntry[] = [];
    for (const { seq, ...entry } of records) {
      // Places whose entries a ttl policy removed are filled, and emptied again below, so that all others keep theirs.
      for (; last + 1 < seq; last++) entries.push(vanished);
      entries.push(entry);
      last = seq;
    }
    await appendAll(target, conversation, entries);
    copied += records.length;
  }
  if (last < conversation.lastSeq) {
    await appendAll(
      target,
      conversation,
      Array.from({ length: conversation.lastSeq - last }, () => vanished),
    );
  }
  if (copied < conversation.lastSeq - start) await target.expireEntries(vanished.expiresAt as number);
  const draft = await source.findDraft(conversation.id);
  if (draft) await appendAll(target, conversation, [], draft);
  if (trashedAt !== undefined) await target.updateConversation(conversation.id, { trashedAt });
  return copied;
}

/** Stands for an entry that is gone; its time was up before there were computers. */
const vanished: EncodedEntry = { at: 0, kind: 'label', header: '{"name":"gone"}', text: '', data: null, expiresAt: 1 };

async function appendAll(
  target: StoreDriver,
  { id }: Conversation,
  entries: readonly EncodedEntry[],
  draft?: DraftRecord,
): Promise<void> {
  const [outcome] = await target.append([{ conversationId: id, entries, now: Date.now(), ...(draft && { draft }) }]);
  if (outcome && 'error' in outcome) throw outcome.error;
}

async function compareConversation(source: StoreDriver, target: StoreDriver, conversation: Conversation): Promise<void> {
  const copy = await target.findConversation(conversation.id);
  let same = isDeepStrictEqual(copy, conversation);
  const pages = readPages(target, conversation);
  for await (const records of readPages(source, conversation)) {
    const { value } = await pages.next();
    same &&= isDeepStrictEqual(value, records);
  }
  same &&= isDeepStrictEqual(await target.findDraft(conversation.id), await source.findDraft(conversation.id));
  if (!same)
    throw new ContinuoError('internal', {
      reason: `the copy of conversation ${conversation.id} differs; the store was left as it was`,
    });
}

async function* readPages(driver: StoreDriver, { id }: Conversation): AsyncGenerator<EntryRecord[]> {
  for (let after = 0; ; ) {
    const range = { after, before: Number.MAX_SAFE_INTEGER, limit: entriesPerStep, order: 'forward' } as const;
    const records = await driver.readEntries(id, range);
    if (records.length > 0) yield records;
    if (records.length < entriesPerStep) return;
    after = (records.at(-1) as EntryRecord).seq;
  }
}

async function* listAll(driver: StoreDriver): AsyncGenerator<Conversation> {
  let after: Conversation | undefined;
  do {
    const page: Conversation[] = await driver.listConversations({ trash: 'include', limit: 1000, ...(after && { after }) });
    yield* page;
    after = page.length === 1000 ? page.at(-1) : undefined;
  } while (after);
}
