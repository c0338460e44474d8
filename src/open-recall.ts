// Opens recall over a store in its home folder, with the key the store has. SQLite is loaded when it is called, not before.
import { resolve } from 'node:path';
import { ContinuoError } from './model/error.ts';
import type { Embedder } from './model/ports/embedder.ts';
import { type StoreKey, unlock } from './open-store.ts';
import type { EmbedderSource } from './recall/embedders/embedder-slot.ts';
import type { RecallEngine, RecallEngineOptions } from './recall/recall-engine.ts';
import { loadHome } from './store/home.ts';

export interface OpenRecallOptions extends Omit<RecallEngineOptions, 'folder' | 'key' | 'embedder'> {
  /** The folder that holds the store. */
  home: string;
  /** The key of an encrypted store. */
  key?: StoreKey;
  /** The model that comes with the package unless given; null for words alone. */
  embedder?: EmbedderSource | null;
}

/** Recall for an open store. Close it before the store. */
export async function openRecall({ home: given, key, embedder, ...options }: OpenRecallOptions): Promise<RecallEngine> {
  const home = resolve(given);
  const record = await loadHome(home);
  if (!record) throw new ContinuoError('store-not-found', { path: home });
  const raw = await unlock(home, record, key);
  const { RecallEngine } = await import('./recall/recall-engine.ts');
  const meaning = embedder === undefined ? { embedder: openBundled, embedsInSearch: true } : embedder && { embedder };
  return RecallEngine.open({ ...meaning, ...options, folder: home, ...(raw && { key: raw }) });
}

async function openBundled(): Promise<Embedder> {
  const { openStaticEmbedder } = await import('./recall/embedders/static.ts');
  return openStaticEmbedder();
}
