// What a process that died left behind is brought into the log before the conversation goes on: the answer as far as it had been
// saved, marked as interrupted, and the end of the turn that never came.
import type { Entry } from '../model/entry.ts';
import type { ConversationId } from '../model/id.ts';
import type { ConversationStore } from '../store/conversation-store.ts';

const pageSize = 100;

/** Turns a draft into an entry, unless the answer it was the beginning of was recorded after all. The caller holds the lease. */
export async function recoverDraft(store: ConversationStore, id: ConversationId): Promise<Entry | undefined> {
  const draft = await store.findDraft(id);
  if (!draft) return undefined;
  const { after, ...entry } = draft;
  if (await wasRecorded(store, id, after, entry.turnId)) {
    await store.deleteDraft(id);
    return undefined;
  }
  const { entries } = await store.append(id, entry, { endsDraft: true });
  return entries[0];
}

export async function recordInterruption(store: ConversationStore, id: ConversationId, turnId: string): Promise<void> {
  await store.append(id, { kind: 'event', name: 'turn-end', code: 'interrupted', text: '', turnId });
}

/** Others may have written since: only an answer of the same turn ends the draft. */
async function wasRecorded(
  store: ConversationStore,
  id: ConversationId,
  after: number,
  turnId: string | undefined,
): Promise<boolean> {
  const { items } = await store.read(id, { after, limit: pageSize });
  return items.some((entry) => entry.kind === 'message' && entry.role === 'assistant' && entry.turnId === turnId);
}
