// Proof of a backup: it is restored into a folder of its own and compared, entry by entry, with the store it was made of. The store
// may have grown meanwhile: what counts is that everything in the backup is what is stored, and that nothing from before it is missing.
import { createHash, type Hash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { relative } from 'node:path';
import type { Conversation } from '../model/conversation.ts';
import { ContinuoError } from '../model/error.ts';
import type { ConversationPage } from '../model/list-query.ts';
import type { Progress } from '../model/ports/store-driver.ts';
import { openStore, type StoreKey } from '../open-store.ts';
import { restoreBackup } from '../store/backup.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import type { Context } from './context.ts';
import { lookAtSessions } from './team/look-at-sessions.ts';

export interface Verified {
  conversations: number;
  entries: number;
  /** SHA-256 over every entry, in order. */
  digest: string;
  /** Session files of teams. */
  sessions: number;
}

export interface BackupToVerify {
  folder: string;
  key: StoreKey | undefined;
  /** When the backup began: every conversation from before must be in it. */
  startedAt: number;
}

export async function verifyBackup(
  context: Context,
  store: ConversationStore,
  backup: BackupToVerify,
  progress: Progress,
): Promise<Verified> {
  const { folder, key, startedAt } = backup;
  // Beside the backup: where there was room for it there is most likely room for its copy.
  const home = `${folder}.verify-${process.pid}`;
  const forget = context.cleanups.add(() => rm(home, { recursive: true, force: true }));
  try {
    await restoreBackup(folder, home);
    await using restored = await openStore({ home, ...(key && { key }) });
    const { conversations: total } = await restored.stats();
    const [kept, found] = [createHash('sha256'), createHash('sha256')];
    let [conversations, entries] = [0, 0];
    for await (const copy of allConversations(restored)) {
      const original = await store.find(copy.id);
      if (!original) throw differs(folder, `${copy.id} is in the backup only`);
      if (facts(copy) !== facts(original)) throw differs(folder, `${copy.id} is kept differently`);
      entries += await hashEntries(restored, copy, copy.lastSeq, found);
      await hashEntries(store, original, copy.lastSeq, kept);
      progress(++conversations, Math.max(total, conversations));
    }
    const digest = found.digest('hex');
    if (kept.digest('hex') !== digest) throw differs(folder, 'the text of some entries is not the same');
    for await (const { id, createdAt } of allConversations(store)) {
      if (createdAt < startedAt && !(await restored.find(id))) throw differs(folder, `${id} is not in the backup`);
    }
    const sessions = await compareSessions(context, { home, folder, key });
    return { conversations, entries, digest, sessions };
  } finally {
    await rm(home, { recursive: true, force: true });
    forget();
  }
}

/** Every session that was readable is so again; what was damaged before is as damaged as it was. */
async function compareSessions(
  context: Context,
  { home, folder, key }: { home: string; folder: string; key: StoreKey | undefined },
): Promise<number> {
  const restored = await lookAtSessions({ ...context, home }, key);
  if (!restored) return 0;
  const kept = await lookAtSessions(context, key);
  const damaged = new Set(kept?.unreadable.map(({ path }) => relative(context.home, path)));
  for (const { path } of restored.unreadable) {
    const name = relative(home, path);
    if (!damaged.has(name)) throw differs(folder, `the session file ${name} is not readable`);
  }
  return restored.sessions;
}

/** What about a conversation cannot change while the comparison runs. */
function facts({ id, createdAt, policy, forkedFrom }: Conversation): string {
  return JSON.stringify({ id, createdAt, policy, forkedFrom });
}

/** Own entries only: what a fork shares is compared where it was said. */
async function hashEntries(
  store: ConversationStore,
  { id, forkedFrom }: Conversation,
  upTo: number,
  hash: Hash,
): Promise<number> {
  let count = 0;
  let after = forkedFrom?.seq ?? 0;
  for (;;) {
    const { items, next } = await store.read(id, { after, before: upTo + 1, limit: 1000 });
    for (const entry of items) hash.update(`${JSON.stringify(entry)}\n`);
    count += items.length;
    if (next?.after === undefined) return count;
    after = next.after;
  }
}

async function* allConversations(store: ConversationStore): AsyncGenerator<Conversation> {
  let cursor: string | undefined;
  do {
    const page: ConversationPage = await store.list({ trash: 'include', limit: 1000, ...(cursor !== undefined && { cursor }) });
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

function differs(path: string, reason: string): ContinuoError {
  return new ContinuoError('backup-differs', { path, reason });
}
