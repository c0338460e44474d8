// Opens recall over a store in its home folder, with the key the store has. SQLite is loaded when it is called, not before.
import { resolve } from 'node:path';
import { ContinuoError } from './model/error.ts';
import { type StoreKey, unlock } from './open-store.ts';
import type { RecallEngine, RecallEngineOptions } from './recall/recall-engine.ts';
import { loadHome } from './store/home.ts';

export interface OpenRecallOptions extends Omit<RecallEngineOptions, 'folder' | 'key'> {
  /** The folder that holds the store. */
  home: string;
  /** The key of an encrypted store. */
  key?: StoreKey;
}

/** Recall for an open store. Close it before the store. */
export async function openRecall({ home: given, key, ...options }: OpenRecallOptions): Promise<RecallEngine> {
  const home = resolve(given);
  const record = await loadHome(home);
  if (!record) throw new ContinuoError('store-not-found', { path: home });
  const raw = await unlock(home, record, key);
  const { RecallEngine } = await import('./recall/recall-engine.ts');
  return RecallEngine.open({ ...options, folder: home, ...(raw && { key: raw }) });
}
