// After something was removed for good: the search index gives up every byte of it too. An index that cannot be cleaned now goes as a
// whole, which costs only time. It never makes the command fail that it follows.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { loadHome } from '../../store/home.ts';
import type { Context } from '../context.ts';
import { givenKey, keyOf } from '../open-home.ts';
import { dropIndex } from './drop-index.ts';

const waitForOthers = 5000;

export async function cleanIndex(context: Context, store: ConversationStore): Promise<void> {
  if (!existsSync(join(context.home, 'index.db'))) return;
  try {
    if (await takeOut(context, store)) return;
  } catch {
    // Whatever it was, without the file nothing of what was removed is left.
  }
  await dropIndex(context.home);
}

/** False where something of it may still be there. */
async function takeOut(context: Context, store: ConversationStore): Promise<boolean> {
  const record = await loadHome(context.home);
  const key = record?.encryption && (keyOf(store) ?? givenKey(context, record));
  if (!record || (record.encryption && !key)) return false;
  const { openRecall } = await import('../../open-recall.ts');
  const engine = await openRecall({ home: context.home, store, embedder: null, ...(key && { key }) });
  try {
    const done = await engine.catchUp({ wait: waitForOthers });
    return done?.complete === true && done.scrubbed;
  } finally {
    await engine.close();
  }
}
